// Package axis parses the ranges of maps.
package axis

import (
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/notebooks/show"
)

// Range parses a range such as 1:60. It ends the cell if the range is not valid, begins below 1, has more numbers
// than a figure may have columns, or contains numbers too large for an axis. The argument what is the name of the axis
// in the message.
func Range(what, text string) grid.Range {
	const (
		most      = 4096          // the maximum number of columns and rows of a figure
		precision = 1_000_000_000 // the largest ratio of a number to the length of its range
	)
	r, err := grid.ParseRange(text, 1)
	if err != nil {
		show.Fail("%s: %v", what, err)
	}
	if r.Last-r.First >= most {
		show.Fail("%s %s: a map has at most %d columns and rows: write a shorter range", what, text, most)
	}
	if length := r.Last - r.First + 1; r.Last/precision >= length {
		show.Fail("%s %s: a map cannot show numbers that are this large and this close together: write "+
			"smaller ones", what, text)
	}
	return r
}
