package rows

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Reader reads the rows of a table, from the first on.
type Reader interface {
	// Read sets the batch to the next rows, at most so many. An empty batch means that none are left. The batch must
	// have the table's columns. The error names the fault of the file.
	Read(batch *Batch, most int) error
	// Close frees the resources. The file stays open.
	Close() error
}

// csvReader reads what CSV writes.
type csvReader struct {
	lines   *bufio.Reader
	columns []Column
	line    int64
}

// longestLine is room for a line of any table of ours, and for its comment.
const longestLine = 64 << 10

// ReadCSV reads what CSV writes of some columns, up to a comment or the end.
func ReadCSV(r io.Reader, columns []Column) (Reader, error) { return readCSV(r, columns) }

// CopyCSV copies the rows that CSV has written of some columns, without parsing their values, and returns their number.
// It calls ended now and then, and if that returns true stops with the rows so far.
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
		return nil, fmt.Errorf("line 1: the columns are not %s", bytes.TrimSpace(want))
	}
	return c, nil
}

func (c *csvReader) Close() error { return nil }

// row returns the next row's line, nil behind the last one.
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
		return nil, fmt.Errorf("line %d: does not end as a row does", c.line)
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

// set sets a row of the batch to the values of a line.
func (c *csvReader) set(batch *Batch, row int, line []byte) error {
	for i := range c.columns {
		text, rest, more := bytes.Cut(line, []byte{','})
		if more != (i < len(c.columns)-1) {
			return fmt.Errorf("line %d: has not the %d values of a row", c.line, len(c.columns))
		}
		v, err := parseCSV(&c.columns[i], text)
		if err != nil {
			return fmt.Errorf("line %d: column %q: %w", c.line, c.columns[i].Name, err)
		}
		batch.Cells[i][row], line = v, rest
	}
	return nil
}

// parseCSV reads what appendCSV appends.
func parseCSV(column *Column, text []byte) (Value, error) {
	switch {
	case len(text) == 0 && column.Gaps == Absences:
		return Absent, nil
	case len(text) == 1 && text[0] == '?' && column.Gaps == Unknowns:
		return Unknown, nil
	case column.Type == Name:
		for i, name := range column.Names {
			if name == string(text) {
				return Choice(i), nil
			}
		}
		return Absent, fmt.Errorf("%q is none of its names", text)
	case column.Type == Float:
		v, err := strconv.ParseFloat(string(text), 64)
		return Real(v), err
	default:
		v, err := strconv.ParseInt(string(text), 10, 64)
		return Int(v), err
	}
}
