package rows

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// CSV writes names and numbers separated by commas. An absent value is empty, and an unknown value is a question mark.
// The names of columns and values must not need quoting. A float must be an integer, and all its digits are written.
//
// Comment is one line. It is written after the last row, behind a #, so that readers can skip it.
type CSV struct{ Comment string }

var _ Format = CSV{}

// Needs returns 26 bytes for each value: a number has at most 20 characters and is followed by a comma.
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

// appendNames appends the header line.
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
	end         string // the text after the last line
}

func (t textTable) NewBlock() Block { return &textBlock{textTable: t} }

func (t textTable) Close() error {
	_, err := io.WriteString(t.w, t.end)
	return err
}

// textBlock holds the lines of a block.
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

// appendInt does the same as strconv.AppendInt, but faster for short numbers, which are the most frequent.
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

// AppendWhole appends an integer given as a float64, with all its digits and without an exponent.
func AppendWhole(to []byte, whole float64) []byte {
	if math.Abs(whole) < 1<<53 {
		return appendInt(to, int64(whole))
	}
	return strconv.AppendFloat(to, whole, 'f', 0, 64)
}

// JSONLines writes a JSON object for each row, on its own line. An absent or unknown value is null; the column's Gaps
// determine which of the two it is.
type JSONLines struct{}

var _ Format = JSONLines{}

// Needs returns the bytes for the column names, and 26 bytes for each value, as for CSV.
func (JSONLines) Needs(columns []Column, _ int64) (Needs, error) {
	var needs Needs
	for _, column := range columns {
		needs.RowBytes += 26 + 4 + int64(len(column.Name))
	}
	return needs, nil
}

// Begin writes nothing, because each row contains the names of its columns.
func (JSONLines) Begin(w io.Writer, columns []Column) (Table, error) {
	var before [][]byte // the text before the value of each column
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

// csvReader reads CSV files.
type csvReader struct {
	lines   *bufio.Reader
	columns []Column
	line    int64
}

// longestLine is longer than any line or comment in our tables.
const longestLine = 64 << 10

// ReadCSV reads a table that CSV has written with the given columns, up to a comment or the end of the file.
func ReadCSV(r io.Reader, columns []Column) (Reader, error) { return readCSV(r, columns) }

// CopyCSV copies the rows that CSV has written with the given columns, without parsing their values, and returns their
// number. It calls ended regularly. If ended returns an error, CopyCSV stops and returns that error.
func CopyCSV(w io.Writer, r io.Reader, columns []Column, ended func(rows int64) error) (rows int64, err error) {
	c, err := readCSV(r, columns)
	if err != nil {
		return 0, err
	}
	for {
		if rows%(1<<12) == 0 {
			if err := ended(rows); err != nil {
				return rows, err
			}
		}
		line, err := c.row()
		if line == nil || err != nil {
			return rows, err
		}
		if _, err := w.Write(line); err != nil {
			return rows, err
		}
		rows++
	}
}

func readCSV(r io.Reader, columns []Column) (*csvReader, error) {
	c := &csvReader{lines: bufio.NewReaderSize(r, longestLine), columns: columns}
	names, err := c.next()
	if err != nil {
		return nil, err
	}
	if want := appendNames(nil, columns); !bytes.Equal(names, want) {
		return nil, fmt.Errorf("line 1: the columns must be %s", bytes.TrimSpace(want))
	}
	return c, nil
}

func (c *csvReader) Close() error { return nil }

// row returns the line of the next row, or nil after the last row.
func (c *csvReader) row() ([]byte, error) {
	line, err := c.next()
	if errors.Is(err, io.EOF) || err == nil && line[0] == '#' {
		return nil, nil
	}
	return line, err
}

// next returns the next line.
func (c *csvReader) next() ([]byte, error) {
	c.line++
	line, err := c.lines.ReadSlice('\n')
	switch {
	case err == nil:
		return line, nil
	case errors.Is(err, bufio.ErrBufferFull), errors.Is(err, io.EOF) && len(line) > 0:
		return nil, fmt.Errorf("line %d: the row is incomplete", c.line)
	}
	return nil, err
}

func (c *csvReader) Read(batch *Batch, most int) error {
	batch.Resize(most)
	for row := range most {
		line, err := c.row()
		if err != nil {
			return err
		}
		if line == nil {
			batch.Resize(row)
			return nil
		}
		if err := c.set(batch, row, line[:len(line)-1]); err != nil {
			return err
		}
	}
	return nil
}

// set sets a row of the batch to the values on a line.
func (c *csvReader) set(batch *Batch, row int, line []byte) error {
	for i := range c.columns {
		text, rest, more := bytes.Cut(line, []byte{','})
		if more != (i < len(c.columns)-1) {
			return fmt.Errorf("line %d: the row must have %d values", c.line, len(c.columns))
		}
		v, err := parseCSV(&c.columns[i], text)
		if err != nil {
			return fmt.Errorf("line %d: column %q: %w", c.line, c.columns[i].Name, err)
		}
		batch.Cells[i].Set(row, v)
		line = rest
	}
	return nil
}

// parseCSV parses a value as the writer writes it.
func parseCSV(column *Column, text []byte) (Value, error) {
	switch {
	case len(text) == 0 && column.Gaps == Absences:
		return Absent, nil
	case len(text) == 1 && text[0] == '?' && column.Gaps == Unknowns:
		return Unknown, nil
	case column.Type == Name:
		return column.choice(text)
	case column.Type == Float:
		v, err := strconv.ParseFloat(string(text), 64)
		return Real(v), err
	default:
		v, err := strconv.ParseInt(string(text), 10, 64)
		return Int(v), err
	}
}

// choice returns the value with the given name.
func (c *Column) choice(name []byte) (Value, error) {
	if number := slices.Index(c.Names, string(name)); number >= 0 {
		return Choice(number), nil
	}
	return Absent, fmt.Errorf("%q is not one of the names in this column", name)
}
