package ants

import (
	"iter"
	"strings"

	"github.com/siegebook/siegebook/notebooks/show"
)

// Positions yields every position of two armies in a small box as a text map. Positions that differ in the names of the armies only
// come once: the first ant is of A. It ends the cell if there are more than 16 cells.
func Positions(rows, cols int) iter.Seq[string] {
	const most = 16
	if rows < 1 || cols < 1 || rows > most || cols > most || rows*cols > most {
		show.Fail("a box of %d x %d cells: use 1 to %d cells", rows, cols, most)
	}
	return func(yield func(string) bool) {
		signs := make([]byte, rows*cols)
		fill(signs, 0, true, func() bool {
			lines := make([]string, rows)
			for row := range lines {
				lines[row] = string(signs[row*cols : (row+1)*cols])
			}
			return yield(strings.Join(lines, "\n"))
		})
	}
}

// fill tries everything in the cells from this one on and reports whether to go on.
func fill(signs []byte, cell int, empty bool, yield func() bool) bool {
	if cell == len(signs) {
		return yield()
	}
	for _, sign := range []byte(".AB") {
		if sign == 'B' && empty {
			continue
		}
		signs[cell] = sign
		if !fill(signs, cell+1, empty && sign == '.', yield) {
			return false
		}
	}
	return true
}
