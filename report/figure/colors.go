package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Swatch chooses the colour and the pattern of a class. Every swatch but Quiet has a pattern in addition to its colour,
// so that two classes of a figure can be distinguished in print and with every kind of colour vision.
type Swatch int

// These are the swatches. The colours are from Okabe and Ito's palette.
const (
	Auto      Swatch = iota // the next coloured swatch that no class of the figure uses
	Quiet                   // for cells that need no attention, such as agreement
	Blocked                 // for impossible outcomes: neutral and hatched
	Missing                 // for missing values: the page's background, dotted
	Vermilion               // hatched falling
	Sky                     // hatched vertically
	Orange                  // hatched horizontally
	Green                   // hatched rising
	Blue                    // cross-hatched
	Purple                  // dotted
	swatchEnd
)

// coloured is the order in which Auto assigns swatches.
var coloured = []Swatch{Vermilion, Sky, Green, Orange, Blue, Purple}

// fill is the look of an area: its colour, its pattern, and the colour of the pattern.
type fill struct {
	ground  themed
	pattern pattern
	mark    themed
}

// plain returns the fill of an area that has one colour in both themes, without a pattern.
func plain(c color.RGBA) fill { return fill{themed{c, c}, solid, themed{c, c}} }

var swatches = [swatchEnd]fill{
	Quiet:     {both(0xe9eef3, 0x262c35), solid, both(0xe9eef3, 0x262c35)},
	Blocked:   {both(0xd3d7dc, 0x3a4049), rising, both(0x8b939d, 0x707985)},
	Missing:   {both(0xffffff, 0x14161a), dots, both(0x8b939d, 0x707985)},
	Vermilion: {both(0xd55e00, 0xd55e00), falling, both(0x7a3400, 0x7a3400)},
	Sky:       {both(0x56b4e9, 0x56b4e9), vertical, both(0x1c6fa3, 0x1c6fa3)},
	Orange:    {both(0xe69f00, 0xe69f00), horizontal, both(0x8f6100, 0x8f6100)},
	Green:     {both(0x009e73, 0x009e73), rising, both(0x005a41, 0x005a41)},
	Blue:      {both(0x0072b2, 0x0072b2), cross, both(0x66b5e3, 0x66b5e3)},
	Purple:    {both(0xcc79a7, 0xcc79a7), dots, both(0x74305a, 0x74305a)},
}

// viridis contains nine evenly spaced samples of the colour map of Smith and van der Walt (2015), from dark to light.
// Its lightness rises evenly, even for red-green blindness.
var viridis = [9]uint32{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}

// viridisAt returns the colour for a number from 0 (dark) to 1 (light).
func viridisAt(t float64) color.RGBA {
	x := max(0, min(1, t)) * float64(len(viridis)-1)
	i := min(int(x), len(viridis)-2)
	return mix(hex(viridis[i]), hex(viridis[i+1]), x-float64(i))
}

// ordered returns the colour of the i-th of n ordered classes: the first is light, the last dark. Six classes or fewer
// avoid the ends of the colour map.
func ordered(i, n int) fill {
	lo, hi := 0.0, 1.0
	switch {
	case n == 1:
		return plain(viridisAt(0.75))
	case n <= 6:
		lo, hi = 0.15, 0.95
	}
	return plain(viridisAt(hi - (hi-lo)*float64(i)/float64(n-1)))
}

// pattern is the hatching of an area.
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

// hatchings contains the directions (dx, dy) of each pattern's hatch lines, with y up. Dots are the short dashes of a
// line.
var hatchings = [...][]pos{
	rising: {{1, 1}}, falling: {{1, -1}}, cross: {{1, 1}, {1, -1}}, horizontal: {{1, 0}}, vertical: {{0, 1}},
	dots: {{1, 0}},
}

// marker is the symbol at a data point.
type marker int

const (
	unmarked marker = iota
	circle
	square
	triangle
	diamond
	cross4
	ring
)

// outlines contains the corners of the polygonal markers, for a radius of 1, with y up.
var outlines = map[marker][][2]float64{
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

// theme determines whether a picture is for a light or a dark page. Both pictures have the same geometry and a
// transparent background. Contrast is computed for a white page and for a dark page of colour #14161a.
type theme int

const (
	light theme = iota
	dark
)

func themeOf(onDark bool) theme {
	if onDark {
		return dark
	}
	return light
}

// inks are the colours of everything that is not data.
type inks struct {
	ground color.RGBA // the assumed background of the page
	ink    color.RGBA // important lines and labels
	muted  color.RGBA // tick labels, axis titles
	grid   color.RGBA // grid lines, frames
}

var themeInks = [2]inks{
	light: {ground: hex(0xffffff), ink: hex(0x1c2024), muted: hex(0x57606a), grid: hex(0xe2e5e9)},
	dark:  {ground: hex(0x14161a), ink: hex(0xe8eaed), muted: hex(0xa3abb5), grid: hex(0x2d323a)},
}

// Inks returns the colours of letters in figures for a light or a dark page, as #rrggbb.
func Inks(onDark bool) []string {
	in := themeInks[themeOf(onDark)]
	return []string{css(in.ink), css(in.muted)}
}

// themed is a colour for each theme.
type themed [2]color.RGBA

func both(onLight, onDark uint32) themed { return themed{hex(onLight), hex(onDark)} }

func hex(rgb uint32) color.RGBA {
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xff}
}

// css writes a colour as #rrggbb, without its opacity.
func css(c color.Color) string {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
}

// linear converts a component of sRGB, 0..255, to linear light, 0..1.
func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// luminance returns the relative luminance of WCAG 2, 0..1.
func luminance(c color.RGBA) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// contrast returns the contrast ratio of WCAG 2, 1..21.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// legibleOn returns black or white, whichever has more contrast with the ground.
func legibleOn(ground color.RGBA) color.RGBA {
	black, white := hex(0x000000), hex(0xffffff)
	if contrast(black, ground) >= contrast(white, ground) {
		return black
	}
	return white
}

// mix returns the colour at a part t of the way from a to b, in sRGB.
func mix(a, b color.RGBA, t float64) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + t*(float64(y)-float64(x)))) }
	return color.RGBA{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: 0xff}
}

// Class gives one value of a map, or of a tree's nodes or a board's pieces, a name and a look.
type Class struct {
	// Value is the integer that represents the class in the input.
	Value int
	// Label names the class in the legend and the alternative text; required, unique within a figure.
	Label string `rule:"name"`
	// Short replaces the label where room is short; at most 16 characters, may be empty.
	Short string `rule:"16 characters"`
	// Sign is a text of at most 8 characters, such as "✗", drawn on areas of the class that have room; may be empty.
	Sign string `rule:"8 characters"`
	// Swatch is the look; Auto takes the next free colour. Classes of one figure must have different swatches.
	Swatch Swatch
}

// short returns the short name of a class with its sign, or "" if it has no short name.
func (k Class) short() string {
	if k.Short == "" {
		return ""
	}
	return signed(k.Sign, k.Short)
}

// whole returns the name of a class with its sign.
func (k Class) whole() string { return signed(k.Sign, k.Label) }

// signed returns a name with a sign before it, if there is a sign.
func signed(sign, name string) string { return strings.TrimSpace(sign + " " + name) }

// classes checks that the classes differ from each other, and that each gets a swatch.
func (c *checker) classes(classes []Class) {
	used := map[Swatch]bool{}
	for i, k := range classes {
		name := fmt.Sprintf("Classes[%d]", i)
		c.require(k.Swatch >= Auto && k.Swatch < swatchEnd, "%s.Swatch is %d; use one of the named swatches", name,
			k.Swatch)
		c.require(k.Swatch == Auto || !used[k.Swatch], "%s.Swatch %d is taken; give every class its own or Auto", name,
			k.Swatch)
		used[k.Swatch] = true
		for _, o := range classes[:i] {
			c.require(o.Value != k.Value, "%s.Value %d is listed twice; list every value once", name, k.Value)
			c.require(o.Label != k.Label, "%s.Label %q is listed twice; name every class differently", name, k.Label)
		}
	}
	if c.err == nil {
		n := len(looks(classes))
		c.require(n == len(classes), "there is no free swatch for Classes[%d]; make some classes Quiet, Blocked or "+
			"Missing", n)
	}
}

// looks returns the look of each class. It stops at the first class for which no swatch is free.
func looks(classes []Class) (looks []fill) {
	used := map[Swatch]bool{}
	for _, k := range classes {
		used[k.Swatch] = true
	}
	for _, k := range classes {
		if k.Swatch == Auto {
			free := slices.IndexFunc(coloured, func(s Swatch) bool { return !used[s] })
			if free < 0 {
				break
			}
			k.Swatch = coloured[free]
			used[k.Swatch] = true
		}
		looks = append(looks, swatches[k.Swatch])
	}
	return looks
}

// outcomes checks the classes of a figure in which 0 means no class.
func (c *checker) outcomes(classes []Class) {
	for i, k := range classes {
		c.require(k.Value != 0, "Classes[%d].Value is 0, which means no class; number the classes from 1", i)
	}
	c.classes(classes)
}

// outcome checks that a value is 0 or belongs to a listed class.
func (c *checker) outcome(name string, classes []Class, value int) {
	known := value == 0 || classOf(classes, value) >= 0
	c.require(known, "%s has Class %d, which Classes does not list; add the class or use 0", name, value)
}

// classOf returns the index of a value's class, or -1 if the value has no class.
func classOf(classes []Class, value int) int {
	return slices.IndexFunc(classes, func(k Class) bool { return k.Value == value })
}

// named returns a value's class, or a class without a name if the value has no class.
func named(classes []Class, value int) Class {
	if i := classOf(classes, value); i >= 0 {
		return classes[i]
	}
	return Class{}
}

// This is the size of a legend's icon in pixels.
const iconWidth, iconHeight = 28, 18

// iconMiddle is the middle of an icon.
var iconMiddle = pos{iconWidth / 2, iconHeight / 2}

// drawnEntry returns a legend entry with an icon for both themes.
func drawnEntry(e content.LegendEntry, paint func(*stage)) content.LegendEntry {
	e.Icon, e.DarkIcon = icon(light, paint), icon(dark, paint)
	return e
}

// areaEntry returns the legend entry of a filled area.
func areaEntry(label, sign string, f fill, counted string) content.LegendEntry {
	return drawnEntry(content.LegendEntry{Label: label, Count: counted, Sign: sign}, func(s *stage) {
		b := box{1, 1, iconWidth - 1, iconHeight - 1}
		s.cover(b, f)
		s.outline(b, solidLine(s.muted, 1))
	})
}

// lineEntry returns the legend entry of a line.
func lineEntry(label string, k stroke) content.LegendEntry {
	return drawnEntry(content.LegendEntry{Label: label}, func(s *stage) {
		s.line(k.line(s.theme), pos{1, iconHeight / 2}, pos{iconWidth - 1, iconHeight / 2})
		s.marker(iconMiddle, k.marker, k.colour[s.theme], markerRadius)
	})
}

// icon draws a small decorative picture; the entry's text explains it.
func icon(t theme, paint func(*stage)) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`aria-hidden="true"><g fill="none">`+
		"\n%s</g></svg>\n", iconWidth, iconHeight, iconWidth, iconHeight, render(iconHeight, t, paint))
}

const (
	hatchGap    = 9.0  // between hatch lines, in pixels
	hatchStep   = 0.5  // the step of the search for the area's edge along a hatch line
	hatchShort  = 2.5  // shorter pieces are omitted
	hatchPieces = 1500 // the maximum per area; the longest pieces are drawn
)

// segment is a piece of a hatch line, in pixels.
type segment [2]pos

func (s segment) length() float64 { return math.Hypot(s[1][0]-s[0][0], s[1][1]-s[0][1]) }

// anywhere returns true, because an area that fills its box contains every position.
func anywhere(_ pos) bool { return true }

// hatch returns the pieces of a pattern's lines that are inside an area. The function inside reports whether a position
// is in the area.
func hatch(p pattern, b box, inside func(pos) bool) []segment {
	var out []segment
	for _, dir := range hatchings[p] {
		out = append(out, hatchLines(b, dir, inside)...)
	}
	if p == dots {
		out = dotted(out)
	}
	if len(out) > hatchPieces {
		sort.SliceStable(out, func(i, j int) bool { return out[i].length() > out[j].length() })
		out = out[:hatchPieces]
	}
	return out
}

// hatchLines draws parallel lines over the box and returns the pieces that are inside the area. The lines form one
// lattice for the whole box, so that the parts of an area match.
func hatchLines(b box, dir pos, inside func(pos) bool) []segment {
	n := math.Hypot(dir[0], dir[1])
	ux, uy := dir[0]/n, -dir[1]/n
	reach := math.Hypot(b.w(), b.h())
	cx, cy := (b.x0+b.x1)/2, (b.y0+b.y1)/2
	var out []segment
	for off := -math.Floor(reach/2/hatchGap) * hatchGap; off <= reach/2; off += hatchGap {
		within, begin, last := false, pos{}, pos{}
		for k := range int(reach/hatchStep) + 2 {
			t := float64(k)*hatchStep - reach/2
			q := pos{cx - off*uy + t*ux, cy + off*ux + t*uy}
			in := b.contains(q) && inside(q)
			switch {
			case in && !within:
				begin = q
			case !in && within && segment{begin, last}.length() >= hatchShort:
				out = append(out, segment{begin, last})
			}
			within, last = in, q
		}
	}
	return out
}

// dotted moves the starts of horizontal pieces to a grid that is staggered by row, so that a dashed stroke makes evenly
// spaced dots.
func dotted(in []segment) []segment {
	var out []segment
	for _, s := range in {
		phase := 0.0
		if int(math.Round(s[0][1]/hatchGap))%2 != 0 {
			phase = hatchGap / 2
		}
		x := math.Ceil((s[0][0]-phase)/hatchGap)*hatchGap + phase
		if x+dotSize <= s[1][0] {
			out = append(out, segment{{x, s[0][1]}, {s[1][0], s[0][1]}})
		}
	}
	return out
}

const dotSize = 1.8

// hatchStyle returns the line style of the pieces of a pattern.
func hatchStyle(f fill, t theme) lineStyle {
	sty := lineStyle{Color: f.mark[t], Width: 1}
	if f.pattern == dots {
		sty.Width = dotSize
		sty.Dashes = []float64{dotSize, hatchGap - dotSize}
	}
	return sty
}

// strip is a class in a single row or column of cells, which is too thin to be seen. It is drawn as a line of its
// colour on top of the curves, so that they do not hide it.
type strip struct {
	area     int
	from, to pos
}

// These are the sizes of strips in pixels.
const (
	thinnest   = 5.0  // thinner rows and columns become strips
	shortStrip = 12.0 // a shorter row or column does not become a strip
)

// strips returns the classes that are drawn as strips.
func (g *gridMap) strips(b box) []strip {
	var out []strip
	cw, ch := b.w()/float64(g.W), b.h()/float64(g.H)
	for i, a := range g.areas {
		if !a.class || a.count == 0 || g.Agreement != nil {
			continue
		}
		left, low, right, high := g.W, g.H, -1, -1
		for cell, area := range g.index {
			if int(area) == i {
				left, right, low, high = min(left, cell%g.W), max(right, cell%g.W), min(low, cell/g.W),
					max(high, cell/g.W)
			}
		}
		whole := a.count == (right-left+1)*(high-low+1)
		s := strip{area: i}
		switch {
		case whole && low == high && ch < thinnest:
			s.from, s.to = g.lattice(b, float64(left), float64(low)+0.5), g.lattice(b, float64(right+1),
				float64(low)+0.5)
		case whole && left == right && cw < thinnest:
			s.from, s.to = g.lattice(b, float64(left)+0.5, float64(low)), g.lattice(b, float64(left)+0.5,
				float64(high+1))
		default:
			continue
		}
		if max(s.to[0]-s.from[0], s.from[1]-s.to[1]) >= shortStrip {
			out = append(out, s)
		}
	}
	return out
}

// paintStrip draws a strip with a line of ink on either side.
func (g *gridMap) paintStrip(s *stage, p strip) {
	s.line(solidLine(s.ink, thinnest+0.5), p.from, p.to)
	s.line(solidLine(g.areas[p.area].fill.ground[s.theme], thinnest-1.5), p.from, p.to)
}

// labelStrips writes the short name or the sign of each strip next to it.
func (g *gridMap) labelStrips(l *mapLayout, p *placer) {
	for i, s := range l.strips {
		names := g.areas[s.area].inside
		name := strings.TrimSpace(names[len(names)-1])
		if short := names[len(names)-2]; short != "" {
			name = short
		}
		if name == "" {
			continue
		}
		if b, ok := p.placeLabel(len(g.Curves)+i, []pos{s.from, s.to}, textWidth(name)+4, 0.55); ok {
			l.labels = append(l.labels, inkLabel(b.middle(), name))
		}
	}
}
