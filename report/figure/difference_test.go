package figure

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// difference2000 returns the colour difference CIEDE2000 of two colours in CIE L*a*b*, after Sharma, Wu and Dalal
// (2005). A difference of 1 is just noticeable side by side; people see a difference of 5 at a glance.
func difference2000(a, b [3]float64) float64 {
	chroma := func(x, y float64) float64 { return math.Hypot(x, y) }
	mean := (chroma(a[1], a[2]) + chroma(b[1], b[2])) / 2
	g := 0.5 * (1 - math.Sqrt(math.Pow(mean, 7)/(math.Pow(mean, 7)+math.Pow(25, 7))))
	a1, b1 := (1+g)*a[1], (1+g)*b[1]
	c1, c2 := chroma(a1, a[2]), chroma(b1, b[2])
	h1, h2 := hue(a1, a[2]), hue(b1, b[2])

	dh := h2 - h1
	switch {
	case c1*c2 == 0:
		dh = 0
	case dh > 180:
		dh -= 360
	case dh < -180:
		dh += 360
	}
	dL, dC, dH := b[0]-a[0], c2-c1, 2*math.Sqrt(c1*c2)*math.Sin(radians(dh/2))

	l, c, h := (a[0]+b[0])/2, (c1+c2)/2, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		h = h1 + h2
	case math.Abs(h1-h2) > 180 && h1+h2 < 360:
		h += 180
	case math.Abs(h1-h2) > 180:
		h -= 180
	}
	t := 1 - 0.17*math.Cos(radians(h-30)) + 0.24*math.Cos(radians(2*h)) +
		0.32*math.Cos(radians(3*h+6)) - 0.20*math.Cos(radians(4*h-63))
	sl := 1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	sc, sh := 1+0.045*c, 1+0.015*c*t
	rc := 2 * math.Sqrt(math.Pow(c, 7)/(math.Pow(c, 7)+math.Pow(25, 7)))
	rt := -math.Sin(radians(60*math.Exp(-(h-275)*(h-275)/625))) * rc
	return math.Sqrt(dL*dL/sl/sl + dC*dC/sc/sc + dH*dH/sh/sh + rt*dC/sc*dH/sh)
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

func hue(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 0
	}
	h := math.Atan2(b, a) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return h
}

// TestDifference2000 compares colour differences with the differences that Sharma, Wu and Dalal published. Their pairs
// cover every branch.
func TestDifference2000(t *testing.T) {
	type lab struct{ L, A, B float64 }
	type row struct {
		One, Other lab
		Want       float64
	}
	for at, row := range must.Table[row](t, cases, "TestDifference2000") {
		a, b := [3]float64{row.One.L, row.One.A, row.One.B}, [3]float64{row.Other.L, row.Other.A, row.Other.B}
		for _, got := range []float64{difference2000(a, b), difference2000(b, a)} {
			if math.Abs(got-row.Want) > 0.00006 {
				t.Errorf("%s: %.4f, want %.4f", at, got, row.Want)
			}
		}
	}
}

// look is one of the appearances that a figure distinguishes: a colour, and a sign that distinguishes it without
// colour.
type look struct {
	name   string
	colour color.RGBA
	sign   string // its pattern, dash or marker
}

// These are the least differences, for every vision and in grey, of two looks that differ only in colour and that touch
// or are in the same legend.
const (
	// between neighbours in an order; a line separates them, and areas with room have their numbers
	leastStep = 3.0
	leastPair = 9.0 // between any two classes
)

// apart returns the least CIEDE2000 difference of two looks over all kinds of vision, and the vision that has it.
func apart(a, b look) (least float64, vision string) {
	least = math.Inf(1)
	for name, m := range allVisions {
		if d := difference2000(seen(a.colour, m), seen(b.colour, m)); d < least {
			least, vision = d, name
		}
	}
	return least, vision
}

// allVisions adds the simulations of Viénot, Brettel and Mollon (1999) to the simulations of Machado et al., which are
// independent of them.
var allVisions = map[string][9]float64{
	"normal": visions["normal"], "grey": visions["grey"],
	"protanopia (Machado)": visions["protanopia"], "deuteranopia (Machado)": visions["deuteranopia"],
	"protanopia (Viénot)":   {0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1},
	"deuteranopia (Viénot)": {0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1},
}

// areaLook returns the look of an area, with its pattern as the sign.
func areaLook(what string, f fill, th theme) look {
	return look{what + " " + css(f.ground[th]), f.ground[th], fmt.Sprint("pattern ", f.pattern)}
}

// orderedLooks returns the looks of the areas of a map with n bins.
func orderedLooks(n int, th theme) []look {
	var out []look
	for i := range n {
		out = append(out, areaLook("bin", ordered(i, n), th))
	}
	return out
}

// TestNeighboursInOrder checks that for any number of bins, consecutive bins differ in colour for every vision, and the
// second is darker.
func TestNeighboursInOrder(t *testing.T) {
	worst := math.Inf(1)
	for _, th := range []theme{light, dark} {
		for n := 2; n <= maxBins; n++ {
			looks := orderedLooks(n, th)
			for i := 1; i < n; i++ {
				d, vision := apart(looks[i-1], looks[i])
				if worst = min(worst, d); d < leastStep {
					t.Errorf("theme %d, %d bins, %s: %s and %s differ by %.1f, want %.0f", th, n, vision,
						looks[i-1].name, looks[i].name, d, leastStep)
				}
				for vision, m := range allVisions {
					if by := seen(looks[i-1].colour, m)[0] - seen(looks[i].colour, m)[0]; by < 4 {
						t.Errorf("%d bins, %s: step %d darkens by %.1f L*, want 4 or more", n, vision, i, by)
					}
				}
			}
		}
	}
	t.Logf("the least difference of neighbours is %.2f", worst)
}

// TestEveryPair checks every two looks that can be in one figure: looks with the same pattern, dash and marker differ
// in colour for every vision, and areas also differ clearly in lightness. Patterns of areas are visible.
func TestEveryPair(t *testing.T) {
	pairs, byColour, worst := 0, 0, math.Inf(1)
	for _, th := range []theme{light, dark} {
		var areas, lines, bars []look
		for sw := Quiet; sw < swatchEnd; sw++ {
			f := swatches[sw]
			areas = append(areas, areaLook("swatch", f, th))
			if visible := contrast(f.ground[th], f.mark[th]); f.pattern != solid && visible < 1.5 {
				t.Errorf("theme %d: the pattern of swatch %d has contrast %.2f with its ground, want 1.5", th, sw,
					visible)
			}
		}
		for _, k := range strokes {
			lines = append(lines, look{"line " + css(k.colour[th]), k.colour[th], fmt.Sprint("dashes ", k.dashes)})
		}
		for _, f := range barFills {
			bars = append(bars, areaLook("bar", f, th))
		}
		for kind, looks := range [][]look{areas, lines, bars} {
			for i, a := range looks {
				for _, b := range looks[:i] {
					pairs++
					if a.sign != b.sign {
						continue
					}
					byColour++
					d, vision := apart(a, b)
					if worst = min(worst, d); d < leastPair {
						t.Errorf("theme %d, %s: %s and %s are both %s and differ by %.1f, want %.0f", th, vision,
							a.name, b.name, a.sign, d, leastPair)
					}
					grey := math.Abs(seen(a.colour, visions["grey"])[0] - seen(b.colour, visions["grey"])[0])
					if kind == 0 && grey < 20 {
						t.Errorf("theme %d: %s and %s are both %s and differ by %.1f L* in grey, want 20", th, a.name,
							b.name, a.sign, grey)
					}
				}
			}
		}
	}
	t.Logf("%d of %d pairs rest on colour; the least difference is %.2f", byColour, pairs, worst)
}

// TestColours checks that the coloured swatches, and the two series of bars, differ for every kind of colour vision
// even without their patterns. In grey, only the bars on light pages differ.
func TestColours(t *testing.T) {
	if barFills[0].pattern == barFills[1].pattern {
		t.Error("both series have the same pattern")
	}
	for vision, m := range allVisions {
		apart := func(a, b fill, th theme, least float64) {
			if d := difference2000(seen(a.ground[th], m), seen(b.ground[th], m)); d < least {
				t.Errorf("theme %d, %s: %v and %v differ by %.1f, want %.0f", th, vision, a, b, d, least)
			}
		}
		apart(barFills[0], barFills[1], light, 25)
		if vision == "grey" {
			continue
		}
		apart(barFills[0], barFills[1], dark, 25)
		for i, a := range coloured {
			for _, b := range coloured[:i] {
				apart(swatches[a], swatches[b], light, 10)
			}
		}
	}
}

// TestClassesBesideBins checks that Quiet, the only class without a pattern, differs from every bin of an order. A
// border separates a class from other areas, whatever their colours.
func TestClassesBesideBins(t *testing.T) {
	for sw := Quiet; sw < swatchEnd; sw++ {
		if solid := swatches[sw].pattern == solid; solid != (sw == Quiet) {
			t.Errorf("swatch %d: solid is %v", sw, solid)
		}
	}
	for _, th := range []theme{light, dark} {
		quiet := areaLook("Quiet", swatches[Quiet], th)
		in := themeInks[th]
		for n := 1; n <= maxBins; n++ {
			for _, bin := range orderedLooks(n, th) {
				d, vision := apart(quiet, bin)
				if ring := contrast(in.ink, bin.colour); d < leastPair && ring < 3 {
					t.Errorf("theme %d, %d bins, %s: Quiet and %s differ by %.1f, and their border has contrast %.1f",
						th, n, vision, bin.name, d, ring)
				}
			}
		}
	}
}

// TestVienotIsBlind checks that in the second simulation, red and green of equal lightness become the same, and blue
// and yellow do not.
func TestVienotIsBlind(t *testing.T) {
	red, green, blue, yellow := hex(0xb04a4a), hex(0x6f7030), hex(0x3060c0), hex(0xc0a020)
	m := allVisions["deuteranopia (Viénot)"]
	if near, far := difference2000(seen(red, m), seen(green, m)), difference2000(seen(red, visions["normal"]),
		seen(green, visions["normal"])); near > far/2 {
		t.Errorf("red and green differ by %.1f, seen by others by %.1f", near, far)
	}
	if d := difference2000(seen(blue, m), seen(yellow, m)); d < 30 {
		t.Errorf("blue and yellow differ by %.1f", d)
	}
}
