//go:build !wasip1

package show

import (
	"reflect"

	"github.com/siegebook/siegebook/report/figure"
)

// Plot shows a plot of gonum.org/v1/plot, a *plot.Plot, as [Figure] shows a drawing: see [figure.Plot]. alt is the
// alternative text, which describes the plot; it may be empty. Plot adds the ranges of the plot's data to it. A size
// may follow. For a plot with a control, pass a figure.Plot to [Slider].
func Plot(p figure.Drawer, alt string, size ...Size) {
	drawn := figure.Plot{Plot: p, Alt: alt}
	for _, of := range size {
		drawn.Width, drawn.Height = of.Width, of.Height
	}
	Figure(drawn)
}

// Size is the size of a picture in CSS pixels; 0 means the default width or height.
type Size struct{ Width, Height int }

// Plots shows a grid of plots, each a *plot.Plot, row by row: see [figure.Plots]. nil leaves a place in the grid empty.
func Plots[P figure.Drawer](alt string, rows ...[]P) {
	grid := figure.Plots{Alt: alt}
	for _, row := range rows {
		var places []figure.Drawer
		for _, p := range row {
			places = append(places, p)
		}
		grid.Rows = append(grid.Rows, places)
	}
	Figure(grid)
}

func init() {
	plotted = func(v any) Drawing {
		if p, is := v.(figure.Drawer); is && reflect.TypeOf(v).String() == "*plot.Plot" {
			return figure.Plot{Plot: p}
		}
		return nil
	}
}
