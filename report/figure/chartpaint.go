package figure

import (
	"slices"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

// chartPanel is one set of axes, laid out.
type chartPanel struct {
	frame
	series []Series
	lines  [][]pos // one per series, in pixels
	labels []endLabel
}

const (
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
	left, right := yGutter(proto.yTicks), Width-ch.nameColumn(x)
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
		for _, sr := range p.Series {
			cp.lines = append(cp.lines, ch.corners(func(q Point) pos { return cp.at(q.X, q.Y) }, sr))
		}
		cp.nameLines(ch.ends(p, x))
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

// corners is a line as it is drawn, in pixels.
func (ch *chart) corners(place func(Point) pos, s Series) []pos {
	var out []pos
	stairs := ch.steps || slices.Contains(ch.stairs, s.Name)
	for i, q := range s.Points {
		at := place(q)
		if stairs && i > 0 {
			out = append(out, pos{at[0], out[len(out)-1][1]})
		}
		out = append(out, at)
	}
	return out
}

// paint draws one panel.
func (ch *chart) paint(s *stage, p *chartPanel) {
	p.draw(s)
	for _, r := range ch.references {
		y := p.y.py(p.data, r.Y)
		dashed := pen.LineStyle{Color: s.muted, Width: 1.25, Dashes: []pen.Length{4, 3}}
		s.line(dashed, pos{p.data.x0, y}, pos{p.data.x1, y})
	}
	for i, sr := range p.series {
		k := ch.stroke(sr)
		marked := thinned(sr.Points)
		if ch.scatter {
			marked = sr.Points
		} else if len(sr.Points) > 1 {
			s.curve(p.data, k.line(s.theme), p.lines[i])
		}
		for _, q := range marked {
			if at := p.at(q.X, q.Y); boxAt(at, 0, 0).inside(p.data) {
				s.marker(at, k.marker, k.colour[s.theme], markerRadius)
			}
		}
	}
	for _, l := range p.labels {
		l.paint(s)
	}
}

// maxMarkers is how many markers a line carries; of more points every k-th has one, and the last.
const maxMarkers = 24

// thinned are the points that have markers.
func thinned(pts []Point) []Point {
	every := (len(pts) + maxMarkers - 1) / maxMarkers
	var out []Point
	for i := (len(pts) - 1) % every; i < len(pts); i += every {
		out = append(out, pts[i])
	}
	return out
}
