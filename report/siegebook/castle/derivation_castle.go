package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// outnumberedSteps are about d >= n.
var outnumberedSteps = stepChecks{
	"later-is-worse": onPaths(outnumberedFall, func(w pathWave) bool {
		return w.left[w.t-1] >= leftAt(w.b, 1)
	}),
	"border": over(rectangle(1, 100, 2, 400), func(n, sum int64) bool {
		return winnable(n, sum-2*n) == ((golden{n - sum, n}).sign() > 0)
	}),
}

func outnumberedFall(w pathWave) bool { return outnumbered(w.b) && w.falls() }

// lastHitWaves plays all at the castle, then its last hit kept, and returns the wave in which that line lets the castle
// win, or 0.
func lastHitWaves(b game.Battle) int64 {
	state := b.Start()
	for wave := int64(1); ; wave++ {
		N, D, S := state.Soldiers, int64(state.Defenders), state.CastleHits
		if D >= N && D-N >= N-S {
			return wave // N defenders can be left, and no shot is wasted
		}
		keep := max(0, N-S+1) // soldiers who shoot at defenders
		if keep > D {
			return 0
		}
		next, winner := b.Step(state, keep)
		if winner == game.Tie {
			return 0
		}
		state = next
	}
}

// longestResistance is the later of two waves: that in which a castle that is never shot at wins, and that in which one
// that falls in wave 2 does. The soldiers must not be able to win, and d must be above n.
func longestResistance(b game.Battle) int64 {
	n, d := b.Soldiers, b.DefendersPerWave
	never := int64(2)
	for (d-n)*(fib(int(2*never-1))-1) < n {
		never++
	}
	x, fall := leftAt(b, 1), int64(2)
	for x*fib(int(2*fall-2)) < n*fib(int(2*fall-3)) {
		fall++
	}
	return max(never, fall)
}

// greedSteps are about the line that kills as many soldiers as it can.
var greedSteps = stepChecks{
	"greed":  onPaths(pathWave.stands, noMoreDead),
	"thrift": over(thirds(rectangle(1, 60, 1, 60), func(N, _ int64) (low, high int64) { return 0, N - 1 }), isThrift),
}

// noMoreDead reports whether greed has as many dead after a wave as the path has.
func noMoreDead(w pathWave) bool {
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
		return true // in wave t at the latest: there are no more soldiers to kill
	}
	return len(greed) == w.t && greed[w.t-1].dead >= dead && winner != game.Soldiers
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
			return fmt.Errorf("%v: wave %d of the line that is shown leaves %d, greed leaves %d", b, wave.Number, left,
				want)
		}
		state = wave.State
	}
	return nil
}

// isThrift plays on after a wave that starts with N soldiers and leaves x defenders beside a castle at its last hit.
// All soldiers shoot at defenders, as long as there are enough.
func isThrift(p [2]int64, x int64) bool {
	N, d, sigma := p[0], p[1], p[0]-p[1]
	want := map[int]game.Winner{1: game.Castle, 0: game.Tie, -1: game.Soldiers}[golden{-sigma, x}.sign()]
	b := battle(N, 1, d)
	state := game.State{Soldiers: N - x, Defenders: uint64(x + d), CastleHits: 1}
	for {
		if int64(state.Defenders) < state.Soldiers {
			_, winner := b.Step(state, int64(state.Defenders))
			return winner == want // one of the others finishes the castle
		}
		next, winner := b.Step(state, state.Soldiers)
		left := int64(state.Defenders) - state.Soldiers
		sigma -= x
		if x -= sigma; x != left || state.Soldiers-d != sigma {
			return false
		}
		if winner != game.Undecided {
			return winner == want
		}
		state = next
	}
}
