package naval

// tally counts, for all cells at once, in how many ships they lie: bit c of planes[k] is bit k of the count of cell c. The counts are at most
// 8 for the ship of four, 2*6 for those of three, 3*4 of two, 4 of one: 36.
type tally [6]Cells

// add adds 1<<k to the count of the cells of s.
func (t *tally) add(s Cells, k int) {
	for ; k < len(t) && !s.empty(); k++ {
		t[k], s = t[k].xor(s), t[k].and(s)
	}
}

// addTimes adds n, 0..4, to the count of the cells of s.
func (t *tally) addTimes(s Cells, n int8) {
	switch n {
	case 1:
		t.add(s, 0)
	case 2:
		t.add(s, 1)
	case 3:
		t.add(s, 0)
		t.add(s, 1)
	case 4:
		t.add(s, 2)
	}
}

// most returns the cells of a set with the greatest count.
func (t *tally) most(s Cells) Cells {
	for k := len(t) - 1; k >= 0; k-- {
		if more := s.and(t[k]); !more.empty() {
			s = more
		}
	}
	return s
}

// densest chooses the cell on which the most of the ships afloat can lie.
func (g *gunner) densest(c *chance) Cell {
	var t tally
	for decks := 1; decks <= longest; decks++ {
		n := g.afloat[decks]
		if n == 0 {
			continue
		}
		flat, upright := g.possible(decks, board)
		for k := range uint(decks) {
			if k == 0 {
				t.addTimes(flat, n)
				t.addTimes(upright, n)
				continue
			}
			t.addTimes(flat.up(k), n)
			t.addTimes(upright.up(k*Side), n)
		}
	}
	best := t.most(g.unknown)
	if listed := best.and(lists[g.strategy.Moves]); !listed.empty() {
		best = listed
	}
	return c.pick(best)
}

// possible returns the first cells of the ships of that length that agree with what is known: they lie on cells that are unknown or
// hit, and if a ship is wounded they cover all of its hits.
func (g *gunner) possible(decks int, open Cells) (flat, upright Cells) {
	flat, upright = berths(g.unknown.or(g.wounded).and(open), decks)
	for hit := range g.wounded.All() {
		s := single(hit)
		alongX, alongY := s, s
		for k := uint(1); k < uint(decks); k++ {
			alongX, alongY = alongX.or(s.down(k)), alongY.or(s.down(k*Side))
		}
		flat, upright = flat.and(alongX), upright.and(alongY)
	}
	return flat, upright
}
