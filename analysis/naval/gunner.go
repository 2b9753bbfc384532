package naval

// fleetState is a fleet under fire.
type fleetState struct {
	ships Fleet
	owner [boardCells]int8 // number of the ship on a cell, from 1; 0: water
	left  [Ships]int8      // decks not hit yet
}

// place draws a new fleet.
func (f *fleetState) place(p Placement, c *chance) {
	f.ships.place(p, c)
	f.launch()
}

// launch fills in what follows from the ships.
func (f *fleetState) launch() {
	f.owner = [boardCells]int8{}
	for i, ship := range f.ships {
		step := Cell(1)
		if ship.Upright {
			step = Side
		}
		cell := ship.First
		for range ship.Decks {
			f.owner[cell] = int8(i + 1)
			cell += step
		}
		f.left[i] = ship.Decks
	}
}

// Outcome is what a shot does.
type Outcome int8

const (
	Miss Outcome = iota
	Hit
	Sunk
)

var outcomeNames = [...]string{"miss", "hit", "sunk"}

func (o Outcome) String() string { return nameOf(outcomeNames[:], int(o), "Outcome") }

// shoot returns what a shot does, and the ship if it sinks one.
func (f *fleetState) shoot(at Cell) (Outcome, Ship) {
	i := f.owner[at] - 1
	if i < 0 {
		return Miss, Ship{}
	}
	f.left[i]--
	if f.left[i] > 0 {
		return Hit, Ship{}
	}
	return Sunk, f.ships[i]
}

// gunner is what a player knows of the other's fleet. The zero value is of no use, see begin.
type gunner struct {
	strategy Strategy
	unknown  Cells // neither shot at nor known to be empty
	wounded  Cells // hits on ships afloat
	sunk     [Ships]Ship
	afloat   [longest + 1]int8 // ships not sunk, by decks
	nSunk    int8
	firstHit Cell // with wounded or pool not empty: the first hit since a ship was sunk
	anyHit   bool
	head     int8 // the pool of AsCoded is pool[head:tail]
	tail     int8
	pool     [poolSize]Cell
	shots    int16
	score    int16
}

// poolSize is enough: at most 16 of the decks can be hit without sinking a ship, and a hit adds at most four cells.
const poolSize = 64

// begin prepares for a new game.
func (g *gunner) begin(s Strategy) {
	g.strategy = s
	g.unknown, g.wounded = board, Cells{}
	g.afloat = [longest + 1]int8{0, 4, 3, 2, 1}
	g.nSunk, g.anyHit, g.head, g.tail = 0, false, 0, 0
	g.shots, g.score = 0, 0
}

// won reports whether all ships are sunk.
func (g *gunner) won() bool { return g.nSunk == Ships }

// aim chooses the next cell.
func (g *gunner) aim(c *chance) Cell {
	switch g.strategy.Targeting {
	case AsCoded:
		for g.head < g.tail {
			target := g.pool[g.head]
			g.head++
			if g.unknown.Has(target) {
				return target
			}
		}
	case AsDescribed:
		if target, ok := g.nextOnLine(); ok {
			return target
		}
	case Density:
		return g.densest(c)
	case Informed:
		return g.likeliest(c)
	}
	return g.hunt(c)
}

// hunt chooses a cell of the list of the moves at random, or any cell if there is none left.
func (g *gunner) hunt(c *chance) Cell {
	listed := g.unknown.and(lists[g.strategy.Moves])
	if listed.empty() && g.strategy.Moves == Diagonal && g.afloat[1] < g.ships() {
		listed = g.unknown.and(second)
	}
	if listed.empty() {
		listed = g.unknown
	}
	return c.pick(listed)
}

func (g *gunner) ships() int8 { return Ships - g.nSunk }

// learn takes in what a shot has done.
func (g *gunner) learn(at Cell, outcome Outcome, ship Ship) {
	g.shots++
	g.unknown = g.unknown.andNot(single(at))
	switch outcome {
	case Miss:
		return
	case Hit:
		g.score++
		g.wounded = g.wounded.or(single(at))
		if g.strategy.Targeting == AsCoded {
			g.addTargets(at)
		}
	case Sunk:
		g.score++
		g.wounded = g.wounded.andNot(ship.Cells())
		if g.strategy.Halo {
			g.unknown = g.unknown.andNot(ship.Zone())
		}
		g.sunk[g.nSunk] = ship
		g.nSunk++
		g.afloat[ship.Decks]--
		g.head, g.tail, g.anyHit = 0, 0, false
	}
}

// addTargets is the targeting of the published program, slip and all.
func (g *gunner) addTargets(hit Cell) {
	if !g.anyHit {
		g.firstHit, g.anyHit = hit, true
	}
	x, y := hit.X(), hit.Y()
	if g.head == g.tail {
		g.addTarget(x-1, y)
		g.addTarget(x+1, y)
		g.addTarget(x, y-1)
		g.addTarget(x, y+1)
		return
	}
	a, b := g.pool[g.head], g.firstHit
	g.addSlip(a.X(), b.X())
	g.addSlip(a.Y(), b.Y())
}

func (g *gunner) addSlip(a, b int) {
	switch {
	case a > b:
		g.addTarget(a+1, a+2)
		g.addTarget(b-1, b-2)
	case a < b:
		g.addTarget(a-1, a-2)
		g.addTarget(b+1, b+2)
	}
}

// addTarget puts a cell into the pool, unless it is off the board or known.
func (g *gunner) addTarget(x, y int) {
	if uint(x) < Side && uint(y) < Side && g.unknown.Has(At(x, y)) {
		g.pool[g.tail] = At(x, y)
		g.tail++
	}
}

// nextOnLine returns the next cell of AsDescribed: of the wounded ship's ends, or of all four sides after one hit, the first that is unknown
// in the order left, right, up, down. There is at most one wounded ship, and it has such a cell.
func (g *gunner) nextOnLine() (Cell, bool) {
	if g.wounded.empty() {
		return 0, false
	}
	low := g.wounded.first()
	alone := g.wounded == single(low)
	if alone || g.wounded.Has(low+1) && low.X() < Side-1 {
		high := low
		for g.wounded.Has(high + 1) {
			high++
		}
		if low.X() > 0 && g.unknown.Has(low-1) {
			return low - 1, true
		}
		if high.X() < Side-1 && g.unknown.Has(high+1) {
			return high + 1, true
		}
	}
	if alone || g.wounded.Has(low+Side) {
		high := low
		for g.wounded.Has(high + Side) {
			high += Side
		}
		if low >= Side && g.unknown.Has(low-Side) {
			return low - Side, true
		}
		if high+Side < boardCells && g.unknown.Has(high+Side) {
			return high + Side, true
		}
	}
	return 0, false
}
