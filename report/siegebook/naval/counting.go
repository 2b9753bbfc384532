package naval

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/pictures"
	drawing "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// StripCells is the length of the strip on which fleets are counted by hand. A fleet there has a ship of two decks and
// a ship of one deck.
const StripCells = 6

// partial describes the part of a fleet that has been placed so far: its ships, and how many of the next cells they
// close.
type partial struct {
	two, one bool
	closed   int
}

// name returns the ships of a partial fleet as text.
func (p partial) name() string {
	switch {
	case p.two && p.one:
		return "both"
	case p.two:
		return "2"
	case p.one:
		return "1"
	}
	return "none"
}

// stripCounts returns the numbers of partial fleets before each cell, and after the last cell.
func stripCounts(cells int) []map[partial]int {
	counts := []map[partial]int{{partial{}: 1}}
	for cell := range cells {
		next := map[partial]int{}
		for p, ways := range counts[cell] {
			rest := p
			rest.closed = max(0, p.closed-1)
			next[rest] += ways
			if p.closed > 0 {
				continue
			}
			if !p.one { // a ship of one deck closes its cell and the next one
				next[partial{p.two, true, 1}] += ways
			}
			if !p.two && cell+2 <= cells {
				next[partial{true, p.one, 2}] += ways
			}
		}
		counts = append(counts, next)
	}
	return counts
}

// Strip is the count of the fleets on the strip by hand.
type Strip struct {
	Table  content.Table // "strip": the partial fleets before each cell
	Fleets int           // the number of fleets with both ships
	// Open and Closing count the partial fleets before cell 4 that have the ship of two decks. In Open, no later cell
	// is closed; in Closing, one is. Then counts the partial fleets before cell 5 that Open counts before cell 4.
	Open, Closing, Then int
}

// CountStrip counts the fleets on the strip by hand.
func CountStrip() (s Strip) {
	counts := stripCounts(StripCells)
	table := chapter.Table("strip", "ships so far", "cells closed", "before cell 0")
	for cell := 1; cell <= StripCells; cell++ {
		name := fmt.Sprintf("cell %d", cell)
		if cell == StripCells {
			name = "end"
		}
		table.Header = append(table.Header, content.Text(name))
	}
	for _, ships := range []partial{{}, {two: true}, {one: true}, {two: true, one: true}} {
		for closed := range 3 {
			p := partial{ships.two, ships.one, closed}
			row, occurs := content.Row(p.name(), closed), false
			for _, at := range counts {
				occurs = occurs || at[p] > 0
				if at[p] == 0 {
					row = append(row, content.Text(""))
				} else {
					row = append(row, content.Int(at[p]))
				}
			}
			if occurs {
				table.Add(row)
			}
		}
	}
	s.Table = table
	for closed := range 3 {
		s.Fleets += counts[StripCells][partial{true, true, closed}]
	}
	s.Open, s.Closing = counts[4][partial{two: true}], counts[4][partial{two: true, closed: 1}]
	s.Then = counts[5][partial{two: true}]
	return s
}

// The board of the profile has two ships and a next cell.
var (
	ProfileShips = []game.Ship{{First: game.At(1, 2), Decks: 3}, {First: game.At(7, 1), Decks: 4, Upright: true}}
	ProfileNext  = game.At(5, 3)
)

// Profile returns for each column the number of closed rows, counted from the row of its next cell.
func Profile(ships []game.Ship, next game.Cell) []int {
	list := make([]int, game.Side)
	for x := range list {
		row := next.Y()
		if x < next.X() {
			row++
		}
		for row+list[x] < game.Side && closedAt(ships, game.At(x, row+list[x])) {
			list[x]++
		}
	}
	return list
}

func closedAt(ships []game.Ship, c game.Cell) bool {
	for _, ship := range ships {
		if ship.Zone().Has(c) {
			return true
		}
	}
	return false
}

// ProfileFigure draws the board of the profile and everything that matters for the following cells, as the figure
// "profile". It also returns which of the following cells are closed.
func ProfileFigure() (f content.Figure, ahead []game.Cell) {
	var decks, past []game.Cell
	for _, ship := range ProfileShips {
		decks = append(decks, cellsOf(ship.Cells())...)
	}
	for c := range game.Cell(BoardCells) {
		if closedAt(ProfileShips, c) {
			if c < ProfileNext {
				past = append(past, c)
			} else {
				ahead = append(ahead, c)
			}
		}
	}
	layers := []drawing.Layer{
		{Label: "closed, already decided", Look: pictures.Closed},
		{Label: "closed, still to come", Look: pictures.Astray},
		{Label: "ship", Look: pictures.Hit},
		{Label: "the cell that comes next", Look: pictures.Target},
	}
	return Drawn("profile", drawing.Sheets("Two ships, and the cells that they close", layers,
		drawing.Sheet{Name: "what is there", Cells: [][]game.Cell{past, ahead, decks, {ProfileNext}}},
		drawing.Sheet{Name: "what matters", Cells: [][]game.Cell{nil, ahead, nil, {ProfileNext}}})), ahead
}
