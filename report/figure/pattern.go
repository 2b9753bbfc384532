package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pattern is what an area carries beside its colour.
type pattern int

const (
	solid pattern = iota
	rising
	falling
	cross
	horizontal
	vertical
	dots
)

var patternNames = [...]string{"solid", "rising", "falling", "cross", "horizontal", "vertical", "dots"}

func (p pattern) String() string { return patternNames[p] }

// directions are the hatch lines of a pattern as steps (dx, dy) with y up.
func (p pattern) directions() [][2]float64 {
	switch p {
	case rising:
		return [][2]float64{{1, 1}}
	case falling:
		return [][2]float64{{1, -1}}
	case cross:
		return [][2]float64{{1, 1}, {1, -1}}
	case horizontal:
		return [][2]float64{{1, 0}}
	case vertical:
		return [][2]float64{{0, 1}}
	}
	return nil
}

// dash names a stroke's dash pattern, in pixels.
type dash struct {
	name    string
	lengths []vg.Length
}

var dashes = [...]dash{
	{"solid", nil},
	{"dash", []vg.Length{7, 4}},
	{"dot", []vg.Length{2, 3}},
	{"dash-dot", []vg.Length{9, 3, 2, 3}},
	{"long-dash", []vg.Length{14, 4}},
	{"dash-dot-dot", []vg.Length{9, 3, 2, 3, 2, 3}},
}

// marker is the sign at a data point.
type marker int

const (
	circle marker = iota
	square
	triangle
	diamond
	cross4
	ring
)

// glyph draws a marker; a ring shows the ground inside. It implements gonum's GlyphDrawer.
type glyph struct {
	marker marker
	ground color.Color
}

// DrawGlyph draws the marker in the style's colour and radius.
func (g glyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	switch g.marker {
	case circle, ring:
		draw.CircleGlyph{}.DrawGlyph(c, sty, pt)
		if g.marker == ring {
			inner := draw.GlyphStyle{Color: g.ground, Radius: sty.Radius / 2}
			draw.CircleGlyph{}.DrawGlyph(c, inner, pt)
		}
	default:
		c.FillPolygon(sty.Color, g.marker.outline(pt, sty.Radius))
	}
}

// outline returns the corners of a polygonal marker.
func (m marker) outline(pt vg.Point, r vg.Length) []vg.Point {
	var unit [][2]vg.Length
	switch m {
	case square:
		unit = [][2]vg.Length{{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}}
	case triangle:
		unit = [][2]vg.Length{{-1.1, -.8}, {1.1, -.8}, {0, 1.2}}
	case diamond:
		unit = [][2]vg.Length{{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}
	case cross4:
		unit = [][2]vg.Length{
			{-.4, -1.2},
			{.4, -1.2},
			{.4, -.4},
			{1.2, -.4},
			{1.2, .4},
			{.4, .4},
			{.4, 1.2},
			{-.4, 1.2},
			{-.4, .4},
			{-1.2, .4},
			{-1.2, -.4},
			{-.4, -.4},
		}
	}
	pts := make([]vg.Point, len(unit))
	for i, u := range unit {
		pts[i] = vg.Point{X: pt.X + u[0]*r, Y: pt.Y + u[1]*r}
	}
	return pts
}
