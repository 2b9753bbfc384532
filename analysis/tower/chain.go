package tower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// masses is the probability of every multiset of a lattice, up to some of them.
type masses interface {
	// take adds the masses of the multisets low..high-1 of another of the same type.
	take(from masses, low, high int)
	// shoot lets one soldier fire in a round that began with so many towers; there is no mass on more.
	shoot(l *lattice, reading Reading, towers int)
	// settle is called after the shots of a round.
	settle()
	// pay adds the sum of the masses of the multisets low..high-1 to a probability and says whether there is any.
	pay(low, high int, to *Probability) bool
	clear()
	// certain puts all the mass on one multiset.
	certain(at int)
}

// chain is a battle with random targets as a Markov chain. All that is known before a round is how probable each number
// of soldiers and multiset of remaining hits are: for each number of soldiers one vector of masses.
type chain struct {
	b        Battle // from here on: its soldiers and towers, and the most hits of any of them
	start    State
	reading  Reading
	lattice  *lattice
	blank    func(*lattice) masses // makes masses of none
	layer    map[int64]masses
	free     []masses
	outcomes map[outcomeKey]*Probability

	ctx       context.Context
	progress  func(done, all int64)
	done      int64 // edges that masses were passed along, or could have been

	spent, most int64 // steps, and how many there may be before the chain gives up; 0 if the work was bounded before
	roundings int64 // the most roundings on the way to any mass, if the masses are floating-point numbers
}

type outcomeKey struct {
	rounds int64
	winner Winner
}

func (b Battle) runChain(ctx context.Context, reading Reading, o RandomOptions, method Method) (Distribution, error) {
	blank, distribution := noFloats, (*chain).floatDistribution
	if method == Exact {
		blank, distribution = noFractions, (*chain).exactDistribution
	}
	c := b.newChain(b.Start(), reading, blank)
	c.ctx, c.progress = ctx, o.Progress
	if err := c.run(); err != nil {
		return Distribution{}, err
	}
	return distribution(c), nil
}

// RandomFrom returns how the battle goes on from an undecided state if every soldier fires at a random tower from now
// on, in floating-point numbers with a bound of the error, as the method Float does. Rounds are counted from the state.
// The work ends after maxSteps steps (0 means DefaultMaxSteps): then the error is an *OutOfStepsError. It can also be
// the cause of the context. Memory is at most two bytes for each step.
func (b Battle) RandomFrom(ctx context.Context, s State, reading Reading, maxSteps int64) (Distribution, error) {
	maxSteps = stepLimit(maxSteps)
	b.Soldiers, b.Towers, b.HitsPerTower = s.Soldiers, s.Towers(), s.Groups[0].Hits
	tooLong := &OutOfStepsError{fmt.Sprintf("random fire by %d soldiers at %d towers of up to %d hits", b.Soldiers, b.Towers, b.HitsPerTower), maxSteps}
	// The lattice takes up to 12 bytes an edge, and while it grows twice as many.
	edges := min(maxSteps/24, 1<<31-1)
	size := latticeSize(b.Towers, b.HitsPerTower, edges)
	if size > edges/min(b.Towers, b.HitsPerTower) {
		return Distribution{}, tooLong
	}
	c := b.newChain(s, reading, noFloats)
	c.ctx, c.progress, c.most = ctx, func(int64, int64) {}, maxSteps
	if err := c.run(); errors.Is(err, errMost) {
		return Distribution{}, tooLong
	} else if err != nil {
		return Distribution{}, err
	}
	return c.floatDistribution(), nil
}

var errMost = errors.New("the chain has passed as many edges as it may")

func (b Battle) newChain(start State, reading Reading, blank func(*lattice) masses) *chain {
	return &chain{
		b: b, start: start, reading: reading, blank: blank, lattice: newLattice(int(b.Towers), int(b.HitsPerTower)),
		outcomes: map[outcomeKey]*Probability{},
	}
}

func (c *chain) run() error {
	start := c.blank(c.lattice)
	start.certain(c.lattice.number(c.start.Groups))
	c.layer = map[int64]masses{c.b.Soldiers: start}
	for round := int64(1); len(c.layer) > 0; round++ {
		if err := c.playRound(round); err != nil {
			return err
		}
	}
	return nil
}

// playRound plays one round for every number of soldiers.
func (c *chain) playRound(round int64) error {
	next := map[int64]masses{}
	armies := slices.Sorted(maps.Keys(c.layer))
	groups := int64(0)
	for _, soldiers := range slices.Backward(armies) {
		from := c.layer[soldiers]
		for _, group := range c.groups(from) {
			groups++
			work := c.fresh()
			work.take(from, c.lattice.blocks[group.least], c.lattice.blocks[group.most+1])
			if err := c.volley(work, soldiers, group.most); err != nil {
				return err
			}
			c.deal(round, soldiers, work, next)
			c.release(work)
		}
		c.release(from)
	}
	c.layer = next
	// On its way through a round a mass is rounded at most so often: for each shot by a division, a product, and a sum
	// over the multisets that lead to the same one and itself; then by the sum over the groups.
	c.roundings += armies[len(armies)-1]*(min(c.b.Towers, c.b.HitsPerTower)+3) + groups
	return nil
}

// towerGroup is the multisets with least to most standing towers.
type towerGroup struct{ least, most int }

// groups parts masses into those that can be shot at together: one group for each number of towers at the start of the
// round where the shots depend on it, else a single one.
func (c *chain) groups(m masses) []towerGroup {
	var found []towerGroup
	for towers := int(c.b.Towers); towers > 0; towers-- {
		var some Probability
		if m.pay(c.lattice.blocks[towers], c.lattice.blocks[towers+1], &some) {
			if c.reading == Sequential {
				return []towerGroup{{1, towers}}
			}
			found = append(found, towerGroup{towers, towers})
		}
	}
	return found
}

// volley lets all soldiers fire.
func (c *chain) volley(work masses, soldiers int64, towers int) error {
	edges := int64(c.lattice.edges[c.lattice.blocks[towers+1]])
	for range soldiers {
		if c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
		work.shoot(c.lattice, c.reading, towers)
		c.done += edges
		if c.spent += edges; c.most > 0 && c.spent > c.most {
			return errMost
		}
		c.progress(c.done, 0)
	}
	work.settle()
	return nil
}

// deal lets the towers fire, and hands the masses on to the outcomes and to the next round.
func (c *chain) deal(round, soldiers int64, work masses, next map[int64]masses) {
	end := len(c.lattice.blocks) - 1
	work.pay(0, 1, c.outcome(round, Soldiers))
	for towers := 1; towers < end; towers++ {
		low, high := c.lattice.blocks[towers], c.lattice.blocks[towers+1]
		kills := mul(c.b.KillsPerTower, int64(towers))
		if !kills.less(wide(soldiers)) {
			work.pay(low, c.lattice.size, c.outcome(round, Towers))
			return
		}
		var some Probability
		if !work.pay(low, high, &some) {
			continue
		}
		left := soldiers - int64(kills.low)
		if next[left] == nil {
			next[left] = c.fresh()
		}
		next[left].take(work, low, high)
	}
}

func (c *chain) outcome(round int64, winner Winner) *Probability {
	key := outcomeKey{round, winner}
	if c.outcomes[key] == nil {
		c.outcomes[key] = new(Probability)
	}
	return c.outcomes[key]
}

func (c *chain) fresh() masses {
	c.spent += 8 * int64(c.lattice.size) // a step for each byte of floating-point numbers
	if last := len(c.free) - 1; last >= 0 {
		m := c.free[last]
		c.free = c.free[:last]
		return m
	}
	return c.blank(c.lattice)
}

func (c *chain) release(m masses) {
	m.clear()
	c.free = append(c.free, m)
}

func (c *chain) floatDistribution() Distribution {
	d := Distribution{Method: Float}
	d.Outcomes = c.possible(func(p *Probability) bool { return p.Float > 0 })
	for _, outcome := range d.Outcomes {
		if outcome.Winner == Soldiers {
			d.Win.Float += outcome.Probability.Float
		}
	}
	d.Win.Float = min(1, d.Win.Float)
	d.Error = errorBound(c.roundings+int64(c.lattice.size)*2+int64(len(d.Outcomes)), c.done)
	return d
}

func (c *chain) exactDistribution() Distribution {
	d := Distribution{Method: Exact, Win: Probability{Exact: new(big.Rat)}}
	d.Outcomes = c.possible(func(p *Probability) bool { return p.Exact != nil && p.Exact.Sign() > 0 })
	for i, outcome := range d.Outcomes {
		d.Outcomes[i].Probability.Float, _ = outcome.Probability.Exact.Float64()
		if outcome.Winner == Soldiers {
			d.Win.Exact.Add(d.Win.Exact, outcome.Probability.Exact)
		}
	}
	d.Win.Float, _ = d.Win.Exact.Float64()
	return d
}

// possible are the outcomes whose probability is above 0.
func (c *chain) possible(above func(*Probability) bool) []Outcome {
	var list []Outcome
	for key, p := range c.outcomes {
		if above(p) {
			list = append(list, Outcome{key.winner, key.rounds, *p})
		}
	}
	sortOutcomes(list)
	return list
}

func sortOutcomes(list []Outcome) {
	slices.SortFunc(list, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Rounds, b.Rounds), cmp.Compare(a.Winner, b.Winner))
	})
}
