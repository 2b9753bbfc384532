package chapter

import (
	"fmt"
	"math/big"
	"reflect"

	"github.com/siegebook/siegebook/report/content"
)

// Table returns a table without rows yet, whose first column names the rows. Its headings are as in Row.
func Table(id string, header ...any) content.Table {
	return content.Table{ID: id, RowHeader: true, Header: Row(header...)}
}

// Row returns cells with values: a string is plain text, Markdown is rich text, a whole number of any kind is a number,
// and a cell stays what it is. It panics if a value is of another kind.
func Row(values ...any) []content.Cell {
	row := make([]content.Cell, len(values))
	for i, value := range values {
		switch v := value.(type) {
		case content.Cell:
			row[i] = v
		case string:
			row[i] = content.Text(v)
		case content.Markdown:
			row[i] = content.Rich(v)
		case *big.Int:
			row[i] = content.BigInt(v)
		default:
			row[i] = wholeNumber(value)
		}
	}
	return row
}

func wholeNumber(value any) content.Cell {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return content.Int(v.Int())
	case v.CanUint():
		return content.Int(v.Uint())
	}
	panic(fmt.Sprintf("chapter: a table has no cell for %T", value))
}
