package naval

import (
	"fmt"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Rules determine the ships of a fleet, and whether they may touch.
type Rules int8

const (
	// Post has the rules of the post: one ship of four decks, two of three, three of two and four of one. No two
	// ships touch, not even at corners.
	Post Rules = iota
	// Classic has the rules of the board game: ships of five, four, three, three and two decks, which may touch but
	// not overlap. A player who sinks a ship learns its cells.
	Classic
)

const (
	mostShips = 10 // the maximum number of ships in a fleet, under any rules
	longest   = 5  // the maximum number of decks, under any rules
)

// rules is a row of the table.
type rules struct {
	name    string
	lengths []int                  // the decks of the ships in the order of placing: the longest first
	closed  *[noShip + 1]Cells     // the cells that a ship closes to others, by its index
	touch   bool                   // ships may touch, so several can be wounded
	suspect []Placement            // the placements that Informed considers
	tries   []float64              // the mean number of attempts for a fleet, for each of these placements
	number  [longest + 1]int8      // number of ships, by decks
	first   [longest + 1]int8      // the index in a fleet of the first ship, by decks
	rooms   [len(placements)]room  // the rooms for the waters of each placement in suspect
	ships   int8                   // the number of ships in a fleet
	decks   int                    // the number of decks of all ships in a fleet
	allows  func(p Placement) bool // reports whether a placement exists under the rules
}

// ruleTable is the table of the rules. Games and shooters get all information about fleets from one of its rows.
var ruleTable = [...]rules{
	Post: rules{
		name: "post", lengths: []int{4, 3, 3, 2, 2, 2, 1, 1, 1, 1}, closed: &zones, suspect: PostPlacements(),
		tries: attempts[:], allows: func(Placement) bool { return true },
	}.counted(),
	Classic: rules{
		name: "classic", lengths: []int{5, 4, 3, 3, 2}, closed: &hulls, touch: true, suspect: []Placement{Anywhere},
		tries: []float64{1}, allows: func(p Placement) bool { return p >= Anywhere },
	}.counted(),
}

// post has the rules of the post for code that supports no other rules.
var post = &ruleTable[Post]

// counted returns r with the fields that follow from the lengths.
func (r rules) counted() rules {
	r.ships = int8(len(r.lengths))
	for i, decks := range slices.Backward(r.lengths) {
		r.number[decks]++
		r.first[decks] = int8(i)
		r.decks += decks
	}
	for _, p := range r.suspect {
		r.rooms[p] = r.roomIn(p.supposed())
	}
	return r
}

var ruleNames = enum.Of[Rules]("fleet", ruleTable[:], func(r rules) string { return r.name })

// AllRules lists all rules, starting with Post.
func AllRules() []Rules { return ruleNames.All() }

// String returns the name, which is also the text form.
func (r Rules) String() string                   { return ruleNames.String(r) }
func (r Rules) MarshalText() ([]byte, error)     { return ruleNames.MarshalText(r) }
func (r *Rules) UnmarshalText(text []byte) error { return ruleNames.UnmarshalText(r, text) }

// row returns the row of the table. It panics if there is no such row.
func (r Rules) row() *rules {
	refuse(ruleNames.Validate(r))
	return &ruleTable[r]
}

// Lengths returns the decks of a fleet's ships in the order in which they are placed: the longest first.
func (r Rules) Lengths() []int { return slices.Clone(r.row().lengths) }

// Placements lists the placements of [Placements] that exist under the rules. Regions are for ships of one deck,
// which the classic fleet does not have, so its placements are [Anywhere] and [Uniform].
func (r Rules) Placements() []Placement {
	return slices.DeleteFunc(Placements(), func(p Placement) bool { return !r.row().allows(p) })
}

// Strategies lists the strategies of [Strategies] that exist under the rules. [AsDescribed] follows the line of the
// hits and assumes that they are on one ship, so it is left out if ships may touch.
func (r Rules) Strategies() []Strategy {
	return slices.DeleteFunc(Strategies(), func(s Strategy) bool { return r.validate(Anywhere, s) != nil })
}

// validate returns an error unless the placement and the strategy, each valid by itself, exist under the rules.
func (r Rules) validate(p Placement, s Strategy) error {
	if !r.row().allows(p) {
		return fmt.Errorf("placement %v: regions are for ships of one deck, which the %v fleet lacks: use %v", p, r,
			r.Placements()[0])
	}
	if r.row().touch && targetings[s.Targeting].oneAtATime {
		return fmt.Errorf("strategy %v: this strategy needs ships that do not touch: for the %v fleet, use %v", s, r,
			Strategy{s.Moves, Proper, s.Halo})
	}
	return nil
}

// BlindMean returns the mean number of shots of a player who shoots at each cell at most once, in random order, and
// learns nothing from hits. With d decks it is the mean of the maximum of d numbers drawn from 1..100 without
// replacement: d * 101/(d + 1). It does not depend on the placement.
func (r Rules) BlindMean() float64 {
	decks := float64(r.row().decks)
	return decks * float64(boardCells+1) / (decks + 1)
}

// Placement is a strategy of placing ships. In a region there are only ships of one deck, and all other ships are
// completely outside of it. Some placements have no region.
type Placement int8

// These are the placements of the post, [Anywhere] and [Uniform].
const (
	Left             Placement = iota // the six columns x < 6: 60 cells
	Right                             // x >= 4
	Top                               // the six rows y < 6
	Bottom                            // y >= 4
	Square36                          // the inner square of 6 x 6 cells
	CenterVertical                    // x in 2..7: 60 cells
	CenterHorizontal                  // y in 2..7 and x in 2..9, as coded: 48 cells; the post's text says 60
	Random12                          // twelve random cells, drawn again for each fleet and each restart
	Anywhere                          // not in the post: no region, every ship may be anywhere
	Uniform                           // not in the post: all fleets of the board are equally likely
)

// ofThePost is the number of placements of the post, which come first.
const ofThePost = 8

// placements is the table of the placements. Commands, chapters and lessons iterate over it.
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
	region Cells // the region, if it is fixed
}

var placementNames = enum.Of[Placement]("placement", placements[:], func(p placement) string { return p.name })

// Placements lists the placements that place ship by ship: the placements of the post and [Anywhere]. It omits
// [Uniform].
func Placements() []Placement { return placementNames.All()[:Uniform] }

// PostPlacements lists the eight placements of the post.
func PostPlacements() []Placement { return Placements()[:ofThePost] }

// String returns the name, which is also the text form.
func (p Placement) String() string                   { return placementNames.String(p) }
func (p Placement) MarshalText() ([]byte, error)     { return placementNames.MarshalText(p) }
func (p *Placement) UnmarshalText(text []byte) error { return placementNames.UnmarshalText(p, text) }

func inner(v int) bool { return 2 <= v && v <= 7 }

// Region returns the cells for the ships of one deck, which are closed to all other ships. It is empty for
// [Random12], whose region is random, and for [Anywhere] and [Uniform], which have none.
func (p Placement) Region() Cells {
	refuse(placementNames.Validate(p))
	return placements[p].region
}

// waters are the cells on which ships may be: small for ships of one deck, large for all others.
type waters struct{ small, large Cells }

func (w waters) cellsFor(decks int) Cells {
	if decks == 1 {
		return w.small
	}
	return w.large
}

// reserved returns the waters with a region for the ships of one deck.
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
