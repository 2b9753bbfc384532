package listing

import (
	"cmp"
	"context"
	"fmt"
)

// Game is a game whose players a listing may be.
type Game struct {
	Name      string
	Signature Signature            // the function that a listing defines
	Axes      []string             // the positive numbers that make a case on which players are compared
	Own       func(*Listing) Judge // what judges a listing
	Library   func() []Player      // those of the library, which listings are compared with
}

// Player is a player of the library.
type Player struct {
	Name  string
	Judge Judge
}

// Judge plays the battles of a case and counts how a player does. The case has a number for each axis. Several
// goroutines may call a Judge at once, each with its own tally. It returns the *Error of a listing, the error of a case
// that does not exist, the error of the context, or the error of Tally.Affordable.
type Judge func(ctx context.Context, at []int64, t *Tally) error

// Tally sums up how a player does in battles.
type Tally struct {
	Battles   int64 `json:"battles"`    // those that were played to their end
	Right     int64 `json:"right"`      // as well as can be
	WrongSide int64 `json:"wrong_side"` // lost, and can be won
	TooMany   int64 `json:"too_many"`   // in more steps of the game than need be
	Extra     int64 `json:"extra"`      // how many more, in all of these
	ExtraMax  int64 `json:"extra_max"`
	Steps     int64 `json:"steps"` // that a listing has taken
	// FirstWrongSide and FirstTooMany are the first such battles, empty if there is none.
	FirstWrongSide string `json:"first_wrong_side"`
	FirstTooMany   string `json:"first_too_many"`
}

// First is the first battle in which the player errs, one on the wrong side if there is any; empty if there is none.
func (t Tally) First() string { return cmp.Or(t.FirstWrongSide, t.FirstTooMany) }

// Add adds the tally of later battles.
func (t *Tally) Add(u Tally) {
	t.Battles, t.Right = t.Battles+u.Battles, t.Right+u.Right
	t.WrongSide, t.TooMany, t.Steps = t.WrongSide+u.WrongSide, t.TooMany+u.TooMany, t.Steps+u.Steps
	t.Extra, t.ExtraMax = t.Extra+u.Extra, max(t.ExtraMax, u.ExtraMax)
	t.FirstWrongSide = cmp.Or(t.FirstWrongSide, u.FirstWrongSide)
	t.FirstTooMany = cmp.Or(t.FirstTooMany, u.FirstTooMany)
}

// Count adds a battle to the tally. The player needed steps to win it, 0 if the player lost. The fewest steps that any
// player needs are best, 0 if nobody can win. Both are steps of the game, and not negative.
func (t *Tally) Count(battle fmt.Stringer, steps, best int64) {
	one := Tally{Battles: 1}
	switch {
	case (steps > 0) != (best > 0):
		one.WrongSide, one.FirstWrongSide = 1, battle.String()
	case steps > best:
		one.TooMany, one.Extra, one.ExtraMax, one.FirstTooMany = 1, steps-best, steps-best, battle.String()
	default:
		one.Right = 1
	}
	t.Add(one)
}

// MostSteps bounds the steps of a listing in all cases of a comparison, those of the statements that make elements of
// values included.
const MostSteps = 20_000_000_000

// Affordable returns an error if a listing has taken more steps than MostSteps.
func (t Tally) Affordable() error {
	if t.Steps > MostSteps {
		return fmt.Errorf("more than %d steps in all battles: take fewer battles, or a faster program",
			int64(MostSteps))
	}
	return nil
}
