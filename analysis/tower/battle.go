// Package tower solves the tower defense game of the post "Tower Defense" exactly.
//
// n soldiers attack t towers. Each tower can take h hits and kills k soldiers per round. In every round each soldier
// shoots once, at a tower; then each tower that still stands kills k soldiers. Damage carries over from round to round;
// unused kills do not. The soldiers win when no tower is left, and the towers win when no soldier is left. There is no
// tie: no tower shoots back after the last one has fallen.
//
// The rules are one function, [Battle.Step], for any choice of targets. Everything else answers questions about them:
//
//   - three ways to choose the targets: [Greedy] (as many towers destroyed as possible), [Fewest] (as few as possible
//     without a wasted shot) and [Even] (the post's even spreading); round by round ([Battle.Rounds]), in strides
//     ([Battle.Runs]), or the end alone ([Battle.Play])
//   - how many soldiers each of these strategies needs to win: [Battle.MinSoldiers]
//   - the fewest towers that one round can destroy, with and without waste: [State.FewestDestroyed],
//     [State.FewestDestroyedWasting]
//   - random targets, in two readings: [Battle.Random] gives the probability of every outcome, as fractions while they
//     are affordable, then as floating-point numbers with a proved bound of the error, then by simulation with a
//     confidence interval
//   - rounds and random targets from any state that a play has led to: [Battle.RoundsFrom], [Battle.RandomFrom]
//
// # Readings
//
// A shot is wasted if other shots destroy its tower in the same round, or if no tower is left. [Greedy] and [Fewest]
// waste none before the last tower falls. [Even] gives every standing tower the same number of shots, and the
// remaining soldiers always fire at the first towers; it ignores the damage. If they fired at the least damaged towers
// instead, Even would be Fewest.
//
// Work that can take long has a context. When the context is done, the error wraps context.Canceled or
// context.DeadlineExceeded, and the cause if the context was canceled with one (see context.WithCancelCause).
//
// # How far it can be trusted
//
// The best play of the soldiers is Greedy, the worst play without waste is Fewest, and more soldiers never do worse.
// These facts are proved in docs/derivations/tower.md and agree with exhaustive play on small battles. Runs of rounds
// agree with single rounds, and with big integers at the limits of int64. Probabilities agree with the enumeration of
// all sequences of shots on small battles.
//
// Sources: the post "Tower Defense"; the game with the best play is TopCoder SRM 418, "Towers".
package tower

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// Battle is a tower defense game before its first round.
//
// All four numbers are positive; the whole int64 range is allowed.
type Battle struct {
	Soldiers      int64 `json:"soldiers"`        // n, the soldiers that attack
	HitsPerTower  int64 `json:"hits_per_tower"`  // h, the hits that a tower can take
	KillsPerTower int64 `json:"kills_per_tower"` // k, the soldiers that a standing tower kills each round
	Towers        int64 `json:"towers"`          // t, the towers at the start
}

// Validate returns an error that names the first number that is not positive. For an invalid battle the other methods
// return this error, or panic with it if they return no error; String prints any battle.
func (b Battle) Validate() error {
	return cmp.Or(
		valid.Positive("soldiers", b.Soldiers), valid.Positive("hits per tower", b.HitsPerTower),
		valid.Positive("kills per tower", b.KillsPerTower), valid.Positive("towers", b.Towers),
	)
}

// String returns "(n, h, k, t)".
func (b Battle) String() string {
	return fmt.Sprintf("(%d, %d, %d, %d)", b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers)
}

// Start returns the state before the first round.
func (b Battle) Start() State {
	refuse(b.Validate())
	return State{Soldiers: b.Soldiers, Groups: []Group{{Towers: b.Towers, Hits: b.HitsPerTower}}}
}

// Group is a number of towers that can take the same number of hits each.
type Group struct {
	Towers int64 `json:"towers"`
	Hits   int64 `json:"hits"`
}

// State is the state between two rounds. Even a million towers need little memory: towers with equal hits form a
// group.
type State struct {
	Soldiers int64   `json:"soldiers"`
	Groups   []Group `json:"groups"` // the standing towers, strongest first; no two groups have the same hits
}

// Towers returns the number of standing towers.
func (s State) Towers() int64 {
	refuse(s.validate())
	return s.standing()
}

func (s State) standing() int64 {
	towers := int64(0)
	for _, group := range s.Groups {
		towers += group.Towers
	}
	return towers
}

// HitsLeft returns the total of the hits that the towers can take.
func (s State) HitsLeft() Uint128 {
	refuse(s.validate())
	return s.hitsLeft()
}

func (s State) hitsLeft() Uint128 {
	hits := Uint128{}
	for _, group := range s.Groups {
		hits = hits.add(mul(group.Towers, group.Hits))
	}
	return hits
}

// Winner is the outcome of a battle.
type Winner int8

// These are the outcomes.
const (
	Undecided Winner = iota
	Soldiers
	Towers
)

var winners = enum.New[Winner]("winner", "undecided", "soldiers", "towers")

// String returns "undecided", "soldiers" or "towers", which is also the text form.
func (w Winner) String() string                   { return winners.String(w) }
func (w Winner) MarshalText() ([]byte, error)     { return winners.MarshalText(w) }
func (w *Winner) UnmarshalText(text []byte) error { return winners.UnmarshalText(w, text) }

// Given an invalid argument, a method returns an error that names the value and the rule. A method that returns no
// error calls one of the functions below, which panic with the same line.

// validateKills validates only b.KillsPerTower, for methods that take a state and use no other number of the battle.
func (b Battle) validateKills() error { return Battle{1, 1, b.KillsPerTower, 1}.Validate() }

// validate returns an error unless a battle can have these soldiers and towers.
func (s State) validate() error {
	if s.Soldiers < 0 {
		return fmt.Errorf("state %+v: the number of soldiers must not be negative", s)
	}
	room := int64(math.MaxInt64) // for towers: at most this number in total
	for i, group := range s.Groups {
		switch {
		case group.Towers < 1 || group.Hits < 1:
			return fmt.Errorf("state %+v: a group must have at least 1 tower, which can take at least 1 hit", s)
		case i > 0 && s.Groups[i-1].Hits <= group.Hits:
			return fmt.Errorf("state %+v: groups must be in order, strongest towers first, and no two may have the "+
				"same hits", s)
		case group.Towers > room:
			return fmt.Errorf("state %+v: must have no more than %d towers", s, int64(math.MaxInt64))
		}
		room -= group.Towers
	}
	return nil
}

// undecided returns an error unless the state is valid and has soldiers and towers.
func (s State) undecided() error {
	if err := s.validate(); err != nil {
		return err
	}
	if s.Soldiers < 1 || len(s.Groups) == 0 {
		return fmt.Errorf("state %+v: must be undecided, with 1 soldier and 1 tower or more", s)
	}
	return nil
}

// refuse panics with err unless it is nil.
func refuse(err error) { valid.Refuse("tower", err) }

// Aim is the target of some soldiers: each of Towers towers with Hits hits left gets Shots shots. Shots beyond the
// hits are allowed, but wasted.
type Aim struct {
	Towers int64 `json:"towers"`
	Hits   int64 `json:"hits"`
	Shots  int64 `json:"shots"`
}

// Left returns how many hits each of the towers can take after the shots, or 0 if the shots destroy it.
func (a Aim) Left() int64 {
	if a.Towers < 1 || min(a.Hits, a.Shots) < 0 {
		refuse(fmt.Errorf("aim %+v: must be at 1 tower or more, with hits and shots that are not negative", a))
	}
	return max(0, a.Hits-a.Shots)
}

// Step plays one round: first all soldiers fire at the towers at the same time, as the aims specify; then each tower
// that still stands kills b.KillsPerTower soldiers.
//
// It returns the state at the end of the round, the number of kills left when the towers have shot the last soldier
// (0 in any other round), and the winner. Step contains all rules. Everything else in this package uses Step or is
// tested against it.
//
// It uses only b.KillsPerTower. It panics unless this number is positive, the state is undecided, every soldier fires
// exactly once, and the targets exist.
func (b Battle) Step(s State, aims []Aim) (next State, killsLeft Uint128, winner Winner) {
	refuse(cmp.Or(b.validateKills(), s.undecided()))
	next = State{Soldiers: s.Soldiers, Groups: hit(s, aims)}
	towers := next.standing()
	if towers == 0 {
		return next, Uint128{}, Soldiers
	}
	kills := mul(b.KillsPerTower, towers)
	if alive := wide(s.Soldiers); kills.less(alive) {
		next.Soldiers = int64(alive.sub(kills).low)
		return next, Uint128{}, Undecided
	}
	next.Soldiers = 0
	return next, kills.sub(wide(s.Soldiers)), Towers
}

// hit returns the towers that stand after the shots.
func hit(s State, aims []Aim) []Group {
	untouched := slices.Clone(s.Groups)
	left, fired := make([]Group, 0, len(aims)+len(untouched)), Uint128{}
	for _, aim := range aims {
		at, ok := find(untouched, aim.Hits)
		if !ok || aim.Towers < 1 || aim.Towers > untouched[at].Towers || aim.Shots < 0 {
			panic(fmt.Sprintf("tower: the aim %+v is at towers that are not in %+v", aim, s))
		}
		untouched[at].Towers -= aim.Towers
		fired = fired.add(mul(aim.Towers, aim.Shots))
		if hits := aim.Left(); hits > 0 {
			left = append(left, Group{aim.Towers, hits})
		}
	}
	if fired != wide(s.Soldiers) {
		panic(fmt.Sprintf("tower: %v shots in %+v: every soldier must fire once, at a tower", fired, s))
	}
	return gather(append(left, untouched...))
}

// gather sorts groups, strongest first, and joins groups with equal hits.
func gather(groups []Group) []Group {
	var joined []Group
	for _, group := range groups {
		switch at, ok := find(joined, group.Hits); {
		case group.Towers == 0:
		case ok:
			joined[at].Towers += group.Towers
		default:
			joined = append(joined, group)
			copy(joined[at+1:], joined[at:])
			joined[at] = group
		}
	}
	return joined
}

// find returns the index of the group with the given hits, or its insertion point.
func find(groups []Group, hits int64) (at int, ok bool) {
	return slices.BinarySearchFunc(groups, hits, func(g Group, hits int64) int { return cmp.Compare(hits, g.Hits) })
}

// Round is the end of one round. Number 0 is the start, when the towers have all their kills.
type Round struct {
	Number    int64   `json:"round"`
	State     State   `json:"state"`
	KillsLeft Uint128 `json:"kills_left"` // the kills left when the towers win; all of them at the start; else 0
	Winner    Winner  `json:"winner"`     // Undecided except in the last round
}

// Rounds plays the battle with the strategy and lazily yields the start and then every round. It calls [Battle.Step];
// [Battle.Runs] is faster if there are many rounds.
func (b Battle) Rounds(strategy Strategy) iter.Seq[Round] {
	refuse(cmp.Or(b.Validate(), strategyNames.Validate(strategy)))
	return b.RoundsFrom(b.Start(), strategy.Aims)
}

// RoundsFrom continues from any undecided state with any play: aims returns the soldiers' aims, as [Battle.Step]
// expects them. Round 0 has the given state. From any state, as from the start, Greedy is the best play, and Fewest is
// the worst play that wastes no shots. It uses only b.KillsPerTower.
func (b Battle) RoundsFrom(s State, aims func(State) []Aim) iter.Seq[Round] {
	refuse(cmp.Or(b.validateKills(), s.undecided()))
	if aims == nil {
		refuse(errors.New("aims = nil: give a function that returns the soldiers' aims"))
	}
	return func(yield func(Round) bool) {
		round := Round{State: s, KillsLeft: mul(b.KillsPerTower, s.standing())}
		for yield(round) && round.Winner == Undecided {
			round.Number++
			round.State, round.KillsLeft, round.Winner = b.Step(round.State, aims(round.State))
		}
	}
}

// Aims returns the aims of one round in which each soldier fires at a random tower, in an undecided state. Once no
// tower is left, the remaining soldiers fire at the last one to fall. Time and memory grow with the numbers of soldiers
// and towers.
func (r Reading) Aims(s State, random *rand.Rand) []Aim {
	refuse(cmp.Or(readingNames.Validate(r), s.undecided()))
	if random == nil {
		refuse(errors.New("random = nil: give a source of random numbers"))
	}
	aims := make([]Aim, 0, s.standing())
	for _, group := range s.Groups {
		for range group.Towers {
			aims = append(aims, Aim{Towers: 1, Hits: group.Hits})
		}
	}
	among := len(aims) // a shot chooses among the first among aims
	for range s.Soldiers {
		at := random.IntN(among)
		aims[at].Shots++
		if r == Sequential && aims[at].Left() == 0 && among > 1 {
			among--
			aims[at], aims[among] = aims[among], aims[at]
		}
	}
	return aims
}

// FewestDestroyed returns the fewest towers that the soldiers can destroy in one round without wasting a shot: a
// tower may fall only if every tower is down to its last hit. With N soldiers and T towers that can take h_1, ...,
// h_T hits it is min(T, max(0, N - M)), where M = (h_1 - 1) + ... + (h_T - 1).
func (s State) FewestDestroyed() int64 {
	refuse(s.validate())
	towers := s.standing()
	spare := s.hitsLeft().sub(wide(towers))
	if !spare.less(wide(s.Soldiers)) {
		return 0
	}
	return min(towers, s.Soldiers-int64(spare.low))
}

// FewestDestroyedWasting returns the fewest towers that the soldiers can destroy if shots may be wasted on a tower that
// is destroyed in the round. It is 0 if N <= M, else 1, because all excess shots can go to one tower. It returns 0 if
// no tower stands.
func (s State) FewestDestroyedWasting() int64 { return min(1, s.FewestDestroyed()) }
