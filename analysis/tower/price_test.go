package tower

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// affords says whether n(n + kt) > kht², which every winner satisfies.
func affords(b Battle) bool {
	n, h, k, t := big.NewInt(b.Soldiers), big.NewInt(b.HitsPerTower), big.NewInt(b.KillsPerTower), big.NewInt(b.Towers)
	kt := new(big.Int).Mul(k, t)
	left := new(big.Int).Add(n, kt)
	return left.Mul(left, n).Cmp(kt.Mul(kt, t).Mul(kt, h)) > 0
}

// wholeRatio is the least r for which the positive terms of r, r-k, r-2k, ... add up to h.
func wholeRatio(h, k int64) int64 {
	for r := int64(1); ; r++ {
		sum := int64(0)
		for term := r; term > 0; term -= k {
			sum += term
		}
		if sum >= h {
			return r
		}
	}
}

// TestPrice checks the bounds of the soldiers that are needed: every winner affords it, and bad aim takes between r - 1
// and r soldiers for each tower.
func TestPrice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{4, 30, 1000}).Draw(t, "most")
		number := rapid.Int64Range(1, most)
		h, k, towers := number.Draw(t, "h"), number.Draw(t, "k"), number.Draw(t, "t")
		need := map[Strategy]int64{}
		for _, strategy := range Strategies() {
			n, err := Battle{0, h, k, towers}.MinSoldiers(strategy, 0)
			if err != nil {
				t.Fatal(err)
			}
			need[strategy] = n
		}
		if b := (Battle{need[Greedy], h, k, towers}); !affords(b) {
			t.Errorf("%v is won by greedy, but cannot be afforded", b)
		}
		r := wholeRatio(h, k)
		for _, strategy := range []Strategy{Fewest, Even} {
			if n := need[strategy]; n <= (r-1)*towers || n > r*towers {
				t.Errorf("%v needs %d soldiers against (%d, %d, %d), r = %d", strategy, n, h, k, towers, r)
			}
		}
	})
}

// TestPriceIsTight: for many towers greedy soldiers need hardly more than they have to afford.
func TestPriceIsTight(t *testing.T) {
	const towers = 1_000_000
	for h := int64(1); h <= 20; h++ {
		for k := int64(1); k <= 3; k++ {
			n, err := Battle{0, h, k, towers}.MinSoldiers(Greedy, 0)
			if err != nil {
				t.Fatal(err)
			}
			x := (math.Sqrt(float64(k*k+4*k*h)) - float64(k)) / 2
			if over := float64(n)/towers - x; over < 0 || over > 1e-4 {
				t.Errorf("(%d, %d): %d soldiers, %g more a tower than %g", h, k, n, over, x)
			}
			if affords(Battle{int64(x*towers) - 1, h, k, towers}) {
				t.Errorf("(%d, %d): less than x for each tower can be afforded", h, k)
			}
		}
	}
}

// TestPriceBound checks Theorem 9: greedy soldiers need more than xt, and no more than a constant above it, which is
// the same for any number of towers. Of towers of one hit they need the least whole number above xt.
func TestPriceBound(t *testing.T) {
	for h := int64(1); h <= 12; h++ {
		for k := int64(1); k <= 6; k++ {
			fh, fk := float64(h), float64(k)
			x := (math.Sqrt(fk*fk+4*fk*fh) - fk) / 2
			most := fk*fh*(fh-1)*(2+fk/fh*(1-x/fh))/(x*(2*x+fk)) + 1
			for _, towers := range []int64{1, 2, 3, 5, 8, 13, 50, 89, 100, 377, 1000, 1597, 10_000, 100_003} {
				need, err := Battle{1, h, k, towers}.MinSoldiers(Greedy, 0)
				if err != nil {
					t.Fatal(err)
				}
				if over := float64(need) - x*float64(towers); !affords(Battle{need, h, k, towers}) || over > most+1e-6 {
					t.Errorf("h = %d, k = %d, t = %d: %d soldiers, %.4f above the price, bound %.4f", h, k, towers, need, over, most)
				}
				if h == 1 && affords(Battle{need - 1, h, k, towers}) {
					t.Errorf("k = %d, t = %d: %d soldiers, and one less is above the price", k, towers, need)
				}
			}
		}
	}
}
