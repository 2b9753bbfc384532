package figure

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"sort"
	"strconv"

	"github.com/siegebook/siegebook/report/content"
)

// MaxMapSide is the most columns, and the most rows, of a map.
const MaxMapSide = 4096

// Limits of a map.
const (
	maxSide    = MaxMapSide
	maxCells   = 1 << 22
	maxClasses = 8
	maxCurves  = 12
)

// gridMap is what phase maps and agreement maps share: a grid of cells, each in one area.
type gridMap struct {
	kind, title string
	x, y        Axis
	w, h        int
	cells       []int
	classes     []Class
	curves      []Curve

	areas []area
	index []uint8 // area of each cell
	mark  int     // cell to ring, -1 for none
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

// newGridMap checks the common fields and sets up the areas of the classes.
func newGridMap(kind, title string, x, y Axis, w, h int, cells []int, classes []Class, curves []Curve) (*gridMap, error) {
	g := &gridMap{kind: kind, title: title, x: x, y: y, w: w, h: h, cells: cells, classes: classes, curves: curves, mark: -1}
	c := checker{kind: kind}
	c.name("Title", title)
	c.axis("X", x)
	c.axis("Y", y)
	c.require(w >= 1 && w <= maxSide, "W is %d; give 1 to %d columns", w, maxSide)
	c.require(h >= 1 && h <= maxSide, "H is %d; give 1 to %d rows", h, maxSide)
	c.require(w <= maxCells && h <= maxCells && w*h <= maxCells, "W*H = %d*%d is more than %d cells; sample the grid", w, h, maxCells)
	if c.err == nil {
		c.require(len(cells) == w*h, "Cells has %d values, but W*H = %d*%d = %d; give one value per cell", len(cells), w, h, w*h)
	}
	g.checkCurves(&c)
	if c.err != nil {
		return nil, c.err
	}
	looks, err := classFills(kind, classes)
	if err != nil {
		return nil, err
	}
	for i, k := range classes {
		g.areas = append(g.areas, area{label: k.Label, inside: []string{k.Label, k.Sign}, sign: k.Sign, fill: looks[i], class: true, lo: k.Value, hi: k.Value})
	}
	for i, v := range cells {
		if v < -maxValue || v > maxValue {
			c.failf("Cells[%d] is %d, beyond %d; scale the values", i, v, maxValue)
		}
	}
	return g, c.err
}

func (g *gridMap) checkCurves(c *checker) {
	c.require(len(g.curves) <= maxCurves, "Curves has %d lines; give at most %d", len(g.curves), maxCurves)
	for i, cv := range g.curves {
		c.text(fmt.Sprintf("Curves[%d].Label", i), cv.Label)
		c.require(len(cv.Points) >= 2, "Curves[%d].Points has %d points; a line needs two", i, len(cv.Points))
		for j, p := range cv.Points {
			c.finite(fmt.Sprintf("Curves[%d].Points[%d].X", i, j), p.X)
			c.finite(fmt.Sprintf("Curves[%d].Points[%d].Y", i, j), p.Y)
		}
	}
}

// classFills checks classes and gives each its look.
func classFills(kind string, classes []Class) ([]fill, error) {
	c := checker{kind: kind}
	c.require(len(classes) <= maxClasses, "Classes has %d classes; give at most %d", len(classes), maxClasses)
	used := map[Swatch]bool{}
	for i, k := range classes {
		c.name(fmt.Sprintf("Classes[%d].Label", i), k.Label)
		c.text(fmt.Sprintf("Classes[%d].Sign", i), k.Sign)
		c.require(len([]rune(k.Sign)) <= 8, "Classes[%d].Sign is %q; give at most 8 characters", i, k.Sign)
		c.require(k.Swatch >= Auto && k.Swatch < swatchEnd, "Classes[%d].Swatch is %d; use one of the named swatches", i, k.Swatch)
		c.require(k.Swatch == Auto || !used[k.Swatch], "Classes[%d].Swatch %d is taken; give every class its own or Auto", i, k.Swatch)
		used[k.Swatch] = true
		for j := range i {
			c.require(classes[j].Value != k.Value, "Classes[%d].Value %d is listed twice; list every value once", i, k.Value)
			c.require(classes[j].Label != k.Label, "Classes[%d].Label %q is listed twice; name every class differently", i, k.Label)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	looks := make([]fill, len(classes))
	for i, k := range classes {
		sw := k.Swatch
		if sw == Auto {
			free := slices.IndexFunc(coloured, func(s Swatch) bool { return !used[s] })
			if free < 0 {
				return nil, fmt.Errorf("figure: %s: Classes[%d] finds no free swatch; give some classes Quiet, Blocked or Missing", kind, i)
			}
			sw = coloured[free]
			used[sw] = true
		}
		looks[i] = swatches[sw]
	}
	return looks, nil
}

// isClass says whether a value stands outside the order.
func (g *gridMap) isClass(v int) bool {
	return slices.ContainsFunc(g.classes, func(k Class) bool { return k.Value == v })
}

// orderedValues returns the distinct values in the order, ascending.
func (g *gridMap) orderedValues() []int {
	seen := map[int]bool{}
	for _, k := range g.classes {
		seen[k.Value] = true
	}
	var out []int
	for _, v := range g.cells {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	sort.Ints(out)
	return out
}

// addBins puts the areas of the ordered values before those of the classes.
func (g *gridMap) addBins(bs []bin, one, many string) {
	var ordinal []area
	for i, b := range bs {
		noun := many
		if b == (bin{1, 1}) {
			noun = one
		}
		c := ordered(i, len(bs))
		ordinal = append(ordinal, area{
			label: b.short() + " " + noun, inside: []string{b.short()},
			fill: fill{ground: c, pattern: solid, mark: c}, lo: b.lo, hi: b.hi,
		})
	}
	g.areas = append(ordinal, g.areas...)
}

// assign finds the area of every cell and counts.
func (g *gridMap) assign() {
	known := map[int]uint8{}
	find := func(v int) uint8 {
		for pass := range 2 { // classes before bins, whose ranges may cover a class's value
			for i, a := range g.areas {
				if a.class == (pass == 0) && v >= a.lo && v <= a.hi {
					return uint8(i)
				}
			}
		}
		panic(fmt.Sprintf("figure: value %d is in no area", v))
	}
	g.index = make([]uint8, len(g.cells))
	for i, v := range g.cells {
		a, ok := known[v]
		if !ok {
			a = find(v)
			known[v] = a
		}
		g.index[i] = a
		g.areas[a].count++
	}
}

// figure sets up legend and table.
func (g *gridMap) figure() content.Figure {
	g.assign()
	f := content.Figure{Title: g.title, Data: g.table(), Summary: g.summary(), SummaryNote: g.summaryNote()}
	for _, a := range g.areas {
		if a.count == 0 && g.kind != "AgreementMap" {
			continue
		}
		f.Legend = append(f.Legend, areaEntry(a.label, a.sign, a.fill, countShare(a.count, len(g.cells))))
	}
	return f
}

// countShare is a legend's count.
func countShare(n, all int) string {
	return fmt.Sprintf("%s (%s)", count(n), share(n, all))
}

// table is the grid itself, a row per row of cells from the lowest y, with the cells' centres at the edges: a tenth of
// the size of one line per cell. Equal values share their text.
func (g *gridMap) table() content.Records {
	texts := map[int]string{}
	text := func(v int) string {
		t, ok := texts[v]
		if !ok {
			t = strconv.Itoa(v)
			for _, k := range g.classes {
				if k.Value == v {
					t = k.Label
				}
			}
			texts[v] = t
		}
		return t
	}
	t := content.Records{Header: make([]string, 1, g.w+1)}
	t.Header[0] = g.y.Label + " \\ " + g.x.Label
	for i := range g.w {
		t.Header = append(t.Header, centreText(g.x, i, g.w))
	}
	for r := range g.h {
		row := make([]string, 1, g.w+1)
		row[0] = centreText(g.y, r, g.h)
		for _, v := range g.cells[r*g.w : (r+1)*g.w] {
			row = append(row, text(v))
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
func (g *gridMap) image(t Theme) *image.Paletted {
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
