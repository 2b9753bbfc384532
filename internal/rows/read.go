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
	// Read makes the batch the next rows, at most so many. No row means that there are none left. The batch must be of
	// the table's columns. The error says what is wrong with the file.
	Read(batch *Batch, most int) error
	// Close gives back what reading takes. The file stays open.
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
func ReadCSV(r io.Reader, columns []Column) (Reader, error) {
	c := &csvReader{lines: bufio.NewReaderSize(r, longestLine), columns: columns}
	names, err := c.next()
	if err != nil {
		return nil, err
	}
	if want := appendNames(nil, columns); !bytes.Equal(names, want[:len(want)-1]) {
		return nil, fmt.Errorf("line 1: the columns are not %s", want)
	}
	return c, nil
}

func (c *csvReader) Close() error { return nil }

// next returns the next line without its end.
func (c *csvReader) next() ([]byte, error) {
	c.line++
	line, err := c.lines.ReadSlice('\n')
	switch {
	case err == nil:
		return line[:len(line)-1], nil
	case errors.Is(err, bufio.ErrBufferFull), errors.Is(err, io.EOF) && len(line) > 0:
		return nil, fmt.Errorf("line %d: does not end as a row does", c.line)
	}
	return nil, err
}

func (c *csvReader) Read(batch *Batch, most int) error {
	batch.Resize(most)
	for row := range most {
		line, err := c.next()
		if errors.Is(err, io.EOF) || err == nil && len(line) > 0 && line[0] == '#' {
			batch.Resize(row)
			return nil
		}
		if err == nil {
			err = c.row(batch, row, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// row reads a line.
func (c *csvReader) row(batch *Batch, row int, line []byte) error {
	for i := range c.columns {
		text, rest, more := bytes.Cut(line, []byte{','})
		if more != (i < len(c.columns)-1) {
			return fmt.Errorf("line %d: has not the %d values of a row", c.line, len(c.columns))
		}
		v, err := readCSV(&c.columns[i], text)
		if err != nil {
			return fmt.Errorf("line %d: column %q: %w", c.line, c.columns[i].Name, err)
		}
		batch.Cells[i][row], line = v, rest
	}
	return nil
}

// readCSV reads what appendCSV appends.
func readCSV(column *Column, text []byte) (Value, error) {
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
