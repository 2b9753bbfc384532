package figure

import (
	"math"

	"github.com/siegebook/siegebook/report/content"
)

// Cost shows on two logarithmic axes how a cost grows with the size of the input, one line per algorithm.
type Cost struct {
	// Title says what is shown; XLabel and YLabel name the axes with their units; all required.
	Title, XLabel, YLabel string
	// Series are the algorithms, 1 to 6; every coordinate must be positive.
	Series []Series
	// Slopes adds to each name the slope of its line, which is the exponent of a power law: fitted by least squares to
	// the last two thirds of its points, and only where these are three or more.
	Slopes bool
}

// Figure draws the chart. It fails if a field breaks its rule above.
func (c Cost) Figure() (content.Figure, error) {
	ch := chart{
		kind: "Cost", title: c.Title, x: Axis{Label: c.XLabel}, y: Axis{Label: c.YLabel},
		panels: []Panel{{Series: c.Series}}, logarithmic: true, slopes: c.Slopes,
	}
	return ch.figure()
}

// slope fits log y = a + k log x to the last two thirds of the points, where lower-order terms weigh least.
func slope(pts []Point) (k float64, ok bool) {
	pts = pts[len(pts)/3:]
	if len(pts) < 3 {
		return 0, false
	}
	var sx, sy float64
	for _, p := range pts {
		sx += math.Log(p.X)
		sy += math.Log(p.Y)
	}
	n := float64(len(pts))
	var sxx, sxy float64
	for _, p := range pts {
		dx := math.Log(p.X) - sx/n
		sxx += dx * dx
		sxy += dx * (math.Log(p.Y) - sy/n)
	}
	return sxy / sxx, true
}
