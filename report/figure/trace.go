package figure

import "github.com/siegebook/siegebook/report/content"

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
