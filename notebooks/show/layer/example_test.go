package layer_test

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/layer"
	"github.com/siegebook/siegebook/report/figure"
)

// This example draws a line on top of a map.
func Example() {
	m := figure.PhaseMap{
		Title: "Larger number", X: figure.Cells("x", 1, 2, 1), Y: figure.Cells("y", 1, 2, 1), W: 2, H: 2,
		Cells: []int{1, 2, 2, 2}, One: "unit", Many: "units",
	}
	border := plotter.NewFunction(func(x float64) float64 { return 3 - x })

	p := plot.New()
	p.Title.Text = "A map and a border"
	p.X.Label.Text, p.Y.Label.Text = "x", "y"
	p.Add(layer.Of(m), border)
	p.Legend.Add("border", border)
	show.Plot(p, "The border passes the smallest sum.")
	// Output:
	// A map and a border
	// The border passes the smallest sum. Plot of y against x. Border: 21 points, x 0.5 to 2.5, y 0.5 to 2.5. Map of 2 by 2 cells; x is x, from 1 to 2; y is y, from 1 to 2. 1 unit 1 cell (25.0 %) and 2 units 3 cells (75.0 %). The minimum is 1 unit, first at x = 1, y = 1; the maximum is 2 units, first at x = 2, y = 1.
}
