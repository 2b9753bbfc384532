//go:build !wasip1

package figure

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// Drawer is implemented by *plot.Plot. This package does not import gonum.org/v1/plot, so that programs without such
// plots do not link that module.
type Drawer interface{ Draw(draw.Canvas) }

// Plot is a plot of gonum.org/v1/plot that is drawn like the other figures. Its text stays text, its colours fit both
// light and dark pages, and it has a description and a table of its numbers. The page shows the title, so the drawing
// omits it. A series gets the name of the legend entry that looks like it, unless another series also looks like it.
type Plot struct {
	// Plot is a *plot.Plot.
	Plot Drawer
	// Alt describes what the plot shows; it may be empty. The figure adds the ranges of the data.
	Alt string
	// Width and Height are the size of the picture in CSS pixels, 150 to 560 and 150 to 2000; 0 means 560 and 350.
	Width, Height int
}

// Plots is a grid of plots, each drawn like a [Plot]. Their data areas have the same size and are aligned. The title of
// each plot is above it.
type Plots struct {
	// Rows contains the plots, each a *plot.Plot, starting from the top; nil is an empty place.
	Rows [][]Drawer
	// Title is the title of the figure. If it is empty, the titles of the plots take its place.
	Title string
	// Alt describes the plots, as in Plot.
	Alt string
	// Width and Height are the size of the picture in CSS pixels, as in Plot; 0 means 560, and 250 for each row.
	Width, Height int
}

// plotScale is the number of CSS pixels per point of a plot. Text of the default size of 10 points thus becomes 15
// pixels high, which is between textSize and narrowSize.
const plotScale = 1.5

// margin is the space around a plot, in points, because its lines extend to its edge.
const margin = 3

// Figure draws the plot. It fails if Plot is not a *plot.Plot, and panics if its Draw panics.
func (p Plot) Figure() (content.Figure, error) {
	grid := Plots{Rows: [][]Drawer{{p.Plot}}, Alt: p.Alt, Width: p.Width, Height: cmp.Or(p.Height, 350)}
	return grid.figure("Plot")
}

// Figure draws the plots. It fails if one of them is not a *plot.Plot, or if there are none.
func (p Plots) Figure() (content.Figure, error) { return p.figure("Plots") }

func (p Plots) figure(kind string) (content.Figure, error) {
	c := checker{kind: kind}
	width, height := cmp.Or(p.Width, Width), cmp.Or(p.Height, 250*len(p.Rows))
	c.between("Width", width, 150, Width, "pixels")
	c.between("Height", height, 150, 2000, "pixels")
	c.text("Title", p.Title)
	var grid [][]gonumPlot
	var titles []string
	plots := 0
	for _, row := range p.Rows {
		var places []gonumPlot
		for _, of := range row {
			v := reflect.ValueOf(of)
			empty := kind == "Plots" && (of == nil || v.Kind() == reflect.Pointer && v.IsNil())
			if _, ok := of.(drawable); !empty && (!ok || v.Type().String() != "*plot.Plot" || v.IsNil()) {
				c.failf("Plot is %T; give it a *plot.Plot of gonum.org/v1/plot, created with plot.New", of)
			}
			if empty || c.err != nil {
				places = append(places, gonumPlot{})
				continue
			}
			g := gonumPlot{v.Elem()}
			title := strings.Join(strings.Fields(g.text("Title")), " ")
			c.text("Title", title)
			for _, axis := range []string{"X", "Y"} {
				c.text(axis+".Label", strings.Join(strings.Fields(g.text(axis, "Label")), " "))
			}
			if plots++; title != "" {
				titles = append(titles, title)
			}
			places = append(places, g)
		}
		grid = append(grid, places)
	}
	c.require(plots > 0, "there is no plot: give at least one")
	if c.err != nil {
		return content.Figure{}, c.err
	}
	f := content.Figure{Title: cmp.Or(p.Title, strings.Join(titles, "; "), "Plot"), Alt: p.Alt}
	var drawn content.Records // the data of layers
	var all []pointSeries
	x, y := map[string]bool{}, map[string]bool{}
	for i, g := range slices.Concat(grid...) {
		if !g.v.IsValid() {
			continue
		}
		traced := g.trace()
		series := g.series(traced)
		name := ""
		if plots > 1 {
			name = cmp.Or(strings.Join(strings.Fields(g.text("Title")), " "), fmt.Sprintf("plot %d", i+1))
			f.Alt += " " + content.Capital(name) + ":"
		}
		f.Alt += " " + g.describe(series)
		for _, l := range traced.layers {
			f.Alt += " " + l.of.Alt
			f.Legend = append(f.Legend, l.of.Legend...)
			if len(drawn.Rows) == 0 {
				drawn = l.of.Data
			}
			if len(f.Summary.Rows) == 0 {
				f.Summary, f.SummaryNote = l.of.Summary, l.of.SummaryNote
			}
		}
		for _, one := range series {
			if name != "" {
				one.name = strings.TrimSuffix(name+", "+one.name, ", ")
			}
			all = append(all, one)
		}
		x[g.label("X", "x")], y[g.label("Y", "y")] = true, true
	}
	f.Alt, f.Data = strings.TrimSpace(f.Alt), drawn
	if len(all) > 0 {
		f.Data = pointTable(common(x, "x"), common(y, "y"), "label", all)
		if len(all) == 1 {
			dropColumn(&f.Data, 0)
		}
	}
	colours := &plotColours{used: map[color.RGBA]bool{}, images: map[image.Image]int{}}
	paint := func(s *stage) {
		page := draw.NewCanvas(newPlotCanvas(s, colours), vg.Length(width)/plotScale, vg.Length(height)/plotScale)
		page = draw.Crop(page, margin, -margin, margin, -margin)
		if plots == 1 && len(grid) == 1 && len(grid[0]) == 1 {
			page = grid[0][0].besideLegend(page)
			grid[0][0].drawOnPage(kind == "Plots", func(of drawable) { of.Draw(page) })
			return
		}
		for i, row := range aligned(grid, page) {
			for j, place := range row {
				if g := grid[i][j]; g.v.IsValid() {
					g.drawOnPage(true, func(of drawable) { of.Draw(place) })
				}
			}
		}
	}
	render(height, light, paint) // only to collect the colours
	colours.found = true
	f = finish(f, float64(width), float64(height), paint)
	if colours.palette() && colours.lostOnDark() {
		f.Dark = nil
	}
	return f, nil
}

// common returns the label if all axes have the same label, and the letter otherwise.
func common(labels map[string]bool, letter string) string {
	if len(labels) == 1 {
		for label := range labels {
			return label
		}
	}
	return letter
}

// drawOnPage calls paint with the plot as it appears on the page.
func (g gonumPlot) drawOnPage(titled bool, paint func(drawable)) {
	defer g.dress(titled)()
	paint(g.v.Addr().Interface().(drawable))
}

// besideLegend returns a smaller canvas if the legend's offsets move the legend out of the plot, so that the legend is
// still on the page.
func (g gonumPlot) besideLegend(page draw.Canvas) draw.Canvas {
	x, y := vg.Length(g.field("Legend", "XOffs").Float()), vg.Length(g.field("Legend", "YOffs").Float())
	if g.field("Legend", "Left").Bool() {
		page.Min.X -= min(0, x)
	} else {
		page.Max.X -= max(0, x)
	}
	if g.field("Legend", "Top").Bool() {
		page.Max.Y -= max(0, y)
	} else {
		page.Min.Y -= min(0, y)
	}
	return page
}

// gap is the space between plots, in points.
const gap = 12

// aligned divides a page among plots, so that their data areas have the same size and are aligned.
func aligned(grid [][]gonumPlot, page draw.Canvas) (places [][]draw.Canvas) {
	columns := 0
	for _, row := range grid {
		columns = max(columns, len(row))
	}
	tiles := draw.Tiles{Rows: len(grid), Cols: columns, PadX: gap, PadY: gap}
	before, behind := make([]vg.Length, columns), make([]vg.Length, columns)
	below, above := make([]vg.Length, len(grid)), make([]vg.Length, len(grid))
	// around is the space that a plot needs around its data.
	type around struct{ before, behind, below, above vg.Length }
	all := make([][]around, len(grid))
	for i, row := range grid {
		all[i] = make([]around, len(row))
		for j, g := range row {
			if !g.v.IsValid() {
				continue
			}
			g.drawOnPage(true, func(of drawable) {
				tile := tiles.At(page, j, i)
				data := of.DataCanvas(tile)
				all[i][j] = around{
					data.Min.X - tile.Min.X, tile.Max.X - data.Max.X, data.Min.Y - tile.Min.Y, tile.Max.Y - data.Max.Y,
				}
			})
			before[j], behind[j] = max(before[j], all[i][j].before), max(behind[j], all[i][j].behind)
			below[i], above[i] = max(below[i], all[i][j].below), max(above[i], all[i][j].above)
		}
	}
	wide := page.Max.X - page.Min.X - gap*vg.Length(columns-1)
	tall := page.Max.Y - page.Min.Y - gap*vg.Length(len(grid)-1)
	for j := range columns {
		wide -= before[j] + behind[j]
	}
	for i := range grid {
		tall -= below[i] + above[i]
	}
	wide, tall = wide/vg.Length(columns), tall/vg.Length(len(grid))
	top := page.Max.Y
	for i, row := range grid {
		top -= above[i]
		left := page.Min.X
		places = append(places, make([]draw.Canvas, len(row)))
		for j := range row {
			left += before[j]
			places[i][j] = page
			places[i][j].Min = vg.Point{X: left - all[i][j].before, Y: top - tall - all[i][j].below}
			places[i][j].Max = vg.Point{X: left + wide + all[i][j].behind, Y: top + all[i][j].above}
			left += wide + behind[j] + gap
		}
		top -= tall + below[i] + gap
	}
	return places
}

// gonumPlot reads the exported fields of a *plot.Plot.
type gonumPlot struct{ v reflect.Value }

// field returns a field, or a nested field.
func (g gonumPlot) field(path ...string) reflect.Value {
	v := g.v
	for _, name := range path {
		v = v.FieldByName(name)
	}
	return v
}

// text returns the text of a title or a label.
func (g gonumPlot) text(path ...string) string { return g.field(append(path, "Text")...).String() }

// dress adapts the plot to the page. It removes the title, which the page shows, unless titled is true. It removes a
// white background, and replaces the serif font with a sans-serif one. It returns a function that undoes the changes.
func (g gonumPlot) dress(titled bool) (undo func()) {
	before := reflect.New(g.v.Type()).Elem()
	before.Set(g.v)
	fonts := sansForSerif(g.field("TextHandler").Interface().(text.Handler).Cache())
	if !titled {
		g.field("Title", "Text").SetString("")
	}
	if ground := g.field("BackgroundColor"); isWhite(ground.Interface()) {
		ground.SetZero()
	}
	return func() {
		g.v.Set(before)
		fonts()
	}
}

// lentFonts is locked while a plot uses replaced fonts.
var lentFonts sync.Mutex

// sansForSerif replaces the faces of Liberation Serif, the default font of plots, with the faces of Liberation Sans.
// There is no other way to change the font of a plotter. It returns a function that undoes the replacement.
func sansForSerif(cache *font.Cache) (undo func()) {
	lentFonts.Lock()
	var before, lent font.Collection
	for _, style := range []xfont.Style{xfont.StyleNormal, xfont.StyleItalic} {
		for _, weight := range []xfont.Weight{xfont.WeightNormal, xfont.WeightBold} {
			serif := cache.Lookup(font.Font{Typeface: liberation, Variant: "Serif", Style: style, Weight: weight}, 0)
			sans := cache.Lookup(font.Font{Typeface: liberation, Variant: "Sans", Style: style, Weight: weight}, 0)
			if serif.Face != nil && sans.Face != nil {
				before, lent = append(before, serif), append(lent, font.Face{Font: serif.Font, Face: sans.Face})
			}
		}
	}
	cache.Add(lent)
	return func() {
		cache.Add(before)
		lentFonts.Unlock()
	}
}

// liberation is the typeface of plots.
const liberation = "Liberation"

// Paint draws the layer on the canvas of a plot, at the position given by the plot's axes. On the canvas of a [Plot],
// the layer has the colours of the page; on other canvases, it has the colours for a light page.
func (l *Layer) Paint(c draw.Canvas, x, y func(float64) vg.Length) {
	if t, ok := innermost(c).(*tracer); ok {
		t.layers = append(t.layers, l)
		return
	}
	s := &stage{svg: &svgCanvas{}, on: foreign{c}, inks: themeInks[light]}
	pixel := func(p vg.Point) point { return point{float64(p.X), float64(p.Y)} }
	if own, ok := innermost(c).(*plotCanvas); ok {
		s, pixel = own.stage, own.now.to.apply
	}
	l.paint(s, func(p Point) pos {
		at := pixel(vg.Point{X: x(p.X), Y: y(p.Y)})
		return pos{at.x, s.svg.height - at.y}
	})
}

// foreign is a painter that draws on one of gonum's own canvases.
type foreign struct{ vg.Canvas }

func (f foreign) stroke(p path, sty lineStyle) {
	f.SetColor(sty.Color)
	f.SetLineWidth(vg.Length(sty.Width))
	var dashes []vg.Length
	for _, d := range sty.Dashes {
		dashes = append(dashes, vg.Length(d))
	}
	f.SetLineDash(dashes, 0)
	f.Stroke(gonumPath(p))
}

func (f foreign) fill(p path, c color.Color) {
	f.SetColor(c)
	f.Fill(gonumPath(p))
}

func (f foreign) image(low, high point, img image.Image) {
	f.DrawImage(vg.Rectangle{Min: gonumPoint(low), Max: gonumPoint(high)}, img)
}

func gonumPoint(p point) vg.Point { return vg.Point{X: vg.Length(p.x), Y: vg.Length(p.y)} }

// gonumPath converts a path in a figure, which has no curves, to a gonum path.
func gonumPath(p path) (out vg.Path) {
	for _, b := range p {
		out = append(out, vg.PathComp{
			Type: b.kind, Pos: gonumPoint(b.to), Radius: vg.Length(b.radius), Start: b.start, Angle: b.angle,
		})
	}
	return out
}

// innermost returns the canvas from which a plot has cropped its own canvas.
func innermost(c vg.Canvas) vg.Canvas {
	for {
		cropped, ok := c.(draw.Canvas)
		if !ok {
			return c
		}
		c = cropped.Canvas
	}
}

// plotCanvas is the canvas that a plot of gonum.org/v1/plot draws on. It supports the transforms of a vg.Canvas, adapts
// colours to the theme, and keeps text as text.
type plotCanvas struct {
	stage   *stage
	colours *plotColours
	now     tool
	saved   []tool
	images  map[image.Image]string // the ID of each image; the images must be pointers
}

// plotColours holds the colours and images in a plot's data. A canvas collects them until found is set.
type plotColours struct {
	used   map[color.RGBA]bool // without the greys of lines and text
	images map[image.Image]int // how often each image is drawn; only images that are pointers
	found  bool
}

// mostFitted is the maximum number of colours that are adapted to the page individually. More colours form a palette:
// readers compare them with each other and with a colour bar, so they stay unchanged.
const mostFitted = 8

func (p *plotColours) palette() bool { return len(p.used) > mostFitted }

// lostOnDark reports whether one of the colours is invisible on a dark page.
func (p *plotColours) lostOnDark() bool {
	for c := range p.used {
		if contrast(c, themeInks[dark].ground) < 1.5 {
			return true
		}
	}
	return false
}

// colour returns the current colour, adapted to the page.
func (c *plotCanvas) colour(least float64, area bool) color.Color {
	straight := straightOf(c.now.colour)
	solid := color.RGBA{straight.R, straight.G, straight.B, 0xff}
	keeps := (area || !isGrey(solid)) && straight.A > 0
	if keeps && !c.colours.found {
		c.colours.used[solid] = true
	}
	if keeps && c.colours.palette() {
		return straight
	}
	return c.stage.fitted(straight, least)
}

// tool is the state that Push saves.
type tool struct {
	width  vg.Length
	dashes []vg.Length
	colour color.Color
	to     matrix
}

func newPlotCanvas(s *stage, colours *plotColours) *plotCanvas {
	c := &plotCanvas{
		stage: s, colours: colours, now: tool{to: matrix{1, 0, 0, 1, 0, 0}}, images: map[image.Image]string{},
	}
	vg.Initialize(c)
	c.Scale(plotScale, plotScale)
	return c
}

// matrix maps (x, y) to (ax + cy + e, bx + dy + f).
type matrix struct{ a, b, c, d, e, f float64 }

// times returns the product of two transforms: n is applied first, then m.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d, m.a*n.e + m.c*n.f + m.e,
		m.b*n.e + m.d*n.f + m.f,
	}
}

func (m matrix) apply(p vg.Point) point {
	x, y := float64(p.X), float64(p.Y)
	return point{m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f}
}

// size returns the factor by which the transform scales lengths.
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

// Stroke strokes a path with the current colour, width and dashes. Scale does not affect the width and the dashes, nor
// does it in the images of gonum/plot.
func (c *plotCanvas) Stroke(p vg.Path) {
	svg, colour := c.stage.svg, c.colour(lineContrast, false)
	sty := lineStyle{Color: colour, Width: float64(c.now.width * plotScale)}
	for _, d := range c.now.dashes {
		sty.Dashes = append(sty.Dashes, float64(d*plotScale))
	}
	svg.stroke(c.moved(p), sty)
	if _, _, _, alpha := colour.RGBA(); alpha != 0xffff { // crossings of translucent strokes must stay visible
		svg.flush()
	}
}

// Fill fills a path. Each path is a separate element, so that the holes in one path do not affect other paths.
func (c *plotCanvas) Fill(p vg.Path) {
	svg, moved := c.stage.svg, c.moved(p)
	attrs := paintAttrs("fill", c.colour(1, true))
	if upright(moved) {
		attrs += ` shape-rendering="crispEdges"` // so that the page does not show through between the tiles of a map
	}
	svg.path(attrs, moved)
	svg.flush()
}

// upright reports whether all lines of a path are horizontal or vertical.
func upright(p path) bool {
	for i, part := range p {
		switch {
		case part.kind == moveTo || part.kind == closed:
		case part.kind != lineTo || i == 0:
			return false
		case math.Abs(part.to.x-p[i-1].to.x) > 1e-6 && math.Abs(part.to.y-p[i-1].to.y) > 1e-6:
			return false
		}
	}
	return true
}

// moved applies the canvas's transform to a path and returns the result in pixels.
func (c *plotCanvas) moved(p vg.Path) (out path) {
	m := c.now.to
	for _, part := range p {
		if part.Type == vg.ArcComp {
			out = append(out, arcCurves(m, part)...)
			continue
		}
		b := bend{kind: part.Type, to: m.apply(part.Pos)}
		for _, at := range part.Control {
			b.control = append(b.control, m.apply(at))
		}
		out = append(out, b)
	}
	return out
}

// arcCurves converts an arc to a line to its start followed by cubic curves of at most a quarter circle each, because
// transforms map cubic curves to cubic curves. The error is less than 0.03 % of the radius.
func arcCurves(m matrix, arc vg.PathComp) path {
	on := func(angle, along float64) point {
		sin, cos := math.Sincos(angle)
		r := float64(arc.Radius)
		return m.apply(arc.Pos.Add(vg.Point{X: vg.Length(r * (cos - along*sin)), Y: vg.Length(r * (sin + along*cos))}))
	}
	out := path{{kind: lineTo, to: on(arc.Start, 0)}}
	n := math.Ceil(math.Abs(arc.Angle)/(math.Pi/2) - 1e-9)
	step := arc.Angle / max(n, 1)
	along := 4.0 / 3 * math.Tan(step/4)
	for i := range int(n) {
		from := arc.Start + float64(i)*step
		out = append(out, bend{
			kind: curveTo, control: []point{on(from, along), on(from+step, -along)}, to: on(from+step, 0),
		})
	}
	return out
}

// FillString writes a line of text with the width that the plot has measured.
func (c *plotCanvas) FillString(f font.Face, at vg.Point, text string) {
	text = content.Minus(strings.Map(printable, text))
	if strings.TrimSpace(text) == "" || f.Font.Size <= 0 {
		return
	}
	svg, m := c.stage.svg, c.now.to
	p := m.apply(at)
	x, y := decimal(p.x), decimal(svg.height-p.y)
	svg.flush()
	fmt.Fprintf(&svg.out, `<text x="%s" y="%s"`, x, y)
	if angle := math.Atan2(m.b, m.a) * 180 / math.Pi; math.Abs(angle) > 0.01 {
		fmt.Fprintf(&svg.out, ` transform="rotate(%s %s %s)"`, decimal(-angle), x, y)
	}
	style := "font-size:" + decimal(float64(f.Font.Size*m.size())) + "px"
	family := map[font.Variant]string{"Serif": "serif", "Mono": "monospace"}[f.Font.Variant]
	if family != "" && (f.Font.Typeface != liberation || family != "serif") {
		style += ";font-family:" + family
	}
	if f.Font.Weight > 0 {
		style += ";font-weight:bold"
	}
	if f.Font.Style != 0 {
		style += ";font-style:italic"
	}
	colour := c.stage.fitted(straightOf(c.now.colour), textContrast)
	fmt.Fprintf(&svg.out, ` style="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		style, decimal(float64(f.Width(text)*m.size())), paintAttrs("fill", colour), escape(text))
}

// printable drops characters that XML does not allow, and turns other control characters into spaces.
func printable(r rune) rune {
	switch {
	case r == unicode.ReplacementChar || r == 0xfffe || r == 0xffff:
		return -1
	case unicode.IsControl(r):
		return ' '
	}
	return r
}

// DrawImage fills a rectangle with an image, without changing its colours. An image that is drawn several times is
// written only once.
func (c *plotCanvas) DrawImage(rect vg.Rectangle, img image.Image) {
	pointer := reflect.ValueOf(img).Kind() == reflect.Pointer
	if !c.colours.found {
		if pointer {
			c.colours.images[img]++
		}
		return
	}
	svg, m := c.stage.svg, c.now.to
	if upright := m.b == 0 && m.c == 0 && m.a > 0 && m.d > 0; upright && (!pointer || c.colours.images[img] < 2) {
		svg.image(m.apply(rect.Min), m.apply(rect.Max), smallest(img))
		return
	}
	// In the SVG, the image is one unit wide and high, and y points down.
	width, height := float64(rect.Max.X-rect.Min.X), float64(rect.Max.Y-rect.Min.Y)
	at := m.apply(vg.Point{X: rect.Min.X, Y: rect.Max.Y})
	svg.flush()
	fmt.Fprintf(&svg.out, `<g transform="matrix(%s %s %s %s %s %s)">`, inFull(m.a*width), inFull(-m.b*width),
		inFull(-m.c*height), inFull(m.d*height), inFull(at.x), inFull(svg.height-at.y))
	if id := c.images[img]; pointer && id != "" {
		fmt.Fprintf(&svg.out, `<use href="#%s"/></g>`+"\n", id)
		return
	}
	encoded := encodedPNG(smallest(img))
	id := fmt.Sprintf("i%x", sha256.Sum256([]byte(encoded)))[:17]
	if pointer {
		c.images[img] = id
	}
	fmt.Fprintf(&svg.out, `<image id="%s" width="1" height="1" preserveAspectRatio="none" `+
		`href="data:image/png;base64,%s"/></g>`+"\n", id, encoded)
}

// inFull formats a coefficient of a transform.
func inFull(x float64) string { return strconv.FormatFloat(x, 'g', 7, 64) }

// smallest replaces an image that has a single colour with an image of one pixel, because gonum/plot makes such images
// as large as the range of the data.
func smallest(img image.Image) image.Image {
	b := img.Bounds()
	if b.Empty() {
		return img
	}
	first := img.At(b.Min.X, b.Min.Y)
	if _, uniform := img.(color.Color); !uniform {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if img.At(x, y) != first {
					return img
				}
			}
		}
	}
	one := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	one.Set(0, 0, first)
	return one
}

// lineContrast and textContrast are the minimum contrasts of coloured lines and text (WCAG 2.2, 1.4.11 and 1.4.3).
// Areas have no minimum, because they are next to each other.
const (
	lineContrast = 3
	textContrast = 4.5
)

// fitted adapts a colour that a plot uses on a white page to the current page. Greys keep their contrast to the page,
// so on a dark page, black and white are swapped. Other colours change only as much as the minimum contrast requires.
// On a dark page, they also get the contrast that they have on a white page, but at most textContrast.
func (s *stage) fitted(c color.Color, least float64) color.Color {
	straight := straightOf(c)
	solid := color.RGBA{straight.R, straight.G, straight.B, 0xff}
	seen := contrast(solid, hex(0xffffff))
	grey := isGrey(solid)
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

// straightOf returns a colour with non-premultiplied opacity. A colour that is brighter than its opacity allows, such
// as color.RGBA{R: 127, A: 1}, counts as opaque, because package plot draws it as opaque.
func straightOf(c color.Color) color.NRGBA {
	if c == nil {
		c = color.Black
	}
	if r, g, b, a := c.RGBA(); max(r, g, b) > a {
		return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

func isGrey(c color.RGBA) bool { return max(c.R, c.G, c.B)-min(c.R, c.G, c.B) < 24 }

// mixedUntil mixes an increasing share of the colour with into c, until wanted returns true.
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

// infinite reports whether a coordinate is NaN or infinite.
func infinite(p Point) bool { return p.X-p.X != 0 || p.Y-p.Y != 0 }

// label returns the label of an axis, or the axis's letter if it has none.
func (g gonumPlot) label(axis, letter string) string {
	if text := strings.Join(strings.Fields(g.text(axis, "Label")), " "); text != "" {
		return text
	}
	return letter
}

// describe describes the axes and, for each series, the number and the ranges of its points.
func (g gonumPlot) describe(all []pointSeries) string {
	xName, yName := g.label("X", "x"), g.label("Y", "y")
	text := fmt.Sprintf("Plot of %s against %s.", yName, xName)
	for _, s := range all {
		x, y := rangeOf(s.points)
		if s.name != "" {
			text += " " + content.Capital(s.name) + ": "
		} else {
			text += " "
		}
		text += fmt.Sprintf("%s, %s %s, %s %s.", plural.Count(len(s.points), "point"), xName, x, yName, y)
	}
	return text
}

// rangeOf returns the ranges of the coordinates of points as text.
func rangeOf(points []Point) (x, y string) {
	least, most := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		least = Point{min(least.X, p.X), min(least.Y, p.Y)}
		most = Point{max(most.X, p.X), max(most.Y, p.Y)}
	}
	text := func(from, to float64) string {
		if from == to {
			return Decimal(from)
		}
		return Decimal(from) + " to " + Decimal(to)
	}
	return text(least.X, most.X), text(least.Y, most.Y)
}
