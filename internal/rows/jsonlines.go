package rows

import (
	"encoding/json"
	"io"
	"strconv"
)

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
	table := jsonTable{w: w}
	for i, column := range columns {
		name, err := json.Marshal(column.Name)
		if err != nil {
			return nil, err
		}
		table.before = append(table.before, append(appendComma(nil, i), append(name, ':')...))
	}
	return table, nil
}

type jsonTable struct {
	w      io.Writer
	before [][]byte // what stands before the value of each column
}

func (t jsonTable) NewBlock() Block { return &jsonBlock{table: t} }

func (jsonTable) Close() error { return nil }

// jsonBlock is the lines of a block.
type jsonBlock struct {
	table jsonTable
	text  []byte
}

func (b *jsonBlock) Append(batch *Batch) error {
	for row := range batch.Size() {
		b.text = append(b.text, '{')
		for c := range batch.Cells {
			b.text = append(b.text, b.table.before[c]...)
			column, value := &batch.Columns[c], batch.Cells[c][row]
			switch {
			case value.state != known:
				b.text = append(b.text, "null"...)
			case column.Type == Name:
				b.text = strconv.AppendQuote(b.text, column.Names[value.Choice()])
			default:
				b.text = appendCSV(b.text, column, value)
			}
		}
		b.text = append(b.text, "}\n"...)
	}
	return nil
}

func (b *jsonBlock) Write() error {
	_, err := b.table.w.Write(b.text)
	b.text = b.text[:0]
	return err
}
