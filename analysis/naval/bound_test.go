package naval

import (
	"math/big"
	"testing"
)

// TestSunkPatterns lists the orders in which hits can sink ships: which ship each hit goes to, ship by ship.
func TestSunkPatterns(t *testing.T) {
	patterns := 0
	for marks := range 1 << fleetDecks { // bit i: hit i+1 sinks a ship
		sunk, least, fits := 0, []int{1, 2, 3, 4, 6, 8, 10, 13, 16, 20}, marks>>(fleetDecks-1) == 1
		for hit := 0; hit < fleetDecks && fits; hit++ {
			if marks>>hit&1 == 1 {
				fits = sunk < ships && hit+1 >= least[sunk]
				sunk++
			}
		}
		if fits && sunk == ships {
			patterns++
		}
	}
	if got := sunkPatterns(); !got.IsInt64() || got.Int64() != int64(patterns) {
		t.Errorf("%v patterns, want %d", got, patterns)
	}
}

// TestShotsBound compares the mean with the sum over sequences of answers, the shortest first, each for one fleet.
func TestShotsBound(t *testing.T) {
	const fleets = 1_855_545_978_831_780
	mean, worst := ShotsBound(fleets)
	left, sum := big.NewInt(fleets), new(big.Int)
	last := 0
	for shots := fleetDecks; left.Sign() > 0; shots++ {
		ways := new(big.Int).Binomial(int64(shots-1), fleetDecks-1)
		ways.Mul(ways, sunkPatterns())
		if ways.Cmp(left) > 0 {
			ways.Set(left)
		}
		left.Sub(left, ways)
		sum.Add(sum, ways.Mul(ways, big.NewInt(int64(shots))))
		last = shots
	}
	if want := new(big.Rat).SetFrac(sum, big.NewInt(fleets)); mean.Cmp(want) != 0 || worst != last {
		t.Errorf("%v and %d, want %v and %d", mean.FloatString(6), worst, want.FloatString(6), last)
	}
	t.Log(mean.FloatString(3), worst)
	if mean, worst := ShotsBound(1); mean.Cmp(big.NewRat(fleetDecks, 1)) != 0 || worst != fleetDecks {
		t.Errorf("one fleet: %v and %d", mean, worst)
	}
}
