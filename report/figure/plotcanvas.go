//go:build !wasip1

package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/siegebook/siegebook/report/content"
)

// plotCanvas is the canvas that a plot of gonum.org/v1/plot draws on. It has the transforms of a vg.Canvas, fits
// colours to the theme, and keeps text as text.
type plotCanvas struct {
	stage *stage
	now   tool
	saved []tool
}

// tool is what Push saves.
type tool struct {
	width  vg.Length
	dashes []vg.Length
	colour color.Color
	to     matrix
}

func newPlotCanvas(s *stage) *plotCanvas {
	c := &plotCanvas{stage: s, now: tool{to: matrix{1, 0, 0, 1, 0, 0}}}
	vg.Initialize(c)
	c.Scale(plotScale, plotScale)
	return c
}

// matrix maps (x, y) to (ax + cy + e, bx + dy + f).
type matrix struct{ a, b, c, d, e, f float64 }

// times is the transform that does n first.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d, m.a*n.e + m.c*n.f + m.e,
		m.b*n.e + m.d*n.f + m.f,
	}
}

func (m matrix) apply(p vg.Point) vg.Point {
	x, y := float64(p.X), float64(p.Y)
	return vg.Point{X: vg.Length(m.a*x + m.c*y + m.e), Y: vg.Length(m.b*x + m.d*y + m.f)}
}

// size is the factor of lengths.
func (m matrix) size() vg.Length { return vg.Length(math.Sqrt(math.Abs(m.a*m.d - m.b*m.c))) }

func (c *plotCanvas) SetLineWidth(w vg.Length)               { c.now.width = w }
func (c *plotCanvas) SetLineDash(d []vg.Length, _ vg.Length) { c.now.dashes = d }
func (c *plotCanvas) SetColor(col color.Color)               { c.now.colour = col }
func (c *plotCanvas) Translate(p vg.Point) {
	c.now.to = c.now.to.times(matrix{1, 0, 0, 1, float64(p.X), float64(p.Y)})
}
func (c *plotCanvas) Scale(x, y float64) { c.now.to = c.now.to.times(matrix{x, 0, 0, y, 0, 0}) }
func (c *plotCanvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	c.now.to = c.now.to.times(matrix{cos, sin, -sin, cos, 0, 0})
}
func (c *plotCanvas) Push() { c.saved = append(c.saved, c.now) }
func (c *plotCanvas) Pop() {
	last := len(c.saved) - 1
	c.now, c.saved = c.saved[last], c.saved[:last]
}

// Stroke strokes a path with the pen.
func (c *plotCanvas) Stroke(p vg.Path) {
	svg, size := c.stage.svg, c.now.to.size()
	colour := c.stage.fitted(c.now.colour, lineContrast)
	svg.SetColor(colour)
	svg.SetLineWidth(c.now.width * size)
	dashes := make([]vg.Length, len(c.now.dashes))
	for i, d := range c.now.dashes {
		dashes[i] = d * size
	}
	svg.SetLineDash(dashes, 0)
	svg.Stroke(c.moved(p))
	if _, _, _, alpha := colour.RGBA(); alpha != 0xffff { // where such strokes cross, their colour is stronger
		svg.flush()
	}
}

// Fill fills a path. Each is an element of its own: the holes of one are no holes of another.
func (c *plotCanvas) Fill(p vg.Path) {
	c.stage.svg.SetColor(c.stage.fitted(c.now.colour, 1))
	c.stage.svg.Fill(c.moved(p))
	c.stage.svg.flush()
}

// moved is a path in pixels.
func (c *plotCanvas) moved(p vg.Path) (out vg.Path) {
	m := c.now.to
	for _, part := range p {
		if part.Type == vg.ArcComp {
			out = append(out, arcCurves(m, part)...)
			continue
		}
		part.Pos = m.apply(part.Pos)
		control := make([]vg.Point, len(part.Control))
		for i, at := range part.Control {
			control[i] = m.apply(at)
		}
		part.Control = control
		out = append(out, part)
	}
	return out
}

// arcCurves is an arc as a line to its start and cubic curves, of at most a quarter of a circle each, which a transform
// leaves such curves. They are off by less than 0.03 % of the radius.
func arcCurves(m matrix, arc vg.PathComp) (out vg.Path) {
	on := func(angle, along float64) vg.Point {
		sin, cos := math.Sincos(angle)
		r := float64(arc.Radius)
		return m.apply(arc.Pos.Add(vg.Point{X: vg.Length(r * (cos - along*sin)), Y: vg.Length(r * (sin + along*cos))}))
	}
	out.Line(on(arc.Start, 0))
	n := math.Ceil(math.Abs(arc.Angle)/(math.Pi/2) - 1e-9)
	step := arc.Angle / max(n, 1)
	along := 4.0 / 3 * math.Tan(step/4)
	for i := range int(n) {
		from := arc.Start + float64(i)*step
		out.CubeTo(on(from, along), on(from+step, -along), on(from+step, 0))
	}
	return out
}

// FillString writes a line of text, as wide as the plot has measured it.
func (c *plotCanvas) FillString(f font.Face, at vg.Point, text string) {
	text = content.Minus(strings.Map(printable, text))
	if strings.TrimSpace(text) == "" || f.Font.Size <= 0 {
		return
	}
	svg, m := c.stage.svg, c.now.to
	p := m.apply(at)
	x, y := decimal(float64(p.X)), decimal(svg.height-float64(p.Y))
	svg.flush()
	fmt.Fprintf(&svg.out, `<text x="%s" y="%s"`, x, y)
	if angle := math.Atan2(m.b, m.a) * 180 / math.Pi; math.Abs(angle) > 0.01 {
		fmt.Fprintf(&svg.out, ` transform="rotate(%s %s %s)"`, decimal(-angle), x, y)
	}
	style := "font-size:" + decimal(float64(f.Font.Size*m.size())) + "px"
	if family := map[font.Variant]string{"Serif": "serif", "Mono": "monospace"}[f.Font.Variant]; family != "" {
		style += ";font-family:" + family
	}
	if f.Font.Weight > 0 {
		style += ";font-weight:bold"
	}
	if f.Font.Style != 0 {
		style += ";font-style:italic"
	}
	colour := c.stage.fitted(c.now.colour, textContrast)
	fmt.Fprintf(&svg.out, ` style="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		style, decimal(float64(f.Width(text)*m.size())), paintAttrs("fill", colour), escape(text))
}

// printable drops what XML does not take, and turns other controls into spaces.
func printable(r rune) rune {
	switch {
	case r == unicode.ReplacementChar || r == 0xfffe || r == 0xffff:
		return -1
	case unicode.IsControl(r):
		return ' '
	}
	return r
}

// DrawImage fills a rectangle with an image, whose colours are kept.
func (c *plotCanvas) DrawImage(rect vg.Rectangle, img image.Image) {
	a, b := c.now.to.apply(rect.Min), c.now.to.apply(rect.Max)
	c.stage.svg.DrawImage(vg.Rectangle{
		Min: vg.Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)}, Max: vg.Point{X: max(a.X, b.X), Y: max(a.Y, b.Y)},
	}, img)
}

// lineContrast and textContrast are the least contrasts of coloured lines and texts (WCAG 2.2, 1.4.11 and 1.4.3). Areas
// may have less: they touch each other.
const (
	lineContrast = 3
	textContrast = 4.5
)

// fitted is a colour of a plot, which was chosen for a white page, as one for this page. Greys keep their contrast to
// the page, so that black and white change places on a dark one. Other colours change as little as is needed to be
// seen: they get the least contrast, or on a dark page that which they have on a white one, up to that of text.
func (s *stage) fitted(c color.Color, least float64) color.Color {
	if c == nil {
		c = color.Black
	}
	straight := color.NRGBAModel.Convert(c).(color.NRGBA)
	solid := color.RGBA{straight.R, straight.G, straight.B, 0xff}
	seen := contrast(solid, hex(0xffffff))
	grey := max(solid.R, solid.G, solid.B)-min(solid.R, solid.G, solid.B) < 24
	switch {
	case grey && seen > 14:
		solid = s.ink
	case grey && s.theme == dark:
		solid = mixedUntil(s.ground, s.ink, func(c color.RGBA) bool { return contrast(c, s.ground) >= seen })
	case !grey && s.theme == dark:
		least = max(least, min(seen, textContrast))
		fallthrough
	case !grey:
		solid = mixedUntil(solid, s.ink, func(c color.RGBA) bool { return contrast(c, s.ground) >= least })
	}
	return color.NRGBA{solid.R, solid.G, solid.B, straight.A}
}

// mixedUntil mixes a colour with another until it is as wanted.
func mixedUntil(c, with color.RGBA, wanted func(color.RGBA) bool) color.RGBA {
	const steps = 64
	for i := range steps {
		if mixed := mix(c, with, float64(i)/steps); wanted(mixed) {
			return mixed
		}
	}
	return with
}

func isWhite(c any) bool {
	col, ok := c.(color.Color)
	if !ok {
		return false
	}
	r, g, b, a := col.RGBA()
	return r&g&b&a == 0xffff
}
