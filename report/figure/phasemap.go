package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

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
	// Agreement makes the map one of how an answer compares with the truth; nil for other maps.
	Agreement *Agreement

	tall bool
}

// Agreement says of a map how its classes, in the order of the legend, compare an answer with the truth: right, wrong
// in one of several ways, or missing. Every cell's value must be one of Classes. The first cell that disagrees, by
// least x and then least y, has a ring around it.
type Agreement struct {
	// Right is the value that means agreement; it must be in Classes. Give its class the swatch [Quiet].
	Right int
	// Data replaces the download, which is otherwise the grid itself; it has a row for each cell.
	Data content.Records
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
	g, bins, err := m.grid("PhaseMap")
	if err != nil {
		return nil, content.Figure{}, err
	}
	if m.Agreement == nil {
		return g, g.figure(bins, g.extremes), nil
	}
	f := g.figure(bins, g.verdict)
	if len(m.Agreement.Data.Header) > 0 {
		f.Data = m.Agreement.Data
	}
	return g, f, nil
}

// grid checks the fields, and returns the areas of the ordered values.
func (m PhaseMap) grid(kind string) (*gridMap, []area, error) {
	g := &gridMap{PhaseMap: m, mark: -1}
	c := checker{kind: kind}
	c.frame(m.Title, m.X, m.Y)
	if m.Agreement == nil {
		c.ordered(m.One, m.Many, m.Classes, m.Cells)
	}
	if err := g.setUp(&c); err != nil {
		return nil, nil, err
	}
	if m.Agreement != nil {
		g.checkAgreement(&c)
		g.mark = g.first()
	}
	return g, m.bins(g), c.err
}

func (g *gridMap) checkAgreement(c *checker) {
	right := g.Agreement.Right
	c.require(g.isClass(right), "Right is %d, which Classes does not list; add its class", right)
	if i := slices.IndexFunc(g.Cells, func(v int) bool { return !g.isClass(v) }); i >= 0 {
		c.failf("Cells[%d] is %d, which Classes does not list; add its class", i, g.Cells[i])
	}
	if err := g.Agreement.Data.Validate(); err != nil {
		c.failf("Data: %v; give every row as many values as the header", err)
	}
}

// bins are the areas of the ordered values.
func (m PhaseMap) bins(g *gridMap) []area {
	distinct := map[int]bool{}
	for i, v := range m.Cells {
		if i == 0 || v != m.Cells[i-1] { // neighbours are mostly the same
			distinct[v] = true
		}
	}
	values := slices.DeleteFunc(slices.Sorted(maps.Keys(distinct)), g.isClass)
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
func (g *gridMap) extremes() string {
	lo, hi := -1, -1
	for i, v := range g.Cells {
		if g.areaOf(i).class {
			continue
		}
		if lo < 0 || v < g.Cells[lo] {
			lo = i
		}
		if hi < 0 || v > g.Cells[hi] {
			hi = i
		}
	}
	if lo < 0 {
		return ""
	}
	least, most := content.Counted(g.Cells[lo], g.One, g.Many), content.Counted(g.Cells[hi], g.One, g.Many)
	if least == most {
		return fmt.Sprintf("Every cell with a value has %s.", least)
	}
	return fmt.Sprintf("The least is %s, first at %s; the most is %s, first at %s.", least, g.place(lo), most,
		g.place(hi))
}

// PhaseMaps shows several maps of one grid side by side, such as what different players make of the same battles. All
// share the axes, the scale of colours and the legend, which are those of a [PhaseMap].
type PhaseMaps struct {
	// Map has what the maps have in common, but no cells. Its curves are drawn in every map, without their labels.
	Map PhaseMap
	// Panels are the maps in reading order, two in a row; 1 to 24 of them.
	Panels []PhasePanel
}

// PhasePanel is one of the maps.
type PhasePanel struct {
	// Name stands above the map; required, unique.
	Name string
	// Cells holds W*H values as in [PhaseMap].
	Cells []int
}

// Limits and distances of maps side by side.
const (
	maxPhasePanels = 24
	panelsAcross   = 2
	panelsApart    = 14.0
)

// Figure draws the maps. It fails if a field breaks its rule above.
func (m PhaseMaps) Figure() (content.Figure, error) {
	grids, err := m.grids()
	if err != nil {
		return content.Figure{}, err
	}
	layouts, height := m.layout(grids)
	f := content.Figure{Title: m.Map.Title, Alt: m.describe(grids), Data: m.table(grids), Legend: m.legend(grids)}
	return finish(f, Width, height, func(s *stage) {
		s.text(pos{outerGap, headRoom - 11}, m.Map.Y.Label, textStyle{colour: s.muted, shift: sit})
		for i, g := range grids {
			l := layouts[i]
			g.paint(s, l)
			s.text(pos{l.data.x0, l.data.y0 - 7}, m.Panels[i].Name, textStyle{colour: s.ink, shift: sit})
		}
	}), nil
}

// grids checks the fields and returns a map for each panel, all with the same areas.
func (m PhaseMaps) grids() ([]*gridMap, error) {
	c := checker{kind: "PhaseMaps"}
	c.frame(m.Map.Title, m.Map.X, m.Map.Y)
	c.size("Panels", len(m.Panels), 1, maxPhasePanels, "maps")
	names := map[string]bool{}
	var cells [][]int
	for i, p := range m.Panels {
		field := fmt.Sprintf("Panels[%d].Name", i)
		c.name(field, p.Name)
		c.require(!names[p.Name], "%s %q occurs twice; name every map differently", field, p.Name)
		names[p.Name] = true
		cells = append(cells, p.Cells)
	}
	c.ordered(m.Map.One, m.Map.Many, m.Map.Classes, cells...)
	if c.err != nil {
		return nil, c.err
	}
	var grids []*gridMap
	for _, p := range m.Panels {
		m.Map.Cells = p.Cells
		g, _, err := m.Map.grid(c.kind)
		if err != nil {
			return nil, fmt.Errorf("%w (map %q)", err, p.Name)
		}
		grids = append(grids, g)
	}
	m.Map.Cells = slices.Concat(cells...)
	bins := m.Map.bins(grids[0])
	for _, g := range grids {
		g.areas = append(slices.Clone(bins), g.areas...)
		g.assign()
	}
	return grids, nil
}

// layout puts the maps in rows. Only those at the left and at the bottom have ticks and titles of their axes.
func (m PhaseMaps) layout(grids []*gridMap) (layouts []*mapLayout, height float64) {
	proto := frame{x: scale{min: m.Map.X.Min, max: m.Map.X.Max}, y: scale{min: m.Map.Y.Min, max: m.Map.Y.Max}}
	yTicks, across := proto.y.ticks(4), min(panelsAcross, len(grids))
	left, right := yGutter(yTicks), 12.0
	width := math.Floor((Width - left - right - float64(across-1)*panelsApart) / float64(across))
	if across == 1 {
		width = math.Floor(width * 0.6)
	}
	xTicks := spread(proto.x.ticks(4), proto.x, width)
	tall := math.Round(width * max(0.65, min(0.9, float64(m.Map.H)/float64(m.Map.W))))
	for i, g := range grids {
		column, row, last := i%across, i/across, i+across >= len(grids)
		l := &mapLayout{frame: proto}
		x0 := left + float64(column)*(width+panelsApart)
		top := headRoom + lineHeight + float64(row)*(tall+lineHeight+2*panelsApart)
		l.data = box{x0, top, x0 + width, top + tall}
		if column == 0 {
			l.yTicks = yTicks
		}
		if last {
			l.xTicks = xTicks
			height = max(height, top+tall+footRoom)
		}
		if i == len(grids)-1 {
			l.xLabel = m.Map.X.Label
		}
		g.drawInto(l)
		l.minor, l.major = append(l.minor, l.major...), nil // heavy lines would hide what is this small
		lines := &placer{within: l.data.grow(-3)}
		g.labelAreas(l, g.occupancy(l.data, lines))
		layouts = append(layouts, l)
	}
	return layouts, height
}

// legend has an entry for each area that occurs anywhere, classes first; how often in which map stands in the table.
func (m PhaseMaps) legend(grids []*gridMap) []content.LegendEntry {
	var out []content.LegendEntry
	for _, class := range []bool{true, false} {
		for i, a := range grids[0].areas {
			if a.class == class && slices.ContainsFunc(grids, func(g *gridMap) bool { return g.areas[i].count > 0 }) {
				out = append(out, areaEntry(a.label, a.sign, a.fill, ""))
			}
		}
	}
	for _, c := range m.Map.Curves {
		if c.Label != "" {
			out = append(out, lineEntry(c.Label, c.stroke()))
		}
	}
	return out
}

// describe is the alternative text: for each map what it has, and its extremes.
func (m PhaseMaps) describe(grids []*gridMap) string {
	text := content.Counted(len(grids), "map", "maps") + grids[0].describeAxes()
	for i, g := range grids {
		text += fmt.Sprintf(" %s: %s.", capital(m.Panels[i].Name), g.found())
		if extremes := g.extremes(); extremes != "" {
			text += " " + extremes
		}
	}
	return text + grids[0].describeCurves()
}

// table counts the cells of each area in each map.
func (m PhaseMaps) table(grids []*gridMap) content.Records {
	t := content.Records{Header: []string{"map", "area", "cells", "share"}}
	for i, g := range grids {
		for _, a := range g.areas {
			if a.count > 0 {
				t.Rows = append(t.Rows, []string{
					m.Panels[i].Name, a.label, strconv.Itoa(a.count), share(a.count, len(g.Cells)),
				})
			}
		}
	}
	return t
}

// first returns the cell that disagrees at the least x, and there at the least y; -1 if all agree.
func (g *gridMap) first() int {
	for x := range g.W {
		for cell := x; cell < len(g.Cells); cell += g.W {
			if g.Cells[cell] != g.Agreement.Right {
				return cell
			}
		}
	}
	return -1
}

// verdict says how much agrees and where the first disagreement is.
func (g *gridMap) verdict() string {
	all, right := len(g.Cells), g.areas[g.find(g.Agreement.Right)].count
	if right == all {
		return fmt.Sprintf("All %s agree.", cellCount(all))
	}
	return fmt.Sprintf("%s of %s (%s) agree; the first disagreement, by least x and then least y, is %q at %s.",
		count(right), cellCount(all), share(right, all), g.areaOf(g.mark).label, g.place(g.mark))
}

// ShareMap shows for each cell of a grid a share of a whole, such as the probability of a win: tenths coloured from
// light (little) to dark (much), and apart from them what is exactly 0 and exactly 1.
type ShareMap struct {
	// Title, X, Y, W, H and Curves are as in [PhaseMap].
	Title  string
	X, Y   Axis
	W, H   int
	Curves []Curve
	// Shares holds W*H numbers from 0 to 1 in the order of PhaseMap's Cells. Give a number that is merely rounded to 0
	// or 1 its neighbour above 0 or below 1.
	Shares []float64
	// Noun names the share, such as "probability".
	Noun string
	// None and All name the shares of exactly 0 and 1, such as "cannot win"; required.
	None, All string
}

// tenths is the number of steps of the scale, and the values beyond them of the cells that are no step.
const (
	tenths  = 10
	noShare = -1
	wholly  = tenths
)

// Figure draws the map. It fails if a field breaks its rule above.
func (m ShareMap) Figure() (content.Figure, error) {
	_, f, err := m.drawn()
	return f, err
}

func (m ShareMap) drawn() (*gridMap, content.Figure, error) {
	c := checker{kind: "ShareMap"}
	c.frame(m.Title, m.X, m.Y)
	c.names("Noun", m.Noun, "None", m.None, "All", m.All)
	cells := make([]int, len(m.Shares))
	for i, v := range m.Shares {
		c.share("Shares", i, v)
		cells[i] = tenthOf(v)
	}
	if c.err != nil {
		return nil, content.Figure{}, c.err
	}
	g := &gridMap{
		PhaseMap: PhaseMap{
			Title: m.Title, X: m.X, Y: m.Y, W: m.W, H: m.H, Cells: cells, Curves: m.Curves,
			Classes: []Class{ // which have no fields, so that a missing name is that of None or All
				{Value: noShare, Label: cmp.Or(m.None, "0"), Sign: "✗", Swatch: Blocked},
				{Value: wholly, Label: cmp.Or(m.All, "1"), Sign: "✓", Swatch: Quiet},
			},
		},
		mark: -1, text: m.text, dark: true,
	}
	if err := g.setUp(&c); err != nil {
		return nil, content.Figure{}, err
	}
	return g, g.figure(m.steps(), func() string { return m.middle(g) }), nil
}

// tenthOf is the step of a share; a bound belongs to the step above it.
func tenthOf(share float64) int {
	switch share {
	case 0:
		return noShare
	case 1:
		return wholly
	}
	return min(int(share*tenths), tenths-1)
}

// steps are the areas of the tenths.
func (m ShareMap) steps() []area {
	var out []area
	for i := range tenths {
		bounds := fmt.Sprintf("%d–%d %%", i*100/tenths, (i+1)*100/tenths)
		out = append(out, orderedArea(i, tenths, m.Noun+" "+bounds, bounds, bin{i, i}))
	}
	return out
}

// text is a share in the data. A share below 1 is not rounded to 1.
func (m ShareMap) text(cell int) string {
	share := m.Shares[cell]
	if share < 1 {
		share = min(share, 0.999999)
	}
	return strconv.FormatFloat(share, 'g', 6, 64)
}

// middle names the share nearest to one half: where the outcome is open.
func (m ShareMap) middle(g *gridMap) string {
	best := 0
	for i, v := range m.Shares {
		if math.Abs(v-0.5) < math.Abs(m.Shares[best]-0.5) {
			best = i
		}
	}
	share := strconv.FormatFloat(m.Shares[best], 'g', 3, 64)
	return fmt.Sprintf("Nearest to one half is the %s %s, first at %s.", m.Noun, share, g.place(best))
}
