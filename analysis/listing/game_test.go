package listing

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/internal/must"
)

// heap is a game for tests: a player takes one to three stones at a time from a heap of n stones, until none are left.
var heap = Signature{Name: "take", Parameters: []string{"turn", "n"}}

// TestResults checks that a listing's answer is returned, or refused in one line.
func TestResults(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{"return n - turn", "6"},
		{"return turn == n", "mine.star: take returns False, a truth value: it must return a whole number"},
		{"return", "mine.star: take returns None, the value of a function that ends without return: it must"},
		{"return 1 << 70", "mine.star: take returns a number beyond 64 bits"},
		{"return n // (turn - 1)", "mine.star:2:14: floored division by zero"},
	} {
		l := must.Get(Read("mine.star", []byte(heap.String()+":\n    "+test.body+"\n"), heap, Limits{}))
		value, steps, err := l.Call(starlark.MakeInt(1), starlark.MakeInt(7))
		var number int64
		if err == nil {
			number, err = l.Whole(value)
		}
		if got := answer(number, err); !strings.HasPrefix(got, test.want) || steps == 0 {
			t.Errorf("%s: %s after %d steps, want %s", test.body, got, steps, test.want)
		}
	}
	for _, test := range []struct{ body, want string }{
		{"return (n, turn)", "[7 1]"},
		{"return [turn] * 3", "[1 1 1]"},
		{"return n", "mine.star: take returns 7, a number: it must return whole numbers in brackets"},
		{"return \"ab\"", "mine.star: take returns \"ab\", a string: it must return whole numbers in brackets"},
		{"return [n, [turn]]", "mine.star: number 2 in the result of take: take returns [1], a list: it must return"},
	} {
		l := must.Get(Read("mine.star", []byte(heap.String()+":\n    "+test.body+"\n"), heap, Limits{}))
		value, _, err := l.Call(starlark.MakeInt(1), starlark.MakeInt(7))
		must.Do(t, err)
		numbers, err := l.Wholes(value)
		if got := answer(numbers, err); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.body, got, test.want)
		}
	}
}

// answer returns the value as text, or the text of the error if there is one.
func answer(value any, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(value)
}

// TestAsked checks that a game can get the file, the limits and the used parameters of a listing, and can create errors
// about it.
func TestAsked(t *testing.T) {
	text := "least = 1\n" + heap.String() + ":\n    turn = least\n    return [turn]\n"
	l := must.Get(Read("mine.star", []byte(text), heap, Limits{Items: 7}))
	for name, want := range map[string]bool{"least": true, "turn": true, "n": false, "print": false} {
		if l.Reads(name) != want {
			t.Errorf("reads %s: %v, want %v", name, !want, want)
		}
	}
	want := DefaultLimits
	want.Items = 7
	if l.Limits() != want || l.File() != "mine.star" {
		t.Errorf("%+v, %s", l.Limits(), l.File())
	}
	_, _, err := l.Call(starlark.MakeInt(1))
	must.ErrorContains(t, err, "function take missing 1 argument (n)")
	numbers := starlark.NewList([]starlark.Value{starlark.MakeInt(8), starlark.String("none")})
	must.ErrorContains(t, In(l.Refuse(numbers, "at most %d", 3), "turn %d", 2),
		"mine.star: turn 2: take returns [8, …]: at most 3")
	must.ErrorContains(t, In(In(l.Fault("%d stones", 9), "here"), "there"), "mine.star: there: here: 9 stones")
	if other := errors.New("other"); In(other, "here") != other || In(nil, "here") != nil {
		t.Error("an error of another kind has a place, too")
	}
}

// played is a battle of the game, identified by its number.
type played int

func (p played) String() string { return fmt.Sprintf("heap %d", int(p)) }

// TestTally checks that battles are counted by how they end, that the first battle of each kind of error is named,
// and that steps are limited.
func TestTally(t *testing.T) {
	var all Tally
	for i, battle := range []struct{ steps, best int64 }{{3, 3}, {0, 0}, {5, 3}, {9, 3}, {0, 4}, {0, 2}} {
		one := Tally{Steps: 10}
		one.Count(played(i), battle.steps, battle.best)
		if i == 3 && one.First() != "heap 3" {
			t.Errorf("the first error is %q", one.First())
		}
		all.Add(one)
	}
	want := Tally{
		Battles: 6, Right: 2, WrongSide: 2, TooMany: 2, Extra: 8, ExtraMax: 6, Steps: 60,
		FirstWrongSide: "heap 4", FirstTooMany: "heap 2",
	}
	if all != want || all.First() != "heap 4" {
		t.Errorf("%+v, want %+v", all, want)
	}
	if all.Steps = MostSteps; all.Affordable() != nil {
		t.Error(all.Affordable())
	}
	all.Steps++
	must.ErrorContains(t, all.Affordable(), "more than 20000000000 steps in all battles")
}
