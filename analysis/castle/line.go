package castle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

func (s Strategy) validate() error {
	if s == nil {
		return errors.New("strategy = nil: give a function that returns the soldiers' orders")
	}
	return nil
}

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
// run that decides the battle or repeats a state, and panics at an order that is not legal.
func (b Battle) Runs(strategy Strategy) iter.Seq[Run] {
	b.must()
	refuse(strategy.validate())
	return func(yield func(Run) bool) {
		state, wave, winner := b.start(), int64(0), Undecided
		for winner == Undecided {
			run := Run{First: wave + 1, AtCastle: state.Soldiers}
			var err error
			run.AtDefenders, run.Last, run.End, run.Winner, err = b.stride(strategy, wave+1, state)
			refuse(err)
			run.AtCastle -= run.AtDefenders
			if !yield(run) {
				return
			}
			state, wave, winner = run.End, run.Last, run.Winner
		}
	}
}

// stride plays a run of equal waves that begins with a wave, and returns its orders and last wave, how that ends, and
// who wins. The error is that of an order that is not legal.
func (b Battle) stride(strategy Strategy, wave int64, s State) (
	atDefenders, last int64, end State, winner Winner, err error,
) {
	orders := strategy(wave, s)
	if s.illegal(orders.AtDefenders) != nil {
		return 0, wave, s, Undecided, &OrderError{b, wave, s, orders.AtDefenders}
	}
	end, winner = b.step(s, orders.AtDefenders)
	if winner == Undecided && orders.Waves > 1 {
		extra := repeats(s, end, orders)
		wave += extra
		end.CastleHits -= extra * (s.Soldiers - orders.AtDefenders)
	}
	return orders.AtDefenders, wave, end, winner, nil
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

// Waves plays the battle by the strategy and yields the start and then every wave, lazily. It panics where Runs does.
func (b Battle) Waves(strategy Strategy) iter.Seq[Wave] {
	runs := b.Runs(strategy)
	return func(yield func(Wave) bool) {
		if !yield(Wave{State: b.start()}) {
			return
		}
		for run := range runs {
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

// Play plays the battle by the strategy to its end, however far away that is, and panics at an order that is not legal.
// The strategies of this package play equal waves in one stride. For one of your own, which may give its orders wave by
// wave in a battle of 10^15 waves, take PlayWithin.
func (b Battle) Play(strategy Strategy) Result {
	b.must()
	result, err := b.PlayWithin(context.Background(), strategy, Effort{})
	refuse(err)
	return result
}

// OrderError is the error of a strategy that gives an order which the rules do not allow.
type OrderError struct {
	Battle      Battle
	Wave        int64
	State       State // at the start of the wave
	AtDefenders int64
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("battle %v, wave %d: %v", e.Battle, e.Wave, e.State.illegal(e.AtDefenders))
}

// PlayWithin is Play that can be stopped, by the context or after effort.Steps runs of equal waves. The errors are an
// *LimitError, an *OrderError, that of the context and that of Validate.
func (b Battle) PlayWithin(ctx context.Context, strategy Strategy, effort Effort) (Result, error) {
	if err := cmp.Or(b.Validate(), strategy.validate(), effort.Validate()); err != nil {
		return Result{}, err
	}
	state, wave, winner := b.start(), int64(0), Undecided
	for played := int64(1); ; played++ {
		var err error
		if _, wave, state, winner, err = b.stride(strategy, wave+1, state); err != nil {
			return Result{}, err
		}
		if winner != Undecided {
			return Result{winner, wave, state.Soldiers}, nil
		}
		if played == effort.Steps {
			return Result{}, &LimitError{b, effort.Steps}
		}
		if played%(1<<14) == 0 && ctx.Err() != nil {
			return Result{}, canceled.Cause(ctx)
		}
	}
}
