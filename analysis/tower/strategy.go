package tower

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Strategy is a way to choose the targets that depends only on the state.
type Strategy int8

// These are the strategies.
const (
	// Greedy destroys as many towers as possible in every round, the weakest first. No play wins in fewer rounds, and
	// no play keeps more soldiers or leaves fewer towers in any round.
	Greedy Strategy = iota
	// Fewest destroys as few towers as possible without wasting a shot. It wears down the strongest towers first, so
	// that all are as equal as possible. No play without waste does worse for the soldiers.
	Fewest
	// Even gives every standing tower the same number of shots, ignoring the damage. The remaining soldiers fire one
	// more shot at each of the first towers. Because they do so in every round, the first towers are the weakest.
	// Shots at a tower beyond its hits are wasted.
	Even
)

// strategies is the table of the strategies. Commands, chapters and lessons iterate over it.
var strategies = [...]strategy{
	Greedy: {"greedy", "destroys as many towers as possible in every round", greedyAims, newGreedyPool},
	Fewest: {"fewest", "destroys as few towers as possible without wasting a shot", fewestAims, newFewestPool},
	Even: {
		"even", "gives each tower the same number of shots, whatever its damage, and the soldiers left over fire at " +
			"the first towers",
		evenAims, newRanks,
	},
}

// strategy is a row of the table.
type strategy struct {
	name, does string
	aims       func(State) []Aim
	formation  func(Battle) formation // returns the towers of a long run
}

var strategyNames = enum.Of[Strategy]("strategy", strategies[:], func(s strategy) string { return s.name })

// Strategies lists all strategies.
func Strategies() []Strategy { return strategyNames.All() }

// String returns "greedy", "fewest" or "even", which is also the text form.
func (st Strategy) String() string                   { return strategyNames.String(st) }
func (st Strategy) MarshalText() ([]byte, error)     { return strategyNames.MarshalText(st) }
func (st *Strategy) UnmarshalText(text []byte) error { return strategyNames.UnmarshalText(st, text) }

// Description returns what the strategy does, as the text after its name in a list.
func (st Strategy) Description() string {
	refuse(strategyNames.Validate(st))
	return strategies[st].does
}

// Aims returns the targets of the soldiers in an undecided state.
func (st Strategy) Aims(s State) []Aim {
	refuse(cmp.Or(strategyNames.Validate(st), s.undecided()))
	return strategies[st].aims(s)
}

func greedyAims(s State) []Aim {
	var aims []Aim
	left := s.Soldiers
	for i := len(s.Groups) - 1; i >= 0 && left > 0; i-- {
		group := s.Groups[i]
		destroyed := min(group.Towers, left/group.Hits)
		aims = addAim(aims, destroyed, group.Hits, group.Hits)
		left -= destroyed * group.Hits
		if destroyed < group.Towers && left > 0 {
			aims, left = addAim(aims, 1, group.Hits, left), 0
		}
	}
	return addSurplus(aims, left)
}

// fewestAims brings every tower down to its last hit before it destroys any.
func fewestAims(s State) []Aim {
	spare := s.hitsLeft().sub(wide(s.standing()))
	if !spare.less(wide(s.Soldiers)) {
		return levelAims(s)
	}
	left := s.Soldiers - int64(spare.low)
	var aims []Aim
	for _, group := range s.Groups {
		destroyed := min(group.Towers, left)
		aims = addAim(aims, destroyed, group.Hits, group.Hits)
		aims = addAim(aims, group.Towers-destroyed, group.Hits, group.Hits-1)
		left -= destroyed
	}
	return addSurplus(aims, left)
}

// levelAims wears the strongest towers down to a common level. The towers must be able to take these shots without
// falling.
func levelAims(s State) []Aim {
	// The towers above the level are in the first groups: high towers in total. left is the number of unused shots.
	left, level, high := s.Soldiers, s.Groups[0].Hits, int64(0)
	for i, group := range s.Groups {
		high += group.Towers
		floor := int64(1)
		if i+1 < len(s.Groups) {
			floor = s.Groups[i+1].Hits
		}
		if cost := mul(high, level-floor); !wide(left).less(cost) {
			left, level = left-int64(cost.low), floor
			continue
		}
		level, left = level-left/high, left%high
		break
	}
	var aims []Aim
	for _, group := range s.Groups {
		if group.Hits < level {
			break
		}
		lower := min(group.Towers, left) // these get one more shot
		aims = addAim(aims, lower, group.Hits, group.Hits-level+1)
		aims = addAim(aims, group.Towers-lower, group.Hits, group.Hits-level)
		left -= lower
	}
	return aims
}

func evenAims(s State) []Aim {
	towers := s.standing()
	each, extra := s.Soldiers/towers, s.Soldiers%towers
	var aims []Aim
	for i := len(s.Groups) - 1; i >= 0; i-- {
		group := s.Groups[i]
		first := min(group.Towers, extra)
		aims = addAim(aims, first, group.Hits, each+1)
		aims = addAim(aims, group.Towers-first, group.Hits, each)
		extra -= first
	}
	return aims
}

// addAim appends an aim unless it is empty.
func addAim(aims []Aim, towers, hits, shots int64) []Aim {
	if towers == 0 || shots == 0 {
		return aims
	}
	return append(aims, Aim{towers, hits, shots})
}

// addSurplus has soldiers without a target fire at the tower that fell last.
func addSurplus(aims []Aim, shots int64) []Aim {
	if shots == 0 {
		return aims
	}
	last := &aims[len(aims)-1]
	if last.Towers == 1 {
		last.Shots += shots
		return aims
	}
	last.Towers--
	return append(aims, Aim{1, last.Hits, last.Shots + shots})
}

// Run is a stretch of rounds, First to Last, that all end with the same number of towers. State is the state after
// round Last.
type Run struct {
	First     int64   `json:"first"`
	Last      int64   `json:"last"`
	State     State   `json:"state"`
	KillsLeft Uint128 `json:"kills_left"` // the kills left in the round in which the towers win, otherwise 0
	Winner    Winner  `json:"winner"`     // Undecided except in the last run
}

// Runs plays the battle with the strategy and yields it lazily as runs. While no tower falls, the soldiers lose the
// same number in every round. So a run is computed in one step, however many rounds it has. Fewest takes O(log n) runs
// after the first. Greedy takes at most one run per tower.
func (b Battle) Runs(strategy Strategy) iter.Seq[Run] {
	refuse(cmp.Or(b.Validate(), strategyNames.Validate(strategy)))
	return func(yield func(Run) bool) {
		l := newLine(b, strategy)
		for l.winner == Undecided {
			l.next()
			state := State{Soldiers: l.soldiers, Groups: l.towers.groups()}
			if !yield(Run{l.first, l.last, state, l.killsLeft, l.winner}) {
				return
			}
		}
	}
}

// Result describes how a battle ends.
type Result struct {
	Winner       Winner  `json:"winner"`
	Rounds       int64   `json:"rounds"`
	SoldiersLeft int64   `json:"soldiers_left"` // 0 if the towers win
	TowersLeft   int64   `json:"towers_left"`   // 0 if the soldiers win; then the next two are 0 as well
	HitsLeft     Uint128 `json:"hits_left"`
	KillsLeft    Uint128 `json:"kills_left"` // the kills left in the last round
}

// defaultSteps is the default limit of steps for one question.
const defaultSteps = 100_000_000

// LimitError is the error for work that would take, or has taken, more steps than its limit.
type LimitError struct {
	Work  string `json:"work"` // such as "playing (13, 2, 3, 8) with greedy"
	Limit int64  `json:"limit"`
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s takes more steps than %d: raise the limit or use a smaller battle", e.Work, e.Limit)
}

// Play plays the battle to its end with the strategy. Each run is a step; after maxSteps steps (0 means 100,000,000),
// Play returns a *LimitError. Only battles between almost equal sides, with billions of hits per tower, come near the
// default.
func (b Battle) Play(strategy Strategy, maxSteps int64) (Result, error) {
	if err := cmp.Or(b.Validate(), strategyNames.Validate(strategy), valid.Natural("max steps", maxSteps)); err != nil {
		return Result{}, err
	}
	result, _, err := b.play(context.Background(), strategy, stepLimit(maxSteps))
	return result, err
}

func stepLimit(maxSteps int64) int64 { return cmp.Or(maxSteps, defaultSteps) }

// play does the work of Play, and also returns the number of steps. The error is a *LimitError or the context's error.
func (b Battle) play(ctx context.Context, strategy Strategy, maxSteps int64) (result Result, steps int64, err error) {
	l := newLine(b, strategy)
	for ; l.winner == Undecided; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return Result{}, steps, canceled.Cause(ctx)
		}
		if steps == maxSteps {
			return Result{}, steps, &LimitError{fmt.Sprintf("playing %v with %v", b, strategy), maxSteps}
		}
		l.next()
	}
	return Result{l.winner, l.last, l.soldiers, l.towers.standing(), l.towers.hits(), l.killsLeft}, steps, nil
}

// line is a battle that is played run by run. It holds the state after the last round of the last run.
type line struct {
	kills       int64 // the kills per tower
	soldiers    int64
	towers      formation
	first, last int64
	killsLeft   Uint128
	winner      Winner
}

func newLine(b Battle, strategy Strategy) *line {
	return &line{kills: b.KillsPerTower, soldiers: b.Soldiers, towers: strategies[strategy].formation(b)}
}

// next plays the next run.
func (l *line) next() {
	l.first = l.last + 1
	l.last = l.first
	l.towers.fire(1, l.soldiers, wide(l.soldiers))
	towers := l.towers.standing()
	if towers == 0 {
		l.winner = Soldiers
		return
	}
	kills := mul(l.kills, towers)
	if alive := wide(l.soldiers); !kills.less(alive) {
		l.soldiers, l.killsLeft, l.winner = 0, kills.sub(alive), Towers
		return
	}
	loss := int64(kills.low)
	l.soldiers -= loss
	// Some soldiers must be alive after each round of a run, and all the towers must still stand.
	rounds := most((l.soldiers-1)/loss, func(rounds int64) bool {
		return l.towers.withstand(rounds, l.soldiers, shots(rounds, l.soldiers, loss))
	})
	if rounds > 0 {
		l.towers.fire(rounds, l.soldiers, shots(rounds, l.soldiers, loss))
		l.soldiers -= rounds * loss
		l.last += rounds
	}
}

// shots returns the number of shots in the given number of rounds, if the soldiers lose the same number in each.
// rounds * loss must not exceed soldiers.
func shots(rounds, soldiers, loss int64) Uint128 {
	return mul(rounds, soldiers).sub(mul(rounds*loss, rounds-1).half())
}

// most returns the largest number in 0..limit for which holds returns true. holds must be true for 0, and for all
// numbers below a number for which it is true.
func most(limit int64, holds func(int64) bool) int64 {
	low, high := int64(0), int64(1) // holds(low), and not holds(high) once the first loop ends
	for high <= limit && holds(high) {
		low = high
		if high > math.MaxInt64/2 {
			high = math.MaxInt64
			break
		}
		high *= 2
	}
	high = min(high, limit+1)
	for high-low > 1 {
		if middle := low + (high-low)/2; holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// formation holds the standing towers in the form in which a strategy leaves them.
type formation interface {
	// fire fires the shots of some rounds. In the first of them, the given number of soldiers fire. The towers must
	// withstand the shots if there is more than one round.
	fire(rounds, soldiers int64, shots Uint128)
	// withstand reports whether all the towers stand after the shots. In every round the soldiers lose the same
	// multiple of the number of towers.
	withstand(rounds, soldiers int64, shots Uint128) bool
	standing() int64
	hits() Uint128
	groups() []Group // strongest first
}

// pool holds the towers of a strategy for which only the total of the hits matters. No shot is wasted, and the number
// of towers follows from the total.
type pool struct {
	left     Uint128 // the hits that all towers can take
	count    int64   // the number of standing towers
	perTower int64
	fewest   bool // the strategy: Fewest if true, otherwise Greedy
}

func newGreedyPool(b Battle) formation { return newPool(b, false) }
func newFewestPool(b Battle) formation { return newPool(b, true) }

func newPool(b Battle, fewest bool) *pool {
	return &pool{left: mul(b.Towers, b.HitsPerTower), count: b.Towers, perTower: b.HitsPerTower, fewest: fewest}
}

func (p *pool) fire(_, _ int64, shots Uint128) {
	if !shots.less(p.left) {
		p.left, p.count = Uint128{}, 0
		return
	}
	p.left = p.left.sub(shots)
	if p.fewest {
		// Every tower stands if there is at least one hit for each.
		if hits := p.left; hits.less(wide(p.count)) {
			p.count = int64(hits.low)
		}
		return
	}
	full, rest := p.left.quoRem(p.perTower)
	p.count = int64(full.low)
	if rest > 0 {
		p.count++
	}
}

func (p *pool) withstand(_, _ int64, shots Uint128) bool {
	least := wide(p.count)
	if !p.fewest {
		least = mul(p.count-1, p.perTower).add(wide(1))
	}
	return !p.left.less(shots.add(least))
}

func (p *pool) standing() int64 { return p.count }

func (p *pool) hits() Uint128 { return p.left }

func (p *pool) groups() []Group {
	switch {
	case p.count == 0:
		return nil
	case p.fewest:
		level, above := p.left.quoRem(p.count)
		return gather([]Group{{above, int64(level.low) + 1}, {p.count - above, int64(level.low)}})
	default:
		last := int64(p.left.sub(mul(p.count-1, p.perTower)).low)
		return gather([]Group{{p.count - 1, p.perTower}, {1, last}})
	}
}

// ranks holds the towers of Even, in the order in which the remaining soldiers fire at them. The first towers are
// never stronger than the rest.
type ranks struct {
	list  []Group // weakest first
	count int64
}

func newRanks(b Battle) formation {
	return &ranks{list: []Group{{b.Towers, b.HitsPerTower}}, count: b.Towers}
}

// share returns how many shots each tower gets, and how many towers at the front get one more in every round. The
// soldiers lose a multiple of the number of towers, so the second number is the same in all rounds.
func (r *ranks) share(rounds, soldiers int64, shots Uint128) (each Uint128, front int64) {
	front = soldiers % r.count
	each, _ = shots.sub(mul(rounds, front)).quoRem(r.count)
	return each, front
}

func (r *ranks) withstand(rounds, soldiers int64, shots Uint128) bool {
	each, front := r.share(rounds, soldiers, shots)
	if front > 0 {
		each = each.add(wide(rounds))
	}
	return each.less(wide(r.list[0].Hits))
}

func (r *ranks) fire(rounds, soldiers int64, shots Uint128) {
	each, front := r.share(rounds, soldiers, shots)
	fired := make([]Group, 0, len(r.list)+1)
	hit := func(towers, hits int64, shots Uint128) {
		if towers > 0 && shots.less(wide(hits)) {
			fired = append(fired, Group{towers, hits - int64(shots.low)})
		}
	}
	for _, group := range r.list {
		first := min(group.Towers, front)
		hit(first, group.Hits, each.add(wide(rounds)))
		hit(group.Towers-first, group.Hits, each)
		front -= first
	}
	r.list, r.count = fired, State{Groups: fired}.standing()
}

func (r *ranks) standing() int64 { return r.count }

func (r *ranks) hits() Uint128 { return State{Groups: r.list}.hitsLeft() }

func (r *ranks) groups() []Group {
	list := slices.Clone(r.list)
	return gather(list)
}
