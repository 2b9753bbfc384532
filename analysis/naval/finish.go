package naval

// The ways to finish a wounded ship of players who always do: for them at most one ship is wounded, and its hits are
// without a gap.

// nextOnLine returns the next cell of AsDescribed: the first that is unknown, in the order left, right, up, down, of
// the four sides of a single hit, or of the ends of a line of hits.
func (g *gunner) nextOnLine() Cell {
	first := g.wounded.first()
	last := first
	for rest := g.wounded; !rest.empty(); rest = rest.andNot(single(last)) {
		last = rest.first()
	}
	if first.Y() == last.Y() {
		if first.X() > 0 && g.unknown.has(first-1) {
			return first - 1
		}
		if last.X() < Side-1 && g.unknown.has(last+1) {
			return last + 1
		}
	}
	if first >= Side && g.unknown.has(first-Side) {
		return first - Side
	}
	return last + Side // else the ship would be sunk
}

// extensions returns the cells that touch the hits of the wounded ship on a side and that it may cover: some ship
// afloat has room on the hits and on them.
func (g *gunner) extensions() Cells {
	var s Cells
	for decks := 2; decks <= longest; decks++ {
		if g.afloat[decks] > 0 {
			s = s.or(g.possible(decks, board).cells())
		}
	}
	return s.and(g.unknown).and(g.wounded.neighbours())
}

// possible returns the places for ships of that length that agree with what is known: in the given waters, on cells
// that are unknown or hit, and if a ship is wounded, on all of its hits.
func (g *gunner) possible(decks int, open Cells) berths {
	b := berthsOf(g.unknown.or(g.wounded).and(open), decks)
	for rest := g.wounded; !rest.empty(); {
		hit := rest.first()
		rest = rest.andNot(single(hit))
		b = b.covering(hit)
	}
	return b
}
