package castle

import (
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
