package listing

import (
	"cmp"
	"context"
	"fmt"
)

// Game is a game whose players may be listings.
type Game struct {
	Name      string
	Signature Signature            // the function that a listing defines
	Axes      []string             // the positive numbers that make up a case for comparing players
	Own       func(*Listing) Judge // returns the judge of a listing
	Library   func() []Player      // returns the players of the library, with which listings are compared
}

// Player is a player of the library.
type Player struct {
	Name  string
	Judge Judge
}

// Judge plays the battles of a case and counts how well a player does. The case has a number for each axis. Several
// goroutines may call a Judge at the same time, each with its own tally. The error is a listing's *Error, the context's
// error, the error of Tally.Affordable, or an error that reports that the case does not exist.
type Judge func(ctx context.Context, at []int64, t *Tally) error

// Tally sums up how well a player does in battles.
type Tally struct {
	Battles   int64 `json:"battles"`    // battles played to their end
	Right     int64 `json:"right"`      // battles played as well as possible
	WrongSide int64 `json:"wrong_side"` // battles that were lost although they can be won
	TooMany   int64 `json:"too_many"`   // battles that were won in more steps of the game than necessary
	Extra     int64 `json:"extra"`      // the sum of the additional steps in those battles
	ExtraMax  int64 `json:"extra_max"`
	Steps     int64 `json:"steps"` // the steps of the listing
	// FirstWrongSide and FirstTooMany are the first battles with such an error, or "" if there are none.
	FirstWrongSide string `json:"first_wrong_side"`
	FirstTooMany   string `json:"first_too_many"`
}

// First returns the first battle with an error of the player: FirstWrongSide if there is one, else FirstTooMany.
func (t Tally) First() string { return cmp.Or(t.FirstWrongSide, t.FirstTooMany) }

// Add adds the tally of later battles.
func (t *Tally) Add(u Tally) {
	t.Battles, t.Right = t.Battles+u.Battles, t.Right+u.Right
	t.WrongSide, t.TooMany, t.Steps = t.WrongSide+u.WrongSide, t.TooMany+u.TooMany, t.Steps+u.Steps
	t.Extra, t.ExtraMax = t.Extra+u.Extra, max(t.ExtraMax, u.ExtraMax)
	t.FirstWrongSide = cmp.Or(t.FirstWrongSide, u.FirstWrongSide)
	t.FirstTooMany = cmp.Or(t.FirstTooMany, u.FirstTooMany)
}

// Count adds a battle to the tally. steps is the number of steps in which the player won it, or 0 if the player lost.
// best is the smallest number of steps of any player, or 0 if nobody can win. Both are steps of the game, and not
// negative.
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

// MostSteps limits the steps of a listing in all cases of a comparison, including steps for elements of values.
const MostSteps = 20_000_000_000

// Affordable returns an error if a listing has taken more steps than MostSteps.
func (t Tally) Affordable() error {
	if t.Steps > MostSteps {
		return fmt.Errorf("more than %d steps in all battles: use fewer battles, or a faster program",
			int64(MostSteps))
	}
	return nil
}
