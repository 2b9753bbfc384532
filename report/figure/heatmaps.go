package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// HeatMaps shows several small grids of one size side by side, such as how often each cell of a board is used by
// different players. All share one scale of colours, from light (little) to dark (much); what is exactly 0 is hatched.
type HeatMaps struct {
	// Title says what is shown, Noun names the share, such as "fleets with a ship here"; required.
	Title, Noun string `rule:"name"`
	// Cols and Rows are the size of each grid, 1 to 20.
	Cols, Rows int
	// Panels are drawn in reading order, three in a row; 1 to 24 of them.
	Panels []HeatPanel `rule:"1-24 grids"`
	// Trials is of how many trials the shares are, 0 if they are exact. The steps of the colours are then wider than
	// what chance does to a share, and lie where it moves the fewest cells from one step to another.
	Trials int
}

// HeatPanel is one of the grids.
type HeatPanel struct {
	// Name stands above the grid; required.
	Name string `rule:"name"`
	// Shares holds Cols*Rows numbers from 0 to 1, row by row from the top.
	Shares []float64 `rule:"share"`
}

// Limits of heat maps.
const (
	maxHeatSide = 20
	heatSteps   = 8
)

// Figure draws the maps. It fails if a field breaks its rule above.
func (m HeatMaps) Figure() (content.Figure, error) { return drawn(m, m) }

func (m HeatMaps) figure() content.Figure {
	scale := m.scale()
	l := smallGrids(m.Cols, m.Rows, len(m.Panels))
	f := content.Figure{Title: m.Title, Alt: m.describe(), Data: m.table(), Legend: m.legend(scale)}
	return finish(f, Width, l.height, func(s *stage) { m.paint(s, l, scale) })
}

func (m HeatMaps) check(c *checker) {
	c.require(m.Trials >= 0, "Trials is %d; give the number of trials, or 0 for exact shares", m.Trials)
	c.smallGrids(m.Cols, m.Rows)
	for i, p := range m.Panels {
		c.smallGrid(i, p.Name, "Shares", len(p.Shares), m.Cols*m.Rows)
	}
}

// smallGrids checks the size of small grids that stand side by side.
func (c *checker) smallGrids(cols, rows int) {
	sized := min(cols, rows) >= 1 && max(cols, rows) <= maxHeatSide
	c.require(sized, "Cols and Rows are %d and %d; give 1 to %d each", cols, rows, maxHeatSide)
}

// smallGrid checks the width of the name of one of them, and that it has a value for each cell.
func (c *checker) smallGrid(i int, name, values string, n, want int) {
	c.require(textWidth(name) <= heatWidth(), "Panels[%d].Name %q is too wide for its grid; shorten it", i, name)
	c.require(n == want, "Panels[%d].%s has %s, but Cols*Rows is %d; give one per cell", i, values,
		plural.Count(n, "value"), want)
}

func (m HeatMaps) legend(scale heatScale) []content.LegendEntry {
	counts, none := make([]int, scale.steps), 0
	for _, p := range m.Panels {
		for _, v := range p.Shares {
			if v == 0 {
				none++
			} else {
				counts[scale.index(v)]++
			}
		}
	}
	var out []content.LegendEntry
	if none > 0 {
		out = append(out, areaEntry("0 %", "", swatches[Blocked], count(none)))
	}
	for i, n := range counts {
		out = append(out, areaEntry(scale.bounds(i), "", ordered(i, scale.steps), count(n)))
	}
	return out
}

// describe is the alternative text: least, greatest and mean share of each grid.
func (m HeatMaps) describe() string {
	text := fmt.Sprintf("%s of %d by %d cells, coloured by the share of %s. Columns and rows count from 0, at the "+
		"upper left.",
		content.Counted(len(m.Panels), "grid", "grids"), m.Cols, m.Rows, m.Noun)
	percent := func(v float64) string { return Percentage(v, 1) + " %" }
	for _, p := range m.Panels {
		sum := 0.0
		for _, v := range p.Shares {
			sum += v
		}
		place := func(v float64) string { // of the first cell with that share
			i := slices.Index(p.Shares, v)
			return fmt.Sprintf("%s in column %d, row %d", percent(v), i%m.Cols, i/m.Cols)
		}
		text += fmt.Sprintf(" %s: from %s to %s; mean %s.", content.Capital(p.Name),
			place(slices.Min(p.Shares)), place(slices.Max(p.Shares)), percent(sum/float64(len(p.Shares))))
	}
	return text
}

// table has a row per row of each grid.
func (m HeatMaps) table() content.Records {
	t := content.Records{Header: smallHeader(m.Cols)}
	for _, p := range m.Panels {
		t.Rows = append(t.Rows, smallRows(p.Name, m.Cols, p.Shares, func(v float64) string {
			return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
		})...)
	}
	return t
}

// smallHeader is that of a table of small grids.
func smallHeader(cols int) []string {
	header := []string{"grid", "row"}
	for x := range cols {
		header = append(header, "column "+strconv.Itoa(x))
	}
	return header
}

// smallRows are the rows of a small grid in its table.
func smallRows[V any](name string, cols int, cells []V, text func(V) string) (rows [][]string) {
	for y := range len(cells) / cols {
		row := []string{name, strconv.Itoa(y)}
		for _, v := range cells[y*cols : (y+1)*cols] {
			row = append(row, text(v))
		}
		rows = append(rows, row)
	}
	return rows
}

// heatScale cuts the shares into steps of percent points. The lowest step begins at low, which may be below 0.
type heatScale struct{ low, step, steps int }

// scale returns the finest round steps of which at most heatSteps cover all shares but 0, and which chance does not
// blur. Where shares come of trials, the steps are shifted so that few cells are near a border.
func (m HeatMaps) scale() heatScale {
	var shares []float64 // in percent, without 0
	low, high := 100.0, 0.0
	for _, p := range m.Panels {
		for _, v := range p.Shares {
			if v > 0 {
				shares = append(shares, 100*v)
				low, high = min(low, 100*v), max(high, 100*v)
			}
		}
	}
	high = min(high, 100-1e-9)
	for _, step := range []int{1, 2, 5, 10, 20} {
		best, fewest := heatScale{}, math.MaxInt
		for shift := range step {
			if shift > 0 && m.Trials == 0 {
				break
			}
			first, last := floorTo(int(low)-shift, step), floorTo(int(high)-shift, step)
			h := heatScale{first + shift, step, max(1, (last-first)/step+1)}
			if doubtful := m.doubtful(h, shares); h.steps <= heatSteps && doubtful < fewest {
				best, fewest = h, doubtful
			}
		}
		if fewest < math.MaxInt && float64(step) >= m.blur(shares) {
			return best
		}
	}
	return heatScale{0, 20, 5} // covers all
}

// sigmas is how many standard errors count as what chance may do.
const sigmas = 2

// standardError is that of a share in percent.
func (m HeatMaps) standardError(share float64) float64 {
	if m.Trials == 0 {
		return 0
	}
	return math.Sqrt(max(0, share*(100-share)) / float64(m.Trials))
}

// blur is how wide a step must be, so that chance does not move a share from the middle of a step to another one.
func (m HeatMaps) blur(shares []float64) float64 {
	widest := 0.0
	for _, v := range shares {
		widest = max(widest, 2*sigmas*m.standardError(v))
	}
	return widest
}

// doubtful counts the shares that chance may have moved across a border between two steps.
func (m HeatMaps) doubtful(h heatScale, shares []float64) int {
	n := 0
	for _, v := range shares {
		for i := 1; i < h.steps; i++ {
			if math.Abs(v-float64(h.low+i*h.step)) < sigmas*m.standardError(v) {
				n++
			}
		}
	}
	return n
}

// index returns the step of a share above 0.
func (h heatScale) index(share float64) int {
	return max(0, min((int(100*share)-h.low)/h.step, h.steps-1))
}

func (h heatScale) bounds(i int) string {
	low := h.low + i*h.step
	return fmt.Sprintf("%d–%d %%", max(0, low), min(100, low+h.step))
}

const (
	heatAcross = 3    // grids in a row
	heatGap    = 18.0 // between grids
	heatName   = 24.0 // height of a grid's name
)

// heatWidth is the width of a grid with what its name may take.
func heatWidth() float64 { return (Width - 2*outerGap - (heatAcross-1)*heatGap) / heatAcross }

// heatLayout is where the grids are.
type heatLayout struct {
	cell, height float64
	grids        []box
}

// smallGrids puts grids side by side.
func smallGrids(cols, rows, panels int) heatLayout {
	l := heatLayout{cell: math.Floor(heatWidth() / float64(cols))}
	w, h := float64(cols)*l.cell, float64(rows)*l.cell
	for i := range panels {
		x := outerGap + float64(i%heatAcross)*(heatWidth()+heatGap)
		y := outerGap + float64(i/heatAcross)*(heatName+h+heatGap) + heatName
		l.grids = append(l.grids, box{x, y, x + w, y + h})
		l.height = y + h + outerGap
	}
	return l
}

// at is the box of a cell of a grid.
func (l heatLayout) at(grid, cell, cols int) box {
	x, y := l.grids[grid].x0+float64(cell%cols)*l.cell, l.grids[grid].y0+float64(cell/cols)*l.cell
	return box{x, y, x + l.cell, y + l.cell}
}

// name draws the edge of a grid, and its name.
func (l heatLayout) name(s *stage, grid int, name string) {
	b := l.grids[grid]
	s.outline(b, solidLine(s.muted, 1))
	s.text(pos{b.x0, b.y0 - heatName/2 - 1}, name, textStyle{colour: s.ink, shift: centre})
}

// paint draws the cells step by step, so that those of one colour are one path, then the edges and the names.
func (m HeatMaps) paint(s *stage, l heatLayout, scale heatScale) {
	none := swatches[Blocked]
	for i, p := range m.Panels {
		s.fill(none.ground[s.theme], l.grids[i].corners()...)
		for cell, v := range p.Shares {
			if v == 0 {
				s.hatch(none, hatch(none.pattern, l.at(i, cell, m.Cols), anywhere))
			}
		}
		for step := range scale.steps {
			for cell, v := range p.Shares {
				if v > 0 && scale.index(v) == step {
					s.cover(l.at(i, cell, m.Cols), ordered(step, scale.steps))
				}
			}
		}
		l.name(s, i, p.Name)
	}
}

// Masks shows several small grids of one size side by side, whose cells are of a few classes or of none, such as the
// regions that different players reserve on a board.
type Masks struct {
	// Title says what is shown; required.
	Title string `rule:"name"`
	// Cols and Rows are the size of each grid, 1 to 20.
	Cols, Rows int
	// Panels are drawn in reading order, three in a row; 1 to 24 of them.
	Panels []Mask `rule:"1-24 grids"`
	// Classes are the kinds of cells, 1 to 8. Cells have no room for signs: their patterns tell them apart.
	Classes []Class `rule:"1-8 classes"`
}

// Mask is one of the grids.
type Mask struct {
	// Name stands above the grid; required.
	Name string `rule:"name"`
	// Cells holds Cols*Rows values of classes, or 0 for none, row by row from the top.
	Cells []int
}

// Figure draws the grids. It fails if a field breaks its rule above.
func (m Masks) Figure() (content.Figure, error) { return drawn(m, m) }

func (m Masks) figure() content.Figure {
	looks := looks(m.Classes)
	l := smallGrids(m.Cols, m.Rows, len(m.Panels))
	f := content.Figure{Title: m.Title, Alt: m.describe(), Data: m.table()}
	for i, class := range m.Classes {
		if n := m.count(class.Value); n > 0 {
			f.Legend = append(f.Legend, areaEntry(class.Label, "", looks[i], count(n)))
		}
	}
	return finish(f, Width, l.height, func(s *stage) { m.paint(s, l, looks) })
}

func (m Masks) check(c *checker) {
	c.smallGrids(m.Cols, m.Rows)
	c.outcomes(m.Classes)
	for i, p := range m.Panels {
		c.smallGrid(i, p.Name, "Cells", len(p.Cells), m.Cols*m.Rows)
		for j, v := range p.Cells {
			c.outcome(fmt.Sprintf("Panels[%d].Cells[%d]", i, j), m.Classes, v)
		}
	}
}

// count returns how many cells of all grids are of a class.
func (m Masks) count(value int) int {
	n := 0
	for _, p := range m.Panels {
		for _, v := range p.Cells {
			if v == value {
				n++
			}
		}
	}
	return n
}

// paint draws the cells class by class, their patterns across the whole grid, then the lines between them, the edges
// and the names.
func (m Masks) paint(s *stage, l heatLayout, looks []fill) {
	for i, p := range m.Panels {
		b := l.grids[i]
		classAt := func(at pos) int {
			col, row := min(m.Cols-1, int((at[0]-b.x0)/l.cell)), min(m.Rows-1, int((at[1]-b.y0)/l.cell))
			return p.Cells[row*m.Cols+col]
		}
		for k, class := range m.Classes {
			for cell, v := range p.Cells {
				if v == class.Value {
					s.fill(looks[k].ground[s.theme], l.at(i, cell, m.Cols).corners()...)
				}
			}
			s.hatch(looks[k], hatch(looks[k].pattern, b, func(at pos) bool { return classAt(at) == class.Value }))
		}
		for col := 1; col < m.Cols; col++ {
			x := b.x0 + float64(col)*l.cell
			s.line(solidLine(s.grid, 1), pos{x, b.y0}, pos{x, b.y1})
		}
		for row := 1; row < m.Rows; row++ {
			y := b.y0 + float64(row)*l.cell
			s.line(solidLine(s.grid, 1), pos{b.x0, y}, pos{b.x1, y})
		}
		l.name(s, i, p.Name)
	}
}

// fewCells is up to how many cells of a class the alternative text lists one by one.
const fewCells = 14

// describe is the alternative text: for each grid and class the cells, one by one or by the rows and columns that they
// lie in.
func (m Masks) describe() string {
	text := fmt.Sprintf("%s of %d by %d cells. Columns and rows count from 0, at the upper left.",
		content.Counted(len(m.Panels), "grid", "grids"), m.Cols, m.Rows)
	for _, p := range m.Panels {
		var parts []string
		for _, class := range m.Classes {
			if where := m.where(p, class.Value); where != "" {
				parts = append(parts, class.Label+": "+where)
			}
		}
		if len(parts) == 0 {
			parts = []string{"nothing"}
		}
		text += fmt.Sprintf(" %s: %s.", content.Capital(p.Name), strings.Join(parts, "; "))
	}
	return text
}

// where tells the cells of a class in a grid, "" if there are none.
func (m Masks) where(p Mask, value int) string {
	var cells []string
	var cols, rows []int
	for i, v := range p.Cells {
		if v == value {
			cols, rows = append(cols, i%m.Cols), append(rows, i/m.Cols)
			cells = append(cells, fmt.Sprintf("(%d, %d)", i%m.Cols, i/m.Cols))
		}
	}
	switch {
	case len(cells) == 0:
		return ""
	case len(cells) <= fewCells:
		return "(column, row) " + strings.Join(cells, ", ")
	}
	return fmt.Sprintf("%s in columns %d to %d and rows %d to %d", cellCount(len(cells)), slices.Min(cols),
		slices.Max(cols), slices.Min(rows), slices.Max(rows))
}

// table has a row per row of each grid, with the labels of the classes.
func (m Masks) table() content.Records {
	t := content.Records{Header: smallHeader(m.Cols)}
	for _, p := range m.Panels {
		t.Rows = append(t.Rows, smallRows(p.Name, m.Cols, p.Cells, func(value int) string {
			return named(m.Classes, value).Label
		})...)
	}
	return t
}
