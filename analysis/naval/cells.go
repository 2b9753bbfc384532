package naval

import (
	"iter"
	"math/bits"
)

// Side is the number of rows, and of columns, of the board.
const Side = 10

// boardCells is the number of cells of the board.
const boardCells = Side * Side

// Cell is a cell of the board, 0..99: the cell in column x and row y, both 0..9 as in the post, is 10y + x.
type Cell uint8

// At returns the cell in column x and row y, both 0..9.
func At(x, y int) Cell { return Cell(Side*y + x) }

// X returns the column of the cell, 0..9.
func (c Cell) X() int { return int(c) % Side }

// Y returns the row of the cell, 0..9.
func (c Cell) Y() int { return int(c) / Side }

// Cells is a set of cells of the board, one bit a cell. The zero value is empty.
type Cells struct {
	lo, hi uint64 // cells 0..63, cells 64..99
}

// board is the set of all cells.
var board = Cells{1<<64 - 1, 1<<(boardCells-64) - 1}

// single returns the set of one cell.
func single(c Cell) Cells {
	if c < 64 {
		return Cells{lo: 1 << (c & 63)}
	}
	return Cells{hi: 1 << (c & 63)}
}

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

// down returns the set with every cell's number made smaller by k, 1..63; cells below 0 are lost.
func (s Cells) down(k uint) Cells { return Cells{s.lo>>(k&63) | s.hi<<(64-k&63), s.hi >> (k & 63)} }

// up returns the set with every cell's number made larger by k, 1..63; those above 99 are for the caller to remove.
func (s Cells) up(k uint) Cells { return Cells{s.lo << (k & 63), s.hi<<(k&63) | s.lo>>(64-k&63)} }

// empty reports whether there is no cell in the set.
func (s Cells) empty() bool { return s.lo|s.hi == 0 }

// Has reports whether the cell is in the set.
func (s Cells) Has(c Cell) bool {
	word := s.lo
	if c >= 64 {
		word = s.hi
	}
	return word>>(c&63)&1 != 0
}

// Count returns the number of cells in the set.
func (s Cells) Count() int { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi) }

// All lists the cells of the set in increasing order.
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

// first returns the lowest cell of a set that is not empty.
func (s Cells) first() Cell {
	if s.lo != 0 {
		return Cell(bits.TrailingZeros64(s.lo))
	}
	return Cell(64 + bits.TrailingZeros64(s.hi))
}

// nth returns the cell with k lower ones in the set, 0 <= k < Count.
func (s Cells) nth(k int) Cell {
	if low := bits.OnesCount64(s.lo); k >= low {
		return Cell(64 + nthBit(s.hi, k-low))
	}
	return Cell(nthBit(s.lo, k))
}

// nthBit returns the number of the set bit of word with k set bits below it. It halves the word until a byte is left.
func nthBit(word uint64, k int) int {
	at := 0
	for width := 32; width >= 8; width /= 2 {
		half := word & (1<<width - 1)
		if n := bits.OnesCount64(half); k >= n {
			k -= n
			at += width
			word >>= width
		} else {
			word = half
		}
	}
	for ; k > 0; k-- {
		word &= word - 1
	}
	return at + bits.TrailingZeros64(word)
}

// neighbours returns the cells that share a side with one of the set.
func (s Cells) neighbours() Cells {
	right := s.andNot(lastColumn).up(1)
	left := s.andNot(firstColumn).down(1)
	return right.or(left).or(s.up(Side)).or(s.down(Side)).and(board)
}

var (
	firstColumn = cellsWhere(func(x, _ int) bool { return x == 0 })
	lastColumn  = cellsWhere(func(x, _ int) bool { return x == Side-1 })
)
