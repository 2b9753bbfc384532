package naval

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// These are the limits of [CountFleets]. Some make a profile fit in a word; the others keep sizes reasonable.
const (
	maxColumns  = 12
	maxRows     = 64
	maxDecks    = 6
	maxEqual    = 9
	maxSets     = 1000
	profileBits = 3 // a column is closed for at most maxDecks + 1 rows
	profileMask = 1<<profileBits - 1
)

// CountFleets returns the number of ways in which ships of the given decks can be placed on a board so that no two
// touch, not even at corners. Ships of equal length are not distinguished. The board must have 1..12 columns and 1..64
// rows, and each ship 1..6 decks. At most 9 ships may be equal, and the fleet may have at most 1000 subsets that differ
// in the lengths of their ships. For other arguments, and for a count of 1<<64 or more, it returns an error.
//
// It visits the cells row by row. At each cell, a ship may begin or not. Only two things matter about the ships so far:
// which of them are placed, and the profile, which records for how many more rows each column is closed. A number for
// each column suffices, because the cells of a column that earlier ships close form a stretch without gaps that begins
// at the current row. So partial fleets with equal profiles are counted together. The fleet of the post can be placed
// on its board in 1,855,545,978,831,780 ways.
//
// Large boards take minutes. If ctx is done, CountFleets returns the context's error.
func CountFleets(ctx context.Context, columns, rows int, decks []int) (uint64, error) {
	return countFleets(ctx, columns, rows, decks, false, nil)
}

// CountTouchingFleets returns the number of ways in which ships can be placed that may touch but not overlap. Otherwise
// it is like [CountFleets]: a ship closes only its own cells, which also form a stretch in each column. The classic
// fleet can be placed on its board in 15,046,987,768 ways.
func CountTouchingFleets(ctx context.Context, columns, rows int, decks []int) (uint64, error) {
	return countFleets(ctx, columns, rows, decks, true, nil)
}

// countFleets counts fleets. If other forms are given, it counts the fleets that have one of these forms in addition.
func countFleets(ctx context.Context, columns, rows int, decks []int, touch bool, other []form) (uint64, error) {
	c, err := newFleetCounter(columns, rows, decks, touch, other)
	if err != nil {
		return 0, err
	}
	for cell := 0; cell < columns*rows && !c.overflow; cell++ {
		c.next.reset()
		for i, p := range c.now.partials {
			if i%256 == 0 && ctx.Err() != nil {
				return 0, canceled.Cause(ctx)
			}
			if cell%columns == 0 {
				p = p.folded(columns)
			}
			c.cell(p, c.now.counts(i), cell%columns, cell/columns)
		}
		c.now, c.next = c.next, c.now
	}
	total := make([]uint64, c.block)
	for i, p := range c.now.partials { // includes partials that close rows below the board
		if int(p.set())+c.block == c.sets {
			c.sum(total, c.now.counts(i))
		}
	}
	if c.overflow {
		return 0, fmt.Errorf("%d ships on %d x %d cells: more fleets than 64 bits can count, use fewer ships or a "+
			"smaller board", len(decks), columns, rows)
	}
	return total[len(total)-1], nil
}

// profile holds for how many rows each column is closed, counted from the row of the column's next cell.
type profile uint64

func (p profile) closed(x int) int { return int(p>>(profileBits*x)) & profileMask }

// close closes a column for at least the given number of rows.
func (p profile) close(x, rows int) profile {
	if p.closed(x) >= rows {
		return p
	}
	return p&^(profileMask<<(profileBits*x)) | profile(rows)<<(profileBits*x)
}

// partial is a profile and the number of the first set in a block of sets of ships.
type partial uint64

// setShift is the bit position of the set's number.
const setShift = profileBits * maxColumns

func (p partial) profile() profile { return profile(p & (1<<setShift - 1)) }
func (p partial) set() uint64      { return uint64(p >> setShift) }

// folded returns the partial or its mirror image. Before the first cell of a row, both can be completed in the same
// number of ways.
func (p partial) folded(columns int) partial {
	image := profile(0)
	for x := range columns {
		image = image<<profileBits | profile(p.profile().closed(x))
	}
	return partial(min(image, p.profile())) | partial(p.set())<<setShift
}

// partialTable holds the number of ways for each partial that occurs, by set of its block. A hash table finds the
// partials. Its number of slots is a power of two, and less than half of them are used.
type partialTable struct {
	slots    []int32 // the index of the partial, counted from 1; 0 if the slot is free
	partials []partial
	ways     []uint64
	zero     []uint64 // a block of zeros
}

func newPartialTable(block int) *partialTable {
	return &partialTable{slots: make([]int32, 1<<8), zero: make([]uint64, block)}
}

func (t *partialTable) reset() {
	clear(t.slots)
	t.partials, t.ways = t.partials[:0], t.ways[:0]
}

func (t *partialTable) counts(i int) []uint64 { return t.ways[i*len(t.zero) : (i+1)*len(t.zero)] }

// slot returns the slot of a partial, or a free slot for it.
func (t *partialTable) slot(p partial) *int32 {
	mask := uint64(len(t.slots) - 1)
	for at := mix(uint64(p)); ; at++ {
		if slot := &t.slots[at&mask]; *slot == 0 || t.partials[*slot-1] == p {
			return slot
		}
	}
}

// numbersOf returns the numbers of a partial, which the caller may add to.
func (t *partialTable) numbersOf(p partial) []uint64 {
	slot := t.slot(p)
	if *slot == 0 {
		t.partials = append(t.partials, p)
		t.ways = append(t.ways, t.zero...)
		*slot = int32(len(t.partials))
		if 2*len(t.partials) >= len(t.slots) {
			t.grow()
		}
		return t.counts(len(t.partials) - 1)
	}
	return t.counts(int(*slot) - 1)
}

func (t *partialTable) grow() {
	t.slots = make([]int32, 2*len(t.slots))
	for i, p := range t.partials {
		*t.slot(p) = int32(i + 1)
	}
}

// kind is something placed on the board one or more times: ships of one length, in any of their shapes.
type kind struct {
	shapes []shape
	number int // how many of this kind the whole fleet has
	stride int // how much one more of this kind adds to the number of a set
}

// fleetCounter visits the cells. The number of a set of ships is the sum of used[kind] * stride[kind].
type fleetCounter struct {
	columns, rows int
	kinds         []kind
	now, next     *partialTable
	sets, block   int // the number of sets of ships, and how many of them a table holds together: all, or one
	overflow      bool
}

func newFleetCounter(columns, rows int, decks []int, touch bool, other []form) (*fleetCounter, error) {
	if columns < 1 || columns > maxColumns {
		return nil, fmt.Errorf("%d columns: use 1 to %d", columns, maxColumns)
	}
	if rows < 1 || rows > maxRows {
		return nil, fmt.Errorf("%d rows: use 1 to %d", rows, maxRows)
	}
	var equal [maxDecks + 1]int // number of ships by length
	for _, d := range decks {
		if d < 1 || d > maxDecks {
			return nil, fmt.Errorf("a ship of %d decks: use 1 to %d", d, maxDecks)
		}
		if equal[d]++; equal[d] > maxEqual {
			return nil, fmt.Errorf("more than %d ships of %s: use fewer", maxEqual, plural.Count(d, "deck"))
		}
	}
	c := &fleetCounter{columns: columns, rows: rows, sets: 1}
	add := func(number int, forms ...form) {
		k := kind{number: number, stride: c.sets}
		for _, f := range forms {
			k.shapes = append(k.shapes, f.shapes(touch)...)
		}
		c.kinds, c.sets = append(c.kinds, k), c.sets*(number+1)
	}
	for d, n := range equal {
		if n > 0 {
			add(n, line(d))
		}
	}
	if len(other) > 0 {
		add(1, other...)
	}
	if c.sets > maxSets {
		return nil, fmt.Errorf("a fleet with %d sets of ships: use at most %d, with fewer ships or fewer lengths",
			c.sets, maxSets)
	}
	c.block = c.sets
	if touch {
		c.block = 1 // there are few ships, so most profiles occur with few sets
	}
	c.now, c.next = newPartialTable(c.block), newPartialTable(c.block)
	c.now.numbersOf(0)[0] = 1
	return c, nil
}

// cell visits one cell. Either no ship begins there, or a ship of any kind that fits.
func (c *fleetCounter) cell(from partial, ways []uint64, x, y int) {
	p, set := from.profile(), from.set()
	c.sum(c.next.numbersOf(partial(advance(p, x))|partial(set)<<setShift), ways)
	if p.closed(x) > 0 {
		return
	}
	for i := range c.kinds {
		k := &c.kinds[i]
		if int(set)/k.stride%(k.number+1) == k.number {
			continue
		}
		for j := range k.shapes {
			if s := &k.shapes[j]; y+s.high <= c.rows && s.fits(p, x, c.columns) {
				c.sumWith(k, s.put(p, x, c.columns), set, ways)
			}
		}
	}
}

// advance moves column x on to the next row.
func advance(p profile, x int) profile {
	if p.closed(x) > 0 {
		p -= 1 << (profileBits * x)
	}
	return p
}

// sum adds numbers of ways, set by set.
func (c *fleetCounter) sum(to, from []uint64) {
	over := uint64(0)
	to = to[:len(from)]
	for i, n := range from {
		sum, carry := bits.Add64(to[i], n, 0)
		to[i], over = sum, over|carry
	}
	c.overflow = c.overflow || over != 0
}

// sumWith adds numbers of ways like sum, with one more ship of a kind in each set. It drops the sets that already have
// all ships of the kind.
func (c *fleetCounter) sumWith(k *kind, p profile, set uint64, from []uint64) {
	if c.block == 1 {
		c.sum(c.next.numbersOf(partial(p)|partial(set+uint64(k.stride))<<setShift), from)
		return
	}
	to := c.next.numbersOf(partial(p))
	block, last := k.stride*(k.number+1), k.stride*k.number
	for i := 0; i < len(from); i += block {
		c.sum(to[i+k.stride:i+block], from[i:i+last])
	}
}

// mostBoundDecks is the longest ship for [ShotsBound], which also counts lines that are one cell longer.
const mostBoundDecks = maxDecks - 1

// ShotsBound returns a lower bound for the mean number of shots of any shooter, if all fleets of the given ships on
// the board are equally likely. The ships do not touch, and the shooter learns miss, hit or sunk. So against some
// fleet the shooter needs at least this number of shots.
//
// It counts pairs of fleets that differ in the place of one ship: a shot at a cell that only one of them covers is a
// miss for the other (docs/derivations/naval.md, Theorem 2). On some strips the best shooter needs exactly the bound.
// For the post's board and fleet, the bound is 50.17.
//
// The board and the ships have the limits of [CountFleets], but a ship has 1..5 decks. The errors are the errors of
// CountFleets, for the fleet and for the fleet with one more ship of one deck, or an error if the fleet does not fit.
func ShotsBound(ctx context.Context, columns, rows int, decks []int) (*big.Rat, error) {
	shares := missShares{decks: 1, jump: big.NewRat(1, 1), step: big.NewRat(1, 1)}
	return shotsBound(ctx, columns, rows, decks, false, shares)
}

// TouchingShotsBound returns a lower bound like [ShotsBound] for ships that may touch but not overlap. The shooter may
// also learn the length of each ship that is hit, and the cells of each ship that is sunk.
//
// It counts the same pairs of fleets, and fleets that differ in the place of a shortest ship, wherever it goes. Where
// ships touch, several pairs can need the same miss, so each of them counts only a share of it
// (docs/derivations/naval.md, Theorem 3). If all ships have one deck, the best shooter needs exactly the bound. For the
// classic fleet on its board, the bound is 35.48.
//
// The limits and the errors are the limits and the errors of ShotsBound, but the fleet with one more ship has one more
// shortest ship.
func TouchingShotsBound(ctx context.Context, columns, rows int, decks []int) (*big.Rat, error) {
	return shotsBound(ctx, columns, rows, decks, true, touchingShares(columns, rows, decks))
}

// missShares holds the share of a miss that each set of fleets that needs the miss counts.
type missShares struct {
	decks int      // the length of the ships that jump
	jump  *big.Rat // the share if a ship of this length is somewhere else
	step  *big.Rat // the share if a ship makes a move of movesOf
}

// touchingShares returns the shares for ships that may touch. If there are ships of one deck, they need all misses.
// Otherwise each side of a missed cell has the same share: for the places on that side where a shortest ship could be,
// or for the ship that is there and could move onto the cell.
func touchingShares(columns, rows int, decks []int) missShares {
	if len(decks) == 0 || slices.Min(decks) <= 1 {
		return missShares{decks: 1, jump: big.NewRat(1, 1), step: new(big.Rat)}
	}
	sides, shortest := int64(min(columns-1, 2)+min(rows-1, 2)), slices.Min(decks)
	if sides < 1 {
		return missShares{decks: shortest, jump: new(big.Rat), step: new(big.Rat)} // the board has one cell
	}
	return missShares{decks: shortest, jump: big.NewRat(2, sides*int64(shortest)), step: big.NewRat(1, sides)}
}

// shotsBound returns the bound of ShotsBound or of TouchingShotsBound.
func shotsBound(ctx context.Context, columns, rows int, decks []int, touch bool, s missShares) (*big.Rat, error) {
	if len(decks) > 0 && slices.Max(decks) > mostBoundDecks {
		return nil, fmt.Errorf("a ship of %d decks: use 1 to %d", slices.Max(decks), mostBoundDecks)
	}
	fleets, err := countFleets(ctx, columns, rows, decks, touch, nil)
	if err != nil {
		return nil, err
	}
	if fleets == 0 {
		return nil, fmt.Errorf("%d x %d cells: there is no room for ships %v, use a larger board or fewer ships",
			columns, rows, decks)
	}
	misses, all, jumping := new(big.Rat), 0, 0
	add := func(share *big.Rat, decks []int, other []form) error {
		if share.Sign() == 0 {
			return nil
		}
		ways, err := countFleets(ctx, columns, rows, decks, touch, other)
		more := new(big.Rat).SetInt(new(big.Int).SetUint64(ways))
		misses.Add(misses, more.Mul(more, share))
		return err
	}
	for at, d := range decks {
		if all += d; d == s.decks {
			jumping++
		}
		if slices.Contains(decks[:at], d) {
			continue
		}
		if err := add(s.step, slices.Delete(slices.Clone(decks), at, at+1), movesOf(d)); err != nil {
			return nil, err
		}
	}
	if jumping > 0 {
		share := new(big.Rat).Mul(s.jump, big.NewRat(int64(jumping), 1))
		if err := add(share, append(slices.Clone(decks), s.decks), nil); err != nil {
			return nil, err
		}
	}
	mean := misses.Quo(misses, new(big.Rat).SetInt(new(big.Int).SetUint64(fleets)))
	return mean.Add(mean, big.NewRat(int64(all), 1)), nil
}

// movesOf returns the forms that cover a ship together with a place near it. The place shares all decks except one
// with the ship. For a ship of one deck it is a cell that the ship touches. For ships of three or more decks it may
// also be the parallel place next to the ship.
func movesOf(decks int) []form {
	switch decks {
	case 1:
		return []form{line(2), {{0, 0}, {1, 1}}}
	case 2:
		return []form{line(3), {{0, 0}, {1, 0}, {0, 1}}}
	default:
		return []form{line(decks + 1), block(decks, 2)}
	}
}
