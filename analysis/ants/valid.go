package ants

import "fmt"

// Values that are not valid get no answer. A method that has an error returns one that names the value and the rule;
// any other calls one of the functions below, which panic with such a line.

// mustHave panics if the world is invalid or lacks one of the cells.
func (w World) mustHave(row1, col1, row2, col2 int) {
	refuse(w.Validate())
	if min(row1, row2, col1, col2) < 0 || max(row1, row2) >= w.Rows || max(col1, col2) >= w.Cols {
		refuse(fmt.Errorf("cells (%d, %d) and (%d, %d): off the map, use rows 0 to %d and columns 0 to %d",
			row1, col1, row2, col2, w.Rows-1, w.Cols-1))
	}
}

// must panics unless the map has a sign for each of its cells.
func (m Map) must() { refuse(m.validate()) }

func (m Map) validate() error {
	if m.Rows < 0 || m.Cols < 0 || m.Rows > MaxCells || m.Cols > MaxCells || m.Rows*m.Cols != len(m.cells) {
		return fmt.Errorf("map of %d x %d cells: it has %d, take a map that ReadMap returns as it is",
			m.Rows, m.Cols, len(m.cells))
	}
	return nil
}

// refuse panics with an error, if there is one.
func refuse(err error) {
	if err != nil {
		panic("ants: " + err.Error())
	}
}
