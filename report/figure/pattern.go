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

// hatchings are the hatch lines of each pattern as steps (dx, dy) with y up. Dots are dashes of lines.
var hatchings = [...][]pos{
	rising: {{1, 1}}, falling: {{1, -1}}, cross: {{1, 1}, {1, -1}}, horizontal: {{1, 0}}, vertical: {{0, 1}}, dots: {{1, 0}},
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

// outlines are the corners of the polygonal markers, for a radius of 1.
var outlines = map[marker][][2]vg.Length{
	square:   {{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}},
	triangle: {{-1.1, -.8}, {1.1, -.8}, {0, 1.2}},
	diamond:  {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}},
	cross4: {
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
	},
}

// glyph draws a marker; a ring shows the ground inside. It implements gonum's GlyphDrawer.
type glyph struct {
	marker marker
	ground color.Color
}

// DrawGlyph draws the marker in the style's colour and radius.
func (g glyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	if corners, ok := outlines[g.marker]; ok {
		pts := make([]vg.Point, len(corners))
		for i, u := range corners {
			pts[i] = vg.Point{X: pt.X + u[0]*sty.Radius, Y: pt.Y + u[1]*sty.Radius}
		}
		c.FillPolygon(sty.Color, pts)
		return
	}
	draw.CircleGlyph{}.DrawGlyph(c, sty, pt)
	if g.marker == ring {
		draw.CircleGlyph{}.DrawGlyph(c, draw.GlyphStyle{Color: g.ground, Radius: sty.Radius / 2}, pt)
	}
}
