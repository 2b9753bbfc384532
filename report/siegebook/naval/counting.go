package naval

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/pictures"
	drawing "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// The strip on which fleets are counted by hand: its cells, and a ship of two decks and one of one deck.
const stripCells = 6

// partial is what matters of the ships that lie on the strip so far: which of them there are, and how many of the cells
// that come next are closed.
type partial struct {
	two, one bool
	closed   int
}

// name writes the ships of a partial fleet.
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

// stripCounts counts the partial fleets before each cell, and after the last.
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
			if !p.one { // one deck closes its cell and the next
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

// addStrip tables the count on the strip, and compares it with the library's.
func addStrip(ctx context.Context, page *site.Page) {
	counts := stripCounts(stripCells)
	table := chapter.Table("strip", "ships so far", "cells closed", "before cell 0")
	for cell := 1; cell <= stripCells; cell++ {
		name := fmt.Sprintf("cell %d", cell)
		if cell == stripCells {
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
	page.Tables = append(page.Tables, table)
	total := 0
	last := counts[stripCells]
	for closed := range 3 {
		total += last[partial{true, true, closed}]
	}
	want := chapter.Get(game.CountFleets(ctx, stripCells, 1, []int{2, 1}))
	chapter.Set(page.Values, "strip cells", stripCells, "strip fleets", total)
	open, closing, then := counts[4][partial{two: true}], counts[4][partial{
		two:    true,
		closed: 1,
	}], counts[5][partial{two: true}]
	chapter.Set(page.Values, "strip open", open, "strip closing", closing, "strip then", then)
	chapter.Expect("the fleets on the strip", uint64(total) == want && open+closing == then && open > 0, total, want,
		counts)
}

// The board of the profile: two ships, and the cell that comes next.
var (
	profileShips = []game.Ship{{First: game.At(1, 2), Decks: 3}, {First: game.At(7, 1), Decks: 4, Upright: true}}
	profileNext  = game.At(5, 3)
)

// profile is for how many rows each column is closed, counted from the row of the cell that comes next in it.
func profile(ships []game.Ship, next game.Cell) []int {
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

// addProfile draws a half-made fleet, and what of it matters from here on.
func addProfile(page *site.Page) {
	var decks, past, ahead []game.Cell
	for _, ship := range profileShips {
		decks = append(decks, cellsOf(ship.Cells())...)
	}
	for c := range game.Cell(boardCells) {
		if closedAt(profileShips, c) {
			if c < profileNext {
				past = append(past, c)
			} else {
				ahead = append(ahead, c)
			}
		}
	}
	list := profile(profileShips, profileNext)
	total := 0
	for _, rows := range list {
		total += rows
	}
	chapter.Set(page.Values, "profile", chapter.Joined(list), "profile next", cellName(profileNext))
	layers := []drawing.Layer{
		{Label: "closed, decided already", Look: pictures.Closed},
		{Label: "closed, still to come", Look: pictures.Astray},
		{Label: "ship", Look: pictures.Hit},
		{Label: "the cell that comes next", Look: pictures.Target},
	}
	chapter.Draw(page, "profile", drawing.Sheets("Two ships, and the cells that they close", layers,
		drawing.Sheet{Name: "what lies there", Cells: [][]game.Cell{past, ahead, decks, {profileNext}}},
		drawing.Sheet{Name: "what matters", Cells: [][]game.Cell{nil, ahead, nil, {profileNext}}}))
	chapter.Expect("the profile tells all closed cells to come", total == len(ahead) &&
		!closedAt(profileShips, profileNext), total, len(ahead))
}
