package figure

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/siegebook/siegebook/report/content"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSummary(t *testing.T) {
	f := mustBuild(samplePhase().Figure)
	want := [][]string{
		{"area", "cells", "share", "x from", "x to", "y from", "y to", "y from, at left", "in the middle", "at right"},
		{"1 step", "8", "33.3 %", "0.5", "1", "0.5", "2", "0.5", "0.5", "0.5"},
		{"2 steps", "3", "12.5 %", "1.5", "2", "0.5", "1", "0.5", "0.5", "0.5"},
	}
	if diff := cmp.Diff(want, append([][]string{f.Summary.Header}, f.Summary.Rows...)[:3]); diff != "" {
		t.Error(diff)
	}
	if want := "x is s/n, y is d/n, both at the middle of a cell. The CSV has the value of each of the 24 cells."; f.SummaryNote != want {
		t.Errorf("note %q, want %q", f.SummaryNote, want)
	}
}

// TestSummaryAgainstData counts the cells of the data table, which is made on another road.
func TestSummaryAgainstData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := sampleAgreement()
		m.W, m.H = rapid.IntRange(1, 9).Draw(t, "w"), rapid.IntRange(1, 9).Draw(t, "h")
		m.X, m.Y = Cells("x", 1, m.W, 1), Cells("y", 1, m.H, 1)
		m.Curves = nil
		m.Cells = make([]int, m.W*m.H)
		for i := range m.Cells {
			m.Cells[i] = m.Classes[rapid.IntRange(0, len(m.Classes)-1).Draw(t, "cell")].Value
		}
		f, err := m.Figure()
		if err != nil {
			t.Fatal(err)
		}
		var want [][]string
		for _, class := range m.Classes {
			if row := summarise(f.Data, class.Label); row != nil {
				want = append(want, row)
			}
		}
		for i, row := range f.Summary.Rows {
			if row[2] != share(mustAtoi(row[1]), len(m.Cells)) {
				t.Errorf("%q has the share %q", row[0], row[2])
			}
			f.Summary.Rows[i] = slices.Delete(row, 2, 3)
		}
		if diff := cmp.Diff(want, f.Summary.Rows); diff != "" {
			t.Error(diff)
		}
	})
}

// summarise reads a row of the summary, without its share, off the table of a grid.
func summarise(data content.Records, label string) []string {
	var xs, ys, lowest []int
	for col, x := range data.Header {
		first := true
		for _, row := range data.Rows {
			if col > 0 && row[col] == label {
				xs, ys = append(xs, mustAtoi(x)), append(ys, mustAtoi(row[0]))
				if first {
					lowest, first = append(lowest, mustAtoi(row[0])), false
				}
			}
		}
	}
	if len(xs) == 0 {
		return nil
	}
	out := []string{label}
	for _, v := range []int{
		len(xs), slices.Min(xs), slices.Max(xs), slices.Min(ys), slices.Max(ys), lowest[0],
		lowest[(len(lowest)-1)/2], lowest[len(lowest)-1],
	} {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

func mustAtoi(s string) int {
	v, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return v
}
