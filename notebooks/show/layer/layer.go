// Package layer draws the maps of package figure on plots of gonum.org/v1/plot:
//
//	p := plot.New()
//	p.Add(layer.Of(pictures.FewestWaves(plane, castle.Battle.MinWaves)))
//	p.Add(plotter.NewFunction(func(x float64) float64 { return math.Phi - x }))
//	show.Plot(p, "fewest waves, and a line of my own")
//
// The map's legend and numbers are shown below the plot.
package layer

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
)

// Figure is a map of package figure that can be drawn on a plot: a PhaseMap or a ShareMap.
type Figure interface {
	Layer() (*figure.Layer, error)
}

// Of returns a plotter that draws a figure on the axes of the plot, without the figure's own axes. It ends the cell if
// the figure breaks a rule of its kind.
func Of(f Figure) plot.Plotter {
	l, err := f.Layer()
	if err != nil {
		show.Fail("layer: cannot draw the figure: %v", err)
	}
	return layer{l}
}

type layer struct{ *figure.Layer }

// Plot draws the layer.
func (l layer) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	l.Paint(c, x, y)
}
