package tower

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// realBorder is the border of Fewest by real numbers: 1 more than the least, over all rounds j in which the first tower
// may fall, of max(kt(j-1), ⌊tρ_j⌋). It tries rounds as long as they can be the best.
func realBorder(h, k, t int64) *big.Int {
	exact := func(x *big.Int) *big.Float { return new(big.Float).SetPrec(1000).SetInt(x) }
	whole := func(x int64) *big.Float { return exact(big.NewInt(x)) }
	add := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(1000).Add(a, b) }
	mul := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(1000).Mul(a, b) }
	quo := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(1000).Quo(a, b) }
	root := new(big.Float).SetPrec(1000)
	root.Sqrt(add(mul(whole(k), whole(k)), mul(whole(4), whole(k))))
	c := quo(add(root, whole(k)), whole(2)) // k + x
	var least *big.Int
	for j := int64(1); ; j++ {
		alive := new(big.Int).Mul(big.NewInt(k), big.NewInt(t)) // kt(j-1)
		alive.Mul(alive, big.NewInt(j-1))
		if least != nil && alive.Cmp(least) >= 0 {
			return least.Add(least, big.NewInt(1))
		}
		pairs := mul(whole(k), quo(mul(whole(j), whole(j-1)), whole(2)))
		rho := add(mul(whole(k), whole(j-1)), mul(c, add(whole(h), pairs)))
		floor, _ := mul(whole(t), quo(rho, add(whole(1), mul(c, whole(j))))).Int(nil)
		if floor.Cmp(alive) < 0 {
			floor = alive
		}
		if least == nil || floor.Cmp(least) < 0 {
			least = floor
		}
	}
}

// checkFewest plays with as many soldiers as the border says and with one less, if they are valid.
func checkFewest(t interface {
	Helper()
	Fatalf(string, ...any)
}, h, k, towers int64,
) {
	t.Helper()
	border := Battle{1, h, k, towers}.minFewest()
	wins := func(n int64) bool {
		result, err := Battle{n, h, k, towers}.Play(Fewest, 0)
		if err != nil {
			t.Fatalf("(%d, %d, %d, %d): %v", n, h, k, towers, err)
		}
		return result.Winner == Soldiers
	}
	fewer := int64(math.MaxInt64)
	if border.IsInt64() {
		if fewer = border.Int64() - 1; !wins(fewer + 1) {
			t.Fatalf("h = %d, k = %d, t = %d: %v soldiers lose", h, k, towers, border)
		}
	}
	if fewer > 0 && wins(fewer) {
		t.Fatalf("h = %d, k = %d, t = %d: %d soldiers win, fewer than %v", h, k, towers, fewer, border)
	}
}

// TestFewestBorder compares the border with battles on both sides of it, and with real numbers.
func TestFewestBorder(t *testing.T) {
	hits := int64(60)
	if testing.Short() {
		hits = 25
	}
	for h := int64(1); h <= hits; h++ {
		for k := int64(1); k <= 12; k++ {
			for towers := int64(1); towers <= 25; towers++ {
				checkFewest(t, h, k, towers)
				if got, want := (Battle{1, h, k, towers}).minFewest(), realBorder(h, k, towers); got.Cmp(want) != 0 {
					t.Fatalf("h = %d, k = %d, t = %d: %v soldiers, in real numbers %v", h, k, towers, got, want)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(1, 63)
		draw := func(name string) int64 { // of any length
			return rapid.Int64Range(1, math.MaxInt64>>(63-length.Draw(t, name+" bits"))).Draw(t, name)
		}
		checkFewest(t, draw("h"), draw("k"), draw("t"))
	})
}

// TestFewestBorderAtTheEdge does so at the edge of int64, and where the border leaves it.
func TestFewestBorderAtTheEdge(t *testing.T) {
	edges := []int64{1, 2, 3, 1<<31 - 1, 1 << 32, 1 << 53, 1<<62 + 1, math.MaxInt64 - 1, math.MaxInt64}
	beyond := 0
	for _, h := range edges {
		for _, k := range edges {
			for _, towers := range edges {
				checkFewest(t, h, k, towers)
				border := Battle{1, h, k, towers}.minFewest()
				if !border.IsInt64() {
					beyond++
				}
				if h/k < 1<<30 { // so few rounds that all can be tried
					if want := realBorder(h, k, towers); border.Cmp(want) != 0 {
						t.Errorf("h = %d, k = %d, t = %d: %v soldiers, in real numbers %v", h, k, towers, border, want)
					}
				}
			}
		}
	}
	if beyond < 100 {
		t.Errorf("only %d borders are beyond int64", beyond)
	}
}

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
					t.Errorf("h = %d, k = %d, t = %d: %d soldiers, %.4f above the price, bound %.4f", h, k, towers,
						need, over, most)
				}
				if h == 1 && affords(Battle{need - 1, h, k, towers}) {
					t.Errorf("k = %d, t = %d: %d soldiers, and one less is above the price", k, towers, need)
				}
			}
		}
	}
}
