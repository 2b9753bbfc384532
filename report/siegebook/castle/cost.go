package castle

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// growth is a family of battles of increasing size, in which we count operations.
type growth struct {
	id, title, label string
	size             string // the name of the growing number
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

// Measured holds the operations that each algorithm needs for each battle of a family.
type Measured struct {
	growth
	operations []map[string]*big.Int
}

// measure counts the operations of a family.
func (g growth) measure() Measured {
	m := Measured{growth: g}
	for _, size := range g.sizes {
		counted := chapter.Must(g.battle(size).Operations(context.Background(), game.Algorithms()))
		m.operations = append(m.operations, counted)
	}
	return m
}

// Measure counts the operations for both families: in one the whole battle grows, in the other only the castle. Unlike
// seconds, operations are the same on every machine.
func Measure() (whole, castle Measured) { return growths[0].measure(), growths[1].measure() }

// Most returns each algorithm's number of operations for the last battle.
func (m Measured) Most() map[string]*big.Int { return m.operations[len(m.operations)-1] }

// Counted returns the algorithms whose operations are counted, from the most to the fewest operations for the largest
// battle.
func (m Measured) Counted() []game.Algorithm {
	all := slices.DeleteFunc(game.Algorithms(), func(a game.Algorithm) bool { return a.Cost.Count == nil })
	slices.SortStableFunc(all, func(a, b game.Algorithm) int { return m.Most()[b.Name].Cmp(m.Most()[a.Name]) })
	return all
}

// LinesOf chooses the algorithms that have a line in the charts, in their order. If there are too many algorithms, it
// omits heuristics, because they are similar to each other.
func LinesOf(algorithms []game.Algorithm) (drawn, left []game.Algorithm) {
	heuristic := func(a game.Algorithm) bool { return a.Kind == game.Heuristic }
	exact := slices.DeleteFunc(slices.Clone(algorithms), heuristic)
	heuristics := slices.DeleteFunc(slices.Clone(algorithms), func(a game.Algorithm) bool { return !heuristic(a) })
	_, left = plotted(append(exact, heuristics...))
	drawn = slices.DeleteFunc(slices.Clone(algorithms), func(a game.Algorithm) bool {
		return slices.ContainsFunc(left, func(l game.Algorithm) bool { return l.Name == a.Name })
	})
	return drawn, left
}

// LeftOut says which algorithms have no line.
func LeftOut(left []game.Algorithm) content.Markdown { return say("left out", left) }

// Largest returns the last battle of the family.
func (g growth) Largest() game.Battle { return g.battle(g.sizes[len(g.sizes)-1]) }

// Chart draws a line for each of the algorithms.
func (m Measured) Chart(algorithms []game.Algorithm) figure.Cost {
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

// Table lists the operations of the algorithms.
func (m Measured) Table(algorithms []game.Algorithm) content.Table {
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

// method returns the name of an algorithm in texts about costs.
func method(a game.Algorithm) string { return cmp.Or(a.Cost.Method, a.Title) }

// LawTable lists the source of every algorithm, and how its cost grows.
func LawTable() content.Table {
	table := chapter.Table("laws", "algorithm", "from", "operations")
	for _, a := range game.Algorithms() {
		table.Add(method(a), a.Source, a.Cost.Law)
	}
	return table
}
