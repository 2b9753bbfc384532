// Package naval draws naval battles: fleets with the shots at them, and maps of how often cells are used.
//
// Importers usually name it pictures, because they also import analysis/naval.
package naval

import (
	_ "embed"
	"fmt"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// These are the classes of cells on a board.
const (
	hit = 1 + iota
	deck
	miss
)

// Board returns fleets side by side.
func Board(title string, fleets ...figure.Grid) figure.Board {
	return figure.Board{
		Title: title, Numbered: true, Note: "number of the shot", Shade: "region for the ships of one deck",
		Grids: fleets, Classes: []figure.Class{
			pictures.Hit.Class(hit, "hit deck"), pictures.Afloat.Class(deck, "deck afloat"),
			pictures.Miss.Class(miss, "miss"),
		},
	}
}

// Fleet draws the fleet of player 0 or 1 in a game, and the shots at it in order.
func Fleet(name string, g game.Game, player int) figure.Grid {
	var cells []game.Cell
	for _, s := range ShotsAt(g, player) {
		cells = append(cells, s.At)
	}
	return shotAt(name, g.Players[player].Placement, g.Fleets[player], cells)
}

// shotAt draws a fleet and the shots at it, in order.
func shotAt(name string, placement game.Placement, fleet game.Fleet, cells []game.Cell) figure.Grid {
	grid := figure.Grid{Name: name, Rows: game.Side, Cols: game.Side}
	for c := range placement.Region().All() {
		grid.Shaded = append(grid.Shaded, [2]int{c.Y(), c.X()})
	}
	decks := fleet.Cells()
	var shot [game.Side * game.Side]bool
	for i, c := range cells {
		shot[c] = true
		piece := figure.Piece{Row: c.Y(), Col: c.X(), Class: miss}
		if i < 99 { // there is no room for three digits
			piece.Note = fmt.Sprint(i + 1)
		}
		if decks.Has(c) {
			piece.Class = hit
		}
		grid.Pieces = append(grid.Pieces, piece)
	}
	for c := range decks.All() {
		if !shot[c] {
			grid.Pieces = append(grid.Pieces, figure.Piece{Row: c.Y(), Col: c.X(), Class: deck})
		}
	}
	return grid
}

// ShotsAt returns the shots in a game at the fleet of player 0 or 1.
func ShotsAt(g game.Game, player int) []game.Shot {
	var shots []game.Shot
	for _, s := range g.Shots {
		if s.Player != player {
			shots = append(shots, s)
		}
	}
	return shots
}

// Game returns the drawing of both fleets in a game and the shots at them.
func Game(title string, g game.Game) figure.Board {
	var fleets []figure.Grid
	for player, p := range g.Players {
		fleets = append(fleets, Fleet(fmt.Sprintf("fleet of player %d (%v)", player+1, p.Placement), g, player))
	}
	return Board(title, fleets...)
}

// Half returns the drawing of the fleet of player 0 or 1 in a game, and the shots at it. The title calls the players 1
// and 2.
func Half(g game.Game, player int) figure.Board {
	if player != 0 && player != 1 {
		panic(fmt.Sprintf("player %d: a game has players 0 and 1", player))
	}
	return Board(pictures.Text("Fleet of player %v (%v) and the {shot} at it", player+1, g.Players[player].Placement,
		len(ShotsAt(g, player))), Fleet("", g, player))
}

// Counts holds the number of uses of each cell of the board, row by row.
type Counts [game.Side * game.Side]int

// Heat returns a map of the board for each name. The colour of a cell shows its share, which is its count divided by
// the trials.
func Heat(title, noun string, trials int, names []string, counts []Counts) figure.HeatMaps {
	m := figure.HeatMaps{Title: title, Noun: noun, Cols: game.Side, Rows: game.Side, Trials: trials}
	for i, name := range names {
		p := figure.HeatPanel{Name: name}
		for _, n := range counts[i] {
			p.Shares = append(p.Shares, float64(n)/float64(trials))
		}
		m.Panels = append(m.Panels, p)
	}
	return m
}

// Layer is a named kind of cell on a sheet.
type Layer struct {
	Label string
	Look  pictures.Look
}

// Sheet is a small board with the cells of each layer. Where layers overlap, the last one is visible.
type Sheet struct {
	Name  string
	Cells [][]game.Cell
}

// Sheets returns small boards side by side, all with the same layers.
func Sheets(title string, layers []Layer, sheets ...Sheet) figure.HeatMaps {
	m := figure.HeatMaps{Title: title, Cols: game.Side, Rows: game.Side}
	for i, layer := range layers {
		m.Classes = append(m.Classes, layer.Look.Class(i+1, layer.Label))
	}
	for _, sheet := range sheets {
		mask := figure.HeatPanel{Name: sheet.Name, Cells: make([]int, game.Side*game.Side)}
		for i, cells := range sheet.Cells {
			for _, c := range cells {
				mask.Cells[c] = i + 1
			}
		}
		m.Panels = append(m.Panels, mask)
	}
	return m
}

// Exercises returns the game's exercises whose answers are numbers.
func Exercises() []pictures.Exercise { return []pictures.Exercise{AskBlind} }

//go:embed exercises.txt
var exercises string

// AskBlind asks how many shots a blind player needs to sink a ship on a strip. The answer must be an integer.
var AskBlind = pictures.Exercise{
	Name: "naval-ask-blind", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		decks := 1 + random%4
		return pictures.With("cells", (2+random/4%9)*(decks+1)-1, "decks", decks)
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		cells, decks := v.Int("cells"), v.Int("decks")
		if decks > cells {
			return pictures.Solved{}, pictures.Refuse("decks", "decks = %d: a strip of %d cells has no room for more "+
				"than %d", decks, cells, cells)
		}
		mean, ways := MeanLast(cells, decks)
		if !mean.IsInt() {
			return pictures.Solved{}, pictures.Refuse("cells", "cells = %d: choose a number of cells that "+
				"is one less than a multiple of %d", cells, decks+1)
		}
		return pictures.Solved{Values: map[string]any{
			"lie": plural.Of(decks, "lies", "lie"), "are": plural.Of(ways, "is", "are"), "ways": ways,
			"shots": mean.Num(), "places": cells + 1, "all": decks + 1,
		}}, nil
	},
}

// MeanLast returns the mean position of the last deck of a ship in a row of cells, and the number of ways to place the
// ship. It adds up the positions of the last deck one by one.
func MeanLast(cells, decks int64) (mean *big.Rat, ways int64) {
	sum, all := new(big.Int), new(big.Int)
	for last := decks; last <= cells; last++ {
		before := new(big.Int).Binomial(last-1, decks-1) // the ways to place the other decks
		all.Add(all, before)
		sum.Add(sum, before.Mul(before, big.NewInt(last)))
	}
	return new(big.Rat).SetFrac(sum, all), all.Int64()
}
