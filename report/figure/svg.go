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
)

// point is a position. As in gonum.org/v1/plot, y points up.
type point struct{ x, y float64 }

// path is a line with bends. It has the form of a path of gonum.org/v1/plot/vg. The engine of the pages does not link
// that package, because vg's font readers would make up a sixth of the engine.
type path []bend

// bend is a segment of a path: its end and its shape.
type bend struct {
	kind         int
	to           point   // the end, or the middle of an arc
	control      []point // the control points of a curve
	radius       float64 // the radius of an arc
	start, angle float64
}

// These are the kinds of segments, numbered as in gonum.
const (
	moveTo = iota
	lineTo
	arcTo
	curveTo
	closed
)

// lineStyle is the style of a line, in pixels.
type lineStyle struct {
	Color  color.Color
	Width  float64
	Dashes []float64
}

// painter paints lines, areas and images.
type painter interface {
	stroke(p path, sty lineStyle)
	fill(p path, c color.Color)
	image(low, high point, img image.Image)
}

// svgCanvas is a painter that writes small SVG. Unlike gonum's own canvas, it preserves the anchors of texts, keeps
// pixels crisp and coordinates short, and joins consecutive paths of the same style. One unit is one CSS pixel.
type svgCanvas struct {
	out    bytes.Buffer
	height float64

	openAttrs string       // the attributes of the path that is being collected, or ""
	openData  bytes.Buffer // the path's data
}

// stroke strokes a path. stroke and fill collect consecutive paths of the same style in one element. Overlapping
// translucent strokes would look different if they were in one element, but this package never draws such strokes.
func (c *svgCanvas) stroke(p path, sty lineStyle) {
	if sty.Width <= 0 {
		return
	}
	attrs := paintAttrs("stroke", sty.Color)
	if sty.Width != 1 {
		attrs += fmt.Sprintf(` stroke-width="%s"`, decimal(sty.Width))
	}
	if len(sty.Dashes) > 0 {
		parts := make([]string, len(sty.Dashes))
		for i, d := range sty.Dashes {
			parts[i] = decimal(d)
		}
		attrs += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(parts, " "))
	}
	c.path(attrs, p)
}

// fill fills the path according to the non-zero rule.
func (c *svgCanvas) fill(p path, colour color.Color) { c.path(paintAttrs("fill", colour), p) }

// paintAttrs returns the attributes of a stroke or a fill, which may be translucent.
func paintAttrs(kind string, c color.Color) string {
	straight := color.NRGBAModel.Convert(c).(color.NRGBA)
	attrs := fmt.Sprintf(` %s="%s"`, kind, css(c))
	if straight.A != 0xff {
		attrs += fmt.Sprintf(` %s-opacity="%s"`, kind, decimal(float64(straight.A)/0xff))
	}
	return attrs
}

func (c *svgCanvas) path(attrs string, p path) {
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

// pathData appends the path as relative commands. Positions are rounded to hundredths before they are subtracted, so
// that rounding errors do not add up along a path.
func (c *svgCanvas) pathData(p path) {
	var at, first [2]int
	for _, comp := range p {
		switch comp.kind {
		case moveTo:
			at = c.hundredths(comp.to)
			first = at
			fmt.Fprintf(&c.openData, "M%s%s", short(at[0]), spaced(at[1]))
		case lineTo:
			to := c.hundredths(comp.to)
			c.lineTo(to[0]-at[0], to[1]-at[1])
			at = to
		case arcTo:
			at = c.arc(at, comp)
		case curveTo:
			c.openData.WriteByte(" qc"[len(comp.control)])
			for i, to := range append(slices.Clone(comp.control), comp.to) {
				h := c.hundredths(to)
				dx := short(h[0] - at[0])
				if i > 0 {
					dx = spaced(h[0] - at[0])
				}
				c.openData.WriteString(dx + spaced(h[1]-at[1]))
			}
			at = c.hundredths(comp.to)
		case closed:
			c.openData.WriteByte('z')
			at = first
		default:
			panic(fmt.Sprintf("figure: svgCanvas does not draw path component %d", comp.kind))
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

// arc draws an arc in two halves, because an SVG arc cannot be a full circle. The angle must not be negative.
func (c *svgCanvas) arc(at [2]int, comp bend) [2]int {
	on := func(angle float64) [2]int {
		sin, cos := math.Sincos(angle)
		return c.hundredths(point{comp.to.x + comp.radius*cos, comp.to.y + comp.radius*sin})
	}
	begin := on(comp.start)
	c.lineTo(begin[0]-at[0], begin[1]-at[1])
	at = begin
	r := short(int(math.Round(comp.radius * 100)))
	for _, part := range []float64{0.5, 1} {
		to := on(comp.start + part*comp.angle)
		fmt.Fprintf(&c.openData, "a%s %s 0 0 0%s%s", r, r, spaced(to[0]-at[0]), spaced(to[1]-at[1]))
		at = to
	}
	return at
}

// hundredths converts a point with y pointing up to hundredths of a pixel with y pointing down.
func (c *svgCanvas) hundredths(p point) [2]int {
	return [2]int{int(math.Round(p.x * 100)), int(math.Round((c.height - p.y) * 100))}
}

// textStyle is the style of a line of text, and how the text is placed relative to its position.
type textStyle struct {
	colour color.RGBA
	halo   *color.RGBA // drawn around the letters of text on top of data
	anchor anchor
	shift  float64 // the distance of the baseline below the position, in em
	bold   bool
}

// text writes a line of text at a position, with y pointing down.
func (c *svgCanvas) text(at pos, s string, sty textStyle) {
	c.flush()
	fmt.Fprintf(&c.out, `<text x="%s" y="%s"`, decimal(at[0]), decimal(at[1]))
	if sty.shift != 0 {
		fmt.Fprintf(&c.out, ` dy="%sem"`, decimal(sty.shift))
	}
	if sty.anchor != start {
		fmt.Fprintf(&c.out, ` text-anchor="%s"`, [...]string{"start", "middle", "end"}[sty.anchor])
	}
	if sty.bold {
		c.out.WriteString(` style="font-weight:600"`)
	}
	if sty.halo != nil {
		fmt.Fprintf(&c.out, ` paint-order="stroke" stroke="%s" stroke-width="6"`, css(*sty.halo))
	}
	fmt.Fprintf(&c.out, " fill=\"%s\">%s</text>\n", css(sty.colour), escape(s))
}

// image embeds the image as a PNG. Its pixels keep sharp edges at any scale.
func (c *svgCanvas) image(low, high point, img image.Image) {
	c.flush()
	fmt.Fprintf(&c.out, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none"`,
		decimal(low.x), decimal(c.height-high.y), decimal(high.x-low.x), decimal(high.y-low.y))
	fmt.Fprintf(&c.out, " style=\"image-rendering:pixelated\" href=\"data:image/png;base64,%s\"/>\n", encodedPNG(img))
}

// encodedPNG encodes an image as a base64 PNG file.
func encodedPNG(img image.Image) string {
	var buf bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(&buf, img); err != nil {
		panic("figure: encoding an image of this package failed: " + err.Error())
	}
	return base64.StdEncoding.EncodeToString(buf.Bytes())
}

// escape makes text safe as XML content and in attributes.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace

// decimal formats a number with at most two decimals.
func decimal(x float64) string { return short(int(math.Round(x * 100))) }

// short formats hundredths as the shortest decimal number; for example, 0.5 becomes ".5".
func short(hundredths int) string {
	if hundredths == 0 {
		return "0"
	}
	s := strconv.FormatFloat(float64(hundredths)/100, 'f', -1, 64)
	s = strings.Replace(s, "-0.", "-.", 1)
	return strings.TrimPrefix(s, "0")
}

// spaced formats hundredths as short does, and puts a space before numbers without a minus sign.
func spaced(hundredths int) string {
	if hundredths < 0 {
		return short(hundredths)
	}
	return " " + short(hundredths)
}

// stage is the surface on which a figure is painted: a canvas with the colours of a theme. Its coordinates are CSS
// pixels with y pointing down, as in the layout; gonum's y points up.
type stage struct {
	svg   *svgCanvas
	on    painter // svg, or one of gonum's canvases
	theme theme
	inks
}

// render calls paint and returns the drawing as the elements of an SVG.
func render(height int, t theme, paint func(*stage)) []byte {
	c := &svgCanvas{height: float64(height)}
	paint(&stage{svg: c, on: c, theme: t, inks: themeInks[t]})
	c.flush()
	return c.out.Bytes()
}

// pos is a position in pixels, with x pointing right and y pointing down.
type pos = [2]float64

// box is a rectangle in pixels, with y pointing down.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) w() float64  { return b.x1 - b.x0 }
func (b box) h() float64  { return b.y1 - b.y0 }
func (b box) middle() pos { return pos{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2} }

// corners returns the corners of b, clockwise from the upper left.
func (b box) corners() []pos { return []pos{{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}} }

func (b box) overlaps(o box) bool {
	return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1
}

func (b box) inside(o box) bool {
	return b.x0 >= o.x0 && b.x1 <= o.x1 && b.y0 >= o.y0 && b.y1 <= o.y1
}

// contains reports whether a position is inside the box and not on its edge.
func (b box) contains(p pos) bool { return p[0] > b.x0 && p[0] < b.x1 && p[1] > b.y0 && p[1] < b.y1 }

func (b box) grow(by float64) box { return box{b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by} }

// boxAt returns the box with the given width, height and centre.
func boxAt(p pos, w, h float64) box { return box{p[0] - w/2, p[1] - h/2, p[0] + w/2, p[1] + h/2} }

// hull returns the smallest box that contains all positions.
func hull(at []pos) box {
	b := boxAt(at[0], 0, 0)
	for _, p := range at {
		b = box{min(b.x0, p[0]), min(b.y0, p[1]), max(b.x1, p[0]), max(b.y1, p[1])}
	}
	return b
}

// slop is the distance beyond an edge at which a point still counts as inside.
const slop = 3e-8

// clip returns the parts of a polyline that are inside the box. It clips at one edge after the other, in the same order
// as gonum.org/v1/plot.
func (b box) clip(line []pos) [][]pos {
	lines := [][]pos{line}
	for _, e := range []edge{{0, b.x1, -1}, {0, b.x0, 1}, {1, b.y0, 1}, {1, b.y1, -1}} {
		var clipped [][]pos
		for _, line := range lines {
			clipped = append(clipped, e.clip(line)...)
		}
		lines = clipped
	}
	return lines
}

// edge is the line on which a coordinate has a certain value. Positions inside the edge have a greater coordinate (1)
// or a smaller one (-1).
type edge struct {
	axis       int
	at, inward float64
}

// clip returns the parts of a polyline that are inside an edge.
func (e edge) clip(line []pos) (parts [][]pos) {
	in := func(p pos) bool { return e.inward*(p[e.axis]-e.at) >= -slop }
	var part []pos
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		if in(from) {
			part = append(part, from)
		}
		if in(from) != in(to) {
			t := (from[e.axis] - e.at) / (from[e.axis] - to[e.axis])
			part = append(part, pos{(to[0]-from[0])*t + from[0], (to[1]-from[1])*t + from[1]})
		}
		switch {
		case in(from) && !in(to):
			parts, part = append(parts, part), nil
		case in(to) && i == len(line)-1:
			part = append(part, to)
		}
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}

// flipY converts a position to a point with y pointing up.
func (s *stage) flipY(p pos) point { return point{p[0], s.svg.height - p[1]} }

// polyline returns a path of straight lines between positions.
func (s *stage) polyline(at ...pos) (p path) {
	for i, q := range at {
		p = append(p, bend{kind: min(i, lineTo), to: s.flipY(q)})
	}
	return p
}

// solidLine returns the style of a line without dashes.
func solidLine(c color.Color, width float64) lineStyle { return lineStyle{Color: c, Width: width} }

// line strokes a polyline.
func (s *stage) line(sty lineStyle, at ...pos) {
	if len(at) > 0 {
		s.on.stroke(s.polyline(at...), sty)
	}
}

// outline strokes the edge of a box.
func (s *stage) outline(b box, sty lineStyle) {
	s.line(sty, append(b.corners(), pos{b.x0, b.y0})...)
}

// fill fills a polygon.
func (s *stage) fill(c color.Color, corners ...pos) {
	s.on.fill(append(s.polyline(corners...), bend{kind: closed}), c)
}

// cover fills a box with a colour and its pattern, if it has one.
func (s *stage) cover(b box, f fill) {
	s.fill(f.ground[s.theme], b.corners()...)
	s.hatch(f, hatch(f.pattern, b, anywhere))
}

// hatch strokes the pieces of a pattern.
func (s *stage) hatch(f fill, pieces []segment) {
	for _, p := range pieces {
		s.line(hatchStyle(f, s.theme), p[0], p[1])
	}
}

// circle returns a circle as a closed path.
func (s *stage) circle(at pos, radius float64) path {
	middle := s.flipY(at)
	return path{
		{kind: moveTo, to: point{middle.x + radius, middle.y}},
		{kind: arcTo, to: middle, radius: radius, angle: 2 * math.Pi},
		{kind: closed},
	}
}

// disc fills a circle.
func (s *stage) disc(at pos, radius float64, c color.Color) { s.on.fill(s.circle(at, radius), c) }

// ring strokes a circle.
func (s *stage) ring(at pos, radius float64, edge lineStyle) { s.on.stroke(s.circle(at, radius), edge) }

// marker draws the marker of a data point; the background is visible inside a ring.
func (s *stage) marker(at pos, m marker, c color.Color, radius float64) {
	if unit, ok := outlines[m]; ok {
		p, middle := make(path, len(unit), len(unit)+1), s.flipY(at)
		for i, u := range unit {
			p[i] = bend{kind: min(i, lineTo), to: point{middle.x + u[0]*radius, middle.y + u[1]*radius}}
		}
		s.on.fill(append(p, bend{kind: closed}), c)
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

// label writes text with its left end, middle or right end at a position, vertically centred.
func (s *stage) label(at pos, txt string, a anchor, col color.RGBA) {
	s.text(at, txt, textStyle{colour: col, anchor: a, shift: centre})
}

// curve strokes the parts of a polyline that are inside a box.
func (s *stage) curve(b box, sty lineStyle, at []pos) {
	for _, part := range b.clip(at) {
		s.line(sty, part...)
	}
}

// image fills a box with an image.
func (s *stage) image(b box, img image.Image) {
	s.on.image(s.flipY(pos{b.x0, b.y1}), s.flipY(pos{b.x1, b.y0}), img)
}
