package naval

import "github.com/siegebook/siegebook/analysis/internal/enum"

// Outcome is what a shot does.
type Outcome int8

// The outcomes of a shot.
const (
	Miss Outcome = iota
	Hit          // the ship has decks left
	Sunk         // it has none
)

var outcomes = enum.New[Outcome]("outcome", "miss", "hit", "sunk")

// Outcomes lists all outcomes.
func Outcomes() []Outcome { return outcomes.All() }

// String returns the name, the text that is also marshalled and read.
func (o Outcome) String() string                   { return outcomes.String(o) }
func (o Outcome) MarshalText() ([]byte, error)     { return outcomes.MarshalText(o) }
func (o *Outcome) UnmarshalText(text []byte) error { return outcomes.UnmarshalText(o, text) }

// keepsTurn reports whether the player who shot shoots again.
func (o Outcome) keepsTurn() bool { return o != Miss }

// target is a fleet under fire.
type target struct {
	fleet Fleet
	owner [boardCells]int8 // number of the ship on a cell, from 1; 0: water
	left  [ships]int8      // decks not hit yet
}

// place draws a new fleet.
func (t *target) place(p Placement, c *chance) {
	t.fleet.place(p, c)
	t.launch()
}

// set takes a fleet that is there.
func (t *target) set(f Fleet) {
	t.fleet = f
	t.launch()
}

// launch puts the fleet onto the board.
func (t *target) launch() {
	t.owner = [boardCells]int8{}
	for i, ship := range t.fleet {
		step := Cell(1)
		if ship.Upright {
			step = Side
		}
		cell := ship.First
		for range ship.Decks {
			t.owner[cell] = int8(i + 1)
			cell += step
		}
		t.left[i] = ship.Decks
	}
}

// shoot returns what a shot does at a cell that was not shot at before, and the ship if it sinks one.
func (t *target) shoot(at Cell) (Outcome, Ship) {
	i := t.owner[at] - 1
	if i < 0 {
		return Miss, Ship{}
	}
	t.left[i]--
	if t.left[i] > 0 {
		return Hit, Ship{}
	}
	return Sunk, t.fleet[i]
}
