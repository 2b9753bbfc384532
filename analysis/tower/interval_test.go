package tower

import (
	"math"
	"math/big"
	"testing"
)

// tail is the probability of at least x successes in n trials, in fractions.
func tail(x, n int64, p float64) float64 {
	one, success, sum := big.NewRat(1, 1), new(big.Rat).SetFloat64(p), new(big.Rat)
	failure := new(big.Rat).Sub(one, success)
	power := func(base *big.Rat, exponent int64) *big.Rat {
		e := big.NewInt(exponent)
		return new(big.Rat).SetFrac(new(big.Int).Exp(base.Num(), e, nil), new(big.Int).Exp(base.Denom(), e, nil))
	}
	for i := x; i <= n; i++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(n, i))
		sum.Add(sum, term.Mul(term, new(big.Rat).Mul(power(success, i), power(failure, n-i))))
	}
	value, _ := sum.Float64()
	return value
}

// TestClopperPearson: at the ends of the interval the tails are just alpha/2.
func TestClopperPearson(t *testing.T) {
	const alpha = 0.01
	for _, n := range []int64{1, 2, 5, 12, 40} {
		for x := int64(0); x <= n; x++ {
			low, high := clopperPearson(x, n, alpha)
			if x == 0 && low != 0 || x > 0 && math.Abs(tail(x, n, low)-alpha/2) > 1e-12 {
				t.Errorf("%d of %d: low end %v", x, n, low)
			}
			if x == n && high != 1 || x < n && math.Abs(1-tail(x+1, n, high)-alpha/2) > 1e-12 {
				t.Errorf("%d of %d: high end %v", x, n, high)
			}
		}
	}
}

// TestCoverage: whatever the truth, the interval contains it with probability 0.99 or more.
func TestCoverage(t *testing.T) {
	const n = 25
	for i := 1; i < 64; i++ {
		p := float64(i) / 64 // a short fraction
		covered := 0.0
		for x := int64(0); x <= n; x++ {
			if low, high := clopperPearson(x, n, 1-Confidence); low <= p && p <= high {
				covered += tail(x, n, p) - tail(x+1, n, p)
			}
		}
		if covered < Confidence {
			t.Errorf("p = %v is covered with probability %v", p, covered)
		}
	}
}

// TestIntervalOfManyTrials compares with the normal approximation, good to a hundredth of the width there.
func TestIntervalOfManyTrials(t *testing.T) {
	const z = 2.5758293035489 // the normal quantile of 0.995
	for _, n := range []int64{100_000, 10_000_000, 1_000_000_000} {
		for _, p := range []float64{0.1, 0.5, 0.93} {
			low, high := clopperPearson(int64(p*float64(n)), n, 0.01)
			width := 2 * z * math.Sqrt(p*(1-p)/float64(n))
			if math.Abs(high-low-width) > width/100 || low >= p || high <= p {
				t.Errorf("%v of %d: %v to %v", p, n, low, high)
			}
		}
	}
}
