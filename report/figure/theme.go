package figure

import (
	"fmt"
	"image/color"
	"math"
)

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
