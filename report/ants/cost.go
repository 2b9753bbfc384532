package ants

import (
	"context"
	"math/rand/v2"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

// costSides are the sides of maps that grow, one cell in four with an ant.
var costSides = []int{10, 20, 40, 80, 160}

// addCost counts operations, not seconds, so that the page is the same on every machine.
func addCost(ctx context.Context, page *site.Page) error {
	_, inRange := rangeBoard()
	rng := rand.New(rand.NewPCG(Seed, 1))
	series := []figure.Series{{Name: "pairs of ants"}, {Name: "cells in range"}, {Name: "enemies found"}}
	table := chapter.Table("cost", "map", "ants", "pairs of ants", "cells in range", "enemies found")
	for _, side := range costSides {
		solver := chapter.Get(game.NewSolver(game.World{Rows: side, Cols: side, Radius2: game.ContestRadius2}))
		ants := side * side / 4
		outcome := chapter.Get(solver.Solve(ctx, randomArmy(rng, side, ants), game.Focus))
		found := 0
		for _, e := range outcome.Enemies {
			found += e
		}
		row := chapter.Row(chapter.NoBreak(chapter.Thousands(side)+" × "+chapter.Thousands(side)), ants)
		for i, n := range []int{ants * (ants - 1) / 2, ants * inRange, found} {
			row = append(row, content.Int(n))
			series[i].Points = append(series[i].Points, figure.Point{X: float64(ants), Y: float64(n)})
		}
		table.Rows = append(table.Rows, row)
		page.Values["cost ants"] = chapter.Thousands(ants)
		page.Values["cost pairs"], page.Values["cost cells"] = chapter.Thousands(ants*(ants-1)/2), chapter.Thousands(
			ants*inRange,
		)
	}
	page.Values["cells"] = inRange
	page.Tables = append(page.Tables, table)
	return chapter.Draw(page, "cost", figure.Cost{
		Title: "Counted operations as the map grows, one cell in four with an ant", XLabel: "ants",
		YLabel: "operations", Series: series, Slopes: true,
	})
}
