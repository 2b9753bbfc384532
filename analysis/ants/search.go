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

// Box is a set of small positions to search through: all ways to fill the cells of a map with edges, each cell empty or
// with one ant of at most Owners armies. Positions that differ in the names of the armies only count as one: the armies
// are A, B, ... in the order of their first ants. Mirror images count apart. The rule is Focus.
type Box struct {
	Rows, Cols int   // at least 1, and with at most 2^30 positions
	Owners     int   // at least 1
	Radius2    int64 // at least 1
}

// maxPositions is the most positions that Search looks at, some minutes' work.
const maxPositions = 1 << 30

// Position is what Search shows of a position. It holds during the call only.
type Position struct {
	notData
	Ants [26]int // how many ants each army has
	Left [26]int // how many of them the battle leaves

	box Box
	// Sets of cells, cell number i is bit i.
	army     [26]uint64
	occupied uint64
	near     [mostOutliveCells]uint64
}

// Found is the answer of a search.
type Found struct {
	Positions int64 // how many were looked at: all of the box
	Value     int   // the largest value, if Best > 0
	Best      int64 // how many positions have it
	First     Map   // the first of those in the order of the cells, empty before A before B
}

// Search looks at every position of the box and finds those with the largest value. The function value says what a
// position is worth; ok is false if it is not wanted at all. The result depends on nothing but the arguments.
//
// It refuses a box with more than 2^30 positions, and stops with the error of the context when it is done.
func Search(ctx context.Context, box Box, value func(*Position) (value int, ok bool)) (Found, error) {
	positions, err := box.Positions()
	switch {
	case err != nil:
		return Found{}, err
	case value == nil:
		return Found{}, errors.New("value = nil: give a function that says what a position is worth")
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

// Positions returns how many positions the box has, or an error if it is not valid or has more than 2^30.
func (b Box) Positions() (int64, error) {
	if err := b.validate(); err != nil {
		return 0, err
	}
	// ways[k] is how many positions of the cells so far have k armies: a cell is empty, or of one of them, or of a new
	// one.
	ways := [len(Position{}.Ants) + 2]int64{1}
	for range b.Rows * b.Cols {
		all := int64(0)
		for k := b.Owners; k >= 0; k-- {
			ways[k] *= int64(k + 1)
			if k > 0 {
				ways[k] += ways[k-1]
			}
			all += ways[k] // at most 27 times as many as before, from at most 2^30
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

// Maps yields every position of the box as a map, in the order in which Search looks at them: empty before A before B.
// It panics unless the numbers of the box are in their ranges; there may be more than 2^30 positions.
func (b Box) Maps() iter.Seq[Map] {
	refuse(b.validate())
	return func(yield func(Map) bool) {
		cells := make([]rune, b.Rows*b.Cols)
		var fill func(cell, armies int) bool // reports whether to go on
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

// fill tries everything in the cells from this one on, armies of them being in use.
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

// fight counts who is left, by sets of cells.
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

// drawn returns a map of small armies, A, B, ..., as sets of cells.
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
