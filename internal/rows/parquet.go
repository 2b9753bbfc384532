package rows

import (
	"bufio"
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
	table := &parquetTable{
		output: counted{w: bufio.NewWriterSize(w, 1<<15)}, footer: emptyFooter(append(p.options(), schema)),
	}
	for i := range columns {
		table.columns = append(table.columns, newParquetColumn(&columns[i], schema.Fields()[i].Type()))
	}
	_, err = io.WriteString(&table.output, magic)
	return table, err
}

// options are those of the library for a file without rows.
func (p Parquet) options() []parquet.WriterOption {
	options := []parquet.WriterOption{parquet.CreatedBy(p.Program, p.Version, "parquet-go")}
	for key, value := range p.Metadata { // the library puts them in order
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	return options
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
