package engine_test

import (
	"math/rand/v2"

	"github.com/siegebook/siegebook/analysis/castle"
)

func init() {
	samples["castle.play"] = playedBattle
	samples["castle.best"] = func(r *rand.Rand) []int64 { return []int64{size(r), size(r), size(r)} }
	samples["castle.stories"] = samples["castle.best"]
}

// playedBattle is a battle with some moves: most of them legal ones, now and then one that is not, or one too many.
func playedBattle(r *rand.Rand) []int64 {
	args := []int64{size(r), size(r), size(r)}
	if r.IntN(2) == 0 {
		args[1], args[2] = 1+r.Int64N(3*max(1, min(args[0], 1<<60))), 1+r.Int64N(2*max(1, min(args[0], 1<<60))) // a fair one
	}
	b := castle.Battle{Soldiers: args[0], CastleHits: args[1], DefendersPerWave: args[2]}
	if b.Validate() != nil {
		return args
	}
	state, winner := b.Start(), castle.Undecided
	for range r.IntN(30) {
		if winner != castle.Undecided {
			break
		}
		low, high := state.Moves()
		move := low
		switch r.IntN(4) {
		case 0:
			move = high
		case 1:
			move += r.Int64N(high - low + 1)
		case 2:
			move = b.ValueFrom(state).AtDefenders
		}
		state, winner = b.Step(state, move)
		args = append(args, move)
	}
	if r.IntN(20) == 0 {
		args = append(args, size(r)-1)
	}
	return args
}
