package ants

import (
	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/ants/post"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
)

// grid draws a fight.
func (f fight) grid(name string, detail pictures.Detail) figure.Grid {
	return pictures.Grid(name, f.m, f.outcome, detail)
}

// rangeBoard draws the cells in range of an ant, and the squared distances as the post prints them.
func rangeBoard() (figure.Board, int) {
	cells, _ := post.RangePicture()
	m, err := game.ParseMap(cells)
	if err != nil {
		panic("ants: " + err.Error())
	}
	world := m.World(game.ContestRadius2, true)
	b := pictures.Range(m.Rows, func(from, to game.Ant) bool {
		return world.Distance2(from.Row, from.Col, to.Row, to.Col) <= world.Radius2
	})
	return b, len(b.Grids[0].Shaded)
}
