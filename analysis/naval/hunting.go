package naval

import "github.com/siegebook/siegebook/analysis/internal/enum"

// moves is the table of the move strategies. Commands, chapters and lessons range over it.
var moves = [...]hunt{
	Random: {"random", board},
	Cross: {"cross", cellsWhere(func(x, y int) bool {
		centre := (x == 4 || x == 5) && (y == 4 || y == 5)
		broken := x == 4 && y%2 == 0 || x == 5 && y%2 == 1 || y == 4 && x%2 == 0 || y == 5 && x%2 == 1
		return !centre && (x == y || x+y == Side-1 || broken)
	})},
	Linear:   {"linear", diagonals(4, 3)},
	Diagonal: {"diagonal", diagonals(4, 3)},
}

// hunt is a row of the table.
type hunt struct {
	name string
	list Cells
}

var movesNames = enum.Of[Moves]("move strategy", moves[:], func(h hunt) string { return h.name })

// movesOfThePost is the number of move strategies of the post; they come first.
const movesOfThePost = 3

// everySecond are the cells of Diagonal once the ship of four is sunk.
var everySecond = diagonals(2, 1)

func diagonals(step, rest int) Cells {
	return cellsWhere(func(x, y int) bool { return (x+y)%step == rest })
}

// Cells returns the list of a move strategy, all cells for [Random].
func (m Moves) Cells() Cells {
	refuse(movesNames.Validate(m))
	return moves[m].list
}

// hunt chooses a cell while no ship is known to be hit.
func (g *gunner) hunt(c *chance) Cell { return c.pick(g.ground()) }

// ground are the cells that hunt chooses from.
func (g *gunner) ground() Cells {
	open := g.unknown
	if g.strategy.Targeting == Proper {
		open = berthsOf(open, g.shortest()).cells()
	}
	if listed := open.and(g.list()); !listed.empty() {
		return listed
	}
	return open
}

// list is the list of the moves as it is now.
func (g *gunner) list() Cells {
	if g.strategy.Moves != Diagonal || g.afloat[longest] > 0 {
		return moves[g.strategy.Moves].list
	}
	if g.shipsAfloat() > g.afloat[1] {
		return everySecond
	}
	return board
}

// shortest returns the decks of the shortest ship afloat.
func (g *gunner) shortest() int {
	decks := 1
	for g.afloat[decks] == 0 {
		decks++
	}
	return decks
}
