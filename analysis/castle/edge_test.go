package castle

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/phi"
)

// bigMinWaves evaluates the closed form as it is written, in big integers: q by a big square root, k by the Fibonacci
// inequality, the boundary by the quadratic form. It shares no arithmetic with MinWaves. It returns 0 if the soldiers
// cannot win.
func bigMinWaves(battle Battle) *big.Int {
	n, s, d := big.NewInt(battle.Soldiers), big.NewInt(battle.CastleHits), big.NewInt(battle.DefendersPerWave)
	one := big.NewInt(1)
	sub := func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
	mul := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	if s.Cmp(n) <= 0 {
		return one
	}
	if d.Cmp(n) < 0 {
		// q is the least q >= 1 with x = s - n - q(n-d) <= r, where r is the integer root of x² + dx = nd.
		gain := sub(n, d)
		root := new(big.Int).Sqrt(new(big.Int).Add(mul(d, d), mul(mul(big.NewInt(4), n), d)))
		r := new(big.Int).Rsh(sub(root, d), 1)
		q := sub(sub(s, n), r)
		q.Add(q, sub(gain, one))
		q.Div(q, gain) // Euclidean, so this is the ceiling for negative numbers, too
		if q.Cmp(one) < 0 {
			q = one
		}
		x := sub(sub(s, n), mul(q, gain))
		return new(big.Int).Add(new(big.Int).Add(one, q), big.NewInt(bigCleanup(n, x)))
	}
	x := sub(new(big.Int).Add(s, d), mul(big.NewInt(2), n))
	if s.Cmp(mul(big.NewInt(2), n)) >= 0 || phi.Form(n, x).Sign() <= 0 || x.Cmp(n) >= 0 {
		return new(big.Int)
	}
	return big.NewInt(2 + bigCleanup(n, x))
}

// bigCleanup returns the least k >= 0 with x F(2k+1) <= n F(2k), or 0 for x <= 0.
func bigCleanup(n, x *big.Int) int64 {
	if x.Sign() <= 0 {
		return 0
	}
	for k := 0; ; k++ {
		if new(big.Int).Mul(x, phi.BigFib(2*k+1)).Cmp(new(big.Int).Mul(n, phi.BigFib(2*k))) <= 0 {
			return int64(k)
		}
	}
}

func checkAgainstBig(t rapid.TB, b Battle) {
	t.Helper()
	want := bigMinWaves(b)
	if got := b.MinWaves(); !want.IsInt64() || got != want.Int64() {
		t.Fatalf("%v: %d waves, big integers give %v", b, got, want)
	}
	if got := b.Solve().MinWaves; got != want.Int64() {
		t.Fatalf("%v: Solve says %d waves, big integers give %v", b, got, want)
	}
}

// TestEdge compares the closed form with big integers at the edge of int64.
func TestEdge(t *testing.T) {
	edges := []int64{
		1, 2, 3, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1 << 53, 1<<53 + 1, 1<<62 - 1, 1 << 62, 1<<62 + 1,
		math.MaxInt64 / 3 * 2, math.MaxInt64 - 2, math.MaxInt64 - 1, math.MaxInt64,
	}
	for _, n := range edges {
		for _, s := range edges {
			for _, d := range edges {
				checkAgainstBig(t, Battle{n, s, d})
			}
		}
	}
}

// TestFibonacciBoundaries tests battles of the cases 2b and 2a in which x F(2k+1) is close to n F(2k), for every k
// that fits.
func TestFibonacciBoundaries(t *testing.T) {
	checked := 0
	for k := 1; k <= 45; k++ {
		even, odd := phi.Fib(2*k), phi.Fib(2*k+1)
		if odd > math.MaxInt64/4 {
			break
		}
		for _, multiple := range []int64{1, 2, 3, 7, 1000} {
			for delta := int64(-1); delta <= 1; delta++ {
				// n = m F(2k+1) and x = m F(2k) + delta. The loop also takes the neighbours F(2k-1), F(2k-2).
				if odd > uint64(math.MaxInt64/8/multiple) {
					continue
				}
				n, x := multiple*int64(odd), multiple*int64(even)+delta
				for _, d := range []int64{n, n + 1, n + x/2, n - 1, n / 2, 1} {
					for _, shift := range []int64{-1, 0, 1} {
						s := x + 2*n - d // x = s + d - 2n
						if d < 1 || s+shift < 1 {
							continue
						}
						checkAgainstBig(t, Battle{n, s + shift, d})
						checked++
					}
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d battles checked", checked)
	}
}

func TestRandomAgainstBig(t *testing.T) {
	rapid.Check(t, anywhereAgainstBig)
}

// TestWaitLimit checks the defining inequality on both sides of the limit.
func TestWaitLimit(t *testing.T) {
	check := func(t rapid.TB, n, d int64) {
		x := big.NewInt(waitLimit(n, d))
		nd := new(big.Int).Mul(big.NewInt(n), big.NewInt(d))
		value := func(x *big.Int) *big.Int {
			return new(big.Int).Mul(x, new(big.Int).Add(x, big.NewInt(d)))
		}
		if x.Sign() < 0 || value(x).Cmp(nd) > 0 || value(new(big.Int).Add(x, big.NewInt(1))).Cmp(nd) <= 0 {
			t.Fatalf("waitLimit(%d, %d) = %v", n, d, x)
		}
	}
	for n := int64(1); n < 300; n++ {
		for d := int64(1); d <= n; d++ {
			check(t, n, d)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := drawPositive(t, "n")
		check(t, n, rapid.Int64Range(1, n).Draw(t, "d"))
	})
	check(t, math.MaxInt64, math.MaxInt64)
}

// TestCastleMinWavesHuge compares the bisection over the waves in which everybody shoots at the castle with a walk
// through these waves.
func TestCastleMinWavesHuge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBattle(t)
		if b.Soldiers/b.DefendersPerWave > 1<<24 {
			b.DefendersPerWave = b.Soldiers >> 20
		}
		if got, want := b.CastleMinWaves(), b.CastleFrom(b.Start()); got != want {
			t.Fatalf("%v: the castle wins in %d waves, wave by wave in %d", b, got, want)
		}
	})
	// In these battles everybody shoots at the castle for a million waves.
	for _, b := range []Battle{
		{1 << 40, math.MaxInt64, 1},
		{1 << 42, 1 << 60, 3},
		{1<<62 - 1, math.MaxInt64, 1 << 22},
		{math.MaxInt64, math.MaxInt64, 1 << 24},
	} {
		if got, want := b.CastleMinWaves(), b.CastleFrom(b.Start()); got != want {
			t.Errorf("%v: the castle wins in %d waves, wave by wave in %d", b, got, want)
		}
	}
}

// TestLossAllOut compares the hits lost while everybody shoots at the castle with a sum in big integers.
func TestLossAllOut(t *testing.T) {
	for _, b := range []Battle{
		{1 << 40, math.MaxInt64, 1},
		{1 << 62, math.MaxInt64, 1 << 42},
		{math.MaxInt64, math.MaxInt64, 1 << 43},
	} {
		soldiers, defenders, loss := big.NewInt(b.Soldiers), new(big.Int), new(big.Int)
		for wave := int64(1); soldiers.Sign() > 0 && wave < 3000; wave++ {
			loss.Add(loss, soldiers)
			want := uint64(math.MaxUint64)
			if loss.IsUint64() {
				want = loss.Uint64()
			}
			if got := b.lossAllOut(wave); got != want {
				t.Fatalf("%v: %d hits after wave %d, want %d", b, got, wave, want)
			}
			soldiers = new(big.Int).Sub(soldiers, defenders)
			defenders.Add(defenders, big.NewInt(b.DefendersPerWave))
		}
	}
}

// TestAlmostMatched checks battles in which defenders nearly match the soldiers. They are so large that 3n outgrows 64
// bits, and that a walk through the waves would never end.
func TestAlmostMatched(t *testing.T) {
	for _, n := range []int64{1<<60 - 1, 1 << 60, 1<<60 + 1, 1 << 61, math.MaxInt64/3 + 1, 1 << 62, math.MaxInt64} {
		for _, d := range []int64{n - 1, n - 2, n - 1000, n/2 + 1, n / 2, n/10*9 + 1} {
			for _, extra := range []int64{1, 2, n / 10, n / 2, n - 1, math.MaxInt64 - n} {
				if extra < 1 || extra > math.MaxInt64-n {
					continue
				}
				b := Battle{n, n + extra, d}
				checkAgainstBig(t, b)
				soldiers, fall := b.MostSurvivors()
				if got := b.Play(b.fallIn(fall)); got.Winner != Soldiers || got.Waves != b.MinWaves() ||
					got.SoldiersLeft != soldiers {
					t.Errorf("%v: a fall in wave %d ends with %+v, claimed %d survivors", b, fall, got, soldiers)
				}
			}
		}
	}
}

func anywhereAgainstBig(t *rapid.T) { checkAgainstBig(t, drawBattle(t)) }

func FuzzClosedForm(f *testing.F) { f.Fuzz(rapid.MakeFuzz(anywhereAgainstBig)) }

func FuzzStep(f *testing.F) {
	f.Add(int64(10), uint64(15), int64(1), int64(15), int64(9))
	f.Fuzz(func(t *testing.T, soldiers int64, defenders uint64, hits, d, i int64) {
		if soldiers < 1 || hits < 0 || d < 1 || hits == 0 && defenders == 0 ||
			defenders > uint64(math.MaxInt64)+uint64(soldiers) {
			return
		}
		b, s := Battle{soldiers, max(1, hits), d}, State{soldiers, defenders, hits}
		low, high := s.Moves()
		if low < 0 || low > high || high > soldiers || uint64(high) > defenders {
			t.Fatalf("%v: moves %d..%d", s, low, high)
		}
		if i < low || i > high {
			i = low
		}
		next, winner := b.Step(s, i)
		left := new(big.Int).Sub(new(big.Int).SetUint64(defenders), big.NewInt(i))
		castle := new(big.Int).Sub(big.NewInt(hits), new(big.Int).Sub(big.NewInt(soldiers), big.NewInt(i)))
		if castle.Sign() < 0 {
			castle.SetInt64(0)
		}
		if big.NewInt(next.CastleHits).Cmp(castle) != 0 {
			t.Fatalf("%v, i = %d: %v, want S = %v", s, i, next, castle)
		}
		alive := new(big.Int).Sub(big.NewInt(soldiers), left)
		switch {
		case castle.Sign() == 0 && left.Sign() == 0:
			if winner != Soldiers || next.Soldiers != soldiers {
				t.Fatalf("%v, i = %d: %v %v", s, i, next, winner)
			}
		case alive.Sign() <= 0:
			if winner != Castle || next.Soldiers != 0 || left.Cmp(new(big.Int).SetUint64(next.Defenders)) != 0 {
				t.Fatalf("%v, i = %d: %v %v", s, i, next, winner)
			}
		default:
			if castle.Sign() > 0 {
				left.Add(left, big.NewInt(d))
			}
			if alive.Cmp(big.NewInt(next.Soldiers)) != 0 || left.Cmp(new(big.Int).SetUint64(next.Defenders)) != 0 ||
				(winner == Tie) != (next == s) {
				t.Fatalf("%v, i = %d: %v %v, want N = %v, D = %v", s, i, next, winner, alive, left)
			}
		}
	})
}

// TestSmallestCastle compares the border with the walk, castle by castle: no castle below the border wins, and every
// castle above it wins. TestAgainstSearch compares the border with exhaustive search.
func TestSmallestCastle(t *testing.T) {
	for n := int64(1); n <= 120; n++ {
		for d := int64(1); d <= max(n+1, 20); d++ {
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
func checkBorder(t rapid.TB, n, d int64) {
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

// bigBorder computes the border with square roots: u - 1 is the floor of (√(5 + 8(n - d + φ)/d) - √5)/2, or for d = 1
// of (√(5 + 8n) - √5)/2, but at least 0.
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

// TestSmallestCastleAtTheEdge walks on both sides of the border at the edge of int64, and where the border leaves
// int64.
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

func ExampleSmallestCastle() {
	fmt.Println(SmallestCastle(6, 1), SmallestCastle(41, 10), SmallestCastle(math.MaxInt64, 1))
	// Output: 19 107 26409387513978151228662822551
}
