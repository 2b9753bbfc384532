package figure

import (
	"fmt"
	"image/color"
	"math"

	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

// Swatch chooses the colour and the pattern of a class. Every swatch but Quiet pairs its colour with a pattern of its
// own, so that two classes of one figure differ in print and for every kind of colour vision.
type Swatch int

// The swatches. The coloured ones are Okabe and Ito's.
const (
	Auto      Swatch = iota // the next coloured swatch that no class of the figure uses
	Quiet                   // what needs no attention, such as agreement
	Blocked                 // an outcome that cannot happen: neutral, hatched
	Missing                 // not computed: the page's ground, dotted
	Vermilion               // hatched falling
	Sky                     // hatched vertically
	Orange                  // hatched horizontally
	Green                   // hatched rising
	Blue                    // cross-hatched
	Purple                  // dotted
	swatchEnd
)

// coloured is the order in which Auto assigns.
var coloured = []Swatch{Vermilion, Sky, Green, Orange, Blue, Purple}

// fill is how an area looks: its colour, and the pattern with its ink.
type fill struct {
	ground  themed
	pattern pattern
	mark    themed
}

// plain is an area of one colour in both themes, without a pattern.
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

// viridis holds nine even samples of the colour map of Smith and van der Walt (2015), from dark to light. Its lightness
// rises evenly, also for red-green blindness.
var viridis = [9]uint32{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}

// viridisAt returns the colour at 0 (dark) to 1 (light).
func viridisAt(t float64) color.RGBA {
	x := max(0, min(1, t)) * float64(len(viridis)-1)
	i := min(int(x), len(viridis)-2)
	return mix(hex(viridis[i]), hex(viridis[i+1]), x-float64(i))
}

// ordered returns the colour of the i-th of n ordered classes: the first is light, the last dark. Few classes keep away
// from the ends.
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
	rising: {{1, 1}}, falling: {{1, -1}}, cross: {{1, 1}, {1, -1}}, horizontal: {{1, 0}}, vertical: {{0, 1}},
	dots: {{1, 0}},
}

// marker is the sign at a data point.
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

// outlines are the corners of the polygonal markers, for a radius of 1, with y up.
var outlines = map[marker][][2]pen.Length{
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

// theme is the page a picture is made for. Both have the same geometry and transparent grounds; contrast is computed
// against a white page and against #14161a.
type theme int

const (
	light theme = iota
	dark
)

// inks are the colours of everything that is not data.
type inks struct {
	ground color.RGBA // what the page is assumed to show behind the picture
	ink    color.RGBA // lines and labels that matter
	muted  color.RGBA // tick labels, axis titles
	grid   color.RGBA // grid lines, frames
}

var themeInks = [2]inks{
	light: {ground: hex(0xffffff), ink: hex(0x1c2024), muted: hex(0x57606a), grid: hex(0xe2e5e9)},
	dark:  {ground: hex(0x14161a), ink: hex(0xe8eaed), muted: hex(0xa3abb5), grid: hex(0x2d323a)},
}

// Inks are the colours of letters in figures for a light page or a dark one, as #rrggbb.
func Inks(onDark bool) []string {
	in := themeInks[light]
	if onDark {
		in = themeInks[dark]
	}
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

// linear undoes the sRGB transfer curve, from 0..255 to 0..1.
func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// luminance is the relative luminance of WCAG 2, 0..1.
func luminance(c color.RGBA) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// contrast is the contrast ratio of WCAG 2, 1..21.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// legibleOn returns black or white, whichever reads better on the ground.
func legibleOn(ground color.RGBA) color.RGBA {
	black, white := hex(0x000000), hex(0xffffff)
	if contrast(black, ground) >= contrast(white, ground) {
		return black
	}
	return white
}

// mix returns a colour t of the way from a to b, in sRGB.
func mix(a, b color.RGBA, t float64) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + t*(float64(y)-float64(x)))) }
	return color.RGBA{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: 0xff}
}
