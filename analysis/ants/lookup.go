package ants

import (
	"slices"
	"sort"
)

// lookup is a way to find the enemies in range of an ant.
type lookup int8

const (
	byCell lookup = iota // look at every cell in range: best for small discs and crowds
	byRow                // look for ants in the rows in range: best for large discs
)

// largestTable is the most cells that a disc may have for a table of its cells.
const largestTable = 1 << 12

// choose takes the way that is likely to be cheaper. Both find the same.
func (s *Solver) choose() {
	ants := len(s.placed)
	rows := min(2*s.disc.reach()+1, s.world.Rows, ants)
	expected := s.disc.cells * ants / len(s.at) // at most 2^44 before the division
	// A row costs two binary searches, an ant found there about as much as a cell.
	s.lookup = byRow
	if s.steps != nil && s.disc.cells <= rowCost*rows+expected {
		s.lookup = byCell
	}
	if s.forced != nil {
		s.lookup = *s.forced
	}
	if s.lookup == byRow {
		s.sorted.fill(s.placed)
	}
}

// rowCost is the cost of finding the first ant of an interval in a row, in cells.
const rowCost = 8

// inRange returns the numbers of the enemies in range of an ant, each once, in no particular order. The list holds until
// the next call.
func (s *Solver) inRange(i int32) []int32 {
	s.near = s.near[:0]
	ant := s.placed[i]
	switch row, col := int(ant.row), int(ant.col); {
	case s.lookup == byRow:
		s.lookInRows(ant)
	case row >= s.inner[0].first && row <= s.inner[0].last && col >= s.inner[1].first && col <= s.inner[1].last:
		s.lookAtCells(ant)
	default:
		s.lookAcrossEdges(ant)
	}
	return s.near
}

// lookAtCells is for an ant whose disc does not cross an edge.
func (s *Solver) lookAtCells(ant placed) {
	near := s.near
	for _, step := range s.steps {
		if j := s.at[ant.cell+step]; j != 0 && s.placed[j-1].owner != ant.owner {
			near = append(near, j-1)
		}
	}
	s.near = near
}

// lookAcrossEdges looks at every cell of any disc.
func (s *Solver) lookAcrossEdges(ant placed) {
	for _, rows := range s.world.within(int(ant.row), s.disc.reach(), s.world.Rows) {
		for row := rows.first; row <= rows.last; row++ {
			for _, cols := range s.columns(ant, row) {
				start := row * s.world.Cols
				for _, j := range s.at[start+cols.first : start+cols.last+1] {
					if j != 0 && s.placed[j-1].owner != ant.owner {
						s.near = append(s.near, j-1)
					}
				}
			}
		}
	}
}

// columns returns the columns of a row that are in range.
func (s *Solver) columns(ant placed, row int) [2]interval {
	half := s.disc.half[s.world.gap(row, int(ant.row), s.world.Rows)]
	return s.world.within(int(ant.col), half, s.world.Cols)
}

// lookInRows looks at the ants of each row in range that has any.
func (s *Solver) lookInRows(ant placed) {
	for _, rows := range s.world.within(int(ant.row), s.disc.reach(), s.world.Rows) {
		for k := s.sorted.firstRow(rows.first); k < len(s.sorted.rows) && s.sorted.rows[k].row <= rows.last; k++ {
			row := s.sorted.rows[k]
			for _, cols := range s.columns(ant, row.row) {
				start := row.row * s.world.Cols
				for _, other := range s.sorted.from(row, start+cols.first) {
					if other.cell() > start+cols.last {
						break
					}
					if j := other.ant(); s.placed[j].owner != ant.owner {
						s.near = append(s.near, j)
					}
				}
			}
		}
	}
}

// sorted is an army in the order of its cells.
type sorted struct {
	ants []cellAnt
	rows []antRow // those that have ants, from first to last
}

// cellAnt is a cell number in the upper half, and the number of the ant on it in the lower.
type cellAnt uint64

func (c cellAnt) cell() int  { return int(c >> 32) }
func (c cellAnt) ant() int32 { return int32(uint32(c)) }

// antRow says which of the sorted ants stand in a row.
type antRow struct{ row, first, end int }

func (s *sorted) fill(army []placed) {
	s.ants, s.rows = s.ants[:0], s.rows[:0]
	for i, ant := range army {
		s.ants = append(s.ants, cellAnt(ant.cell)<<32|cellAnt(i))
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
