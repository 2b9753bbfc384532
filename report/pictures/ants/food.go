package ants

import (
	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/figure"
)

// food is the class of food; armies have the numbers of their letters.
const food = '*'

// Food draws ants and the food among them.
func Food(name string, m game.Map, row, col int) figure.Grid {
	g := figure.Grid{Name: name, Rows: m.Rows, Cols: m.Cols, Pieces: []figure.Piece{{Row: row, Col: col, Class: food}}}
	for _, ant := range m.Ants() {
		g.Pieces = append(g.Pieces, figure.Piece{Row: ant.Row, Col: ant.Col, Class: int(ant.Owner)})
	}
	return g
}

// Births puts drawings of food side by side.
func Births(title string, grids ...figure.Grid) figure.Board {
	b := figure.Board{Title: title, Grids: grids, Classes: armies(grids)}
	for i, class := range b.Classes {
		if class.Value == food {
			b.Classes[i] = figure.Class{Value: food, Label: "food", Sign: string(food), Swatch: figure.Quiet}
		}
	}
	return b
}
