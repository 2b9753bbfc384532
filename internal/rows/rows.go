// Package rows holds tables as typed values, independent of file formats. The code that computes a table fills batches
// of rows, and a [Format] writes them.
package rows

import (
	"io"
	"math"
)

// Type is the type of a column's values.
type Type int8

// These are the types.
const (
	Integer Type = iota // int64
	Float               // float64
	Name                // one of the column's names
)

// Gaps is the meaning of a missing value in a column. A column has only one kind of gap, so a format with a single
// notation for gaps loses nothing.
type Gaps int8

// These are the kinds of gaps.
const (
	NoGaps   Gaps = iota // every row has a value
	Absences             // there is no value: Absent
	Unknowns             // there may be a value: Unknown
)

// Column is a column of a table.
type Column struct {
	Name  string
	Type  Type
	Names []string // the possible values of a column of names; values refer to them by index
	Gaps  Gaps
}

// Value is a value in a column: a number or a name, depending on the column's type, or a gap. The zero value is Absent.
type Value struct {
	bits  uint64
	state state
}

type state = byte

const (
	absent state = iota
	unknown
	known
)

// Absent means that there is no value. Unknown means that computing the value would take more effort.
var (
	Absent  = Value{state: absent}
	Unknown = Value{state: unknown}
)

// Int returns a value for a column of integers, and Real returns one for a column of floats. Choice returns a value for
// a column of names, given the index of the name.
func Int(v int64) Value    { return Value{uint64(v), known} }
func Real(v float64) Value { return Value{math.Float64bits(v), known} }
func Choice(i int) Value   { return Value{uint64(i), known} }

// Int, Real and Choice return the number or the index in a value of a column of that type.
func (v Value) Int() int64    { return int64(v.bits) }
func (v Value) Real() float64 { return math.Float64frombits(v.bits) }
func (v Value) Choice() int   { return int(v.bits) }

// Cells holds values of a column, one for each row of a batch.
type Cells struct {
	bits   []int64
	states []state
}

// At returns the value in a row.
func (c Cells) At(row int) Value {
	if s := c.states[row]; s != known {
		return Value{state: s}
	}
	return Value{uint64(c.bits[row]), known}
}

// Set sets the value in a row.
func (c Cells) Set(row int, v Value) { c.bits[row], c.states[row] = int64(v.bits), v.state }

// SetLine sets the values in the rows first to end - 1 to number, number + step, number + 2 step, ...
func (c Cells) SetLine(first, end int, number, step int64) {
	c = c.slice(first, end)
	for i := range c.bits {
		c.bits[i] = number
		number += step
	}
	for i := range c.states {
		c.states[i] = known
	}
}

// SetPositive sets the values in the rows from first on to numbers. 0 stands for Absent, and a negative number stands
// for Unknown.
func (c Cells) SetPositive(first int, numbers []int64) {
	c = c.slice(first, first+len(numbers))
	copy(c.bits, numbers)
	for i, number := range numbers {
		switch {
		case number > 0:
			c.states[i] = known
		case number == 0:
			c.states[i] = absent
		default:
			c.states[i] = unknown
		}
	}
}

func (c Cells) slice(first, end int) Cells { return Cells{c.bits[first:end], c.states[first:end]} }

// Batch is a sequence of rows of a table, stored column by column: Cells[c].At(r) is the value in column c and row r.
type Batch struct {
	Columns []Column
	Cells   []Cells
	size    int
}

// NewBatch returns a batch without rows.
func NewBatch(columns []Column) *Batch {
	return &Batch{Columns: columns, Cells: make([]Cells, len(columns))}
}

// Resize sets the number of rows. The values may be left over from an earlier batch, so they must be overwritten.
func (b *Batch) Resize(size int) {
	for c := range b.Cells {
		if cap(b.Cells[c].bits) < size {
			b.Cells[c] = Cells{make([]int64, size), make([]state, size)}
		}
		b.Cells[c] = b.Cells[c].slice(0, size)
	}
	b.size = size
}

// Size returns the number of rows.
func (b *Batch) Size() int { return b.size }

// Format is a way to write a table in blocks of rows, which several cores may fill at the same time.
type Format interface {
	// Needs returns the resources for writing a table of size rows. The error explains why the format cannot represent
	// the table.
	Needs(columns []Column, size int64) (Needs, error)
	// Begin starts a table that is written to w.
	Begin(w io.Writer, columns []Column) (Table, error)
}

// Needs describes the resources for writing a table: the size of blocks, and the memory in bytes.
type Needs struct {
	BlockRows  int64 // the rows of every block except the last; 0 means any number
	RowBytes   int64 // for each row of a block, until it is written
	BlockBytes int64 // for each block, in addition to its rows
	TableBytes int64 // for the table, until it is closed
}

// Table is a table that is being written. Close completes it.
type Table interface {
	// NewBlock returns an empty block.
	NewBlock() Block
	// Close writes the end of the file. The underlying writer stays open.
	Close() error
}

// Block is a sequence of rows of a table. Several goroutines may fill different blocks at the same time, but only one
// goroutine may fill each block. Blocks are written one after the other, in the order of the rows.
type Block interface {
	// Append appends rows. It does not retain the batch.
	Append(batch *Batch) error
	// Write writes the rows, and empties the block for reuse.
	Write() error
}

// Reader reads the rows of a table, starting with the first.
type Reader interface {
	// Read sets the batch to the next rows, at most as many as most. An empty batch means that there are no more rows.
	// The batch must have the table's columns. The error describes what is wrong with the file.
	Read(batch *Batch, most int) error
	// Close releases the resources. The file stays open.
	Close() error
}
