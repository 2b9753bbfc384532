package engine

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
)

// castleHuntFunctions are about the hunt, about waiting, and about staircases.
var castleHuntFunctions = []Function{
	{"castle.hunt", []string{"n", "x"}, castleHunt},
	{"castle.limits", []string{"n"}, castleLimits},
	{"castle.falls", []string{"n", "s", "d", "wave", "count"}, castleFalls},
	{"castle.stairs", []string{"n", "s", "d"}, castleStairs},
}

// castleHunt follows n soldiers whose castle has fallen and left x defenders, n of them alive when that wave began, to
// the wave that decides the battle. Ints are 1 if the soldiers win, else 0; how many waves that takes after the fall;
// and for the wave of the fall and each wave after it the soldiers at its start and the defenders left at its end,
// where a number below 0 says how many soldiers had nobody to shoot at. Text has lines: n² - nx - x², which stays the
// same; 1/φ to as many digits as it takes to tell it from x/n; and for each of the waves the share of its soldiers that
// it kills, to as many, or nothing in the wave that decides.
func castleHunt(args []int64, r *Reply) error {
	n, x := args[0], args[1]
	if _, err := battle(n, 1, 1); err != nil {
		return err
	}
	if x < 0 {
		return fmt.Errorf("defenders left = %d: there cannot be fewer than none, use 0 or more", x)
	}
	waves, won := huntWaves(n, x)
	r.add(won, int64(len(waves)-1))
	for _, wave := range waves {
		r.add(wave.soldiers, wave.left)
	}
	digits := ratioDigits(waves[0])
	lines := []string{phi.Form(big.NewInt(n), big.NewInt(x)).String(), golden(digits)}
	for _, wave := range waves {
		lines = append(lines, wave.ratio(digits))
	}
	r.Text = strings.Join(lines, "\n")
	return nil
}

// huntWave is a wave from the fall on: the soldiers at its start, and the defenders left at its end.
type huntWave struct{ soldiers, left int64 }

// huntWaves plays a hunt by the rules. What is said of the battle beside the soldiers does not matter after the fall.
func huntWaves(n, x int64) (waves []huntWave, won int64) {
	b := castle.Battle{Soldiers: n, CastleHits: 1, DefendersPerWave: 1}
	waves = append(waves, huntWave{n, x})
	switch {
	case x == 0:
		return waves, 1
	case x >= n:
		return waves, 0
	}
	state := castle.State{Soldiers: n - x, Defenders: uint64(x)}
	for {
		waves = append(waves, huntWave{state.Soldiers, int64(state.Defenders) - state.Soldiers})
		_, high := state.Moves()
		next, winner := b.Step(state, high)
		switch winner {
		case castle.Soldiers:
			return waves, 1
		case castle.Castle:
			return waves, 0
		}
		state = next
	}
}

// ratio is the share of the soldiers that the wave kills, with so many digits after the point; nothing if it decides.
func (w huntWave) ratio(digits int) string {
	if w.left <= 0 || w.left >= w.soldiers {
		return ""
	}
	return decimal(big.NewInt(w.left), big.NewInt(w.soldiers), digits)
}

// ratioDigits is the least number of digits, 3 or more, that tell the share of a wave from 1/φ.
func ratioDigits(w huntWave) int {
	digits := 3
	for w.ratio(digits) == golden(digits) { // which ends, as x/n and 1/φ differ by more than 1/(3n²)
		digits++
	}
	return digits
}

// golden is 1/φ with so many digits after the point, from a quotient of Fibonacci numbers that has more of them.
func golden(digits int) string { return decimal(phi.BigFib(500), phi.BigFib(501), digits) }

// decimal writes a/b, from 0 to below 1, with so many digits after the point; what follows these is cut off.
func decimal(a, b *big.Int, digits int) string {
	unit := big.NewInt(1)
	for range digits {
		unit.Mul(unit, big.NewInt(10))
	}
	scaled := new(big.Int).Mul(a, unit)
	return "0." + scaled.Quo(scaled, b).Add(scaled, unit).String()[1:]
}

// castleLimits returns how many defenders the fall of the castle may leave to n soldiers. Ints are rows: k, the most
// with whom the soldiers win within k waves after the fall, the fewest with whom the castle does, then F(2k), F(2k+1)
// and F(2k+2). The last row leaves nothing between the two.
func castleLimits(args []int64, r *Reply) error {
	n := args[0]
	if _, err := battle(n, 1, 1); err != nil {
		return err
	}
	for k := int64(0); ; k++ {
		won, lost := castle.HuntLimits(n, k)
		even := int(2 * k)
		r.add(k, won, lost, int64(phi.Fib(even)), int64(phi.Fib(even+1)), int64(phi.Fib(even+2)))
		if lost == won+1 {
			return nil
		}
	}
}

// mostFalls bounds the waves of one answer.
const mostFalls = 200

// castleFalls returns what comes of the fall of the castle in each wave in which it can fall. Ints are the first and
// the last of these waves, 0 if there is none; the soldiers' fewest waves, 0 if they cannot win; the wave of the fall
// in the fastest win with the most survivors, and these; then rows: the wave, the hits that the castle can take when it
// begins, the defenders left when it ends (as unsigned numbers), 1 if the soldiers win, the wave that decides the
// battle, the soldiers who are left then, and 1 if the rule says that it is too early. There are rows for at most count
// waves around the given one, and one for the best wave. Text has lines: nd, and for each row x² + dx, which the rule
// compares with it; nothing where it does not apply, for s <= n or d >= n.
func castleFalls(args []int64, r *Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	wave, count := args[3], args[4]
	if count < 1 || count > mostFalls {
		return fmt.Errorf("%d waves: an answer has 1 to %d of them, choose a number between", count, mostFalls)
	}
	first, last := b.Falls()
	survivors, best := b.MostSurvivors()
	r.add(first, last, b.MinWaves(), best, survivors)
	d := big.NewInt(b.DefendersPerWave)
	lines := []string{new(big.Int).Mul(big.NewInt(b.Soldiers), d).String()}
	strike := b.Solve().FallWave
	add := func(wave int64) {
		fall, ok := b.FallIn(wave)
		if !ok {
			return
		}
		r.add(fall.Wave, fall.Hits, int64(fall.Left), flag(fall.Result.Winner == castle.Soldiers), fall.Result.Waves,
			fall.Result.SoldiersLeft, flag(fall.Wave < strike))
		x := new(big.Int).SetUint64(fall.Left)
		lines = append(lines, x.Mul(x, new(big.Int).Add(x, d)).String())
	}
	from, to := window(wave, count, first, last)
	if best != 0 && best < from {
		add(best)
	}
	for at := from; at <= to && first > 0; at++ {
		add(at)
	}
	if best > to {
		add(best)
	}
	if b.Case() == castle.Case2a {
		r.Text = strings.Join(lines, "\n")
	}
	return nil
}

// window returns the ends of count numbers around one, within first to last.
func window(around, count, first, last int64) (from, to int64) {
	around = max(first, min(last, around))
	from = first
	if around-first > count/2 {
		from = around - count/2
	}
	if last-from < count {
		from = max(first, last-(count-1))
		return from, last
	}
	return from, from + count - 1
}

func flag(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// The stairs of one answer: from wave 1 on as long as that is near, or else some before that of the castle. From
// steadyWave on no soldiers of 63-bit numbers strike in wave 2, and each stair is as wide as the one before.
const (
	shownStairs  = 8
	stairsBefore = 6
	stairsAfter  = 2
	steadyWave   = 60
)

// castleStairs returns the fewest waves of n soldiers who face d defenders a wave, against castles around one of s
// hits. Ints are the fewest waves against s hits, 0 if it cannot be won, and rows: the first and the last castle of a
// stair, its waves, 0 for what cannot be won; and, from wave 2 on, how strong a castle falls in so many waves to those
// who strike in wave 2, and to those who wait in wave 2, else 0, as it is where no soldier is free to wait, for d >= n.
// The larger of the two is the stair's end. A strength beyond the largest number is that number.
func castleStairs(args []int64, r *Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	n, s, gain := b.Soldiers, b.CastleHits, b.Soldiers-b.DefendersPerWave
	waves := b.MinWaves()
	r.add(waves)
	from, to := int64(1), max(shownStairs, capped(waves, stairsAfter))
	if waves > shownStairs {
		from = waves - stairsBefore
	}
	b.CastleHits = 1
	steady := waves > steadyWave
	if steady {
		b.CastleHits = s - (stairsBefore+1)*gain
	}
	reach := int64(0) // the end of the stair before
	for stair := range b.Staircase(math.MaxInt64) {
		if stair.Waves > to && waves > 0 {
			break
		}
		struck, waited := int64(0), int64(0)
		if stair.Waves >= 2 {
			hunted, _ := castle.HuntLimits(n, stair.Waves-2)
			struck = max(0, capped(n, gain, hunted))
			if gain > 0 {
				waited = capped(reach, gain)
			}
		}
		if whole := reach > 0 || !steady; whole && (stair.Waves >= from || stair.Waves == 0) {
			r.add(stair.From, stair.To, stair.Waves, struck, waited)
		}
		reach = stair.To
	}
	return nil
}

// capped is a sum, at most the largest number. Only the first of more may be below 0.
func capped(sum int64, more ...int64) int64 {
	for _, number := range more {
		if number > 0 && sum > math.MaxInt64-number {
			return math.MaxInt64
		}
		sum += number
	}
	return sum
}
