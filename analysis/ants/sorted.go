package ants

import (
	"slices"
	"sort"
)

// sorted is an army in the order of its cells.
type sorted struct {
	ants []cellAnt
	rows []antRow // those that have ants, from first to last
}

// cellAnt is a cell number in the upper half, and the number of the ant on it in the lower.
type cellAnt uint64

func newCellAnt(cell, ant int32) cellAnt { return cellAnt(cell)<<32 | cellAnt(ant) }

func (c cellAnt) cell() int  { return int(c >> 32) }
func (c cellAnt) ant() int32 { return int32(uint32(c)) }

// antRow says which of the sorted ants stand in a row.
type antRow struct{ row, first, end int }

func (s *sorted) fill(army []placed) {
	s.ants, s.rows = s.ants[:0], s.rows[:0]
	for i, ant := range army {
		s.ants = append(s.ants, newCellAnt(ant.cell, int32(i)))
	}
	slices.Sort(s.ants)
	for i, at := range s.ants {
		row := int(army[at.ant()].row)
		if last := len(s.rows) - 1; last < 0 || s.rows[last].row != row {
			s.rows = append(s.rows, antRow{row, i, i})
		}
		s.rows[len(s.rows)-1].end++
	}
}

// firstRow returns the place of the first row with ants that is not above the given one.
func (s *sorted) firstRow(row int) int {
	return sort.Search(len(s.rows), func(k int) bool { return s.rows[k].row >= row })
}

// from returns the ants of a row from a cell on.
func (s *sorted) from(row antRow, cell int) []cellAnt {
	first, _ := slices.BinarySearch(s.ants[row.first:row.end], cellAnt(cell)<<32)
	return s.ants[row.first+first : row.end]
}
