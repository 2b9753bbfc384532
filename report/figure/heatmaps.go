package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/report/content"
)

// HeatMaps shows several small grids of one size side by side, such as how often each cell of a board is used by
// different players. All share one scale of colours, from light (little) to dark (much); what is exactly 0 is hatched.
type HeatMaps struct {
	// Title says what is shown, Noun names the share, such as "fleets with a ship here"; required.
	Title, Noun string
	// Cols and Rows are the size of each grid, 1 to 20.
	Cols, Rows int
	// Panels are drawn in reading order, three in a row; 1 to 24 of them.
	Panels []HeatPanel
}

// HeatPanel is one of the grids.
type HeatPanel struct {
	// Name stands above the grid; required.
	Name string
	// Shares holds Cols*Rows numbers from 0 to 1, row by row from the top.
	Shares []float64
}

// Limits of heat maps.
const (
	maxHeatSide   = 20
	maxHeatPanels = 24
	heatSteps     = 8
)

// Figure draws the maps. It fails if a field breaks its rule above.
func (m HeatMaps) Figure() (content.Figure, error) {
	if err := m.check(); err != nil {
		return content.Figure{}, err
	}
	scale := m.scale()
	l := m.layout()
	f := content.Figure{Title: m.Title, Alt: m.describe(), Data: m.table(), Legend: m.legend(scale)}
	return finish(f, Width, l.height, func(s *stage) { m.paint(s, l, scale) }), nil
}

func (m HeatMaps) check() error {
	c := checker{kind: "HeatMaps"}
	c.name("Title", m.Title)
	c.name("Noun", m.Noun)
	sized := min(m.Cols, m.Rows) >= 1 && max(m.Cols, m.Rows) <= maxHeatSide
	c.require(sized, "Cols and Rows are %d and %d; give 1 to %d each", m.Cols, m.Rows, maxHeatSide)
	c.size("Panels", len(m.Panels), 1, maxHeatPanels, "grids")
	for i, p := range m.Panels {
		name := fmt.Sprintf("Panels[%d]", i)
		c.name(name+".Name", p.Name)
		c.require(textWidth(p.Name) <= heatWidth(), "%s.Name %q is too wide for its grid; shorten it", name, p.Name)
		n := m.Cols * m.Rows
		c.require(len(p.Shares) == n, "%s.Shares has %d values, but Cols*Rows is %d; give one per cell", name, len(p.Shares), n)
		for j, v := range p.Shares {
			c.share(name+".Shares", j, v)
		}
	}
	return c.err
}

// heatScale cuts the shares into steps of percent points.
type heatScale struct{ first, step, steps int }

// scale returns the finest round steps of which at most heatSteps cover all shares but 0.
func (m HeatMaps) scale() heatScale {
	low, high := 100.0, 0.0
	for _, p := range m.Panels {
		for _, v := range p.Shares {
			if v > 0 {
				low, high = min(low, 100*v), max(high, 100*v)
			}
		}
	}
	for _, step := range []int{1, 2, 5, 10, 20} {
		first, last := int(low)/step, int(min(high, 100-1e-9))/step
		if last-first < heatSteps {
			return heatScale{first, step, max(1, last-first+1)}
		}
	}
	panic("figure: shares beyond 1") // five steps of 20 cover all
}

// index returns the step of a share above 0.
func (h heatScale) index(share float64) int {
	return max(0, min(int(100*share)/h.step-h.first, h.steps-1))
}

func (h heatScale) bounds(i int) string {
	return fmt.Sprintf("%d–%d %%", (h.first+i)*h.step, (h.first+i+1)*h.step)
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
	text := fmt.Sprintf("%s of %d by %d cells, coloured by the share of %s. Columns and rows count from 0, at the upper left.",
		counted(len(m.Panels), "grid", "grids"), m.Cols, m.Rows, m.Noun)
	percent := func(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }
	for _, p := range m.Panels {
		sum := 0.0
		for _, v := range p.Shares {
			sum += v
		}
		place := func(v float64) string { // of the first cell with that share
			i := slices.Index(p.Shares, v)
			return fmt.Sprintf("%s in column %d, row %d", percent(v), i%m.Cols, i/m.Cols)
		}
		text += fmt.Sprintf(" %s: from %s to %s; mean %s.", capital(p.Name),
			place(slices.Min(p.Shares)), place(slices.Max(p.Shares)), percent(sum/float64(len(p.Shares))))
	}
	return text
}

// table has a row per row of each grid.
func (m HeatMaps) table() content.Records {
	t := content.Records{Header: []string{"grid", "row"}}
	for x := range m.Cols {
		t.Header = append(t.Header, "column "+strconv.Itoa(x))
	}
	for _, p := range m.Panels {
		for y := range m.Rows {
			row := []string{p.Name, strconv.Itoa(y)}
			for _, v := range p.Shares[y*m.Cols : (y+1)*m.Cols] {
				row = append(row, strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
