package castle

import (
	"context"
	_ "embed"
	"math/big"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed cost.md
var costSource string

// growth is a family of battles of increasing size, in which operations are counted.
type growth struct {
	id, title, label string
	size             string // name of what grows
	battles          []game.Battle
	sizeOf           func(game.Battle) int64
}

var growths = []growth{
	{
		id: "cost", title: "Counted operations as the whole battle grows: (n, 5n/2, 4n/5)", label: "soldiers n", size: "n",
		battles: battles([]int64{5, 10, 15, 20, 30, 40, 60, 80}, func(n int64) game.Battle {
			return game.Battle{Soldiers: n, CastleHits: n * 5 / 2, DefendersPerWave: n * 4 / 5}
		}),
		sizeOf: func(b game.Battle) int64 { return b.Soldiers },
	},
	{
		id: "cost-castle", title: "Counted operations as the castle grows: (12, s, 10)", label: "castle hits s", size: "s",
		battles: battles([]int64{20, 30, 40, 60, 80, 120, 160, 240, 320}, func(s int64) game.Battle {
			return game.Battle{Soldiers: 12, CastleHits: s, DefendersPerWave: 10}
		}),
		sizeOf: func(b game.Battle) int64 { return b.CastleHits },
	},
}

func battles(sizes []int64, of func(int64) game.Battle) []game.Battle {
	var list []game.Battle
	for _, size := range sizes {
		list = append(list, of(size))
	}
	return list
}

// costPage counts operations, not seconds, so that the page is the same on every machine.
func costPage(ctx context.Context) (site.Page, error) {
	// Neighbouring Fibonacci numbers n = F(91) and x = s + d - 2n = F(90): the longest hunt that 64 bits hold.
	n, x := int64(phi.Fib(91)), int64(phi.Fib(90))
	huge := game.Battle{Soldiers: n, CastleHits: n + x, DefendersPerWave: n}
	page := site.Page{
		Slug: "castle-cost", Title: "What each algorithm costs", Nav: "Cost",
		Description: "Counted operations of search, counting, heuristics and closed form as the battle grows.",
		Source:      costSource, File: "report/castle/cost.md",
		Values: map[string]any{"huge": triple(huge), "huge steps": closedFormSteps(huge)},
	}
	for _, g := range growths {
		f, table, largest, err := g.measure(ctx)
		if err != nil {
			return site.Page{}, err
		}
		page.Figures = append(page.Figures, f.Named(g.id))
		page.Tables = append(page.Tables, table)
		b := g.battles[len(g.battles)-1]
		page.Values[g.id+" battle"] = triple(b)
		page.Values[g.id+" digits"] = len(largest.Prefixes.String())
		page.Values[g.id+" cells"] = chapter.Thousands(largest.Cells)
		page.Values[g.id+" waves"] = b.Play(game.DefendersFirst).Waves
		page.Values[g.id+" steps"] = closedFormSteps(b)
	}
	return page, nil
}

// measure counts the operations of a family. It also returns the counts of its largest battle.
func (g growth) measure(ctx context.Context) (content.Figure, content.Table, game.Counts, error) {
	series := []figure.Series{{Name: "search, path by path"}, {Name: "counting, cell by cell"}, {Name: "heuristic, wave by wave"}, {Name: "closed form, step by step"}}
	table := content.Table{ID: g.id, RowHeader: true, Header: []content.Cell{
		content.Rich(md("$%s$", g.size)), content.Rich("$(n, s, d)$"), content.Text("search"), content.Text("counting"), content.Text("heuristic"), content.Text("closed form"),
	}}
	var counts game.Counts
	for _, b := range g.battles {
		var err error
		if counts, err = b.Count(ctx, game.CountOptions{}); err != nil {
			return content.Figure{}, table, counts, err
		}
		waves, steps := b.Play(game.DefendersFirst).Waves, closedFormSteps(b)
		search, _ := new(big.Float).SetInt(counts.Prefixes).Float64()
		for i, y := range []float64{search, float64(counts.Cells), float64(waves), float64(steps)} {
			series[i].Points = append(series[i].Points, figure.Point{X: float64(g.sizeOf(b)), Y: y})
		}
		table.Rows = append(table.Rows, []content.Cell{
			content.Int(g.sizeOf(b)), content.Text(triple(b)), content.BigInt(counts.Prefixes), content.Int(counts.Cells), content.Int(waves), content.Int(steps),
		})
	}
	f, err := figure.Cost{Title: g.title, XLabel: g.label, YLabel: "operations", Series: series}.Figure()
	return f, table, counts, err
}

// closedFormSteps counts the steps of the closed form as the derivation writes it: one for the case, one for the wave of
// the fall, and one per wave of the hunt, which is how k(x) is found.
func closedFormSteps(b game.Battle) int64 {
	solution := b.Solve()
	if solution.Winner != game.Soldiers {
		return 1
	}
	return 2 + solution.MinWaves - solution.FallWave
}
