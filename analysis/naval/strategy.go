package naval

import (
	"fmt"
	"strings"
)

// Moves is a strategy of hunting: which cells to shoot at while no ship is known to be hit. The cells of a list are shot at in random order while
// one is left that is neither shot nor known to be empty; then the others are, in random order too.
type Moves int8

// The move strategies of the post, and [Diagonal].
const (
	Random Moves = iota // no list: any cell
	Cross               // both diagonals and four broken lines between them, without the four cells of the centre: 32 cells
	Linear              // every fourth diagonal, (x+y) mod 4 = 3: 24 cells
	// Diagonal is not in the post: Linear while the ship of four is afloat, then every second diagonal while any ship of more than one deck is.
	Diagonal
)

// Targeting is what a player does after a hit.
type Targeting int8

const (
	// AsCoded is the published program. A hit with an empty pool puts the four neighbours into it (left, right, up,
	// down; first in, first out). A hit while there are targets takes the next of them, a, and the first hit since a ship was sunk, b, and adds
	// for each coordinate in which they differ the cells (a+1, a+2) and (b-1, b-2) if a > b there, else (a-1, a-2) and (b+1, b+2). That is a slip:
	// these are two values of one coordinate, not a column and a row. Cells off the board or known already are left out.
	// Sinking a ship empties the pool.
	AsCoded Targeting = iota
	// AsDescribed is the published text: the four neighbours of a hit, in the same order; after two hits on a line only its two ends.
	AsDescribed
	// Proper leaves out what cannot be, too: it shoots only at cells on which a ship that is still afloat has room, in random order.
	Proper
	// Density shoots, hunting or not, at the cell on which the most of the ships afloat could lie, each placement of each ship counting one.
	// Of equally good cells it prefers those of the list of its moves.
	Density
	// Informed shoots at the cell on which there most probably is a ship, for a player who knows the eight placements of the post but not which
	// of them he is up against. The probabilities are those of fleets sampled before each shot. It always makes use of halos.
	Informed
)

var (
	movesNames     = []string{"random", "cross", "linear", "diagonal"}
	targetingNames = []string{"as_coded", "as_described", "proper", "density", "informed"}
)

func (m Moves) String() string     { return nameOf(movesNames, int(m), "Moves") }
func (t Targeting) String() string { return nameOf(targetingNames, int(t), "Targeting") }

// AllMoves lists the three move strategies of the post.
func AllMoves() []Moves { return []Moves{Random, Cross, Linear} }

// ParseMoves returns the move strategy of a name.
func ParseMoves(name string) (Moves, error) {
	i, err := parseName(movesNames, name, "move strategy")
	return Moves(i), err
}

// ParseTargeting returns the targeting of a name.
func ParseTargeting(name string) (Targeting, error) {
	i, err := parseName(targetingNames, name, "targeting")
	return Targeting(i), err
}

// Strategy is how a player shoots.
type Strategy struct {
	Moves     Moves
	Targeting Targeting
	Halo      bool // cells around a sunk ship are known to be empty; otherwise they are shot at like any others
}

// check refuses values outside of the enumerations.
func (s Strategy) check() error {
	if s.Moves < 0 || int(s.Moves) >= len(movesNames) {
		return fmt.Errorf("%v: no move strategy, use one of %s", s.Moves, strings.Join(movesNames, ", "))
	}
	if s.Targeting < 0 || int(s.Targeting) >= len(targetingNames) {
		return fmt.Errorf("%v: no targeting, use one of %s", s.Targeting, strings.Join(targetingNames, ", "))
	}
	return nil
}

// nameOf returns names[i], or for a value outside of the enumeration what it is.
func nameOf(names []string, i int, kind string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return names[i]
}

func parseName(names []string, name, kind string) (int, error) {
	for i, known := range names {
		if name == known {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%q: no %s, use one of %s", name, kind, strings.Join(names, ", "))
}
