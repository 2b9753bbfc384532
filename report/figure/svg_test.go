package figure

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// element is an element of an SVG, with the attributes that the tests read.
type element struct {
	name     string
	attrs    map[string]string
	text     string
	children []*element
}

// UnmarshalXML reads an element and its descendants. No attribute may occur twice in an element.
func (e *element) UnmarshalXML(dec *xml.Decoder, begin xml.StartElement) error {
	e.name, e.attrs = begin.Name.Local, map[string]string{}
	for _, a := range begin.Attr {
		if _, dup := e.attrs[a.Name.Local]; dup {
			return fmt.Errorf("attribute %s twice", a.Name.Local)
		}
		e.attrs[a.Name.Local] = a.Value
	}
	var inside struct {
		Text     string     `xml:",chardata"`
		Children []*element `xml:",any"`
	}
	err := dec.DecodeElement(&inside, &begin)
	e.text, e.children = inside.Text, inside.Children
	return err
}

// all returns an element and its descendants.
func (e *element) all() []element {
	all := []element{*e}
	for _, child := range e.children {
		all = append(all, child.all()...)
	}
	return all
}

// parseSVG reads the elements of a document. It returns an error unless the document is well-formed and has one root.
func parseSVG(svg []byte) ([]element, error) {
	var root element
	dec := xml.NewDecoder(bytes.NewReader(svg))
	if err := dec.Decode(&root); err != nil {
		return nil, err
	}
	if err := dec.Decode(new(element)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("behind the root: %w", cmp.Or(err, errors.New("another one")))
	}
	return root.all(), nil
}

// checkDocument checks the rules that every SVG of the package follows.
func checkDocument(t interface {
	Helper()
	Errorf(string, ...any)
}, f *content.Figure, th theme,
) []element {
	t.Helper()
	all, err := parseSVG(map[theme][]byte{light: f.Light, dark: f.Dark}[th])
	if err != nil {
		t.Errorf("%q is not well-formed: %v", f.Title, err)
		return nil
	}
	root := all[0]
	if root.name != "svg" || root.attrs["role"] != "img" || root.attrs["width"] != strconv.Itoa(f.Width) ||
		root.attrs["viewBox"] != fmt.Sprintf("0 0 %d %d", f.Width, f.Height) {
		t.Errorf("%q: root is %v", f.Title, root)
	}
	ids := map[string]element{}
	for _, e := range all {
		if id := e.attrs["id"]; id != "" {
			if _, dup := ids[id]; dup {
				t.Errorf("%q: id %s twice", f.Title, id)
			}
			ids[id] = e
		}
		for name, v := range e.attrs {
			if strings.Contains(v, "//") && name != "xmlns" && name != "href" ||
				name == "href" && !strings.HasPrefix(v, "data:image/png;base64,") {
				t.Errorf("%q: %s=%q refers outside", f.Title, name, v)
			}
		}
		if e.name == "script" || e.name == "style" && regexp.MustCompile(`url|import`).MatchString(e.text) {
			t.Errorf("%q: element %v", f.Title, e)
		}
	}
	by := strings.Fields(root.attrs["aria-labelledby"])
	if len(by) != 2 || ids[by[0]].text != f.Title || ids[by[1]].text != f.Alt {
		t.Errorf("%q: labelled by %v, which are not its title and alternative text", f.Title, by)
	}
	return all
}

// TestVeilHasTheGroundsColour checks that translucent parts, such as the veil under the curves of maps, have the right
// colour in both themes.
func TestVeilHasTheGroundsColour(t *testing.T) {
	f := must.Get(samplePhase().Figure())
	for th, svg := range map[theme][]byte{light: f.Light, dark: f.Dark} {
		if veil := fmt.Sprintf(`stroke="%s" stroke-opacity=".7"`,
			css(themeInks[th].ground)); !strings.Contains(string(svg), veil) {
			t.Errorf("theme %d has no %s", th, veil)
		}
	}
}

// textBoxes returns the boxes that the texts of a document would have at the larger size in the widest font.
func textBoxes(t *testing.T, all []element) (boxes []box, texts []string) {
	t.Helper()
	num := func(s string) float64 {
		if s == "" {
			return 0
		}
		return must.Get(strconv.ParseFloat(strings.TrimSuffix(s, "em"), 64))
	}
	for _, e := range all {
		if e.name != "text" {
			continue
		}
		if length := e.attrs["textLength"]; length != "" {
			boxes, texts = append(boxes, fixedBox(t, e)), append(texts, e.text)
			continue
		}
		w := textWidth(e.text)
		x := num(e.attrs["x"]) - map[string]float64{"": 0, "middle": w / 2, "end": w}[e.attrs["text-anchor"]]
		base := num(e.attrs["y"]) + num(e.attrs["dy"])*narrowSize
		boxes, texts = append(boxes, box{x, base - 0.73*narrowSize, x + w, base + 0.2*narrowSize}),
			append(texts, e.text)
	}
	return boxes, texts
}

// fixedBox returns the box of a text in a plot, which has its own size and length and may be rotated.
func fixedBox(t *testing.T, e element) box {
	t.Helper()
	var x, y, length, size, angle float64
	for name, to := range map[string]*float64{"x": &x, "y": &y, "textLength": &length} {
		if _, err := fmt.Sscan(e.attrs[name], to); err != nil {
			t.Fatalf("%v: %s: %v", e, name, err)
		}
	}
	style, _, _ := strings.Cut(strings.TrimPrefix(e.attrs["style"], "font-size:"), "px")
	if _, err := fmt.Sscan(style, &size); err != nil {
		t.Fatalf("%v: %v", e, err)
	}
	_, _ = fmt.Sscanf(e.attrs["transform"], "rotate(%f", &angle)
	sin, cos := math.Sincos(angle * math.Pi / 180)
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, c := range (box{0, -0.73 * size, length, 0.2 * size}).corners() {
		at := pos{x + c[0]*cos - c[1]*sin, y + c[0]*sin + c[1]*cos}
		b = box{min(b.x0, at[0]), min(b.y0, at[1]), max(b.x1, at[0]), max(b.y1, at[1])}
	}
	return b
}

// checkApart checks that boxes are inside a picture and do not overlap. The names are used in messages.
func checkApart[Name any](t interface {
	Helper()
	Errorf(string, ...any)
}, picture box, boxes []box, names []Name,
) {
	t.Helper()
	for i, b := range boxes {
		if !b.inside(picture) {
			t.Errorf("%v at %v leaves the picture %v", names[i], b, picture)
		}
		for j := range i {
			if b.overlaps(boxes[j]) {
				t.Errorf("%v at %v overlaps %v at %v", names[i], b, names[j], boxes[j])
			}
		}
	}
}

// checkTexts checks that no label is clipped by the picture's edge or overlaps another label, even at the larger size.
func checkTexts(t *testing.T, f *content.Figure, all []element) {
	t.Helper()
	boxes, texts := textBoxes(t, all)
	if len(boxes) < 3 {
		t.Errorf("only %d texts", len(boxes))
	}
	checkApart(t, box{0, 0, float64(f.Width), float64(f.Height)}, boxes, texts)
}

// TestShort checks that the short form of a number is parsed as the same number.
func TestShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(-1_000_000, 1_000_000).Draw(t, "n")
		v, err := strconv.ParseFloat(short(n), 64)
		if err != nil || math.Abs(v*100-float64(n)) > 1e-6 {
			t.Fatalf("short(%d) = %q reads as %v, %v", n, short(n), v, err)
		}
	})
}

var pathToken = regexp.MustCompile(`[MhvlzZ]|-?\d*\.?\d+`)

// walk interprets path data that consists of M, h, v, l and z commands in the simplest way.
func walk(t *rapid.T, data string) (at [][2]float64) {
	tokens := pathToken.FindAllString(data, -1)
	var x, y float64
	next := func(i int) float64 {
		v, err := strconv.ParseFloat(tokens[i], 64)
		if err != nil {
			t.Fatalf("path %q: %v", data, err)
		}
		return v
	}
	for i := 0; i < len(tokens); {
		switch tokens[i] {
		case "M":
			x, y = next(i+1), next(i+2)
			i += 3
		case "l":
			x, y = x+next(i+1), y+next(i+2)
			i += 3
		case "h":
			x += next(i + 1)
			i += 2
		case "v":
			y += next(i + 1)
			i += 2
		default:
			t.Fatalf("path %q: token %q", data, tokens[i])
		}
		at = append(at, [2]float64{x, y})
	}
	return at
}

// TestPathDoesNotDrift checks that relative commands lead to the absolute points, to within a hundredth, however long
// the path is.
func TestPathDoesNotDrift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(0, 500)
		n := rapid.IntRange(2, 200).Draw(t, "n")
		var p path
		var want [][2]float64
		for i := range n {
			x, y := coord.Draw(t, "x"), coord.Draw(t, "y")
			p = append(p, bend{kind: min(i, lineTo), to: point{x, y}})
			want = append(want, [2]float64{x, 600 - y})
		}
		c := &svgCanvas{height: 600}
		c.stroke(p, lineStyle{color.Black, 1, nil})
		got := walk(t, c.openData.String())
		// The path omits points that round to the same position as the previous point, but the ends must agree.
		g, w := got[len(got)-1], want[len(want)-1]
		if math.Abs(g[0]-w[0]) > 0.0051 || math.Abs(g[1]-w[1]) > 0.0051 {
			t.Fatalf("ends at %v, want %v", g, w)
		}
	})
}

// TestAdvances compares the widths of letters with the widths in the font itself.
func TestAdvances(t *testing.T) {
	f := must.Get(opentype.Parse(dejavusans.TTF))
	var buffer sfnt.Buffer
	for r := rune(0x20); r < 0x3000; r++ {
		glyph := must.Get(f.GlyphIndex(&buffer, r))
		want := unitsPerEm
		if glyph != 0 {
			advance := must.Get(f.GlyphAdvance(&buffer, glyph, fixed.I(unitsPerEm), font.HintingNone))
			want = advance.Round()
		}
		if got := textWidth(string(r)); got != float64(want)*narrowSize/unitsPerEm {
			t.Errorf("%q is %v wide, in the font %d units", r, got, want)
		}
	}
}

// lab returns CIE L*a*b* under D65 for a colour in linear sRGB.
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

// visions contains matrices for linear sRGB that simulate how colours are seen: normally, and with complete protanopia
// and deuteranopia (Machado, Oliveira and Fernandes 2009).
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

// TestLabOracle checks the conversion to L*a*b* that the other tests use: white, and sRGB red as published (53.24,
// 80.09, 67.20).
func TestLabOracle(t *testing.T) {
	for _, c := range []struct {
		colour color.RGBA
		want   [3]float64
	}{{hex(0xffffff), [3]float64{100, 0, 0}}, {hex(0xff0000), [3]float64{53.24, 80.09, 67.20}}} {
		if got := seen(c.colour, visions["normal"]); difference2000(got, c.want) > 0.1 {
			t.Errorf("Lab of %v = %v, want %v", c.colour, got, c.want)
		}
	}
}

// TestContrast checks that text has the contrast that WCAG AA requires, and that meaningful marks have a contrast of
// 3:1.
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

// TestStrokesDiffer checks that lines differ by dashes and by markers, and not by colour alone.
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

// TestRingIsHollow checks that the background is visible inside a ring; otherwise it would look like a disc.
func TestRingIsHollow(t *testing.T) {
	for _, th := range []theme{light, dark} {
		drawing := string(render(20, th, func(s *stage) { s.marker(pos{10, 10}, ring, s.ink, markerRadius) }))
		if in := themeInks[th]; strings.Count(drawing, css(in.ink)) != 1 ||
			strings.Count(drawing, css(in.ground)) != 1 {
			t.Errorf("theme %d: a ring is\n%s", th, drawing)
		}
	}
}
