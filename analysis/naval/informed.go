package naval

const (
	// samples is about how many fleets Informed imagines before a shot.
	samples = 400
	// doubt is the share of them that goes to the placements evenly, whatever the shots before have told.
	doubt = 0.1
	// extra multiplies the samples of Random12, whose fleets are the most diverse.
	extra = 2
)

// attempts is how many attempts each placement of the post, as supposed, needs for a fleet in the mean: if a ship has
// no place left, it starts again. A fleet's probability is that of one attempt, times this. Measured with 2^20 fleets
// each; a test measures again.
var attempts = [ofThePost]float64{3.303, 3.303, 3.303, 3.303, 1, 1.248, 1, 1}

// suspectAll is what Informed knows before the first shot.
func (g *gunner) suspectAll() {
	for i := range g.rules.suspect {
		g.suspects[i] = 1 / float64(len(g.rules.suspect))
	}
}

// likeliest chooses the cell on which there most probably is a ship, as far as the samples tell; if a ship is wounded,
// among those that may belong to it.
// Where no placement allows what is known, it is densest that chooses.
func (g *gunner) likeliest(c *chance) Cell {
	odds, total := g.odds(c)
	if total == 0 {
		return g.densest(c)
	}
	among := g.among()
	best := among.first()
	for rest := among; !rest.empty(); {
		at := rest.first()
		rest = rest.andNot(single(at))
		if odds[at] > odds[best] {
			best = at
		}
	}
	return best
}

// among are the cells that likeliest chooses from.
func (g *gunner) among() Cells {
	if g.wounded.empty() {
		return g.unknown
	}
	return g.extensions()
}

// odds returns how probable, up to the factor total, a ship is on each cell, and remembers how likely that makes each
// placement; total is 0 if none allows what is known.
//
// The additions are kept apart from multiplications by a conversion, which the language rounds at: no machine may fuse
// them, and all choose the same cells.
func (g *gunner) odds(c *chance) (odds [boardCells]float64, total float64) {
	var found [ofThePost]float64
	for i, p := range g.rules.suspect {
		if g.feasible(p) {
			found[i] = g.sample(i, &odds, c)
			total += found[i]
		}
	}
	if total == 0 {
		return odds, 0
	}
	for i := range g.rules.suspect {
		g.suspects[i] = found[i] / total
	}
	return odds, total
}

// feasible reports whether a placement allows the ships sunk and the hits.
func (g *gunner) feasible(p Placement) bool {
	region := p.Region()
	if region.empty() {
		return true
	}
	for _, s := range g.sunk[:g.nSunk] {
		if (s.Decks == 1) == s.Cells().and(region).empty() {
			return false
		}
	}
	return g.wounded.and(region).empty()
}

// sample adds to odds how probable, up to a factor, a fleet of the suspected placement of a number is to have a ship on
// each cell, and returns the sum over all fleets.
func (g *gunner) sample(suspect int, odds *[boardCells]float64, c *chance) float64 {
	p := g.rules.suspect[suspect]
	share := float64((1-doubt)*g.suspects[suspect]) + doubt/float64(len(g.rules.suspect))
	n := int(samples*share) + 1
	if p == Random12 {
		n *= extra
	}
	each := g.rules.tries[suspect] / float64(n)
	sum := 0.0
	m := g.imagine(p)
	var f imagined
	for range n {
		if !m.draw(&f, c) {
			continue
		}
		weight := float64(f.weight * each)
		sum += weight
		for rest := f.cells.and(g.unknown); !rest.empty(); {
			at := rest.first()
			rest = rest.andNot(single(at))
			odds[at] += weight
		}
	}
	return sum
}
