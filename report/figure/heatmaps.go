package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// HeatMaps shows several small grids of the same size side by side, such as how often different players use each cell
// of a board. All grids share one scale of colours, from light (little) to dark (much); cells with exactly 0 are
// hatched. With Classes, each cell of a grid shows a class or nothing, such as the regions that players reserve on a
// board.
type HeatMaps struct {
	// Title describes what the maps show; required.
	Title string `rule:"name"`
	// Noun describes what the shares are shares of, such as "fleets with a ship here"; required without Classes.
	Noun string
	// Cols and Rows are the size of each grid, 1 to 20.
	Cols, Rows int
	// Panels are drawn in reading order, three in a row; 1 to 24 grids.
	Panels []HeatPanel `rule:"1-24 grids"`
	// Trials is the number of trials from which the shares come, or 0 if the shares are exact. If there are trials, the
	// steps of the colour scale are wider than the random error of a share, and are shifted so that random errors put
	// as few cells as possible into a wrong step.
	Trials int
	// Classes are the classes that cells can have, at most 8. Cells have no room for signs, so patterns distinguish the
	// classes.
	Classes []Class `rule:"0-8 classes"`

	keyed bool
}

// Keyed returns the maps with a legend of all classes in place of names next to cells. Films use it, because such names
// would move from state to state.
func (m HeatMaps) Keyed() HeatMaps {
	m.keyed = true
	return m
}

// HeatPanel is one of the grids. It has Cells if there are classes, and Shares otherwise.
type HeatPanel struct {
	// Name is written above the grid; required.
	Name string `rule:"name"`
	// Shares holds Cols*Rows numbers from 0 to 1, row by row from the top.
	Shares []float64 `rule:"share"`
	// Cells holds Cols*Rows class values, or 0 for no class, row by row from the top.
	Cells []int
}

// These are the limits for heat maps.
const (
	maxHeatSide = 20
	heatSteps   = 8
)

// Figure draws the maps. It fails if a field breaks its rule above.
func (m HeatMaps) Figure() (content.Figure, error) { return drawn(m, m) }

func (m HeatMaps) figure() content.Figure {
	l, parts := smallGrids(m.Cols, m.Rows, len(m.Panels)), m.parts()
	f := content.Figure{Title: m.Title, Alt: m.describe(), Data: m.table()}
	labels, named := m.labels(l, parts)
	for i, part := range parts {
		n := 0
		for _, p := range m.Panels {
			for cell := range m.Cols * m.Rows {
				if part.has(p, cell) {
					n++
				}
			}
		}
		if named {
			continue
		}
		if n > 0 || m.keyed || len(m.Classes) == 0 && i > 0 {
			f.Legend = append(f.Legend, areaEntry(part.label, "", part.look, count(n)))
		}
	}
	return finish(f, Width, l.height, func(s *stage) {
		m.paint(s, l, parts)
		s.labels(labels)
	})
}

// labels returns the names of the classes, each next to a cell in one of the grids. It reports whether there is room
// for the names of all classes that occur; if not, it returns no labels. Steps of shares have no names in the grids.
func (m HeatMaps) labels(l heatLayout, parts []heatPart) (labels []placedLabel, named bool) {
	if len(m.Classes) == 0 || m.keyed {
		return nil, false
	}
	rooms, targets := make([]*placer, len(m.Panels)), make([][][]target, len(parts))
	for i, p := range m.Panels {
		rooms[i] = &placer{within: l.grids[i].grow(-2), across: true}
		for j, part := range parts {
			targets[j] = append(targets[j], nil)
			for cell := range m.Cols * m.Rows {
				if part.has(p, cell) {
					b := l.cellBox(i, cell, m.Cols)
					rooms[i].taken = append(rooms[i].taken, b)
					targets[j][i] = append(targets[j][i], target{b.middle(), l.cell / 2})
				}
			}
		}
	}
	for j, part := range parts {
		occurs := slices.ContainsFunc(targets[j], func(here []target) bool { return len(here) > 0 })
		if occurs && !nameIn(rooms, &labels, targets[j], part.label) {
			return nil, false
		}
	}
	return labels, true
}

// heatPart is a set of cells with the same colour.
type heatPart struct {
	label string
	look  fill
	has   func(p HeatPanel, cell int) bool
}

// parts returns a part for each class. Without classes, it returns a part for the cells with exactly 0, and a part for
// each step of the scale.
func (m HeatMaps) parts() (parts []heatPart) {
	for i, look := range looks(m.Classes) {
		class := m.Classes[i]
		parts = append(parts, heatPart{class.Label, look, func(p HeatPanel, cell int) bool {
			return p.Cells[cell] == class.Value
		}})
	}
	if len(parts) > 0 {
		return parts
	}
	parts = []heatPart{{"0 %", swatches[Blocked], func(p HeatPanel, cell int) bool { return p.Shares[cell] == 0 }}}
	for i, scale := 0, m.scale(); i < scale.steps; i++ {
		parts = append(parts, heatPart{scale.bounds(i), ordered(i, scale.steps), func(p HeatPanel, cell int) bool {
			return p.Shares[cell] > 0 && scale.index(p.Shares[cell]) == i
		}})
	}
	return parts
}

func (m HeatMaps) check(c *checker) {
	c.require(m.Trials >= 0, "Trials is %d; give the number of trials, or 0 for exact shares", m.Trials)
	sized := min(m.Cols, m.Rows) >= 1 && max(m.Cols, m.Rows) <= maxHeatSide
	c.require(sized, "Cols and Rows are %d and %d; give 1 to %d each", m.Cols, m.Rows, maxHeatSide)
	c.outcomes(m.Classes)
	if len(m.Classes) == 0 {
		c.name("Noun", m.Noun)
	}
	c.text("Noun", m.Noun)
	for i, p := range m.Panels {
		c.require(textWidth(p.Name) <= heatWidth(), "Panels[%d].Name %q is too wide for its grid; shorten it", i,
			p.Name)
		values, n := "Shares", len(p.Shares)
		if len(m.Classes) > 0 {
			values, n = "Cells", len(p.Cells)
		}
		c.require(n == m.Cols*m.Rows, "Panels[%d].%s has %s, but Cols*Rows is %d; give one per cell", i, values,
			plural.Count(n, "value"), m.Cols*m.Rows)
		for j, v := range p.Cells {
			c.outcome(fmt.Sprintf("Panels[%d].Cells[%d]", i, j), m.Classes, v)
		}
	}
}

// describe returns the alternative text. It gives the minimum, maximum and mean share of each grid, or the cells of its
// classes.
func (m HeatMaps) describe() string {
	text := fmt.Sprintf("%s of %d by %d cells", content.Counted(len(m.Panels), "grid", "grids"), m.Cols, m.Rows)
	if len(m.Classes) == 0 {
		text += ", coloured by the share of " + m.Noun
	}
	text += ". Columns and rows are numbered from 0, starting at the upper left."
	for _, p := range m.Panels {
		said := m.places(p)
		if len(m.Classes) == 0 {
			said = m.shares(p)
		}
		text += fmt.Sprintf(" %s: %s.", content.Capital(p.Name), said)
	}
	return text
}

// shares describes the minimum, the maximum and the mean share of a grid.
func (m HeatMaps) shares(p HeatPanel) string {
	percent := func(v float64) string { return Percentage(v, 1) + " %" }
	sum := 0.0
	for _, v := range p.Shares {
		sum += v
	}
	place := func(v float64) string { // describes the first cell with the share v
		i := slices.Index(p.Shares, v)
		return fmt.Sprintf("%s in column %d, row %d", percent(v), i%m.Cols, i/m.Cols)
	}
	return fmt.Sprintf("from %s to %s; mean %s", place(slices.Min(p.Shares)), place(slices.Max(p.Shares)),
		percent(sum/float64(len(p.Shares))))
}

// fewCells is the maximum number of cells of a class that the alternative text lists one by one.
const fewCells = 14

// places lists the cells of each class in a grid, one by one or by the range of their columns and rows.
func (m HeatMaps) places(p HeatPanel) string {
	var parts []string
	for _, class := range m.Classes {
		var cells []string
		var cols, rows []int
		for i, v := range p.Cells {
			if v == class.Value {
				cols, rows = append(cols, i%m.Cols), append(rows, i/m.Cols)
				cells = append(cells, fmt.Sprintf("(%d, %d)", i%m.Cols, i/m.Cols))
			}
		}
		if len(cells) > fewCells {
			parts = append(parts, fmt.Sprintf("%s: %s in columns %d to %d and rows %d to %d", class.Label,
				cellCount(len(cells)), slices.Min(cols), slices.Max(cols), slices.Min(rows), slices.Max(rows)))
		} else if len(cells) > 0 {
			parts = append(parts, class.Label+": (column, row) "+strings.Join(cells, ", "))
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "nothing")
}

// table returns a table with a row for each row of each grid.
func (m HeatMaps) table() content.Records {
	t := content.Records{Header: []string{"grid", "row"}}
	for x := range m.Cols {
		t.Header = append(t.Header, "column "+strconv.Itoa(x))
	}
	for _, p := range m.Panels {
		for y := range m.Rows {
			row := []string{p.Name, strconv.Itoa(y)}
			for cell := y * m.Cols; cell < (y+1)*m.Cols; cell++ {
				if len(m.Classes) > 0 {
					row = append(row, named(m.Classes, p.Cells[cell]).Label)
					continue
				}
				row = append(row, strconv.FormatFloat(math.Round(p.Shares[cell]*1e6)/1e6, 'f', -1, 64))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// heatScale divides the shares into steps, in percentage points. The lowest step begins at low, which may be below 0.
type heatScale struct{ low, step, steps int }

// scale returns the finest scale with round steps that are wider than random errors. At most heatSteps steps cover all
// shares above 0. If the shares come from trials, the steps are shifted so that few cells are near the border of a
// step.
func (m HeatMaps) scale() heatScale {
	var shares []float64 // the shares above 0, in percent
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
	return heatScale{0, 20, 5} // covers all shares
}

// sigmas is the number of standard errors by which a share may be off by chance.
const sigmas = 2

// standardError returns the standard error of a share, both in percent.
func (m HeatMaps) standardError(share float64) float64 {
	if m.Trials == 0 {
		return 0
	}
	return math.Sqrt(max(0, share*(100-share)) / float64(m.Trials))
}

// blur returns the minimum width of a step. If a true share is in the middle of such a step, random errors do not move
// it to another step.
func (m HeatMaps) blur(shares []float64) float64 {
	widest := 0.0
	for _, v := range shares {
		widest = max(widest, 2*sigmas*m.standardError(v))
	}
	return widest
}

// doubtful returns the number of shares that random errors may have moved to another step.
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

// index returns the index of the step that contains a share above 0.
func (h heatScale) index(share float64) int {
	return max(0, min((int(100*share)-h.low)/h.step, h.steps-1))
}

func (h heatScale) bounds(i int) string {
	low := h.low + i*h.step
	return fmt.Sprintf("%d–%d %%", max(0, low), min(100, low+h.step))
}

const (
	heatAcross = 3    // the number of grids in a row
	heatGap    = 18.0 // between grids
	heatName   = 24.0 // height of a grid's name
)

// heatWidth returns the width available to a grid and its name.
func heatWidth() float64 { return (Width - 2*outerGap - (heatAcross-1)*heatGap) / heatAcross }

// heatLayout holds the positions of the grids.
type heatLayout struct {
	cell, height float64
	grids        []box
}

// smallGrids lays out grids side by side.
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

// cellBox returns the box of a cell in a grid.
func (l heatLayout) cellBox(grid, cell, cols int) box {
	x, y := l.grids[grid].x0+float64(cell%cols)*l.cell, l.grids[grid].y0+float64(cell/cols)*l.cell
	return box{x, y, x + l.cell, y + l.cell}
}

// paint draws the cells part by part, so that all cells of one colour form one path, and their pattern is continuous
// across the grid. Then it draws the lines between cells of different classes, the edges and the names.
func (m HeatMaps) paint(s *stage, l heatLayout, parts []heatPart) {
	for i, p := range m.Panels {
		b := l.grids[i]
		for _, part := range parts {
			for cell := range m.Cols * m.Rows {
				if part.has(p, cell) {
					s.fill(part.look.ground[s.theme], l.cellBox(i, cell, m.Cols).corners()...)
				}
			}
			s.hatch(part.look, hatch(part.look.pattern, b, func(at pos) bool {
				col, row := min(m.Cols-1, int((at[0]-b.x0)/l.cell)), min(m.Rows-1, int((at[1]-b.y0)/l.cell))
				return part.has(p, row*m.Cols+col)
			}))
		}
		for col := 1; col < m.Cols && len(m.Classes) > 0; col++ {
			x := b.x0 + float64(col)*l.cell
			s.line(solidLine(s.grid, 1), pos{x, b.y0}, pos{x, b.y1})
		}
		for row := 1; row < m.Rows && len(m.Classes) > 0; row++ {
			y := b.y0 + float64(row)*l.cell
			s.line(solidLine(s.grid, 1), pos{b.x0, y}, pos{b.x1, y})
		}
		s.outline(b, solidLine(s.muted, 1))
		s.text(pos{b.x0, b.y0 - heatName/2 - 1}, p.Name, textStyle{colour: s.ink, shift: centre})
	}
}
