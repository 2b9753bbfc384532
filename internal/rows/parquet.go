package rows

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Parquet writes the files that DuckDB, polars, pandas and Spark read, see https://parquet.apache.org: typed columns,
// delta-encoded integers, names by number in a dictionary, all compressed with zstd. A gap is a null, whatever its
// kind.
//
// The bytes depend on the rows and the metadata alone, not on how the rows come in batches.
type Parquet struct {
	Program, Version string            // that write
	Metadata         map[string]string // of the file
}

var _ Format = Parquet{}

const (
	// groupRows is the number of rows of a row group, which has statistics of each column: readers skip groups by
	// them, and read several at a time.
	groupRows = 1 << 17
	// pageRows is the number of rows of a page, which is encoded and compressed in one piece.
	pageRows = 1 << 14
	// MostParquetRows is the most rows that the format can number.
	MostParquetRows = parquet.MaxRowGroups * groupRows
)

// Needs returns enough memory for values that cannot be compressed.
func (Parquet) Needs(columns []Column, size int64) (Needs, error) {
	if size > MostParquetRows {
		return Needs{}, fmt.Errorf("%d rows: a Parquet file has at most %d, take smaller ranges", size,
			int64(MostParquetRows))
	}
	needs := Needs{BlockRows: groupRows, BlockBytes: 1 << 18, TableBytes: 1 << 20}
	for _, column := range columns {
		needs.RowBytes += 9 // a number, and whether it is a gap
		if column.Type == Name {
			needs.RowBytes -= 7
		}
		needs.BlockBytes += 16 * pageRows // a page in the making
		needs.TableBytes += 2048 * ((max(size, 1)-1)/groupRows +
			1) // its part of each row group's contents, at the end of the file
	}
	return needs, nil
}

// Begin begins a file.
func (p Parquet) Begin(w io.Writer, columns []Column) (Table, error) {
	schema, err := schemaOf(columns)
	if err != nil {
		return nil, err
	}
	options := []parquet.WriterOption{
		schema,
		parquet.CreatedBy(p.Program, p.Version, "parquet-go"),
		// Write decides where pages end; the buffer is never full before. A row takes at most 13 bytes of it.
		parquet.PageBufferSize(16 * pageRows),
		// The page index has them already.
		parquet.DataPageStatistics(false),
	}
	for key, value := range p.Metadata { // the library puts them in order
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	table := &parquetTable{writer: parquet.NewGenericWriter[any](w, options...)}
	for i := range columns {
		table.columns = append(table.columns, newParquetColumn(&columns[i]))
	}
	return table, nil
}

// schemaOf returns the schema of a file.
func schemaOf(columns []Column) (*parquet.Schema, error) {
	group, place := parquet.Group{}, map[string]int{}
	for i, column := range columns {
		if _, twice := place[column.Name]; twice {
			return nil, fmt.Errorf("column %q: named twice", column.Name)
		}
		node := parquet.Compressed(leafOf(column.Type), compression)
		if column.Gaps != NoGaps {
			node = parquet.Optional(node)
		}
		group[column.Name], place[column.Name] = node, i
	}
	fields := group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return place[a.Name()] - place[b.Name()] })
	return parquet.NewSchema("table", inOrder{group, fields}), nil
}

// leafOf returns the column of a type, with its encoding.
func leafOf(t Type) parquet.Node {
	switch t {
	case Float:
		return parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.Plain)
	case Name:
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	default:
		return parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
	}
}

// compression is for all columns. It keeps an encoder for each goroutine that uses it.
var compression = &zstd.Codec{Level: zstd.SpeedDefault}

// inOrder is a group whose fields are not in the order of their names, as they are in a parquet.Group.
type inOrder struct {
	parquet.Group
	fields []parquet.Field
}

func (g inOrder) Fields() []parquet.Field { return g.fields }

type parquetTable struct {
	writer  *parquet.GenericWriter[any]
	columns []parquetColumn
}

func (t *parquetTable) NewBlock() Block {
	return &parquetBlock{table: t, group: t.writer.BeginRowGroup()}
}

func (t *parquetTable) Close() error { return t.writer.Close() }

// parquetColumn turns the values of a column into those of the file.
type parquetColumn struct {
	*Column
	gap   state           // of those without a value; known if there are none
	level byte            // the definition level of what is not null
	names []parquet.Value // in the order of the column's names
}

func newParquetColumn(column *Column) parquetColumn {
	p := parquetColumn{Column: column}
	p.gap = map[Gaps]state{NoGaps: known, Absences: absent, Unknowns: unknown}[column.Gaps]
	if column.Gaps != NoGaps {
		p.level = 1
	}
	for _, name := range column.Names {
		p.names = append(p.names, parquet.ByteArrayValue([]byte(name)))
	}
	return p
}

// setValues sets the values to those of the same number of cells.
func (p *parquetColumn) setValues(values []parquet.Value, cells []Value) error {
	for i, cell := range cells {
		switch {
		case cell.state != known:
			if cell.state != p.gap {
				return fmt.Errorf("column %q has a gap of a kind that it must not have", p.Name)
			}
			values[i] = parquet.Value{} // null
			continue
		case p.Type == Integer:
			values[i] = parquet.Int64Value(cell.Int())
		case p.Type == Float:
			values[i] = parquet.DoubleValue(cell.Real())
		default:
			values[i] = p.names[cell.Choice()]
		}
		values[i].SetDefinitionLevel(int(p.level))
	}
	return nil
}

// parquetBlock is a row group.
type parquetBlock struct {
	table  *parquetTable
	group  *parquet.ConcurrentRowGroupWriter
	rows   int64
	values []parquet.Value
}

// Append encodes and compresses all pages that the rows fill. Write does the
// pages of the last rows of a table, one block at a time.
func (b *parquetBlock) Append(batch *Batch) error {
	for first, size := 0, batch.Size(); first < size; {
		end := min(size, first+int(pageRows-b.rows%pageRows))
		if err := b.appendRows(batch, first, end); err != nil {
			return err
		}
		b.rows, first = b.rows+int64(end-first), end
		if b.rows%pageRows == 0 {
			if err := b.group.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *parquetBlock) appendRows(batch *Batch, first, end int) error {
	b.values = slices.Grow(b.values[:0], end-first)[:end-first]
	for c, column := range b.group.ColumnWriters() {
		if err := b.table.columns[c].setValues(b.values, batch.Cells[c][first:end]); err != nil {
			return err
		}
		if _, err := column.WriteRowValues(b.values); err != nil {
			return err
		}
	}
	return nil
}

func (b *parquetBlock) Write() error {
	b.rows = 0
	_, err := b.group.Commit()
	return err
}
