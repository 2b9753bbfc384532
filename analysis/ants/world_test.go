package ants

import "testing"

// TestWay: a way leads there, has the length that Distance2 says, and no other way there is shorter; of two, it is the
// one down and to the right.
func TestWay(t *testing.T) {
	for _, bounded := range []bool{false, true} {
		for rows := 1; rows <= 6; rows++ {
			for cols := 1; cols <= 5; cols++ {
				w := World{Rows: rows, Cols: cols, Bounded: bounded, Radius2: 1}
				for from := range rows * cols {
					for to := range rows * cols {
						checkWay(t, w, from, to)
					}
				}
			}
		}
	}
}

func checkWay(t *testing.T, w World, from, to int) {
	t.Helper()
	row, col, toRow, toCol := from/w.Cols, from%w.Cols, to/w.Cols, to%w.Cols
	down, right := w.Offset(row, col, toRow, toCol)
	endRow, endCol := row+down, col+right
	if !w.Bounded {
		endRow, endCol = (endRow+w.Rows)%w.Rows, (endCol+w.Cols)%w.Cols
	}
	if got := int64(down*down + right*right); endRow != toRow || endCol != toCol ||
		got != w.Distance2(row, col, toRow, toCol) {
		t.Fatalf("%+v: from (%d, %d) to (%d, %d) by (%d, %d)", w, row, col, toRow, toCol, down, right)
	}
	if !w.Bounded && (2*down == -w.Rows || 2*right == -w.Cols) {
		t.Fatalf("%+v: from (%d, %d) to (%d, %d) by (%d, %d), and not down and to the right", w, row, col, toRow, toCol, down,
			right)
	}
}

// TestDoes: each rule says what it does.
func TestDoes(t *testing.T) {
	said := map[string]bool{"": true}
	for _, rule := range Rules() {
		if said[rule.Description()] {
			t.Errorf("%v: %q", rule, rule.Description())
		}
		said[rule.Description()] = true
	}
}
