package naval

import "fmt"

// Values that are not valid get no answer. A method that has an error returns one that names the value and the rule;
// any other calls one of the functions below, which panic with such a line. In a game nothing is checked that the game
// has made.

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

// validate returns an error unless the shooter is one of NewShooter.
func (r *Shooter) validate() error {
	if r == nil || r.target.fleet[0].Decks == 0 {
		return fmt.Errorf("the shooter has no fleet to shoot at: make it with NewShooter")
	}
	return nil
}

// validate returns an error unless the hand is one of NewHand.
func (h *Hand) validate() error {
	if h == nil || h.target.fleet[0].Decks == 0 {
		return fmt.Errorf("the hand has no fleet to shoot at: make it with NewHand")
	}
	return nil
}

// validate returns an error unless the match is one of NewMatch.
func (m *Match) validate() error {
	if m == nil || m.Hand.validate() != nil || m.Shooter.validate() != nil {
		return fmt.Errorf("the match lacks a player: make it with NewMatch")
	}
	return nil
}

// validate returns an error unless the numbers of a sample are those of so many fleets or more.
func (s Sample) validate(least int64) error {
	if s.Fleets < least || s.Shots < 0 || s.Squares < 0 {
		return fmt.Errorf("sample %+v: must be of fleets = %d or more, and not have negative numbers", s, least)
	}
	return nil
}

// must panics unless there are games of which to take a mean.
func (s Statistics) must() {
	if s.Games < 1 {
		refuse(fmt.Errorf("games = %d: a mean takes 1 or more", s.Games))
	}
}

// validate returns an error unless the tallies are in their order, each of them a sum of games.
func (t Totals) validate() error {
	if err := ruleNames.Validate(t.Rules); err != nil {
		return err
	}
	decks := t.Rules.row().decks
	for i, tally := range t.Tallies {
		if err := placementNames.Validate(tally.Placement); err != nil {
			return err
		}
		if err := tally.Strategy.Validate(); err != nil {
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
				return fmt.Errorf("%v against %v: %d fleets with %d shots: must be natural numbers, "+
					"together %d at most, of fleets that took %d shots or more",
					tally.Strategy, tally.Placement, fleets, shots, int64(maxFleets), decks)
			}
			left -= fleets
		}
	}
	return nil
}

// natural returns an error if a number is negative.
func natural(name string, number int) error {
	if number < 0 {
		return fmt.Errorf("%s = %d: must not be negative, use 0 or more", name, number)
	}
	return nil
}

// refuse panics with an error, if there is one.
func refuse(err error) {
	if err != nil {
		panic("naval: " + err.Error())
	}
}
