package castle

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/figure"
)

// growth is a family of battles of increasing size, in which operations are counted.
type growth struct {
	id, title, label string
	size             string // name of what grows
	sizes            []int64
	battle           func(size int64) game.Battle
}

var growths = []growth{
	{
		"cost", "Counted operations as the whole battle grows: (n, 5n/2, 4n/5)", "soldiers n", "n",
		[]int64{5, 10, 15, 20, 30, 40, 60, 80},
		func(n int64) game.Battle { return Battle(n, n*5/2, n*4/5) },
	},
	{
		"cost-castle", "Counted operations as the castle grows: (12, s, 10)", "castle hits s", "s",
		[]int64{20, 30, 40, 60, 80, 120, 160, 240, 320},
		func(s int64) game.Battle { return Battle(12, s, 10) },
	},
}

// measured are the counted operations of a family: for each of its battles those of the algorithms, by their names.
type measured struct {
	growth
	operations []map[string]*big.Int
}

// measure counts the operations of a family.
func (g growth) measure(ctx context.Context) measured {
	m := measured{growth: g}
	for _, size := range g.sizes {
		m.operations = append(m.operations, chapter.Get(g.battle(size).Operations(ctx, game.Algorithms())))
	}
	return m
}

// most are the operations for the last battle.
func (m measured) most() map[string]*big.Int { return m.operations[len(m.operations)-1] }

// counted are the algorithms whose operations are counted, from the most expensive to the cheapest by the largest
// battle.
func (m measured) counted() []game.Algorithm {
	all := slices.DeleteFunc(game.Algorithms(), func(a game.Algorithm) bool { return a.Cost.Count == nil })
	slices.SortStableFunc(all, func(a, b game.Algorithm) int { return m.most()[b.Name].Cmp(m.most()[a.Name]) })
	return all
}

// linesOf chooses the algorithms that have a line in the charts, in their order. Where there are too many, heuristics,
// which are much alike, give way to the others.
func linesOf(algorithms []game.Algorithm) (drawn, left []game.Algorithm) {
	heuristic := func(a game.Algorithm) bool { return a.Kind == game.Heuristic }
	exact := slices.DeleteFunc(slices.Clone(algorithms), heuristic)
	heuristics := slices.DeleteFunc(slices.Clone(algorithms), func(a game.Algorithm) bool { return !heuristic(a) })
	_, left = plotted(append(exact, heuristics...))
	drawn = slices.DeleteFunc(slices.Clone(algorithms), func(a game.Algorithm) bool {
		return slices.ContainsFunc(left, func(l game.Algorithm) bool { return l.Name == a.Name })
	})
	return drawn, left
}

func (g growth) largest() game.Battle { return g.battle(g.sizes[len(g.sizes)-1]) }

// costPage counts operations, not seconds, so that the page is the same on every machine.
func costPage(ctx context.Context) site.Page {
	// Neighbouring Fibonacci numbers n = F(91) and x = s + d - 2n = F(90): the longest hunt that 64 bits hold.
	n, x := int64(phi.Fib(91)), int64(phi.Fib(90))
	huge := Battle(n, n+x, n)
	page := site.Page{
		Values: map[string]any{
			"huge":       content.ForPeople(huge.String()), // too long for one line
			"huge steps": huge.Solve().Steps(),
		},
		Tables: []content.Table{lawTable()},
	}
	var algorithms []game.Algorithm // in the order of the first family
	for _, g := range growths {
		m := g.measure(ctx)
		if algorithms == nil {
			algorithms = m.counted()
		}
		drawn, left := linesOf(algorithms)
		chapter.Draw(&page, g.id, m.chart(drawn))
		page.Values["left out"] = say("left out", left)
		page.Tables = append(page.Tables, m.table(algorithms))
		largest := m.most()
		page.Values[g.id+" battle"] = Triple(g.largest())
		page.Values[g.id+" digits"] = len(largest["search"].String())
		page.Values[g.id+" cells"] = chapter.BigThousands(largest["counting"])
		page.Values[g.id+" waves"] = largest["defenders-first"]
		page.Values[g.id+" steps"] = largest["exact"]
	}
	return page
}

// chart draws a line for each of some algorithms.
func (m measured) chart(algorithms []game.Algorithm) figure.Cost {
	chart := figure.Cost{Title: m.title, XLabel: m.label, YLabel: "operations"}
	for _, a := range algorithms {
		series := figure.Series{Name: method(a) + ", " + a.Cost.Each}
		for i, size := range m.sizes {
			y, _ := new(big.Float).SetInt(m.operations[i][a.Name]).Float64()
			series.Points = append(series.Points, figure.Point{X: float64(size), Y: y})
		}
		chart.Series = append(chart.Series, series)
	}
	return chart
}

// table lists the operations of algorithms.
func (m measured) table(algorithms []game.Algorithm) content.Table {
	table := chapter.Table(m.id, chapter.MD("$%s$", m.size), chapter.MD("$(n, s, d)$"))
	for _, a := range algorithms {
		table.Header = append(table.Header, content.Text(method(a)))
	}
	for i, size := range m.sizes {
		row := content.Row(size, Triple(m.battle(size)))
		for _, a := range algorithms {
			row = append(row, content.BigInt(m.operations[i][a.Name]))
		}
		table.Add(row)
	}
	return table
}

// method is what the costs of an algorithm call it.
func method(a game.Algorithm) string { return cmp.Or(a.Cost.Method, a.Title) }

// lawTable lists where every algorithm is from, and how its cost grows.
func lawTable() content.Table {
	table := chapter.Table("laws", "algorithm", "from", "operations")
	for _, a := range game.Algorithms() {
		table.Add(method(a), a.Source, a.Cost.Law)
	}
	return table
}
