package naval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
	drawing "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// cellsOf lists the cells of a set.
func cellsOf(set game.Cells) []game.Cell { return slices.Collect(set.All()) }

// RegionFigure draws the regions of the post's placements, as the figure "regions". random_12 has a different region
// for each fleet, so the figure shows an example.
func RegionFigure() content.Figure {
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
	return Drawn("regions", drawing.Sheets("The regions of the post's placements", layers, sheets...))
}

// EverySecond returns the cells of the second list of Diagonal.
func EverySecond() (list []game.Cell) {
	for c := range game.Cell(BoardCells) {
		if (c.X()+c.Y())%2 == 1 {
			list = append(list, c)
		}
	}
	return list
}

// ListFigure draws the lists of cells for hunting, as the figure "lists".
func ListFigure() content.Figure {
	layers := []drawing.Layer{{Label: "cell of the list", Look: pictures.Target}}
	return Drawn("lists", drawing.Sheets("The lists of cells for hunting", layers,
		drawing.Sheet{Name: "cross", Cells: [][]game.Cell{cellsOf(game.Cross.Cells())}},
		drawing.Sheet{Name: "linear, diagonal", Cells: [][]game.Cell{cellsOf(game.Linear.Cells())}},
		drawing.Sheet{Name: "diagonal, later", Cells: [][]game.Cell{EverySecond()}}))
}

// allShips yields the ships of the given number of decks in all their places.
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

// Halo returns the cells around a ship.
func Halo(ship game.Ship) []game.Cell {
	return slices.DeleteFunc(cellsOf(ship.Zone()), ship.Cells().Has)
}

// checkHalos checks the halos of all ships of the post's board.
func checkHalos(context.Context) (chapter.Finding, error) {
	for decks := int8(1); decks <= 4; decks++ {
		least, most := game.Side*game.Side, 0
		for ship := range allShips(decks) {
			least, most = min(least, len(Halo(ship))), max(most, len(Halo(ship)))
		}
		if err := chapter.Expect("a ship of k decks has up to 2k + 6 cells around it, and k + 2 in a corner",
			most == 2*int(decks)+6 && least == int(decks)+2, decks, least, most); err != nil {
			return chapter.Finding{}, err
		}
	}
	return chapter.Finding{}, nil
}

// HaloFigure draws the halos of a ship in open water, of a ship in a corner, and of a whole fleet, as the figure
// "halos".
func HaloFigure(open, corner game.Ship, fleet game.Fleet) content.Figure {
	sheet := func(name string, ships ...game.Ship) drawing.Sheet {
		var decks, around []game.Cell
		for _, ship := range ships {
			decks, around = append(decks, cellsOf(ship.Cells())...), append(around, Halo(ship)...)
		}
		slices.Sort(around)
		around = slices.Compact(around)
		return drawing.Sheet{Name: fmt.Sprintf("%s: %d cells", name, len(around)), Cells: [][]game.Cell{around, decks}}
	}
	layers := []drawing.Layer{{Label: "halo", Look: pictures.Closed}, {Label: "ship", Look: pictures.Hit}}
	return Drawn("halos", drawing.Sheets("Sunk ships and their halos", layers,
		sheet("open water", open), sheet("corner", corner), sheet("a fleet", fleet[:]...)))
}

// DensityAt counts the ways in which single ships of a fleet can cover a cell of an empty board.
func DensityAt(c game.Cell) int {
	ways := 0
	for decks, equal := range map[int8]int{4: 1, 3: 2, 2: 3, 1: 4} {
		for ship := range allShips(decks) {
			if ship.Cells().Has(c) {
				ways += equal
			}
		}
	}
	return ways
}

// Places counts the places of a ship on the empty board.
func Places(decks int8) (n int) {
	for range allShips(decks) {
		n++
	}
	return n
}

// Met returns, for each number k, how many of a ship's places on the empty board cover exactly k of the listed cells.
func Met(list []game.Cell, decks int8) map[int]int {
	var cells [BoardCells]int
	for _, c := range list {
		cells[c] = 1
	}
	places := map[int]int{}
	for ship := range allShips(decks) {
		n := 0
		for c := range ship.Cells().All() {
			n += cells[c]
		}
		places[n]++
	}
	return places
}
