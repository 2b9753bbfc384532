package naval

import (
	"fmt"
	"strings"
)

// Placement is a strategy of placing ships: a region for the ships of one deck. All other ships lie wholly outside of it.
type Placement int8

// The placements of the post, and [Anywhere].
const (
	Left             Placement = iota // the six columns x < 6: 60 cells
	Right                             // x >= 4
	Top                               // the six rows y < 6
	Bottom                            // y >= 4
	Square36                          // the inner square of 6 x 6 cells
	CenterVertical                    // x in 2..7: 60 cells
	CenterHorizontal                  // y in 2..7 and x in 2..9, as coded: 48 cells, where the text says 60
	Random12                          // twelve random cells, drawn anew for each fleet and each restart
	Anywhere                          // not in the post: no region, every ship may lie on every cell
)

// ofThePost is the number of placements of the post; they come first.
const ofThePost = 8

var placementNames = []string{
	"left", "right", "top", "bottom", "36", "center_vertical", "center_horizontal", "random_12", "anywhere",
}

func (p Placement) String() string { return nameOf(placementNames, int(p), "Placement") }

// Placements lists the eight of the post.
func Placements() []Placement {
	return []Placement{Left, Right, Top, Bottom, Square36, CenterVertical, CenterHorizontal, Random12}
}

// ParsePlacement returns the placement of a name.
func ParsePlacement(name string) (Placement, error) {
	i, err := parseName(placementNames, name, "placement")
	return Placement(i), err
}

func (p Placement) check() error {
	if p < 0 || int(p) >= len(placementNames) {
		return fmt.Errorf("%v: no placement, use one of %s", p, strings.Join(placementNames, ", "))
	}
	return nil
}

// regions are the fixed regions.
var regions = [...]Cells{
	Left:             cellsWhere(func(x, _ int) bool { return x < 6 }),
	Right:            cellsWhere(func(x, _ int) bool { return x >= 4 }),
	Top:              cellsWhere(func(_, y int) bool { return y < 6 }),
	Bottom:           cellsWhere(func(_, y int) bool { return y >= 4 }),
	Square36:         cellsWhere(func(x, y int) bool { return inner(x) && inner(y) }),
	CenterVertical:   cellsWhere(func(x, _ int) bool { return inner(x) }),
	CenterHorizontal: cellsWhere(func(x, y int) bool { return x >= 2 && inner(y) }),
	Anywhere:         {},
}

func inner(v int) bool { return 2 <= v && v <= 7 }

// Region returns the cells for the ships of one deck, which are closed to all others. It is empty for [Random12], whose region is
// drawn, and for [Anywhere], which has none.
func (p Placement) Region() Cells {
	if p < 0 || int(p) >= len(regions) {
		return Cells{}
	}
	return regions[p]
}

// waters are the cells on which ships may lie: those of one deck, and all others.
type waters struct{ small, large Cells }

func (w waters) of(decks int) Cells {
	if decks == 1 {
		return w.small
	}
	return w.large
}

// reserved are the waters of a region for the ships of one deck.
func reserved(region Cells) waters { return waters{region, board.andNot(region)} }

// waters draws the waters for one fleet.
func (p Placement) waters(c *chance) waters {
	switch p {
	case Anywhere:
		return waters{board, board}
	case Random12:
		return reserved(c.pickMore(Cells{}, 12, board))
	default:
		return reserved(p.Region())
	}
}
