//go:build wasip1

package pen

import (
	"image"
	"image/color"
)

type (
	Length    float64
	Point     struct{ X, Y Length }
	Rectangle struct{ Min, Max Point }
	Path      []PathComp
	PathComp  struct {
		Type         int
		Pos          Point
		Control      []Point
		Radius       Length
		Start, Angle float64
	}
	LineStyle struct {
		Color    color.Color
		Width    Length
		Dashes   []Length
		DashOffs Length
	}
	Painter interface {
		SetLineWidth(width Length)
		SetLineDash(pattern []Length, offset Length)
		SetColor(c color.Color)
		Stroke(p Path)
		Fill(p Path)
		DrawImage(r Rectangle, img image.Image)
	}
	Canvas struct {
		Painter
		Rectangle
	}
)

const (
	MoveComp = iota
	LineComp
	ArcComp
	CurveComp
	CloseComp
)

func NewCanvas(p Painter, width, height Length) Canvas {
	return Canvas{p, Rectangle{Max: Point{width, height}}}
}

func Initialize(p Painter) {
	p.SetLineWidth(1)
	p.SetLineDash(nil, 0)
	p.SetColor(color.Black)
}

func (p *Path) Move(to Point) { *p = append(*p, PathComp{Type: MoveComp, Pos: to}) }
func (p *Path) Line(to Point) { *p = append(*p, PathComp{Type: LineComp, Pos: to}) }
func (p *Path) Close()        { *p = append(*p, PathComp{Type: CloseComp}) }

func (p *Path) Arc(middle Point, radius Length, start, angle float64) {
	*p = append(*p, PathComp{Type: ArcComp, Pos: middle, Radius: radius, Start: start, Angle: angle})
}

func (c *Canvas) SetLineStyle(s LineStyle) {
	c.SetColor(s.Color)
	c.SetLineWidth(s.Width)
	c.SetLineDash(s.Dashes, s.DashOffs)
}

func (c *Canvas) StrokeLines(s LineStyle, lines ...[]Point) {
	c.SetLineStyle(s)
	for _, line := range lines {
		if len(line) > 0 {
			c.Stroke(polygon(line))
		}
	}
}

func (c *Canvas) FillPolygon(fill color.Color, corners []Point) {
	if len(corners) > 0 {
		c.SetColor(fill)
		p := polygon(corners)
		p.Close()
		c.Fill(p)
	}
}

func polygon(corners []Point) Path {
	var p Path
	p.Move(corners[0])
	for _, to := range corners[1:] {
		p.Line(to)
	}
	return p
}

// slop is how far beyond an edge a point still counts as inside.
const slop = 3e-8

// ClipLinesXY returns the parts of lines on the canvas: edge by edge, in gonum's order, so that the same points come of
// it.
func (c *Canvas) ClipLinesXY(lines ...[]Point) [][]Point {
	for _, edge := range []struct {
		at, normal Point
		in         func(p Point) bool
	}{
		{Point{c.Max.X, c.Min.Y}, Point{-1, 0}, func(p Point) bool { return p.X <= c.Max.X+slop }},
		{c.Min, Point{1, 0}, func(p Point) bool { return p.X >= c.Min.X-slop }},
		{c.Min, Point{0, -1}, func(p Point) bool { return p.Y >= c.Min.Y-slop }},
		{Point{c.Min.X, c.Max.Y}, Point{0, 1}, func(p Point) bool { return p.Y <= c.Max.Y+slop }},
	} {
		var clipped [][]Point
		for _, line := range lines {
			clipped = append(clipped, clip(line, edge.at, edge.normal, edge.in)...)
		}
		lines = clipped
	}
	return lines
}

func clip(line []Point, at, normal Point, in func(Point) bool) (parts [][]Point) {
	var part []Point
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		enters, leaves := !in(from), !in(to)
		switch {
		case !enters && !leaves:
			part = append(part, from)
		case !enters:
			parts = append(parts, append(part, from, crossing(from, to, at, normal)))
			part = nil
		case !leaves:
			part = append(part, crossing(from, to, at, normal))
		}
		if !leaves && i == len(line)-1 {
			part = append(part, to)
		}
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}

// crossing is where a line crosses an edge.
func crossing(from, to, at, normal Point) Point {
	dot := func(a, b Point) Length { return a.X*b.X + a.Y*b.Y }
	minus := func(a, b Point) Point { return Point{a.X - b.X, a.Y - b.Y} }
	t := dot(minus(from, at), normal) / dot(minus(from, to), normal)
	along := minus(to, from)
	return Point{along.X*t + from.X, along.Y*t + from.Y}
}

// Size is the width and the height.
func (r Rectangle) Size() Point { return Point{r.Max.X - r.Min.X, r.Max.Y - r.Min.Y} }
