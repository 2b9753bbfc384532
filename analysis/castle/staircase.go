package castle

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/siegebook/siegebook/analysis/phi"
)

// Stair is a run of castle strengths From..To that soldiers win against in the same fewest waves; Waves 0 means that
// they cannot win.
type Stair struct {
	From, To int64
	Waves    int64
}

// Staircase yields the fewest waves of b's n soldiers against its d defenders a wave as a function of the castle's
// hits, in order, for the hits from b.CastleHits to the given number. It is a second form of the closed form: the
// strongest castle that falls to n soldiers in w waves has n + A(w) hits, with
//
//	A(1) = 0,   A(w) = (n - d) + max(A(w-1), T(w-2)),   T(k) = ⌊n F(2k)/F(2k+1)⌋,
//
// since a fastest win either waits one wave longer, which takes n - d hits more, or strikes in wave 2 and hunts for w -
// 2 waves, which k(x) <= w - 2, that is x <= T(w-2), allows. Each stair takes O(1) time. The way to the first stair
// takes O(1) time too, except for the O(log n) waves in which T still grows. Proof in
// docs/derivations/castle-soldiers.md.
//
// Nothing is yielded if to is below b.CastleHits.
func (b Battle) Staircase(to int64) iter.Seq[Stair] {
	b.must()
	n, from, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	return func(yield func(Stair) bool) {
		gain, limit := n-d, int64(phi.FloorDiv(uint64(n))) // limit is T(∞)
		wave, reach := int64(1), int64(0)                  // reach is A(wave)
		for from <= to {
			if from-n <= reach {
				stair := Stair{from, n + min(reach, to-n), wave} // to - n may be negative
				if !yield(stair) || stair.To == to {
					return
				}
				from = stair.To + 1
			}
			hunted := strike(n, wave-1)
			next := gain + max(reach, hunted)
			switch {
			case hunted < limit || reach < hunted && next > reach:
				wave, reach = wave+1, next
			case next <= reach:
				yield(Stair{from, to, 0})
				return
			default: // from here on every wave more takes gain hits more
				waves := ceilDiv(from-n-reach, gain)
				if wave += waves; waves > (to-n-reach)/gain {
					reach = to - n // or more
				} else {
					reach += waves * gain
				}
			}
		}
	}
}

// strike returns T(k) = ⌊n F(2k)/F(2k+1)⌋, the most defenders that n soldiers can leave when the castle falls and be
// rid of in k more waves. From k = 46 on it is ⌊n/φ⌋ for 63-bit n.
func strike(n, k int64) int64 {
	if k >= phi.MaxIndex/2 {
		return int64(phi.FloorDiv(uint64(n)))
	}
	even, odd := phi.Fib(int(2*k)), phi.Fib(int(2*k+1))
	if (uint64(n)|even)>>32 == 0 {
		return int64(uint64(n) * even / odd)
	}
	high, low := bits.Mul64(uint64(n), even)
	quotient, _ := bits.Div64(high, low, odd)
	return int64(quotient)
}

// FillMinWaves sets row[i] to MinWaves of the battle with b.CastleHits+i hits, stair by stair.
func (b Battle) FillMinWaves(row []int64) {
	b.must()
	if len(row) == 0 {
		return
	}
	from := b.CastleHits
	for stair := range b.Staircase(from + int64(len(row)) - 1) {
		run := row[stair.From-from : stair.To-from+1]
		for i := range run {
			run[i] = stair.Waves
		}
	}
}

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

// longestHunt is the number of waves after which each hunt of 63-bit numbers is over, from the wave after the fall on:
// the longest are those of F(91) or F(92) soldiers.
const longestHunt = phi.MaxIndex/2 - 1

// HuntBounds returns between which numbers of defenders left by the fall of the castle a hunt of n soldiers is open
// after k further waves: with won or fewer the soldiers have won by then, with lost or more the castle. They are
//
//	won = ⌊n F(2k)/F(2k+1)⌋,   lost = ⌈n F(2k+1)/F(2k+2)⌉,
//
// and close in on n/φ, until from k = 45 on at the latest nothing is left between them. It panics unless n is positive
// and k is not negative.
func HuntBounds(n, k int64) (won, lost int64) {
	if n < 1 || k < 0 {
		refuse(fmt.Errorf("a hunt of n = %d soldiers after k = %d waves: n must be 1 or more, and k 0 or more", n, k))
	}
	if k >= longestHunt {
		won = int64(phi.FloorDiv(uint64(n)))
		return won, won + 1
	}
	odd, even := phi.Fib(int(2*k+1)), phi.Fib(int(2*k+2))
	high, low := bits.Mul64(uint64(n), odd)
	quotient, remainder := bits.Div64(high, low, even)
	if remainder > 0 {
		quotient++
	}
	return strike(n, k), int64(quotient)
}

// waitLimit returns the largest x >= 0 with x² + dx <= nd, by bisection. Soldiers (d < n) who would leave more
// defenders than that by bringing the castle down now gain by waiting one more wave. x is below n.
func waitLimit(n, d int64) int64 {
	high, low := bits.Mul64(uint64(n), uint64(d))
	limit, beyond := int64(0), n
	for beyond-limit > 1 {
		x := limit + (beyond-limit)/2
		if xHigh, xLow := bits.Mul64(uint64(x), uint64(x)+uint64(d)); xHigh > high || xHigh == high && xLow > low {
			beyond = x
		} else {
			limit = x
		}
	}
	return limit
}
