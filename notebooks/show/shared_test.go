package show

import (
	"math"
	"math/big"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

type pair struct {
	Name string
	At   [2]*big.Int
}

func same(p pair) pair { return p }

func half(x float64) float64 { return x / 2 }

func length(text string) int { return len(text) }

// TestShared checks that the value is computed outside a page, and that JSON preserves it completely.
func TestShared(t *testing.T) {
	if got := Shared(same, pair{"φ", [2]*big.Int{big.NewInt(1), nil}}); got.Name != "φ" || got.At[0].Int64() != 1 {
		t.Errorf("got %v", got)
	}
	if got := Shared(half, 0.1); got != 0.05 {
		t.Errorf("got %v", got)
	}
	for _, call := range []func(){
		func() { Shared(half, math.NaN()) }, func() { Shared(length, "\xff") },
	} {
		if must.Panic(call) == nil {
			t.Error("an argument that JSON does not hold is taken")
		}
	}
}
