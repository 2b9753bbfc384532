package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

const (
	nameWidth = 120.0 // a name is broken into lines of about that width
	nameGap   = 12.0
)

// endLabel is the name of a line beside its last point.
type endLabel struct {
	lines  []string
	of     Point
	stroke *stroke // nil for a reference
	from   pos     // where the point is
	x, y   float64 // left end, middle of the block
	leader bool
}

func (e endLabel) height() float64 { return float64(len(e.lines)) * lineHeight }

// ends are the names that belong beside the data of a panel: of its lines, unless the legend has them, and of the
// references, which end at the right of the scale.
func (ch *chart) ends(p Panel, x scale) []endLabel {
	var out []endLabel
	if !ch.legend {
		for _, s := range p.Series {
			lines := wrap(s.Name, nameWidth)
			if note := ch.note(s); note != "" {
				lines = append(lines, note)
			}
			out = append(out, endLabel{lines: lines, of: s.Points[len(s.Points)-1], stroke: ch.stroke(s)})
		}
	}
	for _, r := range ch.references {
		out = append(out, endLabel{lines: wrap(r.Label, nameWidth), of: Point{x.max, r.Y}})
	}
	return out
}

// nameColumn is the room at the right for the names that stand there; without any it holds half the last tick's label.
func (ch *chart) nameColumn(x scale) float64 {
	w := 0.0
	for _, p := range ch.panels {
		for _, l := range ch.ends(p, x) {
			w = max(w, widest(l.lines))
		}
	}
	return math.Ceil(min(w, 220) + nameGap + outerGap)
}

// wrap breaks a text at spaces into lines of about the width.
func wrap(s string, width float64) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if n := len(lines); n > 0 && textWidth(lines[n-1]+" "+word) <= width {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// nameLines places names at the last points of lines: right there where a line ends early and there is room, else in
// the column beside the data, as near as the names fit without overlap; a thin leader joins a name to an end it had to
// leave.
func (p *chartPanel) nameLines(names []endLabel) {
	room := &placer{within: p.data}
	for i, l := range p.lines {
		room.addLine(i, l)
	}
	beside := p.data.x1 + nameGap
	var column []endLabel
	for _, l := range names {
		l.from = p.at(l.of.X, l.of.Y)
		l.x, l.y = beside, l.from[1]
		if b, ok := room.atEnd(l.from, widest(l.lines), l.height()); ok && beside-l.from[0] > 3*nameGap {
			l.x, l.y = b.x0, b.middle()[1]
			p.labels = append(p.labels, l)
			continue
		}
		column = append(column, l)
	}
	relax(column, p.data.y0-8, p.data.y1+8)
	for _, l := range column {
		l.leader = l.x-l.from[0] > 2*nameGap || math.Abs(l.y-l.from[1]) > 5
		p.labels = append(p.labels, l)
	}
}

// relax moves the labels apart within lo..hi, keeping their order by height and each as near to its place as the pile
// it belongs to allows: piles that touch merge and take their mean place.
func relax(labels []endLabel, lo, hi float64) {
	type pile struct {
		labels      []*endLabel
		top, bottom float64
	}
	settle := func(labels []*endLabel) pile {
		sum, height := 0.0, 0.0
		for _, l := range labels {
			sum += l.y - height - l.height()/2
			height += l.height()
		}
		top := max(lo, min(hi-height, sum/float64(len(labels))))
		return pile{labels, top, top + height}
	}
	var order []*endLabel
	for i := range labels {
		order = append(order, &labels[i])
	}
	slices.SortStableFunc(order, func(a, b *endLabel) int { return cmp.Compare(a.y, b.y) })
	var piles []pile
	for _, l := range order {
		p := settle([]*endLabel{l})
		for n := len(piles); n > 0 && piles[n-1].bottom > p.top; n = len(piles) {
			p = settle(slices.Concat(piles[n-1].labels, p.labels))
			piles = piles[:n-1]
		}
		piles = append(piles, p)
	}
	for _, p := range piles {
		y := p.top
		for _, l := range p.labels {
			l.y = y + l.height()/2
			y += l.height()
		}
	}
}

// paint writes a name, with its leader.
func (e endLabel) paint(s *stage) {
	colour := s.muted
	if e.stroke != nil {
		colour = e.stroke.colour[s.theme]
	}
	if e.leader {
		dotted := pen.LineStyle{Color: s.muted, Width: 0.75, Dashes: []pen.Length{1, 2}}
		s.line(dotted, pos{e.from[0] + 5, e.from[1]}, pos{e.x - 3, e.y})
	}
	top := e.y - e.height()/2
	for i, line := range e.lines {
		s.label(pos{e.x, top + (float64(i)+0.5)*lineHeight}, line, start, colour)
	}
}
