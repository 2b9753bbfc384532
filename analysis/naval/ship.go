package naval

// Ship is one ship on the board: its first cell, from which it goes right, or down if it is upright. The zero value,
// with no decks, is no ship: it has no cells.
type Ship struct {
	First   Cell
	Decks   int8
	Upright bool // a ship of one deck never is
}

// Cells returns the cells of the ship; none if it leaves the board or has not 1 to 5 decks.
func (s Ship) Cells() Cells { return hulls[s.index()] }

// Zone returns the ship's cells and all that touch it, corners included; none if Cells returns none.
func (s Ship) Zone() Cells { return zones[s.index()] }

// noShip is the index of what is none.
const noShip = longest * 2 * boardCells

// index numbers the ships: 200 a length, those that go right before the upright ones.
func (s Ship) index() int {
	if s.Decks < 1 || s.Decks > longest || s.First >= boardCells {
		return noShip
	}
	i := (int(s.Decks)-1)*2*boardCells + int(s.First)
	if s.Upright {
		i += boardCells
	}
	return i
}

// hulls and zones are the cells of every ship and the cells that it closes to others, by index; empty for what sticks
// out or is no ship.
var hulls, zones = func() (hulls, zones [noShip + 1]Cells) {
	for i := range noShip {
		s := shipOf(i)
		hulls[i] = cellsWhere(s.covers)
		if hulls[i].Count() < int(s.Decks) {
			hulls[i] = Cells{}
			continue
		}
		wide := hulls[i].or(hulls[i].andNot(lastColumn).up(1)).or(hulls[i].andNot(firstColumn).down(1))
		zones[i] = wide.or(wide.up(Side)).or(wide.down(Side)).and(board)
	}
	return hulls, zones
}()

func shipOf(index int) Ship {
	return Ship{Cell(index % boardCells), int8(index/(2*boardCells)) + 1, index/boardCells%2 == 1}
}

// covers reports whether the ship lies on column x, row y.
func (s Ship) covers(x, y int) bool {
	along, across := x-s.First.X(), y-s.First.Y()
	if s.Upright {
		along, across = across, along
	}
	return across == 0 && 0 <= along && along < int(s.Decks)
}

// Fleet is ten ships, of 4, 3, 3, 2, 2, 2, 1, 1, 1 and 1 decks in this order, of which no two touch, not even at
// corners. A fleet of fewer ships, under other rules, ends with zero values.
type Fleet [mostShips]Ship

// Cells returns the cells of all ships.
func (f *Fleet) Cells() Cells {
	var s Cells
	for _, ship := range f {
		s = s.or(ship.Cells())
	}
	return s
}

// place fills in a random fleet: ships in their order, each uniformly among the places left to it, from the start again
// if there is none. A ship's places are numbered by first cell, all that go right before all upright ones. The ships of
// [Uniform] do not look where others lie, and all begin again when two touch: so each fleet has the same probability.
func (f *Fleet) place(r *rules, p Placement, c *chance) {
	for !f.tryPlace(r, p, c) {
	}
}

// tryPlace reports whether each ship found a place.
func (f *Fleet) tryPlace(r *rules, p Placement, c *chance) bool {
	w := p.waters(c)
	closed := Cells{}
	for i, decks := range r.lengths {
		free := w.of(decks)
		if p != Uniform {
			free = free.andNot(closed)
		}
		b := berthsOf(free, decks)
		n := b.count()
		if n == 0 {
			return false
		}
		f[i] = b.nth(c.below(n))
		ship := f[i].index()
		if p == Uniform && !hulls[ship].and(closed).empty() {
			return false
		}
		closed = closed.or(r.closed[ship])
	}
	return true
}
