package castle

import (
	"context"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// browserTimes are how long the second post says that its program took in a browser, for the tests of which it says so.
var browserTimes = []struct {
	test int
	time string
}{
	{5, "more than 20 minutes"},
	{22, "more than an hour and a half"},
	{21, "more than 3 hours"},
	{12, "more than 5 hours"},
}

// hoursTable sets the post's times beside what a search and what counting looks at.
func hoursTable(ctx context.Context, tests []postTest) (content.Table, error) {
	table := chapter.Table("hours", "test", chapter.MD("$(n, s, d)$"), "the post's program", "paths", "moments of the search", "cells of counting")
	before := new(big.Int)
	for _, run := range browserTimes {
		b := tests[run.test].Battle
		counts, err := b.Count(ctx, game.CountOptions{})
		if err != nil {
			return table, err
		}
		paths := allPaths(counts)
		if err := chapter.Expect("the post's times grow with the paths", paths.Cmp(before) > 0, run.test, paths); err != nil {
			return table, err
		}
		before = paths
		table.Rows = append(table.Rows, chapter.Row(run.test, triple(b), run.time, paths, counts.Prefixes, counts.Cells))
	}
	return table, nil
}
