package naval

import (
	"context"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
)

// regionsOf gives the sizes of regions that are rectangles to the ledger's checker: first and last column, first and
// last row, cells.
func regionsOf(placements ...game.Placement) any {
	var rows [][5]int
	for _, p := range placements {
		left, right, top, bottom := game.Side, -1, game.Side, -1
		for c := range p.Region().All() {
			left, right = min(left, c.X()), max(right, c.X())
			top, bottom = min(top, c.Y()), max(bottom, c.Y())
		}
		rows = append(rows, [5]int{left, right, top, bottom, p.Region().Count()})
	}
	return map[string]any{"game": "naval", "kind": "regions", "regions": rows}
}

// knockoutOf gives the number of games to the checker, with records that add up to it.
func knockoutOf(records ...[]int64) any {
	if records == nil {
		records = [][]int64{}
	}
	return map[string]any{"game": "naval", "kind": "knockout", "players": players, "games": players - 1, "records": records}
}

// recordsOf are wins and losses as the checker reads them: a list for each placement.
func recordsOf(records []game.Record) (lists [][]int64) {
	for _, r := range records {
		lists = append(lists, []int64{r.Wins, r.Losses})
	}
	return lists
}

// flat joins the records of placements that take turns: together they are those of one tournament.
func flat(records [][]int64) []int64 { return slices.Concat(records...) }

// fleetOf gives a fleet to the checker, cell by cell.
func fleetOf(f game.Fleet) any {
	var ships [][][2]int
	var sums []int
	for _, ship := range f {
		var cells [][2]int
		sum := 0
		for c := range ship.Cells().All() {
			cells = append(cells, [2]int{c.X(), c.Y()})
			sum += 10*c.Y() + c.X()
		}
		ships, sums = append(ships, cells), append(sums, sum)
	}
	return map[string]any{"game": "naval", "kind": "fleet", "ships": ships, "cells": sums}
}

// blindOf gives the mean of blind shooting to the checker.
func blindOf() any {
	mean := lastDeck(boardCells, fleetDecks)
	return map[string]any{"game": "naval", "kind": "blind", "cells": boardCells, "decks": fleetDecks, "mean": []any{mean.Num(), mean.Denom()}}
}

// fleetsOf gives the numbers of fleets on small boards to the checker, counted as those of the post's board are. The
// error is that of the count.
func fleetsOf(ctx context.Context, boards ...game.Waters) (any, error) {
	var checks []any
	for _, w := range boards {
		fleets, err := game.CountFleets(ctx, w.Cols, w.Rows, w.Ships)
		if err != nil {
			return nil, err
		}
		checks = append(checks, map[string]any{"game": "naval", "kind": "waters", "rows": w.Rows, "columns": w.Cols, "ships": w.Ships, "fleets": fleets})
	}
	return chapter.Together(checks...), nil
}
