package naval

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Moves is a strategy of hunting: it chooses the cells to shoot at while no unsunk ship is known to be hit. First come
// the unknown cells of a list, in random order, then all other cells, also in random order.
type Moves int8

// These are the move strategies of the post, and [Diagonal].
const (
	Random Moves = iota // no list: any cell
	// both diagonals and four broken lines between them, without the four cells in the centre: 32 cells
	Cross
	Linear // every fourth diagonal, (x+y) mod 4 = 3: 24 cells
	// Diagonal is not in the post: Linear while the ship of four is afloat, then every second diagonal while any ship
	// of more than one deck is afloat.
	Diagonal
)

// Targeting is a player's method after a hit.
type Targeting int8

const (
	// AsCoded is the published program. It has a pool of targets (first in, first out), which is emptied when a ship is
	// sunk. If the pool is empty when a shot hits, the program adds the four neighbours (left, right, up, down). If the
	// pool has targets, let a be the next of them and b the first hit since a ship was sunk. For each coordinate in
	// which a and b differ, the program adds the cells (a+1, a+2) and (b-1, b-2) if a > b, else (a-1, a-2) and (b+1,
	// b+2). That is a bug: these are two values of one coordinate, not a column and a row. Cells that are off the board
	// or known are not added.
	AsCoded Targeting = iota
	// AsDescribed follows the published text: after a hit it shoots at the four neighbours in the same order, and after
	// two hits in a line, only at the two ends of the line.
	AsDescribed
	// Proper also leaves out impossible cells: it shoots only at cells where a ship that is still afloat has room, in
	// random order.
	Proper
	// Density shoots, hunting or not, at the cell that the ships afloat could cover in the most ways, counting each
	// place of each ship once. Among equally good cells it prefers cells in the list of its moves.
	Density
	// Informed shoots at the cell that most probably has a ship. It knows the eight placements of the post, but not
	// which of them the opponent uses. It estimates the probabilities from fleets that it samples before each shot.
	// It always uses halos.
	Informed
)

// targetings is the table of the ways to follow up a hit. Commands, chapters and lessons iterate over it.
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
	cost  int64                                           // approximate microseconds for a fleet, by BenchmarkSink
	among func(*gunner, *chance) (cells Cells, sure bool) // returns the cells for the next shot (see gunner.aim)
	// think returns the numbers that decide among the cells, and may change its arguments. It is nil if all cells are
	// equally good.
	think     func(*gunner, *chance) Thoughts
	everyShot bool // it chooses cells without the moves, or uses only their list
	alone     bool // it chooses cells without the moves and their list
	// oneAtATime: it assumes that at most one ship is wounded at a time, and that all hits are on this ship
	oneAtATime bool
}

var targetingNames = enum.Of[Targeting]("targeting", targetings[:], func(t targeting) string { return t.name })

// AllMoves lists all move strategies, starting with the post's.
func AllMoves() []Moves { return movesNames.All() }

// PostMoves lists the three move strategies of the post.
func PostMoves() []Moves { return AllMoves()[:movesOfThePost] }

// String returns the name, which is also the text form.
func (m Moves) String() string                   { return movesNames.String(m) }
func (m Moves) MarshalText() ([]byte, error)     { return movesNames.MarshalText(m) }
func (m *Moves) UnmarshalText(text []byte) error { return movesNames.UnmarshalText(m, text) }

// Targetings lists all ways to follow up a hit.
func Targetings() []Targeting { return targetingNames.All() }

// String returns the name, which is also the text form.
func (t Targeting) String() string                   { return targetingNames.String(t) }
func (t Targeting) MarshalText() ([]byte, error)     { return targetingNames.MarshalText(t) }
func (t *Targeting) UnmarshalText(text []byte) error { return targetingNames.UnmarshalText(t, text) }

// EveryShot reports whether the targeting chooses every shot, including the shots of the hunt. Other targetings
// follow the moves in the hunt.
func (t Targeting) EveryShot() bool {
	refuse(targetingNames.Validate(t))
	return targetings[t].everyShot
}

// Cost returns the approximate time for sinking a fleet in microseconds of a core, at least 1. It is a constant from a
// table, and so the same on all machines.
func (t Targeting) Cost() int64 {
	refuse(targetingNames.Validate(t))
	return targetings[t].cost
}

// Strategy is a player's method of choosing shots.
type Strategy struct {
	Moves     Moves
	Targeting Targeting
	Halo      bool // cells around a sunk ship are known to be empty; otherwise they are like any others
}

// Validate returns an error for values outside of the enumerations.
func (s Strategy) Validate() error {
	return cmp.Or(movesNames.Validate(s.Moves), targetingNames.Validate(s.Targeting))
}

// noHalo ends the name of a strategy without halos.
const noHalo = "no_halo"

// Strategies lists all distinct strategies with halos, by targeting, then by moves. [Informed] does not use the
// moves, so it is listed only with the first of them.
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

// Contenders lists the strategies that the report measures and plays against, all with halos: the strategies of the
// post as coded and as described, then Proper hunting and finishing, then Density and Informed.
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

// compare orders strategies by targeting, then by moves, each in the order of its table. Strategies with halos come
// first.
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

// String returns the names of the moves and the targeting, such as "random-proper", or "random-proper-no_halo" if the
// strategy ignores halos. It is also the text form.
func (s Strategy) String() string {
	name := s.Moves.String() + "-" + s.Targeting.String()
	if !s.Halo {
		name += "-" + noHalo
	}
	return name
}

// MarshalText returns the name, or the error of Validate.
func (s Strategy) MarshalText() ([]byte, error) { return []byte(s.String()), s.Validate() }

// UnmarshalText reads the name. The error contains the name, what is wrong with it, and the choices.
func (s *Strategy) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "-")
	if len(parts) < 2 || len(parts) > 3 || len(parts) == 3 && parts[2] != noHalo {
		return fmt.Errorf("%q is not a strategy: write moves, a hyphen and a targeting, such as %v, or %v for a "+
			"strategy without halos",
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
