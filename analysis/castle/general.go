package castle

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// GeneralBattle is a castle game in which a soldier fires k shots per wave, a defender kills m soldiers, and the castle
// sends out d(t) defenders after wave t. A Battle is the case k = m = 1 with the same d in all waves.
//
// In a wave, the N soldiers divide their kN shots between defenders and castle as they like; then each of the x
// defenders left kills m soldiers; then a castle that still stands sends out its defenders. The soldiers win when the
// castle and all defenders are gone; the castle wins when mx >= N.
//
// Soldiers, hits, shots and kills are positive, reinforcements are not negative. The whole int64 range is allowed, but
// CastleHits + len(Reinforcements) - 1 must fit in int64, so that the number of waves does. No method changes the
// fields.
type GeneralBattle struct {
	Soldiers       int64   `json:"soldiers"`       // n, the soldiers that attack
	CastleHits     int64   `json:"castle_hits"`    // s, the hits that the castle can take
	Shots          int64   `json:"shots"`          // k, the shots that a soldier fires in a wave
	Kills          int64   `json:"kills"`          // m, the soldiers that a defender kills in a wave
	Reinforcements []int64 `json:"reinforcements"` // d(1), d(2), ...: sent out after wave 1, 2, ...; the last repeats
}

// General returns the battle as a GeneralBattle, with one shot per soldier and one kill per defender.
func (b Battle) General() GeneralBattle {
	b.must()
	return GeneralBattle{b.Soldiers, b.CastleHits, 1, 1, []int64{b.DefendersPerWave}}
}

// Plain returns the equal Battle; ok is false unless k = m = 1 and the same positive number of defenders comes after
// every wave.
func (b GeneralBattle) Plain() (plain Battle, ok bool) {
	b.must()
	for _, d := range b.Reinforcements {
		if d != b.last() {
			return Battle{}, false
		}
	}
	if b.Shots != 1 || b.Kills != 1 || b.last() == 0 {
		return Battle{}, false
	}
	return Battle{b.Soldiers, b.CastleHits, b.last()}, true
}

// Validate returns an error that names the first invalid number. The other methods panic with it; String prints any
// battle.
func (b GeneralBattle) Validate() error {
	if err := cmp.Or(
		valid.Positive("soldiers", b.Soldiers), valid.Positive("castle hits", b.CastleHits),
		valid.Positive("shots", b.Shots), valid.Positive("kills", b.Kills),
	); err != nil {
		return err
	}
	if len(b.Reinforcements) == 0 {
		return errors.New("reinforcements: none given, give the defenders of at least one wave")
	}
	for i, d := range b.Reinforcements {
		if err := valid.Natural("reinforcements after wave "+strconv.Itoa(i+1), d); err != nil {
			return err
		}
	}
	if more := int64(len(b.Reinforcements)) - 1; b.CastleHits > math.MaxInt64-more {
		return fmt.Errorf("castle hits = %d: must be at most %d with reinforcements of %d waves, use fewer",
			b.CastleHits, math.MaxInt64-more, more+1)
	}
	return nil
}

func (b GeneralBattle) must() { refuse(b.Validate()) }

// String returns "(n, s, k, m; d(1), d(2), ...)".
func (b GeneralBattle) String() string {
	var row strings.Builder
	for i, d := range b.Reinforcements {
		if i > 0 {
			row.WriteString(", ")
		}
		row.WriteString(strconv.FormatInt(d, 10))
	}
	return fmt.Sprintf("(%d, %d, %d, %d; %s)", b.Soldiers, b.CastleHits, b.Shots, b.Kills, row.String())
}

// last returns the last entry of Reinforcements, which holds for all later waves.
func (b GeneralBattle) last() int64 { return b.Reinforcements[len(b.Reinforcements)-1] }

// sent returns d(wave), the defenders that come after the wave.
func (b GeneralBattle) sent(wave int64) int64 {
	if wave < int64(len(b.Reinforcements)) {
		return b.Reinforcements[wave-1]
	}
	return b.last()
}

// spare returns the shots that are left after the given number, kN - number; enough is false if there are fewer shots.
// It returns at most 2^64 - 1, because no castle and no crowd of defenders takes more shots.
func (b GeneralBattle) spare(s State, number uint64) (shots uint64, enough bool) {
	high, low := bits.Mul64(uint64(b.Shots), uint64(s.Soldiers))
	low, borrow := bits.Sub64(low, number, 0)
	switch {
	case high < borrow:
		return 0, false
	case high > borrow:
		return math.MaxUint64, true
	}
	return low, true
}

// Step plays wave number wave (1 is the first): atDefenders of the kN shots hit a defender each, and the others hit the
// castle until it is down; then each defender left kills m soldiers; then a castle that stands sends out d(wave)
// defenders.
//
// It returns the state at the end of the wave, and the winner. A lost battle is listed as Battle.Step lists it. It
// returns Tie if the wave changes nothing and all reinforcements to come are equal. Shots may be wasted.
//
// Step panics unless the battle is valid, the state undecided, the wave positive, and atDefenders at most kN and D.
func (b GeneralBattle) Step(wave int64, s State, atDefenders uint64) (State, Winner) {
	b.must()
	s.must()
	_, enough := b.spare(s, atDefenders)
	if wave < 1 || !enough || atDefenders > s.Defenders {
		refuse(fmt.Errorf("wave %d, %d shots at defenders in %v: the wave must be 1 or later, and the shots no more "+
			"than there are defenders, or than the soldiers have", wave, atDefenders, s))
	}
	return b.step(wave, s, atDefenders)
}

// step plays a wave whose order is legal.
func (b GeneralBattle) step(wave int64, s State, atDefenders uint64) (State, Winner) {
	left := s.Defenders - atDefenders
	shots, _ := b.spare(s, atDefenders)
	hits := s.CastleHits - clampInt64(min(shots, uint64(s.CastleHits)))
	if hits == 0 && left == 0 {
		return State{Soldiers: s.Soldiers}, Soldiers
	}
	if mulCmp(uint64(b.Kills), left, uint64(s.Soldiers)) >= 0 {
		return State{Defenders: left, CastleHits: hits}, Castle
	}
	next := State{Soldiers: s.Soldiers - b.Kills*int64(left), Defenders: left, CastleHits: hits}
	if hits > 0 {
		next.Defenders += uint64(b.sent(wave)) // no overflow, because left < n
	}
	if next == s && wave >= int64(len(b.Reinforcements)) {
		return next, Tie
	}
	return next, Undecided
}

// defendersFirst returns the largest number of shots that can go to defenders.
func (b GeneralBattle) defendersFirst(s State) uint64 {
	if _, enough := b.spare(s, s.Defenders); enough {
		return s.Defenders
	}
	return uint64(b.Shots) * uint64(s.Soldiers) // no overflow, because this is less than the defenders
}

// strike returns the largest number of shots that can go to defenders if the castle falls in this wave; ok is false if
// it cannot fall.
func (b GeneralBattle) strike(s State) (atDefenders uint64, ok bool) {
	spare, ok := b.spare(s, uint64(s.CastleHits))
	return min(spare, s.Defenders), ok
}

// hunt plays the waves after the fall of the castle. The wave of the fall began with the given soldiers and left the
// given defenders. hunt returns the number of waves until the battle ends, and the winner. It is fast, because the
// numbers shrink exponentially.
func (b GeneralBattle) hunt(soldiers int64, defenders uint64) (waves int64, winner Winner) {
	s := State{Soldiers: soldiers, Defenders: defenders}
	for ; s.Defenders > 0; waves++ {
		if mulCmp(uint64(b.Kills), s.Defenders, uint64(s.Soldiers)) >= 0 {
			return waves, Castle
		}
		s.Soldiers -= b.Kills * int64(s.Defenders)
		s.Defenders -= b.defendersFirst(s)
	}
	return waves, Soldiers
}

// HuntWon reports whether soldiers win the hunt if the wave of the castle's fall began with n soldiers and left x
// defenders. They win exactly when x = 0 or k n² - kmnx - mx² > 0; for positive numbers this form is never 0. HuntWon
// panics unless the battle is valid and n is positive.
func (b GeneralBattle) HuntWon(n int64, x uint64) bool {
	b.must()
	refuse(valid.Positive("soldiers", n))
	_, winner := b.hunt(n, x)
	return winner == Soldiers
}

// GeneralSolution is the exact answer to a general battle.
type GeneralSolution struct {
	Battle GeneralBattle `json:"battle"`
	Winner Winner        `json:"winner"` // Tie when the soldiers cannot win but can hold for ever
	// MinWaves is the soldiers' fewest waves, 0 if they cannot win.
	MinWaves int64 `json:"min_waves"`
	// FallWave is the wave in which Runs brings the castle down: the latest fall of all fastest wins. DefendersLeft is
	// the number of defenders left then. Both are 0 if the soldiers cannot win.
	FallWave      int64  `json:"fall_wave"`
	DefendersLeft uint64 `json:"defenders_left"`
}

// Solve returns who wins and how fast, exactly for every valid battle.
//
// In a fastest win, as many shots as possible go to defenders until the wave in which the castle falls, and then a hunt
// follows. Solve plays that line and tries a fall in each wave. Once the reinforcements repeat and all defenders are
// shot, only the castle changes, and Solve divides. It takes one step for each number in Reinforcements, and then
// O(log) steps.
//
// Source: our own; proof in docs/derivations/general.md. It agrees with exhaustive search, which may waste shots, for
// k, m <= 3: with three reinforcements up to 6 for n <= 6, s <= 16, and with two up to 8 for n <= 8, s <= 20. It
// agrees with big integers up to the edge of int64, and with Battle.
func (b GeneralBattle) Solve() GeneralSolution {
	b.must()
	found := GeneralSolution{Battle: b, Winner: Castle}
	s := State{Soldiers: b.Soldiers, CastleHits: b.CastleHits}
	for wave := int64(1); found.MinWaves == 0 || wave <= found.MinWaves; wave++ {
		if atDefenders, ok := b.strike(s); ok {
			left := s.Defenders - atDefenders
			if k, winner := b.hunt(s.Soldiers, left); winner == Soldiers {
				found.take(wave, k, left)
			}
			if left == 0 {
				break
			}
		}
		repeats := wave >= int64(len(b.Reinforcements)) && s.Defenders == uint64(b.last())
		if _, all := b.spare(s, s.Defenders); repeats && all {
			b.wait(wave, s, &found)
			break
		}
		next, winner := b.step(wave, s, b.defendersFirst(s))
		if winner != Undecided {
			break // the castle wins; wait handles ties, and strike handles wins of the soldiers
		}
		s = next
	}
	return found
}

// MinWaves returns the fewest waves in which the soldiers can win, or 0 if they cannot. It calls Solve.
func (b GeneralBattle) MinWaves() int64 { return b.Solve().MinWaves }

// take records a win, given the wave of the castle's fall, the waves of the hunt and the defenders left, unless a
// faster win is known. Callers try falls in increasing order, so the latest of the fastest wins remains.
func (g *GeneralSolution) take(fall, hunt int64, left uint64) {
	waves, carry := bits.Add64(uint64(fall), uint64(hunt), 0)
	if carry != 0 || waves > math.MaxInt64 {
		refuse(fmt.Errorf("battle %v: takes more than %d waves", g.Battle, int64(math.MaxInt64)))
	}
	if g.MinWaves == 0 || int64(waves) <= g.MinWaves {
		g.Winner, g.MinWaves, g.FallWave, g.DefendersLeft = Soldiers, int64(waves), fall, left
	}
}

// wait finds the best fall in the given wave or later. All defenders are shot in each of these waves and d come after
// it, so only the castle changes. If the castle falls q waves later, S - (q+1)(kN - d) defenders are left, if this
// number is positive and at most d.
func (b GeneralBattle) wait(wave int64, s State, found *GeneralSolution) {
	gain, _ := b.spare(s, s.Defenders)
	if gain == 0 {
		if found.Winner == Castle {
			found.Winner = Tie
		}
		return
	}
	// gain < S: otherwise the castle could fall in this wave with no defender left, and Solve would have returned.
	excess := uint64(s.CastleHits) - gain
	best := GeneralSolution{Battle: b}
	for k, limit := range b.strikes(s.Soldiers) {
		limit = min(limit, s.Defenders)
		q := uint64(0)
		if excess > limit {
			q = uint64Ceil(excess-limit, gain)
		}
		left := uint64(0)
		if taken := q * gain; taken < excess { // q gain is below excess + gain <= S
			left = excess - taken
		}
		if fall := wave + int64(q); best.MinWaves == 0 || fall+k < best.MinWaves { // or else the later fall is as good
			best.MinWaves = 0
			best.take(fall, k, left)
		}
		if q == 0 || limit == s.Defenders {
			break
		}
	}
	found.take(best.FallWave, best.MinWaves-best.FallWave, best.DefendersLeft)
}

func uint64Ceil(a, b uint64) uint64 { return (a-1)/b + 1 }

// strikes yields, for k = 0, 1, ..., the largest number of defenders that the castle's fall may leave if n soldiers are
// to shoot them all in k more waves. It ends when this number stays the same.
//
// After k waves of a hunt there are a x - b n defenders and c n - e x soldiers, with a = c = 1, b = 0, e = m at first.
// So by then the soldiers have won if x <= n b/a, and the castle has won if x >= n c/e.
func (b GeneralBattle) strikes(n int64) iter.Seq2[int64, uint64] {
	return func(yield func(int64, uint64) bool) {
		soldiers, shots, kills := big.NewInt(n), big.NewInt(b.Shots), big.NewInt(b.Kills)
		x, lost, product := new(big.Int), new(big.Int), new(big.Int)
		ofDefenders := [2]*big.Int{big.NewInt(1), new(big.Int)}       // the factors a and b
		ofSoldiers := [2]*big.Int{big.NewInt(b.Kills), big.NewInt(1)} // the factors e and c
		for k := int64(0); ; k++ {
			x.Div(product.Mul(soldiers, ofDefenders[1]), ofDefenders[0])
			lost.Div(product.Add(product.Mul(soldiers, ofSoldiers[1]), ofSoldiers[0]).Sub(product, big.NewInt(1)),
				ofSoldiers[0])
			if !yield(k, x.Uint64()) || lost.Sub(lost, x).Cmp(big.NewInt(1)) <= 0 {
				return
			}
			for i := range 2 { // first the soldiers shoot defenders, then the defenders kill soldiers
				ofDefenders[i].Add(ofDefenders[i], product.Mul(shots, ofSoldiers[i]))
				ofSoldiers[i].Add(ofSoldiers[i], product.Mul(kills, ofDefenders[i]))
			}
		}
	}
}

// GeneralRun is a stretch of equal waves in a line of play of a general battle. In each of the waves First to Last,
// AtDefenders shots hit a defender, and AtCastle hit the castle; other shots have no target. End is the state after
// wave Last.
type GeneralRun struct {
	First       int64  `json:"first"`
	Last        int64  `json:"last"`
	AtDefenders uint64 `json:"at_defenders"`
	AtCastle    int64  `json:"at_castle"`
	End         State  `json:"end"`
	Winner      Winner `json:"winner"` // Undecided except in the last run of a line
}

// Runs lazily yields best play as runs of equal waves: the fastest win that Solve finds. If there is none, as many
// shots as possible go to defenders in each wave, which loses the fewest soldiers while the castle stands. It wastes
// no shot. It panics unless Solve returned the solution.
func (g GeneralSolution) Runs() iter.Seq[GeneralRun] {
	b := g.Battle
	b.must()
	mustFall(b, g.Winner, g.FallWave, g.MinWaves)
	return func(yield func(GeneralRun) bool) {
		s := State{Soldiers: b.Soldiers, CastleHits: b.CastleHits}
		for wave, winner := int64(1), Undecided; winner == Undecided; wave++ {
			run := GeneralRun{First: wave, Last: wave, AtDefenders: b.defendersFirst(s)}
			if wave == g.FallWave {
				atDefenders, ok := b.strike(s)
				if !ok {
					refuse(fmt.Errorf("solution of %v: the castle cannot fall in wave %d", b, wave))
				}
				run.AtDefenders = atDefenders
			}
			run.End, run.Winner = b.step(wave, s, run.AtDefenders)
			run.AtCastle = s.CastleHits - run.End.CastleHits
			if wave >= int64(len(b.Reinforcements)) && wave < g.FallWave {
				equal := s
				equal.CastleHits = run.End.CastleHits
				if equal == run.End { // then all waves before the fall are equal, too
					run.Last = g.FallWave - 1
					run.End.CastleHits -= (run.Last - wave) * run.AtCastle
					wave = run.Last
				}
			}
			s, winner = run.End, run.Winner
			if !yield(run) {
				return
			}
		}
	}
}
