package naval

// Moves is a strategy of hunting: which cells to shoot at while no ship is known to be hit.
type Moves int8

// The move strategies of the post. The cells of a list are shot at in random order while one is left that is neither shot nor known to
// be empty, then the others, in random order too.
const (
	Random   Moves = iota // no list
	Cross                 // both diagonals and four broken lines between them, without the centre: 32 cells
	Linear                // every fourth diagonal, (x+y) mod 4 = 3: 24 cells
	Diagonal              // not in the post: Linear while the ship of four is afloat, then every second diagonal while a longer one than one deck is
)

// AllMoves are the three of the post.
var AllMoves = []Moves{Random, Cross, Linear}

var movesNames = [...]string{"random", "cross", "linear", "diagonal"}

func (m Moves) String() string { return nameOf(movesNames[:], int(m), "Moves") }

// Targeting is what a player does after a hit.
type Targeting int8

const (
	// AsCoded is the published program. A hit with an empty pool puts the four neighbours into it (left, right, up,
	// down; first in, first out). A hit while there are targets takes the next one, a, and the first hit, b, and adds for each coordinate in
	// which they differ the cells (a+1, a+2) and (b-1, b-2) if a > b there, else (a-1, a-2) and (b+1, b+2): a slip, for these are
	// two values of one coordinate and not a column and a row. Cells off the board and cells known already are left out. Sinking a ship empties
	// the pool.
	AsCoded Targeting = iota
	// AsDescribed is the published text: the four neighbours of the first hit, in the same order; after two hits on a line only its two ends.
	AsDescribed
	// Density shoots, hunting or not, at the cell that the most ships could lie on; see docs/derivations/naval.md. Of equally good cells
	// it prefers those of the list of its moves.
	Density
	// Informed is Density for a player who knows the eight placements of the post, and learns which one he is up against.
	Informed
)

var targetingNames = [...]string{"as_coded", "as_described", "density", "informed"}

func (t Targeting) String() string { return nameOf(targetingNames[:], int(t), "Targeting") }

// Strategy is how a player shoots.
type Strategy struct {
	Moves     Moves
	Targeting Targeting
	Halo      bool // cells around a sunk ship are known to be empty; otherwise they are shot at like any other
}

// lists are the cells of the move strategies.
var lists = [...]Cells{
	Random: board,
	Cross: cellsWhere(func(x, y int) bool {
		centre := (x == 4 || x == 5) && (y == 4 || y == 5)
		broken := x == 4 && y%2 == 0 || x == 5 && y%2 == 1 || y == 4 && x%2 == 0 || y == 5 && x%2 == 1
		return !centre && (x == y || x+y == Side-1 || broken)
	}),
	Linear:   fourth,
	Diagonal: fourth,
}

var (
	fourth = cellsWhere(func(x, y int) bool { return (x+y)%4 == 3 })
	second = cellsWhere(func(x, y int) bool { return (x+y)%2 == 1 })
)
