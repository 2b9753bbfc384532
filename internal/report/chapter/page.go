package chapter

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Table returns a table without rows. Its first column will name the rows. Headings may have the types that
// [content.Row] accepts.
func Table(id string, header ...any) content.Table {
	return content.Table{ID: id, RowHeader: true, Header: content.Row(header...)}
}

// Names returns cells with the names of things, for a header or a row.
func Names[T fmt.Stringer](things []T) []content.Cell {
	cells := make([]content.Cell, len(things))
	for i, thing := range things {
		cells[i] = content.Text(thing.String())
	}
	return cells
}

// Groups returns headings that span several columns. Each heading is followed by the number of its columns. Headings
// may have the types that [content.Row] accepts.
func Groups(headings ...any) []content.Group {
	var groups []content.Group
	for i := 0; i < len(headings); i += 2 {
		groups = append(groups, content.Group{Cell: content.Row(headings[i])[0], Span: headings[i+1].(int)})
	}
	return groups
}

// Drawing is a drawing that can become a figure.
type Drawing interface {
	Figure() (content.Figure, error)
}

// Thousands formats a number with separators, for prose.
func Thousands[T int | int64](v T) string { return content.Thousands(strconv.FormatInt(int64(v), 10)) }

// BigThousands formats a big number with separators.
func BigThousands(v *big.Int) string { return content.Thousands(v.String()) }

// Joined formats a list: "3, 1, 2".
func Joined[T any](list []T) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// NoBreak replaces spaces with no-break spaces, which keep a short expression on one line.
func NoBreak(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

// MD formats our own Markdown. It keeps each battle on one line. Battles and numbers need no escaping.
func MD(format string, args ...any) content.Markdown {
	for i, arg := range args {
		if b, ok := arg.(battle); ok {
			args[i] = NoBreak(b.String())
		}
	}
	return content.Markdown(fmt.Sprintf(format, args...))
}

// battle is implemented by the battles of all games.
type battle interface {
	Validate() error
	String() string
}
