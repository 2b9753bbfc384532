package castle

import (
	"context"
	"iter"

	"github.com/siegebook/siegebook/internal/canceled"
)

// Orders is what the soldiers do next: AtDefenders of them shoot at defenders and the rest at the castle, for
// up to Waves waves in a row. Waves below 1 counts as 1.
//
// More than one wave makes sense only where the waves repeat, that is where every defender is shot and the castle alone
// changes. A line then takes all of them in one stride, so that a battle of 10^18 waves costs no more than a short one.
type Orders struct {
	AtDefenders int64
	Waves       int64
}

// Strategy gives the soldiers' orders in an undecided state at the start of wave number wave (1 is the first).
type Strategy func(wave int64, s State) Orders

// Run is a stretch of equal waves in a line of play: in each of the waves First to Last, AtDefenders of the
// soldiers shot at defenders and AtCastle at the castle. End is the state after wave Last.
type Run struct {
	First, Last           int64
	AtDefenders, AtCastle int64
	End                   State
	Winner                Winner // Undecided except in the last run of a line
}

// Result is how a line of play ends.
type Result struct {
	Winner       Winner
	Waves        int64 // the wave that decides the battle; for a tie the wave that repeats
	SoldiersLeft int64
}

// Runs plays the battle by the strategy and yields it as runs of equal waves, lazily. It ends with the
// run that decides the battle or repeats a state.
func (b Battle) Runs(strategy Strategy) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		state, wave, winner := b.Start(), int64(0), Undecided
		for winner == Undecided {
			run := Run{First: wave + 1, AtCastle: state.Soldiers}
			run.AtDefenders, run.Last, run.End, run.Winner = b.stride(strategy, wave+1, state)
			run.AtCastle -= run.AtDefenders
			if !yield(run) {
				return
			}
			state, wave, winner = run.End, run.Last, run.Winner
		}
	}
}

// stride plays a run of equal waves that begins with a wave, and returns its orders and last wave, how that ends, and
// who wins.
func (b Battle) stride(strategy Strategy, wave int64, s State) (atDefenders, last int64, end State, winner Winner) {
	orders := strategy(wave, s)
	end, winner = b.Step(s, orders.AtDefenders)
	if winner == Undecided && orders.Waves > 1 {
		extra := repeats(s, end, orders)
		wave += extra
		end.CastleHits -= extra * (s.Soldiers - orders.AtDefenders)
	}
	return orders.AtDefenders, wave, end, winner
}

// repeats returns how many more waves the same orders do nothing but take the same number of hits from a castle
// that still stands afterwards.
func repeats(before, after State, orders Orders) int64 {
	hits := before.CastleHits - after.CastleHits
	if hits <= 0 || before.Soldiers != after.Soldiers || before.Defenders != after.Defenders {
		return 0
	}
	return max(0, min(orders.Waves-1, (after.CastleHits-1)/hits))
}

// Wave is one wave of a line of play. Number 0 is the start, with no shots.
type Wave struct {
	Number                int64
	AtDefenders, AtCastle int64
	State                 State // at the end of the wave
	Winner                Winner
}

// Waves plays the battle by the strategy and yields the start and then every wave, lazily.
func (b Battle) Waves(strategy Strategy) iter.Seq[Wave] {
	return func(yield func(Wave) bool) {
		if !yield(Wave{State: b.Start()}) {
			return
		}
		for run := range b.Runs(strategy) {
			wave := Wave{AtDefenders: run.AtDefenders, AtCastle: run.AtCastle, State: run.End}
			for wave.Number = run.First; wave.Number <= run.Last; wave.Number++ {
				wave.State.CastleHits = run.End.CastleHits + (run.Last-wave.Number)*run.AtCastle
				if wave.Number == run.Last {
					wave.Winner = run.Winner
				}
				if !yield(wave) {
					return
				}
			}
		}
	}
}

// Folded joins runs that follow each other and in which nothing but the castle changes: a strategy may give its orders
// wave by wave.
func Folded(runs iter.Seq[Run]) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		var last Run
		for run := range runs {
			same := run.AtDefenders == last.AtDefenders && run.AtCastle == last.AtCastle &&
				run.End.Soldiers == last.End.Soldiers && run.End.Defenders == last.End.Defenders
			switch {
			case last.Last == 0:
			case same:
				run.First = last.First
			case !yield(last):
				return
			}
			last = run
		}
		if last.Last > 0 {
			yield(last)
		}
	}
}

// Play plays the battle by the strategy to its end.
func (b Battle) Play(strategy Strategy) Result {
	result, _ := b.playSteps(context.Background(), strategy, 0) // which has no end and no bound
	return result
}

// playSteps plays the battle for at most so many runs, any number if that is 0. The errors are an *OutOfStepsError and
// that of the context.
func (b Battle) playSteps(ctx context.Context, strategy Strategy, steps int64) (Result, error) {
	state, wave, winner := b.Start(), int64(0), Undecided
	for played := int64(1); ; played++ {
		if _, wave, state, winner = b.stride(strategy, wave+1, state); winner != Undecided {
			return Result{winner, wave, state.Soldiers}, nil
		}
		if played == steps {
			return Result{}, &OutOfStepsError{b, steps}
		}
		if played%(1<<14) == 0 && ctx.Err() != nil {
			return Result{}, canceled.Cause(ctx)
		}
	}
}
