package naval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/pictures"
	drawing "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// cellsOf lists the cells of a set.
func cellsOf(set game.Cells) []game.Cell { return slices.Collect(set.All()) }

// cellsWhere lists the cells for which keep holds, given column and row.
func cellsWhere(keep func(x, y int) bool) []game.Cell {
	var list []game.Cell
	for y := range game.Side {
		for x := range game.Side {
			if keep(x, y) {
				list = append(list, game.At(x, y))
			}
		}
	}
	return list
}

// addRegions draws the regions of the post's placements. That of random_12 is drawn anew for each fleet: one stands for
// all.
func addRegions(page *site.Page) {
	var sheets []drawing.Sheet
	rng := rand.New(rand.NewPCG(Seed, 0))
	for _, p := range game.PostPlacements() {
		cells, name := cellsOf(p.Region()), p.String()
		if len(cells) == 0 {
			for _, c := range rng.Perm(game.Side * game.Side)[:12] {
				cells = append(cells, game.Cell(c))
			}
			name += ", for one"
		}
		sheets = append(sheets, drawing.Sheet{Name: name, Cells: [][]game.Cell{cells}})
	}
	layers := []drawing.Layer{{Label: "region for the ships of one deck", Look: pictures.Reserved}}
	chapter.Draw(page, "regions", drawing.Sheets("The regions of the post's placements", layers, sheets...))
}

// everySecond are the cells of the second list of Diagonal.
func everySecond() []game.Cell {
	return cellsWhere(func(x, y int) bool { return (x+y)%2 == 1 })
}

// addLists draws the lists of cells of the ways to hunt.
func addLists(page *site.Page) {
	cross, linear := cellsOf(game.Cross.Cells()), cellsOf(game.Linear.Cells())
	chapter.Set(page.Values, "cross cells", len(cross), "linear cells", len(linear), "second cells", len(everySecond()))
	// A ship of as many decks as the diagonals are apart meets one of them, wherever it lies.
	for _, list := range []struct {
		cells []game.Cell
		decks int8
	}{{linear, 4}, {everySecond(), 2}} {
		for ship := range allShips(list.decks) {
			meets := slices.ContainsFunc(list.cells, ship.Cells().Has)
			chapter.Expect("no ship slips through", meets, ship)
		}
	}
	slips := 0
	for ship := range allShips(4) {
		if !slices.ContainsFunc(cross, ship.Cells().Has) {
			slips++
		}
	}
	page.Values["cross slips"] = slips
	layers := []drawing.Layer{{Label: "cell of the list", Look: pictures.Target}}
	chapter.Draw(page, "lists", drawing.Sheets("The lists of cells of the ways to hunt", layers,
		drawing.Sheet{Name: "cross", Cells: [][]game.Cell{cross}},
		drawing.Sheet{Name: "linear, diagonal", Cells: [][]game.Cell{linear}},
		drawing.Sheet{Name: "diagonal, later", Cells: [][]game.Cell{everySecond()}}))
}

// allShips yields the ships of so many decks in all their places.
func allShips(decks int8) func(yield func(game.Ship) bool) {
	return func(yield func(game.Ship) bool) {
		for first := range game.Cell(game.Side * game.Side) {
			for _, upright := range []bool{false, true} {
				ship := game.Ship{First: first, Decks: decks, Upright: upright}
				if ship.Cells().Count() == int(decks) && (decks > 1 || !upright) && !yield(ship) {
					return
				}
			}
		}
	}
}

// halo returns the cells around a ship.
func halo(ship game.Ship) []game.Cell {
	return slices.DeleteFunc(cellsOf(ship.Zone()), ship.Cells().Has)
}

// checkHalos looks at the halos of all ships of the post's board.
func checkHalos(context.Context) chapter.Finding {
	for decks := int8(1); decks <= 4; decks++ {
		least, most := game.Side*game.Side, 0
		for ship := range allShips(decks) {
			least, most = min(least, len(halo(ship))), max(most, len(halo(ship)))
		}
		chapter.Expect("a ship of k decks has up to 2k + 6 cells around it, and k + 2 in a corner",
			most == 2*int(decks)+6 && least == int(decks)+2, decks, least, most)
	}
	return chapter.Finding{}
}

// addHalos draws halos: of a ship in open water, of one in a corner, and of a whole fleet.
func addHalos(page *site.Page, g game.Game) {
	sheet := func(name string, ships ...game.Ship) drawing.Sheet {
		var decks, around []game.Cell
		for _, ship := range ships {
			decks, around = append(decks, cellsOf(ship.Cells())...), append(around, halo(ship)...)
		}
		slices.Sort(around)
		around = slices.Compact(around)
		return drawing.Sheet{Name: fmt.Sprintf("%s: %d cells", name, len(around)), Cells: [][]game.Cell{around, decks}}
	}
	open, corner := game.Ship{First: game.At(3, 4), Decks: 4}, game.Ship{First: game.At(0, 0), Decks: 4}
	chapter.Set(page.Values, "halo decks", open.Decks, "halo open", len(halo(open)), "halo corner", len(halo(corner)))
	layers := []drawing.Layer{{Label: "halo", Look: pictures.Closed}, {Label: "ship", Look: pictures.Hit}}
	chapter.Draw(page, "halos", drawing.Sheets("Sunk ships and their halos", layers,
		sheet("open water", open), sheet("corner", corner), sheet("a fleet", g.Fleets[0][:]...)))
}
