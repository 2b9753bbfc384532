package figure

import (
	"math"

	"github.com/siegebook/siegebook/report/content"
)

// Lines shows series over linear axes, with reference lines, such as a ratio that converges to φ.
type Lines struct {
	// Title says what is shown; required.
	Title string
	// X and Y label the axes; with Min = Max = 0 the data decides the range.
	X, Y Axis
	// Series are the lines, 1 to 6.
	Series []Series
	// References are horizontal lines, at most 4.
	References []Reference
	// Scatter draws the points without lines between them.
	Scatter bool
	// Stairs names the series that jump: their value holds until the next point.
	Stairs []string
	// Legend names the series below the drawing instead of at their ends, for ends so close together that leaders to
	// their names would cross.
	Legend bool
}

// Reference is a labelled horizontal line.
type Reference struct {
	// Label stands beside the line; required.
	Label string
	// Y is its height in data coordinates, finite.
	Y float64
}

// Figure draws the chart. It fails if a field breaks its rule above.
func (l Lines) Figure() (content.Figure, error) { return l.chart().figure() }

func (l Lines) chart() *chart {
	return &chart{
		kind: "Lines", title: l.Title, x: l.X, y: l.Y,
		panels: []Panel{{Series: l.Series}}, references: l.References, scatter: l.Scatter, stairs: l.Stairs,
		legend: l.Legend,
	}
}

// Trace shows how quantities change from day to day: one panel per battle, one line per quantity, named at its end.
// Panels stand one below the other, so that each keeps its width on a phone, and share both scales.
type Trace struct {
	// Title says what is shown; XLabel and YLabel name the axes with their units; all required.
	Title, XLabel, YLabel string
	// Panels are the battles, 1 to 4. To lay battles over each other, give one panel all the series.
	Panels []Panel
	// Steps draws staircases: a value holds until the next point.
	Steps bool
}

// Panel is one set of axes of a trace.
type Panel struct {
	// Title stands above the panel; required if there are several.
	Title string
	// Series are the lines, 1 to 6. Series of one name look alike in all panels, which may have 6 different names.
	Series []Series
}

// Figure draws the trace. It fails if a field breaks its rule above.
func (t Trace) Figure() (content.Figure, error) { return t.chart().figure() }

func (t Trace) chart() *chart {
	return &chart{
		kind: "Trace", title: t.Title, x: Axis{Label: t.XLabel}, y: Axis{Label: t.YLabel},
		panels: t.Panels, steps: t.Steps, zero: true,
	}
}

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
