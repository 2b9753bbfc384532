package naval

import (
	"cmp"
	"fmt"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
)

type notData = exactjson.NotData

// Hand is a player who names the cells himself. It must be made by [NewHand].
type Hand struct {
	notData
	target target
	shot   Cells
	sunk   []Ship
}

// NewHand returns a player who has not shot at the fleet yet. The error is that of [Fleet.Validate].
func NewHand(f Fleet) (*Hand, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	h := new(Hand)
	h.target.set(f)
	return h, nil
}

// Shots returns how many shots there were, 0..100.
func (h *Hand) Shots() int {
	refuse(h.validate())
	return h.shot.Count()
}

// Done reports whether all ships are sunk.
func (h *Hand) Done() bool {
	refuse(h.validate())
	return len(h.sunk) == int(post.ships)
}

// Sunk returns the ships sunk so far, in that order.
func (h *Hand) Sunk() []Ship {
	refuse(h.validate())
	return append([]Ship(nil), h.sunk...)
}

// Shoot shoots at a cell. An error, after which all is as before, says why it cannot.
func (h *Hand) Shoot(at Cell) (Outcome, error) {
	if err := h.validate(); err != nil {
		return Miss, err
	}
	switch {
	case at >= boardCells:
		return Miss, fmt.Errorf("cell %d: the board has the cells 0 to %d", at, boardCells-1)
	case h.Done():
		return Miss, fmt.Errorf("%v: all ships are sunk, there is nothing left to shoot at", at)
	case h.shot.has(at):
		return Miss, fmt.Errorf("%v was shot at before: choose another cell", at)
	}
	h.shot = h.shot.or(single(at))
	outcome, ship := h.target.shoot(at)
	if outcome == Sunk {
		h.sunk = append(h.sunk, ship)
	}
	return outcome, nil
}

// Match is a game of a hand, player 0, against a shooter, player 1. As in every game a hit keeps the turn, and whoever
// has sunk all ships wins. It must be made by [NewMatch].
type Match struct {
	notData
	Hand    *Hand
	Shooter *Shooter
	Shots   []Shot // so far
	over    bool
}

// NewMatch begins a game with player first, 0 or 1. If that is the shooter, he shoots until it is the hand's turn.
func NewMatch(h *Hand, s *Shooter, first int) (*Match, error) {
	if err := cmp.Or(h.validate(), s.validate()); err != nil {
		return nil, err
	}
	if first != 0 && first != 1 {
		return nil, fmt.Errorf("player %d: a game has players 0 and 1", first)
	}
	if h.Shots() > 0 || s.Shots() > 0 {
		return nil, fmt.Errorf("shots before the game = %d and %d: begin it with players who have not shot yet",
			h.Shots(), s.Shots())
	}
	m := &Match{Hand: h, Shooter: s}
	if first == 1 {
		m.reply()
	}
	return m, nil
}

// Shoot is a shot of the hand. If it misses, the shooter shoots until he misses too, or has won. An error, after which
// all is as before, says why the hand cannot.
func (m *Match) Shoot(at Cell) error {
	if err := m.validate(); err != nil {
		return err
	}
	if m.over {
		return fmt.Errorf("%v: the game is over, begin another one", at)
	}
	outcome, err := m.Hand.Shoot(at)
	if err != nil {
		return err
	}
	m.Shots = append(m.Shots, Shot{0, at, outcome})
	m.over = m.Hand.Done()
	if !outcome.keepsTurn() {
		m.reply()
	}
	return nil
}

// reply is the shooter's turn.
func (m *Match) reply() {
	for outcome := Hit; outcome.keepsTurn() && !m.over; m.over = m.Shooter.Done() {
		var at Cell
		at, outcome = m.Shooter.Shoot()
		m.Shots = append(m.Shots, Shot{1, at, outcome})
	}
}

// Winner returns who has won, 0 or 1, and whether anybody has.
func (m *Match) Winner() (player int, over bool) {
	refuse(m.validate())
	if m.over && !m.Hand.Done() {
		return 1, true
	}
	return 0, m.over
}
