package naval

// imagined is a fleet that agrees with all that a gunner knows, drawn in a way that is easy to draw, and its weight: how likely it is
// under the rule of a placement (but see supposed), against how likely it was to be drawn. Fleets so weighted stand for the exact distribution under the rule,
// given what is known; see docs/derivations/naval.md.
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

// imagine draws a fleet of a placement of the post. It reports whether it could: the easy way may end where a ship has no place.
func (g *gunner) imagine(f *imagined, p Placement, c *chance) bool {
	*f = imagined{weight: 1}
	for _, s := range g.sunk[:g.nSunk] {
		f.put(s)
	}
	w := p.supposed()
	afloat := g.afloat
	if !g.wounded.empty() {
		s, ok := g.imagineWounded(f, w, c)
		if !ok {
			return false
		}
		f.put(s)
		afloat[s.Decks]--
	}
	given := f.placed
	for decks := longest; decks >= 1; decks-- {
		for range afloat[decks] {
			b := berthsOf(g.unknown.and(w.of(decks)).andNot(f.closed), decks)
			n := b.count()
			if n == 0 {
				return false
			}
			f.weight *= float64(n)
			f.put(b.nth(c.below(n)))
		}
	}
	f.weight *= f.likelihood(w, given, c)
	return true
}

// supposed are the waters that Informed reckons with. The twelve cells of Random12 are unknown to it, and to draw them too would add more noise
// than knowledge: a fleet of Random12 is taken for one of Anywhere.
func (p Placement) supposed() waters {
	if p == Random12 {
		return waters{board, board}
	}
	return reserved(p.Region())
}

// imagineWounded draws the wounded ship, each place of each ship afloat that covers the hits with the same probability.
func (g *gunner) imagineWounded(f *imagined, w waters, c *chance) (Ship, bool) {
	var places [longest + 1]berths
	ways := 0
	for decks := 2; decks <= longest; decks++ {
		if g.afloat[decks] > 0 {
			places[decks] = g.possible(decks, w.large.andNot(f.closed))
			ways += int(g.afloat[decks]) * places[decks].count()
		}
	}
	if ways == 0 {
		return Ship{}, false
	}
	f.weight *= float64(ways)
	k := c.below(ways)
	for decks := 2; ; decks++ {
		n := int(g.afloat[decks]) * places[decks].count()
		if k < n {
			return places[decks].nth(k % places[decks].count()), true
		}
		k -= n
	}
}

// likelihood returns the probability with which the rule places the fleet in one attempt. Which of several equal ships came first is not
// known: where some were given, the order is drawn, so that the mean is right.
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
