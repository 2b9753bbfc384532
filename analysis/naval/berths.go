package naval

// berths are places for ships of one length, by first cell: those that go right, and the upright ones.
type berths struct {
	flat, upright Cells
	decks         int8
}

// room[decks] are the first cells of the ships that go right and do not leave the board.
var room = func() (room [longest + 1]Cells) {
	for decks := 1; decks <= longest; decks++ {
		room[decks] = cellsWhere(func(x, _ int) bool { return x+decks <= Side })
	}
	return room
}()

// berthsOf returns all places on free cells, for a ship of 1..4 decks.
func berthsOf(free Cells, decks int) berths {
	b := berths{decks: int8(decks)}
	switch decks {
	case 1:
		b.flat = free
		return b
	case 2:
		b.flat, b.upright = free.and(free.down(1)), free.and(free.down(Side))
	case 3:
		b.flat = free.and(free.down(1)).and(free.down(2))
		b.upright = free.and(free.down(Side)).and(free.down(2 * Side))
	default:
		b.flat, b.upright = free.and(free.down(1)), free.and(free.down(Side))
		b.flat, b.upright = b.flat.and(b.flat.down(2)), b.upright.and(b.upright.down(2*Side))
	}
	b.flat = b.flat.and(room[decks])
	return b
}

func (b berths) count() int { return b.flat.Count() + b.upright.Count() }

// nth returns the ship in place k, 0 <= k < count.
func (b berths) nth(k int) Ship {
	if n := b.flat.Count(); k >= n {
		return Ship{b.upright.nth(k - n), b.decks, true}
	}
	return Ship{b.flat.nth(k), b.decks, false}
}

// covering keeps the places that cover a cell.
func (b berths) covering(c Cell) berths {
	flat := single(c)
	upright := flat
	for k := uint(1); k < uint(b.decks); k++ {
		flat, upright = flat.or(single(c).down(k)), upright.or(single(c).down(k*Side))
	}
	return berths{b.flat.and(flat), b.upright.and(upright), b.decks}
}

// cells returns the cells that ships in these places cover.
func (b berths) cells() Cells {
	s := b.flat.or(b.upright)
	for k := uint(1); k < uint(b.decks); k++ {
		s = s.or(b.flat.up(k)).or(b.upright.up(k * Side))
	}
	return s
}
