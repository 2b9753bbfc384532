package naval

const (
	// samples is roughly the number of fleets that Informed imagines before a shot.
	samples = 400
	// doubt is the share of samples that is divided equally among the placements, whatever the shots so far have
	// shown.
	doubt = 0.1
	// extra multiplies the samples of Random12, whose fleets are the most diverse.
	extra = 2
)

// attempts is the mean number of attempts that a fleet takes under each placement of the post, as supposed returns it:
// if a ship has no place left, placing starts again. A fleet's probability is its probability in one attempt, times
// this number. The numbers were measured with 2^20 fleets each; a test repeats the measurement.
var attempts = [ofThePost]float64{3.303, 3.303, 3.303, 3.303, 1, 1.248, 1, 1}

// suspectAll sets the probabilities of the placements before the first shot.
func (g *gunner) suspectAll() {
	for i := range g.rules.suspect {
		g.suspects[i] = 1 / float64(len(g.rules.suspect))
	}
}

// likeliest returns the cell that most probably has a ship, by the samples. If a ship is wounded, it considers only
// cells that may belong to that ship. If no placement agrees with what is known, it returns the cells of densest.
func (g *gunner) likeliest(c *chance) (cells Cells, sure bool) {
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
	return single(best), true
}

// among returns the cells from which likeliest chooses.
func (g *gunner) among() Cells {
	if g.wounded.empty() {
		return g.unknown
	}
	return g.extensions()
}

// odds returns for each cell the probability of a ship on it, times total, and updates the probabilities of the
// placements. total is 0 if no placement agrees with what is known.
//
// Conversions separate additions from multiplications, because Go rounds at a conversion. So no machine may fuse the
// two, and all machines choose the same cells.
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

// feasible reports whether a placement agrees with the sunk ships and the hits.
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

// sample adds to the odds of each cell, up to a common factor, the probability that a fleet of one suspected placement
// has a ship there. It returns the sum of the fleets' weights.
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

// imagined is a random fleet that agrees with what a gunner knows, together with its weight. The fleet is drawn in a
// simple way. The weight is its probability under the rule of a placement (but see supposed), divided by its
// probability of being drawn. Fleets with these weights represent the exact distribution under the rule, given what is
// known; see docs/derivations/naval.md.
type imagined struct {
	fleet  [mostShips]uint16 // the ships' indices, ordered by decks as in any fleet; equal ships in any order
	placed [longest + 1]int8
	cells  Cells
	closed Cells
	weight float64
}

// put adds the ship with an index and the given number of decks.
func (f *imagined) put(r *rules, ship, decks int) {
	f.fleet[r.first[decks]+f.placed[decks]] = uint16(ship)
	f.placed[decks]++
	f.cells, f.closed = f.cells.or(hulls[ship]), f.closed.or(r.closed[ship])
}

// imagination draws fleets of one placement before one shot.
type imagination struct {
	rules   *rules
	waters  waters
	unknown Cells
	hits    Cells // hits on ships afloat
	afloat  [longest + 1]int8
	sunk    imagined // the sunk ships
	wounded wounds   // the ways to cover the first hit
	room    *room    // the numbers of places for the rule's first two ships
}

// room holds the number of places for the first ship of a fleet, and for the second ship after each first one.
type room struct {
	first  int
	second [noShip]uint8
}

// roomIn returns the room in the waters.
func (r *rules) roomIn(w waters) (found room) {
	decks, next := r.lengths[0], r.lengths[1]
	firsts := berthsOf(w.cellsFor(decks), decks)
	found.first = firsts.count()
	for k := range found.first {
		ship := firsts.nthIndex(k)
		found.second[ship] = uint8(countOf(w.cellsFor(next).andNot(r.closed[ship]), next))
	}
	return found
}

// wounds holds the ways in which a ship afloat can cover a hit.
type wounds struct {
	places [longest + 1]berths // by the ship's decks
	ways   int                 // the number of ways for all ships afloat
}

// supposed returns the waters that Informed assumes. Informed does not know the twelve cells of Random12, and sampling
// them as well would add more noise than information. So it treats a fleet of Random12 like a fleet of Anywhere.
func (p Placement) supposed() waters {
	if p == Random12 {
		return waters{board, board}
	}
	return reserved(p.Region())
}

// imagine prepares to draw fleets of a placement.
func (g *gunner) imagine(p Placement) imagination {
	m := imagination{
		rules: g.rules, waters: p.supposed(), unknown: g.unknown, hits: g.wounded, afloat: g.afloat,
		sunk: imagined{weight: 1}, room: &g.rules.rooms[p],
	}
	for _, s := range g.sunk[:g.nSunk] {
		m.sunk.put(m.rules, s.index(), int(s.Decks))
	}
	if !m.hits.empty() {
		m.wounded = m.woundedAt(&m.sunk, &m.afloat)
	}
	return m
}

// woundedAt returns the ways in which a ship afloat can cover the first hit that the fleet does not cover yet. The
// ship must cover all uncovered hits or, if ships may touch, only some of them.
func (m *imagination) woundedAt(f *imagined, afloat *[longest + 1]int8) (w wounds) {
	left := m.hits.andNot(f.cells)
	free := m.unknown.or(left).and(m.waters.large).andNot(f.closed)
	for decks := 2; decks <= longest; decks++ {
		if afloat[decks] == 0 {
			continue
		}
		b := berthsOf(free, decks).covering(left.first())
		if m.rules.touch {
			b = b.notWithin(m.hits)
		} else {
			for rest := left; !rest.empty(); {
				hit := rest.first()
				rest = rest.andNot(single(hit))
				b = b.covering(hit)
			}
		}
		w.places[decks] = b
		w.ways += int(afloat[decks]) * b.count()
	}
	return w
}

// draw draws a fleet in the simple way. It returns false if there is no place left for a ship.
func (m *imagination) draw(f *imagined, c *chance) bool {
	*f = m.sunk
	afloat := m.afloat
	for w := &m.wounded; !m.hits.andNot(f.cells).empty(); {
		if f.cells != m.sunk.cells {
			more := m.woundedAt(f, &afloat)
			w = &more
		}
		if w.ways == 0 {
			return false
		}
		ship, decks := w.draw(&afloat, c)
		f.weight *= float64(w.ways)
		f.put(m.rules, ship, decks)
		afloat[decks]--
	}
	given := f.placed
	for decks := longest; decks >= 1; decks-- {
		for range afloat[decks] {
			b := berthsOf(m.unknown.and(m.waters.cellsFor(decks)).andNot(f.closed), decks)
			n := b.count()
			if n == 0 {
				return false
			}
			f.weight *= float64(n)
			f.put(m.rules, b.nthIndex(c.below(n)), decks)
		}
	}
	f.weight *= f.likelihood(m, given, c)
	return true
}

// draw draws the wounded ship and returns its index. All places of all ships afloat that cover the hit have the same
// probability.
func (w *wounds) draw(afloat *[longest + 1]int8, c *chance) (ship, decks int) {
	k := c.below(w.ways)
	for decks = 2; ; decks++ {
		places := w.places[decks].count()
		if n := int(afloat[decks]) * places; k >= n {
			k -= n
			continue
		}
		return w.places[decks].nthIndex(k % places), decks
	}
}

// likelihood returns the probability with which the rule places the fleet in one attempt. The order of equal ships is
// unknown. If the order of some equal ships is given, likelihood draws a new order, so that the mean is correct.
func (f *imagined) likelihood(m *imagination, given [longest + 1]int8, c *chance) float64 {
	r := m.rules
	likelihood := 1.0
	closed, ships := Cells{}, 0
	for decks := longest; decks >= 1; decks-- {
		equal := f.fleet[r.first[decks] : r.first[decks]+r.number[decks]]
		if given[decks] > 0 {
			for i := len(equal) - 1; i > 0; i-- {
				j := c.below(i + 1)
				equal[i], equal[j] = equal[j], equal[i]
			}
		}
		waters := m.waters.cellsFor(decks)
		for _, ship := range equal {
			places := 0
			switch ships {
			case 0:
				places = m.room.first
			case 1:
				places = int(m.room.second[f.fleet[0]])
			default:
				places = countOf(waters.andNot(closed), decks)
			}
			likelihood /= float64(places)
			closed = closed.or(r.closed[ship])
			ships++
		}
	}
	return likelihood
}
