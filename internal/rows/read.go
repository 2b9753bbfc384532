package rows

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
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
		batch.Cells[i].Set(row, v)
		line = rest
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
		return column.choice(text)
	case column.Type == Float:
		v, err := strconv.ParseFloat(string(text), 64)
		return Real(v), err
	default:
		v, err := strconv.ParseInt(string(text), 10, 64)
		return Int(v), err
	}
}

// choice returns the value with a name.
func (c *Column) choice(name []byte) (Value, error) {
	if number := slices.Index(c.Names, string(name)); number >= 0 {
		return Choice(number), nil
	}
	return Absent, fmt.Errorf("%q is none of its names", name)
}

// parquetReader reads what Parquet writes: row group by row group, a page of each column at a time.
type parquetReader struct {
	columns []parquetColumn
	groups  []parquet.RowGroup
	left    int64 // rows of the current group
	chunks  []parquet.ColumnChunkValueReader
	values  []parquet.Value
}

// ReadParquet reads what Parquet writes of some columns. The file should be known
// to be ours, for example by a checksum: other files are refused or read as well as possible, but may take much memory.
func ReadParquet(file io.ReaderAt, size int64, columns []Column) (reader Reader, err error) {
	defer noPanic(&err)
	opened, err := parquet.OpenFile(file, size, parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	schema, err := schemaOf(columns)
	if err != nil {
		return nil, err
	}
	if got, want := opened.Schema().String(), schema.String(); got != want {
		return nil, fmt.Errorf("its schema is %s, not %s", got, want)
	}
	p := &parquetReader{groups: opened.RowGroups()}
	for i := range columns {
		p.columns = append(p.columns, newParquetColumn(&columns[i], schema.Fields()[i].Type()))
	}
	return p, nil
}

// noPanic turns a panic into an error: the library may get files that we did not write.
func noPanic(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("it cannot be read as Parquet: %v", problem)
	}
}

func (p *parquetReader) Read(batch *Batch, most int) (err error) {
	defer noPanic(&err)
	for p.left == 0 && len(p.groups) > 0 {
		if err := p.begin(p.groups[0]); err != nil {
			return err
		}
		p.groups = p.groups[1:]
	}
	size := int(min(int64(most), p.left))
	batch.Resize(size)
	if cap(p.values) < size {
		p.values = make([]parquet.Value, size)
	}
	values := p.values[:size]
	for c := range p.columns {
		if err := readValues(p.chunks[c], values); err != nil {
			return fmt.Errorf("column %q: %w", p.columns[c].Name, err)
		}
		if err := p.columns[c].setCells(batch.Cells[c], values); err != nil {
			return err
		}
	}
	p.left -= int64(size)
	return nil
}

// begin begins a row group.
func (p *parquetReader) begin(group parquet.RowGroup) error {
	if err := p.Close(); err != nil {
		return err
	}
	p.left = group.NumRows()
	for _, chunk := range group.ColumnChunks() {
		p.chunks = append(p.chunks, parquet.NewColumnChunkValueReader(chunk))
	}
	return nil
}

func (p *parquetReader) Close() error {
	var all error
	for _, chunk := range p.chunks {
		all = errors.Join(all, chunk.Close())
	}
	p.chunks = p.chunks[:0]
	return all
}

// setCells sets cells to values of the library.
func (p *parquetColumn) setCells(cells Cells, values []parquet.Value) error {
	for i, v := range values {
		switch {
		case v.IsNull() && p.gap == known:
			return fmt.Errorf("column %q has a gap, which it must not have", p.Name)
		case v.IsNull():
			cells.Set(i, Value{state: p.gap})
		case p.Type == Integer:
			cells.Set(i, Int(v.Int64()))
		case p.Type == Float:
			cells.Set(i, Real(v.Double()))
		default:
			choice, err := p.choice(v.ByteArray())
			if err != nil {
				return fmt.Errorf("column %q: %w", p.Name, err)
			}
			cells.Set(i, choice)
		}
	}
	return nil
}

// readValues fills the values with the next ones of a column.
func readValues(from parquet.ValueReader, values []parquet.Value) error {
	for len(values) > 0 {
		n, err := from.ReadValues(values)
		switch {
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		values = values[n:]
	}
	return nil
}
