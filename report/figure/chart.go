package figure

import (
	"fmt"
	"math"
)

// Limits of a chart.
const (
	maxSeries     = 6
	maxPoints     = 10_000
	maxPanels     = 4
	maxReferences = 4
)

// Series is a named sequence of points.
type Series struct {
	// Name stands at the line's end, or in the legend; required, unique within a panel.
	Name string
	// Points are 1 to 10,000 points, x strictly ascending.
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
	zero        bool                // the vertical axis includes zero
	legend      bool                // the series are named in the legend, not at their ends
	note        func(Series) string // what stands with a name; nil for nothing
}

// noteOn is what stands with the name of a series.
func (ch *chart) noteOn(s Series) string {
	if ch.note == nil {
		return ""
	}
	return ch.note(s)
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
	c.require(n <= maxSeries, "the panels have %d different series names, more than %d looks; use fewer names", n, maxSeries)
	c.size("References", len(ch.references), 0, maxReferences, "lines")
	for i, r := range ch.references {
		c.name(fmt.Sprintf("References[%d].Label", i), r.Label)
		c.finite(fmt.Sprintf("References[%d].Y", i), r.Y)
	}
	return c.err
}

func (ch *chart) checkSeries(c *checker, prefix string, series []Series) {
	c.size(prefix+"Series", len(series), 1, maxSeries, "series")
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
			c.require(p.X > last, "%s.Points[%d].X is %v after %v; sort the points by x", field, j, p.X, last)
			last = p.X
		}
	}
}

// include widens the range to a value.
func (s *scale) include(v float64) { s.min, s.max = min(s.min, v), max(s.max, v) }

// within is the scale with the ends that an axis gives, if it does.
func (s scale) within(a Axis) scale {
	if a.Min < a.Max {
		s.min, s.max = a.Min, a.Max
	}
	return s
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

// opened widens a range that is a point, or too narrow to compute with.
func (s scale) opened() scale {
	if size := max(math.Abs(s.min), math.Abs(s.max)); s.max-s.min <= 1e-9*size {
		by := max(size/2, math.SmallestNonzeroFloat64)
		if size == 0 {
			by = 1
		}
		s.min, s.max = s.min-by, s.max+by
	}
	return s
}

// pad leaves air for the markers at both ends.
func (s scale) pad() scale {
	s = s.opened()
	air := (s.max - s.min) * 0.025
	s.min, s.max = s.min-air, s.max+air
	return s
}

// round widens the range to whole steps of its ticks.
func (s scale) round() scale {
	s = s.opened()
	step := niceStep((s.max - s.min) / yTickCount)
	s.min, s.max = math.Floor(s.min/step+1e-9)*step, math.Ceil(s.max/step-1e-9)*step
	return s
}

// padLog leaves air on a logarithmic scale, and makes it span a decade at least.
func (s scale) padLog() scale {
	lo, hi := math.Log10(s.min), math.Log10(s.max)
	if hi-lo < 1 {
		mid := (lo + hi) / 2
		lo, hi = mid-0.5, mid+0.5
	}
	air := (hi - lo) * 0.04
	s.min, s.max = math.Pow(10, lo-air), math.Pow(10, hi+air)
	return s
}

// Counts of ticks to aim at.
const (
	xTickCount = 7
	yTickCount = 5
)
