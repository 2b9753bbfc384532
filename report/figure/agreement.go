package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

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

	tall bool
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
		curves: m.Curves, judged: true, tall: m.tall,
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
	c.name("Noun", m.Noun)
	c.name("None", m.None)
	c.name("All", m.All)
	cells := make([]int, len(m.Shares))
	for i, v := range m.Shares {
		c.share("Shares", i, v)
		cells[i] = tenthOf(v)
	}
	if c.err != nil {
		return nil, content.Figure{}, c.err
	}
	g := &gridMap{
		kind: c.kind, title: m.Title, x: m.X, y: m.Y, w: m.W, h: m.H, cells: cells, curves: m.Curves, mark: -1,
		text: m.text, dark: true,
		classes: []Class{ // which have no fields, so that a missing name is that of None or All
			{Value: noShare, Label: cmp.Or(m.None, "0"), Sign: "✗", Swatch: Blocked},
			{Value: wholly, Label: cmp.Or(m.All, "1"), Sign: "✓", Swatch: Quiet},
		},
	}
	if err := g.setUp(&c); err != nil {
		return nil, content.Figure{}, err
	}
	return g, g.figure(m.steps(), m.middle), nil
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
