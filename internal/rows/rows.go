// Package rows holds tables as typed values, apart from the bytes of any file format: what computes a table fills
// batches of rows, and a [Format] writes them.
package rows

import "math"

// Type is the type of a column's values.
type Type int8

// The types.
const (
	Integer Type = iota // int64
	Float               // float64
	Name                // one of the names of the column
)

// Column is a column of a table.
type Column struct {
	Name  string
	Type  Type
	Names []string // that a column of names chooses among, by number
}

// Value is a value of a column: a number or a name of the column's type, or none. The zero value is absent.
type Value struct {
	bits  uint64
	state state
}

type state int8

const (
	absent state = iota
	unknown
	known
)

// Absent is where there is no value, and Unknown where it would take more effort to know it.
var (
	Absent  = Value{state: absent}
	Unknown = Value{state: unknown}
)

// Int returns a value of a column of integers, Real one of a column of floats, and Choice one of a column of names, by
// its number among them.
func Int(v int64) Value    { return Value{uint64(v), known} }
func Real(v float64) Value { return Value{math.Float64bits(v), known} }
func Choice(i int) Value   { return Value{uint64(i), known} }

// IsAbsent and IsUnknown report whether there is no value; where both are false one of Int, Real and Choice is its
// value.
func (v Value) IsAbsent() bool  { return v.state == absent }
func (v Value) IsUnknown() bool { return v.state == unknown }

// Int, Real and Choice return the value in a column of that type.
func (v Value) Int() int64    { return int64(v.bits) }
func (v Value) Real() float64 { return math.Float64frombits(v.bits) }
func (v Value) Choice() int   { return int(v.bits) }

// Batch is a stretch of rows of a table, column by column: Cells[c][r] is the value of column c in row r.
type Batch struct {
	Columns []Column
	Cells   [][]Value
}

// NewBatch returns a batch without rows.
func NewBatch(columns []Column) *Batch {
	return &Batch{columns, make([][]Value, len(columns))}
}

// Resize makes room for so many rows. The values are those of an earlier batch, to be overwritten.
func (b *Batch) Resize(size int) {
	for c := range b.Cells {
		if cap(b.Cells[c]) < size {
			b.Cells[c] = make([]Value, size)
		}
		b.Cells[c] = b.Cells[c][:size]
	}
}

// Size returns the number of rows.
func (b *Batch) Size() int {
	if len(b.Cells) == 0 {
		return 0
	}
	return len(b.Cells[0])
}

// Format is a way to write a table. Its methods append to a buffer and keep nothing, so that all cores may write
// batches at a time; the file is the header and the batches in order.
type Format interface {
	AppendHeader(to []byte, columns []Column) []byte
	AppendBatch(to []byte, batch *Batch) []byte
}
