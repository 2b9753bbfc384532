// Package figure draws the figures of a report or a notebook cell: maps of values, of agreement and of shares, heat
// maps side by side, histograms, traces, path trees, diagrams, cost charts, plain lines and boards with pieces. Each
// kind is a struct. Its Figure method validates the input and returns a [content.Figure], which has everything that a
// page needs: the picture for a light and a dark page, its alternative text, its legend and its numbers.
//
// The package depends on no game and no page. It follows these rules:
//
//   - Same input, same bytes.
//   - No meaning rests on colour alone: areas carry patterns and signs, lines carry dashes and markers, and legends
//     (HTML, never drawn inside the plot) carry counts.
//   - The alternative text is computed from the data, like the picture.
//   - Text in an SVG is text: it can be selected, searched and read aloud, takes the reader's own font and costs a few
//     bytes. Its width is therefore unknown here; the layout measures with DejaVu Sans, which is wider than the usual
//     interface fonts, so that a label never outgrows its place. Glyph outlines would fix the width, and lose all that.
//   - A figure is laid out [Width] CSS pixels wide, a [Board] perhaps less, and scales. In a viewport of at most 480
//     pixels its text grows by a quarter; the layout leaves room for the larger size from the start, so both sizes
//     share one geometry.
package figure

import (
	"bytes"
	_ "embed"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// Width is the width in CSS pixels at which figures are laid out. Figures stay readable at widths from 320 to about 720
// pixels. Only a [Tree], a [Graph] and a [Diagram] may be wider: they should scroll sideways where they would be shown
// at less than 0.6 of their width. A [Board] and a [Diagram] may be narrower.
const Width = 560

// finish renders both themes of a laid-out figure. Numbers in the texts have the same form as in the drawing.
func finish(f content.Figure, width, height float64, paint func(*stage)) content.Figure {
	f.Title, f.Alt = content.ForPeople(f.Title), content.ForPeople(f.Alt)
	for i := range f.Legend {
		f.Legend[i].Label = content.ForPeople(f.Legend[i].Label)
	}
	f.Width, f.Height = int(width+0.5), int(height+0.5)
	f.Light, f.Dark = document(f, light, paint), document(f, dark, paint)
	return f
}

// document returns a figure as a standalone SVG document. Its ids derive from its content, so that two figures on one
// page do not share ids.
func document(f content.Figure, t theme, paint func(*stage)) []byte {
	drawing := render(f.Height, t, paint)
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s", t, f.Title, f.Alt, drawing)
	id := fmt.Sprintf("f%016x", h.Sum64())

	var doc bytes.Buffer
	fmt.Fprintf(&doc, `<svg xmlns="http://www.w3.org/2000/svg" id="%s" role="img" aria-labelledby="%s-t %s-d"`, id, id,
		id)
	fmt.Fprintf(&doc, " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", f.Width, f.Height, f.Width, f.Height)
	fmt.Fprintf(&doc, "<title id=\"%s-t\">%s</title>\n<desc id=\"%s-d\">%s</desc>\n", id, escape(f.Title), id,
		escape(f.Alt))
	fmt.Fprintf(&doc, "<style>#%s text{font:%spx %s}@media(max-width:%dpx){#%s text{font-size:%spx}}</style>\n",
		id, decimal(textSize), fontStack, narrowWidth, id, decimal(narrowSize))
	fmt.Fprintf(&doc, "<g fill=\"none\" stroke-linejoin=\"round\">\n%s</g>\n</svg>\n", drawing)
	return doc.Bytes()
}

const (
	// textSize is the size of all text in CSS pixels; narrowSize replaces it in viewports of at most narrowWidth.
	textSize    = 13.0
	narrowSize  = 16.5
	narrowWidth = 480

	// lineHeight is the distance between two baselines at narrowSize.
	lineHeight = 19.0

	// fontStack prefers the reader's interface font. DejaVu Sans, which the layout measures with, is the widest of
	// these fonts.
	fontStack = `system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif`
)

// advances are the widths of the letters of DejaVu Sans in units of 1/2048 em. They ignore kerning, so texts are never
// wider. A line has the first letter of a run, in hexadecimal, and the widths of the letters in the run. The font file
// is 40 times as large.
//
//go:embed advances.txt
var advances string

// unitsPerEm is the unit of advances. A letter that the font lacks has a width of one em.
const unitsPerEm = 2048

var advanceOf = sync.OnceValue(func() map[rune]int {
	of := map[rune]int{}
	for line := range strings.Lines(advances) {
		words := strings.Fields(line)
		first := parsed(words[0], 16)
		for i, word := range words[1:] {
			of[rune(first+i)] = parsed(word, 10)
		}
	}
	return of
})

// parsed parses a number that is part of this package.
func parsed(s string, base int) int {
	n, err := strconv.ParseInt(s, base, 32)
	if err != nil {
		panic("figure: the embedded widths do not parse: " + err.Error())
	}
	return int(n)
}

// textWidth returns the width in pixels to leave for a line of text: the width that it has at narrowSize.
func textWidth(s string) float64 {
	of, units := advanceOf(), 0
	for _, r := range s {
		if width, ok := of[r]; ok {
			units += width
		} else {
			units += unitsPerEm
		}
	}
	return float64(units) * narrowSize / unitsPerEm
}

// widest returns the greatest textWidth of the lines.
func widest(lines []string) float64 {
	w := 0.0
	for _, l := range lines {
		w = max(w, textWidth(l))
	}
	return w
}

// anchor determines which part of a text is at the text's position: its start, middle or end.
type anchor int

const (
	start anchor = iota
	middle
	end
)

// These shifts of the baseline, in em, put a text below, around or above its position at either text size.
const (
	hang   = 0.78
	centre = 0.36
	sit    = -0.24
)

// stroke is the look of a line: its colour, marker and dashes, in pixels.
type stroke struct {
	colour themed
	marker marker
	dashes []float64
}

// strokes differ in dashes and markers as well as in colour. The colours are Okabe and Ito's, darkened or lightened to
// a contrast of 4.5:1 with the page, so that labels can have the same colours.
var strokes = []stroke{
	{both(0x0067a3, 0x56b4e9), circle, nil},
	{both(0xb34700, 0xff9550), square, []float64{7, 4}},
	{both(0x00745a, 0x2cc79b), triangle, []float64{2, 3}},
	{both(0x9a4279, 0xe09cc5), diamond, []float64{9, 3, 2, 3}},
	{both(0x7a5600, 0xf0c442), cross4, []float64{14, 4}},
	{both(0x4a5058, 0xc6ccd4), ring, []float64{9, 3, 2, 3, 2, 3}},
}

const markerRadius = 3.5

// line returns the line style of the stroke.
func (k stroke) line(t theme) lineStyle {
	return lineStyle{Color: k.colour[t], Width: 2, Dashes: k.dashes}
}

// kind is a kind of figure.
type kind interface {
	// check finds faults that concern several fields. It is called only if each field alone follows its rule.
	check(c *checker)
	// figure draws an input without faults.
	figure() content.Figure
}

// drawn checks an input and draws it.
func drawn(input any, k kind) (content.Figure, error) {
	if err := checked(input, k); err != nil {
		return content.Figure{}, err
	}
	return k.figure(), nil
}

// moving draws a figure in motion, in one theme, if the input breaks no rule. plan returns the figure without its
// drawing, the size of the drawing, and a function that paints it.
func moving(
	input any, k kind, onDark bool, plan func() (content.Figure, float64, float64, func(*stage)),
) ([]byte, error) {
	if err := checked(input, k); err != nil {
		return nil, err
	}
	f, width, height, paint := plan()
	f.Width, f.Height = int(width+0.5), int(height+0.5)
	return document(f, themeOf(onDark), paint), nil
}

// checked returns the first fault of an input, or nil.
func checked(input any, k kind) error {
	c := checker{kind: strings.TrimPrefix(fmt.Sprintf("%T", input), "figure.")}
	c.fields("", reflect.ValueOf(input))
	if c.err == nil {
		k.check(&c)
	}
	return c.err
}

// checker collects the first fault of one input. All missing names are one fault, so that the error lists them all.
type checker struct {
	kind    string
	err     error
	unnamed []string // fields without a required name, if these are the fault
}

// failf records a fault, unless there is one already.
func (c *checker) failf(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("figure: %s: %s", c.kind, fmt.Sprintf(format, args...))
	}
}

// require records the fault unless ok is true.
func (c *checker) require(ok bool, format string, args ...any) {
	if !ok {
		c.failf(format, args...)
	}
}

// fields checks the exported fields of a struct. The tag "rule" of a field is one of these:
//
//	name            a text that is not empty
//	16 characters   a text of at most 16 characters
//	1-24 grids      a list of 1 to 24 things, or an integer from 1 to 24
//	share           numbers from 0 to 1
//	open            an axis whose ends may both be 0
//	inline          a struct whose fields are named as if they were fields of the outer struct
//
// Without a tag, texts must be single lines, coordinates finite, and axes must have ends. Pointers are not followed.
func (c *checker) fields(prefix string, v reflect.Value) {
	for _, r := range rulesOf(v.Type()) {
		c.field(prefix+r.name, r.rule, v.Field(r.index))
	}
}

// fieldRule is the rule of a field of a struct.
type fieldRule struct {
	index      int
	name, rule string
}

var knownRules sync.Map // rules by type, cached because boards have hundreds of pieces and readers wait for them

// rulesOf returns the rules of the fields of a struct type, without fields that need no check.
func rulesOf(t reflect.Type) (rules []fieldRule) {
	if known, ok := knownRules.Load(t); ok {
		return known.([]fieldRule)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		rule, kind := f.Tag.Get("rule"), f.Type.Kind()
		if f.IsExported() && (rule != "" || kind > reflect.Uintptr && kind != reflect.Pointer) {
			rules = append(rules, fieldRule{i, f.Name, rule})
		}
	}
	knownRules.Store(t, rules)
	return rules
}

func (c *checker) field(name, rule string, v reflect.Value) {
	limits, things, _ := strings.Cut(rule, " ")
	least, most, ranged := strings.Cut(limits, "-")
	switch {
	case ranged && v.Kind() == reflect.Int:
		c.between(name, int(v.Int()), parsed(least, 10), parsed(most, 10), things)
	case ranged:
		c.size(name, v.Len(), parsed(least, 10), parsed(most, 10), things)
		rule = ""
	}
	switch x := v.Interface().(type) {
	case string:
		if rule == "name" {
			c.name(name, x)
		}
		c.text(name, x)
		if things == "characters" {
			c.characters(name, x, parsed(limits, 10))
		}
	case float64:
		c.finite(name, x)
	case Axis:
		c.axis(name, x, rule == "open")
	case []int: // may have millions of elements
	case []float64:
		for i, share := range x {
			c.share(name, i, share)
		}
	default:
		switch v.Kind() {
		case reflect.Struct:
			if name += "."; rule == "inline" {
				name = ""
			}
			c.fields(name, v)
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				c.field(fmt.Sprintf("%s[%d]", name, i), rule, v.Index(i))
			}
		}
	}
}

// characters checks the length of a text.
func (c *checker) characters(field, s string, most int) {
	c.require(utf8.RuneCountInString(s) <= most, "%s is %q; give at most %d characters", field, s, most)
}

// maxText is the maximum length of a text, in characters.
const maxText = 200

// text checks one line of text.
func (c *checker) text(field, s string) {
	switch {
	case !utf8.ValidString(s):
		c.failf("%s is %q, which is not valid UTF-8; encode it as UTF-8", field, s)
	case utf8.RuneCountInString(s) > maxText:
		c.failf("%s has %d characters, more than %d; shorten it", field, utf8.RuneCountInString(s), maxText)
	}
	for _, r := range s {
		if unicode.IsControl(r) || r == 0xfffe || r == 0xffff {
			c.failf("%s is %q with the control character %U; use one line of printable characters", field, s, r)
		}
	}
}

// name checks a text that must not be empty.
func (c *checker) name(field, s string) {
	if s == "" && c.err == nil {
		c.unnamed = []string{field}
		c.failf("%s is empty; name it", field)
	} else if s == "" && c.unnamed != nil {
		c.unnamed = append(c.unnamed, field)
		c.err = nil
		c.failf("%s are empty; name them", content.List(c.unnamed))
	}
}

// between checks that a number is in a range.
func (c *checker) between(field string, n, least, most int, things string) {
	c.require(n >= least && n <= most, "%s is %d; give %d to %d %s", field, n, least, most, things)
}

// size checks how many things a field has. For a single thing it removes the final s of things, so things must be a
// regular plural unless a single thing is allowed.
func (c *checker) size(field string, n, least, most int, things string) {
	allowed := fmt.Sprintf("at most %d", most)
	if least > 0 {
		allowed = fmt.Sprintf("%d to %d", least, most)
	}
	c.require(n >= least && n <= most, "%s has %d %s; give %s", field, n,
		plural.Of(n, strings.TrimSuffix(things, "s"), things), allowed)
}

// share checks a share of a whole.
func (c *checker) share(field string, i int, v float64) {
	c.require(v >= 0 && v <= 1, "%s[%d] is %v; give a number from 0 to 1", field, i, v) // also false for NaN
}

// curves checks the lines on top of a map or below walks.
func (c *checker) curves(curves []Curve) {
	for i, cv := range curves {
		c.require(len(cv.Points) >= 2, "Curves[%d].Points has %s; a line needs two", i,
			plural.Count(len(cv.Points), "point"))
	}
}

// finite checks one number.
func (c *checker) finite(field string, v float64) {
	c.require(!math.IsNaN(v) && !math.IsInf(v, 0), "%s is %v; give a finite number", field, v)
	a := math.Abs(v)
	c.require(a == 0 || a >= 1/maxMagnitude && a <= maxMagnitude, "%s is %g, beyond %g or its inverse; scale the "+
		"quantity", field, v, maxMagnitude)
}

// maxMagnitude bounds every coordinate, so that ranges and steps, and the margins of logarithmic axes, stay finite and
// above zero.
const maxMagnitude = 1e150

// axis checks an axis. Both ends of an open axis may be 0.
func (c *checker) axis(field string, a Axis, open bool) {
	c.name(field+".Label", a.Label)
	if open && a.Min == 0 && a.Max == 0 {
		return
	}
	c.finite(field+".Min", a.Min)
	c.finite(field+".Max", a.Max)
	c.require(a.Min < a.Max, "%s runs from %v to %v; Max must be greater than Min", field, a.Min, a.Max)
	span := math.Max(math.Abs(a.Min), math.Abs(a.Max))
	c.require(a.Max-a.Min > 1e-9*span, "%s runs from %v to %v, too narrow to label; subtract an offset", field, a.Min,
		a.Max)
}
