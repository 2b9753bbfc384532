package figure

import (
	"math"
	"slices"
	"sort"
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
	from   [2]float64
	stroke int // index of its stroke, -1 for a reference
	leader bool
}

func (e endLabel) height() float64 { return float64(len(e.lines)) * lineHeight }

// chartPanel is one set of axes, laid out.
type chartPanel struct {
	frame  frame
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
	x, y := ch.scales()
	proto := frame{x: x, y: y, xTicks: x.ticks(xTickCount), yTicks: y.ticks(yTickCount), grid: true}
	left, right := yGutter(proto.yTicks), ch.nameColumn()
	proto.xTicks = spread(proto.xTicks, x, Width-left-right)
	tall := panelTall
	if len(ch.panels) > 1 {
		tall = panelShort
	}
	var panels []*chartPanel
	top := 0.0
	for i, p := range ch.panels {
		fr := proto
		if i == 0 {
			fr.yLabel = ch.y.Label
			top += headRoom
		} else {
			top += panelGap
		}
		if p.Title != "" {
			fr.title = p.Title
			top += lineHeight
		}
		fr.data = box{left, top, Width - right, top + tall}
		top = fr.data.y1 + tickLength + footGap + lineHeight
		if i == len(ch.panels)-1 {
			fr.xLabel = ch.x.Label
			top = fr.data.y1 + footRoom
		}
		cp := &chartPanel{frame: fr, series: p.Series}
		ch.nameLines(cp)
		panels = append(panels, cp)
	}
	f := content.Figure{Title: ch.title, Alt: ch.describe(), Data: ch.table()}
	if ch.legend {
		for i, name := range ch.names() {
			f.Legend = append(f.Legend, lineEntry(name, strokes[i]))
		}
	}
	return finish(f, Width, top, func(s *stage) {
		for _, p := range panels {
			ch.paint(s, p)
		}
	}), nil
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

// strokeIndex is the stroke of a series.
func (ch *chart) strokeIndex(name string) int { return slices.Index(ch.names(), name) }

// nameText breaks a series' name, with its note, into lines.
func (ch *chart) nameText(s Series) []string {
	lines := wrap(s.Name, nameWidth)
	if ch.note != nil {
		if n := ch.note(s); n != "" {
			lines = append(lines, n)
		}
	}
	return lines
}

// nameColumn is the room at the right for the names that stand there; without any it holds half the last tick's label.
func (ch *chart) nameColumn() float64 {
	if ch.legend && len(ch.references) == 0 {
		return nameGap + outerGap
	}
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
	fr := &p.frame
	room := &placer{within: fr.data}
	for i, s := range p.series {
		room.addLine(i, ch.corners(fr, s))
	}
	var column []endLabel
	for _, s := range ch.namedAtEnd(p.series) {
		last := s.Points[len(s.Points)-1]
		from := [2]float64{fr.x.px(fr.data, last.X), fr.y.py(fr.data, last.Y)}
		l := endLabel{lines: ch.nameText(s), from: from, x: fr.data.x1 + nameGap, y: from[1], stroke: ch.strokeIndex(s.Name)}
		if b, ok := room.atEnd(from, widest(l.lines), l.height()); ok && l.x-from[0] > 3*nameGap {
			l.x, l.y = b.x0, (b.y0+b.y1)/2
			p.labels = append(p.labels, l)
			continue
		}
		column = append(column, l)
	}
	for _, r := range ch.references {
		y := fr.y.py(fr.data, r.Y)
		column = append(column, endLabel{lines: wrap(r.Label, nameWidth), from: [2]float64{fr.data.x1, y}, x: fr.data.x1 + nameGap, y: y, stroke: -1})
	}
	relax(column, fr.data.y0-8, fr.data.y1+8)
	for i := range column {
		l := &column[i]
		l.leader = l.x-l.from[0] > 2*nameGap || math.Abs(l.y-l.from[1]) > 5
	}
	p.labels = append(p.labels, column...)
}

// corners is a line as it is drawn, in pixels.
func (ch *chart) corners(fr *frame, s Series) [][2]float64 {
	var out [][2]float64
	for i, q := range s.Points {
		at := [2]float64{fr.x.px(fr.data, q.X), fr.y.py(fr.data, q.Y)}
		if ch.steps && i > 0 {
			out = append(out, [2]float64{at[0], out[len(out)-1][1]})
		}
		out = append(out, at)
	}
	return out
}

// relax moves the labels apart within lo..hi, keeping their order by height and each as near to its place as the pile
// it belongs to allows: piles that touch merge and take their mean place.
func relax(labels []endLabel, lo, hi float64) {
	order := make([]int, len(labels))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return labels[order[a]].y < labels[order[b]].y })
	type pile struct {
		members     []int
		top, height float64
	}
	settle := func(p *pile) {
		sum, above := 0.0, 0.0
		for _, m := range p.members {
			sum += labels[m].y - above - labels[m].height()/2
			above += labels[m].height()
		}
		p.height = above
		p.top = max(lo, min(hi-p.height, sum/float64(len(p.members))))
	}
	var piles []pile
	for _, i := range order {
		p := pile{members: []int{i}}
		settle(&p)
		for len(piles) > 0 && piles[len(piles)-1].top+piles[len(piles)-1].height > p.top {
			p.members = append(append([]int{}, piles[len(piles)-1].members...), p.members...)
			piles = piles[:len(piles)-1]
			settle(&p)
		}
		piles = append(piles, p)
	}
	for _, p := range piles {
		y := p.top
		for _, m := range p.members {
			h := labels[m].height()
			labels[m].y = y + h/2
			y += h
		}
	}
}

// paint draws one panel.
func (ch *chart) paint(s *stage, p *chartPanel) {
	p.frame.draw(s)
	fr := &p.frame
	for _, r := range ch.references {
		y := fr.y.py(fr.data, r.Y)
		s.line(draw.LineStyle{Color: s.muted, Width: 1.25, Dashes: []vg.Length{4, 3}}, [2]float64{fr.data.x0, y}, [2]float64{fr.data.x1, y})
	}
	for _, sr := range p.series {
		k := strokes[ch.strokeIndex(sr.Name)]
		xys := make(plotter.XYs, len(sr.Points))
		for j, q := range sr.Points {
			xys[j] = plotter.XY{X: q.X, Y: q.Y}
		}
		if !ch.scatter && len(xys) > 1 {
			line, err := plotter.NewLine(xys)
			if err != nil {
				panic("figure: checked points do not plot: " + err.Error())
			}
			line.LineStyle = k.line(s.theme)
			if ch.steps {
				line.StepStyle = plotter.PostStep
			}
			s.plot(fr.data, fr.x, fr.y, line)
		}
		s.plot(fr.data, fr.x, fr.y, ch.markers(s, xys, k))
	}
	for _, l := range p.labels {
		ch.paintName(s, l)
	}
}

// maxMarkers is how many markers a line carries; of more points every k-th has one, and the last.
const maxMarkers = 24

func (ch *chart) markers(s *stage, xys plotter.XYs, k stroke) *plotter.Scatter {
	shown := xys
	if every := (len(xys) + maxMarkers - 1) / maxMarkers; every > 1 && !ch.scatter {
		shown = nil
		for i := (len(xys) - 1) % every; i < len(xys); i += every {
			shown = append(shown, xys[i])
		}
	}
	sc, err := plotter.NewScatter(shown)
	if err != nil {
		panic("figure: checked points do not plot: " + err.Error())
	}
	sc.GlyphStyle = draw.GlyphStyle{Color: k.colour[s.theme], Radius: markerRadius, Shape: glyph{k.marker, s.ground}}
	return sc
}

func (ch *chart) paintName(s *stage, l endLabel) {
	colour := s.muted
	if l.stroke >= 0 {
		colour = strokes[l.stroke].colour[s.theme]
	}
	if l.leader {
		s.line(draw.LineStyle{Color: s.muted, Width: 0.75, Dashes: []vg.Length{1, 2}}, [2]float64{l.from[0] + 5, l.from[1]}, [2]float64{l.x - 3, l.y})
	}
	y := l.y - l.height()/2 + lineHeight/2
	for _, line := range l.lines {
		s.label(l.x, y, line, start, colour)
		y += lineHeight
	}
}
