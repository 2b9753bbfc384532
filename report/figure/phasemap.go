package figure

import (
	"fmt"
	"maps"
	"slices"

	"github.com/siegebook/siegebook/report/content"
)

// PhaseMap shows which integer value each cell of a grid has, such as the fewest waves of a win over a plane of
// starting positions. Values are ordered and coloured from light (least) to dark (greatest); many values are binned, as
// the legend then says. Values listed in Classes are outcomes of their own, outside the order, such as "cannot win".
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

// Curve is a line in data coordinates on top of a map. Parts outside the axes are not drawn.
type Curve struct {
	// Label stands beside the line, such as "d + s = (φ+1) n"; may be empty.
	Label string
	// Points are the corners, at least two; see [Sampled].
	Points []Point
	// Dashed tells a case border from a result.
	Dashed bool
}

// stroke is how the curve looks. Its ink is the page's.
func (c Curve) stroke() stroke {
	k := stroke{colour: themed{themeInks[light].ink, themeInks[dark].ink}}
	if c.Dashed {
		k.dashes = strokes[1].dashes
	}
	return k
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
	_, f, err := m.drawn()
	return f, err
}

func (m PhaseMap) drawn() (*gridMap, content.Figure, error) {
	g, bins, err := m.grid()
	if err != nil {
		return nil, content.Figure{}, err
	}
	return g, g.figure(bins, m.extremes), nil
}

// grid checks the fields, and returns the areas of the ordered values.
func (m PhaseMap) grid() (*gridMap, []area, error) {
	g := &gridMap{
		kind: "PhaseMap", title: m.Title, x: m.X, y: m.Y, w: m.W, h: m.H, cells: m.Cells, classes: m.Classes,
		curves: m.Curves, mark: -1,
	}
	c := checker{kind: g.kind}
	c.frame(m.Title, m.X, m.Y)
	c.ordered(m.One, m.Many, m.Classes, m.Cells)
	if err := g.setUp(&c); err != nil {
		return nil, nil, err
	}
	distinct := map[int]bool{}
	for i, v := range m.Cells {
		if i == 0 || v != m.Cells[i-1] { // neighbours are mostly the same
			distinct[v] = true
		}
	}
	values := slices.DeleteFunc(slices.Sorted(maps.Keys(distinct)), g.isClass)
	return g, m.bins(values), nil
}

// bins are the areas of the ordered values.
func (m PhaseMap) bins(values []int) []area {
	var out []area
	all := bins(values, maxBins)
	for i, b := range all {
		noun := m.Many
		if b == (bin{1, 1}) {
			noun = m.One
		}
		out = append(out, orderedArea(i, len(all), b.short()+" "+noun, b.short(), b))
	}
	return out
}

// extremes names the least and the greatest ordered value with a place.
func (m PhaseMap) extremes(g *gridMap) string {
	lo, hi := -1, -1
	for i, v := range m.Cells {
		if g.areaOf(i).class {
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
	least, most := content.Counted(m.Cells[lo], m.One, m.Many), content.Counted(m.Cells[hi], m.One, m.Many)
	if least == most {
		return fmt.Sprintf("Every cell with a value has %s.", least)
	}
	return fmt.Sprintf("The least is %s, first at %s; the most is %s, first at %s.", least, g.place(lo), most, g.place(hi))
}
