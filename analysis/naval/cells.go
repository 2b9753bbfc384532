package naval

import (
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// Side is the number of rows, and of columns, of the board.
const Side = 10

// boardCells is the number of cells of the board.
const boardCells = Side * Side

// Cell is a cell of the board, 0..99: the cell in column x and row y, both 0..9 as in the post, is 10y + x.
type Cell uint8

// At returns the cell in column x and row y, both 0..9. It panics for other numbers.
func At(x, y int) Cell {
	if uint(x) >= Side || uint(y) >= Side {
		refuse(fmt.Errorf("cell in column %d, row %d: not on the board, use 0 to %d for both", x, y, Side-1))
	}
	return Cell(Side*y + x)
}

// X returns the column of the cell, 0..9. It panics if the cell is not on the board.
func (c Cell) X() int {
	c.must()
	return int(c) % Side
}

// Y returns the row of the cell, 0..9. It panics if the cell is not on the board.
func (c Cell) Y() int {
	c.must()
	return int(c) / Side
}

// String returns the cell as the post writes it, column and row: "(0, 0)" is the upper left corner, "(9, 9)" the
// lower right one. It returns "?" for an invalid cell.
func (c Cell) String() string {
	if c >= boardCells {
		return "?"
	}
	return fmt.Sprintf("(%d, %d)", c.X(), c.Y())
}

// Cells is a set of cells of the board, one bit for each cell. The zero value is empty.
type Cells struct {
	lo, hi uint64 // cells 0..63, cells 64..99
}

// board is the set of all cells.
var board = Cells{1<<64 - 1, 1<<(boardCells-64) - 1}

// single returns the set of one cell.
func single(c Cell) Cells { return Cells{1 << c, 1 << (c - 64)} } // shifts by 64 or more leave nothing

// cellsWhere returns the cells for which keep holds, given column and row.
func cellsWhere(keep func(x, y int) bool) Cells {
	var s Cells
	for c := range Cell(boardCells) {
		if keep(c.X(), c.Y()) {
			s = s.or(single(c))
		}
	}
	return s
}

func (s Cells) and(t Cells) Cells    { return Cells{s.lo & t.lo, s.hi & t.hi} }
func (s Cells) or(t Cells) Cells     { return Cells{s.lo | t.lo, s.hi | t.hi} }
func (s Cells) andNot(t Cells) Cells { return Cells{s.lo &^ t.lo, s.hi &^ t.hi} }
func (s Cells) xor(t Cells) Cells    { return Cells{s.lo ^ t.lo, s.hi ^ t.hi} }

// down returns the set with each cell's number decreased by k, 1..63; cells below 0 are lost.
func (s Cells) down(k uint) Cells { return Cells{s.lo>>(k&63) | s.hi<<(64-k&63), s.hi >> (k & 63)} }

// up returns the set with each cell's number increased by k, 1..63. The caller must remove cells above 99.
func (s Cells) up(k uint) Cells { return Cells{s.lo << (k & 63), s.hi<<(k&63) | s.lo>>(64-k&63)} }

// empty reports whether the set has no cells.
func (s Cells) empty() bool { return s.lo|s.hi == 0 }

// Has reports whether the cell is in the set. No set contains a cell that is not on the board.
func (s Cells) Has(c Cell) bool { return c < boardCells && s.contains(c) }

func (s Cells) contains(c Cell) bool {
	word := s.lo
	if c >= 64 {
		word = s.hi
	}
	return word>>(c&63)&1 != 0
}

// bit returns 1 if the cell is in the set, else 0.
func (s Cells) bit(c Cell) uint64 {
	second := -uint64(c >> 6) // all ones if the cell is in the second word
	return (s.lo ^ (s.lo^s.hi)&second) >> (c & 63) & 1
}

// Count returns the number of cells in the set.
func (s Cells) Count() int { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi) }

// All yields the cells of the set in increasing order.
func (s Cells) All() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for rest := s; !rest.empty(); {
			c := rest.first()
			if !yield(c) {
				return
			}
			rest = rest.andNot(single(c))
		}
	}
}

// String returns the column and the row of each cell as two digits, in increasing order, such as "00 22 99". It is
// also the text form.
func (s Cells) String() string {
	var pairs []string
	for c := range s.All() {
		pairs = append(pairs, fmt.Sprintf("%d%d", c.X(), c.Y()))
	}
	return strings.Join(pairs, " ")
}

// MarshalText returns the text of String.
func (s Cells) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the output of MarshalText, in any order.
func (s *Cells) UnmarshalText(text []byte) error {
	var read Cells
	for pair := range strings.FieldsSeq(string(text)) {
		cell, err := strconv.ParseUint(pair, 10, 7)
		if err != nil || len(pair) != 2 {
			return fmt.Errorf("cell %q: not on the board, write its column and its row, 00 to 99", pair)
		}
		read = read.or(single(At(int(cell/10), int(cell%10))))
	}
	*s = read
	return nil
}

// first returns the lowest cell of a non-empty set.
func (s Cells) first() Cell {
	if s.lo != 0 {
		return Cell(bits.TrailingZeros64(s.lo))
	}
	return Cell(64 + bits.TrailingZeros64(s.hi))
}

// nth returns the cell that has k lower cells in the set, 0 <= k < Count.
//
// It has no branches: the position of a random cell cannot be predicted.
func (s Cells) nth(k int) Cell {
	low := bits.OnesCount64(s.lo)
	high := (low - 1 - k) >> 63 // all ones if the cell is in the second word, else 0
	return Cell(high&64 + nthBit(s.lo^(s.lo^s.hi)&uint64(high), k-low&high))
}

// nthBit returns the position of the set bit of word that has k set bits below it. It has no branches, which would be
// mispredicted half of the time. It computes the running counts of all bytes in parallel; the counts that k reaches
// give the byte, and a table gives the bit in it (Vigna 2008).
func nthBit(word uint64, k int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	counts := word - word>>1&0x5555555555555555
	counts = counts&0x3333333333333333 + counts>>2&0x3333333333333333
	counts = ((counts + counts>>4) & 0x0f0f0f0f0f0f0f0f) * ones // byte i: the number of set bits in bytes 0..i
	reached := ((uint64(k)*ones | tops) - counts) & tops        // byte i: whether k is at least this number
	at := uint(bits.OnesCount64(reached)) * 8
	k -= int(counts << 8 >> (at & 63) & 0xff)
	return int(at) + int(nthInByte[k&7][word>>(at&63)&0xff])
}

// nthInByte[k][b] is the position of the bit of byte b that has k set bits below it.
var nthInByte = func() (table [8][256]uint8) {
	for b := range 256 {
		k := 0
		for bit := range uint8(8) {
			if b>>bit&1 != 0 {
				table[k][b] = bit
				k++
			}
		}
	}
	return table
}()

// neighbours returns the cells that share a side with a cell of the set.
func (s Cells) neighbours() Cells {
	right := s.andNot(lastColumn).up(1)
	left := s.andNot(firstColumn).down(1)
	return right.or(left).or(s.up(Side)).or(s.down(Side)).and(board)
}

var (
	firstColumn = cellsWhere(func(x, _ int) bool { return x == 0 })
	lastColumn  = cellsWhere(func(x, _ int) bool { return x == Side-1 })
)

// berths holds the places of ships of one length as sets of first cells: one for horizontal places, and one for upright
// places.
type berths struct {
	flat, upright Cells
	decks         int8
}

// withinRow[decks] holds the first cells of horizontal ships that stay on the board.
var withinRow = func() (within [longest + 1]Cells) {
	for decks := 1; decks <= longest; decks++ {
		within[decks] = cellsWhere(func(x, _ int) bool { return x+decks <= Side })
	}
	return within
}()

// berthsOf returns all places on free cells for a ship of 1..5 decks.
func berthsOf(free Cells, decks int) berths {
	b := berths{decks: int8(decks)}
	switch decks {
	case 1:
		b.flat = free
		return b
	case 2:
		b.flat, b.upright = free.and(free.down(1)), free.and(free.down(Side))
	case 3:
		b.flat = free.and(free.down(1)).and(free.down(2))
		b.upright = free.and(free.down(Side)).and(free.down(2 * Side))
	default:
		b.flat, b.upright = free.and(free.down(1)), free.and(free.down(Side))
		b.flat, b.upright = b.flat.and(b.flat.down(2)), b.upright.and(b.upright.down(2*Side))
		if decks == 5 {
			b.flat, b.upright = b.flat.and(free.down(4)), b.upright.and(free.down(4*Side))
		}
	}
	b.flat = b.flat.and(withinRow[decks])
	return b
}

func (b berths) count() int { return b.flat.Count() + b.upright.Count() }

// countOf returns the number of places on free cells: berthsOf(free, decks).count().
func countOf(free Cells, decks int) int {
	switch decks {
	case 1:
		return free.Count()
	case 2:
		return free.and(free.down(1)).and(withinRow[2]).Count() + free.and(free.down(Side)).Count()
	default:
		return berthsOf(free, decks).count()
	}
}

// nth returns the ship in place k, 0 <= k < count.
func (b berths) nth(k int) Ship {
	first, upright := b.find(k)
	return Ship{first, b.decks, upright != 0}
}

// nthIndex returns the index of the ship in place k.
func (b berths) nthIndex(k int) int {
	first, upright := b.find(k)
	return (int(b.decks)-1)*2*boardCells + boardCells&upright + int(first)
}

// find returns the first cell of the ship in place k. upright has all bits set if the ship is upright, else it is 0.
func (b berths) find(k int) (first Cell, upright int) {
	flat := b.flat.Count()
	upright = (flat - 1 - k) >> 63
	mask := uint64(upright)
	from := Cells{b.flat.lo ^ (b.flat.lo^b.upright.lo)&mask, b.flat.hi ^ (b.flat.hi^b.upright.hi)&mask}
	return from.nth(k - flat&upright), upright
}

// covering returns the places that cover a cell.
func (b berths) covering(c Cell) berths {
	flat := single(c)
	upright := flat
	for k := uint(1); k < uint(b.decks); k++ {
		flat, upright = flat.or(single(c).down(k)), upright.or(single(c).down(k*Side))
	}
	return berths{b.flat.and(flat), b.upright.and(upright), b.decks}
}

// notWithin returns the places that are not completely within a set of hits: such a ship would be sunk.
func (b berths) notWithin(hits Cells) berths {
	within := berthsOf(hits, int(b.decks))
	return berths{b.flat.andNot(within.flat), b.upright.andNot(within.upright), b.decks}
}

// byHits groups the places by the number of hits that they cover, without places that cover only hits.
func (b berths) byHits(hits Cells) (by [longest]berths) {
	by[0] = b.notWithin(hits)
	for k := uint(0); k < uint(b.decks); k++ {
		flat, upright := hits.down(k), hits.down(k*Side)
		for n := min(int(k)+1, longest-1); n >= 0; n-- {
			at := &by[n]
			at.flat, at.upright, at.decks = at.flat.andNot(flat), at.upright.andNot(upright), b.decks
			if n > 0 {
				at.flat = at.flat.or(by[n-1].flat.and(flat))
				at.upright = at.upright.or(by[n-1].upright.and(upright))
			}
		}
	}
	return by
}

// cells returns the cells that ships in these places cover.
func (b berths) cells() Cells {
	s := b.flat.or(b.upright)
	for k := uint(1); k < uint(b.decks); k++ {
		s = s.or(b.flat.up(k)).or(b.upright.up(k * Side))
	}
	return s
}
