package naval

// imagined is a fleet that agrees with all that a gunner knows, drawn in a way that is easy to draw, and its weight:
// how likely it is under the rule of a placement (but see supposed), against how likely it was to be drawn. Fleets so
// weighted stand for the exact distribution under the rule, given what is known; see docs/derivations/naval.md.
type imagined struct {
	fleet  Fleet // by decks like any other, equal ships in any order
	placed [longest + 1]int8
	cells  Cells
	closed Cells
	weight float64
}

// firstOf is where the ships of a length begin in a fleet.
var firstOf = [longest + 1]int8{4: 0, 3: 1, 2: 3, 1: 6}

// put adds a ship.
func (f *imagined) put(s Ship) {
	f.fleet[firstOf[s.Decks]+f.placed[s.Decks]] = s
	f.placed[s.Decks]++
	f.cells, f.closed = f.cells.or(s.Cells()), f.closed.or(s.Zone())
}

// imagination draws fleets of one placement before one shot.
type imagination struct {
	waters  waters
	unknown Cells
	afloat  [longest + 1]int8
	sunk    imagined // the ships sunk
	wounded [longest + 1]berths
	ways    int // in which a ship afloat can be the wounded one; -1 if none is
}

// supposed are the waters that Informed reckons with. The twelve cells of Random12 are unknown to it, and to draw them
// too would add more noise than knowledge: a fleet of Random12 is taken for one of Anywhere.
func (p Placement) supposed() waters {
	if p == Random12 {
		return waters{board, board}
	}
	return reserved(p.Region())
}

// imagine prepares to draw fleets of a placement of the post.
func (g *gunner) imagine(p Placement) imagination {
	m := imagination{waters: p.supposed(), unknown: g.unknown, afloat: g.afloat, sunk: imagined{weight: 1}, ways: -1}
	for _, s := range g.sunk[:g.nSunk] {
		m.sunk.put(s)
	}
	if g.wounded.empty() {
		return m
	}
	m.ways = 0
	for decks := 2; decks <= longest; decks++ {
		if g.afloat[decks] > 0 {
			m.wounded[decks] = g.possible(decks, m.waters.large.andNot(m.sunk.closed))
			m.ways += int(g.afloat[decks]) * m.wounded[decks].count()
		}
	}
	return m
}

// draw draws a fleet. It reports whether it could: the easy way may end where a ship has no place.
func (m *imagination) draw(f *imagined, c *chance) bool {
	*f = m.sunk
	afloat := m.afloat
	if m.ways == 0 {
		return false
	}
	if m.ways > 0 {
		s := m.drawWounded(c)
		f.weight *= float64(m.ways)
		f.put(s)
		afloat[s.Decks]--
	}
	given := f.placed
	for decks := longest; decks >= 1; decks-- {
		for range afloat[decks] {
			b := berthsOf(m.unknown.and(m.waters.of(decks)).andNot(f.closed), decks)
			n := b.count()
			if n == 0 {
				return false
			}
			f.weight *= float64(n)
			f.put(b.nth(c.below(n)))
		}
	}
	f.weight *= f.likelihood(m.waters, given, c)
	return true
}

// drawWounded draws the wounded ship, each place of each ship afloat that covers the hits with the same probability.
func (m *imagination) drawWounded(c *chance) Ship {
	k := c.below(m.ways)
	for decks := 2; ; decks++ {
		places := m.wounded[decks].count()
		if n := int(m.afloat[decks]) * places; k >= n {
			k -= n
			continue
		}
		return m.wounded[decks].nth(k % places)
	}
}

// likelihood returns the probability with which the rule places the fleet in one attempt. The order of equal ships is
// unknown. If some were given, the order is drawn, so that the mean is right.
func (f *imagined) likelihood(w waters, given [longest + 1]int8, c *chance) float64 {
	likelihood := 1.0
	closed := Cells{}
	for decks := longest; decks >= 1; decks-- {
		equal := f.fleet[firstOf[decks] : firstOf[decks]+numberOf[decks]]
		if given[decks] > 0 {
			for i := len(equal) - 1; i > 0; i-- {
				j := c.below(i + 1)
				equal[i], equal[j] = equal[j], equal[i]
			}
		}
		for _, s := range equal {
			likelihood /= float64(berthsOf(w.of(decks).andNot(closed), decks).count())
			closed = closed.or(s.Zone())
		}
	}
	return likelihood
}
