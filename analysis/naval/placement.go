package naval

import "github.com/siegebook/siegebook/analysis/internal/enum"

// Placement is a strategy of placing ships: a region for the ships of one deck, and all other ships lie wholly outside
// of it; or none.
type Placement int8

// The placements of the post, [Anywhere] and [Uniform].
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
	Uniform                           // not in the post: all fleets of the board are equally likely
)

// ofThePost is the number of placements of the post; they come first.
const ofThePost = 8

// placements is the table of the placements. Commands, chapters and lessons range over it.
var placements = [...]placement{
	Left:             {"left", cellsWhere(func(x, _ int) bool { return x < 6 })},
	Right:            {"right", cellsWhere(func(x, _ int) bool { return x >= 4 })},
	Top:              {"top", cellsWhere(func(_, y int) bool { return y < 6 })},
	Bottom:           {"bottom", cellsWhere(func(_, y int) bool { return y >= 4 })},
	Square36:         {"36", cellsWhere(func(x, y int) bool { return inner(x) && inner(y) })},
	CenterVertical:   {"center_vertical", cellsWhere(func(x, _ int) bool { return inner(x) })},
	CenterHorizontal: {"center_horizontal", cellsWhere(func(x, y int) bool { return x >= 2 && inner(y) })},
	Random12:         {name: "random_12"},
	Anywhere:         {name: "anywhere"},
	Uniform:          {name: "uniform"},
}

// placement is a row of the table.
type placement struct {
	name   string
	region Cells // if it is fixed
}

var placementNames = enum.Of[Placement]("placement", placements[:], func(p placement) string { return p.name })

// Placements lists the placements that lay ship by ship: those of the post and [Anywhere]. It leaves out [Uniform].
func Placements() []Placement { return placementNames.All()[:Uniform] }

// PostPlacements lists the eight of the post.
func PostPlacements() []Placement { return Placements()[:ofThePost] }

// String returns the name, the text that is also marshalled and read.
func (p Placement) String() string                   { return placementNames.String(p) }
func (p Placement) MarshalText() ([]byte, error)     { return placementNames.MarshalText(p) }
func (p *Placement) UnmarshalText(text []byte) error { return placementNames.UnmarshalText(p, text) }

func inner(v int) bool { return 2 <= v && v <= 7 }

// Region returns the cells for the ships of one deck, which are closed to all others. It is empty for [Random12], whose
// region is drawn, and for [Anywhere] and [Uniform], which have none.
func (p Placement) Region() Cells {
	refuse(placementNames.Validate(p))
	return placements[p].region
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
	case Anywhere, Uniform:
		return waters{board, board}
	case Random12:
		return reserved(c.pickMore(Cells{}, 12, board))
	default:
		return reserved(p.Region())
	}
}
