package sanitize

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// dashesPerThing is how many dashes a browser draws in the time of a small shape.
const dashesPerThing = 500

// largestFont is the largest size, in pixels, in which browsers set text.
const largestFont = 10_000

// dashes says what dashes may cost in a drawing. Who inherits which dashes is not followed: all outlines count as if
// they had the shortest, which is an upper bound.
type dashes struct {
	period float64 // the length after which the shortest dashes repeat, 0 if there are none
	side   float64 // the largest number in the size of the drawing, or in that of a part that a style sets
	font   float64 // the largest font size
}

var (
	dashStyle = regexp.MustCompile(`(?i)stroke-dasharray\s*:([^;}]*)`)
	sideStyle = regexp.MustCompile(`(?i)\b(?:width|height)\s*:([^;}]*)`)
	fontStyle = regexp.MustCompile(`(?i)\bfont(?:-size)?\s*:([^;}]*)`)
	decimal   = regexp.MustCompile(`[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?`)
	relative  = regexp.MustCompile(`(?i)[0-9.](?:%|[a-z]*em\b|ex\b|ch\b|v[wh]\b)|larger|smaller`)
)

var errDashes = errors.New("has dashes whose number cannot be told, because of vector-effect or pathLength")

// dashes looks for all that a dash can depend on.
func (d *drawing) dashes() (dashes, error) {
	found := dashes{font: 16}
	uncertain := false
	d.root.walk(func(e *element) {
		styles := e.styles()
		for _, a := range e.attrs {
			switch a.name {
			case "stroke-dasharray":
				styles += ";stroke-dasharray:" + a.value
			case "font-size", "font":
				styles += ";font:" + a.value
			case "vector-effect", "pathLength":
				uncertain = true
			case "viewBox", "width", "height":
				if e.name == "svg" || e.name == "symbol" {
					found.side = max(found.side, largest(a.value))
				}
			}
		}
		uncertain = uncertain || strings.Contains(strings.ToLower(styles), "vector-effect")
		for _, m := range dashStyle.FindAllStringSubmatch(styles, -1) {
			found.shorten(m[1])
		}
		for _, m := range sideStyle.FindAllStringSubmatch(styles, -1) {
			found.side = max(found.side, largest(m[1]))
		}
		for _, m := range fontStyle.FindAllStringSubmatch(styles, -1) {
			found.font = max(found.font, largest(m[1]))
			if relative.MatchString(m[1]) {
				found.font = largestFont
			}
		}
	})
	found.font = min(found.font, largestFont)
	if found.period > 0 && uncertain {
		return found, errDashes
	}
	return found, nil
}

// shorten takes the dashes of one property into account. A list of zeros stands for no dashes.
func (d *dashes) shorten(list string) {
	period := 0.0
	for _, n := range numbers(list) {
		period += n
	}
	if strings.Contains(list, "%") { // of the size of the drawing, which is a unit at least
		period /= 100
	}
	if period > 0 && (d.period == 0 || period < d.period) {
		d.period = period
	}
}

// things returns what the dashes of an element's outline cost.
func (d dashes) things(e *element) int {
	if d.period == 0 {
		return 0
	}
	length := 0.0
	switch e.name {
	case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
		for _, a := range e.attrs {
			if geometry[a.name] {
				length += outline(a, d.side)
			}
		}
		if e.name == "rect" {
			length += 4 * d.side // a style may set its size
		}
	default:
		for _, n := range e.children {
			length += 20 * d.font * float64(len(n.text)) // about what the most winding letters have
		}
	}
	return capped(int(min(length/d.period/dashesPerThing, mostDrawn+1)))
}

// outline bounds the length that an attribute gives to an outline. A line is not longer than the numbers of both its
// ends, an arc not longer than seven times its radius. Commands that continue a curve repeat the reach of the one
// before.
func outline(a attribute, side float64) float64 {
	sum, most := 0.0, 0.0
	for _, n := range numbers(a.value) {
		sum, most = sum+n, max(most, n)
	}
	if strings.Contains(a.value, "%") {
		sum = sum / 100 * max(side, 1)
	}
	if a.name == "d" {
		sum += most * float64(len(a.value)-len(strings.NewReplacer("s", "", "S", "", "t", "", "T", "").Replace(a.value)))
	}
	return 8 * sum
}

// numbers returns the absolute values of the numbers in a text.
func numbers(text string) []float64 {
	var list []float64
	for _, s := range decimal.FindAllString(text, -1) {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			n = math.MaxFloat64 // out of range
		}
		list = append(list, math.Abs(n))
	}
	return list
}

func largest(text string) float64 { return slices.Max(append(numbers(text), 0)) }

// styles returns the text of an element's style attribute or, of a style sheet, what is in it.
func (e *element) styles() string {
	if e.name == "style" {
		return e.attr("style") + e.text()
	}
	return e.attr("style")
}

// walk visits an element and all that is in it.
func (e *element) walk(visit func(*element)) {
	visit(e)
	for _, n := range e.children {
		if n.element != nil {
			n.element.walk(visit)
		}
	}
}
