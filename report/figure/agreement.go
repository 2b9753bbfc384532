package figure

import (
	"fmt"
	"slices"

	"github.com/siegebook/siegebook/report/content"
)

// AgreementMap shows for each cell of a grid how an answer compares with the truth: right, wrong in one of several
// ways, or missing. Every cell's value must be one of Classes. The first cell in Cells that disagrees has a ring around
// it.
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
}

// Figure draws the map. It fails if a field breaks its rule above.
func (m AgreementMap) Figure() (content.Figure, error) {
	g := &gridMap{
		kind: "AgreementMap", title: m.Title, x: m.X, y: m.Y, w: m.W, h: m.H, cells: m.Cells, classes: m.Classes, curves: m.Curves, judged: true,
	}
	if err := g.setUp(); err != nil {
		return content.Figure{}, err
	}
	c := checker{kind: g.kind}
	c.require(g.isClass(m.Right), "Right is %d, which Classes does not list; add its class", m.Right)
	if i := slices.IndexFunc(m.Cells, func(v int) bool { return !g.isClass(v) }); i >= 0 {
		c.failf("Cells[%d] is %d, which Classes does not list; add its class", i, m.Cells[i])
	}
	if c.err != nil {
		return content.Figure{}, c.err
	}
	// The first cell that disagrees is at the least y and there at the least x.
	g.mark = slices.IndexFunc(m.Cells, func(v int) bool { return v != m.Right })
	return g.figure(nil, m.verdict), nil
}

// verdict says how much agrees and where the first disagreement is.
func (m AgreementMap) verdict(g *gridMap) string {
	all, right := len(m.Cells), g.areas[g.find(m.Right)].count
	if right == all {
		return fmt.Sprintf("All %s agree.", cellCount(all))
	}
	return fmt.Sprintf("%s of %s (%s) agree; the first disagreement, by least y and then least x, is %q at %s.",
		count(right), cellCount(all), share(right, all), g.areaOf(g.mark).label, g.place(g.mark))
}
