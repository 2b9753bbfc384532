package figure

import (
	"image/color"
	"math"
	"slices"
)

// mapLayout is everything about a map's picture that both themes share.
type mapLayout struct {
	frame
	hatches [][]segment // by area
	minor   [][]pos     // borders between ordered areas
	major   [][]pos     // borders of classes
	strips  []strip
	labels  []placedLabel
}

// placedLabel is a text with its middle in its place; area is that of the ground below it, -1 on lines.
type placedLabel struct {
	at   pos
	text string
	area int
}

// maxCorners bounds the corners of all borders of one sort; a map that has more is noise, which borders would blacken.
const maxCorners = 5000

func (g *gridMap) layout() *mapLayout {
	l := g.frameLayout()
	g.drawInto(l)
	return l
}

// frameLayout is the layout of the axes.
func (g *gridMap) frameLayout() *mapLayout {
	l := &mapLayout{frame: frame{
		x: scale{min: g.x.Min, max: g.x.Max}, y: scale{min: g.y.Min, max: g.y.Max}, xLabel: g.x.Label, yLabel: g.y.Label,
	}}
	l.yTicks = l.y.ticks(5)
	left, right := yGutter(l.yTicks), Width-16.0
	width := right - left
	l.xTicks = spread(l.x.ticks(6), l.x, width)
	aspect := max(0.5, min(0.9, float64(g.h)/float64(g.w)))
	l.data = box{left, headRoom, right, headRoom + math.Round(width*aspect)}
	return l
}

// drawInto computes the patterns and the borders that fill the data's box.
func (g *gridMap) drawInto(l *mapLayout) {
	l.hatches = make([][]segment, len(g.areas))
	for i, a := range g.areas {
		if a.count > 0 {
			l.hatches[i] = hatch(a.fill.pattern, l.data, func(p pos) bool { return g.areaAt(l.data, p) == i })
		}
	}
	class := func(a, b uint8) bool { return g.areas[a].class || g.areas[b].class }
	l.minor = g.borderLines(l.data, func(a, b uint8) bool { return a != b && !class(a, b) })
	l.major = g.borderLines(l.data, func(a, b uint8) bool { return a != b && class(a, b) })
	l.splitSpecks()
	l.strips = g.strips(l.data)
}

// splitSpecks makes the borders of small regions minor where there are many: their ink would hide the cells they
// enclose. A few stay major, or they would be overlooked.
func (l *mapLayout) splitSpecks() {
	const small, few = 14.0, 60
	var large, specks [][]pos
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

// areaAt is the area under a position inside the box.
func (g *gridMap) areaAt(b box, p pos) int {
	col := min(g.w-1, int((p[0]-b.x0)/b.w()*float64(g.w)))
	row := min(g.h-1, int((b.y1-p[1])/b.h()*float64(g.h)))
	return int(g.index[row*g.w+col])
}

// lattice is the position of a point that counts cells from the lower left.
func (g *gridMap) lattice(b box, x, y float64) pos {
	return pos{b.x0 + x/float64(g.w)*b.w(), b.y1 - y/float64(g.h)*b.h()}
}

// marked is the middle of the cell to ring, if there is one.
func (g *gridMap) marked(l *mapLayout) (pos, bool) {
	return g.lattice(l.data, float64(g.mark%g.w)+0.5, float64(g.mark/g.w)+0.5), g.mark >= 0
}

// borderLines traces the borders in pixels.
func (g *gridMap) borderLines(b box, differ func(a, b uint8) bool) [][]pos {
	const tolerance = 0.9 // pixels: steps of cells that small are not seen as steps
	var out [][]pos
	corners := 0
	for _, line := range borders(g.index, g.w, g.h, differ).trace() {
		pts := make([]pos, len(line))
		for i, p := range line {
			pts[i] = g.lattice(b, float64(p[0]), float64(p[1]))
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

// placeLabels puts the labels of the curves beside them, then those of the areas where each has most room. It returns
// the curves that found no place.
func (g *gridMap) placeLabels(l *mapLayout) (homeless []Curve) {
	p := &placer{within: l.data.grow(-3), hurry: g.hurry}
	lines := make([][]pos, len(g.curves))
	for i, c := range g.curves {
		lines[i] = slices.Concat(l.data.clip(l.corners(c))...)
		p.addLine(i, lines[i])
	}
	for i, s := range l.strips {
		p.addLine(len(g.curves)+i, []pos{s.from, s.to})
	}
	if at, ok := g.marked(l); ok {
		const text = "first"
		p.taken = append(p.taken, boxAt(at, 0, 0).grow(8))
		if b, ok := p.beside(-1, []pos{{at[0] - 4, at[1]}, {at[0] + 4, at[1]}}, textWidth(text), 0.5); ok {
			l.labels = append(l.labels, placedLabel{b.middle(), text, -1})
		}
	}
	for i, c := range g.curves {
		if c.Label == "" {
			continue
		}
		if g.dark {
			homeless = append(homeless, c)
			continue
		}
		prefer := 0.5
		if c.Dashed {
			prefer = 0.9
		}
		if b, ok := p.beside(i, lines[i], textWidth(c.Label)+4, prefer); ok {
			l.labels = append(l.labels, placedLabel{b.middle(), c.Label, -1})
		} else {
			homeless = append(homeless, c)
		}
	}
	g.labelStrips(l, p)
	g.labelAreas(l, g.occupancy(l.data, p))
	return homeless
}

// labelAreas writes into each area the longest of its names that fits.
func (g *gridMap) labelAreas(l *mapLayout, o *occupancy) {
	for i, a := range g.areas {
		for _, name := range a.inside {
			if name == "" || a.count == 0 {
				continue
			}
			if at, ok := o.roomiest(uint8(i), textWidth(name)+10, labelHeight+2); ok {
				l.labels = append(l.labels, placedLabel{at, name, i})
				break
			}
		}
	}
}

// corners are those of a curve in pixels.
func (l *mapLayout) corners(c Curve) []pos {
	out := make([]pos, len(c.Points))
	for i, p := range c.Points {
		out[i] = l.at(p.X, p.Y)
	}
	return out
}

// paint draws from the ground up: cells, patterns, borders, curves, labels, axes.
func (g *gridMap) paint(s *stage, l *mapLayout) {
	g.paintData(s, l)
	g.paintTop(s, l)
}

// paintTop draws what lies on top of the data.
func (g *gridMap) paintTop(s *stage, l *mapLayout) {
	b := l.data
	for _, p := range l.strips {
		g.paintStrip(s, p)
	}
	if at, ok := g.marked(l); ok {
		s.ring(at, 7, solidLine(s.ground, 4.5))
		s.ring(at, 7, solidLine(s.ink, 2))
	}
	for _, t := range l.labels {
		colour, halo := s.ink, s.ground
		if t.area >= 0 {
			halo = g.areas[t.area].fill.ground[s.theme]
			colour = legibleOn(halo)
		}
		s.text(t.at, t.text, textStyle{colour: colour, halo: &halo, anchor: middle, shift: centre})
	}
	l.draw(s)
	s.line(solidLine(s.muted, 1), pos{b.x0, b.y1}, pos{b.x0, b.y0}, pos{b.x1, b.y0}, pos{b.x1, b.y1})
}

// paintData draws the cells, their patterns and borders, and the curves.
func (g *gridMap) paintData(s *stage, l *mapLayout) {
	s.image(l.data, g.image(s.theme))
	for i, pieces := range l.hatches {
		s.hatch(g.areas[i].fill, pieces)
	}
	for _, line := range l.minor {
		s.line(solidLine(color.NRGBA{A: 0x73}, 0.75), line...)
	}
	for _, line := range l.major {
		s.line(solidLine(s.ink, 1.5), line...)
	}
	g.paintCurves(s, l)
}

// paintCurves draws the curves, first all of them wider in the ground's colour, so that they stand out from any area.
func (g *gridMap) paintCurves(s *stage, l *mapLayout) {
	for _, halo := range []bool{true, false} {
		for _, c := range g.curves {
			sty := c.stroke().line(s.theme)
			if c.Dashed {
				sty.Width = 1.25
			}
			if halo {
				veil := color.NRGBAModel.Convert(s.ground).(color.NRGBA)
				veil.A = 0xb3
				sty = solidLine(veil, sty.Width+2.25)
			}
			s.curve(l.data, sty, l.corners(c))
		}
	}
}
