package figure

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
)

// checker collects the first fault of one input. Missing names are one fault: somebody who explores is told all that a
// figure needs.
type checker struct {
	kind    string
	err     error
	unnamed []string // fields, if that is the fault
}

// failf records a fault, if none was found before.
func (c *checker) failf(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("figure: %s: %s", c.kind, fmt.Sprintf(format, args...))
	}
}

// require records the fault unless the condition holds.
func (c *checker) require(ok bool, format string, args ...any) {
	if !ok {
		c.failf(format, args...)
	}
}

// maxText is the length limit of any one text, in characters.
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
			c.failf("%s is %q with the control character %U; a text is one line of printable characters", field, s, r)
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
		c.failf("%s are empty; name them", list(c.unnamed))
	}
	c.text(field, s)
}

// between checks a number of things.
func (c *checker) between(field string, n, least, most int, things string) {
	c.require(n >= least && n <= most, "%s is %d; give %d to %d %s", field, n, least, most, things)
}

// size checks how many things a field has. Where one is too few, their singular is their name without an s.
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
	c.require(v >= 0 && v <= 1, "%s[%d] is %v; give a number from 0 to 1", field, i, v) // NaN fails too
}

// point checks the coordinates of the i-th of an owner's points.
func (c *checker) point(owner string, i int, p Point) {
	c.finite(fmt.Sprintf("%s.Points[%d].X", owner, i), p.X)
	c.finite(fmt.Sprintf("%s.Points[%d].Y", owner, i), p.Y)
}

// curves checks the lines on top of a map or below walks.
func (c *checker) curves(curves []Curve) {
	c.size("Curves", len(curves), 0, maxCurves, "lines")
	for i, cv := range curves {
		name := fmt.Sprintf("Curves[%d]", i)
		c.text(name+".Label", cv.Label)
		c.require(len(cv.Points) >= 2, "%s.Points has %s; a line needs two", name, plural.Count(len(cv.Points),
			"point"))
		for j, p := range cv.Points {
			c.point(name, j, p)
		}
	}
}

// finite checks one number.
func (c *checker) finite(field string, v float64) {
	c.require(!math.IsNaN(v) && !math.IsInf(v, 0), "%s is %v; give a finite number", field, v)
	a := math.Abs(v)
	c.require(a == 0 || a >= 1/maxMagnitude && a <= maxMagnitude, "%s is %g, beyond %g or its inverse; scale the "+
		"quantity", field, v, maxMagnitude)
}

// maxMagnitude bounds every coordinate, so that ranges, steps and padded decades stay finite and above zero.
const maxMagnitude = 1e150

// axis checks an axis whose ends are given.
func (c *checker) axis(field string, a Axis) {
	c.name(field+".Label", a.Label)
	c.finite(field+".Min", a.Min)
	c.finite(field+".Max", a.Max)
	c.require(a.Min < a.Max, "%s runs from %v to %v; its Max must be greater than its Min", field, a.Min, a.Max)
	span := math.Max(math.Abs(a.Min), math.Abs(a.Max))
	c.require(a.Max-a.Min > 1e-9*span, "%s runs from %v to %v, too narrow to label; subtract an offset", field, a.Min,
		a.Max)
}
