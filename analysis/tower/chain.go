package tower

import (
	"cmp"
	"context"
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
}

// chain is a battle with random targets as a Markov chain. All that is known before a round is how probable each number
// of soldiers and multiset of remaining hits are: for each number of soldiers one vector of masses.
type chain struct {
	b        Battle
	reading  Reading
	lattice  *lattice
	blank    func() masses // makes masses of none
	layer    map[int64]masses
	free     []masses
	outcomes map[outcomeKey]*Probability

	ctx       context.Context
	progress  func(done, all int64)
	done      int64 // edges that masses were passed along, or could have been
	roundings int64 // the most roundings on the way to any mass, if the masses are floating-point numbers
}

type outcomeKey struct {
	rounds int64
	winner Winner
}

func (b Battle) runChain(ctx context.Context, reading Reading, o RandomOptions, method Method) (Distribution, error) {
	c := b.newChain(reading, method)
	c.ctx, c.progress = ctx, o.Progress
	if err := c.run(); err != nil {
		return Distribution{}, err
	}
	return c.distribution(method), nil
}

func (b Battle) newChain(reading Reading, method Method) *chain {
	c := &chain{b: b, reading: reading, lattice: newLattice(int(b.Towers), int(b.HitsPerTower)), outcomes: map[outcomeKey]*Probability{}}
	c.blank = func() masses { return make(floats, c.lattice.size) }
	if method == Exact {
		c.blank = func() masses { return &fractions{num: make([]big.Int, c.lattice.size), den: big.NewInt(1)} }
	}
	return c
}

func (c *chain) run() error {
	start := c.blank()
	switch m := start.(type) {
	case floats:
		m[c.lattice.size-1] = 1
	case *fractions:
		m.num[c.lattice.size-1].SetInt64(1)
		m.used = true
	}
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
	if last := len(c.free) - 1; last >= 0 {
		m := c.free[last]
		c.free = c.free[:last]
		return m
	}
	return c.blank()
}

func (c *chain) release(m masses) {
	m.clear()
	c.free = append(c.free, m)
}

func (c *chain) distribution(method Method) Distribution {
	d := Distribution{Method: method}
	if method == Exact {
		d.Win.Exact = new(big.Rat)
	}
	for key, p := range c.outcomes {
		if p.Float == 0 && (p.Exact == nil || p.Exact.Sign() == 0) {
			continue
		}
		d.Outcomes = append(d.Outcomes, Outcome{key.winner, key.rounds, *p})
	}
	sortOutcomes(d.Outcomes)
	for i, outcome := range d.Outcomes {
		if method == Exact {
			d.Outcomes[i].Probability.Float, _ = outcome.Probability.Exact.Float64()
		}
		if outcome.Winner != Soldiers {
			continue
		}
		if method == Exact {
			d.Win.Exact.Add(d.Win.Exact, outcome.Probability.Exact)
		}
		d.Win.Float += outcome.Probability.Float
	}
	if method == Exact {
		d.Win.Float, _ = d.Win.Exact.Float64()
	} else {
		d.Win.Float = min(1, d.Win.Float)
		d.Error = errorBound(c.roundings+int64(c.lattice.size)*2+int64(len(d.Outcomes)), c.done)
	}
	return d
}

func sortOutcomes(list []Outcome) {
	slices.SortFunc(list, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Rounds, b.Rounds), cmp.Compare(a.Winner, b.Winner))
	})
}
