package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Masks shows several small grids of one size side by side, whose cells are of a few classes or of none, such as the
// regions that different players reserve on a board.
type Masks struct {
	// Title says what is shown; required.
	Title string
	// Cols and Rows are the size of each grid, 1 to 20.
	Cols, Rows int
	// Panels are drawn in reading order, three in a row; 1 to 24 of them.
	Panels []Mask
	// Classes are the kinds of cells, 1 to 8. Cells have no room for signs: their patterns tell them apart.
	Classes []Class
}

// Mask is one of the grids.
type Mask struct {
	// Name stands above the grid; required.
	Name string
	// Cells holds Cols*Rows values of classes, or 0 for none, row by row from the top.
	Cells []int
}

// Figure draws the grids. It fails if a field breaks its rule above.
func (m Masks) Figure() (content.Figure, error) {
	looks, err := m.check()
	if err != nil {
		return content.Figure{}, err
	}
	l := smallGrids(m.Cols, m.Rows, len(m.Panels))
	f := content.Figure{Title: m.Title, Alt: m.describe(), Data: m.table()}
	for i, class := range m.Classes {
		if n := m.count(class.Value); n > 0 {
			f.Legend = append(f.Legend, areaEntry(class.Label, "", looks[i], count(n)))
		}
	}
	return finish(f, Width, l.height, func(s *stage) { m.paint(s, l, looks) }), nil
}

func (m Masks) check() ([]fill, error) {
	c := checker{kind: "Masks"}
	c.name("Title", m.Title)
	c.smallGrids(m.Cols, m.Rows, len(m.Panels))
	c.size("Classes", len(m.Classes), 1, maxClasses, "classes")
	looks := c.outcomes(m.Classes)
	for i, p := range m.Panels {
		name := fmt.Sprintf("Panels[%d]", i)
		c.smallGrid(name, p.Name, "Cells", len(p.Cells), m.Cols*m.Rows)
		for j, v := range p.Cells {
			c.outcome(fmt.Sprintf("%s.Cells[%d]", name, j), m.Classes, v)
		}
	}
	return looks, c.err
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
					x, y := b.x0+float64(cell%m.Cols)*l.cell, b.y0+float64(cell/m.Cols)*l.cell
					s.fill(looks[k].ground[s.theme], box{x, y, x + l.cell, y + l.cell}.corners()...)
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
		s.outline(b, solidLine(s.muted, 1))
		s.text(pos{b.x0, b.y0 - heatName/2 - 1}, p.Name, textStyle{colour: s.ink, shift: centre})
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
		text += fmt.Sprintf(" %s: %s.", capital(p.Name), strings.Join(parts, "; "))
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
	t := content.Records{Header: []string{"grid", "row"}}
	for x := range m.Cols {
		t.Header = append(t.Header, "column "+strconv.Itoa(x))
	}
	for _, p := range m.Panels {
		for y := range m.Rows {
			row := []string{p.Name, strconv.Itoa(y)}
			for _, v := range p.Cells[y*m.Cols : (y+1)*m.Cols] {
				label := ""
				if k := classOf(m.Classes, v); k >= 0 {
					label = m.Classes[k].Label
				}
				row = append(row, label)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
