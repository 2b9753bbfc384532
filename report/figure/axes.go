package figure

import (
	"math"
)

// Axis describes one axis of a figure.
type Axis struct {
	// Label names the quantity with its unit, such as "castle hits per soldier, s/n".
	Label string
	// Min and Max are the ends of the axis. On a map they are the outer edges of the first and the last cell and must
	// be given; on a chart Min = Max = 0 means the range of the data.
	Min, Max float64
}

// Cells is the axis of a map whose columns (or rows) stand for the integers first..last, shown divided by per: cell k
// is centred at k/per. It needs last >= first and per > 0; the map's validation reports anything else.
func Cells(label string, first, last int, per float64) Axis {
	return Axis{Label: label, Min: (float64(first) - 0.5) / per, Max: (float64(last) + 0.5) / per}
}

// frame is the layout of one set of axes: where the data goes and what stands around it.
type frame struct {
	data           box
	x, y           scale
	xTicks, yTicks []tick
	xLabel, yLabel string
	title          string // of a panel, above the axis title
	grid           bool
}

// Distances around the data area.
const (
	tickLength = 4.0
	tickGap    = 4.0
	outerGap   = 4.0
	footGap    = 7.0 // below the ticks; at the corner a label of either axis passes the other
)

// yGutter is the room left of the data for the tick labels.
func yGutter(ticks []tick) float64 {
	w := 0.0
	for _, t := range ticks {
		w = max(w, textWidth(t.label))
	}
	return math.Ceil(w + tickLength + tickGap + outerGap)
}

// Heights of what stands above and below the data.
const (
	headRoom = 31.0 // the vertical axis's title, horizontal and above the axis so that it reads without tilting the head
	footRoom = 50.0 // tick labels and the horizontal axis's title
)

// at places a point of the data.
func (f *frame) at(x, y float64) pos { return pos{f.x.px(f.data, x), f.y.py(f.data, y)} }

// draw paints grid, ticks and titles; data goes on top of it.
func (f *frame) draw(s *stage) {
	d, axis := f.data, solidLine(s.muted, 1)
	if f.grid {
		for _, t := range f.yTicks {
			y := f.y.py(d, t.value)
			s.line(solidLine(s.grid, 1), pos{d.x0, y}, pos{d.x1, y})
		}
	}
	for _, t := range f.yTicks {
		y := f.y.py(d, t.value)
		s.line(axis, pos{d.x0 - tickLength, y}, pos{d.x0, y})
	}
	for _, t := range f.xTicks {
		x := f.x.px(d, t.value)
		s.line(axis, pos{x, d.y1}, pos{x, d.y1 + tickLength})
	}
	s.line(axis, pos{d.x0, d.y1}, pos{d.x1, d.y1})
	for _, t := range f.yTicks {
		s.label(pos{d.x0 - tickLength - tickGap, f.y.py(d, t.value)}, t.label, end, s.muted)
	}
	foot := d.y1 + tickLength + footGap
	for _, t := range f.xTicks {
		s.text(pos{f.x.px(d, t.value), foot}, t.label, textStyle{colour: s.muted, anchor: middle, shift: hang})
	}
	y := d.y0 - 11
	if f.yLabel != "" {
		s.text(pos{outerGap, y}, f.yLabel, textStyle{colour: s.muted, shift: sit})
		y -= lineHeight
	}
	s.text(pos{outerGap, y}, f.title, textStyle{colour: s.ink, shift: sit})
	s.text(pos{d.x1, foot + lineHeight + 1}, f.xLabel, textStyle{colour: s.muted, anchor: end, shift: hang})
}
