package naval

// Fleet is ten ships, in the order of [Lengths], of which no two touch, not even at corners.
type Fleet [Ships]Ship

// Cells returns the cells of all ships.
func (f *Fleet) Cells() Cells {
	var s Cells
	for _, ship := range f {
		s = s.or(ship.Cells())
	}
	return s
}

// place fills in a random fleet: ships in the order of Lengths, each uniformly among the places left to it, from the start again if there is
// none. A ship's places are numbered by first cell, all that go right before all upright ones.
func (f *Fleet) place(p Placement, c *chance) {
	for !f.tryPlace(p, c) {
	}
}

func (f *Fleet) tryPlace(p Placement, c *chance) bool {
	small, large := p.open(c)
	closed := Cells{}
	for i := range f {
		decks := Lengths[i]
		open := large
		if decks == 1 {
			open = small
		}
		flat, upright := berths(open.andNot(closed), decks)
		n := flat.Count()
		all := n + upright.Count()
		if all == 0 {
			return false
		}
		ship := Ship{Decks: int8(decks)}
		if k := c.below(all); k < n {
			ship.First = flat.nth(k)
		} else {
			ship.First, ship.Upright = upright.nth(k-n), true
		}
		f[i] = ship
		closed = closed.or(ship.Zone())
	}
	return true
}
