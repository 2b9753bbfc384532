package phi

import (
	"fmt"
	"math/big"
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
// It panics outside that domain, as an index outside an array does; BigFib has no such limit.
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
