//go:build !wasip1

package figure

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A plot of gonum.org/v1/plot does not export its plotters. To get its numbers, we draw the plot once on a tracer,
// without axes. Our own scales record each coordinate that a plotter requests. The strokes, fills and texts that follow
// some coordinates reveal what the coordinates mean, such as a line through points, a glyph at a point, or a bar. The
// legend is drawn separately. A series gets the name of the sample that looks like it.

// tracer is a canvas that records what is drawn, and the coordinates that plotters request from the scales of the axes.
type tracer struct {
	now    tool
	saved  []tool
	events []event
	stop   int // the number of events after which the tracer ends the drawing; 0 means never
	layers []*Layer
}

// event is a requested coordinate on an axis, or something that is drawn.
type event struct {
	axis  byte    // 'x' or 'y', or 0 for something that is drawn
	value float64 // the coordinate
	place float64 // its position on the scale, from 0 to 1
	look  string  // the kind and the style of what is drawn
	path  vg.Path // the path of a stroke or a fill
	text  string
}

// These are the kinds of things that are drawn. Each look begins with one of them.
const (
	stroked = "stroke"
	filled  = "fill"
	written = "text"
	pixels  = "image"
)

// enough is the value of the panic that ends a drawing once the tracer has recorded enough. [gonumPlot.drawOn] recovers
// it.
type enough struct{}

// mostEvents limits how much of a plot is recorded, because an image requests the coordinates of every pixel. A plot
// with more events gets no table.
const mostEvents = 2_000_000

func (t *tracer) note(e event) {
	if t.events = append(t.events, e); len(t.events) == t.stop {
		panic(enough{})
	}
	if len(t.events) > mostEvents {
		t.events = nil
		panic(enough{})
	}
}

// noteDrawn records a path. It omits the part that closes the path, because that part has no position.
func (t *tracer) noteDrawn(kind string, p vg.Path, pen string) {
	colour := color.NRGBAModel.Convert(cmp.Or[color.Color](t.now.colour, color.Black))
	path := slices.DeleteFunc(slices.Clone(p), func(part vg.PathComp) bool { return part.Type == vg.CloseComp })
	t.note(event{look: fmt.Sprint(kind, colour, pen), path: path})
}

func (t *tracer) SetLineWidth(w vg.Length)               { t.now.width = w }
func (t *tracer) SetLineDash(d []vg.Length, _ vg.Length) { t.now.dashes = d }
func (t *tracer) SetColor(c color.Color)                 { t.now.colour = c }
func (t *tracer) Translate(vg.Point)                     {}
func (t *tracer) Scale(_, _ float64)                     {}
func (t *tracer) Rotate(float64)                         {}
func (t *tracer) Push()                                  { t.saved = append(t.saved, t.now) }
func (t *tracer) Pop() {
	last := len(t.saved) - 1
	t.now, t.saved = t.saved[last], t.saved[:last]
}

func (t *tracer) Stroke(p vg.Path) { t.noteDrawn(stroked, p, fmt.Sprint(t.now.width, t.now.dashes)) }

func (t *tracer) Fill(p vg.Path) { t.noteDrawn(filled, p, "") }

func (t *tracer) FillString(_ font.Face, _ vg.Point, s string) { t.note(event{look: written, text: s}) }

func (t *tracer) DrawImage(vg.Rectangle, image.Image) { t.note(event{look: pixels}) }

// axisTracer is a scale that records coordinates. It maps every coordinate to a position on the canvas, so that nothing
// is clipped.
type axisTracer struct {
	on   *tracer
	axis byte
}

func (a axisTracer) Normalize(low, high, x float64) float64 {
	place := 0.5
	if t := (x - low) / (high - low); !math.IsNaN(t) {
		place = 0.1 + 0.8*min(max(t, 0), 1)
	}
	a.on.note(event{axis: a.axis, value: x, place: place})
	return place
}

// nameTracer records each text of a legend as a whole.
type nameTracer struct {
	text.Handler
	on *tracer
}

func (n nameTracer) Draw(_ vg.Canvas, s string, _ text.Style, _ vg.Point) {
	n.on.note(event{look: written, text: s})
}

// trace records what a plot has drawn.
type trace struct {
	events    []event
	begin     int // the index of the first event of the plotters
	end       int // the index of the first event of the legend
	names     []legendName
	layers    []*Layer
	canvas    draw.Canvas // the plotters' part of the canvas
	low, high float64     // the ends of the X axis
}

// legendName is an entry of a legend.
type legendName struct {
	sample []event
	text   string
}

// drawable lists the methods of a *plot.Plot that a trace needs.
type drawable interface {
	Drawer
	DataCanvas(draw.Canvas) draw.Canvas
	HideAxes()
}

// trace draws the plot on a tracer.
func (g gonumPlot) trace() trace { return g.drawOn(&tracer{}) }

// traceFrom draws the plot on a tracer with an X axis that begins at x. It stops drawing after the given number of
// events.
func (g gonumPlot) traceFrom(x float64, events int) trace {
	low, high := g.field("X", "Min"), g.field("X", "Max")
	before := [2]float64{low.Float(), high.Float()}
	low.SetFloat(x)
	high.SetFloat(max(high.Float(), x+1))
	defer func() {
		low.SetFloat(before[0])
		high.SetFloat(before[1])
	}()
	return g.drawOn(&tracer{stop: events})
}

// drawOn draws the plot on a tracer, and restores the plot afterwards.
func (g gonumPlot) drawOn(canvas *tracer) (t trace) {
	before := reflect.New(g.v.Type()).Elem()
	before.Set(g.v)
	stop := canvas.stop
	defer func() {
		g.v.Set(before)
		t.events, t.layers = canvas.events, canvas.layers
		if fault := recover(); fault != nil && fault != any(enough{}) {
			panic(fault)
		}
	}()
	plot, page := g.v.Addr().Interface().(drawable), draw.NewCanvas(canvas, 1e4, 1e4)
	plot.HideAxes()
	g.field("Title", "Text").SetString("")
	g.field("BackgroundColor").SetZero()
	for _, axis := range []string{"X", "Y"} {
		g.field(axis, "Label", "Text").SetString("")
		g.field(axis, "Scale").Set(reflect.ValueOf(axisTracer{canvas, axis[0] | ' '}))
	}
	style := g.field("Legend", "TextStyle").Addr().Interface().(*text.Style)
	style.Handler = nameTracer{style.Handler, canvas}

	canvas.stop = 0
	g.field("Legend").Addr().Interface().(Drawer).Draw(page)
	samples := canvas.events
	t.names, canvas.events = namesOf(samples), nil
	t.canvas = plot.DataCanvas(page)
	padding := len(canvas.events)
	t.low, t.high = g.field("X", "Min").Float(), g.field("X", "Max").Float()
	canvas.events, canvas.stop = nil, stop
	plot.Draw(page)

	// Before it draws the plotters, gonum draws the line of each axis, and requests the coordinates of glyphs to leave
	// room for them.
	for range 2 {
		t.begin += 1 + slices.IndexFunc(canvas.events[t.begin:], func(e event) bool { return e.axis == 0 })
	}
	t.begin += padding
	t.end = len(canvas.events) - len(samples)
	return t
}

// namesOf reads a legend, in which each text follows its sample.
func namesOf(events []event) (names []legendName) {
	var sample []event
	for _, e := range events {
		if e.look != written {
			sample = append(sample, e)
			continue
		}
		names, sample = append(names, legendName{sample, e.text}), nil
	}
	return names
}

// mark is something that was drawn, with the coordinates that were requested before it.
type mark struct {
	first int // the index of the first event
	at    []event
	axes  string // the axes of the coordinates
	drawn []event
}

// marks groups the events of the plotters.
func (t trace) marks() (marks []mark) {
	var axes strings.Builder
	for i := t.begin; i < t.end; {
		m := mark{first: i}
		axes.Reset()
		for ; i < t.end && t.events[i].axis != 0; i++ {
			axes.WriteByte(t.events[i].axis)
		}
		m.at, m.axes = t.events[m.first:i], axes.String()
		drawn := i
		for ; i < t.end && t.events[i].axis == 0; i++ { //nolint:revive // to the next coordinate
		}
		if m.drawn = t.events[drawn:i]; len(m.drawn) > 0 {
			marks = append(marks, m)
		}
	}
	return marks
}

// runKind names a kind of marks.
type runKind int

// These are the kinds of marks. A line is a single mark. Consecutive marks of one of the other kinds form a run.
const (
	noRun runKind = iota // marks whose data are unknown, such as a box plot or a contour
	lineRun
	pointRun
	textRun
	barRun
	acrossRun // bars from left to right
	binRun
)

// run holds marks that are drawn one after the other and look alike. Usually they come from a single plotter.
type run struct {
	pointSeries
	kind  runKind
	looks []string
	first int // the index of the event with the first coordinate of a line
}

// runs groups the marks into runs.
func (t trace) runs() (runs []run) {
	for _, m := range t.marks() {
		r := t.read(m)
		r.looks = looksOf(r.kind, m.drawn)
		last := len(runs) - 1
		switch {
		case r.kind == noRun:
		case last >= 0 && r.kind != lineRun && runs[last].kind == r.kind && slices.Equal(runs[last].looks, r.looks):
			runs[last].join(r)
		default:
			runs = append(runs, r)
		}
	}
	return runs
}

// join appends a run of the same kind.
func (r *run) join(more run) {
	r.points, r.notes = append(r.points, more.points...), append(r.notes, more.notes...)
}

// looksOf returns the distinct looks of the events in drawn, for a run of the given kind. The look of a point includes
// its shape.
func looksOf(kind runKind, drawn []event) (looks []string) {
	for _, e := range drawn {
		look := e.look
		switch kind {
		case textRun:
			look = written
		case pointRun:
			look += e.shape()
		}
		if !slices.Contains(looks, look) {
			looks = append(looks, look)
		}
	}
	return looks
}

// shape returns a description of the event's path that is the same for equal paths, wherever they are drawn.
func (e event) shape() string {
	var parts strings.Builder
	rounded := func(l vg.Length) int64 { return int64(math.Round(1000 * float64(l))) }
	for _, part := range e.path {
		from := part.Pos.Sub(e.path[0].Pos)
		fmt.Fprintln(&parts, part.Type, rounded(part.Radius), rounded(from.X), rounded(from.Y))
	}
	return parts.String()
}

// read converts a mark to a run. Only the last coordinates belong to the mark. Earlier points may come from a plotter
// that draws nothing.
func (t trace) read(m mark) (r run) {
	value := func(fromEnd int) float64 { return m.at[len(m.at)-fromEnd].value }
	middle := func() float64 { return (value(2) + value(1)) / 2 }
	ends := func(axes string) bool { return strings.HasSuffix(m.axes, axes) }
	one := func(kind runKind, x, y float64) run {
		return run{kind: kind, pointSeries: pointSeries{points: []Point{{x, y}}}}
	}
	box := len(m.drawn[0].path) >= 4 // a box has at least four corners
	line, offset := t.through(m)
	switch {
	case m.drawn[0].look == written && ends("xy"):
		return texts(m)
	case len(line) > 1:
		return run{kind: lineRun, first: m.first + offset, pointSeries: pointSeries{points: line}}
	case ends("xyy") && box:
		return one(barRun, value(3), difference(value(2), value(1)))
	case ends("yxx") && box && t.reaches(m, m.at[len(m.at)-3]):
		return one(binRun, middle(), value(3))
	case ends("yxx") && box:
		return one(acrossRun, value(3), difference(value(2), value(1)))
	case ends("xx") && box:
		return one(binRun, middle(), 0)
	case (m.axes == "xy" || m.axes == "xyxy") && t.around(m):
		return one(pointRun, value(2), value(1))
	}
	return r
}

// texts converts a mark that consists of texts to a run. The text is at the last point; the points before it have no
// text.
func texts(m mark) run {
	r := run{kind: textRun}
	first := len(m.at) - 2
	if m.axes == strings.Repeat("xy", len(m.at)/2) {
		first = 0
	}
	for i := first; i < len(m.at); i += 2 {
		r.points, r.notes = append(r.points, Point{m.at[i].value, m.at[i+1].value}), append(r.notes, "")
	}
	var lines []string
	for _, e := range m.drawn {
		lines = append(lines, e.text)
	}
	r.notes[len(r.notes)-1] = strings.Join(lines, "\n")
	return r
}

// difference returns the height of a bar. The height of a bar that is on top of another one is rounded to 12 digits.
func difference(from, to float64) float64 {
	if from == 0 {
		return to
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(to-from, 'g', 12, 64), 64)
	if err != nil {
		return to - from
	}
	return rounded
}

// point returns the position of a point on the canvas.
func (t trace) point(x, y event) vg.Point {
	return vg.Point{X: t.canvas.X(x.place), Y: t.canvas.Y(y.place)}
}

// reaches reports whether the first path of a mark has a corner at a Y coordinate.
func (t trace) reaches(m mark, y event) bool {
	return slices.ContainsFunc(m.drawn[0].path, func(p vg.PathComp) bool { return p.Pos.Y == t.canvas.Y(y.place) })
}

// through returns the points that the strokes of a mark pass through, in order, and the index of their first
// coordinate. If the strokes pass through anything else, it returns no points.
func (t trace) through(m mark) (points []Point, first int) {
	var corners []vg.Point
	for _, e := range m.drawn {
		for _, part := range e.path {
			if strings.HasPrefix(e.look, stroked) && (part.Type == vg.MoveComp || part.Type == vg.LineComp) {
				corners = append(corners, part.Pos)
			}
		}
	}
	at := m.at
	if strings.HasPrefix(m.drawn[0].look, filled) && strings.HasSuffix(m.axes, "yy") {
		at = at[:len(at)-1] // omits the end of the area below a line
	}
	for _, count := range []int{len(at) / 2, len(corners)} {
		first := len(at) - 2*count
		if first < 0 || count < 2 {
			continue
		}
		points = points[:0]
		next := 0
		for i := first; i < len(at) && at[i].axis == 'x' && at[i+1].axis == 'y'; i += 2 {
			want := t.point(at[i], at[i+1])
			if next > 0 && corners[next-1] == want { // a repeated point
				next--
			}
			found := slices.Index(corners[next:], want)
			if found < 0 {
				break
			}
			next += found + 1
			points = append(points, Point{at[i].value, at[i+1].value})
		}
		if len(points) == count {
			return points, first
		}
	}
	return nil, 0
}

// around reports whether the last point of a mark is inside the drawn shape.
func (t trace) around(m mark) bool {
	at := t.point(m.at[len(m.at)-2], m.at[len(m.at)-1])
	low := vg.Point{X: vg.Length(math.Inf(1)), Y: vg.Length(math.Inf(1))}
	high := low.Scale(-1)
	for _, e := range m.drawn {
		for _, part := range e.path {
			r := part.Radius
			low = vg.Point{X: min(low.X, part.Pos.X-r), Y: min(low.Y, part.Pos.Y-r)}
			high = vg.Point{X: max(high.X, part.Pos.X+r), Y: max(high.Y, part.Pos.Y+r)}
		}
	}
	return low.X < at.X && at.X < high.X && low.Y < at.Y && at.Y < high.Y
}

// name gives runs their names from the legend. If as many samples as runs have the same look, these runs get their
// names in the order of the samples. Otherwise the names are ambiguous, and the runs get no names.
func (t trace) name(runs []run) {
	alike := map[string][]*run{}
	for i := range runs {
		look := fmt.Sprint(runs[i].kind, runs[i].looks)
		alike[look] = append(alike[look], &runs[i])
	}
	for _, same := range alike {
		var names []string
		for _, n := range t.names {
			sample := looksOf(same[0].kind, n.sample)
			if !slices.ContainsFunc(same[0].looks, func(look string) bool { return !slices.Contains(sample, look) }) {
				names = append(names, n.text)
			}
		}
		if len(names) == len(same) {
			for i, r := range same {
				r.name = names[i]
			}
		}
	}
}

// joined joins runs of unnamed points if most of these points look different from the previous one, as in a scatter
// plot with many kinds of glyphs.
func joined(runs []run) (all []run) {
	for len(runs) > 0 {
		count, points := 0, 0
		for count < len(runs) && runs[count].kind == pointRun && runs[count].name == "" {
			points += len(runs[count].points)
			count++
		}
		r, rest := runs[0], 1
		if 2*count > points {
			for rest = 1; rest < count; rest++ {
				r.join(runs[rest])
			}
		}
		all, runs = append(all, r), runs[rest:]
	}
	return all
}

// sample replaces the points of functions, which gonum computes from one end of the axis to the other, with fewer,
// evenly spaced points. A line is considered a function if it begins where the axis begins, and still does so after the
// axis has been moved.
func (g gonumPlot) sample(t trace, runs []run) {
	functions := []*run{}
	for i := range runs {
		if r := &runs[i]; r.kind == lineRun && r.points[0].X == t.low {
			functions = append(functions, r)
		}
	}
	needed := func() (events int) {
		for _, r := range functions {
			events = max(events, r.first+2)
		}
		return events
	}
	if len(functions) > 0 {
		middle := t.low + (t.high-t.low)/2
		moved := g.traceFrom(middle, needed())
		functions = slices.DeleteFunc(functions, func(r *run) bool { return moved.events[r.first].value != middle })
	}
	if len(functions) == 0 {
		return
	}
	const samples = 20
	for _, r := range functions {
		r.points = nil
	}
	for i := range samples + 1 {
		at := g.traceFrom(t.low+(t.high-t.low)*float64(i)/samples, needed())
		for _, r := range functions {
			r.points = append(r.points, Point{at.events[r.first].value, at.events[r.first+1].value})
		}
	}
}

// series returns the data that the plot draws. It returns each series only once, because plots often draw a line and
// its points with separate plotters.
func (g gonumPlot) series(t trace) (all []pointSeries) {
	runs := t.runs()
	g.sample(t, runs)
	t.name(runs)
	for _, r := range joined(runs) {
		s := r.pointSeries
		s.points = slices.DeleteFunc(s.points, infinite)
		if len(s.notes) != len(s.points) {
			s.notes = nil
		}
		same := func(o pointSeries) bool { return slices.Equal(s.points, o.points) && slices.Equal(s.notes, o.notes) }
		if len(s.points) > 0 && !slices.ContainsFunc(all, same) {
			all = append(all, s)
		}
	}
	if len(all) > 1 {
		for i := range all {
			if all[i].name == "" {
				all[i].name = fmt.Sprintf("series %d", i+1)
			}
		}
	}
	return all
}
