package ants

import (
	"iter"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/notebooks/show"
)

// Positions yields every position of two armies in a small box as a text map. Positions that differ in the names of the
// armies only come once: the first ant is of A. It ends the cell if there are more than 16 cells.
func Positions(rows, cols int) iter.Seq[string] {
	const most = 16
	if rows < 1 || cols < 1 || rows > most || cols > most || rows*cols > most {
		show.Fail("a box of %d x %d cells: use 1 to %d cells", rows, cols, most)
	}
	box := game.Box{Rows: rows, Cols: cols, Owners: 2, Radius2: game.ContestRadius2}
	return func(yield func(string) bool) {
		for m := range box.Maps() {
			if !yield(m.String()) {
				return
			}
		}
	}
}
