// Package phi computes exactly with the golden ratio φ = (1+√5)/2, using only integers.
//
// The siege games meet φ in one place. When soldiers hunt down the defenders of a fallen castle, their numbers shrink
// by Fibonacci numbers. The soldiers survive if the ratio of defenders to soldiers is below 1/φ, and die if it is
// above. Integers suffice to decide which: for positive n and x
//
//	n > xφ   exactly when   n² - nx - x² > 0,
//
// and the two sides are never equal, because φ is irrational. Nothing in this package rounds.
//
// The identities that the derivations use are also functions, so that a reader can evaluate both sides. The tests do so
// over a range.
package phi

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
)

// MaxIndex is the largest k for which F(k) fits in 64 bits: F(93) = 12200160415121876738.
const MaxIndex = 93

// table holds F(0) .. F(MaxIndex).
var table = func() (f [MaxIndex + 1]uint64) {
	f[1] = 1
	for k := 2; k <= MaxIndex; k++ {
		f[k] = f[k-1] + f[k-2]
	}
	return f
}()

// Fib returns the Fibonacci number F(k), with F(0) = 0 and F(1) = 1, for 0 <= k <= MaxIndex.
// It panics for other k. BigFib has no such limit.
func Fib(k int) uint64 {
	if k < 0 || k > MaxIndex {
		panic(fmt.Sprintf("phi: F(%d) does not fit in 64 bits: the index must be in 0..%d, use BigFib", k, MaxIndex))
	}
	return table[k]
}

// BigFib returns the Fibonacci number F(k) for every integer k, with F(-k) = (-1)^(k+1) F(k).
// It takes O(log |k|) multiplications by the doubling formulas
//
//	F(2m) = F(m) (2F(m+1) - F(m)),   F(2m+1) = F(m)² + F(m+1)².
func BigFib(k int) *big.Int {
	magnitude := uint(k)
	if k < 0 {
		magnitude = -magnitude
	}
	f, _ := fibPair(magnitude)
	if k < 0 && magnitude%2 == 0 {
		f.Neg(f)
	}
	return f
}

// fibPair returns F(k) and F(k+1).
func fibPair(k uint) (f, next *big.Int) {
	if k == 0 {
		return big.NewInt(0), big.NewInt(1)
	}
	a, b := fibPair(k / 2)
	even := new(big.Int).Lsh(b, 1)
	even.Mul(even.Sub(even, a), a)
	odd := new(big.Int).Add(new(big.Int).Mul(a, a), new(big.Int).Mul(b, b))
	if k%2 == 0 {
		return even, odd
	}
	return odd, even.Add(even, odd)
}

// The functions of this file evaluate both sides of an identity that the derivation of the castle game uses.
// Each is exact for every index of its domain; the tests compare left with right.

// FormOnFibonacci returns both sides of Form(F(k+1), F(k)) = (-1)^k, for every integer k.
func FormOnFibonacci(k int) (left, right *big.Int) {
	return Form(BigFib(k+1), BigFib(k)), big.NewInt(1 - 2*int64(k&1))
}

// PowerOfPhi returns the integers (a, b) with φ^k = a + bφ, for every integer k: a = F(k-1), b = F(k).
// k = 4 gives φ⁴ = 3φ + 2, which decides whether to wait or to strike.
func PowerOfPhi(k int) (a, b *big.Int) {
	return BigFib(k - 1), BigFib(k)
}

// HuntInvariant returns Form(n, x) before and after one wave in which soldiers shoot only at defenders. In a hunt, n
// is the number of soldiers at the start of a wave, and x the number of defenders that this wave leaves. One wave
// later, the pair (n, x) has become (n - x, 2x - n). The form does not change: the hunt moves along a hyperbola.
func HuntInvariant(n, x *big.Int) (before, after *big.Int) {
	soldiers := new(big.Int).Sub(n, x)
	left := new(big.Int).Sub(x, soldiers)
	return Form(n, x), Form(soldiers, left)
}

// Convergents returns F(2k)/F(2k+1) and F(2k+1)/F(2k+2), for k >= 0. These fractions converge to 1/φ from below and
// from above. The first determines in how many waves a hunt is over, and the second whether it can be lost. Convergents
// panics for k < 0.
func Convergents(k int) (below, above *big.Rat) {
	if k < 0 {
		panic(fmt.Sprintf("phi: convergent %d: the index must be 0 or more", k))
	}
	return new(big.Rat).SetFrac(BigFib(2*k), BigFib(2*k+1)), new(big.Rat).SetFrac(BigFib(2*k+1), BigFib(2*k+2))
}

// Sign returns the sign (-1, 0 or +1) of a + bφ, exactly, for all 64-bit a and b.
// It is 0 only at a = b = 0, since φ is irrational.
func Sign(a, b int64) int {
	switch {
	case a >= 0 && b >= 0:
		return cmp.Compare(max(a, b), 0)
	case a <= 0 && b <= 0:
		return cmp.Compare(min(a, b), 0)
	case a > 0:
		return Cmp(magnitude(a), magnitude(b))
	default:
		return -Cmp(magnitude(a), magnitude(b))
	}
}

// Cmp compares n with xφ, exactly, for all 64-bit n and x: it returns -1 if n < xφ, +1 if n > xφ,
// and 0 only at n = x = 0.
//
// For n >= x it returns the sign of n(n-x) - x², computed from two products of 128 bits. For n < x it returns -1,
// since φ > 1.
func Cmp(n, x uint64) int {
	if n < x {
		return -1
	}
	leftHigh, leftLow := bits.Mul64(n, n-x)
	rightHigh, rightLow := bits.Mul64(x, x)
	if leftHigh != rightHigh {
		return cmp.Compare(leftHigh, rightHigh)
	}
	return cmp.Compare(leftLow, rightLow)
}

// Form returns the value of the quadratic form n² - nx - x². For positive n and x it has the same sign as n - xφ. It
// is +1 or -1 exactly on neighbouring Fibonacci numbers (up to the sign of both), and it does not change when the
// soldiers hunt the defenders for one wave (see HuntInvariant).
func Form(n, x *big.Int) *big.Int {
	square := new(big.Int).Mul(n, n)
	square.Sub(square, new(big.Int).Mul(n, x))
	return square.Sub(square, new(big.Int).Mul(x, x))
}

// FloorDiv returns the integer part of n/φ, for every 64-bit n: the largest x with xφ <= n.
func FloorDiv(n uint64) uint64 {
	low, high := n/2, n
	for low < high {
		middle := low + (high-low+1)/2
		if Cmp(n, middle) >= 0 {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
