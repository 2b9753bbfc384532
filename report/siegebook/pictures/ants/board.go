// Package ants draws ant battles on boards: the ants in their cells, how many enemies each of them has in range, who
// dies, and who kills whom.
//
// Importers usually name it pictures, because they also import analysis/ants.
package ants

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Detail determines how much of a battle is drawn. Each detail shows more than the previous one.
type Detail int

// These are the details.
const (
	Position Detail = iota // the positions of the ants
	Counts                 // how many enemies each ant has in range
	Deaths                 // who dies
	Kills                  // who kills whom
)

// Grid draws a decided battle.
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

// Board returns battles side by side.
func Board(title string, grids ...figure.Grid) figure.Board {
	return figure.Board{
		Title: title, Grids: grids, Classes: armies(grids),
		Note: "enemies in range", Mark: "dies", Arrow: "kills",
	}
}

// Battle returns the drawing of one battle with all details. With more than 12 kills, arrows would be a tangle, so the
// board has numbered rows and columns instead, for a table of the kills.
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

// Rules returns the drawing of a battle under each of the rules, with the contest's radius and on a map with edges.
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

// swatches contains the looks of armies, which do not depend on the other armies on the board. In the post, Sid and Sam
// are blue, and Kent and Kite are red. All other armies get looks that are free.
var swatches = map[rune]figure.Swatch{
	'A': figure.Blue, 'B': figure.Orange, 'C': figure.Green, 'D': figure.Purple,
	'S': figure.Sky, 'K': figure.Vermilion,
}

// army returns the class of an owner's ants.
func army(owner rune) figure.Class {
	return figure.Class{
		Value: int(owner), Label: "ant of " + string(owner), Sign: string(owner),
		Swatch: swatches[owner],
	}
}

// armies returns the classes of the owners in grids, in the order of their letters.
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

// Range returns the drawing of an ant in the middle of a square with the given side, with the squared distances from
// the ant. The cells within its range are marked.
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

// food is the class value of food. The class values of armies are their letters.
const food = '*'

// Food draws ants and food.
func Food(name string, m game.Map, row, col int) figure.Grid {
	g := figure.Grid{Name: name, Rows: m.Rows, Cols: m.Cols, Pieces: []figure.Piece{{Row: row, Col: col, Class: food}}}
	for _, ant := range m.Ants() {
		g.Pieces = append(g.Pieces, figure.Piece{Row: ant.Row, Col: ant.Col, Class: int(ant.Owner)})
	}
	return g
}

// Births returns drawings of food side by side.
func Births(title string, grids ...figure.Grid) figure.Board {
	b := figure.Board{Title: title, Grids: grids, Classes: armies(grids)}
	for i, class := range b.Classes {
		if class.Value == food {
			b.Classes[i] = figure.Class{Value: food, Label: "food", Sign: string(food), Swatch: figure.Quiet}
		}
	}
	return b
}

// Part draws a part of a battle. The visible ants show their counts and deaths from the whole battle, and the kills
// among them. The other cells are shaded.
func Part(name string, m game.Map, outcome game.Outcome, shown func(row, col int) bool) figure.Grid {
	whole := Grid(name, m, outcome, Kills)
	g := figure.Grid{Name: name, Rows: m.Rows, Cols: m.Cols}
	number := map[int]int{} // the numbers of the visible pieces, by their numbers in the whole battle
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

// Parts returns parts of battles side by side.
func Parts(title string, parts ...figure.Grid) figure.Board {
	b := Board(title, parts...)
	b.Shade = "not looked at"
	return b
}

// Exercises returns the game's exercises whose answers are numbers.
func Exercises() []pictures.Exercise { return []pictures.Exercise{AskCrowd, AskRow} }

//go:embed exercises.txt
var exercises string

// AskCrowd asks which ants die if an ant is surrounded by as many enemies as possible.
var AskCrowd = pictures.Exercise{
	Name: "ants-ask-crowd", Texts: &exercises,
	Other: func(random uint64) pictures.Values { return pictures.With("radius", 1+random%9) },
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		radius := v.Int("radius")
		const reach = 5 // the square root of the greatest squared radius, rounded up
		const side = 2*reach + 1
		army := []game.Ant{{Row: reach, Col: reach, Owner: 'A'}}
		for row := range side {
			for col := range side {
				dr, dc := int64(row-reach), int64(col-reach)
				if far := dr*dr + dc*dc; far > 0 && far <= radius {
					army = append(army, game.Ant{Row: row, Col: col, Owner: 'B'})
				}
			}
		}
		outcome, err := game.Solve(game.World{Rows: side, Cols: side, Bounded: true, Radius2: radius}, army, game.Focus)
		if err != nil {
			return pictures.Solved{}, err
		}
		killed, killers := int64(0), int64(0)
		for kill := range outcome.Kills() {
			if army[kill.Victim].Owner == 'A' {
				killers++
			}
		}
		for i, dead := range outcome.Dead {
			if dead && army[i].Owner == 'B' {
				killed++
			}
		}
		return pictures.Solved{Values: map[string]any{
			"cells": len(army) - 1, "killers": killers, "killed": killed, "die": plural.Of(killed, "dies", "die"),
		}}, nil
	},
}

// AskRow asks which ants die in a row of three armies, on a map with edges and on a torus.
var AskRow = pictures.Exercise{
	Name: "ants-ask-row", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		gap := 1 + random%4
		return pictures.With("gap", gap, "radius", gap*gap+random/4%6)
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		gap := int(v.Int("gap"))
		world := game.World{Rows: 1, Cols: 2*gap + 1, Radius2: v.Int("radius")}
		army := []game.Ant{{Col: 0, Owner: 'A'}, {Col: gap, Owner: 'B'}, {Col: 2 * gap, Owner: 'C'}}
		values := map[string]any{"length": world.Cols}
		for name, bounded := range map[string]bool{"edges": true, "torus": false} {
			fallen := 0
			world.Bounded = bounded
			outcome, err := game.Solve(world, army, game.Focus)
			if err != nil {
				return pictures.Solved{}, err
			}
			for _, dead := range outcome.Dead {
				if dead {
					fallen++
				}
			}
			values[name] = fallen
		}
		return pictures.Solved{Values: values}, nil
	},
}
