package castle

import (
	"math"
	"testing"

	"github.com/siegebook/siegebook/analysis/phi"
)

// TestHuntLimits plays the hunts on both sides of each limit.
func TestHuntLimits(t *testing.T) {
	armies := []int64{math.MaxInt64, math.MaxInt64 - 1, 1 << 62, 1e18}
	for n := int64(1); n <= 200; n++ {
		armies = append(armies, n)
	}
	for k := 60; k <= 92; k++ { // the longest hunts
		armies = append(armies, int64(phi.Fib(k)), int64(phi.Fib(k))-1)
	}
	within := func(n, x, k int64, side Winner) bool {
		switch {
		case x <= 0:
			return side == Soldiers
		case x >= n:
			return side == Castle
		}
		waves, winner := hunt(n-x, uint64(x))
		return winner == side && waves <= k
	}
	for _, n := range armies {
		for k := range int64(50) {
			won, lost := HuntBounds(n, k)
			if !within(n, won, k, Soldiers) || within(n, won+1, k, Soldiers) {
				t.Fatalf("n = %d, k = %d: won with up to %d left", n, k, won)
			}
			if !within(n, lost, k, Castle) || within(n, lost-1, k, Castle) {
				t.Fatalf("n = %d, k = %d: lost with %d left or more", n, k, lost)
			}
			if k >= longestHunt && lost != won+1 {
				t.Fatalf("n = %d, k = %d: still open between %d and %d", n, k, won, lost)
			}
		}
	}
}
