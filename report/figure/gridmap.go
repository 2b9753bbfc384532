package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// MaxMapSide is the maximum number of columns, and of rows, in a map.
const MaxMapSide = 4096

// maxCells is the maximum number of cells of a map.
const maxCells = 1 << 22

// gridMap is the common form of all kinds of maps: a grid of cells. Each cell is in an area, which is a class or a bin
// of values.
type gridMap struct {
	PhaseMap
	text   func(cell int) string // returns the text of a cell in the data; nil means its value or the name of its class
	values func() string         // returns a sentence about the values

	areas []area
	index []uint8 // area of each cell
	mark  int     // the cell that gets a ring, or -1
	hurry bool    // the reader is moving the map
	bare  bool    // the drawing has no texts
	dark  bool    // the areas are too dark for labels that cross borders, so the legend names the curves
}

// gridOf returns the map with its areas: first the areas of the ordered values, then the areas of the classes.
func (m PhaseMap) gridOf(ordered []area) *gridMap {
	g := &gridMap{PhaseMap: m, mark: -1, areas: slices.Clone(ordered)}
	for i, look := range looks(m.Classes) {
		k := m.Classes[i]
		g.areas = append(g.areas, area{
			label: k.Label, inside: []string{k.Label, k.short(), k.Sign}, sign: k.Sign, fill: look, class: true,
			lo: k.Value, hi: k.Value,
		})
	}
	g.assign()
	if g.values = g.extremes; m.Agreement != nil {
		g.values, g.mark = g.verdict, g.first()
	}
	return g
}

// area is a class or a bin: an entry in the legend with a colour.
type area struct {
	label  string   // in the legend
	inside []string // names to draw in the area, the best first
	sign   string
	fill   fill
	class  bool // the area is outside the order
	lo, hi int  // the least and the greatest value
	count  int
}

// orderedArea returns the area of the i-th of n bins.
func orderedArea(i, n int, label, short string, values bin) area {
	return area{label: label, inside: []string{short}, fill: ordered(i, n), lo: values.lo, hi: values.hi}
}

func (m PhaseMap) check(c *checker) {
	c.ordered(m, m.Cells)
	n := m.W * m.H
	c.require(n <= maxCells, "W*H = %d*%d is more than %d cells; sample the grid", m.W, m.H, maxCells)
	c.require(len(m.Cells) == n, "Cells has %s, but W*H = %d*%d = %d; give one value per cell",
		plural.Count(len(m.Cells), "value"), m.W, m.H, n)
	c.curves(m.Curves)
	c.classes(m.Classes)
	for i, v := range m.Cells {
		if v < -maxValue || v > maxValue {
			c.failf("Cells[%d] is %d, beyond %d; scale the values", i, v, maxValue)
		}
	}
	if m.Agreement == nil || c.err != nil {
		return
	}
	c.require(m.isClass(m.Agreement.Right), "Right is %d, which Classes does not list; add its class",
		m.Agreement.Right)
	if i := slices.IndexFunc(m.Cells, m.isOrdered); i >= 0 {
		c.failf("Cells[%d] is %d, which Classes does not list; add its class", i, m.Cells[i])
	}
	if err := m.Agreement.Data.Validate(); err != nil {
		c.failf("Data: %v; give every row as many values as the header", err)
	}
}

// ordered checks that a map with ordered values names them.
func (c *checker) ordered(m PhaseMap, maps ...[]int) {
	has := func(cells []int) bool { return slices.ContainsFunc(cells, m.isOrdered) }
	if m.Agreement == nil && (m.One == "" || m.Many == "") && slices.ContainsFunc(maps, has) {
		c.name("One", m.One)
		c.name("Many", m.Many)
	}
}

// isClass reports whether a value is outside the order.
func (m PhaseMap) isClass(v int) bool { return classOf(m.Classes, v) >= 0 }

func (m PhaseMap) isOrdered(v int) bool { return !m.isClass(v) }

// assign finds the area of every cell and counts the cells of each area.
func (g *gridMap) assign() {
	known := map[int]uint8{}
	g.index = make([]uint8, len(g.Cells))
	var a uint8
	for i, v := range g.Cells {
		if i == 0 || v != g.Cells[i-1] {
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

// find returns the area of a value. It searches backwards: classes are last, and have precedence because the range of a
// bin may include the value of a class.
func (g *gridMap) find(v int) uint8 {
	for i, a := range slices.Backward(g.areas) {
		if v >= a.lo && v <= a.hi {
			return uint8(i)
		}
	}
	panic(fmt.Sprintf("figure: value %d is not in any area", v))
}

// areaOf returns the area of a cell.
func (g *gridMap) areaOf(cell int) area { return g.areas[g.index[cell]] }

func (g *gridMap) figure() content.Figure {
	f := content.Figure{
		Title: g.Title, Alt: g.describe(), Data: g.table(), Summary: g.summary(), SummaryNote: g.summaryNote(),
	}
	l, homeless, named := g.labelled()
	for _, a := range g.areas {
		if !named && (a.count > 0 || g.Agreement != nil) {
			f.Legend = append(f.Legend, areaEntry(a.label, a.sign, a.fill, countShare(a.count, len(g.Cells))))
		}
	}
	for _, c := range homeless {
		f.Legend = append(f.Legend, lineEntry(c.Label, c.stroke()))
	}
	f.Box = l.data.content()
	return finish(f, Width, l.data.y1+footRoom, func(s *stage) { g.paint(s, l) })
}

// mostNamed is the maximum number of areas that a map without a legend may have, if all their names fit.
const mostNamed = 6

// labelled returns the layout with its labels, and the curves without room for their labels. It also reports whether
// the map needs no legend for its areas: the areas are few and each has room for its whole name, in it or next to it,
// or the author does not want a legend.
func (g *gridMap) labelled() (l *mapLayout, homeless []Curve, named bool) {
	occurring := 0
	for _, a := range g.areas {
		if a.count > 0 {
			occurring++
		}
	}
	if g.Named || occurring <= mostNamed && !g.dark && !g.bare {
		whole := *g
		whole.areas = slices.Clone(g.areas)
		for i, a := range g.areas {
			if !a.class {
				whole.areas[i].inside = append([]string{a.label}, a.inside...)
			}
		}
		l = whole.layout()
		homeless = whole.placeLabels(l)
		named = whole.nameAreas(l)
		if named || g.Named {
			return l, homeless, true
		}
	}
	l = g.layout()
	return l, g.placeLabels(l), false
}

// nameAreas writes the whole names of areas that have no room for them next to the areas. A name then covers only one
// other area, so readers see where the areas end. nameAreas reports whether all areas then have their whole names; if
// not, it writes no names.
func (g *gridMap) nameAreas(l *mapLayout) bool {
	room := g.placer(l)
	room.plain = func(b box) bool { return g.oneArea(l.data, b) }
	for _, label := range l.labels {
		room.taken = append(room.taken, boxAt(label.at, textWidth(label.text)+8, labelHeight))
	}
	labels := slices.Clone(l.labels)
	for i, a := range g.areas {
		written := func(label placedLabel) bool { return label.text == a.label }
		if a.count == 0 || slices.ContainsFunc(l.labels, written) {
			continue
		}
		inside := func(label placedLabel) bool { return slices.Contains(a.inside, label.text) }
		labels = slices.DeleteFunc(labels, inside)
		least := leastNamed
		if slices.ContainsFunc(l.strips, func(s strip) bool { return s.area == i }) {
			least = 0
		}
		if !room.nameNext(&labels, g.depths(l.data, uint8(i), least), a.whole(), ink) {
			return false
		}
	}
	l.labels = labels
	return true
}

// oneArea reports whether all cells under a box belong to the same area.
func (g *gridMap) oneArea(data, b box) bool {
	c0, c1, r0, r1 := g.under(data, b)
	for r := r0; r <= r1; r++ {
		for c := c0; c <= c1; c++ {
			if g.index[r*g.W+c] != g.index[r0*g.W+c0] {
				return false
			}
		}
	}
	return true
}

// under returns the first and last columns and rows of the cells under a box.
func (g *gridMap) under(data, b box) (c0, c1, r0, r1 int) {
	w, h := data.w()/float64(g.W), data.h()/float64(g.H)
	return max(0, int((b.x0-data.x0)/w)), min(g.W-1, int((b.x1-data.x0)/w)),
		max(0, int((data.y1-b.y1)/h)), min(g.H-1, int((data.y1-b.y0)/h))
}

// leastNamed is the minimum side, in pixels, of a square inside an area that has its name next to it. Readers would not
// find a smaller area at the end of a leader, unless a strip shows it.
const leastNamed = 4.0

// depths returns places deep inside an area, the deepest first: the middles of squares. least is the smallest side of
// a square in pixels.
func (g *gridMap) depths(data box, area uint8, least float64) (targets []target) {
	o := &occupancy{g: g, data: data, busy: make([]bool, len(g.Cells))}
	sums := o.sums(area)
	cell := min(data.w()/float64(g.W), data.h()/float64(g.H))
	for side := min(g.W, g.H); side > 0 && float64(side)*cell >= least && len(targets) < 2; side /= 2 {
		if col, row, ok := g.fullBox(sums, side, side); ok {
			half := float64(side) / 2
			targets = append(targets, target{at: g.lattice(data, float64(col)+half, float64(row)+half)})
		}
	}
	return targets
}

// countShare returns the count of a legend entry.
func countShare(n, all int) string { return fmt.Sprintf("%s (%s)", count(n), share(n, all)) }

// whole returns the name of an area with its sign.
func (a area) whole() string { return signed(a.sign, a.label) }

// table returns Agreement.Data if it is not empty. Otherwise it returns the grid itself: a row for each row of cells,
// beginning with the lowest y. The first row and column have the centres of the cells. The grid takes a tenth of the
// space of one line per cell.
func (g *gridMap) table() content.Records {
	if g.Agreement != nil && len(g.Agreement.Data.Header) > 0 {
		return g.Agreement.Data
	}
	text := g.text
	if text == nil {
		text = func(cell int) string {
			if a := g.areaOf(cell); a.class {
				return a.label
			}
			return strconv.Itoa(g.Cells[cell])
		}
	}
	t := content.Records{Header: []string{g.Y.Label + " \\ " + g.X.Label}}
	for col := range g.W {
		t.Header = append(t.Header, centreText(g.X, col, g.W))
	}
	for r := range g.H {
		row := []string{centreText(g.Y, r, g.H)}
		for col := range g.W {
			row = append(row, text(r*g.W+col))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// centreText returns the middle of cell i of n on an axis, with ten digits, so that rounding errors are not visible.
func centreText(a Axis, i, n int) string {
	v := a.Min + (float64(i)+0.5)*(a.Max-a.Min)/float64(n)
	if r := (a.Max - a.Min) / float64(n); v < r*1e-9 && v > -r*1e-9 {
		v = 0
	}
	return content.Float(v, 10).Text
}

// image returns the grid as an image with one pixel per cell.
func (g *gridMap) image(t theme) *image.Paletted {
	pal := make(color.Palette, len(g.areas))
	for i, a := range g.areas {
		pal[i] = a.fill.ground[t]
	}
	img := image.NewPaletted(image.Rect(0, 0, g.W, g.H), pal)
	for r := range g.H {
		copy(img.Pix[(g.H-1-r)*img.Stride:], g.index[r*g.W:(r+1)*g.W])
	}
	return img
}

// mapLayout is the part of a map's drawing that both themes share.
type mapLayout struct {
	frame
	hatches [][]segment // the patterns, by area
	minor   [][]pos     // borders between ordered areas
	major   [][]pos     // borders of classes
	strips  []strip
	labels  []placedLabel
}

// placedLabel is a text, the position of its middle, its colour, and the colour around its letters.
type placedLabel struct {
	at           pos
	text         string
	colour, halo themed
	leader       []pos // joins the text to what it names; nil if it is next to it
}

// inkLabel returns a label in the page's ink, on the page's background.
func inkLabel(at pos, text string) placedLabel {
	return placedLabel{
		at, text,
		themed{themeInks[light].ink, themeInks[dark].ink},
		themed{themeInks[light].ground, themeInks[dark].ground},
		nil,
	}
}

// ink is the colour of texts on the page.
var ink = themed{themeInks[light].ink, themeInks[dark].ink}

// labels writes texts with a halo around their letters, above their leaders.
func (s *stage) labels(labels []placedLabel) {
	for _, l := range labels {
		if halo := l.halo[s.theme]; len(l.leader) > 0 {
			s.line(solidLine(halo, 3), l.leader...)
			s.line(solidLine(l.colour[s.theme], 1), l.leader...)
		}
	}
	for _, l := range labels {
		halo := l.halo[s.theme]
		s.text(l.at, l.text, textStyle{colour: l.colour[s.theme], halo: &halo, anchor: middle, shift: centre})
	}
}

// maxCorners is the maximum number of corners of all borders of one kind. A map with more corners is noise, and its
// borders would make it black.
const maxCorners = 5000

func (g *gridMap) layout() *mapLayout {
	l := g.frameLayout()
	g.drawInto(l)
	return l
}

// frameLayout returns the layout of the axes.
func (g *gridMap) frameLayout() *mapLayout {
	l := &mapLayout{frame: frame{x: g.X.scale(), y: g.Y.scale(), xLabel: g.X.Label, yLabel: g.Y.Label}}
	l.yTicks = l.y.ticks(5)
	left, right := yGutter(l.yTicks), Width-16.0
	width := right - left
	l.xTicks = spread(l.x.ticks(6), l.x, width)
	aspect := max(0.5, min(0.9, float64(g.H)/float64(g.W)))
	if g.tall {
		aspect = 1.1
	}
	l.data = box{left, headRoom, right, headRoom + math.Round(width*aspect)}
	return l
}

// drawInto computes the patterns and the borders in the box of the data.
func (g *gridMap) drawInto(l *mapLayout) {
	l.hatches = make([][]segment, len(g.areas))
	for i, a := range g.areas {
		if a.count > 0 {
			l.hatches[i] = hatch(a.fill.pattern, l.data, func(p pos) bool { return g.areaAt(l.data, p) == i })
		}
	}
	class := func(a, b uint8) bool { return g.areas[a].class || g.areas[b].class }
	l.minor = g.borderLines(l.data, func(a, b uint8) bool { return a != b && !class(a, b) })
	l.major = g.borderLines(l.data, func(a, b uint8) bool { return a != b && class(a, b) })
	l.splitSpecks()
	l.strips = g.strips(l.data)
}

// splitSpecks makes the borders of small regions minor if there are many, because heavy borders would hide the cells in
// them. If there are only a few, they stay major, so that readers do not overlook the regions.
func (l *mapLayout) splitSpecks() {
	const small, few = 14.0, 60
	var large, specks [][]pos
	for _, line := range l.major {
		if b := hull(line); b.w() < small && b.h() < small {
			specks = append(specks, line)
			continue
		}
		large = append(large, line)
	}
	if len(specks) > few {
		l.major, l.minor = large, append(l.minor, specks...)
	}
}

// areaAt returns the area under a position inside the box.
func (g *gridMap) areaAt(b box, p pos) int {
	col := min(g.W-1, int((p[0]-b.x0)/b.w()*float64(g.W)))
	row := min(g.H-1, int((b.y1-p[1])/b.h()*float64(g.H)))
	return int(g.index[row*g.W+col])
}

// lattice converts a point in units of cells from the lower left to pixels.
func (g *gridMap) lattice(b box, x, y float64) pos {
	return pos{b.x0 + x/float64(g.W)*b.w(), b.y1 - y/float64(g.H)*b.h()}
}

// marked returns the middle of the cell that gets a ring, and whether there is one.
func (g *gridMap) marked(l *mapLayout) (pos, bool) {
	return g.lattice(l.data, float64(g.mark%g.W)+0.5, float64(g.mark/g.W)+0.5), g.mark >= 0
}

// borderLines traces the borders in pixels.
func (g *gridMap) borderLines(b box, differ func(a, b uint8) bool) [][]pos {
	const tolerance = 0.9 // in pixels; smaller steps of cells are not visible
	var out [][]pos
	corners := 0
	for _, line := range borders(g.index, g.W, g.H, differ).trace() {
		pts := make([]pos, len(line))
		for i, p := range line {
			pts[i] = g.lattice(b, float64(p[0]), float64(p[1]))
		}
		pts = simplify(pts, tolerance)
		out = append(out, pts)
		corners += len(pts)
	}
	if corners > maxCorners {
		return nil
	}
	return out
}

// placer returns a placer that knows the curves, the strips and the ring.
func (g *gridMap) placer(l *mapLayout) *placer {
	p := &placer{within: l.data.grow(-3), hurry: g.hurry}
	for i, c := range g.Curves {
		p.addLine(i, slices.Concat(l.data.clip(l.path(c.Points))...))
	}
	for i, s := range l.strips {
		p.addLine(len(g.Curves)+i, []pos{s.from, s.to})
	}
	if at, ok := g.marked(l); ok {
		p.taken = append(p.taken, boxAt(at, 0, 0).grow(8))
	}
	return p
}

// placeLabels places the labels of the curves next to the curves, and then the label of each area where the area has
// the most room. It returns the curves whose labels found no place.
func (g *gridMap) placeLabels(l *mapLayout) (homeless []Curve) {
	p := g.placer(l)
	lines := make([][]pos, len(g.Curves))
	for i, c := range g.Curves {
		lines[i] = slices.Concat(l.data.clip(l.path(c.Points))...)
	}
	if at, ok := g.marked(l); ok {
		const text = "first"
		if b, ok := p.placeLabel(-1, []pos{{at[0] - 4, at[1]}, {at[0] + 4, at[1]}}, textWidth(text), 0.5); ok {
			l.labels = append(l.labels, inkLabel(b.middle(), text))
		}
	}
	for i, c := range g.Curves {
		if c.Label == "" {
			continue
		}
		if g.dark {
			homeless = append(homeless, c)
			continue
		}
		prefer := 0.5
		if c.Dashed {
			prefer = 0.9
		}
		if b, ok := p.placeLabel(i, lines[i], textWidth(c.Label)+4, prefer); ok {
			l.labels = append(l.labels, inkLabel(b.middle(), c.Label))
		} else {
			homeless = append(homeless, c)
		}
	}
	g.labelStrips(l, p)
	g.labelAreas(l, g.occupancy(l.data, p))
	return homeless
}

// labelAreas writes into each area the longest of its names that fits.
func (g *gridMap) labelAreas(l *mapLayout, o *occupancy) {
	for i, a := range g.areas {
		if a.count == 0 {
			continue
		}
		sums := o.sums(uint8(i))
		for _, name := range a.inside {
			if name == "" {
				continue
			}
			if at, ok := o.roomiest(sums, textWidth(name)+10, labelHeight+2); ok {
				ground := a.fill.ground
				ink := themed{legibleOn(ground[light]), legibleOn(ground[dark])}
				l.labels = append(l.labels, placedLabel{at, name, ink, ground, nil})
				break
			}
		}
	}
}

// paint draws the layers from the bottom to the top: cells, patterns, borders, curves, labels, axes.
func (g *gridMap) paint(s *stage, l *mapLayout) {
	g.paintData(s, l)
	g.paintTop(s, l)
}

// paintTop draws the strips, the ring, the labels and the axes on top of the data.
func (g *gridMap) paintTop(s *stage, l *mapLayout) {
	b := l.data
	for _, p := range l.strips {
		g.paintStrip(s, p)
	}
	if at, ok := g.marked(l); ok {
		s.ring(at, 7, solidLine(s.ground, 4.5))
		s.ring(at, 7, solidLine(s.ink, 2))
	}
	s.labels(l.labels)
	l.draw(s)
	s.line(solidLine(s.muted, 1), pos{b.x0, b.y1}, pos{b.x0, b.y0}, pos{b.x1, b.y0}, pos{b.x1, b.y1})
}

// paintData draws the cells, their patterns and borders, and the curves.
func (g *gridMap) paintData(s *stage, l *mapLayout) {
	s.image(l.data, g.image(s.theme))
	for i, pieces := range l.hatches {
		s.hatch(g.areas[i].fill, pieces)
	}
	for _, line := range l.minor {
		s.line(solidLine(color.NRGBA{A: 0x73}, 0.75), line...)
	}
	for _, line := range l.major {
		s.line(solidLine(s.ink, 1.5), line...)
	}
	g.paintCurves(s, l)
}

// paintCurves draws the curves over wider lines in the ground's colour, so that they are visible on every area.
func (g *gridMap) paintCurves(s *stage, l *mapLayout) {
	for _, halo := range []bool{true, false} {
		for _, c := range g.Curves {
			sty := c.stroke().line(s.theme)
			if c.Dashed {
				sty.Width = 1.25
			}
			if halo {
				veil := color.NRGBAModel.Convert(s.ground).(color.NRGBA)
				veil.A = 0xb3
				sty = solidLine(veil, sty.Width+2.25)
			}
			s.curve(l.data, sty, l.path(c.Points))
		}
	}
}

// describe returns the alternative text of a map: it describes the axes, the classes with their counts, the values, the
// borders of the classes, and the curves.
func (g *gridMap) describe() string {
	var borders []string
	for i, a := range g.areas {
		if a.class && g.Agreement == nil && a.count*200 >= len(g.Cells) && a.count < len(g.Cells) {
			borders = append(borders, g.lowerBorder(uint8(i)))
		}
	}
	parts := []string{"Map" + g.describeAxes(), content.Capital(g.found()) + "."}
	if values := g.values(); values != "" {
		parts = append(parts, values)
	}
	return strings.Join(append(parts, borders...), " ") + g.describeCurves()
}

func (g *gridMap) describeAxes() string {
	return fmt.Sprintf(" of %d by %d cells; x is %s, from %s to %s; y is %s, from %s to %s.",
		g.W, g.H, g.X.Label, g.xAt(0), g.xAt(g.W-1), g.Y.Label, g.yAt(0), g.yAt(g.H-1))
}

// found lists the areas that occur, with their numbers of cells.
func (g *gridMap) found() string {
	var found []string
	for _, a := range g.areas {
		if a.count > 0 {
			found = append(found, fmt.Sprintf("%s %s (%s)", a.label, cellCount(a.count), share(a.count, len(g.Cells))))
		}
	}
	return content.List(found)
}

func (g *gridMap) describeCurves() string {
	if names := curveNames(g.Curves); names != "" {
		return fmt.Sprintf(" Lines drawn on top: %s.", names)
	}
	return ""
}

// curveNames returns the labels of curves.
func curveNames(curves []Curve) string {
	var names []string
	for _, c := range curves {
		if c.Label != "" {
			names = append(names, c.Label)
		}
	}
	return strings.Join(names, "; ")
}

// lowerBorder describes the lower border of an area at the first, a middle and the last column that it touches.
func (g *gridMap) lowerBorder(area uint8) string {
	cols, lowest, _ := g.extent(area)
	name, last := g.areas[area].label, len(cols)-1
	if last == 0 {
		return fmt.Sprintf("%q is at x = %s only, from y = %s.", name, g.xAt(cols[0]), g.yAt(lowest[0]))
	}
	var at []string
	for _, i := range slices.Compact([]int{0, last / 2, last}) {
		at = append(at, fmt.Sprintf("y = %s at x = %s", g.yAt(lowest[i]), g.xAt(cols[i])))
	}
	return fmt.Sprintf("%q spans x from %s to %s; its lowest cells are %s.", name, g.xAt(cols[0]), g.xAt(cols[last]),
		content.List(at))
}

// summary returns a row for each area that occurs: its number of cells, its extent, and its lowest cell in the first, a
// middle and the last column that it touches. These cells show where its border is.
func (g *gridMap) summary() content.Records {
	t := content.Records{Header: []string{
		"area", "cells", "share", "x from", "x to", "y from", "y to", "y from, on the left", "in the middle", "on " +
			"the right",
	}}
	for i, a := range g.areas {
		if a.count == 0 {
			continue
		}
		cols, lowest, top := g.extent(uint8(i))
		last := len(cols) - 1
		t.Add(a.label, a.count, share(a.count, len(g.Cells)), g.xAt(cols[0]), g.xAt(cols[last]),
			g.yAt(slices.Min(lowest)), g.yAt(top), g.yAt(lowest[0]), g.yAt(lowest[last/2]), g.yAt(lowest[last]))
	}
	return t
}

func (g *gridMap) summaryNote() string {
	return fmt.Sprintf("x is %s and y is %s, both at the centre of a cell. The CSV file lists the value of each of "+
		"the %s.",
		g.X.Label, g.Y.Label, cellCount(len(g.Cells)))
}

// extent returns the columns that an area touches, the row of its lowest cell in each, and its highest row.
func (g *gridMap) extent(area uint8) (cols, lowest []int, top int) {
	for col := range g.W {
		for row := range g.H {
			if g.index[row*g.W+col] != area {
				continue
			}
			if len(cols) == 0 || cols[len(cols)-1] != col {
				cols, lowest = append(cols, col), append(lowest, row)
			}
			top = max(top, row)
		}
	}
	return cols, lowest, top
}

func (g *gridMap) xAt(col int) string { return spoken(centreText(g.X, col, g.W)) }
func (g *gridMap) yAt(row int) string { return spoken(centreText(g.Y, row, g.H)) }

// spoken formats a coordinate for a sentence.
func spoken(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return Decimal(v)
}

// place names a cell by its centre.
func (g *gridMap) place(cell int) string {
	return fmt.Sprintf("x = %s, y = %s", g.xAt(cell%g.W), g.yAt(cell/g.W))
}

func cellCount(n int) string { return content.Counted(n, "cell", "cells") }

// Layer is a figure without axes and names, which can be drawn into a plot of gonum.org/v1/plot. Package
// notebooks/show/layer turns it into a plotter.
type Layer struct {
	least, most Point          // corners of the data
	of          content.Figure // the texts and numbers of the layer
	paint       func(s *stage, at func(Point) pos)
}

// DataRange returns the ranges that the axes of the plot have to include.
func (l *Layer) DataRange() (xmin, xmax, ymin, ymax float64) {
	return l.least.X, l.most.X, l.least.Y, l.most.Y
}

// layer returns the map without its axes and names.
func (g *gridMap) layer(f content.Figure) *Layer {
	l := &Layer{least: Point{g.X.Min, g.Y.Min}, most: Point{g.X.Max, g.Y.Max}, of: f}
	l.paint = func(s *stage, at func(Point) pos) {
		low, high := at(l.least), at(l.most)
		data := box{low[0], high[1], high[0], low[1]}
		m := &mapLayout{frame: frame{x: g.X.scale(), y: g.Y.scale(), data: data}}
		g.drawInto(m)
		g.paintData(s, m)
	}
	return l
}

// Layer returns the map for a plot whose axes are not logarithmic.
func (m PhaseMap) Layer() (*Layer, error) { return layerOf(m) }

// Layer returns the map for a plot whose axes are not logarithmic.
func (m ShareMap) Layer() (*Layer, error) { return layerOf(m) }

func layerOf(m interface {
	kind
	grid() *gridMap
},
) (*Layer, error) {
	if err := checked(m, m); err != nil {
		return nil, err
	}
	g := m.grid()
	g.bare = true
	return g.layer(g.figure()), nil
}

// Sketch is a map while the reader moves it, in one theme: its cells as pixels, and a drawing of everything else on top
// of them. Unlike the figure, it has no patterns, no lines around areas, no description and no data.
type Sketch struct {
	SVG           []byte // without the cells
	Width, Height int    // the size of the drawing
	Box           content.Box
	Columns, Rows int
	Pixels        []byte // four bytes per cell, from the upper left: red, green, blue, 255
}

// Tall returns the map in a form that is taller than it is wide, for narrow screens.
func (m PhaseMap) Tall() PhaseMap {
	m.tall = true
	return m
}

// Sketch draws the map while the reader moves it. It fails if a field breaks its rule.
func (m PhaseMap) Sketch(onDark bool) (Sketch, error) {
	if err := checked(m, m); err != nil {
		return Sketch{}, err
	}
	g, t := m.grid(), themeOf(onDark)
	l := g.frameLayout()
	coarse := g.coarse()
	coarse.placeLabels(l)
	f := content.Figure{Title: g.Title, Alt: g.Title, Width: Width, Height: int(l.data.y1 + footRoom + 0.5)}
	svg := document(f, t, func(s *stage) {
		g.paintCurves(s, l)
		g.paintTop(s, l)
	})
	return Sketch{svg, f.Width, f.Height, l.data.content(), g.W, g.H, g.pixels(t)}, nil
}

// coarseness is the number of cells in each direction that become one cell in a quick search for the place of a label.
const coarseness = 4

// coarse returns the map with fewer cells, for a quick search for the places of labels.
func (g *gridMap) coarse() *gridMap {
	c := *g
	c.hurry = true
	if g.W < 20*coarseness || g.H < 10*coarseness {
		return &c
	}
	c.W, c.H = g.W/coarseness, g.H/coarseness
	c.index, c.Cells = make([]uint8, c.W*c.H), make([]int, c.W*c.H)
	for row := range c.H {
		for column := range c.W {
			c.index[row*c.W+column] = g.index[(row*coarseness+coarseness/2)*g.W+column*coarseness+coarseness/2]
		}
	}
	c.mark = -1
	return &c
}

// pixels returns the colours of the cells.
func (g *gridMap) pixels(t theme) []byte {
	out := make([]byte, 4*g.W*g.H)
	at := 0
	for row := g.H - 1; row >= 0; row-- {
		for _, a := range g.index[row*g.W : (row+1)*g.W] {
			c := &g.areas[a].fill.ground[t]
			out[at], out[at+1], out[at+2], out[at+3] = c.R, c.G, c.B, 0xff
			at += 4
		}
	}
	return out
}

// content returns the box in the form that pages use.
func (b box) content() content.Box {
	return content.Box{Left: b.x0, Top: b.y0, Right: b.x1, Bottom: b.y1}
}
