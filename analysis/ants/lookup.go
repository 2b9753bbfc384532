package ants

import "slices"

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
const rowCost = 12

// mostKept is how many enemies in range are kept while they are counted, and not looked for again.
const mostKept = 1 << 22

// count counts the enemies in range of every ant, and keeps them as long as there is room.
func (s *Solver) count() {
	s.kept, s.ends = s.kept[:0], s.ends[:0]
	for i := range s.placed {
		if !s.work.goOn() {
			return
		}
		if known := len(s.kept); known < mostKept {
			s.kept = s.look(s.kept, int32(i))
			s.ends = append(s.ends, len(s.kept))
			s.enemies[i] = len(s.kept) - known
			continue
		}
		s.enemies[i] = len(s.inRange(int32(i)))
	}
}

// inRange returns the numbers of the enemies in range of an ant, each once, in no particular order. The list holds
// until the next call.
func (s *Solver) inRange(i int32) []int32 {
	switch {
	case int(i) >= len(s.ends):
		s.near = s.look(s.near[:0], i)
		return s.near
	case i == 0:
		return s.kept[:s.ends[0]]
	}
	return s.kept[s.ends[i-1]:s.ends[i]]
}

// look appends the enemies in range of an ant to a list.
func (s *Solver) look(list []int32, i int32) []int32 {
	ant := s.placed[i]
	switch {
	case s.lookup == byRow:
		return s.lookInRows(list, ant)
	case s.inner[0].has(int(ant.row)) && s.inner[1].has(int(ant.col)):
		return s.lookAtCells(list, ant)
	}
	return s.lookAcrossEdges(list, ant)
}

// lookAtCells is for an ant whose disc does not cross an edge.
func (s *Solver) lookAtCells(list []int32, ant placed) []int32 {
	n := len(list)
	list = slices.Grow(list, len(s.steps))
	room := list[:n+len(s.steps)]
	for _, step := range s.steps {
		other := s.at[ant.cell+step]
		room[n] = other.ant() // stays if it is an enemy, else the next takes its place
		n += other.enemies(ant.owner)
	}
	return room[:n]
}

// lookAcrossEdges looks at every cell of any disc.
func (s *Solver) lookAcrossEdges(list []int32, ant placed) []int32 {
	for _, rows := range s.world.within(int(ant.row), s.disc.reach(), s.world.Rows) {
		for row := rows.first; row <= rows.last; row++ {
			for _, cols := range s.columns(ant, row) {
				start := row * s.world.Cols
				for _, other := range s.at[start+cols.first : start+cols.last+1] {
					if other.enemies(ant.owner) == 1 {
						list = append(list, other.ant())
					}
				}
			}
		}
	}
	return list
}

// lookInRows looks at the ants of each row in range that has any.
func (s *Solver) lookInRows(list []int32, ant placed) []int32 {
	for _, rows := range s.world.within(int(ant.row), s.disc.reach(), s.world.Rows) {
		for k := s.sorted.firstRow(rows.first); k < len(s.sorted.rows) && s.sorted.rows[k].row <= rows.last; k++ {
			row := s.sorted.rows[k]
			for _, cols := range s.columns(ant, row.row) {
				if cols.first > cols.last {
					continue
				}
				start := row.row * s.world.Cols
				for _, other := range s.sorted.from(row, start+cols.first) {
					if other.cell() > start+cols.last {
						break
					}
					if j := other.ant(); s.placed[j].owner != ant.owner {
						list = append(list, j)
					}
				}
			}
		}
	}
	return list
}

// columns returns the columns of a row that are in range.
func (s *Solver) columns(ant placed, row int) [2]interval {
	half := s.disc.half[s.world.gap(row, int(ant.row), s.world.Rows)]
	return s.world.within(int(ant.col), half, s.world.Cols)
}
