package figure

import (
	"strings"
	"testing"
)

func TestDecimal(t *testing.T) {
	for _, test := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{7, "7"},
		{1234, "1,234"},
		{-1234, "−1,234"},
		{0.25, "0.25"},
		{-0.5, "−0.5"},
		{1. / 3, "0.333333"},
		{999_999.4, "999,999"},
		{999_999.5, "1,000,000"},
		{1_000_000, "1,000,000"},
		{1_000_040.5, "1,000,040"},
		{123_456_789.75, "123,456,790"},
		{-1_234_567.5, "−1,234,568"},
		{999_999_999_999_999, "999,999,999,999,999"},
		{1e15, "1e+15"},
		{1e-9, "1e-09"},
		{-2.5e-9, "−2.5e-09"},
	} {
		if got := Decimal(test.v); got != test.want {
			t.Errorf("%v is written %s, want %s", test.v, got, test.want)
		}
	}
}

// TestLargeCoordinates: an alternative text names the cells of a map far from the origin in full, and so does its table.
func TestLargeCoordinates(t *testing.T) {
	for first, want := range map[int]string{999_990: "1,000,001", 12_345_678_900: "12,345,678,911"} {
		m := PhaseMap{
			Title: "Far away", X: Cells("x", first, first+40, 1), Y: Cells("y", 1, 2, 1), W: 41, H: 2, One: "wave", Many: "waves",
			Classes: []Class{{Value: 0, Label: "none"}},
		}
		for i := range 2 * 41 {
			m.Cells = append(m.Cells, i%41/11)
		}
		f, err := m.Figure()
		if err != nil {
			t.Fatal(err)
		}
		text := f.Alt
		for _, row := range append([][]string{f.Data.Header}, f.Data.Rows...) {
			text += " " + strings.Join(row, " ")
		}
		if strings.Contains(text, "e+") {
			t.Errorf("digits are lost in %.400s", text)
		}
		if !strings.Contains(f.Alt, want) {
			t.Errorf("no %s in %s", want, f.Alt)
		}
	}
}
