package castle

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/siegebook/siegebook/internal/plural"
)

func init() {
	register(Algorithm{
		Name: "castle-side", Title: "the castle's fastest win", Kind: Exact, Question: CastleFewest,
		Column: "castle_min", Source: "our own: an exercise that Castle Defense III leaves open",
		Answer: func(_ context.Context, b Battle, _ Effort) (Answer, error) {
			return fewest(Castle, Soldiers, b.CastleMinWaves()), nil
		},
		Cost: Cost{Law: "O(log² n)"}, rows: fewestRows(Castle, Soldiers, Battle.CastleMinWaves),
	})
}

// CastleWin is a fastest win of the castle. The soldiers help the castle, but waste no shot.
//
// Three numbers describe the line (see docs/derivations/castle-side.md). Before wave thrift all soldiers shoot at the
// castle. From wave thrift on they leave it exactly one hit. From wave fall on, if it is not 0, all shoot at the
// castle.
type CastleWin struct {
	Battle Battle `json:"battle"`
	Waves  int64  `json:"waves"` // the fewest waves, 0 if the castle cannot win
}

// CastleMinWaves returns the fewest waves in which the castle can win if no shot is wasted, or 0 if it cannot win. It
// is exact for every valid battle and takes O(log² n) time.
//
// Two waves suffice exactly when s > n, d >= n and s + d >= 3n. Castle Defense III asks the question and leaves it
// open; docs/derivations/castle-side.md has the answer and its proof. It agrees with exhaustive search on n <= 40, s <=
// 120, d <= 60.
func (b Battle) CastleMinWaves() int64 {
	b.must()
	waves, _, _ := b.castleLine()
	return waves
}

// FastestCastleWin returns the castle's fastest win; its Waves are 0 if there is none.
// Among all lines in which the castle still stands, this line has the most dead soldiers after each wave. Everybody
// shoots at the castle as long as it survives. Then it keeps its last hit and sends out defenders. The only choice
// left is the wave of its fall. A fall before the last wave is faster only if d = 1. See
// docs/derivations/castle-side.md.
func (b Battle) FastestCastleWin() CastleWin {
	b.must()
	waves, _, _ := b.castleLine()
	return CastleWin{b, waves}
}

// CastleMinWavesAnyShots returns the fewest waves in which the castle can win if the soldiers may waste shots. It
// returns 0 if the castle cannot win, which happens exactly for s <= n. It is exact for every valid battle and takes
// O(log n) time.
//
// The soldiers follow the line of CastleWin for some waves, and then all fire at the castle and at its ruins. See
// docs/derivations/castle-side.md for the proof. The result agrees with exhaustive search on n <= 24, s <= 100, d <=
// 30.
func (b Battle) CastleMinWavesAnyShots() int64 {
	b.must()
	if b.CastleHits <= b.Soldiers {
		return 0
	}
	best := int64(math.MaxInt64)
	for wave, s := b.allOut(); wave < best; wave++ {
		// If the castle falls in this wave, N soldiers last for N/D waves, rounded up.
		best = min(best, wave-1+int64(uint64Ceil(uint64(s.Soldiers), s.Defenders)))
		spare := uint64(s.Soldiers - s.CastleHits)
		if s.CastleHits > s.Soldiers || s.Defenders <= spare {
			break // then the castle cannot keep its last hit
		}
		left := s.Defenders - spare - 1
		if left >= uint64(s.Soldiers) {
			break
		}
		s = State{
			Soldiers: s.Soldiers - int64(left), Defenders: left + uint64(b.DefendersPerWave), CastleHits: 1,
		}
	}
	return best
}

// castleLine returns the waves of the castle's fastest win (0 if there is none), the first wave in which N shots would
// bring the castle down, and the wave in which it falls (0 if the battle is decided before).
func (b Battle) castleLine() (waves, thrift, fall int64) {
	if b.CastleHits <= b.Soldiers {
		return 0, 0, 0
	}
	thrift, s := b.allOut()
	if waves, fall = b.thrifty(s); waves != 0 {
		waves += thrift - 1
		if fall != 0 {
			fall += thrift - 1
		}
	}
	return waves, thrift, fall
}

// thrifty plays the line of castleLine from a state with a standing castle. It returns the fewest waves in which the
// castle can win, and the wave of its fall: 0 if it does not fall, or only in the last wave, or if falling is not
// faster. Both are 0 if the castle cannot win.
func (b Battle) thrifty(s State) (waves, fall int64) {
	for wave := int64(1); waves == 0 || wave <= waves; wave++ {
		if won(s) {
			return wave, 0
		}
		if s.CastleHits > s.Soldiers {
			s, _ = b.step(s, 0)
			continue
		}
		// The castle can fall now, with left = D - (N - S) defenders. If none are left, the soldiers win.
		spare := uint64(s.Soldiers - s.CastleHits)
		if s.Defenders <= spare {
			return waves, fall
		}
		left := s.Defenders - spare
		if more, winner := hunt(s.Soldiers-int64(left), left); winner == Castle && (waves == 0 || wave+more < waves) {
			waves, fall = wave+more, wave
		}
		// Otherwise the castle keeps its last hit: one shot fewer hits it, and one defender fewer is left.
		next := State{
			Soldiers: s.Soldiers - int64(left-1), Defenders: left - 1 + uint64(b.DefendersPerWave),
			CastleHits: 1,
		}
		if next == s {
			return waves, fall // nothing changes any more: a tie
		}
		s = next
	}
	return waves, fall
}

// won reports whether the castle can win in the coming wave: at least N defenders can be left without a wasted shot.
func won(s State) bool {
	soldiers := uint64(s.Soldiers)
	// To leave x = N defenders, D - N soldiers shoot at defenders (so D >= N), and 2N - D shots go to the castle.
	return s.Defenders >= soldiers && s.Soldiers-s.CastleHits <= clampInt64(s.Defenders-soldiers)
}

// allOut has everybody shoot at the castle until a wave in which N shots could bring it down or in which the castle can
// win. It returns this wave, and the state at its start. The battle must have s > n.
//
// While the castle stands, wave t starts with n - d(t-1)(t-2)/2 soldiers, (t-1)d defenders, and a castle that has lost
// tn - n - d(t-1)(t-2)(t-3)/6 hits.
func (b Battle) allOut() (int64, State) {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	reached := func(t int64) bool {
		// d t(t-1)/2 >= n: the defenders of wave t outnumber the soldiers.
		return mulCmp(uint64(d), triangle(t), uint64(n)) >= 0 || b.lossAllOut(t) >= uint64(s)
	}
	low, high := int64(1), int64(2) // reached(low) is false, because s > n
	for !reached(high) {
		low, high = high, min(2*high, 1<<32+1) // high is large enough, because triangle(1<<32 + 1) > 2^63
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; reached(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high, State{
		Soldiers:   n - int64(uint64(d)*triangle(high-1)),
		Defenders:  uint64(high-1) * uint64(d),
		CastleHits: s - int64(b.lossAllOut(high-1)),
	}
}

// lossAllOut returns the hits that the castle has lost after wave t, tn - d t(t-1)(t-2)/6, if all soldiers shoot at it
// and each of the t waves starts with soldiers alive. If the loss is 1<<64 - 1 or more, it returns 1<<64 - 1.
func (b Battle) lossAllOut(t int64) uint64 {
	u := uint64(t)
	dead := uint64(b.DefendersPerWave) * triangle(t-1) // soldiers dead at the start of wave t, fewer than n
	high, low := bits.Mul64(u, uint64(b.Soldiers))
	deadHigh, deadLow := bits.Mul64(u, dead)
	if high|deadHigh == 0 { // true for most battles, and twice as fast
		return low - deadLow/3
	}
	quotientHigh, remainder := deadHigh/3, deadHigh%3
	quotientLow, _ := bits.Div64(remainder, deadLow, 3)
	low, borrow := bits.Sub64(low, quotientLow, 0)
	if high-quotientHigh-borrow != 0 {
		return 1<<64 - 1
	}
	return low
}

// triangle returns t(t-1)/2 for 1 <= t <= 1<<32 + 1.
func triangle(t int64) uint64 {
	return uint64(t/2) * uint64((t-1)|1) // this halves the even one of t and t-1
}

// mulCmp compares the 128-bit product ab with c.
func mulCmp(a, b, c uint64) int {
	high, low := bits.Mul64(a, b)
	switch {
	case high > 0 || low > c:
		return 1
	case low < c:
		return -1
	}
	return 0
}

// Strategy returns the soldiers' orders in the castle's fastest win. It panics if the castle cannot win.
func (w CastleWin) Strategy() Strategy {
	w.Battle.must()
	waves, thrift, fall := w.Battle.castleLine()
	if waves == 0 {
		refuse(fmt.Errorf("battle %v: the castle cannot win it, check Waves first", w.Battle))
	}
	return func(wave int64, s State) Orders {
		low, high := s.Moves()
		switch {
		case wave == waves:
			// These are the most soldiers who can shoot at defenders while N defenders remain.
			return Orders{AtDefenders: max(low, min(high, clampInt64(s.Defenders-uint64(s.Soldiers))))}
		case fall != 0 && wave >= fall:
			return CastleFirst(wave, s)
		case wave < thrift:
			return Orders{}
		default:
			return Orders{AtDefenders: s.Soldiers - (s.CastleHits - 1)}
		}
	}
}

// Resistance is the longest resistance of soldiers who cannot win.
type Resistance struct {
	Battle Battle `json:"battle"`
	Winner Winner `json:"winner"` // Castle, or Tie when they can hold for ever (d = n)
	Waves  int64  `json:"waves"`  // the wave in which the castle wins; for a tie the wave that repeats
}

// LongestResistance returns how long soldiers who cannot win can hold out, exactly, in O(log n) time. Its Waves are 0
// if the soldiers can win.
//
// Either the soldiers shoot only at defenders, or they bring the castle down in wave 2. In the first of these lines,
// wave t leaves (d - n) F(2t-2) defenders. See docs/derivations/castle-side.md for the proof.
func (b Battle) LongestResistance() Resistance {
	if c := b.Case(); c != Case2c && c != Case2d {
		return Resistance{Battle: b}
	}
	if b.DefendersPerWave == b.Soldiers {
		return Resistance{Battle: b, Winner: Tie, Waves: 2}
	}
	never, fallInSecond := b.resistances()
	return Resistance{Battle: b, Winner: Castle, Waves: max(never, fallInSecond)}
}

// resistances returns how long the soldiers of a lost battle hold out: never if the castle does not fall, fallInSecond
// if it falls in wave 2. fallInSecond is 0 if the castle cannot fall then.
func (b Battle) resistances() (never, fallInSecond int64) {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	if x := uint64(s-n) + uint64(d-n); s-n < n && x < uint64(n) {
		waves, _ := hunt(n-int64(x), x)
		fallInSecond = 2 + waves
	}
	return b.Play(DefendersFirst).Waves, fallInSecond
}

// Strategy returns the soldiers' orders in a line that holds out longest. It panics if the soldiers can win.
func (r Resistance) Strategy() Strategy {
	switch longest := r.Battle.LongestResistance(); longest.Winner {
	case Undecided:
		refuse(fmt.Errorf("battle %v: the soldiers can win it, check Waves first", r.Battle))
	case Castle:
		if never, fallInSecond := r.Battle.resistances(); fallInSecond > never {
			return r.Battle.fallIn(2)
		}
	}
	return DefendersFirst
}

// Reach describes the result of the soldiers' best play, in the words that pages and explorables share: "soldiers in 8
// waves", "tie", or "castle: the soldiers hold out until wave 4 at most".
func (b Battle) Reach() string {
	if waves := b.MinWaves(); waves > 0 {
		return "soldiers in " + plural.Count(waves, "wave")
	}
	longest := b.LongestResistance()
	if longest.Winner == Tie {
		return "tie"
	}
	return "castle: the soldiers hold out until wave " + strconv.FormatInt(longest.Waves, 10) + " at most"
}

// HelpedWin describes in a sentence how fast the castle can win if the soldiers help it (CastleMinWaves). Pages show it
// after Reach and never instead of Reach, because nobody who wants to win plays that badly.
func (b Battle) HelpedWin() string {
	waves := b.CastleMinWaves()
	if waves == 0 {
		return "Even if the soldiers helped it, without wasting a shot, the castle could not win."
	}
	return "If the soldiers helped it, without wasting a shot, the castle could win in wave " +
		strconv.FormatInt(waves, 10) + "."
}

// MostSurvivors returns the most soldiers that can be alive after a fastest win, and the wave in which that win brings
// the castle down. Both are 0 if the soldiers cannot win. It is exact for every valid battle and takes O(log² n) time.
//
// Among the fastest wins, the one with the latest fall loses the fewest soldiers (docs/derivations/castle-soldiers.md).
// That fall is at most k(x) waves after the one that Solve returns.
func (b Battle) MostSurvivors() (soldiers, fall int64) {
	solution := b.Solve()
	if solution.Winner != Soldiers {
		return 0, 0
	}
	n, d := b.Soldiers, b.DefendersPerWave
	fall, left := solution.FallWave, solution.DefendersLeft
	if solution.Case == Case2a {
		// The falls that give a fastest win are consecutive, so the first fall that gives none ends the search.
		for later, x := fall, left; x > 0; {
			later, x = later+1, x-min(x, uint64(n-d))
			if k, _ := cleanup(n, x); later+k != solution.MinWaves {
				break
			}
			fall, left = later, x
		}
	}
	return afterHunt(n, left), fall
}

// afterHunt returns how many of n soldiers are alive after they have shot the x defenders that the castle's fall left.
func afterHunt(n int64, x uint64) int64 {
	soldiers := n - int64(x)
	for defenders := x; defenders > uint64(soldiers); {
		defenders -= uint64(soldiers)
		soldiers -= int64(defenders)
	}
	return soldiers
}
