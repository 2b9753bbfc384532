package figure

import (
	"image/color"
	"math"

	"github.com/siegebook/siegebook/report/content"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mapLayout is everything about a map's picture that both themes share.
type mapLayout struct {
	frame   frame
	hatches [][]segment    // by area
	minor   [][][2]float64 // borders between ordered areas
	major   [][][2]float64 // borders of classes
	curves  []plotter.XYs
	labels  []placedLabel
	ring    *[2]float64
}

// placedLabel is a text in its place; area is that of the ground below it, -1 on lines.
type placedLabel struct {
	x, y float64
	text string
	area int
}

// maxCorners bounds the corners of all borders of one sort; a map that has more is noise, which borders would blacken.
const maxCorners = 5000

// render lays the map out and draws it.
func (g *gridMap) render(f content.Figure) content.Figure {
	l := g.layout()
	for i, placed := range g.placeLabels(l) {
		if !placed && g.curves[i].Label != "" {
			f.Legend = append(f.Legend, lineEntry(g.curves[i].Label, curveStroke(g.curves[i])))
		}
	}
	return finish(f, Width, l.frame.data.y1+footRoom, func(s *stage) { g.paint(s, l) })
}

func (g *gridMap) layout() *mapLayout {
	l := &mapLayout{frame: frame{x: scale{min: g.x.Min, max: g.x.Max}, y: scale{min: g.y.Min, max: g.y.Max}, xLabel: g.x.Label, yLabel: g.y.Label}}
	fr := &l.frame
	fr.yTicks = fr.y.ticks(5)
	left, right := yGutter(fr.yTicks), 16.0
	width := Width - left - right
	fr.xTicks = spread(fr.x.ticks(6), fr.x, width)
	aspect := max(0.5, min(0.9, float64(g.h)/float64(g.w)))
	fr.data = box{left, headRoom, Width - right, headRoom + math.Round(width*aspect)}

	l.hatches = make([][]segment, len(g.areas))
	for i, a := range g.areas {
		if a.count > 0 {
			l.hatches[i] = hatch(a.fill.pattern, fr.data, func(x, y float64) bool { return g.areaAt(fr.data, x, y) == i })
		}
	}
	l.minor = g.borderLines(fr.data, func(a, b uint8) bool { return a != b && !g.areas[a].class && !g.areas[b].class })
	l.major = g.borderLines(fr.data, func(a, b uint8) bool { return a != b && (g.areas[a].class || g.areas[b].class) })
	l.splitSpecks()
	for _, c := range g.curves {
		xys := make(plotter.XYs, len(c.Points))
		for i, p := range c.Points {
			xys[i] = plotter.XY{X: p.X, Y: p.Y}
		}
		l.curves = append(l.curves, xys)
	}
	if g.mark >= 0 {
		x, y := g.cellCentre(fr.data, g.mark%g.w, g.mark/g.w)
		l.ring = &[2]float64{x, y}
	}
	return l
}

// splitSpecks makes the borders of small regions minor where there are many: their ink would hide the cells they enclose.
// A few stay major, or they would be overlooked.
func (l *mapLayout) splitSpecks() {
	const small, few = 14.0, 60
	var large, specks [][][2]float64
	for _, line := range l.major {
		b := box{line[0][0], line[0][1], line[0][0], line[0][1]}
		for _, q := range line {
			b = box{min(b.x0, q[0]), min(b.y0, q[1]), max(b.x1, q[0]), max(b.y1, q[1])}
		}
		if b.w() < small && b.h() < small {
			specks = append(specks, line)
			continue
		}
		large = append(large, line)
	}
	if len(specks) > few {
		l.major, l.minor = large, append(l.minor, specks...)
	}
}

// areaAt is the area under a position in pixels inside the box.
func (g *gridMap) areaAt(b box, x, y float64) int {
	col := min(g.w-1, int((x-b.x0)/b.w()*float64(g.w)))
	row := min(g.h-1, int((b.y1-y)/b.h()*float64(g.h)))
	return int(g.index[row*g.w+col])
}

func (g *gridMap) cellCentre(b box, col, row int) (x, y float64) {
	return b.x0 + (float64(col)+0.5)/float64(g.w)*b.w(), b.y1 - (float64(row)+0.5)/float64(g.h)*b.h()
}

// borderLines traces the borders in pixels.
func (g *gridMap) borderLines(b box, differ func(a, b uint8) bool) [][][2]float64 {
	const tolerance = 0.9 // pixels: steps of cells that small are not seen as steps
	var out [][][2]float64
	corners := 0
	for _, line := range borders(g.index, g.w, g.h, differ).trace() {
		pts := make([][2]float64, len(line))
		for i, p := range line {
			pts[i] = [2]float64{b.x0 + float64(p[0])/float64(g.w)*b.w(), b.y1 - float64(p[1])/float64(g.h)*b.h()}
		}
		pts = simplify(pts, tolerance)
		out = append(out, pts)
		corners += len(pts)
	}
	if corners > maxCorners {
		return nil
	}
	return out
}

// placeLabels puts the labels of the curves beside them, then those of the areas where each has most room. It reports
// which curves found a place.
func (g *gridMap) placeLabels(l *mapLayout) []bool {
	p := &placer{within: l.frame.data.grow(-3)}
	lines := make([][][2]float64, len(g.curves))
	for i, c := range g.curves {
		lines[i] = g.visible(l, c)
		p.addLine(i, lines[i])
	}
	if l.ring != nil {
		x, y := l.ring[0], l.ring[1]
		p.taken = append(p.taken, box{x, y, x, y}.grow(8))
		if b, ok := p.beside(-1, [][2]float64{{x - 4, y}, {x + 4, y}}, textWidth(firstLabel), 0.5); ok {
			l.labels = append(l.labels, placedLabel{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2, firstLabel, -1})
		}
	}
	placed := make([]bool, len(g.curves))
	for i, c := range g.curves {
		if c.Label == "" {
			continue
		}
		prefer := 0.5
		if c.Dashed {
			prefer = 0.9
		}
		if b, ok := p.beside(i, lines[i], textWidth(c.Label)+4, prefer); ok {
			placed[i] = true
			l.labels = append(l.labels, placedLabel{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2, c.Label, -1})
		}
	}
	g.labelAreas(l, g.occupancy(l.frame.data, p))
	return placed
}

// labelAreas writes into each area the longest of its names that fits.
func (g *gridMap) labelAreas(l *mapLayout, o *occupancy) {
	for i, a := range g.areas {
		if a.count == 0 {
			continue
		}
		for _, name := range a.inside {
			if name == "" {
				continue
			}
			if x, y, ok := o.roomiest(uint8(i), textWidth(name)+10, labelHeight+2); ok {
				l.labels = append(l.labels, placedLabel{x, y, name, i})
				break
			}
		}
	}
}

const firstLabel = "first"

// visible is the part of a curve near the data area in pixels; far corners are pulled in along their line.
func (g *gridMap) visible(l *mapLayout, c Curve) [][2]float64 {
	b := l.frame.data
	var out [][2]float64
	for i, p := range c.Points {
		q := [2]float64{l.frame.x.px(b, p.X), l.frame.y.py(b, p.Y)}
		if i > 0 {
			a := [2]float64{l.frame.x.px(b, c.Points[i-1].X), l.frame.y.py(b, c.Points[i-1].Y)}
			if s, ok := clip(segment{a, q}, b); ok {
				out = append(out, s[0], s[1])
			}
		}
	}
	return out
}

// clip cuts a segment to the box (Liang and Barsky).
func clip(s segment, b box) (segment, bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := s[1][0]-s[0][0], s[1][1]-s[0][1]
	for _, e := range [][2]float64{{-dx, s[0][0] - b.x0}, {dx, b.x1 - s[0][0]}, {-dy, s[0][1] - b.y0}, {dy, b.y1 - s[0][1]}} {
		switch r := e[1] / e[0]; {
		case e[0] == 0:
			if e[1] < 0 {
				return segment{}, false
			}
		case e[0] < 0:
			t0 = max(t0, r)
		default:
			t1 = min(t1, r)
		}
	}
	if t0 > t1 {
		return segment{}, false
	}
	at := func(t float64) [2]float64 { return [2]float64{s[0][0] + t*dx, s[0][1] + t*dy} }
	return segment{at(t0), at(t1)}, true
}

func curveStroke(c Curve) stroke {
	k := stroke{colour: both(0x1c2024, 0xe8eaed), dash: dashes[0]}
	if c.Dashed {
		k.dash = dashes[1]
	}
	return k
}

// paint draws from the ground up: cells, patterns, borders, curves, labels, axes.
func (g *gridMap) paint(s *stage, l *mapLayout) {
	b := l.frame.data
	img := plotter.NewImage(s.pixels(g.image(s.theme), b.w(), b.h()), g.x.Min, g.y.Min, g.x.Max, g.y.Max)
	s.plot(b, l.frame.x, l.frame.y, img)
	for i, segs := range l.hatches {
		for _, seg := range segs {
			s.line(hatchStyle(g.areas[i].fill, s.theme), seg[0], seg[1])
		}
	}
	for _, line := range l.minor {
		s.line(draw.LineStyle{Color: color.NRGBA{A: 0x73}, Width: 0.75}, line...)
	}
	for _, line := range l.major {
		s.line(draw.LineStyle{Color: s.ink, Width: 1.5}, line...)
	}
	g.paintCurves(s, l)
	g.paintMarks(s, l)
	l.frame.draw(s)
	edge := draw.LineStyle{Color: s.muted, Width: 1}
	s.line(edge, [2]float64{b.x0, b.y1}, [2]float64{b.x0, b.y0}, [2]float64{b.x1, b.y0}, [2]float64{b.x1, b.y1})
}

// paintCurves draws the curves, first all of them wider in the ground's colour, so that they stand out from any area.
func (g *gridMap) paintCurves(s *stage, l *mapLayout) {
	for _, halo := range []bool{true, false} {
		for i, c := range l.curves {
			sty := curveStroke(g.curves[i]).line(s.theme)
			if g.curves[i].Dashed {
				sty.Width = 1.25
			}
			if halo {
				ground := color.NRGBAModel.Convert(s.ground).(color.NRGBA)
				ground.A = 0xb3
				sty.Color, sty.Dashes, sty.Width = ground, nil, sty.Width+2.25
			}
			line, err := plotter.NewLine(c)
			if err != nil {
				panic("figure: a checked curve does not plot: " + err.Error())
			}
			line.LineStyle = sty
			s.plot(l.frame.data, l.frame.x, l.frame.y, line)
		}
	}
}

// paintMarks draws ring and labels.
func (g *gridMap) paintMarks(s *stage, l *mapLayout) {
	if l.ring != nil {
		c := s.area(l.frame.data)
		for _, sty := range []draw.LineStyle{{Color: s.ground, Width: 4.5}, {Color: s.ink, Width: 2}} {
			var p vg.Path
			pt := s.at(l.ring[0], l.ring[1])
			p.Move(vg.Point{X: pt.X + 7, Y: pt.Y})
			p.Arc(pt, 7, 0, 2*math.Pi)
			p.Close()
			c.SetLineStyle(sty)
			c.Stroke(p)
		}
	}
	for _, t := range l.labels {
		colour, halo := s.ink, s.ground
		if t.area >= 0 {
			halo = g.areas[t.area].fill.ground[s.theme]
			colour = legibleOn(halo)
		}
		s.text(t.x, t.y, t.text, textStyle{colour: colour, halo: &halo, anchor: middle, shift: centre})
	}
}
