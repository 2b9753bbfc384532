package castle

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestSmallestCastleAgainstSearch compares the border with exhaustive search: with one hit less the castle cannot win,
// and with each number of hits from there on it can.
func TestSmallestCastleAgainstSearch(t *testing.T) {
	most := 16
	if testing.Short() {
		most = 10
	}
	for d := 1; d <= most+2; d++ {
		search := newNaiveSearch(d)
		for n := 1; n <= most; n++ {
			border := int(SmallestCastle(int64(n), int64(d)).Int64())
			for s := 1; s <= border+n; s++ {
				if wins := search.battle(n, s).castle > 0; wins != (s >= border) {
					t.Fatalf("(%d, %d, %d): the castle can win: %v, the smallest castle has %d hits", n, s, d, wins,
						border)
				}
			}
		}
	}
}

// TestSmallestCastleAgainstWalk compares the border with the walk, castle by castle: no castle below it wins, and none
// above it does not.
func TestSmallestCastleAgainstWalk(t *testing.T) {
	most := int64(120)
	if testing.Short() {
		most = 50
	}
	for n := int64(1); n <= most; n++ {
		for d := int64(1); d <= n+1; d++ {
			border := SmallestCastle(n, d).Int64()
			for s := int64(1); s <= border+2*n; s++ {
				b := Battle{n, s, d}
				if waves := b.CastleMinWaves(); waves > 0 != (s >= border) {
					t.Fatalf("%v: the castle's fewest waves are %d, the smallest castle has %d hits", b, waves, border)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n, d := drawPositive(t, "n"), drawPositive(t, "d")
		checkBorder(t, n, d)
	})
}

// checkBorder walks through the battles on both sides of the border, if they are valid, and compares it with the
// formula in real numbers.
func checkBorder(t interface {
	Helper()
	Fatalf(string, ...any)
}, n, d int64,
) {
	t.Helper()
	border := SmallestCastle(n, d)
	if want := bigBorder(n, d); border.Cmp(want) != 0 {
		t.Fatalf("n = %d, d = %d: the smallest castle has %v hits, in real numbers %v", n, d, border, want)
	}
	weaker := int64(math.MaxInt64)
	if border.IsInt64() {
		if b := (Battle{n, border.Int64(), d}); b.CastleMinWaves() == 0 {
			t.Fatalf("%v: the castle cannot win, and the smallest that can has %v hits", b, border)
		}
		weaker = border.Int64() - 1
	}
	if b := (Battle{n, weaker, d}); b.CastleMinWaves() > 0 {
		t.Fatalf("%v: the castle can win, and the smallest that can has %v hits", b, border)
	}
}

// bigBorder is the same with square roots: u - 1 is the floor of (√(5 + 8(n - d + φ)/d) - √5)/2, and for d = 1 of
// (√(5 + 8n) - √5)/2; 0 if that is below 0.
func bigBorder(n, d int64) *big.Int {
	whole := func(x int64) *big.Float { return new(big.Float).SetPrec(500).SetInt64(x) }
	add := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(500).Add(a, b) }
	quo := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(500).Quo(a, b) }
	mul := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(500).Mul(a, b) }
	sqrt := func(a *big.Float) *big.Float { return new(big.Float).SetPrec(500).Sqrt(a) }
	root5 := sqrt(whole(5))
	golden := quo(add(root5, whole(1)), whole(2))
	times := whole(n)
	if d > 1 {
		times = quo(add(add(whole(n), whole(-d)), golden), whole(d))
	}
	u := new(big.Int)
	if radicand := add(whole(5), mul(whole(8), times)); radicand.Sign() > 0 {
		v := quo(add(sqrt(radicand), mul(whole(-1), root5)), whole(2))
		if v.Sign() > 0 {
			v.Int(u)
		}
	}
	u.Add(u, big.NewInt(1))
	product := func(factors ...*big.Int) *big.Int {
		p := big.NewInt(1)
		for _, f := range factors {
			p.Mul(p, f)
		}
		return p
	}
	one, two, bigD := big.NewInt(1), big.NewInt(2), big.NewInt(d)
	before, twoBefore := new(big.Int).Sub(u, one), new(big.Int).Sub(u, two)
	half := product(bigD, u, before)
	soldiers := new(big.Int).Sub(big.NewInt(n), half.Rsh(half, 1))
	defenders := product(bigD, u)
	enough := big.NewInt(1)
	rest := new(big.Int).Set(soldiers)
	if d > 1 {
		rest.Sub(rest, bigD)
	}
	if rest.Sign() >= 0 {
		quo(new(big.Float).SetPrec(500).SetInt(rest), golden).Int(enough)
		enough.Add(enough, one)
		if d > 1 {
			enough.Add(enough, one)
		}
	}
	hits := new(big.Int).Sub(soldiers, defenders)
	if hits.Add(hits, enough); hits.Sign() < 1 {
		hits.SetInt64(1)
	}
	hits.Add(hits, product(u, big.NewInt(n)))
	return hits.Sub(hits, new(big.Int).Div(product(bigD, u, before, twoBefore), big.NewInt(6)))
}

// TestSmallestCastleAtTheEdge walks on both sides of the border at the edge of int64, and where it leaves int64.
func TestSmallestCastleAtTheEdge(t *testing.T) {
	beyond := 0
	const most = math.MaxInt64
	for _, n := range []int64{
		1, 2, 3, 1 << 31, 4_500_000_000_000, 4_600_000_000_000, 1 << 53, 1<<62 + 1, most - 1, most,
	} {
		for _, d := range []int64{
			1, 2, 3, 1000, 1 << 31, 1 << 42, 1 << 43, n/3 + 1, n/2 + 1, n - 1, n, most - 1, most,
		} {
			if d < 1 {
				continue
			}
			checkBorder(t, n, d)
			if !SmallestCastle(n, d).IsInt64() {
				beyond++
			}
		}
	}
	if beyond < 10 {
		t.Errorf("only %d borders are beyond int64", beyond)
	}
}

func TestSmallestCastleRefuses(t *testing.T) {
	for _, at := range [][2]int64{{0, 1}, {1, 0}, {-1, 1}, {1, math.MinInt64}} {
		const line = "castle: the smallest castle for n = %d soldiers, d = %d defenders per wave: both must be 1 or " +
			"more"
		want := fmt.Sprintf(line, at[0], at[1])
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("SmallestCastle(%d, %d): %v", at[0], at[1], got)
				}
			}()
			SmallestCastle(at[0], at[1])
		}()
	}
}

func ExampleSmallestCastle() {
	fmt.Println(SmallestCastle(6, 1), SmallestCastle(41, 10), SmallestCastle(math.MaxInt64, 1))
	// Output: 19 107 26409387513978151228662822551
}
