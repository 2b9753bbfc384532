package tower

import "slices"

// formation is the towers that stand, as a strategy leaves them.
type formation interface {
	// fire lets the shots of some rounds fall, the first of them by so many soldiers. If it is more than one round, the
	// towers must withstand them.
	fire(rounds, soldiers int64, shots Uint128)
	// withstand says whether all the towers stand after the shots, where the soldiers lose the same multiple of the
	// number of towers in every round.
	withstand(rounds, soldiers int64, shots Uint128) bool
	standing() int64
	hits() Uint128
	groups() []Group // strongest first
}

// pool is the towers of a strategy for which only the sum of the hits matters: no shot is wasted, and the number of
// towers follows from the sum.
type pool struct {
	left     Uint128 // hits of all towers
	count    int64   // towers that stand
	perTower int64
	fewest   bool // Fewest, or else Greedy
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
		// Every tower stands that can have a hit of its own.
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

// ranks is the towers of Even, in the order in which soldiers left over fire at them. The first are never stronger than
// the rest.
type ranks struct {
	list  []Group // weakest first
	count int64
}

func newRanks(b Battle) formation {
	return &ranks{list: []Group{{b.Towers, b.HitsPerTower}}, count: b.Towers}
}

// share returns how many shots each tower gets, and how many towers at the front get one more in every round. As the
// soldiers lose a multiple of the number of towers, that number is the same in all rounds.
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
