package phi

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

func TestFib(t *testing.T) {
	// F(93) is from OEIS A000045. F(94) = 19740274219868223167 is the first beyond 64 bits.
	for _, c := range []struct {
		k    int
		want uint64
	}{{0, 0}, {1, 1}, {2, 1}, {3, 2}, {12, 144}, {50, 12586269025}, {93, 12200160415121876738}} {
		if got := Fib(c.k); got != c.want {
			t.Errorf("Fib(%d) = %d, want %d", c.k, got, c.want)
		}
	}
	for k := range MaxIndex + 1 {
		if big := BigFib(k); !big.IsUint64() || big.Uint64() != Fib(k) {
			t.Errorf("BigFib(%d) = %v, Fib gives %d", k, big, Fib(k))
		}
	}
	if BigFib(MaxIndex + 1).IsUint64() {
		t.Errorf("F(%d) fits in 64 bits: MaxIndex is too small", MaxIndex+1)
	}
}

func TestFibOutside(t *testing.T) {
	for _, k := range []int{-1, MaxIndex + 1} {
		if must.Panic(func() { Fib(k) }) == nil {
			t.Errorf("Fib(%d) did not panic", k)
		}
	}
}

// naiveFib walks the recurrence in both directions.
func naiveFib(k int) *big.Int {
	a, b := big.NewInt(0), big.NewInt(1)
	for ; k > 0; k-- {
		a, b = b, new(big.Int).Add(a, b)
	}
	for ; k < 0; k++ {
		a, b = new(big.Int).Sub(b, a), a
	}
	return a
}

func TestBigFib(t *testing.T) {
	for k := -150; k <= 300; k++ {
		if got, want := BigFib(k), naiveFib(k); got.Cmp(want) != 0 {
			t.Errorf("BigFib(%d) = %v, want %v", k, got, want)
		}
	}
}

// naiveSign decides a + bφ with 300 bits of √5, which suffice for all 64-bit integers: |a + bφ| >= 1/(|a| + |b|φ) >
// 2^-66 unless both are zero.
func naiveSign(a, b int64) int {
	root := new(big.Float).SetPrec(300).SetInt64(5)
	root.Sqrt(root)
	phi := new(big.Float).SetPrec(300).Add(root, big.NewFloat(1))
	phi.Quo(phi, big.NewFloat(2))
	sum := new(big.Float).SetPrec(300).SetInt64(b)
	sum.Mul(sum, phi)
	return sum.Add(sum, new(big.Float).SetPrec(300).SetInt64(a)).Sign()
}

// TestSign checks small numbers, numbers at the edges of int64, and numbers around Fibonacci numbers.
func TestSign(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - 1, math.MaxInt64}
	for a := int64(-60); a <= 60; a++ {
		numbers = append(numbers, a)
	}
	for k := 60; k <= 92; k++ {
		f := int64(Fib(k))
		numbers = append(numbers, f, f-1, -f, 1-f)
	}
	for _, a := range numbers {
		for _, b := range numbers {
			if got, want := Sign(a, b), naiveSign(a, b); got != want {
				t.Fatalf("Sign(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestSignRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		if got, want := Sign(a, b), naiveSign(a, b); got != want {
			t.Fatalf("Sign(%d, %d) = %d, want %d", a, b, got, want)
		}
	})
}

func TestFloorDiv(t *testing.T) {
	check := func(n uint64) {
		t.Helper()
		if quotient := FloorDiv(n); Cmp(n, quotient) < 0 || Cmp(n, quotient+1) >= 0 {
			t.Fatalf("FloorDiv(%d) = %d", n, quotient)
		}
	}
	for n := range uint64(5000) {
		check(n)
	}
	for k := range MaxIndex + 1 {
		for _, delta := range []int64{-1, 0, 1} {
			check(Fib(k) + uint64(delta))
		}
	}
	for _, n := range []uint64{1 << 62, 1<<63 - 1, 1 << 63, 11400714819323198485, math.MaxUint64} {
		check(n)
	}
}

func TestFormOnFibonacci(t *testing.T) {
	for k := -100; k <= 200; k++ {
		if left, right := FormOnFibonacci(k); left.Cmp(right) != 0 {
			t.Errorf("k = %d: %v on the left, %v on the right", k, left, right)
		}
	}
}

// mulPhi returns (a + bφ)(c + dφ) = (ac + bd) + (ad + bc + bd)φ as its two integer coefficients.
func mulPhi(a, b, c, d *big.Int) (one, phi *big.Int) {
	bd := new(big.Int).Mul(b, d)
	one = new(big.Int).Add(new(big.Int).Mul(a, c), bd)
	phi = new(big.Int).Add(new(big.Int).Mul(a, d), new(big.Int).Mul(b, c))
	return one, phi.Add(phi, bd)
}

func TestPowerOfPhi(t *testing.T) {
	one, phi := big.NewInt(1), big.NewInt(0)
	for k := range 100 {
		a, b := PowerOfPhi(k)
		if a.Cmp(one) != 0 || b.Cmp(phi) != 0 {
			t.Fatalf("φ^%d = %v + %vφ, multiplying out gives %v + %vφ", k, a, b, one, phi)
		}
		one, phi = mulPhi(one, phi, big.NewInt(0), big.NewInt(1))
	}
	a, b := PowerOfPhi(-7)
	c, d := PowerOfPhi(7)
	if one, phi := mulPhi(a, b, c, d); one.Cmp(big.NewInt(1)) != 0 || phi.Sign() != 0 {
		t.Errorf("φ^-7 φ^7 = %v + %vφ, want 1", one, phi)
	}
}

func TestHuntInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, x := big.NewInt(rapid.Int64().Draw(t, "n")), big.NewInt(rapid.Int64().Draw(t, "x"))
		if before, after := HuntInvariant(n, x); before.Cmp(after) != 0 {
			t.Fatalf("the form changes from %v to %v", before, after)
		}
	})
}

// TestFormUnitsAreFibonacci checks over a range that the form is ±1 only on neighbouring Fibonacci numbers: the
// converse of FormOnFibonacci.
func TestFormUnitsAreFibonacci(t *testing.T) {
	neighbours := map[[2]int64]bool{}
	for k := range 30 {
		neighbours[[2]int64{int64(Fib(k + 1)), int64(Fib(k))}] = true
	}
	for n := int64(1); n <= 600; n++ {
		for x := int64(0); x <= 600; x++ {
			value := Form(big.NewInt(n), big.NewInt(x))
			if unit := value.CmpAbs(big.NewInt(1)) == 0; unit != neighbours[[2]int64{n, x}] {
				t.Fatalf("Form(%d, %d) = %v", n, x, value)
			}
		}
	}
}

func TestConvergents(t *testing.T) {
	lastBelow, lastAbove := new(big.Rat).SetInt64(-1), new(big.Rat).SetInt64(2)
	for k := range 40 {
		below, above := Convergents(k)
		if below.Cmp(lastBelow) <= 0 || above.Cmp(lastAbove) >= 0 {
			t.Errorf("k = %d: %v, %v do not close in", k, below, above)
		}
		// a/b < 1/φ exactly when b > aφ.
		if Cmp(below.Denom().Uint64(), below.Num().Uint64()) <= 0 ||
			Cmp(above.Denom().Uint64(), above.Num().Uint64()) >= 0 {
			t.Errorf("k = %d: 1/φ is not between %v and %v", k, below, above)
		}
		lastBelow, lastAbove = below, above
	}
}

func ExampleCmp() {
	// 2360 defenders against 3820 soldiers: is 3820 more than 2360φ? And 3819 more than 2362φ?
	fmt.Println(Cmp(3820, 2360), Cmp(3819, 2362))
	// Output: 1 -1
}

func ExampleFormOnFibonacci() {
	left, right := FormOnFibonacci(11)
	fmt.Println(left, right, Fib(12), Fib(11))
	// Output: -1 -1 144 89
}
