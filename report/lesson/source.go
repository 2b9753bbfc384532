package lesson

import (
	"errors"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/site"
)

// origin is where a line of a page comes from.
type origin struct {
	cell string // as messages name it; "" for lines that no cell has
	line int    // from 1; 0 for lines that stand for a whole cell
}

// line is one line of prose on its way to the page.
type line struct {
	text string
	from int // its line in the cell, from 1
}

// source collects the text of a page and remembers where each line comes from.
type source struct {
	text    strings.Builder
	origins []origin
}

// call writes a line as it is: a template call.
func (s *source) call(text string, at origin) {
	s.text.WriteString(text + "\n")
	s.origins = append(s.origins, at)
}

// write writes a line in which nothing is a template call.
func (s *source) write(text string, at origin) {
	s.call(strings.ReplaceAll(text, "{{", `{{"{{"}}`), at)
}

// gap ends a block.
func (s *source) gap() {
	if len(s.origins) > 0 {
		s.call("", origin{})
	}
}

// wall keeps two blocks apart that Markdown would join, such as two lists.
func (s *source) wall() {
	s.gap()
	s.call("<!-- -->", origin{})
	s.gap()
}

// clean returns text as a page's source can hold it: lines end in "\n", and characters that are no text, or that package
// site keeps for itself, become U+FFFD.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case r < ' ', r == 0x7f, r >= 0xE000 && r <= 0xE003, r == 0xFFFE, r == 0xFFFF:
			return '\uFFFD'
		}
		return r
	}, text)
}

// Locate returns an error of package site with the places in lessons told as file, cell and line of the cell, instead of
// lines of a page that nobody has written. Other errors, and faults of other pages, stay as they are.
func Locate(lessons []Lesson, err error) error {
	var faults site.Errors
	if !errors.As(err, &faults) {
		return err
	}
	located := make(site.Errors, len(faults))
	for i, fault := range faults {
		located[i] = fault
		for _, l := range lessons {
			if l.Page.File == fault.File {
				located[i] = l.locate(fault)
			}
		}
	}
	return located
}

func (l Lesson) locate(fault *site.Error) *site.Error {
	if fault.Line < 1 || fault.Line > len(l.origins) {
		return fault
	}
	at := l.origins[fault.Line-1]
	switch {
	case at.cell == "":
		return &site.Error{File: fault.File, Msg: fault.Msg}
	case at.line == 0:
		return &site.Error{File: fault.File, Msg: at.cell + ": " + fault.Msg}
	}
	return &site.Error{File: fault.File, Msg: fmt.Sprintf("%s, line %d: %s", at.cell, at.line, fault.Msg)}
}
