package castle

import (
	"fmt"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
)

// numbers are what the text may say of an example, by short names.
type numbers map[string]int64

func (m numbers) texts() map[string]string {
	texts := map[string]string{}
	for name, number := range m {
		texts[name] = strconv.FormatInt(number, 10)
	}
	return texts
}

// derivationNumbers computes every number of the text, by the name of its lookup in the page.
func derivationNumbers() (map[string]numbers, error) {
	stairs, err := stairNumbers()
	if err != nil {
		return nil, err
	}
	caution, err := cautionNumbers()
	if err != nil {
		return nil, err
	}
	if err := expectExamples(); err != nil {
		return nil, err
	}
	trap, err := trapNumbers()
	if err != nil {
		return nil, err
	}
	return map[string]numbers{
		"trap": trap, "patient": patientNumbers(), "wait": waitNumbers(waitBattle), "reach": waitNumbers(reachBattle),
		"won": outnumberedNumbers(barelyWon), "lost": outnumberedNumbers(barelyLost), "round": outnumberedNumbers(roundBattle),
		"even": outnumberedNumbers(evenBattle), "thrifty": thriftyNumbers(), "books": booksNumbers(),
		"posted": waitNumbers(postedBattle), "try": exerciseNumbers(), "trial": castleNumbers(trialBattle),
		"near": outnumberedNumbers(nearBattle), "far": outnumberedNumbers(farBattle), "stairs": stairs, "caution": caution,
		"F": fibonacciNumbers(), "searched": {"n": searchedSoldiers, "s": searchedHits, "d": searchedDefenders},
	}, nil
}

// expectExamples checks what the text says in words about its examples.
func expectExamples() error {
	strikes := func(b game.Battle, q int64) int64 {
		k, ok := huntWaves(b.Soldiers, leftAt(b, q))
		if !ok {
			return 0
		}
		return 1 + q + k
	}
	q := strikeAt(patientBattle)
	if err := chapter.Expect("a wave too early loses the running example, a wave too late is slower", strikes(patientBattle, q-1) == 0 && strikes(patientBattle, q+1) > strikes(patientBattle, q), q); err != nil {
		return err
	}
	q = strikeAt(waitBattle)
	first := strikes(waitBattle, q-2) == 0 && strikes(waitBattle, q-1) > strikes(waitBattle, q) && strikes(waitBattle, q+1) > strikes(waitBattle, q)
	if err := chapter.Expect("the first strike that can be won is too early, and only once", first, q); err != nil {
		return err
	}
	never, longest := barelyLost.Play(game.DefendersFirst).Waves, barelyLost.LongestResistance().Waves
	longer := never < longest && fallOf(barelyLost, barelyLost.LongestResistance().Strategy()) == 2
	if err := chapter.Expect("in some battles of case 2c a fall in wave 2 lasts longer than defenders only", longer, never, longest); err != nil {
		return err
	}
	return chapter.Expect("one soldier makes the difference", soldierWaves(barelyWon) > 0 && soldierWaves(barelyLost) == 0 && barelyWon.Soldiers == barelyLost.Soldiers+1)
}

func battleNumbers(b game.Battle) numbers {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	return numbers{"n": n, "s": s, "d": d, "gain": n - d, "nd": n * d, "2n": 2 * n, "3n": 3 * n, "s+d": s + d, "s-n": s - n, "d-n": d - n}
}

// waitNumbers describes a battle with d < n: x_q and what goes with it at the strike, a wave before and a wave after.
func waitNumbers(b game.Battle) numbers {
	m := battleNumbers(b)
	n, d, q := b.Soldiers, b.DefendersPerWave, strikeAt(b)
	for suffix, at := range map[string]int64{"": q, " before": q - 1, " after": q + 1} {
		x := leftAt(b, at)
		k, _ := huntWaves(n, x) // of no use where the text says that the hunt is lost
		m["q"+suffix], m["q+1"+suffix], m["x"+suffix], m["k"+suffix], m["waves"+suffix] = at, at+1, x, k, 1+at+k
		m["square"+suffix] = x*x + d*x
		m["hits"+suffix] = x + n - d // what the castle has left at the start of wave q + 1
	}
	m["best"] = soldierWaves(b)
	m["square sum"], m["root"], m["X"] = d*d+4*n*d, rootOf(b), mostStruck(b)
	m["left after first"] = b.CastleHits - n
	m["defenders-first"] = b.Play(game.DefendersFirst).Waves
	m["saved"] = m["defenders-first"] - m["best"]
	return m
}

// patientNumbers adds to the running example the detour that leaves one defender alive in wave 2.
func patientNumbers() numbers {
	m := waitNumbers(patientBattle)
	b, d := patientBattle, patientBattle.DefendersPerWave
	for name, left := range map[string]int64{"detour": 1, "straight": 0} {
		state, _ := b.Step(b.Start(), 0)
		first, _ := b.Step(state, d-left)
		second, _ := b.Step(first, int64(first.Defenders))
		m[name+" S"], m[name+" D"], m[name+" C"] = first.Soldiers, int64(first.Defenders), first.CastleHits
		m[name+" S2"], m[name+" C2"] = second.Soldiers, second.CastleHits
		m[name+" at castle"] = b.Soldiers - (d - left)
	}
	return m
}

// outnumberedNumbers describes a battle with d >= n, in which the castle falls in wave 2 if at all.
func outnumberedNumbers(b game.Battle) numbers {
	m := battleNumbers(b)
	n, x := b.Soldiers, leftAt(b, 1)
	m["x"], m["form"] = x, form(n, x)
	m["at defenders"] = 2*n - b.CastleHits
	m["border"] = 2*n + int64(phi.FloorDiv(uint64(n))) // the largest s + d that is won
	m["most left"] = int64(phi.FloorDiv(uint64(n)))
	if k, ok := huntWaves(n, x); ok {
		m["k"], m["waves"] = k, 2+k
		m["below"], m["above"] = x*fib(int(2*k+1)), n*fib(int(2*k))
		m["fib odd"], m["fib even"] = fib(int(2*k+1)), fib(int(2*k))
	}
	if waves, _, ok := b.Published(); ok {
		m["published"] = int64(waves)
	}
	for i := int64(0); i < 4; i++ {
		m[fmt.Sprintf("D%d", i)] = x*fib(int(2*i+1)) - n*fib(int(2*i))
		m[fmt.Sprintf("S%d", i)] = n*fib(int(2*i+1)) - x*fib(int(2*i+2))
	}
	m["resistance"] = b.LongestResistance().Waves
	m["castle"] = castleWaves(b)
	return m
}

// thriftyNumbers follows the castle's fastest win of the text's example.
func thriftyNumbers() numbers { return castleNumbers(thriftyBattle) }

// castleNumbers follows the castle's fastest win of a battle.
func castleNumbers(b game.Battle) numbers {
	win := b.FastestCastleWin()
	m := battleNumbers(b)
	m["castle"] = win.Waves
	for wave := range b.Waves(win.Strategy()) {
		state := wave.State
		m[fmt.Sprintf("S%d", wave.Number)], m[fmt.Sprintf("D%d", wave.Number)] = state.Soldiers, int64(state.Defenders)
		m[fmt.Sprintf("C%d", wave.Number)] = state.CastleHits
		left := int64(state.Defenders)
		if wave.Winner == game.Undecided && state.CastleHits > 0 && wave.Number > 0 {
			left -= b.DefendersPerWave
		}
		m[fmt.Sprintf("x%d", wave.Number)] = left
	}
	return m
}

// printedNumbers counts by how much the formula as printed falls short in case 2a, in exact arithmetic.
func printedNumbers() numbers {
	m := numbers{"battles": 0, "by one": 0, "by more": 0}
	for b := range (box{searchedSoldiers, searchedHits, searchedDefenders}).each {
		if !case2a(b) {
			continue
		}
		m["battles"]++
		if short := soldierWaves(b) - exactPrinted(b); short == 1 {
			m["by one"]++
		} else {
			m["by more"]++
		}
	}
	return m
}

func fibonacciNumbers() numbers {
	m := numbers{}
	for k := range 13 {
		m[strconv.Itoa(k)] = fib(k)
	}
	return m
}
