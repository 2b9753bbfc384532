package naval

// tally counts, for all cells at once, in how many ships they lie: bit c of planes[k] is bit k of the count of cell c.
// The counts are at most 8 for the ship of four, 2*6 for those of three, 3*4 of two, 4 of one: 36.
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

// addShips adds n, 0..4, for each of the places to the counts of its cells.
func (t *tally) addShips(b berths, n int8) {
	t.addTimes(b.flat, n)
	t.addTimes(b.upright, n)
	for k := uint(1); k < uint(b.decks); k++ {
		t.addTimes(b.flat.up(k), n)
		t.addTimes(b.upright.up(k*Side), n)
	}
}

// at returns the count of a cell.
func (t *tally) at(c Cell) int {
	count := 0
	for k, plane := range t {
		if plane.has(c) {
			count += 1 << k
		}
	}
	return count
}

// ways counts in how many ways the ships afloat can lie on each cell.
func (g *gunner) ways() (t tally) {
	for decks := 1; decks <= longest; decks++ {
		if n := g.afloat[decks]; n > 0 {
			t.addShips(g.possible(decks, board), n)
		}
	}
	return t
}

// densest chooses the cell on which the most of the ships afloat can lie.
func (g *gunner) densest(c *chance) Cell {
	t := g.ways()
	best := t.most(g.unknown)
	if listed := best.and(g.list()); !listed.empty() {
		best = listed
	}
	return c.pick(best)
}
