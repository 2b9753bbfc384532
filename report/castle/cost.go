package castle

import (
	"cmp"
	"context"
	_ "embed"
	"math/big"
	"slices"

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

// counted are the algorithms whose operations are counted, from the dearest to the cheapest by the largest battle of
// the first family.
func counted(ctx context.Context) ([]game.Algorithm, error) {
	all := slices.DeleteFunc(game.Algorithms(), func(a game.Algorithm) bool { return a.Cost.Count == nil })
	costs := map[string]*big.Int{}
	for _, a := range all {
		var err error
		if costs[a.Name], err = a.Cost.Count(ctx, growths[0].largest()); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b game.Algorithm) int { return costs[b.Name].Cmp(costs[a.Name]) })
	return all, nil
}

func (g growth) largest() game.Battle { return g.battles[len(g.battles)-1] }

// costPage counts operations, not seconds, so that the page is the same on every machine.
func costPage(ctx context.Context, _ *survey) (site.Page, error) {
	// Neighbouring Fibonacci numbers n = F(91) and x = s + d - 2n = F(90): the longest hunt that 64 bits hold.
	n, x := int64(phi.Fib(91)), int64(phi.Fib(90))
	huge := game.Battle{Soldiers: n, CastleHits: n + x, DefendersPerWave: n}
	page := site.Page{
		Title: "What each algorithm costs", Nav: "Cost",
		Description: "Counted operations of search, counting, heuristics and closed form as the battle grows.",
		Source:      costSource, File: "report/castle/cost.md",
		Values: map[string]any{"huge": triple(huge), "huge steps": huge.Solve().Steps()},
		Tables: []content.Table{lawTable()},
	}
	algorithms, err := counted(ctx)
	if err != nil {
		return site.Page{}, err
	}
	for _, g := range growths {
		chart, table, largest, err := g.measure(ctx, algorithms)
		if err != nil {
			return site.Page{}, err
		}
		if err := chapter.Draw(&page, g.id, chart); err != nil {
			return site.Page{}, err
		}
		page.Tables = append(page.Tables, table)
		page.Values[g.id+" battle"] = triple(g.largest())
		page.Values[g.id+" digits"] = len(largest["search"].String())
		page.Values[g.id+" cells"] = chapter.BigThousands(largest["counting"])
		page.Values[g.id+" waves"] = largest["defenders-first"]
		page.Values[g.id+" steps"] = largest["exact"]
	}
	return page, nil
}

// measure counts the operations of a family. It also returns those of its largest battle, by the names of the
// algorithms.
func (g growth) measure(ctx context.Context, algorithms []game.Algorithm) (figure.Cost, content.Table, map[string]*big.Int, error) {
	table := chapter.Table(g.id, chapter.MD("$%s$", g.size), chapter.MD("$(n, s, d)$"))
	series := make([]figure.Series, len(algorithms))
	for i, a := range algorithms {
		series[i].Name = method(a) + ", " + a.Cost.Each
		table.Header = append(table.Header, content.Text(method(a)))
	}
	costs := map[string]*big.Int{}
	for _, b := range g.battles {
		row := chapter.Row(g.sizeOf(b), triple(b))
		for i, a := range algorithms {
			var err error
			if costs[a.Name], err = a.Cost.Count(ctx, b); err != nil {
				return figure.Cost{}, table, nil, err
			}
			y, _ := new(big.Float).SetInt(costs[a.Name]).Float64()
			series[i].Points = append(series[i].Points, figure.Point{X: float64(g.sizeOf(b)), Y: y})
			row = append(row, content.BigInt(costs[a.Name]))
		}
		table.Rows = append(table.Rows, row)
	}
	return figure.Cost{Title: g.title, XLabel: g.label, YLabel: "operations", Series: series}, table, costs, nil
}

// method is what the costs of an algorithm call it.
func method(a game.Algorithm) string { return cmp.Or(a.Cost.Method, a.Title) }

// lawTable lists where every algorithm is from, and how its cost grows.
func lawTable() content.Table {
	table := chapter.Table("laws", "algorithm", "from", "operations")
	for _, a := range game.Algorithms() {
		table.Rows = append(table.Rows, chapter.Row(method(a), a.Source, a.Cost.Law))
	}
	return table
}
