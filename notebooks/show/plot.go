//go:build !wasip1

package show

import (
	"reflect"

	"github.com/siegebook/siegebook/report/figure"
)

// Plot shows a plot of gonum.org/v1/plot, a *plot.Plot, as [Figure] shows a drawing: see [figure.Plot]. The
// alternative text says what the plot shows; it may be empty. The ranges of the plot's data are added to it. For a
// plot with a control, or with another height, pass a figure.Plot to [Slider] or Figure.
func Plot(p figure.Drawer, alt string) { Figure(figure.Plot{Plot: p, Alt: alt}) }

func init() {
	plotted = func(v any) Drawing {
		if p, is := v.(figure.Drawer); is && reflect.TypeOf(v).String() == "*plot.Plot" {
			return figure.Plot{Plot: p}
		}
		return nil
	}
}
