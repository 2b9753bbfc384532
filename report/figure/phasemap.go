package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/report/content"
)

// PhaseMap shows the integer value of each cell of a grid, such as the fewest waves in which a battle can be won, over
// a plane of starting positions. Values are ordered and coloured from light (least) to dark (greatest). If there are
// many values, the map groups them into bins, and the legend shows the bins. Values listed in Classes are separate
// outcomes outside the order, such as "cannot win".
type PhaseMap struct {
	// Title describes what the map shows; required.
	Title string `rule:"name"`
	// X and Y are the axes in data coordinates. Min and Max are the outer edges of the outermost cells; see [Cells].
	X, Y Axis
	// W and H are the numbers of columns and rows, each 1 to 4096, with at most 4,194,304 cells in total.
	W int `rule:"1-4096 columns"`
	H int `rule:"1-4096 rows"`
	// Cells holds W*H values row by row; row 0 is the lowest, and column 0 is the leftmost. Any int that is not in
	// Classes is an ordered value.
	Cells []int
	// One and Many are the singular and plural forms of the noun for a value, such as "wave" and "waves"; required if
	// there are ordered values.
	One, Many string
	// Classes contains the values outside the order, at most 8.
	Classes []Class `rule:"0-8 classes"`
	// Curves are lines on top of the map, such as predictions and case borders; at most 12.
	Curves []Curve `rule:"0-12 lines"`
	// Named omits the legend of the areas, and writes their names on the areas where there is room. It is for a map
	// whose colours mean only more or less, and which is explained in the text next to it. A map of up to six areas
	// never has a legend if there is room for all names.
	Named bool
	// Agreement, if not nil, makes the map show whether answers are right.
	Agreement *Agreement

	tall bool
}

// Agreement describes a map whose classes indicate whether an answer is right, wrong in one of several ways, or
// missing. The value of every cell must be in Classes. A ring marks the first wrong cell, in order of x and then y.
type Agreement struct {
	// Right is the value of right answers; it must be in Classes. Give its class the swatch [Quiet].
	Right int
	// Data, if not empty, replaces the grid as the data of the figure; it must have a row for each cell.
	Data content.Records
}

// Curve is a line on top of a map, in data coordinates. Parts outside the axes are not drawn.
type Curve struct {
	// Label is written next to the line, such as "d + s = (φ+1) n"; may be empty.
	Label string
	// Points are the corners, at least two; see [Sampled].
	Points []Point
	// Dashed is for the border of a case, as opposed to a result.
	Dashed bool
}

// stroke returns the look of the curve. Its colour is the page's ink.
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
func (m PhaseMap) Figure() (content.Figure, error) { return drawn(m, m) }

func (m PhaseMap) figure() content.Figure { return m.grid().figure() }

func (m PhaseMap) grid() *gridMap { return m.gridOf(m.bins()) }

// bins returns the areas of the ordered values.
func (m PhaseMap) bins() []area {
	distinct := map[int]bool{}
	for i, v := range m.Cells {
		if i == 0 || v != m.Cells[i-1] { // most neighbouring cells have the same value
			distinct[v] = true
		}
	}
	values := slices.DeleteFunc(slices.Sorted(maps.Keys(distinct)), m.isClass)
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

// extremes describes the least and the greatest ordered value, each with the first cell that has it.
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
	return fmt.Sprintf("The minimum is %s, first at %s; the maximum is %s, first at %s.", least, g.place(lo), most,
		g.place(hi))
}

// PhaseMaps shows several maps of the same grid side by side, such as the results of different players in the same
// battles. All maps share the axes, the scale of colours and the legend.
type PhaseMaps struct {
	// Map contains everything that the maps share, and no cells. Every map shows its curves without their labels.
	Map PhaseMap `rule:"inline"`
	// Panels contains the maps in reading order, two in a row; 1 to 24 maps.
	Panels []PhasePanel `rule:"1-24 maps"`
}

// PhasePanel is one of the maps.
type PhasePanel struct {
	// Name is written above the map; required, unique.
	Name string `rule:"name"`
	// Cells holds W*H values as in [PhaseMap].
	Cells []int
}

// These are the number of maps in a row and the gap between maps.
const (
	panelsAcross = 2
	panelsApart  = 14.0
)

// Figure draws the maps. It fails if a field breaks its rule above.
func (m PhaseMaps) Figure() (content.Figure, error) { return drawn(m, m) }

func (m PhaseMaps) figure() content.Figure {
	grids := m.grids()
	layouts, height := m.layout(grids)
	f := content.Figure{Title: m.Map.Title, Alt: m.describe(grids), Data: m.table(grids), Legend: m.legend(grids)}
	return finish(f, Width, height, func(s *stage) {
		s.text(pos{outerGap, headRoom - 11}, m.Map.Y.Label, textStyle{colour: s.muted, shift: sit})
		for i, g := range grids {
			l := layouts[i]
			g.paint(s, l)
			s.text(pos{l.data.x0, l.data.y0 - 7}, m.Panels[i].Name, textStyle{colour: s.ink, shift: sit})
		}
	})
}

func (m PhaseMaps) check(c *checker) {
	names := map[string]bool{}
	var cells [][]int
	for i, p := range m.Panels {
		c.require(!names[p.Name], "Panels[%d].Name %q occurs twice; name every map differently", i, p.Name)
		names[p.Name] = true
		cells = append(cells, p.Cells)
	}
	c.ordered(m.Map, cells...)
	for _, p := range m.Panels {
		if m.Map.Cells = p.Cells; c.err == nil {
			if m.Map.check(c); c.err != nil {
				c.err = fmt.Errorf("%w (map %q)", c.err, p.Name)
			}
		}
	}
}

// grids returns the grids of the maps, all with the same areas.
func (m PhaseMaps) grids() (grids []*gridMap) {
	all := m.Map
	all.Cells = nil
	for _, p := range m.Panels {
		all.Cells = append(all.Cells, p.Cells...)
	}
	bins := all.bins()
	for _, p := range m.Panels {
		m.Map.Cells = p.Cells
		grids = append(grids, m.Map.gridOf(bins))
	}
	return grids
}

// layout arranges the maps in rows.
func (m PhaseMaps) layout(grids []*gridMap) (layouts []*mapLayout, height float64) {
	proto := frame{x: m.Map.X.scale(), y: m.Map.Y.scale(), xLabel: m.Map.X.Label}
	proto.xTicks, proto.yTicks = proto.x.ticks(4), proto.y.ticks(4)
	frames, height := facets(proto, len(grids), panelsAcross, func(width float64) float64 {
		return math.Round(width * max(0.65, min(0.9, float64(m.Map.H)/float64(m.Map.W))))
	})
	for i, g := range grids {
		l := &mapLayout{frame: frames[i]}
		g.drawInto(l)
		l.minor, l.major = append(l.minor, l.major...), nil // heavy lines would hide such small cells
		lines := &placer{within: l.data.grow(-3)}
		g.labelAreas(l, g.occupancy(l.data, lines))
		layouts = append(layouts, l)
	}
	return layouts, height
}

// facets returns the frames of n drawings on common axes, in rows, and their total height. Only drawings at the left or
// at the bottom have labels at their ticks. Only the last drawing has the title of the horizontal axis.
func facets(proto frame, n, across int, tallOf func(width float64) float64) (frames []frame, height float64) {
	across = min(across, n)
	left, right := yGutter(proto.yTicks), 12.0
	width := math.Floor((Width - left - right - float64(across-1)*panelsApart) / float64(across))
	if across == 1 {
		width = math.Floor(width * 0.6)
	}
	xTicks, tall := spread(proto.xTicks, proto.x, width), tallOf(width)
	for i := range n {
		f := proto
		f.xTicks, f.xLabel, f.yLabel = nil, "", ""
		x0 := left + float64(i%across)*(width+panelsApart)
		top := headRoom + lineHeight + float64(i/across)*(tall+lineHeight+2*panelsApart)
		f.data = box{x0, top, x0 + width, top + tall}
		if i%across > 0 {
			f.yTicks = nil
		}
		for _, t := range proto.yTicks { // ticks without a label still have grid lines
			if i%across > 0 && f.grid {
				f.yTicks = append(f.yTicks, tick{value: t.value})
			}
		}
		if i+across >= n {
			f.xTicks = xTicks
			height = max(height, top+tall+footRoom)
		}
		if i == n-1 {
			f.xLabel = proto.xLabel
		}
		frames = append(frames, f)
	}
	return frames, height
}

// legend returns an entry for each area that occurs in any map, classes first, and for each curve with a label. The
// counts are in the table.
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

// describe returns the alternative text: the areas of each map and its extremes.
func (m PhaseMaps) describe(grids []*gridMap) string {
	text := content.Counted(len(grids), "map", "maps") + grids[0].describeAxes()
	for i, g := range grids {
		text += fmt.Sprintf(" %s: %s.", content.Capital(m.Panels[i].Name), g.found())
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
				t.Add(m.Panels[i].Name, a.label, a.count, share(a.count, len(g.Cells)))
			}
		}
	}
	return t
}

// first returns the index of the first wrong cell, in order of x and then y, or -1 if all answers are right.
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

// verdict describes how many answers are right, and where the first wrong one is.
func (g *gridMap) verdict() string {
	all, right := len(g.Cells), g.areas[g.find(g.Agreement.Right)].count
	if right == all {
		return fmt.Sprintf("All %s agree.", cellCount(all))
	}
	return fmt.Sprintf("%s of %s (%s) agree; the first disagreement, in order of x and then y, is %q at %s.",
		count(right), cellCount(all), share(right, all), g.areaOf(g.mark).label, g.place(g.mark))
}

// ShareMap shows, for each cell of a grid, a share of a whole, such as the probability of a win. Tenths are coloured
// from light (little) to dark (much). Shares of exactly 0 and exactly 1 are separate classes.
type ShareMap struct {
	// Title, X, Y, W, H and Curves are as in [PhaseMap].
	Title  string `rule:"name"`
	X, Y   Axis
	W      int     `rule:"1-4096 columns"`
	H      int     `rule:"1-4096 rows"`
	Curves []Curve `rule:"0-12 lines"`
	// Shares holds W*H numbers from 0 to 1 in the order of PhaseMap's Cells. If a share is not 0 or 1 but would round
	// to it, use the next float64 above 0 or below 1.
	Shares []float64 `rule:"share"`
	// Noun is the noun for the share, such as "probability".
	Noun string `rule:"name"`
	// None and All are the names for the shares of exactly 0 and 1, such as "cannot win"; required.
	None, All string `rule:"name"`
}

// tenths is the number of steps of the scale. noShare and wholly are the values of cells whose shares are 0 and 1.
const (
	tenths  = 10
	noShare = -1
	wholly  = tenths
)

// Figure draws the map. It fails if a field breaks its rule above.
func (m ShareMap) Figure() (content.Figure, error) { return drawn(m, m) }

func (m ShareMap) check(c *checker) { m.phases().check(c) }

func (m ShareMap) figure() content.Figure { return m.grid().figure() }

// phases returns the map of tenths.
func (m ShareMap) phases() PhaseMap {
	cells := make([]int, len(m.Shares))
	for i, v := range m.Shares {
		cells[i] = tenthOf(v)
	}
	return PhaseMap{
		Title: m.Title, X: m.X, Y: m.Y, W: m.W, H: m.H, Cells: cells, Curves: m.Curves, One: m.Noun, Many: m.Noun,
		Classes: []Class{
			{Value: noShare, Label: m.None, Sign: "✗", Swatch: Blocked},
			{Value: wholly, Label: m.All, Sign: "✓", Swatch: Quiet},
		},
	}
}

func (m ShareMap) grid() *gridMap {
	g := m.phases().gridOf(m.steps())
	g.text, g.dark, g.values = m.text, true, func() string { return m.middle(g) }
	return g
}

// tenthOf returns the step for a share. A share on the border of two steps belongs to the upper one.
func tenthOf(share float64) int {
	switch share {
	case 0:
		return noShare
	case 1:
		return wholly
	}
	return min(int(share*tenths), tenths-1)
}

// steps returns the areas of the tenths.
func (m ShareMap) steps() []area {
	var out []area
	for i := range tenths {
		bounds := fmt.Sprintf("%d–%d %%", i*100/tenths, (i+1)*100/tenths)
		out = append(out, orderedArea(i, tenths, m.Noun+" "+bounds, bounds, bin{i, i}))
	}
	return out
}

// text returns the share of a cell for the data. A share below 1 is not rounded to 1.
func (m ShareMap) text(cell int) string {
	share := m.Shares[cell]
	if share < 1 {
		share = min(share, 0.999999)
	}
	return strconv.FormatFloat(share, 'g', 6, 64)
}

// middle describes the share nearest to one half, where the outcome is most open.
func (m ShareMap) middle(g *gridMap) string {
	best := 0
	for i, v := range m.Shares {
		if math.Abs(v-0.5) < math.Abs(m.Shares[best]-0.5) {
			best = i
		}
	}
	share := strconv.FormatFloat(m.Shares[best], 'g', 3, 64)
	return fmt.Sprintf("The %s nearest to one half is %s, first at %s.", m.Noun, share, g.place(best))
}
