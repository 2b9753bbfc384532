package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// MaxSeries is the maximum number of lines in a chart, because lines have only this number of looks.
const MaxSeries = 6

// Series is a named sequence of points.
type Series struct {
	// Name is written at the line's end, or in the legend if the names of all lines have no room; required, unique
	// within a panel.
	Name string `rule:"name"`
	// Points are 1 to 10,000 points with strictly ascending x; in a scatter chart, equal x may follow each other.
	Points []Point `rule:"1-10000 points"`
}

// chart is the common form of traces, cost charts and line charts. Its series are in its panels; the field Lines.Series
// is not used.
type chart struct {
	Lines
	panels      []Panel
	logarithmic bool // both axes
	steps       bool
	zero        bool // the vertical axis includes zero
	slopes      bool // the slope of each line follows its name
}

// note returns the text that follows the name of a series: its slope, or "".
func (ch *chart) note(s Series) string {
	if k, ok := slope(s.Points); ok && ch.slopes {
		return fmt.Sprintf("slope %.2f", k)
	}
	return ""
}

func (ch *chart) check(c *checker) {
	for i, p := range ch.panels {
		field := ""
		if len(ch.panels) > 1 {
			field = fmt.Sprintf("Panels[%d].", i)
			c.name(field+"Title", p.Title)
		}
		ch.checkSeries(c, field, p.Series)
	}
	n := len(ch.names())
	c.require(n <= MaxSeries, "the panels have %d different series names, but there are only %d looks; use fewer "+
		"names", n,
		MaxSeries)
	for _, name := range ch.Stairs {
		c.require(slices.Contains(ch.names(), name), "Stairs has %q, which is not a series; name a series", name)
	}
}

func (ch *chart) checkSeries(c *checker, prefix string, series []Series) {
	names := map[string]bool{}
	for i, s := range series {
		field := fmt.Sprintf("%sSeries[%d]", prefix, i)
		c.require(!names[s.Name], "%s.Name %q occurs twice; name every series differently", field, s.Name)
		names[s.Name] = true
		last := math.Inf(-1)
		for j, p := range s.Points {
			positive := p.X > 0 && p.Y > 0 || !ch.logarithmic
			c.require(positive, "%s.Points[%d] is (%v, %v); logarithmic axes need both positive", field, j, p.X, p.Y)
			c.require(p.X > last || ch.Scatter && p.X == last, "%s.Points[%d].X is %v after %v; sort the points by x",
				field, j, p.X, last)
			last = p.X
		}
	}
}

// scales returns the ranges of the axes. Linear vertical axes end at round values. Other axes have small margins.
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
	for _, r := range ch.References {
		y.include(r.Y)
	}
	if ch.logarithmic {
		return x.padLog(), y.padLog()
	}
	if ch.zero {
		y.include(0)
	}
	return x.pad().withEnds(ch.X), y.round().withEnds(ch.Y)
}

// These are approximate numbers of ticks.
const (
	xTickCount = 7
	yTickCount = 5
)

// chartPanel is one set of axes with its layout.
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
func (ch *chart) figure() content.Figure {
	panels, named := ch.labelled()
	f := content.Figure{Title: ch.Title, Alt: ch.describe(), Data: ch.table()}
	if !named {
		for i, name := range ch.names() {
			f.Legend = append(f.Legend, lineEntry(name, strokes[i]))
		}
	}
	return finish(f, Width, panels[len(panels)-1].data.y1+footRoom, func(s *stage) {
		for _, p := range panels {
			ch.paint(s, p)
		}
	})
}

// labelled returns the panels, and reports whether the lines have their names at their ends. If the names of a panel
// are too many or too long for its height, no line has one, and the chart needs a legend.
func (ch *chart) labelled() (panels []*chartPanel, named bool) {
	panels, shared := ch.layout(true, 0), false
	for _, p := range panels {
		height := 0.0
		for _, l := range p.labels {
			height, shared = height+l.height(), shared || l.shared
		}
		if height > p.data.h()+2*overhang {
			return ch.layout(false, 0), false
		}
	}
	if shared {
		panels = ch.layout(true, sampleRoom)
	}
	return panels, true
}

// layout puts the panels one below the other, with the names of the lines or without. There is room for samples of the
// lines before the names.
func (ch *chart) layout(named bool, samples float64) []*chartPanel {
	x, y := ch.scales()
	proto := frame{x: x, y: y, xTicks: x.ticks(xTickCount), yTicks: y.ticks(yTickCount), grid: true}
	left, right := yGutter(proto.yTicks), Width-ch.nameColumn(x, named)-samples
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
			cp.yLabel = ch.Y.Label
		}
		if i == len(ch.panels)-1 {
			cp.xLabel = ch.X.Label
		}
		for _, sr := range p.Series {
			cp.lines = append(cp.lines, ch.corners(cp, sr))
		}
		cp.nameLines(ch.ends(p, x, named))
		panels = append(panels, cp)
	}
	return panels
}

// names lists the different names of all panels. A name and its stroke have the same index, so that a series looks the
// same in all panels.
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

// stroke returns the look of a series.
func (ch *chart) stroke(s Series) *stroke { return &strokes[slices.Index(ch.names(), s.Name)] }

// corners returns the corners of a series's drawn line, in pixels.
func (ch *chart) corners(p *chartPanel, s Series) []pos {
	var out []pos
	stairs := ch.steps || slices.Contains(ch.Stairs, s.Name)
	for i, q := range s.Points {
		at := p.position(q.X, q.Y)
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
	for _, r := range ch.References {
		y := p.y.py(p.data, r.Y)
		dashed := lineStyle{Color: s.muted, Width: 1.25, Dashes: []float64{4, 3}}
		s.line(dashed, pos{p.data.x0, y}, pos{p.data.x1, y})
	}
	for i, sr := range p.series {
		k := ch.stroke(sr)
		marked := thinned(sr.Points)
		if ch.Scatter {
			marked = sr.Points
		} else if len(sr.Points) > 1 {
			s.curve(p.data, k.line(s.theme), p.lines[i])
		}
		for _, q := range marked {
			if at := p.position(q.X, q.Y); boxAt(at, 0, 0).inside(p.data) {
				s.marker(at, k.marker, k.colour[s.theme], markerRadius)
			}
		}
	}
	for _, l := range p.labels {
		l.paint(s)
	}
}

// maxMarkers is the maximum number of markers on a line. On a line with more points, only every k-th point and the last
// point have one.
const maxMarkers = 24

// thinned returns the points of a line that get markers.
func thinned(pts []Point) []Point {
	every := (len(pts) + maxMarkers - 1) / maxMarkers
	var out []Point
	for i := (len(pts) - 1) % every; i < len(pts); i += every {
		out = append(out, pts[i])
	}
	return out
}

const (
	nameWidth = 120.0 // about the maximum width of a line of a name
	nameGap   = 12.0
)

// endLabel is the name of a line next to its last point.
type endLabel struct {
	lines  []string
	of     Point
	stroke *stroke // nil for a reference line
	path   []pos   // the line
	shared bool    // another line ends at the same place
	from   pos     // the last point
	x, y   float64 // the left end and the vertical middle of the text
	leader bool
}

func (e endLabel) height() float64 { return float64(len(e.lines)) * lineHeight }

// ends returns the labels next to the data of a panel: the names of its lines, if it has them, and the labels of the
// reference lines, which end at the right edge.
func (ch *chart) ends(p Panel, x scale, named bool) []endLabel {
	var out []endLabel
	for _, s := range p.Series {
		if !named {
			break
		}
		lines := wrap(s.Name, nameWidth)
		if note := ch.note(s); note != "" {
			lines = append(lines, note)
		}
		out = append(out, endLabel{lines: lines, of: s.Points[len(s.Points)-1], stroke: ch.stroke(s)})
	}
	for _, r := range ch.References {
		out = append(out, endLabel{lines: wrap(r.Label, nameWidth), of: Point{x.max, r.Y}})
	}
	return out
}

// nameColumn returns the width to leave for names at the right; without names, it leaves room for half of the last
// tick's label.
func (ch *chart) nameColumn(x scale, named bool) float64 {
	w := 0.0
	for _, p := range ch.panels {
		for _, l := range ch.ends(p, x, named) {
			w = max(w, widest(l.lines))
		}
	}
	return math.Ceil(min(w, 220) + nameGap + outerGap)
}

// wrap breaks a text at spaces into lines of about the given width.
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

// overhang is the height by which the names in the column may extend beyond the data, at the top and at the bottom.
const overhang = 8.0

// nameLines places the names of lines. A name is at the last point of its line if the line ends early and there is
// room. Otherwise it is in the column next to the data, as near to the end of the line as it can be without overlapping
// other names. A thin leader joins the name to a distant end. If several lines end at the same place, their names are
// in the order of the lines before that, and each name has the marker of its line.
func (p *chartPanel) nameLines(names []endLabel) {
	room := &placer{within: p.data}
	for i, l := range p.lines {
		room.addLine(i, l)
	}
	beside := p.data.x1 + nameGap
	var column []endLabel
	for i := range names {
		names[i].from = p.position(names[i].of.X, names[i].of.Y)
		if names[i].path = []pos{{p.data.x0, names[i].from[1]}, names[i].from}; names[i].stroke != nil {
			names[i].path = p.lines[i]
		}
	}
	for i, l := range names {
		l.x, l.y = beside, l.from[1]
		if b, ok := room.atEnd(l.from, widest(l.lines), l.height()); ok && beside-l.from[0] > 3*nameGap {
			l.x, l.y = b.x0, b.middle()[1]
			p.labels = append(p.labels, l)
			continue
		}
		for j, other := range names {
			if side, together := l.sideOf(other); together && j != i {
				l.shared, l.y = true, l.y+side
			}
		}
		column = append(column, l)
	}
	relax(column, p.data.y0-overhang, p.data.y1+overhang)
	for _, l := range column {
		if l.shared {
			l.x += sampleRoom
		}
		l.leader = l.shared || l.x-l.from[0] > 2*nameGap || math.Abs(l.y-l.from[1]) > 5
		p.labels = append(p.labels, l)
	}
}

// sampleRoom is the width for the marker before the name of a line that ends where another line ends.
const sampleRoom = 13.0

// sideOf reports whether two lines end at the same place, for the eye. It then returns a small distance to the side of
// the line where it was before they met: negative if it was above the other line.
func (e endLabel) sideOf(other endLabel) (side float64, together bool) {
	const near, small = 4.0, 0.01
	if math.Abs(e.from[0]-other.from[0]) > 2*nameGap || math.Abs(e.from[1]-other.from[1]) > near {
		return 0, false
	}
	for x := min(e.from[0], other.from[0]); x >= max(e.path[0][0], other.path[0][0]); x -= 2 {
		if d := heightAt(e.path, x) - heightAt(other.path, x); math.Abs(d) > 2*near {
			return math.Copysign(small, d), true
		}
	}
	return 0, true
}

// heightAt returns the height of a line, whose points are in order from left to right.
func heightAt(line []pos, x float64) float64 {
	i := sort.Search(len(line), func(i int) bool { return line[i][0] >= x })
	switch {
	case i == 0:
		return line[0][1]
	case i == len(line):
		return line[i-1][1]
	}
	a, b := line[i-1], line[i]
	return a[1] + (b[1]-a[1])*(x-a[0])/(b[0]-a[0])
}

// relax moves overlapping labels apart within lo..hi and keeps their order. Labels that touch form a pile at the mean
// of their wanted places; piles that touch merge.
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

// paint writes a name and draws its leader.
func (e endLabel) paint(s *stage) {
	colour := s.muted
	if e.stroke != nil {
		colour = e.stroke.colour[s.theme]
	}
	if e.leader {
		dotted := lineStyle{Color: s.muted, Width: 0.75, Dashes: []float64{1, 2}}
		to := pos{e.x - 3, e.y}
		if e.shared {
			to[0] -= sampleRoom
		}
		s.line(dotted, pos{e.from[0] + 5, e.from[1]}, to)
	}
	if e.shared && e.stroke != nil {
		s.marker(pos{e.x - sampleRoom/2, e.y}, e.stroke.marker, colour, markerRadius)
	}
	top := e.y - e.height()/2
	for i, line := range e.lines {
		s.label(pos{e.x, top + (float64(i)+0.5)*lineHeight}, line, start, colour)
	}
}

// describe returns the alternative text of a chart.
func (ch *chart) describe() string {
	what := "Line chart"
	switch {
	case ch.Scatter:
		what = "Scatter chart"
	case ch.steps:
		what = "Step chart"
	case ch.logarithmic:
		what = "Line chart with two logarithmic axes"
	}
	if n := len(ch.panels); n > 1 {
		what += fmt.Sprintf(" in %d panels", n)
	}
	text := fmt.Sprintf("%s of %s by %s.", what, ch.Y.Label, ch.X.Label)
	for _, p := range ch.panels {
		var lines []string
		for _, s := range p.Series {
			lines = append(lines, ch.describeSeries(s))
		}
		panel := strings.Join(lines, "; ") + "."
		if p.Title != "" {
			panel = p.Title + " – " + panel
		}
		text += " " + content.Capital(panel)
	}
	for _, r := range ch.References {
		text += fmt.Sprintf(" Reference line: %s at %s.", r.Label, Decimal(r.Y))
	}
	return text
}

// describeSeries describes where a series starts and ends, and gives its extremes if they are elsewhere.
func (ch *chart) describeSeries(s Series) string {
	first, last := s.Points[0], s.Points[len(s.Points)-1]
	if len(s.Points) == 1 {
		return fmt.Sprintf("%s: %s at %s", s.Name, Decimal(first.Y), Decimal(first.X))
	}
	byY := func(a, b Point) int { return cmp.Compare(a.Y, b.Y) }
	least, most := slices.MinFunc(s.Points, byY), slices.MaxFunc(s.Points, byY)
	course := "returning to"
	switch {
	case least.Y == most.Y:
		return fmt.Sprintf("%s: %s throughout, from %s to %s", s.Name, Decimal(first.Y), Decimal(first.X),
			Decimal(last.X))
	case last.Y > first.Y:
		course = "rising to"
	case last.Y < first.Y:
		course = "falling to"
	}
	text := fmt.Sprintf("%s: %s at %s, %s %s at %s", s.Name, Decimal(first.Y), Decimal(first.X), course,
		Decimal(last.Y), Decimal(last.X))
	if least.Y < min(first.Y, last.Y) {
		text += fmt.Sprintf(", with a minimum of %s at %s", Decimal(least.Y), Decimal(least.X))
	}
	if most.Y > max(first.Y, last.Y) {
		text += fmt.Sprintf(", with a maximum of %s at %s", Decimal(most.Y), Decimal(most.X))
	}
	if note := ch.note(s); note != "" {
		text += ", " + note
	}
	return text
}

// table returns a row for each point, because series may have different x.
func (ch *chart) table() content.Records {
	t := content.Records{Header: []string{"panel", "series", ch.X.Label, ch.Y.Label}}
	for _, p := range ch.panels {
		for _, s := range p.Series {
			for _, q := range s.Points {
				t.Add(p.Title, s.Name, exact(q.X), exact(q.Y))
			}
		}
	}
	if len(ch.panels) == 1 {
		dropColumn(&t, 0)
	}
	return t
}

// exact writes the shortest decimal that reads back as the same float64.
func exact(v float64) string {
	if v > -1e15 && v < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Lines shows series over linear axes, with reference lines, such as a ratio that converges to φ.
type Lines struct {
	// Title says what the chart shows; required.
	Title string `rule:"name"`
	// X and Y label the axes; Min = Max = 0 means the range of the data.
	X, Y Axis `rule:"open"`
	// Series are the lines, 1 to 6.
	Series []Series `rule:"1-6 series"`
	// References are horizontal lines, at most 4.
	References []Reference `rule:"0-4 lines"`
	// Scatter draws the points without lines between them.
	Scatter bool
	// Stairs names the series that are drawn as staircases: a value holds until the next point.
	Stairs []string
}

// Reference is a labelled horizontal line.
type Reference struct {
	// Label is written next to the line; required.
	Label string `rule:"name"`
	// Y is its height in data coordinates, finite.
	Y float64
}

// Figure draws the chart. It fails if a field breaks its rule above.
func (l Lines) Figure() (content.Figure, error) {
	return drawn(l, &chart{Lines: l, panels: []Panel{{Series: l.Series}}})
}

// Trace shows how quantities change from day to day: one panel per battle, one line per quantity, with its name at its
// end. Panels are one below the other, so that each keeps its width on a phone. They share both scales.
type Trace struct {
	// Title says what the trace shows; XLabel and YLabel name the axes with their units; all are required.
	Title, XLabel, YLabel string `rule:"name"`
	// Panels are the battles, 1 to 4. To draw several battles in one panel, give the panel all the series.
	Panels []Panel `rule:"1-4 panels"`
	// Steps draws staircases: a value holds until the next point.
	Steps bool
}

// Panel is one set of axes of a trace.
type Panel struct {
	// Title is written above the panel; required if there are several.
	Title string
	// Series are the lines, 1 to 6. Series with the same name look alike in all panels. All panels together have at
	// most 6 different names.
	Series []Series `rule:"1-6 series"`
}

// Figure draws the trace. It fails if a field breaks its rule above.
func (t Trace) Figure() (content.Figure, error) {
	axes := Lines{Title: t.Title, X: Axis{Label: t.XLabel}, Y: Axis{Label: t.YLabel}}
	return drawn(t, &chart{Lines: axes, panels: t.Panels, steps: t.Steps, zero: true})
}

// Cost shows on two logarithmic axes how a cost grows with the size of the input, one line per algorithm.
type Cost struct {
	// Title says what the chart shows; XLabel and YLabel name the axes with their units; all are required.
	Title, XLabel, YLabel string `rule:"name"`
	// Series are the algorithms, 1 to 6; every coordinate must be positive.
	Series []Series `rule:"1-6 series"`
	// Slopes adds to each name the slope of its line, which is the exponent of a power law. The slope is fitted by
	// least squares to the last two thirds of the points, if these are at least three points.
	Slopes bool
}

// Figure draws the chart. It fails if a field breaks its rule above.
func (c Cost) Figure() (content.Figure, error) {
	return drawn(c, &chart{
		Lines:  Lines{Title: c.Title, X: Axis{Label: c.XLabel}, Y: Axis{Label: c.YLabel}},
		panels: []Panel{{Series: c.Series}}, logarithmic: true, slopes: c.Slopes,
	})
}

// slope fits log y = a + k log x to the last two thirds of the points, where lower-order terms weigh least.
func slope(pts []Point) (k float64, ok bool) {
	pts = pts[len(pts)/3:]
	if len(pts) < 3 {
		return 0, false
	}
	var sx, sy float64
	for _, p := range pts {
		sx += math.Log(p.X)
		sy += math.Log(p.Y)
	}
	n := float64(len(pts))
	var sxx, sxy float64
	for _, p := range pts {
		dx := math.Log(p.X) - sx/n
		sxx += dx * dx
		sxy += dx * (math.Log(p.Y) - sy/n)
	}
	return sxy / sxx, true
}
