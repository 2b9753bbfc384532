package ants

import "fmt"

// ContestRadius2 is the square of the attack radius in the contest.
const ContestRadius2 = 5

// MaxCells is the most cells that a map may have, as many as 2048 x 2048. The largest of the contest had 200 x 200.
const MaxCells = 1 << 22

// World is where ants meet: the size of the map, what happens at its edges, and how far an attack reaches.
type World struct {
	Rows, Cols int  // at least 1 each, and at most MaxCells cells
	Bounded    bool // the map ends at its edges; else it is a torus, as in the contest
	// Radius2 is the square of the attack radius, at least 1. Two ants are in range of each other when dr² + dc² is not
	// larger. On a torus dr is the shorter way round: min(|Δrow|, Rows - |Δrow|), and dc likewise.
	Radius2 int64
}

// Validate returns an error unless the sizes and the radius are in their ranges.
func (w World) Validate() error {
	switch {
	case w.Rows < 1:
		return fmt.Errorf("rows = %d: a map must have cells, use 1 or more", w.Rows)
	case w.Cols < 1:
		return fmt.Errorf("columns = %d: a map must have cells, use 1 or more", w.Cols)
	case w.Cols > MaxCells/w.Rows:
		return fmt.Errorf("rows = %d, columns = %d: too large, use a map of at most %d cells", w.Rows, w.Cols, MaxCells)
	case w.Radius2 < 1:
		return fmt.Errorf("radius2 = %d: the square of the attack radius must be positive, use 1 or more", w.Radius2)
	}
	return nil
}

// Distance2 returns the squared distance of two cells of the map. It panics if the world is not valid, or has no such
// cells.
func (w World) Distance2(row1, col1, row2, col2 int) int64 {
	w.mustHave(row1, col1, row2, col2)
	return w.distance2(row1, col1, row2, col2)
}

func (w World) distance2(row1, col1, row2, col2 int) int64 {
	dr, dc := int64(w.gap(row1, row2, w.Rows)), int64(w.gap(col1, col2, w.Cols))
	return dr*dr + dc*dc // at most 2^45: a side is no longer than MaxCells
}

// gap is the distance of two coordinates along a side.
func (w World) gap(a, b, side int) int {
	gap := max(a-b, b-a)
	if w.Bounded {
		return gap
	}
	return min(gap, side-gap)
}

// Offset returns how many rows down and columns to the right lead from one cell of the map to another by the way that
// Distance2 measures: negative numbers lead up and left. Of two ways round a torus that are equally long it takes the
// one down, and to the right. It panics where Distance2 does.
func (w World) Offset(row1, col1, row2, col2 int) (down, right int) {
	w.mustHave(row1, col1, row2, col2)
	return w.way(row1, row2, w.Rows), w.way(col1, col2, w.Cols)
}

// way is the way from a to b along a side.
func (w World) way(a, b, side int) int {
	way := b - a
	switch {
	case w.Bounded:
		return way
	case way > side-way:
		return way - side
	case -way >= side+way:
		return way + side
	}
	return way
}

// farthest is the largest gap that a side has room for.
func (w World) farthest(side int) int {
	if w.Bounded {
		return side - 1
	}
	return side / 2
}

// interval is a run of rows or columns, both ends included; it is empty if first > last.
type interval struct{ first, last int }

func (i interval) has(x int) bool { return i.first <= x && x <= i.last }

// within returns the coordinates of a side whose gap to the centre is at most reach, each once, however small the
// torus: as one or two intervals, or one and an empty one.
func (w World) within(centre, reach, side int) [2]interval {
	none := interval{0, -1}
	first, last := centre-reach, centre+reach
	switch {
	case w.Bounded:
		return [2]interval{{max(first, 0), min(last, side-1)}, none}
	case last-first >= side-1:
		return [2]interval{{0, side - 1}, none}
	case first < 0:
		return [2]interval{{0, last}, {first + side, side - 1}}
	case last >= side:
		return [2]interval{{0, last - side}, {first, side - 1}}
	}
	return [2]interval{{first, last}, none}
}

// disc is the shape of the neighbourhood of a cell.
type disc struct {
	half  []int // half[dr] is the largest gap of columns in range at a gap of dr rows; it falls with dr
	cells int   // how many cells a neighbourhood has at most, the centre included
}

// newDisc cuts the disc down to the gaps that the map has room for.
func newDisc(w World) disc {
	var d disc
	half := w.farthest(w.Cols)
	for dr := 0; dr <= w.farthest(w.Rows) && int64(dr)*int64(dr) <= w.Radius2; dr++ {
		for int64(dr)*int64(dr)+int64(half)*int64(half) > w.Radius2 {
			half--
		}
		d.half = append(d.half, half)
		width := min(2*half+1, w.Cols)
		d.cells += width
		if dr > 0 {
			d.cells += width
		}
	}
	d.cells = min(d.cells, w.Rows*w.Cols)
	return d
}

// reach is the largest gap of rows in range.
func (d disc) reach() int { return len(d.half) - 1 }

// steps returns the differences in cell number between a cell and those in range of it, itself apart. They hold where
// the disc does not cross an edge of the map.
func (d disc) steps(cols int) []int32 {
	steps := make([]int32, 0, d.cells)
	for dr := -d.reach(); dr <= d.reach(); dr++ {
		half := d.half[max(dr, -dr)]
		for dc := -half; dc <= half; dc++ {
			if step := dr*cols + dc; dr != 0 || dc != 0 {
				steps = append(steps, int32(step)) // |step| < cells of the map, see Validate
			}
		}
	}
	return steps
}

// Values that are not valid get no answer. A method that has an error returns one that names the value and the rule;
// any other calls one of the functions below, which panic with such a line.

// mustHave panics if the world is invalid or lacks one of the cells.
func (w World) mustHave(row1, col1, row2, col2 int) {
	refuse(w.Validate())
	if min(row1, row2, col1, col2) < 0 || max(row1, row2) >= w.Rows || max(col1, col2) >= w.Cols {
		refuse(fmt.Errorf("cells (%d, %d) and (%d, %d): off the map, use rows 0 to %d and columns 0 to %d",
			row1, col1, row2, col2, w.Rows-1, w.Cols-1))
	}
}

// must panics unless the map has a sign for each of its cells.
func (m Map) must() { refuse(m.validate()) }

func (m Map) validate() error {
	if m.Rows < 0 || m.Cols < 0 || m.Rows > MaxCells || m.Cols > MaxCells || m.Rows*m.Cols != len(m.cells) {
		return fmt.Errorf("map of %d x %d cells: it has %d, take a map that ReadMap returns as it is",
			m.Rows, m.Cols, len(m.cells))
	}
	return nil
}

// refuse panics with an error, if there is one.
func refuse(err error) {
	if err != nil {
		panic("ants: " + err.Error())
	}
}
