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
