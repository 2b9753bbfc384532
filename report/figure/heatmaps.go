package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/internal/plural"
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
	// Trials is of how many trials the shares are, 0 if they are exact. The steps of the colours are then wider than
	// what chance does to a share, and lie where it moves the fewest cells from one step to another.
	Trials int
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
	l := smallGrids(m.Cols, m.Rows, len(m.Panels))
	f := content.Figure{Title: m.Title, Alt: m.describe(), Data: m.table(), Legend: m.legend(scale)}
	return finish(f, Width, l.height, func(s *stage) { m.paint(s, l, scale) }), nil
}

func (m HeatMaps) check() error {
	c := checker{kind: "HeatMaps"}
	c.name("Title", m.Title)
	c.name("Noun", m.Noun)
	c.require(m.Trials >= 0, "Trials is %d; give the number of trials, or 0 for exact shares", m.Trials)
	c.smallGrids(m.Cols, m.Rows, len(m.Panels))
	for i, p := range m.Panels {
		name := fmt.Sprintf("Panels[%d]", i)
		c.smallGrid(name, p.Name, "Shares", len(p.Shares), m.Cols*m.Rows)
		for j, v := range p.Shares {
			c.share(name+".Shares", j, v)
		}
	}
	return c.err
}

// smallGrids checks the size of small grids that stand side by side.
func (c *checker) smallGrids(cols, rows, panels int) {
	sized := min(cols, rows) >= 1 && max(cols, rows) <= maxHeatSide
	c.require(sized, "Cols and Rows are %d and %d; give 1 to %d each", cols, rows, maxHeatSide)
	c.size("Panels", panels, 1, maxHeatPanels, "grids")
}

// smallGrid checks the name of one of them, and that it has a value for each cell.
func (c *checker) smallGrid(field, name, values string, n, want int) {
	c.name(field+".Name", name)
	c.require(textWidth(name) <= heatWidth(), "%s.Name %q is too wide for its grid; shorten it", field, name)
	c.require(n == want, "%s.%s has %s, but Cols*Rows is %d; give one per cell", field, values, plural.Count(n, "value"),
		want)
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
	text := fmt.Sprintf("%s of %d by %d cells, coloured by the share of %s. Columns and rows count from 0, at the upper "+
		"left.",
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
