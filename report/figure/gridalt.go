package figure

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// describe is the alternative text of a map: axes, classes with counts, the given sentence on the values, borders of
// the classes, lines.
func (g *gridMap) describe(values string) string {
	parts := []string{fmt.Sprintf("Map of %d by %d cells; x is %s, from %s to %s; y is %s, from %s to %s.",
		g.w, g.h, g.x.Label, g.xAt(0), g.xAt(g.w-1), g.y.Label, g.yAt(0), g.yAt(g.h-1))}
	var classes []string
	for _, a := range g.areas {
		if a.count > 0 {
			classes = append(classes, fmt.Sprintf("%s %s (%s)", a.label, cellCount(a.count), share(a.count, len(g.cells))))
		}
	}
	parts = append(parts, capital(list(classes))+".")
	if values != "" {
		parts = append(parts, values)
	}
	if g.kind != "AgreementMap" {
		for i, a := range g.areas {
			if a.class && a.count*200 >= len(g.cells) && a.count < len(g.cells) {
				parts = append(parts, g.lowerBorder(uint8(i)))
			}
		}
	}
	var lines []string
	for _, c := range g.curves {
		if c.Label != "" {
			lines = append(lines, c.Label)
		}
	}
	if len(lines) > 0 {
		parts = append(parts, fmt.Sprintf("Lines drawn on top: %s.", strings.Join(lines, "; ")))
	}
	return strings.Join(parts, " ")
}

// lowerBorder says where an area begins from below, at the first, a middle and the last column that it touches.
func (g *gridMap) lowerBorder(area uint8) string {
	cols, rows := g.lowestCells(area)
	name := g.areas[area].label
	first, last := 0, len(cols)-1
	if first == last {
		return fmt.Sprintf("%q lies at x = %s alone, from y = %s.", name, g.xAt(cols[0]), g.yAt(rows[0]))
	}
	marks := []int{first, (first + last) / 2, last}
	if marks[1] == first {
		marks = []int{first, last}
	}
	var at []string
	for _, i := range marks {
		at = append(at, fmt.Sprintf("y = %s at x = %s", g.yAt(rows[i]), g.xAt(cols[i])))
	}
	return fmt.Sprintf("%q spans x from %s to %s; its lowest cells are %s.", name, g.xAt(cols[first]), g.xAt(cols[last]), list(at))
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

// labelOf names the class of a value.
func (g *gridMap) labelOf(v int) string {
	for _, k := range g.classes {
		if k.Value == v {
			return k.Label
		}
	}
	return count(v)
}

func cellCount(n int) string { return count(n) + " " + plural(n, "cell", "cells") }

// capital makes the first letter large, unless it stands alone: n is not N.
func capital(s string) string {
	r := []rune(s)
	if len(r) == 0 || s[0] != 'a' && (len(r) == 1 || !unicode.IsLetter(r[1])) {
		return s
	}
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}
