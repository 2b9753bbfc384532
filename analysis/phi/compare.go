package phi

import (
	"cmp"
	"math/big"
	"math/bits"
)

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
// For n >= x the sign is that of n(n-x) - x², two products of 128 bits; for n < x it is -1, since φ > 1.
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

// Form returns the value of the quadratic form n² - nx - x², whose sign is that of n - xφ when n and x are
// positive. It is +1 or -1 exactly on neighbouring Fibonacci numbers (up to the sign of both), and it does not
// change when the soldiers hunt the defenders for one wave (see HuntInvariant).
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
