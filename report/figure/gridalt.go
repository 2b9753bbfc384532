package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// describe is the alternative text of a map: axes, classes with counts, the given sentence on the values, borders of
// the classes, lines.
func (g *gridMap) describe(values string) string {
	text := fmt.Sprintf("Map of %d by %d cells; x is %s, from %s to %s; y is %s, from %s to %s.",
		g.w, g.h, g.x.Label, g.xAt(0), g.xAt(g.w-1), g.y.Label, g.yAt(0), g.yAt(g.h-1))
	var found, borders, lines []string
	for i, a := range g.areas {
		if a.count > 0 {
			found = append(found, fmt.Sprintf("%s %s (%s)", a.label, cellCount(a.count), share(a.count, len(g.cells))))
		}
		if a.class && !g.judged && a.count*200 >= len(g.cells) && a.count < len(g.cells) {
			borders = append(borders, g.lowerBorder(uint8(i)))
		}
	}
	for _, c := range g.curves {
		if c.Label != "" {
			lines = append(lines, c.Label)
		}
	}
	parts := []string{text, capital(list(found)) + "."}
	if values != "" {
		parts = append(parts, values)
	}
	parts = append(parts, borders...)
	if len(lines) > 0 {
		parts = append(parts, fmt.Sprintf("Lines drawn on top: %s.", strings.Join(lines, "; ")))
	}
	return strings.Join(parts, " ")
}

// lowerBorder says where an area begins from below, at the first, a middle and the last column that it touches.
func (g *gridMap) lowerBorder(area uint8) string {
	cols, lowest, _ := g.extent(area)
	name, last := g.areas[area].label, len(cols)-1
	if last == 0 {
		return fmt.Sprintf("%q lies at x = %s alone, from y = %s.", name, g.xAt(cols[0]), g.yAt(lowest[0]))
	}
	var at []string
	for _, i := range slices.Compact([]int{0, last / 2, last}) {
		at = append(at, fmt.Sprintf("y = %s at x = %s", g.yAt(lowest[i]), g.xAt(cols[i])))
	}
	return fmt.Sprintf("%q spans x from %s to %s; its lowest cells are %s.", name, g.xAt(cols[0]), g.xAt(cols[last]),
		list(at))
}

// summary has a row per area that occurs, with its cells and extent, and the lowest of its cells in the first, a middle
// and the last column that it touches: there its border runs.
func (g *gridMap) summary() content.Records {
	t := content.Records{Header: []string{
		"area", "cells", "share", "x from", "x to", "y from", "y to", "y from, at left", "in the middle", "at right",
	}}
	for i, a := range g.areas {
		if a.count == 0 {
			continue
		}
		cols, lowest, top := g.extent(uint8(i))
		last := len(cols) - 1
		t.Rows = append(t.Rows, []string{
			a.label, strconv.Itoa(a.count), share(a.count, len(g.cells)), g.xAt(cols[0]), g.xAt(cols[last]),
			g.yAt(slices.Min(lowest)), g.yAt(top), g.yAt(lowest[0]), g.yAt(lowest[last/2]), g.yAt(lowest[last]),
		})
	}
	return t
}

func (g *gridMap) summaryNote() string {
	return fmt.Sprintf("x is %s, y is %s, both at the middle of a cell. The CSV has the value of each of the %s.",
		g.x.Label, g.y.Label, cellCount(len(g.cells)))
}

// extent returns the columns that an area touches, the row of its lowest cell in each, and its highest row.
func (g *gridMap) extent(area uint8) (cols, lowest []int, top int) {
	for col := range g.w {
		for row := range g.h {
			if g.index[row*g.w+col] != area {
				continue
			}
			if len(cols) == 0 || cols[len(cols)-1] != col {
				cols, lowest = append(cols, col), append(lowest, row)
			}
			top = max(top, row)
		}
	}
	return cols, lowest, top
}

func (g *gridMap) xAt(col int) string { return spoken(centreText(g.x, col, g.w)) }
func (g *gridMap) yAt(row int) string { return spoken(centreText(g.y, row, g.h)) }

// spoken writes a coordinate as it is read aloud.
func spoken(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return Decimal(v)
}

// place names a cell by its centre.
func (g *gridMap) place(cell int) string {
	return fmt.Sprintf("x = %s, y = %s", g.xAt(cell%g.w), g.yAt(cell/g.w))
}

func cellCount(n int) string { return content.Counted(n, "cell", "cells") }
