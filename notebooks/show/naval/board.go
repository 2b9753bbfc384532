package naval

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
)

// The classes of a board's cells.
const (
	hit = 1 + iota
	deck
	miss
)

// Board returns a picture of a player's fleet in a game, 0 or 1, and the shots at it. Its title calls them 1 and 2. It ends the cell if there
// is no such player.
func Board(g game.Game, player int) figure.Board {
	if player != 0 && player != 1 {
		show.Fail("player %d: a game has players 0 and 1", player)
	}
	grid := figure.Grid{Rows: game.Side, Cols: game.Side}
	var shot [game.Side * game.Side]bool
	number := 0
	for _, s := range g.Shots {
		if s.Player == player {
			continue
		}
		number++
		shot[s.At] = true
		p := figure.Piece{Row: s.At.Y(), Col: s.At.X(), Class: miss}
		if s.Outcome != game.Miss {
			p.Class = hit
		}
		if number < 100 { // three digits have no room
			p.Note = fmt.Sprint(number)
		}
		grid.Pieces = append(grid.Pieces, p)
	}
	for c := range g.Fleets[player].Cells().All() {
		if !shot[c] {
			grid.Pieces = append(grid.Pieces, figure.Piece{Row: c.Y(), Col: c.X(), Class: deck})
		}
	}
	return figure.Board{
		Title: fmt.Sprintf("Fleet of player %d (%v) and the %d shots at it", player+1, g.Players[player].Placement, number), Numbered: true,
		Note: "number of the shot", Grids: []figure.Grid{grid},
		Classes: []figure.Class{
			{Value: hit, Label: "hit deck", Sign: "×", Swatch: figure.Vermilion},
			{Value: deck, Label: "deck afloat", Sign: "O", Swatch: figure.Sky},
			{Value: miss, Label: "miss", Sign: "·", Swatch: figure.Quiet},
		},
	}
}

// Heat returns maps of the board, one for each name, coloured by how many of a number of trials count a cell. Counts has for each
// name a number for each cell, row by row. It ends the cell if there are not as many of them.
func Heat(title, noun string, trials int, names []string, counts [][100]int) figure.HeatMaps {
	if len(names) != len(counts) || trials < 1 {
		show.Fail("%d names, %d boards and %d trials: give a name for each board, and at least 1 trial", len(names), len(counts), trials)
	}
	m := figure.HeatMaps{Title: title, Noun: noun, Cols: game.Side, Rows: game.Side}
	for i, name := range names {
		p := figure.HeatPanel{Name: name}
		for _, n := range counts[i] {
			p.Shares = append(p.Shares, float64(n)/float64(trials))
		}
		m.Panels = append(m.Panels, p)
	}
	return m
}
