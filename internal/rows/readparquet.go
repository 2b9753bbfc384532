package rows

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// parquetReader reads what Parquet writes: row group by row group, a page of each column at a time.
type parquetReader struct {
	columns []parquetColumn
	numbers []map[string]int // of the names of each column
	groups  []parquet.RowGroup
	left    int64 // rows of the current group
	chunks  []chunkReader
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
		p.columns = append(p.columns, newParquetColumn(&columns[i]))
		numbers := map[string]int{}
		for n, name := range columns[i].Names {
			numbers[name] = n
		}
		p.numbers = append(p.numbers, numbers)
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
		if err := p.chunks[c].read(values); err != nil {
			return fmt.Errorf("column %q: %w", p.columns[c].Name, err)
		}
		if err := p.columns[c].setCells(batch.Cells[c], values, p.numbers[c]); err != nil {
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
		p.chunks = append(p.chunks, chunkReader{pages: chunk.Pages()})
	}
	return nil
}

func (p *parquetReader) Close() error {
	var all error
	for _, chunk := range p.chunks {
		all = errors.Join(all, chunk.close())
	}
	p.chunks = p.chunks[:0]
	return all
}

// setCells is the inverse of setValues.
func (p *parquetColumn) setCells(cells []Value, values []parquet.Value, numbers map[string]int) error {
	for i, v := range values {
		switch {
		case v.IsNull() && p.gap == known:
			return fmt.Errorf("column %q has a gap, which it must not have", p.Name)
		case v.IsNull():
			cells[i] = Value{state: p.gap}
		case p.Type == Integer:
			cells[i] = Int(v.Int64())
		case p.Type == Float:
			cells[i] = Value{math.Float64bits(v.Double()), known}
		default:
			number, ok := numbers[string(v.ByteArray())]
			if !ok {
				return fmt.Errorf("column %q: %q is none of its names", p.Name, v.ByteArray())
			}
			cells[i] = Choice(number)
		}
	}
	return nil
}

// chunkReader reads the values of a column of a row group.
type chunkReader struct {
	pages  parquet.Pages
	page   parquet.Page // nil between two
	values parquet.ValueReader
}

// read fills the values with the next ones.
func (c *chunkReader) read(values []parquet.Value) error {
	for len(values) > 0 {
		if c.page == nil {
			page, err := c.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				return io.ErrUnexpectedEOF
			}
			if err != nil {
				return err
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(values)
		values = values[n:]
		switch {
		case n == 0 && err == nil:
			return io.ErrNoProgress
		case errors.Is(err, io.EOF):
			parquet.Release(c.page)
			c.page = nil
		case err != nil:
			return err
		}
	}
	return nil
}

func (c *chunkReader) close() error {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
	return c.pages.Close()
}
