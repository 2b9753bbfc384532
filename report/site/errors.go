package site

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Error is a fault in a page, at a line of its source. Its text is one line: "file.md:12: what is wrong: what to do",
// and in notebooks "file.ipynb: cell "id", line 3: what is wrong: what to do".
type Error struct {
	File   string
	Cell   string // as messages name it; empty outside of notebooks
	Line   int    // 1-based, in the cell if there is one; 0 where no line applies
	Column int    // in bytes, 1-based; 0 where it is not known
	Msg    string
}

func (e *Error) Error() string {
	return where(content.Place{File: e.File, Cell: e.Cell, Line: e.Line}) + ": " + e.Msg
}

// where names a place as messages do.
func where(at content.Place) string {
	switch {
	case at.Cell != "":
		return at.File + ": " + inCell(at)
	case at.Line == 0:
		return at.File
	}
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

// inCell names a place to those who know the file.
func inCell(at content.Place) string {
	switch {
	case at.Cell == "":
		return fmt.Sprintf("line %d", at.Line)
	case at.Line == 0:
		return at.Cell
	}
	return fmt.Sprintf("%s, line %d", at.Cell, at.Line)
}

// Errors is every fault found in one pass, in the order of files and lines. Its text is the first one and the number
// of the others, on one line; errors.As and Unwrap reach them all.
type Errors []*Error

func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", e[0], len(e)-1)
}

// Unwrap returns all the faults.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, err := range e {
		out[i] = err
	}
	return out
}

// errorList collects faults. It is not safe for concurrent use.
type errorList struct{ list []*Error }

func (l *errorList) addf(at content.Place, format string, args ...any) {
	l.addAt(at, 0, format, args...)
}

func (l *errorList) addAt(at content.Place, column int, format string, args ...any) {
	l.list = append(l.list, &Error{at.File, at.Cell, at.Line, column, oneLine(fmt.Sprintf(format, args...))})
}

// join adds the faults that err holds, or err itself.
func (l *errorList) join(err error) {
	var many Errors
	var one *Error
	switch {
	case errors.As(err, &many):
		l.list = append(l.list, many...)
	case errors.As(err, &one):
		l.list = append(l.list, one)
	}
}

func (l *errorList) err() error {
	if len(l.list) == 0 {
		return nil
	}
	return Errors(l.list)
}

// sort orders the faults of one page by cells, which have an order, and lines; the order of discovery breaks ties.
func (l *errorList) sort(order map[string]int) {
	slices.SortStableFunc(l.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(order[a.Cell], order[b.Cell]), cmp.Compare(a.Line, b.Line))
	})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
