package naval

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Moves is a strategy of hunting: which cells to shoot at while no ship is known to be hit. The cells of a list are
// shot at in random order while one is left that is neither shot nor known to be empty; then the others are, in random
// order too.
type Moves int8

// The move strategies of the post, and [Diagonal].
const (
	Random Moves = iota // no list: any cell
	// both diagonals and four broken lines between them, without the four cells of the centre: 32 cells
	Cross
	Linear // every fourth diagonal, (x+y) mod 4 = 3: 24 cells
	// Diagonal is not in the post: Linear while the ship of four is afloat, then every second diagonal while any ship
	// of more than one deck is.
	Diagonal
)

// Targeting is what a player does after a hit.
type Targeting int8

const (
	// AsCoded is the published program. A hit with an empty pool puts the four neighbours into it (left, right, up,
	// down; first in, first out). A hit while there are targets takes the next of them, a, and the first hit since a
	// ship was sunk, b, and adds for each coordinate in which they differ the cells (a+1, a+2) and (b-1, b-2) if a > b
	// there, else (a-1, a-2) and (b+1, b+2). That is a slip: these are two values of one coordinate, not a column and a
	// row. Cells off the board or known already are left out. Sinking a ship empties the pool.
	AsCoded Targeting = iota
	// AsDescribed is the published text: the four neighbours of a hit, in the same order; after two hits on a line only
	// its two ends.
	AsDescribed
	// Proper leaves out what cannot be, too: it shoots only at cells on which a ship that is still afloat has room, in
	// random order.
	Proper
	// Density shoots, hunting or not, at the cell on which the most of the ships afloat could lie, each placement of
	// each ship counting one. Of equally good cells it prefers those of the list of its moves.
	Density
	// Informed shoots at the cell on which there most probably is a ship, for a player who knows the eight placements
	// of the post but not which of them he is up against. The probabilities are those of fleets sampled before each
	// shot. It always makes use of halos.
	Informed
)

// targetings is the table of the ways to follow up a hit. Commands, chapters and lessons range over it.
var targetings = [...]targeting{
	AsCoded:     {name: "as_coded", cost: 2, among: (*gunner).asCoded},
	AsDescribed: {name: "as_described", cost: 2, among: (*gunner).asDescribed, oneAtATime: true},
	Proper:      {name: "proper", cost: 4, among: (*gunner).proper},
	Density:     {name: "density", cost: 10, among: (*gunner).densest, think: (*gunner).thinkDensely, everyShot: true},
	Informed: {
		name: "informed", cost: 6100, among: (*gunner).likeliest, think: (*gunner).thinkInformed, everyShot: true,
		alone: true,
	},
}

// targeting is a row of the table.
type targeting struct {
	name  string
	cost  int64                                           // microseconds for a fleet, about, by BenchmarkSink
	among func(*gunner, *chance) (cells Cells, sure bool) // see gunner.aim
	// think returns what decides that cell, and may change what it is given; nil if each of the cells is as good.
	think     func(*gunner, *chance) Thoughts
	everyShot bool // it chooses without the moves, or with their list at most
	alone     bool // it chooses without the moves and their list
	// oneAtATime: it supposes that one ship is wounded at a time, and that all hits are on it
	oneAtATime bool
}

var targetingNames = enum.Of[Targeting]("targeting", targetings[:], func(t targeting) string { return t.name })

// AllMoves lists all move strategies, those of the post first.
func AllMoves() []Moves { return movesNames.All() }

// PostMoves lists the three move strategies of the post.
func PostMoves() []Moves { return AllMoves()[:movesOfThePost] }

// String returns the name, the text that is also marshalled and read.
func (m Moves) String() string                   { return movesNames.String(m) }
func (m Moves) MarshalText() ([]byte, error)     { return movesNames.MarshalText(m) }
func (m *Moves) UnmarshalText(text []byte) error { return movesNames.UnmarshalText(m, text) }

// Targetings lists all ways to follow up a hit.
func Targetings() []Targeting { return targetingNames.All() }

// String returns the name, the text that is also marshalled and read.
func (t Targeting) String() string                   { return targetingNames.String(t) }
func (t Targeting) MarshalText() ([]byte, error)     { return targetingNames.MarshalText(t) }
func (t *Targeting) UnmarshalText(text []byte) error { return targetingNames.UnmarshalText(t, text) }

// EveryShot reports whether the targeting chooses every shot, also those of the hunt, for which others follow the
// moves.
func (t Targeting) EveryShot() bool {
	refuse(targetingNames.Validate(t))
	return targetings[t].everyShot
}

// Cost returns about how many microseconds of a core it takes to sink a fleet, 1 or more. It is a number of the table,
// the same on all machines.
func (t Targeting) Cost() int64 {
	refuse(targetingNames.Validate(t))
	return targetings[t].cost
}

// Strategy is how a player shoots.
type Strategy struct {
	Moves     Moves
	Targeting Targeting
	Halo      bool // cells around a sunk ship are known to be empty; otherwise they are shot at like any others
}

// Validate refuses values outside of the enumerations.
func (s Strategy) Validate() error {
	return cmp.Or(movesNames.Validate(s.Moves), targetingNames.Validate(s.Targeting))
}

// noHalo ends the name of a strategy without halos.
const noHalo = "no_halo"

// Strategies lists all strategies with halos that differ, by targeting, then by moves. [Informed] makes nothing of the
// moves, so it is listed with the first of them alone.
func Strategies() []Strategy {
	var list []Strategy
	for _, t := range Targetings() {
		for _, m := range AllMoves() {
			if m == 0 || !targetings[t].alone {
				list = append(list, Strategy{m, t, true})
			}
		}
	}
	return list
}

// Contenders lists the strategies that the report measures and plays against, all with halos: those of the post as
// coded and as described, then hunting and finishing done properly, then Density and Informed.
func Contenders() []Strategy {
	var list []Strategy
	add := func(targeting Targeting, moves ...Moves) {
		for _, m := range moves {
			list = append(list, Strategy{Moves: m, Targeting: targeting, Halo: true})
		}
	}
	add(AsCoded, PostMoves()...)
	add(AsDescribed, PostMoves()...)
	add(Proper, Random, Diagonal)
	add(Density, Random)
	add(Informed, Random)
	return list
}

// compare orders strategies by targeting, then by moves, each in the order of its table, then those with halos first.
func (s Strategy) compare(t Strategy) int {
	if order := cmp.Or(cmp.Compare(s.Targeting, t.Targeting), cmp.Compare(s.Moves, t.Moves)); order != 0 ||
		s.Halo == t.Halo {
		return order
	}
	if s.Halo {
		return -1
	}
	return 1
}

// String returns the names of the moves and the targeting, such as "random-proper", and "random-proper-no_halo" if
// halos are not left out: the text that is also marshalled and read.
func (s Strategy) String() string {
	name := s.Moves.String() + "-" + s.Targeting.String()
	if !s.Halo {
		name += "-" + noHalo
	}
	return name
}

// MarshalText returns the name, or the error of Validate.
func (s Strategy) MarshalText() ([]byte, error) { return []byte(s.String()), s.Validate() }

// UnmarshalText reads the name. The error names the text, what is wrong with it, and the choices.
func (s *Strategy) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "-")
	if len(parts) < 2 || len(parts) > 3 || len(parts) == 3 && parts[2] != noHalo {
		return fmt.Errorf("%q: no strategy, write its moves and its targeting, such as %v, or %v for one without halos",
			text, Strategy{Random, Proper, true}, Strategy{Random, Proper, false})
	}
	read := Strategy{Halo: len(parts) == 2}
	if err := read.Moves.UnmarshalText([]byte(parts[0])); err != nil {
		return fmt.Errorf("strategy %q: %w", text, err)
	}
	if err := read.Targeting.UnmarshalText([]byte(parts[1])); err != nil {
		return fmt.Errorf("strategy %q: %w", text, err)
	}
	*s = read
	return nil
}
