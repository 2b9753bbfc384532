package naval

import (
	"slices"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// found is what the post's search for combinations finds for ships of one length, and what it takes.
type found struct {
	places, tries, looks int // a look compares a cell with one of a list
}

// combinations is the post's search: each cell of the waters is tried as the first of a ship to the right and of one
// downwards. A cell is looked up in the list of the waters, from its beginning.
func combinations(waters []game.Cell, decks int) (f found) {
	isOpen := func(x, y int) bool {
		for _, c := range waters {
			f.looks++
			if c.X() == x && c.Y() == y {
				return true
			}
		}
		return false
	}
	for _, first := range waters {
		for _, step := range [][2]int{{1, 0}, {0, 1}} {
			f.tries++
			fits := true
			for i := 0; i < decks && fits; i++ {
				fits = isOpen(first.X()+i*step[0], first.Y()+i*step[1])
			}
			if fits {
				f.places++
			}
			if decks == 1 {
				break
			}
		}
	}
	return f
}

// waters are the cells on which ships of so many decks may lie.
func waters(p game.Placement, decks int) []game.Cell {
	region := p.Region()
	if decks == 1 && p != game.Anywhere {
		return cellsOf(region)
	}
	var list []game.Cell
	for x := range game.Side { // column by column, as the post does
		for y := range game.Side {
			if !region.Has(game.At(x, y)) {
				list = append(list, game.At(x, y))
			}
		}
	}
	return list
}

// addSearch tables the places for ships under each placement, and what the post's search takes for the first of them.
func addSearch(page *site.Page) error {
	table := chapter.Table("places", "placement", "cells", "1 deck", "2 decks", "3 decks", "4 decks")
	for _, p := range game.Placements() {
		if p == game.Random12 {
			continue // its region is drawn anew for each fleet
		}
		row := chapter.Row(p.String(), len(waters(p, 1)))
		for decks := 1; decks <= 4; decks++ {
			open := waters(p, decks)
			f, count := combinations(open, decks), 0
			for ship := range allShips(int8(decks)) {
				inside := true
				for c := range ship.Cells().All() {
					inside = inside && slices.Contains(open, c)
				}
				if inside {
					count++
				}
			}
			if err := chapter.Expect("the post's search finds each place once", f.places == count, p, decks, f,
				count); err != nil {
				return err
			}
			row = append(row, content.Int(count))
		}
		table.Rows = append(table.Rows, row)
	}
	page.Tables = append(page.Tables, table)
	var all found
	for decks := 2; decks <= 4; decks++ {
		f := combinations(waters(game.Square36, decks), decks)
		all.places, all.tries, all.looks = all.places+f.places, all.tries+f.tries, all.looks+f.looks
	}
	page.Values["search cells"] = len(waters(game.Square36, 2))
	page.Values["search tries"], page.Values["search places"], page.Values["search looks"] = all.tries, all.places, chapter.Thousands(
		all.looks,
	)
	return nil
}
