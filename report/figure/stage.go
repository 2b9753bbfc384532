package figure

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// stage is what a figure is painted on: a canvas of either kind with the theme's inks. Its own coordinates are CSS pixels
// with y down, like those of the layout; gonum's have y up.
type stage struct {
	canvas        vg.Canvas
	svg           *svgCanvas // nil when painting pixels
	width, height float64
	theme         Theme
	inks
}

func newStage(c vg.Canvas, width, height int, t Theme) *stage {
	s := &stage{canvas: c, width: float64(width), height: float64(height), theme: t, inks: themeInks[t]}
	s.svg, _ = c.(*svgCanvas)
	return s
}

// dotsPerPixel is the resolution of PNGs.
const dotsPerPixel = 2

// renderPNG paints on the theme's ground.
func renderPNG(width, height int, t Theme, paint func(*stage)) ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(72*dotsPerPixel),
		vgimg.UseBackgroundColor(themeInks[t].ground))
	paint(newStage(c, width, height, t))
	var buf bytes.Buffer
	if err := png.Encode(&buf, c.Image()); err != nil {
		return nil, fmt.Errorf("figure: encoding the PNG: %w", err)
	}
	return buf.Bytes(), nil
}

// box is a rectangle in pixels with y down.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) w() float64 { return b.x1 - b.x0 }
func (b box) h() float64 { return b.y1 - b.y0 }

func (b box) overlaps(o box) bool {
	return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1
}

func (b box) inside(o box) bool {
	return b.x0 >= o.x0 && b.x1 <= o.x1 && b.y0 >= o.y0 && b.y1 <= o.y1
}

func (b box) grow(by float64) box { return box{b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by} }

// at turns a position with y down into gonum's point.
func (s *stage) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(s.height - y)}
}

// area is the part of the canvas inside the box.
func (s *stage) area(b box) draw.Canvas {
	return draw.Canvas{Canvas: s.canvas, Rectangle: vg.Rectangle{Min: s.at(b.x0, b.y1), Max: s.at(b.x1, b.y0)}}
}

// line strokes a polyline given in pixels.
func (s *stage) line(sty draw.LineStyle, xy ...[2]float64) {
	pts := make([]vg.Point, len(xy))
	for i, p := range xy {
		pts[i] = s.at(p[0], p[1])
	}
	c := s.area(box{0, 0, s.width, s.height})
	c.StrokeLines(sty, pts)
}

// rect fills a box.
func (s *stage) rect(b box, col color.Color) {
	c := s.area(b)
	c.FillPolygon(col, []vg.Point{s.at(b.x0, b.y0), s.at(b.x1, b.y0), s.at(b.x1, b.y1), s.at(b.x0, b.y1)})
}

// text writes one line of text.
func (s *stage) text(x, y float64, txt string, sty textStyle) {
	if txt == "" {
		return
	}
	if s.svg != nil {
		s.svg.text(x, y, txt, sty)
		return
	}
	f := face(textSize)
	switch sty.anchor {
	case middle:
		x -= float64(f.Width(txt)) / 2
	case end:
		x -= float64(f.Width(txt))
	}
	y += sty.shift * textSize
	if sty.halo != nil {
		s.canvas.SetColor(*sty.halo)
		for _, d := range [][2]float64{{-1.5, 0}, {1.5, 0}, {0, -1.5}, {0, 1.5}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
			s.canvas.FillString(f, s.at(x+d[0], y+d[1]), txt)
		}
	}
	s.canvas.SetColor(sty.colour)
	s.canvas.FillString(f, s.at(x, y), txt)
}

// label writes text in the middle-left, middle or middle-right of a position.
func (s *stage) label(x, y float64, txt string, a anchor, col color.RGBA) {
	s.text(x, y, txt, textStyle{colour: col, anchor: a, shift: centre})
}

// pixels prepares an image to be drawn w by h pixels large. A canvas of dots would smooth an enlarged image, so its
// pixels are repeated first; an SVG says that they are to stay crisp.
func (s *stage) pixels(img *image.Paletted, w, h float64) *image.Paletted {
	if s.svg != nil {
		return img
	}
	src := img.Bounds()
	big := image.NewPaletted(image.Rect(0, 0, int(w*dotsPerPixel+0.5), int(h*dotsPerPixel+0.5)), img.Palette)
	for y := range big.Rect.Dy() {
		row := img.Pix[y*src.Dy()/big.Rect.Dy()*img.Stride:]
		for x := range big.Rect.Dx() {
			big.Pix[y*big.Stride+x] = row[x*src.Dx()/big.Rect.Dx()]
		}
	}
	return big
}

// plot draws gonum plotters into a box with the given scales. Axes are drawn by this package: gonum's would choose
// the size of the data area by themselves, and both panels of a figure must agree on it.
func (s *stage) plot(b box, x, y scale, plotters ...plot.Plotter) {
	p := plot.New()
	p.BackgroundColor = nil
	for _, ax := range []*plot.Axis{&p.X, &p.Y} {
		ax.Padding, ax.Width, ax.Tick.Length = 0, 0, 0
		ax.Tick.Marker = plot.ConstantTicks{}
	}
	for _, pl := range plotters {
		p.Add(unpadded{pl})
	}
	p.X.Min, p.X.Max, p.X.Scale = x.min, x.max, x.normalizer()
	p.Y.Min, p.Y.Max, p.Y.Scale = y.min, y.max, y.normalizer()
	p.Draw(s.area(b))
}

// unpadded hides the glyph boxes of a plotter, for which gonum would shrink the data area, and its range.
type unpadded struct{ plot.Plotter }
