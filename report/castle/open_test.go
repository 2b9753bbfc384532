package castle

import (
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// TestSmallestWin: the formula of the border agrees with a count of all lines of play.
func TestSmallestWin(t *testing.T) {
	for n := int64(2); n <= 8; n++ {
		for d := int64(1); d < n; d++ {
			border := smallestWin(n, d)
			for s := n + 1; s <= border+n; s++ {
				b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				ways, err := b.Count(t.Context(), game.CountOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if can := ways.Castle.Total().Sign() > 0; can != (s >= border) {
					t.Errorf("%v: the castle can win: %v, but the border is %d", b, can, border)
				}
			}
		}
	}
}
