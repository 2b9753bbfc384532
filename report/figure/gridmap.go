package figure

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// MaxMapSide is the most columns, and the most rows, of a map.
const MaxMapSide = 4096

// Limits of a map.
const (
	maxCells   = 1 << 22
	maxClasses = 8
	maxCurves  = 12
)

// gridMap is what the three kinds of maps share: a grid of cells, each in one area, which is a class or a bin of
// values.
type gridMap struct {
	kind, title string
	x, y        Axis
	w, h        int
	cells       []int
	classes     []Class
	curves      []Curve
	text        func(cell int) string // of a cell in the data; nil for its value, or the name of its class

	areas  []area
	index  []uint8 // area of each cell
	judged bool    // an agreement map: its legend has what does not occur, and its text no borders
	mark   int     // cell to ring in it, -1 for none
	hurry  bool    // a hand moves it
	dark   bool    // its areas are too dark for a text across several: the legend names the curves
}

// area is a class or a bin: what the legend lists and one colour shows.
type area struct {
	label  string   // in the legend
	inside []string // names to draw in it, the best first
	sign   string
	fill   fill
	class  bool // outside the order
	lo, hi int  // values
	count  int
}

// orderedArea is the i-th of n bins.
func orderedArea(i, n int, label, short string, values bin) area {
	return area{label: label, inside: []string{short}, fill: ordered(i, n), lo: values.lo, hi: values.hi}
}

// frame checks what every map has.
func (c *checker) frame(title string, x, y Axis) {
	c.name("Title", title)
	c.axis("X", x)
	c.axis("Y", y)
}

// ordered checks the names of ordered values, which a map without such values need not have.
func (c *checker) ordered(one, many string, classes []Class, maps ...[]int) {
	g := gridMap{classes: classes}
	has := func(cells []int) bool { return slices.ContainsFunc(cells, func(v int) bool { return !g.isClass(v) }) }
	if (one == "" || many == "") && slices.ContainsFunc(maps, has) {
		c.name("One", one)
		c.name("Many", many)
	}
}

// setUp checks the other fields and makes the areas of the classes.
func (g *gridMap) setUp(c *checker) error {
	c.between("W", g.w, 1, MaxMapSide, "columns")
	c.between("H", g.h, 1, MaxMapSide, "rows")
	if c.err == nil {
		n := g.w * g.h
		c.require(n <= maxCells, "W*H = %d*%d is more than %d cells; sample the grid", g.w, g.h, maxCells)
		c.require(len(g.cells) == n, "Cells has %s, but W*H = %d*%d = %d; give one value per cell",
			plural.Count(len(g.cells), "value"), g.w, g.h, n)
	}
	c.curves(g.curves)
	looks := c.classes(g.classes)
	if c.err != nil {
		return c.err
	}
	for i, k := range g.classes {
		names := []string{k.Label, k.short(), k.Sign}
		g.areas = append(g.areas, area{
			label: k.Label, inside: names, sign: k.Sign, fill: looks[i], class: true, lo: k.Value,
			hi: k.Value,
		})
	}
	for i, v := range g.cells {
		if v < -maxValue || v > maxValue {
			c.failf("Cells[%d] is %d, beyond %d; scale the values", i, v, maxValue)
		}
	}
	return c.err
}

// isClass says whether a value stands outside the order.
func (g *gridMap) isClass(v int) bool {
	return slices.ContainsFunc(g.classes, func(k Class) bool { return k.Value == v })
}

// assign finds the area of every cell and counts.
func (g *gridMap) assign() {
	known := map[int]uint8{}
	g.index = make([]uint8, len(g.cells))
	var a uint8
	for i, v := range g.cells {
		if i == 0 || v != g.cells[i-1] {
			var ok bool
			if a, ok = known[v]; !ok {
				a = g.find(v)
				known[v] = a
			}
		}
		g.index[i] = a
		g.areas[a].count++
	}
}

// find returns the area of a value. Classes come last: the range of a bin may cover the value of a class.
func (g *gridMap) find(v int) uint8 {
	for i, a := range slices.Backward(g.areas) {
		if v >= a.lo && v <= a.hi {
			return uint8(i)
		}
	}
	panic(fmt.Sprintf("figure: value %d is in no area", v))
}

// areaOf is the area of a cell.
func (g *gridMap) areaOf(cell int) area { return g.areas[g.index[cell]] }

// figure draws the map with the given bins. Its alternative text has the sentence on the values.
func (g *gridMap) figure(bins []area, values func(*gridMap) string) content.Figure {
	g.areas = append(bins, g.areas...)
	g.assign()
	f := content.Figure{
		Title: g.title, Alt: g.describe(values(g)), Data: g.table(), Summary: g.summary(),
		SummaryNote: g.summaryNote(),
	}
	for _, a := range g.areas {
		if a.count > 0 || g.judged {
			f.Legend = append(f.Legend, areaEntry(a.label, a.sign, a.fill, countShare(a.count, len(g.cells))))
		}
	}
	l := g.layout()
	for _, c := range g.placeLabels(l) {
		f.Legend = append(f.Legend, lineEntry(c.Label, c.stroke()))
	}
	f.Box = l.data.content()
	return finish(f, Width, l.data.y1+footRoom, func(s *stage) { g.paint(s, l) })
}

// countShare is a legend's count.
func countShare(n, all int) string { return fmt.Sprintf("%s (%s)", count(n), share(n, all)) }

// table is the grid itself, a row per row of cells from the lowest y, with the cells' centres at the edges: a tenth of
// the size of one line per cell.
func (g *gridMap) table() content.Records {
	text := g.text
	if text == nil {
		text = func(cell int) string {
			if a := g.areaOf(cell); a.class {
				return a.label
			}
			return strconv.Itoa(g.cells[cell])
		}
	}
	t := content.Records{Header: []string{g.y.Label + " \\ " + g.x.Label}}
	for col := range g.w {
		t.Header = append(t.Header, centreText(g.x, col, g.w))
	}
	for r := range g.h {
		row := []string{centreText(g.y, r, g.h)}
		for col := range g.w {
			row = append(row, text(r*g.w+col))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// centreText is the middle of cell i of n on an axis; ten digits hide the rounding of its computation.
func centreText(a Axis, i, n int) string {
	v := a.Min + (float64(i)+0.5)*(a.Max-a.Min)/float64(n)
	if r := (a.Max - a.Min) / float64(n); v < r*1e-9 && v > -r*1e-9 {
		v = 0
	}
	return content.Float(v, 10).Text
}

// image is the grid with one pixel per cell.
func (g *gridMap) image(t theme) *image.Paletted {
	pal := make(color.Palette, len(g.areas))
	for i, a := range g.areas {
		pal[i] = a.fill.ground[t]
	}
	img := image.NewPaletted(image.Rect(0, 0, g.w, g.h), pal)
	for r := range g.h {
		copy(img.Pix[(g.h-1-r)*img.Stride:], g.index[r*g.w:(r+1)*g.w])
	}
	return img
}
