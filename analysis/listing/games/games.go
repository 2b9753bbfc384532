// Package games has the games that readers write listings for, see package listing: the function that a listing has to
// define, what its answers mean, and how it is judged. There is one file for each game.
//
// [Games] lists them for whoever treats all of them alike, such as a league. [Castle], [Tower], [Deaths] and [Sink] let
// a listing play one battle.
package games

import (
	"cmp"
	"context"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/listing"
)

// Games are all games.
var Games = []listing.Game{castleGame, towerGame, antsGame, navalGame}

// asked is a listing whose calls are counted in a tally.
type asked struct {
	*listing.Listing
	limits listing.Limits
	tally  *listing.Tally // nil if nobody counts
}

// ask panics unless listing.Read has made the listing.
func ask(l *listing.Listing, t *listing.Tally) asked { return asked{l, l.Limits(), t} }

// judged counts the steps of a listing in the tally of its judge.
func judged(l *listing.Listing, judge func(asked) listing.Judge) listing.Judge {
	return func(ctx context.Context, at []int64, t *listing.Tally) error { return judge(ask(l, t))(ctx, at, t) }
}

// call calls the function with its arguments, in their order. The error is a *listing.Error, or says that all calls
// took too many steps.
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

// list makes a list of numbers.
func list[T int | int64](numbers []T) *starlark.List {
	values := make([]starlark.Value, len(numbers))
	for i, number := range numbers {
		values[i] = starlark.MakeInt64(int64(number))
	}
	return starlark.NewList(values)
}
