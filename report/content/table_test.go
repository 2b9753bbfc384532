package content

import (
	"math"
	"math/big"
	"testing"
)

func TestCells(t *testing.T) {
	for _, tt := range []struct {
		cell Cell
		kind CellKind
		text string
	}{
		{Int(-3), NumberCell, "-3"},
		{Int(uint64(math.MaxUint64)), NumberCell, "18446744073709551615"},
		{Int(int64(math.MinInt64)), NumberCell, "-9223372036854775808"},
		{BigInt(big.NewInt(5)), NumberCell, "5"},
		{Decimal("0.5"), NumberCell, "0.5"},
		{Decimal("1/3"), TextCell, "1/3"},
		{Decimal("0x10"), TextCell, "0x10"},
		{Text("5"), TextCell, "5"},
	} {
		if tt.cell.Kind != tt.kind || tt.cell.Text != tt.text {
			t.Errorf("got %+v, want %v %q", tt.cell, tt.kind, tt.text)
		}
	}
}

// TestNumeric: numbers and percentages stand at the right, with the few words among them.
func TestNumeric(t *testing.T) {
	for _, tt := range []struct {
		want  bool
		cells []Cell
	}{
		{true, []Cell{Int(1), Decimal("-1e-9"), Text("")}},
		{true, []Cell{Text("50.0 %"), Text("7%")}},
		{true, []Cell{Text("start"), Int(1), Int(2)}},
		{false, []Cell{Text("start"), Text("begin"), Int(1)}},
		{false, []Cell{Text("5"), Text("6")}},
		{false, []Cell{Text("5 % of all")}},
		{false, []Cell{Text("")}},
		{false, nil},
	} {
		table := Table{Header: []Cell{Text("n")}}
		for _, c := range tt.cells {
			table.Rows = append(table.Rows, []Cell{c})
		}
		if got := table.Numeric(); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%v: %v, want %v", tt.cells, got, tt.want)
		}
	}
}

func TestFloat(t *testing.T) {
	for _, tt := range []struct {
		v      float64
		digits int
		kind   CellKind
		want   string
	}{
		{0.1 + 0.2, 6, NumberCell, "0.3"},
		{1234567.8, 6, NumberCell, "1234568"},
		{999999.7, 6, NumberCell, "1000000"},
		{-5, 6, NumberCell, "-5"},
		{1e-9, 6, NumberCell, "1e-09"},
		{1e21, 6, NumberCell, "1e+21"},
		{2.0 / 3, 10, NumberCell, "0.6666666667"},
		{math.Inf(1), 6, TextCell, "+Inf"},
		{math.NaN(), 6, TextCell, "NaN"},
	} {
		if got := Float(tt.v, tt.digits); got.Kind != tt.kind || got.Text != tt.want {
			t.Errorf("%v: %v %q, want %v %q", tt.v, got.Kind, got.Text, tt.kind, tt.want)
		}
	}
}
