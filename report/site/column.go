package site

import "strings"

// column returns where in a line of the page's source the byte of a formula at offset stands, counted from 1. It is 0
// where that cannot be told: the formula's line is there not at all, because a template call wrote it, or more than once.
func (c *chapter) column(line int, formula string, offset int) int {
	lines := strings.Split(strings.ReplaceAll(c.Source, "\r\n", "\n"), "\n")
	if line < 1 || line > len(lines) || offset > len(formula) {
		return 0
	}
	start := strings.LastIndexByte(formula[:offset], '\n') + 1
	piece, _, _ := strings.Cut(formula[start:], "\n")
	if piece == "" || strings.Count(lines[line-1], piece) != 1 {
		return 0
	}
	return strings.Index(lines[line-1], piece) + offset - start + 1
}
