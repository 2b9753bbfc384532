package phi

import (
	"fmt"
	"math/big"
)

// The functions of this file evaluate both sides of an identity that the derivation of the castle game uses.
// Each is exact for every index of its domain; the tests compare left with right.

// FormOnFibonacci returns both sides of Form(F(k+1), F(k)) = (-1)^k, for every integer k.
func FormOnFibonacci(k int) (left, right *big.Int) {
	return Form(BigFib(k+1), BigFib(k)), alternating(k)
}

// PowerOfPhi returns the integers (a, b) with φ^k = a + bφ, for every integer k: a = F(k-1), b = F(k).
// With k = 4 it is the φ⁴ = 3φ + 2 of the wait-or-strike decision.
func PowerOfPhi(k int) (a, b *big.Int) {
	return BigFib(k - 1), BigFib(k)
}

// HuntInvariant returns Form(n, x) before and after one wave of soldiers shooting at nothing but defenders.
// In a hunt the pair is (n, x): n soldiers at the start of the wave that left x defenders. One wave
// later it is (n - x, 2x - n). The form does not change: the hunt moves along a hyperbola.
func HuntInvariant(n, x *big.Int) (before, after *big.Int) {
	soldiers := new(big.Int).Sub(n, x)
	left := new(big.Int).Sub(x, soldiers)
	return Form(n, x), Form(soldiers, left)
}

// Convergents returns F(2k)/F(2k+1) and F(2k+1)/F(2k+2), for k >= 0, and panics for k < 0: the fractions that close in
// on 1/φ from below and from above. The first decides in how many waves a hunt is over, the second whether it can be
// lost.
func Convergents(k int) (below, above *big.Rat) {
	if k < 0 {
		panic(fmt.Sprintf("phi: convergent %d: the index must be 0 or more", k))
	}
	return new(big.Rat).SetFrac(BigFib(2*k), BigFib(2*k+1)), new(big.Rat).SetFrac(BigFib(2*k+1), BigFib(2*k+2))
}

func alternating(k int) *big.Int {
	if k%2 == 0 {
		return big.NewInt(1)
	}
	return big.NewInt(-1)
}
