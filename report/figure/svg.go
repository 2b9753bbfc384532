package figure

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

// svgCanvas is a pen.Painter that writes small SVG. Unlike gonum's own it keeps text anchored, pixels crisp and
// coordinates short, and joins neighbouring paths of one style. One unit is one CSS pixel.
type svgCanvas struct {
	// nil, for what figures do not use: they have one system of coordinates, and their text knows its anchor
	pen.Painter

	out    bytes.Buffer
	height float64

	width  pen.Length // of lines
	dash   []pen.Length
	colour color.Color

	openAttrs string       // attributes of the path being collected, "" if none
	openData  bytes.Buffer // its data
}

func newSVGCanvas(height float64) *svgCanvas {
	c := &svgCanvas{height: height}
	pen.Initialize(c)
	return c
}

func (c *svgCanvas) SetLineWidth(w pen.Length)                { c.width = w }
func (c *svgCanvas) SetLineDash(d []pen.Length, _ pen.Length) { c.dash = d }
func (c *svgCanvas) SetColor(col color.Color)                 { c.colour = col }

// Stroke and Fill collect paths of equal style into one element. Overlapping strokes of a translucent colour would
// differ from separate ones, but nothing here strokes lines over each other in one style.
func (c *svgCanvas) Stroke(p pen.Path) {
	if c.width <= 0 {
		return
	}
	attrs := paintAttrs("stroke", c.colour)
	if c.width != 1 {
		attrs += fmt.Sprintf(` stroke-width="%s"`, decimal(float64(c.width)))
	}
	if len(c.dash) > 0 {
		parts := make([]string, len(c.dash))
		for i, d := range c.dash {
			parts[i] = decimal(float64(d))
		}
		attrs += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(parts, " "))
	}
	c.path(attrs, p)
}

// Fill fills the path by the non-zero rule.
func (c *svgCanvas) Fill(p pen.Path) { c.path(paintAttrs("fill", c.colour), p) }

// paintAttrs are the attributes of a stroke or a fill, which may be translucent.
func paintAttrs(kind string, c color.Color) string {
	straight := color.NRGBAModel.Convert(c).(color.NRGBA)
	attrs := fmt.Sprintf(` %s="%s"`, kind, css(c))
	if straight.A != 0xff {
		attrs += fmt.Sprintf(` %s-opacity="%s"`, kind, decimal(float64(straight.A)/0xff))
	}
	return attrs
}

func (c *svgCanvas) path(attrs string, p pen.Path) {
	if attrs != c.openAttrs {
		c.flush()
		c.openAttrs = attrs
	}
	c.pathData(p)
}

// flush writes the collected path.
func (c *svgCanvas) flush() {
	if c.openData.Len() > 0 {
		fmt.Fprintf(&c.out, "<path%s d=\"%s\"/>\n", c.openAttrs, c.openData.Bytes())
		c.openData.Reset()
	}
	c.openAttrs = ""
}

// pathData appends the path in relative commands. Positions are rounded to hundredths before they are subtracted, so
// that rounding does not add up along a path.
func (c *svgCanvas) pathData(p pen.Path) {
	var at, first [2]int
	for _, comp := range p {
		switch comp.Type {
		case pen.MoveComp:
			at = c.hundredths(comp.Pos)
			first = at
			fmt.Fprintf(&c.openData, "M%s%s", short(at[0]), spaced(at[1]))
		case pen.LineComp:
			to := c.hundredths(comp.Pos)
			c.lineTo(to[0]-at[0], to[1]-at[1])
			at = to
		case pen.ArcComp:
			at = c.arc(at, comp)
		case pen.CurveComp:
			c.openData.WriteByte(" qc"[len(comp.Control)])
			for i, to := range append(slices.Clone(comp.Control), comp.Pos) {
				h := c.hundredths(to)
				dx := short(h[0] - at[0])
				if i > 0 {
					dx = spaced(h[0] - at[0])
				}
				c.openData.WriteString(dx + spaced(h[1]-at[1]))
			}
			at = c.hundredths(comp.Pos)
		case pen.CloseComp:
			c.openData.WriteByte('z')
			at = first
		default:
			panic(fmt.Sprintf("figure: svgCanvas does not draw path component %d", comp.Type))
		}
	}
}

func (c *svgCanvas) lineTo(dx, dy int) {
	switch {
	case dx == 0 && dy == 0:
	case dy == 0:
		c.openData.WriteString("h" + short(dx))
	case dx == 0:
		c.openData.WriteString("v" + short(dy))
	default:
		c.openData.WriteString("l" + short(dx) + spaced(dy))
	}
}

// arc draws an arc in two halves, because SVG cannot draw a full circle in one. The angle is not negative.
func (c *svgCanvas) arc(at [2]int, comp pen.PathComp) [2]int {
	on := func(angle float64) [2]int {
		sin, cos := math.Sincos(angle)
		return c.hundredths(pen.Point{
			X: comp.Pos.X + comp.Radius*pen.Length(cos),
			Y: comp.Pos.Y + comp.Radius*pen.Length(sin),
		})
	}
	begin := on(comp.Start)
	c.lineTo(begin[0]-at[0], begin[1]-at[1])
	at = begin
	r := short(int(math.Round(float64(comp.Radius) * 100)))
	for _, part := range []float64{0.5, 1} {
		to := on(comp.Start + part*comp.Angle)
		fmt.Fprintf(&c.openData, "a%s %s 0 0 0%s%s", r, r, spaced(to[0]-at[0]), spaced(to[1]-at[1]))
		at = to
	}
	return at
}

// hundredths turns a point with y up into hundredths of a pixel with y down.
func (c *svgCanvas) hundredths(p pen.Point) [2]int {
	return [2]int{int(math.Round(float64(p.X) * 100)), int(math.Round((c.height - float64(p.Y)) * 100))}
}

// textStyle is how a line of text stands at its position.
type textStyle struct {
	colour color.RGBA
	halo   *color.RGBA // drawn around the letters where the text stands on data
	anchor anchor
	shift  float64 // baseline below the position, in em
}

// text writes a line of text at a position with y down.
func (c *svgCanvas) text(at pos, s string, sty textStyle) {
	c.flush()
	fmt.Fprintf(&c.out, `<text x="%s" y="%s"`, decimal(at[0]), decimal(at[1]))
	if sty.shift != 0 {
		fmt.Fprintf(&c.out, ` dy="%sem"`, decimal(sty.shift))
	}
	if sty.anchor != start {
		fmt.Fprintf(&c.out, ` text-anchor="%s"`, [...]string{"start", "middle", "end"}[sty.anchor])
	}
	if sty.halo != nil {
		fmt.Fprintf(&c.out, ` paint-order="stroke" stroke="%s" stroke-width="6"`, css(*sty.halo))
	}
	fmt.Fprintf(&c.out, " fill=\"%s\">%s</text>\n", css(sty.colour), escape(s))
}

// DrawImage embeds the image as a PNG whose pixels keep their edges at every scale.
func (c *svgCanvas) DrawImage(rect pen.Rectangle, img image.Image) {
	c.flush()
	var buf bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(&buf, img); err != nil {
		panic("figure: encoding an image of this package failed: " + err.Error())
	}
	size := rect.Size()
	fmt.Fprintf(&c.out, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none"`,
		decimal(float64(rect.Min.X)), decimal(c.height-float64(rect.Max.Y)), decimal(float64(size.X)),
		decimal(float64(size.Y)))
	fmt.Fprintf(&c.out, " style=\"image-rendering:pixelated\" href=\"data:image/png;base64,%s\"/>\n",
		base64.StdEncoding.EncodeToString(buf.Bytes()))
}

// escape makes text safe as XML content and in attributes.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace

// decimal writes a number with at most two decimals.
func decimal(x float64) string { return short(int(math.Round(x * 100))) }

// short writes hundredths as the shortest decimal number: 0.5 is ".5".
func short(hundredths int) string {
	if hundredths == 0 {
		return "0"
	}
	s := strconv.FormatFloat(float64(hundredths)/100, 'f', -1, 64)
	s = strings.Replace(s, "-0.", "-.", 1)
	return strings.TrimPrefix(s, "0")
}

// spaced is short with a separator in front, where the minus sign is none.
func spaced(hundredths int) string {
	if hundredths < 0 {
		return short(hundredths)
	}
	return " " + short(hundredths)
}

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
