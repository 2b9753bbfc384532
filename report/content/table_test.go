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
