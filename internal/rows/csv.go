package rows

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// CSV writes names and numbers with commas between them: an absent value is empty, an unknown one a question mark. The
// names of columns and values must need no quotes. A float must be whole, and is written with all its digits.
//
// Comment, one line, follows the last row on a line that begins with #, which readers can be told to skip.
type CSV struct{ Comment string }

var _ Format = CSV{}

// Needs returns 26 bytes for a value: no number has more than 20 characters, and there is the comma.
func (CSV) Needs(columns []Column, _ int64) (Needs, error) {
	return Needs{RowBytes: 26 * int64(len(columns))}, nil
}

// Begin writes the row of the columns' names.
func (f CSV) Begin(w io.Writer, columns []Column) (Table, error) {
	_, err := w.Write(appendNames(nil, columns))
	table := textTable{w: w, appendLines: appendLines}
	if f.Comment != "" {
		table.end = "# " + f.Comment + "\n"
	}
	return table, err
}

// appendNames appends the first line.
func appendNames(to []byte, columns []Column) []byte {
	for i, column := range columns {
		to = append(appendComma(to, i), column.Name...)
	}
	return append(to, '\n')
}

// textTable is a table of lines.
type textTable struct {
	w           io.Writer
	appendLines func(to []byte, batch *Batch) []byte
	end         string // behind the last line
}

func (t textTable) NewBlock() Block { return &textBlock{textTable: t} }

func (t textTable) Close() error {
	_, err := io.WriteString(t.w, t.end)
	return err
}

// textBlock is the lines of a block.
type textBlock struct {
	textTable
	text []byte
}

func (b *textBlock) Append(batch *Batch) error {
	b.text = b.appendLines(b.text, batch)
	return nil
}

func (b *textBlock) Write() error {
	_, err := b.w.Write(b.text)
	b.text = b.text[:0]
	return err
}

// appendLines appends a line for each row.
func appendLines(to []byte, batch *Batch) []byte {
	for row := range batch.Size() {
		for c := range batch.Cells {
			to = appendCSV(appendComma(to, c), &batch.Columns[c], batch.Cells[c].At(row))
		}
		to = append(to, '\n')
	}
	return to
}

func appendComma(to []byte, column int) []byte {
	if column == 0 {
		return to
	}
	return append(to, ',')
}

func appendCSV(to []byte, column *Column, v Value) []byte {
	switch {
	case v.state == absent:
		return to
	case v.state == unknown:
		return append(to, '?')
	case column.Type == Integer:
		return appendInt(to, v.Int())
	case column.Type == Name:
		return append(to, column.Names[v.Choice()]...)
	default:
		return AppendWhole(to, v.Real())
	}
}

// appendInt is strconv.AppendInt, faster for short numbers, which are the most frequent.
func appendInt(to []byte, v int64) []byte {
	switch u := uint64(v); {
	case u < 10:
		return append(to, '0'+byte(u))
	case u < 100:
		return append(to, '0'+byte(u/10), '0'+byte(u%10))
	case u < 1000:
		return append(to, '0'+byte(u/100), '0'+byte(u/10%10), '0'+byte(u%10))
	}
	return strconv.AppendInt(to, v, 10)
}

// AppendWhole appends a whole number held in a float64, all its digits and no exponent.
func AppendWhole(to []byte, whole float64) []byte {
	if math.Abs(whole) < 1<<53 {
		return appendInt(to, int64(whole))
	}
	return strconv.AppendFloat(to, whole, 'f', 0, 64)
}

// JSONLines writes an object for each row, on a line of its own. A value that is absent or unknown is null; which of
// the two it is, the column's Gaps say.
type JSONLines struct{}

var _ Format = JSONLines{}

// Needs returns the bytes of the names of columns, and 26 for a value, as in CSV.
func (JSONLines) Needs(columns []Column, _ int64) (Needs, error) {
	var needs Needs
	for _, column := range columns {
		needs.RowBytes += 26 + 4 + int64(len(column.Name))
	}
	return needs, nil
}

// Begin writes nothing: each row has the names of its columns.
func (JSONLines) Begin(w io.Writer, columns []Column) (Table, error) {
	var before [][]byte // what stands before the value of each column
	for i, column := range columns {
		name, err := json.Marshal(column.Name)
		if err != nil {
			return nil, err
		}
		before = append(before, append(appendComma(nil, i), append(name, ':')...))
	}
	return textTable{w: w, appendLines: func(to []byte, batch *Batch) []byte {
		for row := range batch.Size() {
			to = append(to, '{')
			for c := range batch.Cells {
				to = append(to, before[c]...)
				column, value := &batch.Columns[c], batch.Cells[c].At(row)
				switch {
				case value.state != known:
					to = append(to, "null"...)
				case column.Type == Name:
					to = strconv.AppendQuote(to, column.Names[value.Choice()])
				default:
					to = appendCSV(to, column, value)
				}
			}
			to = append(to, "}\n"...)
		}
		return to
	}}, nil
}
