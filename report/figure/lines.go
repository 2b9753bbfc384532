package figure

import "github.com/siegebook/siegebook/report/content"

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
		panels: []Panel{{Series: l.Series}}, references: l.References, scatter: l.Scatter, stairs: l.Stairs, legend: l.Legend,
	}
}
