package tower

import (
	"cmp"
	"errors"
	"iter"
)

// Round is the end of one round. Number 0 is the start, with all kills of the towers loaded.
type Round struct {
	Number    int64
	State     State
	KillsLeft Uint128 // unspent in the round in which the towers win; all at the start; else 0
	Winner    Winner  // Undecided except in the last round
}

// Rounds plays the battle by the strategy and yields the start and then every round, lazily. It plays by [Battle.Step];
// [Battle.Runs] is faster where there are many rounds.
func (b Battle) Rounds(strategy Strategy) iter.Seq[Round] {
	refuse(cmp.Or(b.Validate(), strategyNames.Validate(strategy)))
	return b.RoundsFrom(b.Start(), strategy.Aims)
}

// RoundsFrom plays on from any undecided state, by any play: aims returns what the soldiers do, as [Battle.Step]
// expects it. Number 0 is the state. From any state Greedy is the best play, and Fewest the worst without waste, as
// they are from the start. Of the battle it needs KillsPerTower alone.
func (b Battle) RoundsFrom(s State, aims func(State) []Aim) iter.Seq[Round] {
	refuse(cmp.Or(b.validateKills(), s.undecided()))
	if aims == nil {
		refuse(errors.New("aims = nil: give a function that says what the soldiers do"))
	}
	return func(yield func(Round) bool) {
		round := Round{State: s, KillsLeft: mul(b.KillsPerTower, s.standing())}
		for yield(round) && round.Winner == Undecided {
			round.Number++
			round.State, round.KillsLeft, round.Winner = b.Step(round.State, aims(round.State))
		}
	}
}
