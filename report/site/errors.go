package site

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error is a fault in a page, at a line of its source. Its text is one line: "file.md:12: what is wrong: what to do".
type Error struct {
	File   string
	Line   int // 1-based; 0 where no line applies
	Column int // in bytes, 1-based; 0 where it is not known
	Msg    string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
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

func (l *errorList) addf(file string, line int, format string, args ...any) {
	l.list = append(l.list, &Error{File: file, Line: line, Msg: oneLine(fmt.Sprintf(format, args...))})
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

// sort orders the faults of one page by line; the order of discovery breaks ties.
func (l *errorList) sort() {
	slices.SortStableFunc(l.list, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
