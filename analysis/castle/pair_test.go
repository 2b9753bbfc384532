package castle

import (
	"math/rand/v2"
	"testing"
)

// naivePair finds the fewest waves against any number of castles, by the written rules and without memoization.
func naivePair(soldiers, defenders int, hits, sent []int, waves int) int {
	if waves == 0 {
		return 0
	}
	best := 0
	var shoot func(castle, left int, standing []int)
	shoot = func(castle, left int, standing []int) {
		if castle < len(hits) {
			for shots := range left + 1 {
				shoot(castle+1, left-shots, append(standing[:castle:castle], max(0, hits[castle]-shots)))
			}
			return
		}
		out, up := max(0, defenders-left), 0 // the other shots go to defenders
		alive := soldiers - out
		for i, s := range standing {
			if s > 0 {
				up++
				out += sent[i]
			}
		}
		later := 0
		if up > 0 || out > 0 {
			if alive <= 0 {
				return
			}
			if later = naivePair(alive, out, standing, sent, waves-1); later == 0 {
				return
			}
		}
		if best == 0 || later+1 < best {
			best = later + 1
		}
	}
	shoot(0, soldiers, nil)
	return best
}

// TestPairSearch compares the search of all plays with naivePair. If one shot destroys the other castle in the first
// wave, it also compares the result with a battle against one castle.
func TestPairSearch(t *testing.T) {
	won := 0
	for first := range int64(3) {
		for second := range int64(3) {
			search := NewPairSearch(first+1, second+1, AllPlays)
			for n := int64(1); n <= 4; n++ {
				for s := int64(1); s <= 4; s++ {
					for r := int64(1); r <= 4; r++ {
						got := search.MinWaves(n, s, r, 4)
						want := naivePair(int(n), 0, []int{int(s), int(r)}, []int{int(first + 1), int(second + 1)}, 4)
						if got != int64(want) {
							t.Fatalf("%d soldiers, %d and %d hits, %d and %d defenders: %d waves, not %d", n, s, r,
								first+1, second+1, got, want)
						}
						if got > 0 {
							won++
						}
					}
				}
			}
		}
	}
	if won < 100 {
		t.Errorf("%d battles are won", won)
	}
}

// TestSimplePlays compares simple plays with all plays on random battles, some of which can be won. It is a conjecture
// that simple plays suffice.
func TestSimplePlays(t *testing.T) {
	r, battles, won := rand.New(rand.NewPCG(2026, 56)), 40, 0
	if testing.Short() {
		battles = 8
	}
	for range battles {
		first, second := 1+r.Int64N(6), 1+r.Int64N(6)
		all, simple := NewPairSearch(first, second, AllPlays), NewPairSearch(first, second, SimplePlays)
		left, right := NewPairSearch(first, second, FirstCastleFirst), NewPairSearch(first, second, SecondCastleFirst)
		for range 20 {
			n, s1, s2 := 1+r.Int64N(9), 1+r.Int64N(12), 1+r.Int64N(12)
			got, want := simple.MinWaves(n, s1, s2, 8), all.MinWaves(n, s1, s2, 8)
			if got != want {
				t.Fatalf("%d soldiers, %d and %d hits, %d and %d defenders: simple plays take %d, others %d", n, s1,
					s2, first, second, got, want)
			}
			a, b := left.MinWaves(n, s1, s2, 8), right.MinWaves(n, s1, s2, 8)
			if a == 0 {
				a = b
			}
			if b > 0 {
				a = min(a, b)
			}
			if a != want {
				t.Fatalf("%d soldiers, %d and %d hits, %d and %d defenders: by an order %d waves, not %d",
					n, s1, s2, first, second, a, want)
			}
			if want > 0 {
				won++
			}
		}
	}
	if won < battles {
		t.Errorf("%d battles are won", won)
	}
}
