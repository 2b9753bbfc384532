package naval

import "github.com/siegebook/siegebook/analysis/internal/enum"

// gunner holds a player's knowledge about the other's fleet. begin must prepare it before use.
type gunner struct {
	rules    *rules
	strategy Strategy
	unknown  Cells             // cells neither shot at nor known to be empty
	wounded  Cells             // hits on ships afloat
	afloat   [longest + 1]int8 // number of ships not sunk, by decks
	sunk     [mostShips]Ship   // sunk[:nSunk]
	nSunk    int8
	pool     pool               // the pool of AsCoded
	suspects [ofThePost]float64 // for Informed: the probability of each placement that it considers
	shots    int32
	score    int32 // the number of shots that hit
}

// begin prepares for a new game.
func (g *gunner) begin(r *rules, s Strategy) {
	g.rules = r
	g.strategy = s
	g.unknown, g.wounded = board, Cells{}
	g.afloat, g.nSunk = r.number, 0
	g.pool.drain()
	if s.Targeting == Informed {
		g.suspectAll()
	}
	g.shots, g.score = 0, 0
}

func (g *gunner) shipsAfloat() int8 { return g.rules.ships - g.nSunk }

// won reports whether all ships are sunk.
func (g *gunner) won() bool { return g.nSunk == g.rules.ships }

// aim chooses the next cell among the unknown cells.
func (g *gunner) aim(c *chance) Cell {
	cells, sure := targetings[g.strategy.Targeting].among(g, c)
	if sure {
		return cells.first()
	}
	return c.pick(cells)
}

// These functions return the cells from which the next shot is drawn with equal probability. If sure is true, there
// is only one cell, and no random number is used.

func (g *gunner) asCoded(*chance) (cells Cells, sure bool) {
	if at, ok := g.pool.next(g.unknown); ok {
		return single(at), true
	}
	return g.ground(), false
}

func (g *gunner) asDescribed(*chance) (cells Cells, sure bool) {
	if !g.wounded.empty() {
		return single(g.nextOnLine()), true
	}
	return g.ground(), false
}

func (g *gunner) proper(*chance) (cells Cells, sure bool) {
	if !g.wounded.empty() {
		return g.extensions(), false
	}
	return g.ground(), false
}

// learn records the outcome of a shot.
func (g *gunner) learn(at Cell, outcome Outcome, ship Ship) {
	g.shots++
	g.unknown = g.unknown.andNot(single(at))
	switch outcome {
	case Hit:
		g.score++
		g.wounded = g.wounded.or(single(at))
		if g.strategy.Targeting == AsCoded {
			g.pool.hit(at, g.unknown)
		}
	case Sunk:
		g.score++
		g.wounded = g.wounded.andNot(ship.Cells())
		if g.strategy.Halo {
			g.unknown = g.unknown.andNot(g.rules.closed[ship.index()])
		}
		g.sunk[g.nSunk] = ship
		g.nSunk++
		g.afloat[ship.Decks]--
		g.pool.drain()
	}
}

// moves is the table of the move strategies. Commands, chapters and lessons iterate over it.
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

// movesOfThePost is the number of move strategies of the post, which come first.
const movesOfThePost = 3

// everySecond is the list of Diagonal after the ship of four decks is sunk.
var everySecond = diagonals(2, 1)

func diagonals(step, rest int) Cells {
	return cellsWhere(func(x, y int) bool { return (x+y)%step == rest })
}

// Cells returns the list of a move strategy; for [Random] all cells.
func (m Moves) Cells() Cells {
	refuse(movesNames.Validate(m))
	return moves[m].list
}

// ground returns the cells to hunt on while no unsunk ship is known to be hit.
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

// list returns the current list of the move strategy.
func (g *gunner) list() Cells {
	if g.strategy.Moves != Diagonal || g.afloat[4]+g.afloat[5] > 0 {
		return moves[g.strategy.Moves].list
	}
	if g.shipsAfloat() > g.afloat[1] {
		return everySecond
	}
	return board
}

// shortest returns the number of decks of the shortest ship afloat.
func (g *gunner) shortest() int {
	decks := 1
	for g.afloat[decks] == 0 {
		decks++
	}
	return decks
}

// pool is the list of targets of the published program (see [AsCoded]).
type pool struct {
	cells      [poolSize]Cell // the targets are cells[head:tail]
	head, tail int8
	first      Cell // the first hit since a ship was sunk
	anyHit     bool
}

// poolSize suffices: a fleet takes at most twelve hits that sink nothing, and each adds at most four cells. The extra
// place is for a cell that add writes and then discards.
const poolSize = 48 + 1

func (p *pool) drain() { p.head, p.tail, p.anyHit = 0, 0, false }

// next removes targets until it finds one that is unknown.
func (p *pool) next(unknown Cells) (at Cell, ok bool) {
	for p.head < p.tail {
		at = p.cells[p.head]
		p.head++
		if unknown.contains(at) {
			return at, true
		}
	}
	return 0, false
}

// hit adds the targets after a hit that sank nothing.
func (p *pool) hit(at Cell, unknown Cells) {
	if !p.anyHit {
		p.first, p.anyHit = at, true
	}
	if p.head == p.tail {
		for _, beside := range sides[at] {
			p.add(beside, unknown)
		}
		return
	}
	a, b := p.cells[p.head], p.first
	p.slip(a%Side, b%Side, unknown)
	p.slip(a/Side, b/Side, unknown)
}

// slip adds the two cells that the program takes for the ends of a line.
func (p *pool) slip(a, b Cell, unknown Cells) {
	switch {
	case a > b:
		p.add(slipped[1][a], unknown)
		p.add(slipped[0][b], unknown)
	case a < b:
		p.add(slipped[0][a], unknown)
		p.add(slipped[1][b], unknown)
	}
}

// add adds a cell unless it is off the board or known. It has no branches, because half of the cells are known.
func (p *pool) add(c Cell, unknown Cells) {
	p.cells[p.tail] = c
	p.tail += int8(unknown.bit(c))
}

// off represents a cell that is not on the board. No set contains it.
const off Cell = 127

func cellOrOff(x, y int) Cell {
	if uint(x) < Side && uint(y) < Side {
		return At(x, y)
	}
	return off
}

// sides holds the cells left, right, above and below of each cell. slipped holds the cells that the program adds for
// a coordinate v: column v-1 and row v-2, and column v+1 and row v+2.
var sides, slipped = func() (sides [boardCells][4]Cell, slipped [2][Side]Cell) {
	for c := range Cell(boardCells) {
		x, y := c.X(), c.Y()
		sides[c] = [4]Cell{cellOrOff(x-1, y), cellOrOff(x+1, y), cellOrOff(x, y-1), cellOrOff(x, y+1)}
	}
	for v := range Side {
		slipped[0][v], slipped[1][v] = cellOrOff(v-1, v-2), cellOrOff(v+1, v+2)
	}
	return sides, slipped
}()

// The functions below finish a wounded ship, for players who always do so. For these players at most one ship is
// wounded at a time, and its hits have no gaps, unless ships may touch.

// nextOnLine returns the next cell of AsDescribed: the first unknown cell, in the order left, right, up, down, among
// the four neighbours of a single hit or the ends of a line of hits.
func (g *gunner) nextOnLine() Cell {
	first := g.wounded.first()
	last := first
	for rest := g.wounded; !rest.empty(); rest = rest.andNot(single(last)) {
		last = rest.first()
	}
	if first.Y() == last.Y() {
		if first.X() > 0 && g.unknown.contains(first-1) {
			return first - 1
		}
		if last.X() < Side-1 && g.unknown.contains(last+1) {
			return last + 1
		}
	}
	if first >= Side && g.unknown.contains(first-Side) {
		return first - Side
	}
	return last + Side // the only end left: otherwise the ship would be sunk
}

// extensions returns the unknown cells next to the hits of the wounded ship that the ship may cover: some ship afloat
// must fit on the hits and the cell.
func (g *gunner) extensions() Cells {
	var s Cells
	reach := g.reach()
	for decks := 2; decks <= longest; decks++ {
		if g.afloat[decks] > 0 {
			s = s.or(g.possible(decks, board, reach).cells())
		}
	}
	return s.and(g.unknown).and(g.wounded.neighbours())
}

// possible returns the places for ships of a length that agree with what is known: in the waters open, on unknown
// cells or hits, and on all hits of the wounded ship, if there is one. If ships may touch, the hits can belong to
// several ships: then reach is positive, and possible returns the places on exactly reach hits.
func (g *gunner) possible(decks int, open Cells, reach int) berths {
	b := berthsOf(g.unknown.or(g.wounded).and(open), decks)
	if reach > 0 {
		return b.byHits(g.wounded)[reach]
	}
	for rest := g.wounded; !rest.empty(); {
		hit := rest.first()
		rest = rest.andNot(single(hit))
		b = b.covering(hit)
	}
	return b
}

// reach returns the maximum number of hits that a ship afloat can cover, if ships may touch and one is wounded; else
// 0.
func (g *gunner) reach() int {
	if !g.rules.touch || g.wounded.empty() {
		return 0
	}
	most := 0
	for decks := 2; decks <= longest; decks++ {
		if g.afloat[decks] == 0 {
			continue
		}
		for hits, b := range berthsOf(g.unknown.or(g.wounded), decks).byHits(g.wounded) {
			if b.count() > 0 {
				most = max(most, hits)
			}
		}
	}
	return most
}

// tally counts for all cells in parallel how many places of ships cover them: bit c of planes[k] is bit k of the
// count of cell c. The counts are at most 8 for the ship of four decks, 2*6 for the ships of three, 3*4 for the ships
// of two and 4 for the ships of one: 36 in total. For the classic fleet they are at most 10, 8, 2*6 and 4: 34 in
// total.
type tally [6]Cells

// add adds 1<<k to the count of the cells of s.
func (t *tally) add(s Cells, k int) {
	for ; k < len(t) && !s.empty(); k++ {
		t[k], s = t[k].xor(s), t[k].and(s)
	}
}

// addTimes adds n, 0..4, to the count of the cells of s.
func (t *tally) addTimes(s Cells, n int8) {
	switch n {
	case 1:
		t.add(s, 0)
	case 2:
		t.add(s, 1)
	case 3:
		t.add(s, 0)
		t.add(s, 1)
	case 4:
		t.add(s, 2)
	}
}

// most returns the cells of a set with the greatest count.
func (t *tally) most(s Cells) Cells {
	for k := len(t) - 1; k >= 0; k-- {
		if more := s.and(t[k]); !more.empty() {
			s = more
		}
	}
	return s
}

// addShips adds n, 0..4, to the counts of the cells of each place.
func (t *tally) addShips(b berths, n int8) {
	t.addTimes(b.flat, n)
	t.addTimes(b.upright, n)
	for k := uint(1); k < uint(b.decks); k++ {
		t.addTimes(b.flat.up(k), n)
		t.addTimes(b.upright.up(k*Side), n)
	}
}

// countAt returns the count of a cell.
func (t *tally) countAt(c Cell) int {
	count := 0
	for k, plane := range t {
		if plane.contains(c) {
			count += 1 << k
		}
	}
	return count
}

// ways counts for each cell in how many ways the ships afloat can cover it.
func (g *gunner) ways() (t tally) {
	reach := g.reach()
	for decks := 1; decks <= longest; decks++ {
		if n := g.afloat[decks]; n > 0 {
			t.addShips(g.possible(decks, board, reach), n)
		}
	}
	return t
}

// densest returns the cells that the ships afloat can cover in the largest number of ways.
func (g *gunner) densest(*chance) (cells Cells, sure bool) {
	t := g.ways()
	best := t.most(g.unknown)
	if listed := best.and(g.list()); !listed.empty() {
		best = listed
	}
	return best, false
}
