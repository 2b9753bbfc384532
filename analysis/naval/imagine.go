package naval

// imagined is a fleet that agrees with all that a gunner knows, drawn in a way that is easy to draw, and its weight:
// how likely it is under the rule of a placement (but see supposed), against how likely it was to be drawn. Fleets so
// weighted stand for the exact distribution under the rule, given what is known; see docs/derivations/naval.md.
type imagined struct {
	fleet  [mostShips]uint16 // the indices of the ships, by decks like in any fleet, equal ships in any order
	placed [longest + 1]int8
	cells  Cells
	closed Cells
	weight float64
}

// put adds the ship with an index, of so many decks.
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
	hits    Cells // on ships afloat
	afloat  [longest + 1]int8
	sunk    imagined // the ships sunk
	wounded wounds   // of the first of the hits
	room    *room    // that the rule has for its first two ships
}

// room is how many places the rule has for the first ship of a fleet, and for the second after each first one.
type room struct {
	first  int
	second [noShip]uint8
}

// roomIn returns the room in the waters.
func (r *rules) roomIn(w waters) (found room) {
	decks, next := r.lengths[0], r.lengths[1]
	firsts := berthsOf(w.of(decks), decks)
	found.first = firsts.count()
	for k := range found.first {
		ship := firsts.nthIndex(k)
		found.second[ship] = uint8(countOf(w.of(next).andNot(r.closed[ship]), next))
	}
	return found
}

// wounds are the ways in which a hit can be one on a ship afloat.
type wounds struct {
	places [longest + 1]berths // by length
	ways   int                 // for all ships afloat
}

// supposed are the waters that Informed reckons with. The twelve cells of Random12 are unknown to it, and to draw them
// too would add more noise than knowledge: a fleet of Random12 is taken for one of Anywhere.
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

// woundedAt returns in which ways the first of the hits that no ship of a fleet covers can be one on a ship afloat: on
// all hits that are left, or where ships may touch, on some.
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

// draw draws a fleet. It reports whether it could: the easy way may end where a ship has no place.
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
			b := berthsOf(m.unknown.and(m.waters.of(decks)).andNot(f.closed), decks)
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

// draw draws the wounded ship and returns its index, each place of each ship afloat that covers the hit with the same
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
// unknown. If some were given, the order is drawn, so that the mean is right.
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
		waters := m.waters.of(decks)
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
