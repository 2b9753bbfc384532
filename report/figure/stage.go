package figure

import (
	"image"
	"image/color"
	"math"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

// stage is what a figure is painted on: a canvas with the theme's inks. Its own coordinates are CSS pixels with y down,
// like those of the layout; gonum's have y up.
type stage struct {
	svg   *svgCanvas
	page  pen.Canvas // all of it
	theme theme
	inks
}

// render returns what paint draws, as the elements of an SVG.
func render(width, height int, t theme, paint func(*stage)) []byte {
	c := newSVGCanvas(float64(height))
	paint(&stage{svg: c, page: pen.NewCanvas(c, pen.Length(width), pen.Length(height)), theme: t, inks: themeInks[t]})
	c.flush()
	return c.out.Bytes()
}

// pos is a position in pixels, x to the right and y down.
type pos = [2]float64

// box is a rectangle in pixels with y down.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) w() float64  { return b.x1 - b.x0 }
func (b box) h() float64  { return b.y1 - b.y0 }
func (b box) middle() pos { return pos{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2} }

// corners goes from the upper left clockwise.
func (b box) corners() []pos { return []pos{{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}} }

func (b box) overlaps(o box) bool {
	return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1
}

func (b box) inside(o box) bool {
	return b.x0 >= o.x0 && b.x1 <= o.x1 && b.y0 >= o.y0 && b.y1 <= o.y1
}

// contains leaves the edges out.
func (b box) contains(p pos) bool { return p[0] > b.x0 && p[0] < b.x1 && p[1] > b.y0 && p[1] < b.y1 }

func (b box) grow(by float64) box { return box{b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by} }

// boxAt is the box of a width and a height with its middle at the position.
func boxAt(p pos, w, h float64) box { return box{p[0] - w/2, p[1] - h/2, p[0] + w/2, p[1] + h/2} }

// clip returns the parts of a polyline inside the box.
func (b box) clip(line []pos) [][]pos {
	point := func(x, y float64) pen.Point { return pen.Point{X: pen.Length(x), Y: pen.Length(y)} }
	c := pen.Canvas{Rectangle: pen.Rectangle{Min: point(b.x0, b.y0), Max: point(b.x1, b.y1)}}
	pts := make([]pen.Point, len(line))
	for i, p := range line {
		pts[i] = point(p[0], p[1])
	}
	var out [][]pos
	for _, part := range c.ClipLinesXY(pts) {
		clipped := make([]pos, len(part))
		for i, p := range part {
			clipped[i] = pos{float64(p.X), float64(p.Y)}
		}
		out = append(out, clipped)
	}
	return out
}

// points turns positions with y down into gonum's points.
func (s *stage) points(at ...pos) []pen.Point {
	pts := make([]pen.Point, len(at))
	for i, p := range at {
		pts[i] = pen.Point{X: pen.Length(p[0]), Y: pen.Length(s.svg.height - p[1])}
	}
	return pts
}

// solidLine is a line without dashes.
func solidLine(c color.Color, width pen.Length) pen.LineStyle {
	return pen.LineStyle{Color: c, Width: width}
}

// line strokes a polyline.
func (s *stage) line(sty pen.LineStyle, at ...pos) { s.page.StrokeLines(sty, s.points(at...)) }

// outline strokes the edge of a box.
func (s *stage) outline(b box, sty pen.LineStyle) {
	s.line(sty, append(b.corners(), pos{b.x0, b.y0})...)
}

// fill fills a polygon.
func (s *stage) fill(c color.Color, corners ...pos) { s.page.FillPolygon(c, s.points(corners...)) }

// cover fills a box with a colour and its pattern.
func (s *stage) cover(b box, f fill) {
	s.fill(f.ground[s.theme], b.corners()...)
	s.hatch(f, hatch(f.pattern, b, anywhere))
}

// hatch strokes pieces of a pattern.
func (s *stage) hatch(f fill, pieces []segment) {
	for _, p := range pieces {
		s.line(hatchStyle(f, s.theme), p[0], p[1])
	}
}

// circle is a closed path.
func (s *stage) circle(at pos, radius pen.Length) pen.Path {
	var p pen.Path
	pt := s.points(at)[0]
	p.Move(pen.Point{X: pt.X + radius, Y: pt.Y})
	p.Arc(pt, radius, 0, 2*math.Pi)
	p.Close()
	return p
}

// disc fills a circle.
func (s *stage) disc(at pos, radius pen.Length, c color.Color) {
	s.page.SetColor(c)
	s.page.Fill(s.circle(at, radius))
}

// ring strokes a circle.
func (s *stage) ring(at pos, radius pen.Length, edge pen.LineStyle) {
	s.page.SetLineStyle(edge)
	s.page.Stroke(s.circle(at, radius))
}

// marker draws the sign of a data point; a ring shows the ground inside.
func (s *stage) marker(at pos, m marker, c color.Color, radius pen.Length) {
	if unit, ok := outlines[m]; ok {
		pt, corners := s.points(at)[0], make([]pen.Point, len(unit))
		for i, u := range unit {
			corners[i] = pen.Point{X: pt.X + u[0]*radius, Y: pt.Y + u[1]*radius}
		}
		s.page.FillPolygon(c, corners)
		return
	}
	if m == circle || m == ring {
		s.disc(at, radius, c)
	}
	if m == ring {
		s.disc(at, radius/2, s.ground)
	}
}

// text writes one line of text.
func (s *stage) text(at pos, txt string, sty textStyle) {
	if txt != "" {
		s.svg.text(at, txt, sty)
	}
}

// label writes text in the middle-left, middle or middle-right of a position.
func (s *stage) label(at pos, txt string, a anchor, col color.RGBA) {
	s.text(at, txt, textStyle{colour: col, anchor: a, shift: centre})
}

// curve strokes the parts of a polyline inside a box.
func (s *stage) curve(b box, sty pen.LineStyle, at []pos) {
	for _, part := range b.clip(at) {
		s.line(sty, part...)
	}
}

// image fills a box with an image.
func (s *stage) image(b box, img image.Image) {
	ends := s.points(pos{b.x0, b.y1}, pos{b.x1, b.y0})
	s.page.DrawImage(pen.Rectangle{Min: ends[0], Max: ends[1]}, img)
}
