package figure

import (
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// PhaseMap shows which integer value each cell of a grid has, such as the fewest waves of a win over a plane of starting
// positions. Values are ordered and coloured from light (least) to dark (greatest); many values are binned, as the
// legend then says. Values listed in Classes are outcomes of their own, outside the order, such as "cannot win".
type PhaseMap struct {
	// Title says what is shown; required.
	Title string
	// X and Y are the axes in data coordinates, Min and Max being the outer edges of the outermost cells; see [Cells].
	X, Y Axis
	// W and H are the numbers of columns and rows, 1..4096 each, at most 4,194,304 cells in all.
	W, H int
	// Cells holds W*H values row by row; row 0 is the lowest, column 0 the leftmost. Any int that Classes does not list
	// is an ordered value.
	Cells []int
	// One and Many are the noun of a value, such as "wave" and "waves"; required if there are ordered values.
	One, Many string
	// Classes are the values outside the order, at most 8.
	Classes []Class
	// Curves are lines on top, such as theory and case borders; at most 12.
	Curves []Curve
}

// Class gives one value of a map, or of a tree's nodes, a name and a look.
type Class struct {
	// Value is the integer that stands for the class in the input.
	Value int
	// Label names it in legend and alternative text; required, unique within a figure.
	Label string
	// Sign is a text of at most 8 characters, such as "✗", drawn where the class covers enough room; may be empty.
	Sign string
	// Swatch is the look; Auto takes the next free colour. No two classes of one figure may share a swatch.
	Swatch Swatch
}

// Curve is a line in data coordinates on top of a map. What lies outside the axes is not drawn.
type Curve struct {
	// Label stands beside the line, such as "d + s = (φ+1) n"; may be empty.
	Label string
	// Points are the corners, at least two; see [Sampled].
	Points []Point
	// Dashed tells a case border from a result.
	Dashed bool
}

// Point is a position in data coordinates; both must be finite.
type Point struct{ X, Y float64 }

// Sampled returns 129 points of y = f(x) for x from x0 to x1.
func Sampled(f func(x float64) float64, x0, x1 float64) []Point {
	const n = 128
	pts := make([]Point, n+1)
	for i := range pts {
		x := x0 + (x1-x0)*float64(i)/n
		pts[i] = Point{x, f(x)}
	}
	return pts
}

// Figure draws the map. It fails if a field breaks its rule above.
func (m PhaseMap) Figure() (content.Figure, error) {
	g, err := newGridMap("PhaseMap", m.Title, m.X, m.Y, m.W, m.H, m.Cells, m.Classes, m.Curves)
	if err != nil {
		return content.Figure{}, err
	}
	c := checker{kind: "PhaseMap"}
	values := g.orderedValues()
	if len(values) > 0 {
		c.name("One", m.One)
		c.name("Many", m.Many)
	}
	if c.err != nil {
		return content.Figure{}, c.err
	}
	g.addBins(bins(values, maxBins), m.One, m.Many)
	f := g.figure()
	f.Alt = g.describe(m.extremes(g))
	return g.render(f), nil
}

// extremes names the least and the greatest ordered value with a place.
func (m PhaseMap) extremes(g *gridMap) string {
	lo, hi := -1, -1
	for i, v := range m.Cells {
		if g.isClass(v) {
			continue
		}
		if lo < 0 || v < m.Cells[lo] {
			lo = i
		}
		if hi < 0 || v > m.Cells[hi] {
			hi = i
		}
	}
	if lo < 0 {
		return ""
	}
	noun := func(v int) string { return fmt.Sprintf("%s %s", count(v), plural(v, m.One, m.Many)) }
	if m.Cells[lo] == m.Cells[hi] {
		return fmt.Sprintf("Every cell with a value has %s.", noun(m.Cells[lo]))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The least is %s, first at %s; the most is %s, first at %s.", noun(m.Cells[lo]), g.place(lo), noun(m.Cells[hi]), g.place(hi))
	return b.String()
}
