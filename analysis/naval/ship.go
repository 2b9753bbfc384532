package naval

import (
	"slices"
)

// Ship is one ship on the board: its first cell, from which it goes right, or down if it is upright. The zero value,
// with no decks, is no ship: it has no cells.
type Ship struct {
	First   Cell `json:"first"`
	Decks   int8 `json:"decks"`
	Upright bool `json:"upright"` // a ship of one deck never is
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

// form is a set of cells (column, row) that lies on a board as a whole, turned and reflected in any way.
type form [][2]int

// line is the form of a ship.
func line(decks int) form { return block(decks, 1) }

// block is the form of a rectangle.
func block(wide, high int) form {
	var f form
	for i := range wide * high {
		f = append(f, [2]int{i % wide, i / wide})
	}
	return f
}

// shape is a form that lies on the board in one way, seen from its first cell in the order of rows.
type shape struct {
	high  int           // rows
	left  int           // column of the first of open
	open  []int         // for each of its columns: for how many rows from the next one on it may be closed
	close []shapeColumn // that are closed to other ships then
}

type shapeColumn struct{ column, rows int }

// shapes returns the ways in which the form can lie. Ships may touch it or not.
func (f form) shapes(touch bool) (list []shape) {
	var seen [][][2]int
	for turn := range 8 {
		var cells [][2]int
		for _, c := range f {
			x, y := c[0], c[1]
			if turn&1 != 0 {
				x, y = y, x
			}
			if turn&2 != 0 {
				x = -x
			}
			if turn&4 != 0 {
				y = -y
			}
			cells = append(cells, [2]int{y, x})
		}
		slices.SortFunc(cells, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		first := cells[0]
		for i := range cells {
			cells[i] = [2]int{cells[i][0] - first[0], cells[i][1] - first[1]}
		}
		if !slices.ContainsFunc(seen, func(old [][2]int) bool { return slices.Equal(old, cells) }) {
			seen = append(seen, cells)
			list = append(list, shapeOf(cells, touch))
		}
	}
	return list
}

// shapeOf returns the shape of cells (row, column) in the order of rows, of which the first is (0, 0). Columns before
// that are a row further already.
func shapeOf(cells [][2]int, touch bool) (s shape) {
	top, bottom := map[int]int{}, map[int]int{}
	last := 0
	for _, c := range cells {
		y, x := c[0], c[1]
		if _, ok := top[x]; !ok {
			top[x] = y
		}
		bottom[x] = y
		s.high, s.left, last = max(s.high, y+1), min(s.left, x), max(last, x)
	}
	next := func(x int) int { // the row that comes next
		if x < 0 {
			return 1
		}
		return 0
	}
	for x := s.left; x <= last; x++ {
		s.open = append(s.open, top[x]-next(x))
	}
	away := 1 // cells around it that are closed
	if touch {
		away = 0
	}
	for x := s.left - away; x <= last+away; x++ {
		down := 0
		for side := x - away; side <= x+away; side++ {
			if y, ok := bottom[side]; ok {
				down = max(down, y+1+away)
			}
		}
		s.close = append(s.close, shapeColumn{x, down - next(x)})
	}
	return s
}

// fits reports whether the shape has room with its first cell in column x.
func (s *shape) fits(p profile, x, columns int) bool {
	if x+s.left < 0 || x+s.left+len(s.open) > columns {
		return false
	}
	for i, rows := range s.open {
		if p.closed(x+s.left+i) > rows {
			return false
		}
	}
	return true
}

// put closes what the shape closes, and goes on to the next cell.
func (s *shape) put(p profile, x, columns int) profile {
	for _, c := range s.close {
		if at := x + c.column; at >= 0 && at < columns {
			p = p.close(at, c.rows)
		}
	}
	return advance(p, x)
}
