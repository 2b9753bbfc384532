package naval

import (
	"slices"
)

// Ship is a ship on the board: from its first cell it extends to the right, or down if it is upright. The zero value
// has no decks and no cells, and is not a ship.
type Ship struct {
	First   Cell `json:"first"`
	Decks   int8 `json:"decks"`
	Upright bool `json:"upright"` // always false for one deck
}

// Cells returns the cells of the ship, or the empty set if the ship is not completely on the board or does not have 1
// to 5 decks.
func (s Ship) Cells() Cells { return hulls[s.index()] }

// Zone returns the ship's cells and all cells that touch it, including at corners, or the empty set if Cells returns
// the empty set.
func (s Ship) Zone() Cells { return zones[s.index()] }

// noShip is the index of an invalid ship.
const noShip = longest * 2 * boardCells

// index returns the ship's number: 200 numbers for each length, first the horizontal ships, then the upright ones.
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

// hulls and zones hold, by index, the cells of every ship, and the cells that it closes to other ships. They are
// empty for an index without a ship on the board.
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

// covers reports whether the ship covers column x, row y.
func (s Ship) covers(x, y int) bool {
	along, across := x-s.First.X(), y-s.First.Y()
	if s.Upright {
		along, across = across, along
	}
	return across == 0 && 0 <= along && along < int(s.Decks)
}

// Fleet is ten ships, of 4, 3, 3, 2, 2, 2, 1, 1, 1 and 1 decks in this order. No two touch, not even at corners. Under
// other rules a fleet may have fewer ships, and then ends with zero values.
type Fleet [mostShips]Ship

// Cells returns the cells of all ships.
func (f *Fleet) Cells() Cells {
	var s Cells
	for _, ship := range f {
		s = s.or(ship.Cells())
	}
	return s
}

// place draws a random fleet. It places the ships in order, each uniformly among the places left, and starts again if
// no place is left. A ship's places are numbered by first cell, the horizontal ones before the upright ones. The ships
// of [Uniform] ignore each other, and all are placed again if two touch, so all fleets have the same probability.
func (f *Fleet) place(r *rules, p Placement, c *chance) {
	for !f.tryPlace(r, p, c) {
	}
}

// tryPlace places the fleet in one attempt, and reports whether each ship found a place.
func (f *Fleet) tryPlace(r *rules, p Placement, c *chance) bool {
	w := p.waters(c)
	closed := Cells{}
	for i, decks := range r.lengths {
		free := w.cellsFor(decks)
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

// form is a set of cells (column, row) that is placed on a board as a unit, rotated and reflected in any way.
type form [][2]int

// line returns the form of a ship.
func line(decks int) form { return block(decks, 1) }

// block returns the form of a rectangle.
func block(wide, high int) form {
	var f form
	for i := range wide * high {
		f = append(f, [2]int{i % wide, i / wide})
	}
	return f
}

// shape is a form in one orientation, relative to its first cell in row order.
type shape struct {
	high  int           // number of rows
	left  int           // column of the first element of open
	open  []int         // by column: for how many rows, starting with the next row, the column may be closed
	close []shapeColumn // the columns that the shape then closes to other ships
}

type shapeColumn struct{ column, rows int }

// shapes returns the orientations of the form. touch reports whether ships may touch each other.
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
		cells = fromFirst(cells)
		if !slices.ContainsFunc(seen, func(old [][2]int) bool { return slices.Equal(old, cells) }) {
			seen = append(seen, cells)
			list = append(list, shapeOf(cells, touch))
		}
	}
	return list
}

// fromFirst returns the cells (row, column) in row order, relative to the first of them.
func fromFirst(cells [][2]int) [][2]int {
	slices.SortFunc(cells, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	first := cells[0]
	for i := range cells {
		cells[i] = [2]int{cells[i][0] - first[0], cells[i][1] - first[1]}
	}
	return cells
}

// levelled returns the cells of a shape upside down if some column of it begins further down than others. If ships may
// touch, a ship may fill the corner above a column on the right, which a profile cannot hold. The board is its own
// mirror image, so the number of fleets with a shape equals the number with the shape upside down. Columns on the left
// are treated in the same way, because [partial.folded] needs the mirror image of each shape.
func levelled(cells [][2]int) [][2]int {
	top := map[int]int{}
	for _, c := range slices.Backward(cells) {
		top[c[1]] = c[0]
	}
	for _, y := range top {
		if y > 0 {
			var over [][2]int
			for _, c := range cells {
				over = append(over, [2]int{-c[0], c[1]})
			}
			return fromFirst(over)
		}
	}
	return cells
}

// shapeOf returns the shape of cells (row, column) in row order, the first of which is (0, 0). In the profile,
// columns to the left of that cell are already one row further.
func shapeOf(cells [][2]int, touch bool) (s shape) {
	if touch {
		cells = levelled(cells)
	}
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
	next := func(x int) int { // returns the next row of column x in the profile
		if x < 0 {
			return 1
		}
		return 0
	}
	for x := s.left; x <= last; x++ {
		s.open = append(s.open, top[x]-next(x))
	}
	away := 1 // how far around it cells are closed
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

// fits reports whether the shape fits with its first cell in column x.
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

// put closes the columns that the shape closes, and advances to the next cell.
func (s *shape) put(p profile, x, columns int) profile {
	for _, c := range s.close {
		if at := x + c.column; at >= 0 && at < columns {
			p = p.close(at, c.rows)
		}
	}
	return advance(p, x)
}
