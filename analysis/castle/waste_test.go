package castle

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// wastefulSearch finds the castle's fewest waves by exhaustive search over all plays, including plays that waste
// shots.
type wastefulSearch struct {
	d    int
	seen map[[3]int]int
}

func (w wastefulSearch) castle(soldiers, defenders, hits int) int {
	key := [3]int{soldiers, defenders, hits}
	if best, ok := w.seen[key]; ok {
		return best
	}
	w.seen[key] = 0 // a repeated state is not a win; only a tie repeats a state
	best := 0
	for atDefenders := 0; atDefenders <= min(soldiers, defenders); atDefenders++ {
		left, standing := defenders-atDefenders, max(0, hits-(soldiers-atDefenders))
		later := 0
		switch {
		case left == 0 && standing == 0:
			continue
		case left < soldiers:
			out := left
			if standing > 0 {
				out += w.d
			}
			if later = w.castle(soldiers-left, out, standing); later == 0 {
				continue
			}
		}
		if best == 0 || later+1 < best {
			best = later + 1
		}
	}
	w.seen[key] = best
	return best
}

// TestCastleAnyShots compares the fewest waves with exhaustive search.
func TestCastleAnyShots(t *testing.T) {
	soldiers, hits, most := int64(24), int64(100), int64(30)
	if testing.Short() {
		soldiers, hits, most = 12, 60, 15
	}
	faster, later := 0, 0
	for d := range most {
		search := wastefulSearch{int(d + 1), map[[3]int]int{}}
		for n := range soldiers {
			for s := range hits {
				b := Battle{n + 1, s + 1, d + 1}
				got, want := b.CastleMinWavesAnyShots(), int64(search.castle(int(n+1), 0, int(s+1)))
				if got != want {
					t.Fatalf("%v: %d waves, the search finds %d", b, got, want)
				}
				if thrifty := b.CastleMinWaves(); thrifty > 0 && (got == 0 || got > thrifty) {
					t.Fatalf("%v: %d waves with any shots, %d without waste", b, got, thrifty)
				} else if got < thrifty {
					faster++
				}
				if got > 0 && got < allAtCastle(b) {
					later++
				}
			}
		}
	}
	if faster < 100 || later < 10 {
		t.Errorf("waste is faster in %d battles, and some thrift before it in %d", faster, later)
	}
}

// allAtCastle returns in which wave the castle wins if from wave 1 on all soldiers fire at the castle, and then at its
// ruins.
func allAtCastle(b Battle) int64 {
	n, d, s := b.Soldiers, int64(0), b.CastleHits
	for wave := int64(1); ; wave++ {
		if d >= n {
			return wave
		}
		s -= n
		n -= d
		if s > 0 {
			d += b.DefendersPerWave
		}
	}
}

// wastefulLine follows the theorem to the letter, in big integers. It plays the greedy line wave by wave, and after
// each wave also tries to shoot only at the castle. It divides once the castle is down, because then each wave kills
// the same number of soldiers.
func wastefulLine(b Battle) *big.Int {
	one := big.NewInt(1)
	n, out, s, d := big.NewInt(b.Soldiers), new(big.Int), big.NewInt(b.CastleHits), big.NewInt(b.DefendersPerWave)
	best := new(big.Int)
	for wave := int64(0); ; wave++ {
		soldiers, defenders, hits := new(big.Int).Set(n), new(big.Int).Set(out), new(big.Int).Set(s)
		total := big.NewInt(wave)
		for defenders.Cmp(soldiers) < 0 && hits.Sign() > 0 {
			hits.Sub(hits, soldiers)
			soldiers.Sub(soldiers, defenders)
			if hits.Sign() > 0 {
				defenders.Add(defenders, d)
			}
			total.Add(total, one)
		}
		if defenders.Sign() > 0 {
			rest := new(big.Int).Add(soldiers, defenders)
			total.Add(total, rest.Sub(rest, one).Div(rest, defenders))
			if best.Sign() == 0 || total.Cmp(best) < 0 {
				best.Set(total)
			}
		}
		left := new(big.Int).Set(out) // what the greedy line leaves
		next := new(big.Int).Sub(s, n)
		if s.Cmp(n) <= 0 {
			left.Add(left, next).Sub(left, one)
			next = one
		}
		if left.Sign() < 0 || left.Cmp(n) >= 0 || best.Sign() > 0 && best.IsInt64() && best.Int64() <= wave {
			return best
		}
		n, out, s = new(big.Int).Sub(n, left), new(big.Int).Add(left, d), new(big.Int).Set(next)
	}
}

// TestCastleAnyShotsEdge compares the fewest waves with wastefulLine, up to the edge of int64.
func TestCastleAnyShotsEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, math.MaxInt64).Draw(t, "n") >> rapid.IntRange(0, 62).Draw(t, "small")
		n = max(1, n)
		least := max(1, n>>rapid.IntRange(0, 16).Draw(t, "few")) // a few hundred waves precede thrift
		d := rapid.Int64Range(least, least+min(math.MaxInt64-least, n)).Draw(t, "d")
		s := n
		for range rapid.IntRange(0, 400).Draw(t, "waves") {
			if s < math.MaxInt64-n {
				s += n
			}
		}
		s -= rapid.Int64Range(0, n-1).Draw(t, "less")
		b := Battle{n, max(1, s), d}
		if got, want := b.CastleMinWavesAnyShots(), wastefulLine(b); !want.IsInt64() || got != want.Int64() {
			t.Fatalf("%v: %d waves, %v by the line", b, got, want)
		}
	})
	for _, b := range []Battle{
		{math.MaxInt64, math.MaxInt64, 1},
		{math.MaxInt64 - 1, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64 - 1, math.MaxInt64, 1},
		{1 << 40, 1 << 41, 1 << 20},
		{1, math.MaxInt64, 1},
	} {
		if got, want := b.CastleMinWavesAnyShots(), wastefulLine(b); !want.IsInt64() || got != want.Int64() {
			t.Errorf("%v: %d waves, %v by the line", b, got, want)
		}
	}
}
