package tower

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
)

// Aim is what a part of the soldiers shoot at: each of Towers towers that can take Hits hits gets Shots shots.
// More shots than hits are allowed; what is too many is wasted.
type Aim struct {
	Towers, Hits, Shots int64
}

// Left returns how many hits each of the towers can take after the shots: 0 if it is destroyed.
func (a Aim) Left() int64 {
	if a.Towers < 1 || min(a.Hits, a.Shots) < 0 {
		refuse(fmt.Errorf("aim %+v: must be at 1 tower or more, with natural numbers of hits and shots", a))
	}
	return max(0, a.Hits-a.Shots)
}

// Step plays one round: the soldiers fire at the towers as the aims say, all together, then each tower that still
// stands kills its number of soldiers.
//
// It returns the state at the end of the round, how many kills the towers have left when they have shot the last
// soldier (0 in any other round), and who has won. Step is the whole of the rules; all else in this package goes
// through it or is tested against it.
//
// Of the battle it needs KillsPerTower alone. It panics unless that is positive, the state is undecided, every soldier
// fires exactly once, and the towers aimed at exist.
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
			panic(fmt.Sprintf("tower: the aim %+v finds no such towers in %+v", aim, s))
		}
		untouched[at].Towers -= aim.Towers
		fired = fired.add(mul(aim.Towers, aim.Shots))
		if hits := aim.Left(); hits > 0 {
			left = append(left, Group{aim.Towers, hits})
		}
	}
	if fired != wide(s.Soldiers) {
		panic(fmt.Sprintf("tower: %v shots in %+v: every soldier fires once, at a tower", fired, s))
	}
	return gather(append(left, untouched...))
}

// gather puts groups in order, strongest first, and joins equal ones.
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

// find returns where the group with so many hits is, or where it would be.
func find(groups []Group, hits int64) (at int, ok bool) {
	return slices.BinarySearchFunc(groups, hits, func(g Group, hits int64) int { return cmp.Compare(hits, g.Hits) })
}

// Round is the end of one round. Number 0 is the start, with all kills of the towers loaded.
type Round struct {
	Number    int64
	State     State
	KillsLeft Uint128 // unspent in the round in which the towers win; all at the start; else 0
	Winner    Winner  // Undecided except in the last round
}

// Rounds plays the battle by the strategy and yields the start and then every round, lazily. It plays by [Battle.Step];
// [Battle.Runs] is faster where there are many rounds.
func (b Battle) Rounds(strategy Strategy) iter.Seq[Round] {
	refuse(cmp.Or(b.Validate(), strategyNames.Validate(strategy)))
	return b.RoundsFrom(b.Start(), strategy.Aims)
}

// RoundsFrom plays on from any undecided state, by any play: aims returns what the soldiers do, as [Battle.Step]
// expects it. Number 0 is the state. From any state Greedy is the best play, and Fewest the worst without waste, as
// they are from the start. Of the battle it needs KillsPerTower alone.
func (b Battle) RoundsFrom(s State, aims func(State) []Aim) iter.Seq[Round] {
	refuse(cmp.Or(b.validateKills(), s.undecided()))
	if aims == nil {
		refuse(errors.New("aims = nil: give a function that says what the soldiers do"))
	}
	return func(yield func(Round) bool) {
		round := Round{State: s, KillsLeft: mul(b.KillsPerTower, s.standing())}
		for yield(round) && round.Winner == Undecided {
			round.Number++
			round.State, round.KillsLeft, round.Winner = b.Step(round.State, aims(round.State))
		}
	}
}

// Aims returns the shots of soldiers who each fire at a random tower, in an undecided state: what chance does in one
// round. Soldiers who find no tower standing fire at the last one. Time and memory grow with the soldiers and the
// towers.
func (r Reading) Aims(s State, random *rand.Rand) []Aim {
	refuse(cmp.Or(readingNames.Validate(r), s.undecided()))
	if random == nil {
		refuse(errors.New("random = nil: give a source of chance"))
	}
	aims := make([]Aim, 0, s.standing())
	for _, group := range s.Groups {
		for range group.Towers {
			aims = append(aims, Aim{Towers: 1, Hits: group.Hits})
		}
	}
	among := len(aims) // those at the front are the ones to choose from
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

// FewestDestroyed returns the fewest towers that the soldiers can destroy in one round without wasting a shot: a shot
// may kill only when every tower is down to its last hit. With S soldiers and T towers that can take h_1, ..., h_T hits
// it is min(T, max(0, S - M)), M = (h_1 - 1) + ... + (h_T - 1).
func (s State) FewestDestroyed() int64 {
	refuse(s.validate())
	towers := s.standing()
	spare := s.hitsLeft().sub(wide(towers))
	if !spare.less(wide(s.Soldiers)) {
		return 0
	}
	return min(towers, s.Soldiers-int64(spare.low))
}

// FewestDestroyedWasting is the same if shots may be wasted at a tower that is destroyed in the round: 0 if S <= M,
// else 1, as all shots that are too many can go to one tower. It is 0 where no tower stands.
func (s State) FewestDestroyedWasting() int64 { return min(1, s.FewestDestroyed()) }
