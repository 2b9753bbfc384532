package tower

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/siegebook/siegebook/internal/canceled"
)

// Run is a stretch of rounds, First to Last, that all end with the same number of towers. State is that after round
// Last.
type Run struct {
	First, Last int64
	State       State
	KillsLeft   Uint128 // unspent in the round in which the towers win, else 0
	Winner      Winner  // Undecided except in the last run
}

// Runs plays the battle by the strategy and yields it as runs, lazily. While no tower falls, the soldiers lose the same
// number in every round, so a run is one stride however many rounds it has. Fewest takes O(log n) runs beside the
// first; Greedy at most one for each tower.
func (b Battle) Runs(strategy Strategy) iter.Seq[Run] {
	refuse(cmp.Or(b.Validate(), strategyNames.Validate(strategy)))
	return func(yield func(Run) bool) {
		l := newLine(b, strategy)
		for l.winner == Undecided {
			l.next()
			state := State{Soldiers: l.soldiers, Groups: l.towers.groups()}
			if !yield(Run{l.first, l.last, state, l.killsLeft, l.winner}) {
				return
			}
		}
	}
}

// Result is how a battle ends.
type Result struct {
	Winner       Winner
	Rounds       int64
	SoldiersLeft int64 // 0 if the towers win
	TowersLeft   int64 // 0 if the soldiers win, and so are the next two
	HitsLeft     Uint128
	KillsLeft    Uint128 // unspent in the last round
}

// defaultSteps bounds the work on one question unless told otherwise.
const defaultSteps = 100_000_000

// LimitError is the error of work that would take, or has taken, more steps than its limit.
type LimitError struct {
	Work  string // such as "playing (13, 2, 3, 8) by greedy"
	Limit int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s takes more steps than %d: raise the limit or take a smaller battle", e.Work, e.Limit)
}

// Play plays the battle by the strategy to its end. A run is a step; after maxSteps of them ((0 means 100,000,000))
// the error is a *LimitError. Only battles in which both sides are almost matched, with billions of hits per
// tower, come near the default.
func (b Battle) Play(strategy Strategy, maxSteps int64) (Result, error) {
	if err := cmp.Or(b.Validate(), strategyNames.Validate(strategy), natural("max steps", maxSteps)); err != nil {
		return Result{}, err
	}
	result, _, err := b.play(context.Background(), strategy, stepLimit(maxSteps))
	return result, err
}

func stepLimit(maxSteps int64) int64 {
	if maxSteps == 0 {
		return defaultSteps
	}
	return maxSteps
}

// play also returns how many steps it took. The errors are a *LimitError and that of the context.
func (b Battle) play(ctx context.Context, strategy Strategy, maxSteps int64) (result Result, steps int64, err error) {
	l := newLine(b, strategy)
	for ; l.winner == Undecided; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return Result{}, steps, canceled.Cause(ctx)
		}
		if steps == maxSteps {
			return Result{}, steps, &LimitError{fmt.Sprintf("playing %v by %v", b, strategy), maxSteps}
		}
		l.next()
	}
	return Result{l.winner, l.last, l.soldiers, l.towers.standing(), l.towers.hits(), l.killsLeft}, steps, nil
}

// line is a battle that is played run by run. It holds the state after the last round of the last run.
type line struct {
	kills       int64 // per tower
	soldiers    int64
	towers      formation
	first, last int64
	killsLeft   Uint128
	winner      Winner
}

func newLine(b Battle, strategy Strategy) *line {
	return &line{kills: b.KillsPerTower, soldiers: b.Soldiers, towers: strategies[strategy].formation(b)}
}

// next plays the next run.
func (l *line) next() {
	l.first = l.last + 1
	l.last = l.first
	l.towers.fire(1, l.soldiers, wide(l.soldiers))
	towers := l.towers.standing()
	if towers == 0 {
		l.winner = Soldiers
		return
	}
	kills := mul(l.kills, towers)
	if alive := wide(l.soldiers); !kills.less(alive) {
		l.soldiers, l.killsLeft, l.winner = 0, kills.sub(alive), Towers
		return
	}
	loss := int64(kills.low)
	l.soldiers -= loss
	// Some soldiers must be alive after each round of a run, and all the towers must stand.
	rounds := most((l.soldiers-1)/loss, func(rounds int64) bool {
		return l.towers.withstand(rounds, l.soldiers, shots(rounds, l.soldiers, loss))
	})
	if rounds > 0 {
		l.towers.fire(rounds, l.soldiers, shots(rounds, l.soldiers, loss))
		l.soldiers -= rounds * loss
		l.last += rounds
	}
}

// shots returns how many shots fall in so many rounds, if the soldiers lose the same number in each; rounds * loss must
// not exceed soldiers.
func shots(rounds, soldiers, loss int64) Uint128 {
	return mul(rounds, soldiers).sub(mul(rounds*loss, rounds-1).half())
}

// most returns the largest number in 0..limit for which holds is true; it must be true of 0 and of all numbers below
// one of which it is true.
func most(limit int64, holds func(int64) bool) int64 {
	low, high := int64(0), int64(1) // holds(low), and not holds(high) once the first loop ends
	for high <= limit && holds(high) {
		low = high
		if high > math.MaxInt64/2 {
			high = math.MaxInt64
			break
		}
		high *= 2
	}
	high = min(high, limit+1)
	for high-low > 1 {
		if middle := low + (high-low)/2; holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
