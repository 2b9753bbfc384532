package ants

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Ant is an ant on a map. Its row and column are numbered from 0.
type Ant struct {
	Row   int  `json:"row"`
	Col   int  `json:"col"`
	Owner rune `json:"owner"` // the letter of its army on text maps; any other value is allowed, too
}

// Outcome is the effect of a battle on each ant, in the order in which the ants were given.
type Outcome struct {
	Enemies []int  `json:"enemies"` // number of enemies in range, before anybody dies
	Dead    []bool `json:"dead"`    // which ants die

	solver *Solver
	turn   uint64
	rule   Rule
}

type notData = exactjson.NotData

// Solver decides any number of battles in one world, in memory that is allocated once. Only one goroutine may use it
// at a time.
//
// For each ant, a battle considers the cells in range or, if they are fewer, all ants. It reads no other part of the
// map. Closest considers the ants that are still in danger again in each round of deaths.
type Solver struct {
	notData
	world World
	disc  disc
	steps []int32 // nil if the disc is too large for a table
	inner [2]interval

	at     []occupant // the ant in each cell
	placed []placed
	pairs  bool    // compare all ants instead of the cells in range
	kept   []int32 // the enemies in range of the first ants of the army, one ant after the other
	ends   []int   // where the list of each of these ants ends in kept
	near   []int32 // the enemies in range of one other ant
	killed []int32 // the killers of one ant
	work   work

	enemies []int
	dead    []bool
	fell    []int64 // for Closest: the squared distance at which an ant died, 0 if it lives
	gaps    []int64 // for Closest: the squared distance to the closest remaining enemy
	left    []int32 // for Closest: the ants that are still in danger
	shares  []int   // for Damage: the number of ants among which each enemy of one ant divides its damage
	turn    uint64
}

// placed is the solver's representation of an ant.
type placed struct{ cell, row, col, owner int32 }

// occupant encodes the ant in a cell: its owner in the upper half, and its index plus 1 in the lower half. It is 0 if
// the cell has no ant.
type occupant uint64

func newOccupant(owner rune, ant int) occupant {
	return occupant(uint32(owner))<<32 | occupant(uint32(ant)+1)
}

func (o occupant) ant() int32 { return int32(uint32(o)) - 1 }

// enemies returns 1 if the occupant is an ant of another owner, else 0. It has no branches, because in a crowd the
// processor cannot predict what is in the next cell.
func (o occupant) enemies(owner int32) int {
	ant, difference := uint64(uint32(o)), uint64(uint32(o>>32)^uint32(owner))
	return int(^((ant - 1) | (difference - 1)) >> 63) // for numbers below 2^32, x - 1 has the top bit only if x is 0
}

// NewSolver returns a solver for the world, which must be valid. It uses 8 bytes for each cell.
func NewSolver(world World) (*Solver, error) {
	if err := world.Validate(); err != nil {
		return nil, err
	}
	s := &Solver{world: world, disc: newDisc(world), at: make([]occupant, world.Rows*world.Cols)}
	if s.disc.cells <= largestTable {
		s.steps = s.disc.steps(world.Cols)
	}
	reach, half := s.disc.reach(), s.disc.half[0]
	s.inner = [2]interval{{reach, world.Rows - 1 - reach}, {half, world.Cols - 1 - half}}
	return s, nil
}

// Solve decides one battle with a new solver. It cannot be stopped: for an army of many thousands use [Solver.Solve],
// which takes a context.
func Solve(world World, army []Ant, rule Rule) (Outcome, error) {
	solver, err := NewSolver(world)
	if err != nil {
		return Outcome{}, err
	}
	return solver.Solve(context.Background(), army, rule)
}

// Solve decides one battle. The ants may be in any order. The outcome belongs to the solver and is valid until the
// next call.
//
// It returns an error if the solver was not returned by NewSolver, or if an ant is off the map or two ants share a
// cell. When the context is done, it returns the context's error.
func (s *Solver) Solve(ctx context.Context, army []Ant, rule Rule) (Outcome, error) {
	switch err := ruleNames.Validate(rule); {
	case s == nil || s.at == nil:
		return Outcome{}, errors.New("the solver has no world, make the solver with NewSolver")
	case err != nil:
		return Outcome{}, err
	}
	s.turn++
	if err := s.place(army); err != nil {
		return Outcome{}, err
	}
	s.work = work{ctx: ctx}
	s.pairs = len(army) < s.disc.cells
	s.enemies = zeroed(s.enemies, len(army))
	s.dead = zeroed(s.dead, len(army))
	s.count()
	rules[rule].decide(s)
	if s.work.cause != nil {
		return Outcome{}, s.work.cause
	}
	return Outcome{s.enemies, s.dead, s, s.turn, rule}, nil
}

func zeroed[T any](list []T, size int) []T {
	list = slices.Grow(list[:0], size)[:size]
	clear(list)
	return list
}

// place removes the ants of the previous battle from the map and puts the new ones on it.
func (s *Solver) place(army []Ant) error {
	for _, ant := range s.placed {
		s.at[ant.cell] = 0
	}
	s.placed = s.placed[:0]
	for i, ant := range army {
		if ant.Row < 0 || ant.Row >= s.world.Rows || ant.Col < 0 || ant.Col >= s.world.Cols {
			return fmt.Errorf("ant %d at (%d, %d): off the map, use rows 0 to %d and columns 0 to %d",
				i, ant.Row, ant.Col, s.world.Rows-1, s.world.Cols-1)
		}
		cell := ant.Row*s.world.Cols + ant.Col
		if there := s.at[cell]; there != 0 {
			return fmt.Errorf("ants %d and %d at (%d, %d): a cell has room for only one ant, move one of them",
				there.ant(), i, ant.Row, ant.Col)
		}
		s.at[cell] = newOccupant(ant.Owner, i)
		s.placed = append(s.placed, placed{int32(cell), int32(ant.Row), int32(ant.Col), ant.Owner})
	}
	return nil
}

func (s *Solver) distance2(i, j int32) int64 {
	a, b := &s.placed[i], &s.placed[j]
	return s.world.distance2(int(a.row), int(a.col), int(b.row), int(b.col))
}

// work checks regularly whether the context is done.
type work struct {
	ctx   context.Context
	ants  uint
	cause error
}

// goOn counts an ant and reports whether to continue.
func (w *work) goOn() bool {
	if w.ants++; w.ants%16 == 0 && w.cause == nil && w.ctx.Err() != nil {
		w.cause = canceled.Cause(w.ctx)
	}
	return w.cause == nil
}

// Kill is a dead ant and one of its killers, by their indices in the army.
type Kill struct {
	Victim int `json:"victim"`
	Killer int `json:"killer"`
}

// Kills yields who killed whom: the victims in the order of the army, and the killers of each victim by row and, within
// a row, by column. A killer of a is, by rule:
//
//   - [Focus]: an enemy b in range with e(b) <= e(a)
//   - [Closest]: an enemy who died together with a, at the distance at which a died
//   - [Damage]: every enemy in range, since each of them does damage
//   - [Support]: every enemy in range
//
// It panics if the solver has decided another battle since, or if the outcome does not come from a solver. For
// example, a copy that was read from JSON lacks the distances.
func (o Outcome) Kills() iter.Seq[Kill] {
	return func(yield func(Kill) bool) {
		for victim, dead := range o.Dead {
			if !dead {
				continue
			}
			if o.solver == nil {
				panic("ants: the outcome is not from a solver, solve the battle again to list its kills")
			}
			if o.turn != o.solver.turn {
				panic("ants: the solver has solved another battle since: list the kills before the next battle")
			}
			for _, killer := range o.solver.killers(int32(victim), o.rule) {
				if !yield(Kill{victim, int(killer)}) {
					return
				}
			}
		}
	}
}

// killers returns the victim's killers in the order of the cells. The list is valid until the next call.
func (s *Solver) killers(victim int32, rule Rule) []int32 {
	s.killed = s.killed[:0]
	for _, enemy := range s.inRange(victim) {
		if rules[rule].kills(s, victim, enemy) {
			s.killed = append(s.killed, enemy)
		}
	}
	slices.SortFunc(s.killed, func(a, b int32) int { return int(s.placed[a].cell - s.placed[b].cell) })
	return s.killed
}

// focus kills every ant that has an enemy in range with no more enemies than the ant.
func (s *Solver) focus() {
	for i, own := range s.enemies {
		if own == 0 {
			continue
		}
		if !s.work.goOn() {
			return
		}
		for _, enemy := range s.inRange(int32(i)) {
			if s.enemies[enemy] <= own {
				s.dead[i] = true
				break
			}
		}
	}
}

// noBusier reports whether an enemy has no more enemies than its victim.
func (s *Solver) noBusier(victim, enemy int32) bool { return s.enemies[enemy] <= s.enemies[victim] }

// support kills every ant that has an enemy in range.
func (s *Solver) support() {
	for i, own := range s.enemies {
		s.dead[i] = own > 0
	}
}

// closest kills ants at increasing distances, but does not iterate over the distances: if two ants a and b are each
// other's closest remaining enemies, possibly tied with others, then nothing at other distances can save them or kill
// them earlier, so they die at their distance. Each round kills all such pairs. The closest remaining pair is one of
// them, so every round except the last kills somebody.
func (s *Solver) closest() {
	s.fell = zeroed(s.fell, len(s.placed))
	s.gaps = zeroed(s.gaps, len(s.placed))
	left := s.left[:0]
	for i, own := range s.enemies {
		if own > 0 {
			left = append(left, int32(i))
		}
	}
	s.left = left
	for len(left) > 0 {
		for _, i := range left {
			if !s.work.goOn() {
				return
			}
			s.gaps[i] = s.closestLeft(i)
		}
		if !s.fellPairs(left) {
			return
		}
		// An ant without remaining enemies in range is safe.
		kept := left[:0]
		for _, i := range left {
			if s.fell[i] == 0 && s.gaps[i] < math.MaxInt64 {
				kept = append(kept, i)
			}
		}
		left = kept
	}
}

// closestLeft returns the squared distance to the closest enemy that is alive when that distance is considered, or
// MaxInt64 if there is none nearer than the attack radius.
func (s *Solver) closestLeft(i int32) int64 {
	closest := int64(math.MaxInt64)
	for _, enemy := range s.inRange(i) {
		d := s.distance2(i, enemy)
		if d < s.world.Radius2 && d < closest && (s.fell[enemy] == 0 || s.fell[enemy] >= d) {
			closest = d
		}
	}
	return closest
}

// fellPairs kills every ant that has an enemy in range such that each of the two is a closest enemy of the other. It
// reports whether it killed any.
func (s *Solver) fellPairs(left []int32) (felled bool) {
	for _, i := range left {
		d := s.gaps[i]
		if d == math.MaxInt64 {
			continue
		}
		for _, enemy := range s.inRange(i) {
			if s.gaps[enemy] == d && s.distance2(i, enemy) == d {
				s.fell[i], s.dead[i], felled = d, true, true
				break
			}
		}
	}
	return felled
}

// fellTogether reports whether two enemies died at the distance between them.
func (s *Solver) fellTogether(victim, enemy int32) bool {
	return s.fell[enemy] == s.fell[victim] && s.distance2(victim, enemy) == s.fell[victim]
}

// damage kills every ant that gets a total damage of at least 1 from its enemies in range.
func (s *Solver) damage() {
	for i, own := range s.enemies {
		if own == 0 {
			continue
		}
		if !s.work.goOn() {
			return
		}
		s.shares = s.shares[:0]
		for _, enemy := range s.inRange(int32(i)) {
			s.shares = append(s.shares, s.enemies[enemy])
		}
		s.dead[i] = reachesOne(s.shares)
	}
}

// whole is the least common multiple of 1, 2, ..., 42. An ant's damage is this many units, which divide evenly among
// up to 42 enemies. With the multiple of 1 to 43, reachesOne would overflow.
const whole = 219060189739591200

// reachesOne reports whether the sum of 1/e over the counts, all at least 1, is at least 1. It changes the order of
// the counts.
//
// It bounds the sum from both sides by integers. It uses big integers only if 1 lies between the bounds. This can
// happen only if some share is not a whole number of units.
func reachesOne(counts []int) bool {
	sum, broken := uint64(0), uint64(0) // broken counts the shares rounded down, each by less than one unit
	for _, e := range counts {
		share := whole / uint64(e)
		if share*uint64(e) != whole {
			broken++
		}
		if sum += share; sum >= whole { // at most 2 * whole - 1
			return true
		}
	}
	return sum+broken > whole && exactlyReachesOne(counts)
}

// exactlyReachesOne returns the same as reachesOne, but adds the fractions exactly, over the least common denominator.
func exactlyReachesOne(counts []int) bool {
	slices.Sort(counts)
	denominator := big.NewInt(1)
	for i, e := range counts {
		if i == 0 || counts[i-1] != e {
			divisor := big.NewInt(int64(e))
			common := new(big.Int).GCD(nil, nil, denominator, divisor)
			denominator.Mul(denominator, divisor.Quo(divisor, common))
		}
	}
	sum, share := new(big.Int), new(big.Int)
	for i := 0; i < len(counts); {
		first := i
		for i < len(counts) && counts[i] == counts[first] {
			i++
		}
		share.Quo(denominator, big.NewInt(int64(counts[first])))
		sum.Add(sum, share.Mul(share, big.NewInt(int64(i-first))))
	}
	return sum.Cmp(denominator) >= 0
}

// largestTable is the maximum number of cells of a disc for which steps are stored in a table.
const largestTable = 1 << 12

// mostKept is the maximum number of enemies in range that are stored while they are counted, so that they need not be
// searched again.
const mostKept = 1 << 22

// count counts the enemies in range of every ant, and stores them as long as there is room.
func (s *Solver) count() {
	s.kept, s.ends = s.kept[:0], s.ends[:0]
	for i := range s.placed {
		if !s.work.goOn() {
			return
		}
		if known := len(s.kept); known < mostKept {
			s.kept = s.look(s.kept, int32(i))
			s.ends = append(s.ends, len(s.kept))
			s.enemies[i] = len(s.kept) - known
			continue
		}
		s.enemies[i] = len(s.inRange(int32(i)))
	}
}

// inRange returns the indices of the enemies in range of an ant, each once, in any order. The list is valid until the
// next call.
func (s *Solver) inRange(i int32) []int32 {
	switch {
	case int(i) >= len(s.ends):
		s.near = s.look(s.near[:0], i)
		return s.near
	case i == 0:
		return s.kept[:s.ends[0]]
	}
	return s.kept[s.ends[i-1]:s.ends[i]]
}

// look appends the enemies in range of an ant to a list.
func (s *Solver) look(list []int32, i int32) []int32 {
	ant := s.placed[i]
	switch {
	case s.pairs:
		for j, other := range s.placed {
			if other.owner != ant.owner && s.distance2(i, int32(j)) <= s.world.Radius2 {
				list = append(list, int32(j))
			}
		}
		return list
	case s.steps != nil && s.inner[0].contains(int(ant.row)) && s.inner[1].contains(int(ant.col)):
		return s.lookAtCells(list, ant)
	}
	return s.lookAcrossEdges(list, ant)
}

// lookAtCells does the same as the method look, for an ant whose disc does not cross an edge.
func (s *Solver) lookAtCells(list []int32, ant placed) []int32 {
	n := len(list)
	list = slices.Grow(list, len(s.steps))
	room := list[:n+len(s.steps)]
	for _, step := range s.steps {
		other := s.at[ant.cell+step]
		room[n] = other.ant() // stays if it is an enemy; otherwise the next one overwrites it
		n += other.enemies(ant.owner)
	}
	return room[:n]
}

// lookAcrossEdges does the same as the method look, for any ant. It goes from cell to cell.
func (s *Solver) lookAcrossEdges(list []int32, ant placed) []int32 {
	for _, rows := range s.world.coordinatesWithin(int(ant.row), s.disc.reach(), s.world.Rows) {
		for row := rows.first; row <= rows.last; row++ {
			for _, cols := range s.columns(ant, row) {
				start := row * s.world.Cols
				for _, other := range s.at[start+cols.first : start+cols.last+1] {
					if other.enemies(ant.owner) == 1 {
						list = append(list, other.ant())
					}
				}
			}
		}
	}
	return list
}

// columns returns the columns of a row that are in range.
func (s *Solver) columns(ant placed, row int) [2]interval {
	half := s.disc.half[s.world.gap(row, int(ant.row), s.world.Rows)]
	return s.world.coordinatesWithin(int(ant.col), half, s.world.Cols)
}
