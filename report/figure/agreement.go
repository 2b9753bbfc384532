package figure

import (
	"fmt"
	"slices"

	"github.com/siegebook/siegebook/report/content"
)

// AgreementMap shows for each cell of a grid how an answer compares with the truth: right, wrong in one of several
// ways, or missing. Every cell's value must be one of Classes. The first cell that disagrees, by least x and then least
// y, has a ring around it.
type AgreementMap struct {
	// Title, X, Y, W, H, Cells and Curves are as in [PhaseMap].
	Title  string
	X, Y   Axis
	W, H   int
	Cells  []int
	Curves []Curve
	// Classes lists every value that occurs, 1 to 8 of them, in the order of the legend. Give the class that means
	// agreement the swatch [Quiet].
	Classes []Class
	// Right is the value that means agreement; it must be in Classes.
	Right int
	// Data replaces the download, which is otherwise the grid itself; it has a row for each cell.
	Data content.Records
}

// Figure draws the map. It fails if a field breaks its rule above.
func (m AgreementMap) Figure() (content.Figure, error) {
	_, f, err := m.drawn()
	return f, err
}

func (m AgreementMap) drawn() (*gridMap, content.Figure, error) {
	g, err := m.grid()
	if err != nil {
		return nil, content.Figure{}, err
	}
	f := g.figure(nil, m.verdict)
	if len(m.Data.Header) > 0 {
		f.Data = m.Data
	}
	return g, f, nil
}

// grid checks the fields.
func (m AgreementMap) grid() (*gridMap, error) {
	g := &gridMap{
		kind: "AgreementMap", title: m.Title, x: m.X, y: m.Y, w: m.W, h: m.H, cells: m.Cells, classes: m.Classes,
		curves: m.Curves, judged: true,
	}
	c := checker{kind: g.kind}
	c.frame(m.Title, m.X, m.Y)
	if err := g.setUp(&c); err != nil {
		return nil, err
	}
	c.require(g.isClass(m.Right), "Right is %d, which Classes does not list; add its class", m.Right)
	if i := slices.IndexFunc(m.Cells, func(v int) bool { return !g.isClass(v) }); i >= 0 {
		c.failf("Cells[%d] is %d, which Classes does not list; add its class", i, m.Cells[i])
	}
	if err := m.Data.Validate(); err != nil {
		c.failf("Data: %v; give every row as many values as the header", err)
	}
	if c.err != nil {
		return nil, c.err
	}
	g.mark = m.first()
	return g, nil
}

// first returns the cell that disagrees at the least x, and there at the least y; -1 if all agree.
func (m AgreementMap) first() int {
	for x := range m.W {
		for cell := x; cell < len(m.Cells); cell += m.W {
			if m.Cells[cell] != m.Right {
				return cell
			}
		}
	}
	return -1
}

// verdict says how much agrees and where the first disagreement is.
func (m AgreementMap) verdict(g *gridMap) string {
	all, right := len(m.Cells), g.areas[g.find(m.Right)].count
	if right == all {
		return fmt.Sprintf("All %s agree.", cellCount(all))
	}
	return fmt.Sprintf("%s of %s (%s) agree; the first disagreement, by least x and then least y, is %q at %s.",
		count(right), cellCount(all), share(right, all), g.areaOf(g.mark).label, g.place(g.mark))
}
