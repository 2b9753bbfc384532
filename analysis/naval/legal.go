package naval

import (
	"cmp"
	"fmt"

	"github.com/siegebook/siegebook/analysis/internal/valid"
	"github.com/siegebook/siegebook/internal/plural"
)

// Lengths returns the decks of a fleet's ships under the rules of the post, in the order in which they are placed:
// the longest first.
func Lengths() []int { return Post.Lengths() }

// MisplacedError is the error for a ship that cannot be where it is.
type MisplacedError struct {
	Ship  Ship         `json:"ship"`
	Fault Misplacement `json:"fault"`
	Other Ship         `json:"other"` // an earlier ship, which Ship touches
}

// Misplacement is a broken rule of placing ships.
type Misplacement int8

// These are the rules in the order of checking.
const (
	NoShip   Misplacement = iota // not 1 to 4 decks, begins off the board, or has one deck and is upright
	Leaves                       // a part of it is off the board
	TooMany                      // the fleet already has all ships of its length
	Touching                     // it touches Other, on a side or at a corner, or overlaps it
)

// Error returns the rule in words.
func (m *MisplacedError) Error() string {
	at := "the " + m.Ship.words()
	switch m.Fault {
	case NoShip:
		return at + ": a ship must have 1 to 4 decks, begin on the board, and not be upright if it has one deck"
	case Leaves:
		return at + " leaves the board: begin it further to the left, or further up"
	case TooMany:
		return fmt.Sprintf("%s is one too many: a fleet has %d of that length",
			at, post.number[min(max(m.Ship.Decks, 0), longest)])
	case Touching:
		return fmt.Sprintf("%s touches the %s: leave a cell of water between them", at, m.Other.words())
	default:
		return at + " is misplaced"
	}
}

// words returns the length of a ship and where it begins.
func (s Ship) words() string {
	return "ship of " + plural.Count(s.Decks, "deck") + " at " + s.First.String()
}

// postLongest is the number of decks of the longest ship of the post.
const postLongest = 4

// Together returns nil if the ships can be together in a fleet, which may have more ships. Otherwise the error is a
// *[MisplacedError] about the first ship that conflicts with the ships before it.
func Together(list []Ship) error {
	var count [longest + 1]int8
	for i, s := range list {
		if s.Decks < 1 || s.Decks > postLongest || s.First >= boardCells || s.Decks == 1 && s.Upright {
			return &MisplacedError{Ship: s, Fault: NoShip}
		}
		if s.Cells().empty() {
			return &MisplacedError{Ship: s, Fault: Leaves}
		}
		if count[s.Decks]++; count[s.Decks] > post.number[s.Decks] {
			return &MisplacedError{Ship: s, Fault: TooMany}
		}
		for _, other := range list[:i] {
			if !other.Zone().and(s.Cells()).empty() {
				return &MisplacedError{Ship: s, Fault: Touching, Other: other}
			}
		}
	}
	return nil
}

// FleetOf returns the fleet with ten ships given in any order. The error comes from [Together], or reports how many
// ships are missing.
func FleetOf(list []Ship) (Fleet, error) {
	if err := Together(list); err != nil {
		return Fleet{}, err
	}
	if len(list) < int(post.ships) {
		return Fleet{}, fmt.Errorf("%s: a fleet has %d, place the others too", plural.Count(len(list), "ship"),
			post.ships)
	}
	var f Fleet
	next := post.first
	for _, s := range list {
		f[next[s.Decks]] = s
		next[s.Decks]++
	}
	return f, nil
}

// Validate returns nil if the fleet is valid and its ships are in order. Otherwise the error describes what is wrong
// with it.
func (f Fleet) Validate() error {
	if err := Together(f[:]); err != nil {
		return err
	}
	for i, s := range f {
		if int(s.Decks) != post.lengths[i] {
			return fmt.Errorf("ship %d has %d decks: ships must be ordered by length, longest first", i+1, s.Decks)
		}
	}
	return nil
}

// PlaceFleet returns the fleet with the given number and seed, and its placement. If several placements are given, one
// is drawn with equal probability. For a single placement, the fleet is the same as in [Measure]. The error names an
// invalid placement.
func PlaceFleet(from []Placement, seed, number uint64) (Fleet, Placement, error) {
	if len(from) == 0 {
		return Fleet{}, 0, fmt.Errorf("no placements to draw from: give one or more")
	}
	for _, p := range from {
		if err := placementNames.Validate(p); err != nil {
			return Fleet{}, 0, err
		}
	}
	var c chance
	p := from[0]
	if len(from) > 1 {
		c.restart(seed, streamPlayers, number)
		p = from[c.below(len(from))]
	}
	var f Fleet
	c.restart(seed, streamFleet+uint64(p), number)
	f.place(post, p, &c)
	return f, p, nil
}

// Given an invalid argument, a method returns an error that names the value and the rule. A method that returns no
// error calls one of the functions below, which panic with the same line. Values that a game itself has created are not
// checked within the game.

// must panics unless the cell is on the board.
func (c Cell) must() {
	if c >= boardCells {
		c.refuse()
	}
}

//go:noinline
func (c Cell) refuse() {
	refuse(fmt.Errorf("cell %d: not on the board, use 0 to %d", c, boardCells-1))
}

// validate returns an error unless the shooter was returned by NewShooter.
func (r *Shooter) validate() error {
	if r == nil || r.target.fleet[0].Decks == 0 {
		return fmt.Errorf("the shooter has no fleet to shoot at: make the shooter with NewShooter")
	}
	return nil
}

// validate returns an error unless the hand was returned by NewHand.
func (h *Hand) validate() error {
	if h == nil || h.target.fleet[0].Decks == 0 {
		return fmt.Errorf("the hand has no fleet to shoot at: make the hand with NewHand")
	}
	return nil
}

// validate returns an error unless the match was returned by NewMatch.
func (m *Match) validate() error {
	if m == nil || m.Hand.validate() != nil || m.Shooter.validate() != nil {
		return fmt.Errorf("the match lacks a player: make the match with NewMatch")
	}
	return nil
}

// validate returns an error unless the sample is possible and has no fewer fleets than least.
func (s Sample) validate(least int64) error {
	if s.Fleets < least || s.Shots < 0 || s.Squares < 0 {
		return fmt.Errorf("sample %+v: fleets must be at least %d, and no number may be negative", s, least)
	}
	return nil
}

// must panics if there are no games to average.
func (s Statistics) must() {
	if s.Games < 1 {
		refuse(fmt.Errorf("games = %d: a mean needs 1 or more", s.Games))
	}
}

// validate returns an error unless the tallies are in order and each of them is possible for some games.
func (t Totals) validate() error {
	if err := ruleNames.Validate(t.Rules); err != nil {
		return err
	}
	decks := t.Rules.row().decks
	for i, tally := range t.Tallies {
		if err := cmp.Or(placementNames.Validate(tally.Placement), tally.Strategy.Validate()); err != nil {
			return err
		}
		if i > 0 && t.Tallies[i-1].compare(tally) >= 0 {
			return fmt.Errorf(
				"%v against %v: named twice or out of order, name each once in the order of a measurement",
				tally.Strategy, tally.Placement)
		}
		left := int64(maxFleets)
		for shots, fleets := range tally.ByShots {
			if fleets < 0 || fleets > left || fleets > 0 && shots < decks {
				return fmt.Errorf("%v against %v: %d fleets with %d shots: counts must not be negative, "+
					"nor add up to more than %d, and sinking a fleet takes at least %d shots",
					tally.Strategy, tally.Placement, fleets, shots, int64(maxFleets), decks)
			}
			left -= fleets
		}
	}
	return nil
}

// refuse panics with err unless it is nil.
func refuse(err error) { valid.Refuse("naval", err) }
