package ants

import (
	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/figure"
)

// Part draws a battle of which only a part is looked at. The ants that are shown have the counts and deaths of the
// whole, and the kills between them; the other cells are shaded.
func Part(name string, m game.Map, outcome game.Outcome, shown func(row, col int) bool) figure.Grid {
	whole := Grid(name, m, outcome, Kills)
	g := figure.Grid{Name: name, Rows: m.Rows, Cols: m.Cols}
	number := map[int]int{} // of the pieces that are shown, by their numbers in the whole
	for i, p := range whole.Pieces {
		if shown(p.Row, p.Col) {
			number[i] = len(g.Pieces)
			g.Pieces = append(g.Pieces, p)
		}
	}
	for _, arrow := range whole.Arrows {
		from, killer := number[arrow[0]]
		to, victim := number[arrow[1]]
		if killer && victim {
			g.Arrows = append(g.Arrows, [2]int{from, to})
		}
	}
	for row := range m.Rows {
		for col := range m.Cols {
			if !shown(row, col) {
				g.Shaded = append(g.Shaded, [2]int{row, col})
			}
		}
	}
	return g
}

// Parts puts parts of battles side by side.
func Parts(title string, parts ...figure.Grid) figure.Board {
	b := Board(title, parts...)
	b.Shade = "not looked at"
	return b
}
