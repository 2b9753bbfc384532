package figure

import (
	"fmt"
	"math"
	"slices"
)

// MaxSeries is the most lines of a chart: there are so many looks.
const MaxSeries = 6

// Limits of a chart.
const (
	maxPoints     = 10_000
	maxPanels     = 4
	maxReferences = 4
)

// Series is a named sequence of points.
type Series struct {
	// Name stands at the line's end, or in the legend; required, unique within a panel.
	Name string
	// Points are 1 to 10,000 points, x strictly ascending (in a scatter chart: not descending).
	Points []Point
}

// chart is what traces, cost charts and line charts share.
type chart struct {
	kind, title string
	x, y        Axis
	panels      []Panel
	references  []Reference
	logarithmic bool // both axes
	steps       bool
	stairs      []string // names of the series that are staircases although the others are not
	scatter     bool     // points without lines
	zero        bool     // the vertical axis includes zero
	legend      bool     // the series are named in the legend, not at their ends
	slopes      bool     // each name has the slope of its line
}

// note is what stands with the name of a series.
func (ch *chart) note(s Series) string {
	if k, ok := slope(s.Points); ok && ch.slopes {
		return fmt.Sprintf("slope %.2f", k)
	}
	return ""
}

// check validates the input.
func (ch *chart) check() error {
	c := checker{kind: ch.kind}
	c.name("Title", ch.title)
	for _, a := range []struct {
		field string
		axis  Axis
	}{{"X", ch.x}, {"Y", ch.y}} {
		if a.axis.Min == 0 && a.axis.Max == 0 {
			c.name(a.field+"'s label", a.axis.Label)
		} else {
			c.axis(a.field, a.axis)
		}
	}
	c.size("Panels", len(ch.panels), 1, maxPanels, "panels")
	for i, p := range ch.panels {
		field := ""
		if len(ch.panels) > 1 {
			field = fmt.Sprintf("Panels[%d].", i)
			c.name(field+"Title", p.Title)
		}
		c.text("Panels.Title", p.Title)
		ch.checkSeries(&c, field, p.Series)
	}
	n := len(ch.names())
	c.require(n <= MaxSeries, "the panels have %d different series names, more than %d looks; use fewer names", n,
		MaxSeries)
	for _, name := range ch.stairs {
		c.require(slices.Contains(ch.names(), name), "Stairs has %q, which is no series; name series", name)
	}
	c.size("References", len(ch.references), 0, maxReferences, "lines")
	for i, r := range ch.references {
		c.name(fmt.Sprintf("References[%d].Label", i), r.Label)
		c.finite(fmt.Sprintf("References[%d].Y", i), r.Y)
	}
	return c.err
}

func (ch *chart) checkSeries(c *checker, prefix string, series []Series) {
	c.size(prefix+"Series", len(series), 1, MaxSeries, "series")
	names := map[string]bool{}
	for i, s := range series {
		field := fmt.Sprintf("%sSeries[%d]", prefix, i)
		c.name(field+".Name", s.Name)
		c.require(!names[s.Name], "%s.Name %q occurs twice; name every series differently", field, s.Name)
		names[s.Name] = true
		c.size(field+".Points", len(s.Points), 1, maxPoints, "points")
		last := math.Inf(-1)
		for j, p := range s.Points {
			c.point(field, j, p)
			positive := p.X > 0 && p.Y > 0 || !ch.logarithmic
			c.require(positive, "%s.Points[%d] is (%v, %v); logarithmic axes need both positive", field, j, p.X, p.Y)
			c.require(p.X > last || ch.scatter && p.X == last, "%s.Points[%d].X is %v after %v; sort the points by x", field, j,
				p.X, last)
			last = p.X
		}
	}
}

// scales finds the ranges: both ends on round values vertically, a little air horizontally.
func (ch *chart) scales() (x, y scale) {
	x = scale{min: math.Inf(1), max: math.Inf(-1), log: ch.logarithmic}
	y = x
	for _, p := range ch.panels {
		for _, s := range p.Series {
			for _, q := range s.Points {
				x.include(q.X)
				y.include(q.Y)
			}
		}
	}
	for _, r := range ch.references {
		y.include(r.Y)
	}
	if ch.logarithmic {
		return x.padLog(), y.padLog()
	}
	if ch.zero {
		y.include(0)
	}
	return x.pad().within(ch.x), y.round().within(ch.y)
}

// Counts of ticks to aim at.
const (
	xTickCount = 7
	yTickCount = 5
)
