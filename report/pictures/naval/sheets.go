package naval

import (
	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Layer is a kind of cells of a sheet.
type Layer struct {
	Label string
	Look  pictures.Look
}

// Sheet is a small board: for each layer, the cells that are of this kind. Where layers overlap, the last one shows.
type Sheet struct {
	Name  string
	Cells [][]game.Cell
}

// Sheets puts small boards side by side, all with the same layers.
func Sheets(title string, layers []Layer, sheets ...Sheet) figure.Masks {
	m := figure.Masks{Title: title, Cols: game.Side, Rows: game.Side}
	for i, layer := range layers {
		m.Classes = append(m.Classes, layer.Look.Class(i+1, layer.Label))
	}
	for _, sheet := range sheets {
		mask := figure.Mask{Name: sheet.Name, Cells: make([]int, game.Side*game.Side)}
		for i, cells := range sheet.Cells {
			for _, c := range cells {
				mask.Cells[c] = i + 1
			}
		}
		m.Panels = append(m.Panels, mask)
	}
	return m
}
