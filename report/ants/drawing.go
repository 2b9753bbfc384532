package ants

import (
	"slices"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/ants/post"
	"github.com/siegebook/siegebook/report/figure"
)

// look is what of a fight is drawn.
type look struct{ counts, deaths, kills bool }

var (
	position = look{}
	counted  = look{counts: true}
	resolved = look{counts: true, deaths: true}
	arrowed  = look{counts: true, deaths: true, kills: true}
)

// grid draws a fight.
func (f fight) grid(name string, l look) figure.Grid {
	g := figure.Grid{Name: name, Rows: f.m.Rows, Cols: f.m.Cols}
	for i, ant := range f.army {
		p := figure.Piece{Row: ant.Row, Col: ant.Col, Class: int(ant.Owner), Marked: l.deaths && f.dead[i]}
		if l.counts {
			p.Note = strconv.Itoa(f.enemies[i])
		}
		g.Pieces = append(g.Pieces, p)
	}
	if l.kills {
		for _, kill := range f.kills {
			g.Arrows = append(g.Arrows, [2]int{kill.Killer, kill.Victim})
		}
	}
	return g
}

// board puts fights side by side.
func board(title string, grids ...figure.Grid) figure.Board {
	return figure.Board{
		Title: title, Grids: grids, Classes: armies(grids),
		Note: "enemies in range", Mark: "dies", Arrow: "kills",
	}
}

// swatches are the looks of the armies; Sid and Sam are blue in the post, and Kent and Kite red.
var swatches = map[rune]figure.Swatch{'A': figure.Blue, 'B': figure.Orange, 'C': figure.Green, 'S': figure.Sky, 'K': figure.Vermilion}

// armies are the classes of the owners in grids, in the order of their letters.
func armies(grids []figure.Grid) []figure.Class {
	var owners []int
	for _, g := range grids {
		for _, p := range g.Pieces {
			if p.Class != 0 && !slices.Contains(owners, p.Class) {
				owners = append(owners, p.Class)
			}
		}
	}
	slices.Sort(owners)
	classes := make([]figure.Class, len(owners))
	for i, owner := range owners {
		classes[i] = figure.Class{Value: owner, Label: "ant of " + string(rune(owner)), Sign: string(rune(owner)), Swatch: swatches[rune(owner)]}
	}
	return classes
}

// rangeBoard draws the cells in range of an ant, and the squared distances as the post prints them.
func rangeBoard() (figure.Board, int) {
	cells, _ := post.RangePicture()
	m, err := game.ParseMap(cells)
	if err != nil {
		panic("ants: " + err.Error())
	}
	world := m.World(game.ContestRadius2, true)
	middle := m.Rows / 2
	g := figure.Grid{Rows: m.Rows, Cols: m.Cols, Pieces: []figure.Piece{{Row: middle, Col: middle, Class: 'A'}}}
	for row := range m.Rows {
		for col := range m.Cols {
			d := world.Distance2(middle, middle, row, col)
			if d == 0 {
				continue
			}
			g.Pieces = append(g.Pieces, figure.Piece{Row: row, Col: col, Note: strconv.FormatInt(d, 10)})
			if d <= world.Radius2 {
				g.Shaded = append(g.Shaded, [2]int{row, col})
			}
		}
	}
	b := board("Squared distances from an ant, and the cells in its range", g)
	b.Note, b.Shade = "squared distance", "in range"
	return b, len(g.Shaded)
}
