package figure

import (
	"fmt"
	"math"
	"strconv"

	"github.com/siegebook/siegebook/report/content"
)

// ShareMap shows for each cell of a grid a share of a whole, such as the probability of a win: tenths coloured from light
// (little) to dark (much), and apart from them what is exactly 0 and exactly 1.
type ShareMap struct {
	// Title, X, Y, W, H and Curves are as in [PhaseMap].
	Title  string
	X, Y   Axis
	W, H   int
	Curves []Curve
	// Shares holds W*H numbers from 0 to 1 in the order of PhaseMap's Cells. Give a number that is merely rounded to 0 or 1
	// its neighbour above 0 or below 1.
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
	c := checker{kind: "ShareMap"}
	c.name("Title", m.Title)
	c.name("Noun", m.Noun)
	c.name("None", m.None)
	c.name("All", m.All)
	cells := make([]int, len(m.Shares))
	for i, v := range m.Shares {
		if !(v >= 0 && v <= 1) { // NaN too
			c.failf("Shares[%d] is %v; give a number from 0 to 1", i, v)
		}
		cells[i] = tenthOf(v)
	}
	if c.err != nil {
		return content.Figure{}, c.err
	}
	classes := []Class{{Value: noShare, Label: m.None, Sign: "✗", Swatch: Blocked}, {Value: wholly, Label: m.All, Sign: "✓", Swatch: Quiet}}
	g, err := newGridMap("ShareMap", m.Title, m.X, m.Y, m.W, m.H, cells, classes, m.Curves)
	if err != nil {
		return content.Figure{}, err
	}
	g.areas = append(tenthAreas(m.Noun), g.areas...)
	f := g.figure()
	f.Data = m.table(f.Data)
	f.Alt = g.describe(m.middle(g))
	return g.render(f), nil
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

func tenthAreas(noun string) []area {
	var areas []area
	for i := range tenths {
		bounds, c := fmt.Sprintf("%d–%d %%", i*100/tenths, (i+1)*100/tenths), ordered(i, tenths)
		areas = append(areas, area{
			label: noun + " " + bounds, inside: []string{bounds},
			fill: fill{ground: c, pattern: solid, mark: c}, lo: i, hi: i,
		})
	}
	return areas
}

// table puts the shares in the place of the steps. What is below 1 is not rounded to 1.
func (m ShareMap) table(t content.Records) content.Records {
	for r, row := range t.Rows {
		for i := range m.W {
			share := m.Shares[r*m.W+i]
			if share < 1 {
				share = min(share, 0.999999)
			}
			row[i+1] = strconv.FormatFloat(share, 'g', 6, 64)
		}
	}
	return t
}

// middle names the share nearest to one half: where the outcome is open.
func (m ShareMap) middle(g *gridMap) string {
	best := 0
	for i, v := range m.Shares {
		if math.Abs(v-0.5) < math.Abs(m.Shares[best]-0.5) {
			best = i
		}
	}
	return fmt.Sprintf("Nearest to one half is the %s %s, first at %s.", m.Noun, strconv.FormatFloat(m.Shares[best], 'g', 3, 64), g.place(best))
}
