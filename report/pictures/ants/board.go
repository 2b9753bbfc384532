package ants

import (
	"fmt"
	"slices"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/figure"
)

// Detail is how much of a battle is drawn. Each shows what the one before it shows, and more.
type Detail int

// The details.
const (
	Position Detail = iota // who stands where
	Counts                 // how many enemies each ant has in range
	Deaths                 // who dies
	Kills                  // who kills whom
)

// Grid draws a battle that has been decided.
func Grid(name string, m game.Map, outcome game.Outcome, detail Detail) figure.Grid {
	g := figure.Grid{Name: name, Rows: m.Rows, Cols: m.Cols}
	for i, ant := range m.Ants() {
		p := figure.Piece{Row: ant.Row, Col: ant.Col, Class: int(ant.Owner), Marked: detail >= Deaths &&
			outcome.Dead[i]}
		if detail >= Counts {
			p.Note = strconv.Itoa(outcome.Enemies[i])
		}
		g.Pieces = append(g.Pieces, p)
	}
	if detail >= Kills {
		for kill := range outcome.Kills() {
			g.Arrows = append(g.Arrows, [2]int{kill.Killer, kill.Victim})
		}
	}
	return g
}

// Board puts battles side by side.
func Board(title string, grids ...figure.Grid) figure.Board {
	return figure.Board{
		Title: title, Grids: grids, Classes: armies(grids),
		Note: "enemies in range", Mark: "dies", Arrow: "kills",
	}
}

// Battle returns the drawing of one battle with all details. More than 12 kills would be a tangle: then rows and
// columns are numbered instead, for a table of them.
func Battle(title string, m game.Map, outcome game.Outcome) figure.Board {
	const most = 12
	grid := Grid("", m, outcome, Kills)
	tangled := len(grid.Arrows) > most
	if tangled {
		grid.Arrows = nil
	}
	b := Board(title, grid)
	b.Numbered = tangled
	return b
}

// Rules returns the drawing of a battle at the contest's radius, on a map with edges, by each of the rules.
func Rules(m game.Map) (figure.Board, error) {
	var grids []figure.Grid
	for _, rule := range game.Rules() {
		outcome, err := game.Solve(m.World(game.ContestRadius2, true), m.Ants(), rule)
		if err != nil {
			return figure.Board{}, err
		}
		grids = append(grids, Grid(rule.String(), m, outcome, Deaths))
	}
	return Board(fmt.Sprintf("One position by each of %d rules", len(grids)), grids...), nil
}

// swatches are the looks of armies, whatever others there are on the board. Sid and Sam are blue in the post, and Kent
// and Kite red. All others get colours that are free.
var swatches = map[rune]figure.Swatch{
	'A': figure.Blue, 'B': figure.Orange, 'C': figure.Green, 'D': figure.Purple,
	'S': figure.Sky, 'K': figure.Vermilion,
}

// army is the class of an owner's ants.
func army(owner rune) figure.Class {
	return figure.Class{
		Value: int(owner), Label: "ant of " + string(owner), Sign: string(owner),
		Swatch: swatches[owner],
	}
}

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
		classes[i] = army(rune(owner))
	}
	return classes
}

// Range returns the drawing of an ant in the middle of a square of so many cells a side, with the squared distances
// from it. The cells that it is said to reach are set apart.
func Range(side int, reaches func(from, to game.Ant) bool) figure.Board {
	middle := game.Ant{Row: side / 2, Col: side / 2, Owner: 'A'}
	g := figure.Grid{Rows: side, Cols: side, Pieces: []figure.Piece{{
		Row: middle.Row, Col: middle.Col,
		Class: int(middle.Owner),
	}}}
	for row := range side {
		for col := range side {
			if row == middle.Row && col == middle.Col {
				continue
			}
			dr, dc := row-middle.Row, col-middle.Col
			g.Pieces = append(g.Pieces, figure.Piece{Row: row, Col: col, Note: strconv.Itoa(dr*dr + dc*dc)})
			if reaches(middle, game.Ant{Row: row, Col: col, Owner: 'B'}) {
				g.Shaded = append(g.Shaded, [2]int{row, col})
			}
		}
	}
	b := Board("Squared distances from an ant, and the cells in its range", g)
	b.Note, b.Shade = "squared distance", "in range"
	return b
}
