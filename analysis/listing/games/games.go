// Package games has the games for which readers write listings (see package listing). For each game, it defines the
// function that a listing must provide, what the function's answers mean, and how the listing is judged. There is one
// file for each game.
//
// [Games] lists the games for code that treats all of them alike, such as a league. [Castle], [Tower], [Deaths] and
// [Sink] let a listing play one battle.
package games

import (
	"cmp"
	"context"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/listing"
)

// Games lists all games.
var Games = []listing.Game{castleGame, towerGame, antsGame, navalGame}

// asked is a listing with a tally that counts the steps of its calls.
type asked struct {
	*listing.Listing
	limits listing.Limits
	tally  *listing.Tally // nil if calls are not counted
}

// ask returns a listing whose calls are counted in the tally. It panics unless the listing was returned by
// listing.Read.
func ask(l *listing.Listing, t *listing.Tally) asked { return asked{l, l.Limits(), t} }

// judged returns a judge that counts the steps of a listing in the judge's tally.
func judged(l *listing.Listing, judge func(asked) listing.Judge) listing.Judge {
	return func(ctx context.Context, at []int64, t *listing.Tally) error { return judge(ask(l, t))(ctx, at, t) }
}

// call calls the function with arguments in the order of its parameters. The error is a *listing.Error, or reports that
// all calls together took too many steps.
func (l asked) call(arguments ...starlark.Value) (starlark.Value, error) {
	value, steps, err := l.Call(arguments...)
	return value, cmp.Or(err, l.count(steps))
}

// count counts the steps of a call.
func (l asked) count(steps int64) error {
	if l.tally == nil {
		return nil
	}
	l.tally.Steps += steps
	return l.tally.Affordable()
}

// list returns numbers as a list.
func list[T int | int64](numbers []T) *starlark.List {
	values := make([]starlark.Value, len(numbers))
	for i, number := range numbers {
		values[i] = starlark.MakeInt64(int64(number))
	}
	return starlark.NewList(values)
}
