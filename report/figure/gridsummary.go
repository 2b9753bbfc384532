package figure

import (
	"fmt"
	"strconv"

	"github.com/siegebook/siegebook/report/content"
)

// summary has a row per area that occurs, with its cells and extent, and the lowest of its cells in the first, a middle and the last
// column that it touches: there its border runs.
func (g *gridMap) summary() content.Records {
	t := content.Records{Header: []string{"area", "cells", "share", "x from", "x to", "y from", "y to", "y from, at left", "in the middle", "at right"}}
	for i, a := range g.areas {
		if a.count == 0 {
			continue
		}
		cols, lowest := g.lowestCells(uint8(i))
		last := len(cols) - 1
		bottom, top := g.rowsOf(uint8(i))
		t.Rows = append(t.Rows, []string{
			a.label, strconv.Itoa(a.count), share(a.count, len(g.cells)),
			g.xAt(cols[0]), g.xAt(cols[last]), g.yAt(bottom), g.yAt(top),
			g.yAt(lowest[0]), g.yAt(lowest[last/2]), g.yAt(lowest[last]),
		})
	}
	return t
}

func (g *gridMap) summaryNote() string {
	return fmt.Sprintf("x is %s, y is %s, both at the middle of a cell. The CSV has the value of each of the %s.", g.x.Label, g.y.Label, cellCount(len(g.cells)))
}

// lowestCells returns the columns that an area touches, and in each the row of its lowest cell there.
func (g *gridMap) lowestCells(area uint8) (cols, rows []int) {
	for x := range g.w {
		for y := range g.h {
			if g.index[y*g.w+x] == area {
				cols, rows = append(cols, x), append(rows, y)
				break
			}
		}
	}
	return cols, rows
}

// rowsOf returns the lowest and the highest row that an area, which has cells, touches.
func (g *gridMap) rowsOf(area uint8) (bottom, top int) {
	bottom = -1
	for i, a := range g.index {
		if a == area {
			if top = i / g.w; bottom < 0 {
				bottom = top
			}
		}
	}
	return bottom, top
}
