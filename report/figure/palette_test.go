package figure

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
)

// lab is CIE L*a*b* under D65, from linear sRGB.
func lab(r, g, b float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047)
	y := f(0.2126729*r + 0.7151522*g + 0.0721750*b)
	z := f((0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// visions simulate how a colour is seen: normally, and with the matrices of Machado, Oliveira and Fernandes (2009) for
// complete protanopia and deuteranopia, applied to linear sRGB.
var visions = map[string][9]float64{
	"normal":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"grey":         {0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722},
}

func seen(c color.RGBA, m [9]float64) [3]float64 {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	at := func(i int) float64 { return max(0, min(1, m[i]*r+m[i+1]*g+m[i+2]*b)) }
	return lab(at(0), at(3), at(6))
}

// difference is CIE 1976: 2.3 is just noticeable.
func difference(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// TestLabOracle pins the colour space of the other tests: white, and sRGB red as published (53.24, 80.09, 67.20).
func TestLabOracle(t *testing.T) {
	for _, c := range []struct {
		colour color.RGBA
		want   [3]float64
	}{{hex(0xffffff), [3]float64{100, 0, 0}}, {hex(0xff0000), [3]float64{53.24, 80.09, 67.20}}} {
		if got := seen(c.colour, visions["normal"]); difference(got, c.want) > 0.1 {
			t.Errorf("Lab of %v = %v, want %v", c.colour, got, c.want)
		}
	}
}

// TestOrderedPalette: for every number of bins each step gets darker, by a visible amount, for every kind of vision.
func TestOrderedPalette(t *testing.T) {
	for n := 2; n <= maxBins; n++ {
		for name, m := range visions {
			for i := 1; i < n; i++ {
				a, b := seen(ordered(i-1, n).ground[light], m), seen(ordered(i, n).ground[light], m)
				if a[0]-b[0] < 4 {
					t.Errorf("%d bins, %s: step %d darkens by %.1f L*, want 4 or more", n, name, i, a[0]-b[0])
				}
				if d := difference(a, b); d < 6 {
					t.Errorf("%d bins, %s: step %d differs by %.1f, want 6 or more", n, name, i, d)
				}
			}
		}
	}
}

// TestSwatchesDoNotRestOnColour: two swatches differ in pattern, or else clearly in lightness; patterns are visible.
func TestSwatchesDoNotRestOnColour(t *testing.T) {
	for _, th := range []theme{light, dark} {
		for a := Quiet; a < swatchEnd; a++ {
			fa := swatches[a]
			if fa.pattern != solid && contrast(fa.ground[th], fa.mark[th]) < 1.5 {
				t.Errorf("theme %d: pattern of swatch %d has contrast %.2f with its ground, want 1.5", th, a,
					contrast(fa.ground[th], fa.mark[th]))
			}
			for b := a + 1; b < swatchEnd; b++ {
				fb := swatches[b]
				grey := math.Abs(seen(fa.ground[th], visions["grey"])[0] - seen(fb.ground[th], visions["grey"])[0])
				if fa.pattern == fb.pattern && grey < 20 {
					t.Errorf("theme %d: swatches %d and %d share the pattern %v and differ by %.1f L* in grey, want 20",
						th, a, b, fa.pattern, grey)
				}
			}
		}
	}
}

// TestSwatchColours: the coloured swatches differ for every kind of colour vision even without their patterns.
func TestSwatchColours(t *testing.T) {
	for name, m := range visions {
		if name == "grey" {
			continue // there patterns tell them apart
		}
		for i, a := range coloured {
			for _, b := range coloured[:i] {
				if d := difference(seen(swatches[a].ground[light], m), seen(swatches[b].ground[light], m)); d < 10 {
					t.Errorf("%s: swatches %d and %d differ by %.1f, want 10 or more", name, a, b, d)
				}
			}
		}
	}
}

// TestBarFills: the two series differ in grey and for every kind of colour vision.
func TestBarFills(t *testing.T) {
	for _, th := range []theme{light, dark} {
		if barFills[0].pattern == barFills[1].pattern {
			t.Error("both series have the same pattern")
		}
		for name, m := range visions {
			if name == "grey" && th == dark {
				continue // sky and orange; the hatching tells them apart
			}
			if d := difference(seen(barFills[0].ground[th], m), seen(barFills[1].ground[th], m)); d < 25 {
				t.Errorf("theme %d, %s: series differ by %.1f, want 25", th, name, d)
			}
		}
	}
}

// TestContrast: WCAG AA for text, 3:1 for marks that carry meaning.
func TestContrast(t *testing.T) {
	for _, th := range []theme{light, dark} {
		in := themeInks[th]
		text := func(what string, c, ground color.RGBA) {
			if got := contrast(c, ground); got < 4.5 {
				t.Errorf("theme %d: %s has contrast %.2f, want 4.5", th, what, got)
			}
		}
		text("ink", in.ink, in.ground)
		text("muted ink", in.muted, in.ground)
		for i, k := range strokes {
			text("name of line "+css(k.colour[th]), strokes[i].colour[th], in.ground)
		}
		for sw := Quiet; sw < swatchEnd; sw++ {
			g := swatches[sw].ground[th]
			text("label on swatch "+css(g), legibleOn(g), g)
		}
		for n := 1; n <= maxBins; n++ {
			for i := range n {
				g := ordered(i, n).ground[th]
				text("label on bin "+css(g), legibleOn(g), g)
			}
		}
	}
}

// TestStrokesDiffer: lines differ by dash and by marker, not by colour alone.
func TestStrokesDiffer(t *testing.T) {
	if len(strokes) < MaxSeries {
		t.Fatalf("%d strokes for up to %d series", len(strokes), MaxSeries)
	}
	for i, a := range strokes {
		for _, b := range strokes[:i] {
			if slices.Equal(a.dashes, b.dashes) || a.marker == b.marker {
				t.Errorf("strokes %v and %v share dash or marker", a, b)
			}
		}
	}
}

// TestRingIsHollow: a ring shows the ground inside, or it would be a circle.
func TestRingIsHollow(t *testing.T) {
	for _, th := range []theme{light, dark} {
		drawing := string(render(20, 20, th, func(s *stage) { s.marker(pos{10, 10}, ring, s.ink, markerRadius) }))
		if in := themeInks[th]; strings.Count(drawing, css(in.ink)) != 1 ||
			strings.Count(drawing, css(in.ground)) != 1 {
			t.Errorf("theme %d: a ring is\n%s", th, drawing)
		}
	}
}
