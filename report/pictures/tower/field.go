package tower

import (
	"strconv"

	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// The classes of what stands on a field.
const (
	intact = 1 + iota
	damaged
	fallen
	entrance
)

// Field draws towers on a square field, whose upper left corner is where the soldiers come in: cells are numbered row
// by row, and each tower has the hits that it can still take, of full ones; at most 99.
func Field(name string, side int, cells []int, full int64, hits []int64) figure.Grid {
	g := figure.Grid{Name: name, Rows: side, Cols: side, Pieces: []figure.Piece{{Class: entrance}}}
	for i, cell := range cells {
		p := figure.Piece{Row: cell / side, Col: cell % side, Class: intact, Note: strconv.FormatInt(hits[i], 10)}
		switch {
		case hits[i] == 0:
			p.Class, p.Note = fallen, ""
		case hits[i] < full:
			p.Class = damaged
		}
		g.Pieces = append(g.Pieces, p)
	}
	return g
}

// Fields puts fields side by side.
func Fields(title string, fields ...figure.Grid) figure.Board {
	return figure.Board{
		Title: title, Grids: fields, Note: "hits that the tower can still take",
		Classes: []figure.Class{
			{Value: entrance, Label: "where the soldiers come in", Sign: "→", Swatch: figure.Blue},
			pictures.Intact.Class(intact, "tower not hit yet"),
			pictures.Damaged.Class(damaged, "damaged tower"),
			pictures.Fallen.Class(fallen, "destroyed tower"),
		},
	}
}
