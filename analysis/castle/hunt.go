package castle

import "math/bits"

// hunt plays the waves after the castle has fallen, where nobody has a choice: all soldiers shoot defenders until
// one side is gone. It returns in how many waves and who wins. Both numbers must be positive.
//
// The pair shrinks by the matrix ((2, -1), (-1, 1)), whose eigenvalues are φ² and φ^-2, so at most about
// 46 waves pass for 63-bit numbers: O(log) time, no products, no overflow.
func hunt(soldiers int64, defenders uint64) (waves int64, winner Winner) {
	for {
		waves++
		if defenders <= uint64(soldiers) {
			return waves, Soldiers
		}
		defenders -= uint64(soldiers)
		if defenders >= uint64(soldiers) {
			return waves, Castle
		}
		soldiers -= int64(defenders)
	}
}

// cleanup returns k(x): in how many waves n soldiers are rid of the x defenders whom the wave that brought the castle
// down has left, where no soldier was lost before that wave; 0 if x <= 0. ok is false if the soldiers lose the hunt,
// which is exactly when x φ >= n.
//
// It is the least k with x F(2k+1) <= n F(2k).
func cleanup(n int64, x uint64) (k int64, ok bool) {
	if x == 0 {
		return 0, true
	}
	if x >= uint64(n) {
		return 0, false
	}
	waves, winner := hunt(n-int64(x), x)
	return waves, winner == Soldiers
}

// waitLimit returns the largest x >= 0 with x² + dx <= nd. Soldiers (d < n) who would leave more defenders than that
// by bringing the castle down now gain by waiting one more wave. x is below n.
//
// A float64 gives the first guess and integer Newton steps settle it, so the result is exact for all positive int64.
func waitLimit(n, d int64) int64 {
	x := guessWaitLimit(n, d)
	if uint64(n)|uint64(d) < 1<<31 {
		// All products fit in 64 bits, and the guess is off by one at most.
		for x*(x+d) > n*d {
			x--
		}
		for (x+1)*(x+1+d) <= n*d {
			x++
		}
		return x
	}
	return settleWaitLimit(n, d, x)
}

// settleWaitLimit walks from a guess to the largest x with x(x+d) <= nd in 128-bit products.
func settleWaitLimit(n, d, guess int64) int64 {
	x := uint64(min(max(guess, 0), n))
	ndHigh, ndLow := bits.Mul64(uint64(n), uint64(d))
	excess := func(x uint64) (high, low uint64, above bool) { // |x(x+d) - nd|
		high, low = bits.Mul64(x, x+uint64(d))
		if high > ndHigh || high == ndHigh && low > ndLow {
			low, borrow := bits.Sub64(low, ndLow, 0)
			high, _ = bits.Sub64(high, ndHigh, borrow)
			return high, low, true
		}
		low, borrow := bits.Sub64(ndLow, low, 0)
		high, _ = bits.Sub64(ndHigh, high, borrow)
		return high, low, false
	}
	// x² + dx is convex: a Newton step from below lands above the root (plus 1 for the rounding), and steps from
	// above never pass it, because the step is rounded down. The loop ends at the first x that is not above.
	if high, low, above := excess(x); !above {
		step, _ := bits.Div64(high, low, 2*x+uint64(d))
		x += step + 1
	}
	for {
		high, low, above := excess(x)
		if !above {
			return int64(x)
		}
		step, _ := bits.Div64(high, low, 2*x+uint64(d))
		x -= max(1, step)
	}
}
