package ants

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/siegebook/siegebook/internal/canceled"
)

// Box is a set of small positions to search: all ways to fill the cells of a map with edges, where each cell is empty
// or has an ant of one of at most Owners armies. Positions that differ only in the names of the armies count once:
// the armies are A, B, ... in the order of their first ants. Mirror images count separately. The rule is Focus.
type Box struct {
	Rows    int   `json:"rows"`    // at least 1
	Cols    int   `json:"cols"`    // at least 1; the box has at most 2^30 positions
	Owners  int   `json:"owners"`  // at least 1
	Radius2 int64 `json:"radius2"` // at least 1
}

// maxPositions is the maximum number of positions that Search accepts. A search of this size takes a few minutes.
const maxPositions = 1 << 30

// Position is the view of a position that Search passes to the value function. It is valid only during the call.
type Position struct {
	notData
	Ants [26]int // how many ants each army has
	Left [26]int // how many of them survive the battle

	box Box
	// The fields below are sets of cells: cell number i is bit i.
	army     [26]uint64
	occupied uint64
	near     [mostOutliveCells]uint64
}

// Found is the result of a search.
type Found struct {
	Positions int64 `json:"positions"` // the number of positions in the box; all were searched
	Value     int   `json:"value"`     // the largest value, if Best > 0
	Best      int64 `json:"best"`      // how many positions have that value
	First     Map   `json:"first"`     // the first of these positions, by cells: empty before A before B
}

// Search evaluates every position of the box, and finds the positions with the largest value. The function value
// returns what a position is worth; ok is false for a position to ignore. The result depends only on the arguments.
//
// Search returns an error for a box with more than 2^30 positions, and stops with the context's error when the
// context is done.
func Search(ctx context.Context, box Box, value func(*Position) (value int, ok bool)) (Found, error) {
	positions, err := box.Positions()
	switch {
	case err != nil:
		return Found{}, err
	case value == nil:
		return Found{}, errors.New("value = nil: give a function that returns the value of a position")
	}
	s := search{ctx: ctx, value: value, position: Position{box: box}}
	s.position.near = box.world().near()
	s.fill(0, 0)
	if s.cause != nil {
		return Found{}, s.cause
	}
	s.found.Positions = positions
	return s.found, nil
}

func (b Box) world() World {
	return World{Rows: b.Rows, Cols: b.Cols, Bounded: true, Radius2: b.Radius2}
}

func (b Box) validate() error {
	if err := b.world().Validate(); err != nil {
		return err
	}
	if b.Owners < 1 || b.Owners > len(Position{}.Ants) {
		return fmt.Errorf("owners = %d: out of range, use 1 to %d", b.Owners, len(Position{}.Ants))
	}
	return nil
}

// Positions returns the number of positions in the box, or an error if the box is not valid or has more than 2^30.
func (b Box) Positions() (int64, error) {
	if err := b.validate(); err != nil {
		return 0, err
	}
	// ways[k] is the number of positions of the cells so far with k armies. The next cell is empty, or belongs to one
	// of these armies, or to a new army.
	ways := [len(Position{}.Ants) + 2]int64{1}
	for range b.Rows * b.Cols {
		all := int64(0)
		for k := b.Owners; k >= 0; k-- {
			ways[k] *= int64(k + 1)
			if k > 0 {
				ways[k] += ways[k-1]
			}
			all += ways[k] // at most 27 times the previous number, which is at most 2^30
		}
		if all > maxPositions {
			return 0, fmt.Errorf("a box of %d x %d cells with owners = %d: more than %d positions, use a smaller one",
				b.Rows, b.Cols, b.Owners, maxPositions)
		}
	}
	all := int64(0)
	for _, w := range ways[:b.Owners+1] {
		all += w
	}
	return all, nil
}

// Maps yields every position of the box as a map, in the order in which Search visits them: compared cell by cell, with
// empty before A before B. It panics if a number of the box is out of range; there may be more than 2^30 positions.
func (b Box) Maps() iter.Seq[Map] {
	refuse(b.validate())
	return func(yield func(Map) bool) {
		cells := make([]rune, b.Rows*b.Cols)
		var fill func(cell, armies int) bool // returns false to stop
		fill = func(cell, armies int) bool {
			if cell == len(cells) {
				return yield(Map{b.Rows, b.Cols, slices.Clone(cells)})
			}
			cells[cell] = '.'
			goOn := fill(cell+1, armies)
			for army := 0; goOn && army < min(armies+1, b.Owners); army++ {
				cells[cell] = 'A' + rune(army)
				goOn = fill(cell+1, max(armies, army+1))
			}
			return goOn
		}
		fill(0, 0)
	}
}

type search struct {
	ctx      context.Context
	value    func(*Position) (int, bool)
	position Position
	found    Found
	leaves   uint
	cause    error
}

// fill tries all contents of the given cell and the cells after it. The armies so far have the numbers 0..armies-1.
func (s *search) fill(cell, armies int) {
	p := &s.position
	switch {
	case s.cause != nil:
		return
	case cell == p.box.Rows*p.box.Cols:
		s.judge()
		return
	}
	s.fill(cell+1, armies)
	bit := uint64(1) << cell
	p.occupied |= bit
	for army := range min(armies+1, p.box.Owners) {
		p.army[army] |= bit
		p.Ants[army]++
		s.fill(cell+1, max(armies, army+1))
		p.army[army] &^= bit
		p.Ants[army]--
	}
	p.occupied &^= bit
}

func (s *search) judge() {
	if s.leaves++; s.leaves%1024 == 0 && s.ctx.Err() != nil {
		s.cause = canceled.Cause(s.ctx)
		return
	}
	s.position.fight()
	value, ok := s.value(&s.position)
	switch {
	case !ok || s.found.Best > 0 && value < s.found.Value:
	case s.found.Best > 0 && value == s.found.Value:
		s.found.Best++
	default:
		s.found.Value, s.found.Best, s.found.First = value, 1, s.position.drawn()
	}
}

// fight counts the surviving ants, by sets of cells.
func (p *Position) fight() {
	var enemies [mostOutliveCells]int
	for army, ants := range p.army[:p.box.Owners] {
		for left := ants; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			enemies[i] = bits.OnesCount64(p.near[i] & p.occupied &^ ants)
		}
		p.Left[army] = p.Ants[army]
	}
	for army, ants := range p.army[:p.box.Owners] {
		for left := ants; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			for others := p.near[i] & p.occupied &^ ants; others != 0; others &= others - 1 {
				if enemies[bits.TrailingZeros64(others)] <= enemies[i] {
					p.Left[army]--
					break
				}
			}
		}
	}
}

func (p *Position) drawn() Map { return drawn(p.box.Rows, p.box.Cols, p.army[:]) }

// drawn returns a map of small armies A, B, ..., given as sets of cells.
func drawn(rows, cols int, armies []uint64) Map {
	m := Map{Rows: rows, Cols: cols, cells: make([]rune, rows*cols)}
	for cell := range m.cells {
		m.cells[cell] = '.'
		for army, ants := range armies {
			if ants>>cell&1 == 1 {
				m.cells[cell] = 'A' + rune(army)
			}
		}
	}
	return m
}

// mostOutliveCells is the maximum number of cells in a box of [Outlive]. A box of that size takes a few minutes.
const mostOutliveCells = 36

// Outlived is the result of [Outlive].
type Outlived struct {
	Army      int   `json:"army"`      // the number of ants of the army that dies out; 0 if there is none
	Positions int64 `json:"positions"` // positions of the box with such an army; mirror images count separately
	First     Map   `json:"first"`     // the first of these positions, by cells: empty before A before B
}

// Outlive returns the largest army that dies out while one ant survives, in a box of rows x cols cells with edges.
// That ant belongs to the other army, and the rest of its army dies too; there are two armies. The rule is Focus.
//
// It gives the same answer as [Search], but faster. It tries the sets of cells outside of the army, the smallest
// first, and for each set all ways to place the other army in it. It skips a set if some ant of the army would
// survive in all of these ways. It returns an error for a box of more than 36 cells, and stops with the context's
// error when the context is done.
func Outlive(ctx context.Context, rows, cols int, radius2 int64) (Outlived, error) {
	world := World{Rows: rows, Cols: cols, Bounded: true, Radius2: radius2}
	if err := world.Validate(); err != nil {
		return Outlived{}, err
	}
	if rows > mostOutliveCells || cols > mostOutliveCells || rows*cols > mostOutliveCells {
		return Outlived{}, fmt.Errorf("a box of %d x %d cells: more than %d cells, use a smaller one", rows, cols,
			mostOutliveCells)
	}
	o := outliving{rows: rows, cols: cols, cells: rows * cols, near: world.near()}
	for others := 1; others < o.cells && o.found.Positions == 0; others++ {
		if err := o.try(ctx, others); err != nil {
			return Outlived{}, err
		}
	}
	if o.found.Positions > 0 {
		o.found.First = o.first
	}
	return o.found, nil
}

// near returns for each cell of a small world the set of cells in range: cell number i is bit i.
func (w World) near() (near [mostOutliveCells]uint64) {
	for i := range w.Rows * w.Cols {
		for j := range w.Rows * w.Cols {
			if i != j && w.distance2(i/w.Cols, i%w.Cols, j/w.Cols, j%w.Cols) <= w.Radius2 {
				near[i] |= 1 << j
			}
		}
	}
	return near
}

type outliving struct {
	rows, cols, cells int
	near              [mostOutliveCells]uint64

	army, rest uint64 // the cells of the army, and all other cells
	busy       [mostOutliveCells]int
	calm       [mostOutliveCells + 1]uint64 // calm[k]: cells of the rest with at most k ants of the army in range

	found Outlived
	first Map
}

// try tries all armies that occupy all but the given number of cells of the box.
func (o *outliving) try(ctx context.Context, others int) error {
	all := uint64(1)<<o.cells - 1
	seen := uint(0)
	for o.rest = uint64(1)<<others - 1; o.rest <= all; o.rest = nextSet(o.rest) {
		if seen++; seen%1024 == 0 && ctx.Err() != nil {
			return canceled.Cause(ctx)
		}
		o.army = all &^ o.rest
		if !o.canFall() {
			continue
		}
		o.count()
		for friends := o.rest; friends != 0; friends = (friends - 1) & o.rest {
			if o.oneLeft(friends) {
				o.add(friends, others)
			}
		}
	}
	return nil
}

// nextSet returns the next greater number with the same number of set bits.
func nextSet(set uint64) uint64 {
	lowest := set & -set
	higher := set + lowest
	return higher | (set^higher)/lowest>>2
}

// canFall reports whether each ant of the army has a cell in range from which it could be killed. Such a cell has at
// most as many ants of the army in range as the ant has cells of the rest in range. Most armies fail the test at one of
// their first ants.
func (o *outliving) canFall() bool {
	for left := o.army; left != 0; left &= left - 1 {
		enemies := o.near[bits.TrailingZeros64(left)] & o.rest
		most, killer := bits.OnesCount64(enemies), false
		for ; enemies != 0 && !killer; enemies &= enemies - 1 {
			killer = bits.OnesCount64(o.near[bits.TrailingZeros64(enemies)]&o.army) <= most
		}
		if !killer {
			return false
		}
	}
	return true
}

// count counts the ants of the army in range of each cell of the rest.
func (o *outliving) count() {
	o.calm = [mostOutliveCells + 1]uint64{}
	for left := o.rest; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		o.busy[i] = bits.OnesCount64(o.near[i] & o.army)
		o.calm[o.busy[i]] |= 1 << i
	}
	for v := 1; v <= mostOutliveCells; v++ {
		o.calm[v] |= o.calm[v-1]
	}
}

// allFall reports whether the friends kill the whole army: each ant of the army has a friend in range that has no
// more enemies than the ant.
func (o *outliving) allFall(friends uint64) bool {
	for left := o.army; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		enemies := o.near[i] & friends
		if enemies&o.calm[bits.OnesCount64(enemies)] == 0 {
			return false
		}
	}
	return true
}

// oneLeft reports whether the whole army dies, and all friends except one.
func (o *outliving) oneLeft(friends uint64) bool {
	if !o.allFall(friends) {
		return false
	}
	alive := 0
	for left := friends; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		killed := false
		for enemies := o.near[i] & o.army; enemies != 0 && !killed; enemies &= enemies - 1 {
			killed = bits.OnesCount64(o.near[bits.TrailingZeros64(enemies)]&friends) <= o.busy[i]
		}
		if !killed {
			alive++
		}
	}
	return alive == 1
}

// add records a position. The army of the first ant is called A.
func (o *outliving) add(friends uint64, others int) {
	o.found.Army = o.cells - others
	o.found.Positions++
	armies := []uint64{o.army, friends}
	if friends&-friends < o.army&-o.army {
		armies = []uint64{friends, o.army}
	}
	m := drawn(o.rows, o.cols, armies)
	if o.found.Positions == 1 || m.String() < o.first.String() {
		o.first = m
	}
}

// MostOutlived returns an upper bound for the size of an army that is wiped out in one battle. All ants together occupy
// the given number of cells, and no ant has more than reach other cells in range (20 in the contest). As proved in
// docs/derivations/ants.md, there must be at least 1/m + (m-1)/reach other ants for each ant of the army, where the
// integer m minimizes the sum. For the contest the minimum is 2/5. MostOutlived panics unless both numbers are positive
// and reach is at most MaxCells.
func MostOutlived(cells, reach int64) int64 {
	if min(cells, reach) < 1 || reach > MaxCells {
		refuse(fmt.Errorf("cells = %d, reach = %d: must be positive whole numbers, and reach at most %d",
			cells, reach, MaxCells))
	}
	least, of := int64(1), int64(1) // the others needed for each ant, as the fraction least / of
	// The sum is convex in m, and minimal near the square root of reach.
	for m := int64(1); m <= reach && m*(m-1) <= reach; m++ {
		// 1/m + (m-1)/reach
		if n, d := reach+m*(m-1), m*reach; n*of < least*d {
			least, of = n, d
		}
	}
	high, low := bits.Mul64(uint64(cells), uint64(of))
	most, _ := bits.Div64(high, low, uint64(of+least))
	return int64(most)
}
