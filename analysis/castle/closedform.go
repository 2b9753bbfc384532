package castle

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/bits"

	"github.com/siegebook/siegebook/analysis/phi"
)

func init() {
	register(Algorithm{
		Name: "exact", Title: "best play", Kind: Exact, Question: SoldiersFewest, Column: "min",
		Source:   "Castle Defense III, corrected and proved",
		Strategy: func(b Battle) Strategy { return b.Solve().Strategy() },
		Answer: func(_ context.Context, b Battle, _ Effort) (Answer, error) {
			return fewest(Soldiers, Castle, b.MinWaves()), nil
		},
		row: minWavesRow, rows: fewestRows(Soldiers, Castle, Battle.MinWaves),
		Cost: Cost{
			Method: "closed form", Each: "step by step", Law: "O(log n)",
			Count: func(_ context.Context, b Battle) (*big.Int, error) { return big.NewInt(b.Solve().Steps()), nil },
		},
	})
	register(Algorithm{
		Name: "exact-by-root", Title: "closed form by its root", Kind: Check, Question: SoldiersFewest,
		Source: "Castle Defense III, corrected: by the wave in which the castle falls",
		Answer: func(_ context.Context, b Battle, _ Effort) (Answer, error) {
			return fewest(Soldiers, Castle, b.Solve().MinWaves), nil
		},
		row:  solveRow,
		Cost: Cost{Law: "O(log n)"},
	})
}

// MinWaves returns the fewest waves in which the n soldiers can win against a castle of s hits that sends out d
// defenders per wave, or 0 if they cannot win. It is exact for every valid battle and takes O(log n) time:
//
//	s <= n:           1
//	s > n, d < n:     1 + q + k(x), x = s + qd - (q+1)n, q the least q >= 1 with x <= 0 or x² + dx <= nd
//	n < s < 2n, d >= n:  2 + k(x), x = s + d - 2n, if n² - nx - x² > 0
//
// where k(x) is 0 for x <= 0, else the least k with x F(2k+1) <= n F(2k). The soldiers cannot win any other battle.
//
// For d < n it follows the staircase, which needs no root: see Staircase.
//
// Source: Castle Defense III, corrected; proof in docs/derivations/castle-soldiers.md. It agrees with exhaustive search
// for n <= 40, s <= 120, d <= 60, and always with Solve, which finds q by the root.
func (b Battle) MinWaves() int64 {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	if s <= n { // each case checks only the conditions that it does not imply, which is faster than calling must
		if min(s, d) < 1 {
			b.refuse()
			return 0 // unreachable; it lets the compiler drop the three numbers
		}
		return 1
	}
	if d >= n {
		if n < 1 {
			b.refuse()
			return 0
		}
		if s-n >= n {
			return 0
		}
		return b.minWavesOutnumbered()
	}
	if d < 1 {
		b.refuse()
		return 0
	}
	gain := n - d
	hunts, limit := int64(0), int64(0)
	if first := int64(uint64(n) / 2); first > gain {
		if hunts, limit = 1, first; n>>60 != 0 || int64(3*uint64(n)/5)-first > gain {
			hunts, limit = worthHunting(n, gain)
		}
	}
	excess := s - n - gain // the number of defenders left if the castle falls in wave 2
	if excess > limit {
		return 2 + hunts + uint64Div(excess-limit-1, gain) + 1
	}
	if excess <= 0 {
		return 2
	}
	k, _ := cleanup(n, uint64(excess))
	return 2 + k
}

// minWavesOutnumbered implements MinWaves for d >= n, s < 2n. In these battles waiting loses soldiers, so the castle
// falls in wave 2 or never.
func (b Battle) minWavesOutnumbered() int64 {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	k, ok := cleanup(n, uint64(s-n)+uint64(d-n))
	if !ok {
		return 0
	}
	return 2 + k
}

// worthHunting returns the largest k for which the k-th wave of a hunt is worth more than a wave of waiting, T(k) -
// T(k-1) > gain, and T(k) = ⌊n F(2k)/F(2k+1)⌋. The first wave must be worth it: T(1) > gain. After the first wave that
// is not worth it, no later wave is (Lemma 14 of docs/derivations/castle-soldiers.md).
func worthHunting(n, gain int64) (k, limit int64) {
	k, limit = 1, n/2
	for {
		next := strike(n, k+1)
		if next-limit <= gain {
			return k, limit
		}
		k, limit = k+1, next
	}
}

// uint64Div divides non-negative numbers. Processors divide unsigned numbers faster.
func uint64Div(a, b int64) int64 { return int64(uint64(a) / uint64(b)) }

// unknown marks a limit of waiting that has not been computed.
const unknown = -1

// fallWave returns the wave q + 1 in which the soldiers should bring the castle down, and the number x of defenders
// that are left then, in the cases 2a and 2b. The limit is waitLimit of n and d, or unknown.
func (b Battle) fallWave(limit int64) (wave int64, left uint64) {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	if d < n {
		gain := n - d // hits per wave while every defender is shot
		if s-n <= gain {
			return 2, 0 // for any limit
		}
		if limit == unknown {
			limit = waitLimit(n, d)
		}
		q := max(1, ceilDiv(s-n-limit, gain))
		left := max(0, s-n-q*gain)
		if left > d {
			// The castle is out of reach in wave q + 1. Then x < n/2 and k = 1. A fall one wave later leaves nobody
			// and takes as many waves.
			return q + 2, 0
		}
		return q + 1, uint64(left)
	}
	return 2, uint64(s-n) + uint64(d-n)
}

// ceilDiv returns a/b rounded up, for a of any sign and positive b.
func ceilDiv(a, b int64) int64 {
	if a <= 0 {
		return -(-a / b)
	}
	return (a-1)/b + 1
}

// Solution is the exact answer to one battle under best play of the soldiers.
type Solution struct {
	Battle Battle `json:"battle"`
	Case   Case   `json:"case"`
	Winner Winner `json:"winner"` // Tie when the soldiers cannot win but can hold for ever, d = n
	// MinWaves is the soldiers' fewest waves, 0 if they cannot win.
	MinWaves int64 `json:"min_waves"`
	// FallWave is the wave in which the fastest win brings the castle down, and DefendersLeft the number of defenders
	// left then. Both are 0 if the soldiers cannot win.
	FallWave      int64  `json:"fall_wave"`
	DefendersLeft uint64 `json:"defenders_left"`
}

// Solve returns who wins and how fast, exactly for every valid battle, in O(log n) time.
func (b Battle) Solve() Solution {
	b.must()
	c, waves, fall, left := b.byRoot(unknown)
	winner := Castle
	switch {
	case waves > 0:
		winner = Soldiers
	case b.DefendersPerWave == b.Soldiers:
		winner = Tie
	}
	return Solution{b, c, winner, waves, fall, left}
}

// byRoot returns the case of the battle, and the numbers of the fastest win, or zeros if the soldiers cannot win. The
// limit is waitLimit of n and d, or unknown.
func (b Battle) byRoot(limit int64) (c Case, waves, fall int64, left uint64) {
	switch c = b.tableCase(); c {
	case Case1:
		return c, 1, 1, 0
	case Case2a, Case2b:
		fall, left = b.fallWave(limit)
		k, _ := cleanup(b.Soldiers, left)
		return c, fall + k, fall, left
	}
	return c, 0, 0, 0
}

// solveRow computes the fewest waves of a row by the root. The battles share one limit of waiting.
func solveRow(b Battle, waves []int64) {
	limit := int64(0)
	if b.DefendersPerWave < b.Soldiers {
		limit = waitLimit(b.Soldiers, b.DefendersPerWave)
	}
	first := b.CastleHits
	for i := range waves {
		b.CastleHits = first + int64(i)
		_, waves[i], _, _ = b.byRoot(limit)
	}
}

// minWavesRow computes the fewest waves of a row by calling MinWaves for each battle.
func minWavesRow(b Battle, waves []int64) {
	first := b.CastleHits
	for i := range waves {
		b.CastleHits = first + int64(i)
		waves[i] = b.MinWaves()
	}
}

// Steps returns the number of steps of the closed form in the derivation: one for the case, one for the wave of the
// fall, and one for each wave of the hunt, since k(x) is found wave by wave.
func (s Solution) Steps() int64 {
	s.must()
	if s.Winner != Soldiers {
		return 1
	}
	return 2 + s.MinWaves - s.FallWave
}

// Case returns the posts' case to which the battle belongs.
func (b Battle) Case() Case {
	b.must()
	return b.tableCase()
}

func (b Battle) tableCase() Case {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	switch {
	case s <= n:
		return Case1
	case d < n:
		return Case2a
	case s-n >= n:
		return Case2d
	case phi.Cmp(uint64(n), uint64(s-n)+uint64(d-n)) > 0:
		return Case2b
	default:
		return Case2c
	}
}

// Strategy returns best play: the fastest win of the closed form, or, if there is none, the line in which the soldiers
// hold out longest (for ever, if the result is a tie).
//
// In a win, all soldiers shoot at the castle in wave 1, then at defenders first. The castle falls in wave FallWave, and
// then they shoot only at defenders.
func (s Solution) Strategy() Strategy {
	s.must()
	if s.Winner != Soldiers {
		return s.Battle.LongestResistance().Strategy()
	}
	return s.Battle.fallIn(s.FallWave)
}

// fallIn returns a strategy that shoots at defenders first until wave fall, brings the castle down in that wave, and
// hunts afterwards.
func (b Battle) fallIn(fall int64) Strategy {
	return func(wave int64, s State) Orders {
		if wave < fall {
			orders := DefendersFirst(wave, s)
			orders.Waves = fall - wave
			return orders
		}
		return CastleFirst(wave, s)
	}
}

// SmallestCastle returns the fewest hits with which a castle that sends out d defenders per wave can win against n
// soldiers if no shot is wasted. A castle with more hits can win too. If the result exceeds int64, the castle can win
// no valid [Battle] of n and d. It is exact for all positive n and d and takes O(log n) time; it panics for other
// numbers.
//
// From wave u + 1 on, the castle keeps its last hit (see FastestCastleWin), where u is the least number with
//
//	n - du(u-1)/2 - ed < φ (ud - e),   e = 1 for d >= 2, e = 0 for d = 1.
//
// For d = 1 the castle has to win the hunt after a fall in that wave; for d >= 2 it has to win by keeping its last hit.
// The proof is in docs/derivations/castle-side.md.
func SmallestCastle(n, d int64) *big.Int {
	if n < 1 || d < 1 {
		refuse(fmt.Errorf("the smallest castle for n = %d soldiers, d = %d defenders per wave: both must be 1 or more",
			n, d))
	}
	early := func(u int64) bool {
		soldiers, enough := thriftIn(n, d, u)
		return soldiers < 1 || enough <= uint64(u)*uint64(d)
	}
	low, high := int64(0), int64(1) // early(1 << 32 + 1) is true: no soldiers are left by then
	for !early(high) {
		low, high = high, min(2*high, 1<<32+1)
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; early(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	soldiers, enough := thriftIn(n, d, high)
	hits := uint64(1)
	if defenders := uint64(high) * uint64(d); uint64(soldiers)+enough > defenders+1 {
		hits = uint64(soldiers) + enough - defenders
	}
	u := big.NewInt(high)
	saved := new(big.Int).SetUint64(uint64(d) * triangle(high-1)) // the number of dead soldiers at the start of wave u
	saved.Mul(saved, u).Div(saved, big.NewInt(3))
	lost := u.Mul(u, big.NewInt(n))
	return lost.Sub(lost, saved).Add(lost, new(big.Int).SetUint64(hits))
}

// thriftIn returns the number of soldiers at the start of wave u + 1 if all have shot at the castle until then, or 0
// if none are left. It also returns the fewest defenders that must be left by a fall in that wave for the castle to
// win.
func thriftIn(n, d, u int64) (soldiers int64, enough uint64) {
	if mulCmp(uint64(d), triangle(u), uint64(n)) >= 0 {
		return 0, 0
	}
	soldiers = n - d*int64(triangle(u))
	if d == 1 {
		return soldiers, phi.FloorDiv(uint64(soldiers)) + 1
	}
	if soldiers < d {
		return soldiers, 1
	}
	return soldiers, phi.FloorDiv(uint64(soldiers-d)) + 2
}

func init() {
	register(Algorithm{
		Name: "published", Title: "published formula", Kind: Formula, Question: SoldiersFewest,
		Source: "Castle Defense III, as printed", Answer: answerPublished, row: publishedRow,
		rows: publishedRows, Cost: Cost{Law: "O(1)"},
		Case: func(b Battle) Case {
			_, c, _ := b.Published()
			return c
		},
	})
}

// Published evaluates the closed form of Castle Defense III exactly as it is printed, in float64: the fewest waves of
// the soldiers, and the case of the printed table. ok is false if the table predicts that they cannot win, or if the
// expression has no finite value.
//
// It is kept for comparison. It is wrong on every battle of case 2a (one wave short); see the report. Results below 1
// are returned as they are. The table leaves out s = 2n with d >= n, which counts as 2d. Every product is rounded
// separately, so that the result does not depend on fused multiply-add.
func (b Battle) Published() (waves float64, c Case, ok bool) {
	b.must()
	n, d := float64(b.Soldiers), float64(b.DefendersPerWave)
	waves, c = (*knownHunts)(nil).waves(n, float64(b.CastleHits), d, 0)
	return waves, c, c < Case2c && !math.IsNaN(waves) && !math.IsInf(waves, 0)
}

// answerPublished converts the result of Published to an Answer: the castle wins if the table predicts that the
// soldiers cannot win. A value that is not finite becomes no answer.
func answerPublished(_ context.Context, b Battle, _ Effort) (Answer, error) {
	waves, c, ok := b.Published()
	switch {
	case ok:
		return Answer{Winner: Soldiers, InFloat: waves}, nil
	case c == Case2c || c == Case2d:
		return Answer{Winner: Castle}, nil
	}
	return Answer{}, nil
}

// publishedCase returns the case by the printed table, in floating point.
func publishedCase(n, s, d float64) Case {
	switch {
	case s <= n:
		return Case1
	case d < n:
		return Case2a
	case s >= float64(2*n):
		return Case2d
	case d+s < float64((math.Phi+1)*n):
		return Case2b
	default:
		return Case2c
	}
}

// publishedRoot returns the root in equation (13) of Castle Defense III.
func publishedRoot(n, d float64) float64 { return math.Sqrt(float64(d*d) + float64(float64(4*n)*d)) }

// publishedFall returns the printed q of case 2a, and the number x of defenders that are left then.
func publishedFall(n, s, d, root float64) (q, x float64) {
	q = math.Ceil((root - d + float64(2*n) - float64(2*s)) / float64(2*(d-n)))
	return q, s + float64(q*d) - float64((q+1)*n)
}

// knownHunts caches the printed k by x. 0 means that k is not cached yet; a nil cache holds nothing.
type knownHunts [1 << 9]float64

// waves evaluates the printed table. root is the root of n and d if the caller knows it, else 0. The number of waves is
// 0 if the table predicts that the castle wins.
func (known *knownHunts) waves(n, s, d, root float64) (said float64, c Case) {
	switch c = publishedCase(n, s, d); c {
	case Case1:
		said = 1
	case Case2a:
		if root == 0 {
			root = publishedRoot(n, d)
		}
		q, x := publishedFall(n, s, d, root)
		said = q + known.printedK(n, x)
	case Case2b:
		said = 2 + known.printedK(n, s+d-float64(2*n))
	}
	return said, c
}

// printedK returns the printed k, or 0 if it is not positive. Computing k takes two logarithms. A row has few different
// values of x, all of them integers, so most k come from the cache.
func (known *knownHunts) printedK(n, x float64) float64 {
	switch i := int(x); {
	case -n <= x && x <= 0: // the logarithm of a number of at most 1
		return 0
	case known != nil && 0 < i && i < len(known) && float64(i) == x:
		if known[i] == 0 {
			known[i] = publishedK(n, x)
		}
		return math.Max(0, known[i])
	}
	return math.Max(0, publishedK(n, x))
}

// publishedRow computes Published for the battles of a row.
func publishedRow(b Battle, waves []int64) {
	var known knownHunts
	n, d := float64(b.Soldiers), float64(b.DefendersPerWave)
	root := publishedRoot(n, d)
	for i := range waves {
		said, c := known.waves(n, float64(b.CastleHits+int64(i)), d, root)
		switch {
		case c >= Case2c:
			waves[i] = 0
		case 1 <= said && said < 1<<53:
			waves[i] = int64(said)
		default:
			waves[i] = -1
		}
	}
}

// publishedK evaluates equations (6), (14) and (15) of Castle Defense III.
func publishedK(n, x float64) float64 {
	ratio := (n + x/math.Phi) / (n - float64(x*math.Phi))
	return math.Ceil(math.Log(ratio) / math.Log(math.Phi) / 4)
}

// Stair is a range From..To of castle hits for which the soldiers need the same fewest waves. Waves is 0 if they
// cannot win.
type Stair struct {
	From  int64 `json:"from"`
	To    int64 `json:"to"`
	Waves int64 `json:"waves"`
}

// Staircase yields the fewest waves of b's soldiers against its defenders as a function of the castle's hits, in order,
// from b.CastleHits to the given number. It is a second form of the closed form: the strongest castle that falls to n
// soldiers in w waves has n + A(w) hits, with
//
//	A(1) = 0,   A(w) = (n - d) + max(A(w-1), T(w-2)),   T(k) = ⌊n F(2k)/F(2k+1)⌋,
//
// because a fastest win either waits one wave longer, or strikes in wave 2 and hunts for w - 2 waves. Each stair takes
// O(1) time. Finding the first stair takes O(1) time after the O(log n) waves in which T still grows. The proof is in
// docs/derivations/castle-soldiers.md.
//
// Staircase yields nothing if to is below b.CastleHits.
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
			default: // from now on, each further wave takes gain more hits
				waves := ceilDiv(from-n-reach, gain)
				if wave += waves; waves > (to-n-reach)/gain {
					reach = to - n // a lower bound suffices
				} else {
					reach += waves * gain
				}
			}
		}
	}
}

// strike returns T(k) = ⌊n F(2k)/F(2k+1)⌋, the most defenders that the castle's fall may leave so that n soldiers shoot
// them in k more waves. For k >= 46 it is ⌊n/φ⌋ for 63-bit n.
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

// FillMinWaves sets row[i] to the MinWaves of the battle with b.CastleHits+i hits, stair by stair.
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

// hunt plays the waves after the castle has fallen. Nobody has a choice then: all soldiers shoot at defenders until
// one side is gone. It returns the number of waves and the winner. Both arguments must be positive.
//
// A hunt of 63-bit numbers takes at most about 46 waves: each wave multiplies the pair by the matrix ((2, -1), (-1,
// 1)), whose eigenvalues are φ² and φ^-2. No product is needed, and nothing overflows.
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

// cleanup returns k(x), the number of waves in which n soldiers shoot the x defenders that the castle's fall left, if
// no soldier was lost before that wave. ok is false if the soldiers lose the hunt, which they do exactly when x φ >=
// n.
//
// k(x) is the least k with x F(2k+1) <= n F(2k).
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

// longestHunt is the number of waves after which every hunt of 63-bit numbers is over, counted from the wave after the
// fall. Hunts of F(91) or F(92) soldiers are the longest.
const longestHunt = phi.MaxIndex/2 - 1

// HuntBounds returns the bounds of a hunt of n soldiers after k further waves: if the castle's fall left at most won
// defenders, the soldiers have won by then; if it left at least lost, the castle has won. They are
//
//	won = ⌊n F(2k)/F(2k+1)⌋,   lost = ⌈n F(2k+1)/F(2k+2)⌉,
//
// and approach n/φ. For k >= 45 no integer is strictly between them. HuntBounds panics unless n is positive and k is
// not negative.
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

// waitLimit returns the largest x >= 0 with x² + dx <= nd. If the castle's fall in this wave would leave more than x
// defenders, soldiers who outnumber the defenders (d < n) gain by waiting one more wave. The limit is below n.
//
// The root x = 2nd / (√(d² + 4nd) + d) in floating point has a relative error of at most 2^-49: eight roundings of
// 2^-53 each. Bisection finds the exact limit within the bounds that follow.
func waitLimit(n, d int64) int64 {
	fn, fd := float64(n), float64(d)
	root := int64(2 * fn * fd / (math.Sqrt(fd*fd+4*fn*fd) + fd))
	slack := root>>49 + 1
	limit, beyond := max(0, root-slack), min(n, root+slack+1)
	high, low := bits.Mul64(uint64(n), uint64(d))
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
