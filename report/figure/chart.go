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
	// Points are 1 to 10,000 points, x strictly ascending (in a scatter chart: not descending).
	Points []Point
}

// chart is what traces, cost charts and line charts share.
type chart struct {
	kind, title    string
	x, y           Axis
	panels         []Panel
	references     []Reference
	logarithmic    bool // both axes
	steps, scatter bool
	zero           bool // the vertical axis includes zero
	legend         bool // the series are named in the legend, not at their ends
	note           func(Series) string
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
	c.require(len(ch.panels) >= 1 && len(ch.panels) <= maxPanels, "Panels has %d panels; give 1 to %d", len(ch.panels), maxPanels)
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
	c.require(len(ch.references) <= maxReferences, "References has %d lines; give at most %d", len(ch.references), maxReferences)
	for i, r := range ch.references {
		c.name(fmt.Sprintf("References[%d].Label", i), r.Label)
		c.finite(fmt.Sprintf("References[%d].Y", i), r.Y)
	}
	return c.err
}

func (ch *chart) checkSeries(c *checker, prefix string, series []Series) {
	c.require(len(series) >= 1 && len(series) <= maxSeries, "%sSeries has %d series; give 1 to %d", prefix, len(series), maxSeries)
	names := map[string]bool{}
	for i, s := range series {
		field := fmt.Sprintf("%sSeries[%d]", prefix, i)
		c.name(field+".Name", s.Name)
		c.require(!names[s.Name], "%s.Name %q occurs twice; name every series differently", field, s.Name)
		names[s.Name] = true
		c.require(len(s.Points) >= 1 && len(s.Points) <= maxPoints, "%s.Points has %d points; give 1 to %d", field, len(s.Points), maxPoints)
		for j, p := range s.Points {
			at := fmt.Sprintf("%s.Points[%d]", field, j)
			c.finite(at+".X", p.X)
			c.finite(at+".Y", p.Y)
			if ch.logarithmic {
				c.require(p.X > 0 && p.Y > 0, "%s is (%v, %v); logarithmic axes need both positive", at, p.X, p.Y)
			}
			if j > 0 {
				last := s.Points[j-1].X
				c.require(p.X > last || ch.scatter && p.X == last, "%s.X is %v after %v; sort the points by x", at, p.X, last)
			}
		}
	}
}

// scales finds the ranges: both ends on round values vertically, a little air horizontally.
func (ch *chart) scales() (x, y scale) {
	x, y = scale{min: math.Inf(1), max: math.Inf(-1), log: ch.logarithmic}, scale{min: math.Inf(1), max: math.Inf(-1), log: ch.logarithmic}
	for _, p := range ch.panels {
		for _, s := range p.Series {
			for _, q := range s.Points {
				x.min, x.max = min(x.min, q.X), max(x.max, q.X)
				y.min, y.max = min(y.min, q.Y), max(y.max, q.Y)
			}
		}
	}
	for _, r := range ch.references {
		y.min, y.max = min(y.min, r.Y), max(y.max, r.Y)
	}
	if ch.logarithmic {
		return x.padLog(), y.padLog()
	}
	if ch.zero {
		y.min, y.max = min(y.min, 0), max(y.max, 0)
	}
	x, y = x.pad(), y.round()
	if ch.x.Min < ch.x.Max {
		x.min, x.max = ch.x.Min, ch.x.Max
	}
	if ch.y.Min < ch.y.Max {
		y.min, y.max = ch.y.Min, ch.y.Max
	}
	return x, y
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
