package naval

// Fleet is ten ships, of 4, 3, 3, 2, 2, 2, 1, 1, 1 and 1 decks in this order, of which no two touch, not even at
// corners.
type Fleet [ships]Ship

// Cells returns the cells of all ships.
func (f *Fleet) Cells() Cells {
	var s Cells
	for _, ship := range f {
		s = s.or(ship.Cells())
	}
	return s
}

// place fills in a random fleet: ships in their order, each uniformly among the places left to it, from the start again
// if there is none. A ship's places are numbered by first cell, all that go right before all upright ones.
func (f *Fleet) place(p Placement, c *chance) {
	for !f.tryPlace(p, c) {
	}
}

// tryPlace reports whether each ship found a place.
func (f *Fleet) tryPlace(p Placement, c *chance) bool {
	w := p.waters(c)
	closed := Cells{}
	for i := range f {
		b := berthsOf(w.of(lengths[i]).andNot(closed), lengths[i])
		n := b.count()
		if n == 0 {
			return false
		}
		f[i] = b.nth(c.below(n))
		closed = closed.or(f[i].Zone())
	}
	return true
}
