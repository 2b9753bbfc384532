// Package page runs the program that contains a book's pages. The program has a function for each page, which is
// generated from the page's cells; see internal/report/program. Cells do not use this package.
package page

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Session is a run of a page.
type Session struct {
	mu       sync.Mutex
	name     string // the page's name
	cell     int
	put      func(frame)
	pictures []pictures.Picture // the pictures of the controls
	restarts []func()
	store    *store
}

// frame is a message from a page to the generator. Package internal/report/program reads these messages.
type frame struct {
	Cell   int               `json:"cell"` // the number of the cell, from 0
	Value  *value            `json:"value,omitempty"`
	Data   map[string]string `json:"data,omitempty"`
	ID     string            `json:"id,omitempty"` // the ID of the output; a later frame with the same ID replaces it
	Module *control          `json:"control,omitempty"`
	Shared map[string][]byte `json:"shared,omitempty"` // the values of calls
	Failed string            `json:"failed,omitempty"`
	Wrong  string            `json:"wrong,omitempty"` // the parameter whose value made the page fail
	Line   int               `json:"line,omitempty"`
	Done   bool              `json:"done,omitempty"`
	block  string            // the block for the report; written after the frame
}

// value is the value of an expression with its type.
type value struct{ Type, Text string }

// control describes a picture that readers can change.
type control struct {
	Name   string           `json:"name"`
	Fields []pictures.Field `json:"fields"`
}

// Cell begins a cell.
func (s *Session) Cell(number int) {
	flush()
	s.mu.Lock()
	s.cell = number
	s.mu.Unlock()
	s.tell(frame{})
}

// Value returns a function that shows the values of the expression with the given number.
func (s *Session) Value(number int) func(values ...any) {
	s.Cell(number)
	return func(values ...any) {
		s.tell(frame{Value: &value{fmt.Sprintf("%T", values[0]), fmt.Sprint(values...)}})
	}
}

// Done ends the page.
func (s *Session) Done() {
	flush()
	s.tell(frame{Done: true})
}

// Show shows an output in several forms. It replaces the output with the same ID, unless id is "".
func (s *Session) Show(id string, forms map[string]string) {
	block := forms[content.MediaType]
	delete(forms, content.MediaType)
	s.tell(frame{ID: id, Data: forms, block: block})
}

// Control adds a picture that readers of the page can change, and returns its name. In a notebook it returns "".
func (s *Session) Control(p pictures.Picture, restart func()) string {
	if s.name == "" {
		return ""
	}
	p.Name = fmt.Sprintf("%s%s%d", s.name, controlInfix, len(s.pictures)+1)
	s.pictures, s.restarts = append(s.pictures, p), append(s.restarts, restart)
	s.tell(frame{Module: &control{p.Name, p.Fields}})
	return p.Name
}

// mostShared is the maximum size in bytes of a value that a page in a browser gets from the build. The page itself
// computes larger values.
const mostShared = 1 << 20

// share sends the result of a call to the generator.
func (s *Session) share(call string, value []byte) {
	if len(value) <= mostShared {
		s.tell(frame{Shared: map[string][]byte{call: value}})
	}
}

// controlInfix separates the name of a page from the number of a control in the name of a picture.
const controlInfix = "-control-"

// Restart resets the variables of all controls to the values that they had at the beginning of the page.
func (s *Session) Restart() {
	for _, restart := range s.restarts {
		restart()
	}
}

func (s *Session) tell(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Cell = s.cell
	s.put(f)
}

// use makes the session the host of package show.
func (s *Session) use() { host.Page = s }

// run runs a page, and reports whether the page ran to the end. If the page panics, run sends the message and the line.
func (s *Session) run(page func(*Session)) (ok bool) {
	s.use()
	defer func() {
		failure := recover()
		if failure == nil {
			return
		}
		text, wrong := fmt.Sprint(failure), ""
		switch failure := failure.(type) {
		case host.Failure:
		case host.Refusal:
			text, wrong = failure.Message, failure.Parameter
		default:
			text = "panic: " + text
		}
		s.tell(frame{Failed: text, Wrong: wrong, Line: line()})
	}()
	page(s)
	return true
}

// bookFolder is the prefix of the names of page files in stack traces.
const bookFolder = "/book/"

// line returns the innermost line of a page on the stack, or 0.
func line() int {
	callers := make([]uintptr, 1000)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.File, bookFolder) {
			return f.Line
		}
		if !more {
			return 0
		}
	}
}

// newSession returns a session that writes frames to stdout, interleaved with the text that the page prints. A mark and
// the lengths of the frame's two parts precede each frame. After each frame, a mark is written to stderr, so that the
// generator knows which text on stderr came before the frame.
func newSession(name, mark string) *Session {
	stdout, stderr := os.Stdout, os.Stderr // a page may replace them
	return &Session{name: name, put: func(f frame) {
		data, err := json.Marshal(f)
		if err != nil {
			panic(err) // cannot fail for strings and numbers
		}
		head := fmt.Appendf(nil, "\x00%s %d %d\n", mark, len(data), len(f.block))
		_, _ = stdout.Write(slices.Concat(head, data, []byte(f.block)))
		_, _ = stderr.WriteString("\x00" + mark + "\n")
	}}
}
