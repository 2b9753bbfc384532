package figure

import (
	"fmt"
	"slices"

	"github.com/siegebook/siegebook/report/content"
)

// AgreementMap shows for each cell of a grid how an answer compares with the truth: right, wrong in one of several ways,
// or missing. Every cell's value must be one of Classes. The first cell in Cells that disagrees has a ring around it.
type AgreementMap struct {
	// Title, X, Y, W, H, Cells and Curves are as in [PhaseMap].
	Title  string
	X, Y   Axis
	W, H   int
	Cells  []int
	Curves []Curve
	// Classes lists every value that occurs, 1 to 8 of them, in the order of the legend. Give the class that
	// means agreement the swatch [Quiet].
	Classes []Class
	// Right is the value that means agreement; it must be in Classes.
	Right int
}

// Figure draws the map. It fails if a field breaks its rule above.
func (m AgreementMap) Figure() (content.Figure, error) {
	g, err := newGridMap("AgreementMap", m.Title, m.X, m.Y, m.W, m.H, m.Cells, m.Classes, m.Curves)
	if err != nil {
		return content.Figure{}, err
	}
	c := checker{kind: "AgreementMap"}
	c.require(g.isClass(m.Right), "Right is %d, which Classes does not list; add its class", m.Right)
	for i, v := range m.Cells {
		if !g.isClass(v) {
			c.failf("Cells[%d] is %d, which Classes does not list; add its class", i, v)
		}
	}
	if c.err != nil {
		return content.Figure{}, c.err
	}
	g.mark = m.first()
	f := g.figure()
	f.Alt = g.describe(m.verdict(g))
	return g.render(f), nil
}

// first is the first cell that disagrees, which is at the least y and there at the least x, or -1.
func (m AgreementMap) first() int {
	return slices.IndexFunc(m.Cells, func(v int) bool { return v != m.Right })
}

// verdict says how much agrees and where the first disagreement is.
func (m AgreementMap) verdict(g *gridMap) string {
	all := m.W * m.H
	if g.mark < 0 {
		return fmt.Sprintf("All %s agree.", cellCount(all))
	}
	right := 0
	for _, v := range m.Cells {
		if v == m.Right {
			right++
		}
	}
	return fmt.Sprintf("%s of %s (%s) agree; the first disagreement, by least y and then least x, is %q at %s.",
		count(right), cellCount(all), share(right, all), g.labelOf(m.Cells[g.mark]), g.place(g.mark))
}
