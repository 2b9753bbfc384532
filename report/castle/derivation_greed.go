package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// greedSteps are about the line that kills as many soldiers as it can.
var greedSteps = []step{
	{"greed", `while the castle stands, no line without wasted shots has more dead after any wave than greed`, `every wave of every path, $n \le 6$, $s \le 14$, $d \le 8$`, "waves", onPaths(pathWave.stands, verifyGreed)},
	{"greed-shown", `the line that this report shows as the castle's fastest win is greedy in every wave but the last`, `$n \le 30$, $s \le 100$, $2 \le d \le 60$, where the castle can win`, "battles", onBattles(lostByGreed, verifyGreedShown)},
	{"thrift", `with the castle at its last hit $\sigma' = \sigma - x$, $x' = x - \sigma'$; the castle wins there if $x\varphi > \sigma$, the soldiers if $x\varphi < \sigma$`, `$S \le 60$, $x < S$, $d \le 60$`, "triples", verifyThrift},
}

func verifyGreed(w pathWave) error {
	dead := int64(0)
	for _, x := range w.left {
		dead += x
	}
	greed, winner := playLeaving(w.b, func(wave int64, s game.State) int64 {
		if wave > int64(w.t) {
			return -1
		}
		return most(wave, s)
	})
	if winner == game.Castle {
		return nil // in wave t at the latest: there are no more soldiers to kill
	}
	holds := len(greed) == w.t && greed[w.t-1].dead >= dead && winner != game.Soldiers
	return chapter.HoldsAt(holds, "%v, wave %d of %v: %d dead, greed has %v", w.b, w.t, w.path.Moves, dead, greed)
}

// lostByGreed are the battles that the castle can win, and that need no fall before the last wave.
func lostByGreed(b game.Battle, a answer) bool { return pressed(b, a) && a.castle > 0 }

func verifyGreedShown(b game.Battle, _ answer) error {
	win := b.FastestCastleWin()
	return greedyBut(b, win.Strategy(), win.Waves)
}

// greedyBut fails unless each wave of a line before the last leaves the most defenders that a standing castle allows.
func greedyBut(b game.Battle, strategy game.Strategy, last int64) error {
	state := b.Start()
	for wave := range b.Waves(strategy) {
		if wave.Number == 0 {
			continue
		}
		if wave.Number == last {
			break
		}
		left, want := int64(wave.State.Defenders), most(wave.Number, state)
		if wave.State.CastleHits > 0 {
			left -= b.DefendersPerWave
		}
		if left != want {
			return chapter.HoldsAt(false, "%v: wave %d of the line that is shown leaves %d, greed leaves %d", b, wave.Number, left, want)
		}
		state = wave.State
	}
	return nil
}

// verifyThrift plays, after a wave that starts with S soldiers and leaves x defenders beside a castle at its last hit,
// on with all soldiers at defenders.
func verifyThrift(*searched) (int, error) {
	count := 0
	for S := int64(1); S <= 60; S++ {
		for d := int64(1); d <= 60; d++ {
			for x := int64(0); x < S; x++ {
				sigma := S - d
				winner, err := playThrift(S, x, d)
				if err != nil {
					return 0, err
				}
				side := (golden{-sigma, x}).sign()
				want := map[int]game.Winner{1: game.Castle, 0: game.Tie, -1: game.Soldiers}[side]
				if winner != want {
					return 0, chapter.HoldsAt(false, "S = %d, x = %d, d = %d: %v, by the sign of xφ - σ %v", S, x, d, winner, want)
				}
				count++
			}
		}
	}
	return count, nil
}

// playThrift returns who wins if all soldiers shoot at defenders, who leave the castle its last hit as long as there
// are defenders enough.
func playThrift(soldiers, x, d int64) (game.Winner, error) {
	b := game.Battle{Soldiers: soldiers, CastleHits: 1, DefendersPerWave: d}
	sigma := soldiers - d
	state := game.State{Soldiers: soldiers - x, Defenders: uint64(x + d), CastleHits: 1}
	for {
		if int64(state.Defenders) < state.Soldiers {
			_, winner := b.Step(state, int64(state.Defenders))
			return winner, nil // one of the others finishes the castle
		}
		next, winner := b.Step(state, state.Soldiers)
		left := int64(state.Defenders) - state.Soldiers
		sigma -= x
		if x -= sigma; x != left || state.Soldiers-d != sigma {
			return winner, chapter.HoldsAt(false, "%v: leaves %d, x' = %d", state, left, x)
		}
		if winner != game.Undecided {
			return winner, nil
		}
		state = next
	}
}
