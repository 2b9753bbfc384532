package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// endLabel is the name of a line beside its last point.
type endLabel struct {
	lines  []string
	x, y   float64 // left end, middle of the block
	from   pos
	stroke *stroke // nil for a reference
	leader bool
}

func (e endLabel) height() float64 { return float64(len(e.lines)) * lineHeight }

// chartPanel is one set of axes, laid out.
type chartPanel struct {
	frame
	series []Series
	labels []endLabel
}

const (
	nameWidth  = 120.0 // a name is broken into lines of about that width
	nameGap    = 12.0
	panelTall  = 300.0
	panelShort = 170.0
	panelGap   = 22.0
)

// figure lays the chart out and draws it.
func (ch *chart) figure() (content.Figure, error) {
	if err := ch.check(); err != nil {
		return content.Figure{}, err
	}
	panels := ch.layout()
	f := content.Figure{Title: ch.title, Alt: ch.describe(), Data: ch.table()}
	if ch.legend {
		for i, name := range ch.names() {
			f.Legend = append(f.Legend, lineEntry(name, strokes[i]))
		}
	}
	return finish(f, Width, panels[len(panels)-1].data.y1+footRoom, func(s *stage) {
		for _, p := range panels {
			ch.paint(s, p)
		}
	}), nil
}

// layout puts the panels one below the other.
func (ch *chart) layout() []*chartPanel {
	x, y := ch.scales()
	proto := frame{x: x, y: y, xTicks: x.ticks(xTickCount), yTicks: y.ticks(yTickCount), grid: true}
	left, right := yGutter(proto.yTicks), Width-ch.nameColumn()
	proto.xTicks = spread(proto.xTicks, x, right-left)
	tall := panelTall
	if len(ch.panels) > 1 {
		tall = panelShort
	}
	var panels []*chartPanel
	top := headRoom
	for i, p := range ch.panels {
		cp := &chartPanel{frame: proto, series: p.Series}
		cp.title = p.Title
		if p.Title != "" {
			top += lineHeight
		}
		cp.data = box{left, top, right, top + tall}
		top = cp.data.y1 + tickLength + footGap + lineHeight + panelGap
		if i == 0 {
			cp.yLabel = ch.y.Label
		}
		if i == len(ch.panels)-1 {
			cp.xLabel = ch.x.Label
		}
		ch.nameLines(cp)
		panels = append(panels, cp)
	}
	return panels
}

// names lists the different names of all panels. Their order is that of the strokes: "soldiers" looks the same in each.
func (ch *chart) names() []string {
	var names []string
	for _, p := range ch.panels {
		for _, s := range p.Series {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// stroke is how a series looks.
func (ch *chart) stroke(s Series) *stroke { return &strokes[slices.Index(ch.names(), s.Name)] }

// nameText breaks a series' name, with its note, into lines.
func (ch *chart) nameText(s Series) []string {
	lines := wrap(s.Name, nameWidth)
	if note := ch.noteOn(s); note != "" {
		lines = append(lines, note)
	}
	return lines
}

// nameColumn is the room at the right for the names that stand there; without any it holds half the last tick's label.
func (ch *chart) nameColumn() float64 {
	w := 0.0
	for _, p := range ch.panels {
		for _, s := range ch.namedAtEnd(p.Series) {
			w = max(w, widest(ch.nameText(s)))
		}
	}
	for _, r := range ch.references {
		w = max(w, widest(wrap(r.Label, nameWidth)))
	}
	return math.Ceil(min(w, 220) + nameGap + outerGap)
}

// namedAtEnd lists the series whose names stand at their last points: all, or none if there is a legend.
func (ch *chart) namedAtEnd(series []Series) []Series {
	if ch.legend {
		return nil
	}
	return series
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

// nameLines names every line at its last point: right there where a line ends early and there is room, else in the column
// beside the data, as near as the names fit without overlap; a thin leader joins a name to an end it had to leave.
func (ch *chart) nameLines(p *chartPanel) {
	room := &placer{within: p.data}
	for i, s := range p.series {
		room.addLine(i, ch.corners(p, s))
	}
	beside := p.data.x1 + nameGap
	var column []endLabel
	for _, s := range ch.namedAtEnd(p.series) {
		last := s.Points[len(s.Points)-1]
		from := p.at(last.X, last.Y)
		l := endLabel{lines: ch.nameText(s), from: from, x: beside, y: from[1], stroke: ch.stroke(s)}
		if b, ok := room.atEnd(from, widest(l.lines), l.height()); ok && beside-from[0] > 3*nameGap {
			l.x, l.y = b.x0, b.middle()[1]
			p.labels = append(p.labels, l)
			continue
		}
		column = append(column, l)
	}
	for _, r := range ch.references {
		y := p.y.py(p.data, r.Y)
		column = append(column, endLabel{lines: wrap(r.Label, nameWidth), from: pos{p.data.x1, y}, x: beside, y: y})
	}
	relax(column, p.data.y0-8, p.data.y1+8)
	for _, l := range column {
		l.leader = l.x-l.from[0] > 2*nameGap || math.Abs(l.y-l.from[1]) > 5
		p.labels = append(p.labels, l)
	}
}

// corners is a line as it is drawn, in pixels.
func (ch *chart) corners(p *chartPanel, s Series) []pos {
	var out []pos
	for i, q := range s.Points {
		at := p.at(q.X, q.Y)
		if ch.steps && i > 0 {
			out = append(out, pos{at[0], out[len(out)-1][1]})
		}
		out = append(out, at)
	}
	return out
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

// paint draws one panel.
func (ch *chart) paint(s *stage, p *chartPanel) {
	p.draw(s)
	for _, r := range ch.references {
		y := p.y.py(p.data, r.Y)
		dashed := draw.LineStyle{Color: s.muted, Width: 1.25, Dashes: []vg.Length{4, 3}}
		s.line(dashed, pos{p.data.x0, y}, pos{p.data.x1, y})
	}
	for _, sr := range p.series {
		k := ch.stroke(sr)
		if len(sr.Points) > 1 {
			line := k.curve(sr.Points, s.theme)
			if ch.steps {
				line.StepStyle = plotter.PostStep
			}
			s.plot(p.data, p.x, p.y, line)
		}
		s.plot(p.data, p.x, p.y, k.markers(sr.Points, s))
	}
	for _, l := range p.labels {
		l.paint(s)
	}
}

// paint writes a name, with its leader.
func (e endLabel) paint(s *stage) {
	colour := s.muted
	if e.stroke != nil {
		colour = e.stroke.colour[s.theme]
	}
	if e.leader {
		dotted := draw.LineStyle{Color: s.muted, Width: 0.75, Dashes: []vg.Length{1, 2}}
		s.line(dotted, pos{e.from[0] + 5, e.from[1]}, pos{e.x - 3, e.y})
	}
	top := e.y - e.height()/2
	for i, line := range e.lines {
		s.label(pos{e.x, top + (float64(i)+0.5)*lineHeight}, line, start, colour)
	}
}
