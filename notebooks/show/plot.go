//go:build !wasip1

package show

import (
	"reflect"

	"github.com/siegebook/siegebook/report/figure"
)

// Plot shows a plot of gonum.org/v1/plot, a *plot.Plot, as [Figure] shows a drawing: see [figure.Plot]. The alternative
// text says what the plot shows; the ranges of its data are added, and it may be empty. For a plot with a control, or
// one of another height, give [Slider] or Figure a figure.Plot.
func Plot(p figure.Drawer, alt string) { Figure(figure.Plot{Plot: p, Alt: alt}) }

func init() {
	plotted = func(v any) Drawing {
		if p, is := v.(figure.Drawer); is && reflect.TypeOf(v).String() == "*plot.Plot" {
			return figure.Plot{Plot: p}
		}
		return nil
	}
}
