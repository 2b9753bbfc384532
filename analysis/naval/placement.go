package naval

import "fmt"

// Placement is a strategy of placing ships: a region for the ships of one deck. All other ships lie wholly outside of it.
type Placement int8

// The placements of the post, and [Anywhere], which has no region: every ship may lie on every cell.
const (
	Left             Placement = iota // the six columns x < 6: 60 cells
	Right                             // x >= 4
	Top                               // the six rows y < 6
	Bottom                            // y >= 4
	Square36                          // the inner square of 6 x 6 cells
	CenterVertical                    // x in 2..7: 60 cells
	CenterHorizontal                  // y in 2..7 and x in 2..9, as coded: 48 cells, where the text says 60
	Random12                          // twelve random cells, drawn anew for each fleet and each restart
	Anywhere
)

// Placements are the eight of the post.
var Placements = []Placement{Left, Right, Top, Bottom, Square36, CenterVertical, CenterHorizontal, Random12}

var placementNames = [...]string{
	"left", "right", "top", "bottom", "36", "center_vertical", "center_horizontal", "random_12", "anywhere",
}

func (p Placement) String() string { return nameOf(placementNames[:], int(p), "Placement") }

// nameOf returns names[i], or for a value outside of the enumeration what it is.
func nameOf(names []string, i int, kind string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return names[i]
}

// regions are the fixed regions; Random12 has none that is fixed, Anywhere none.
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

// Region returns the cells for the ships of one deck, all others being closed to them. It is empty for [Random12], whose region is
// drawn, and for [Anywhere].
func (p Placement) Region() Cells {
	if p < 0 || int(p) >= len(regions) {
		return Cells{}
	}
	return regions[p]
}

// open returns the cells on which ships of one deck may lie, and those for all other ships.
func (p Placement) open(c *chance) (small, large Cells) {
	switch p {
	case Anywhere:
		return board, board
	case Random12:
		rest := board
		for range 12 {
			rest = rest.andNot(single(c.pick(rest)))
		}
		return board.andNot(rest), rest
	}
	return p.Region(), board.andNot(p.Region())
}
