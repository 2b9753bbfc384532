package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"strings"
)

// jsonObject writes one JSON object, its members in the order in which they come and never all in memory: a trace may
// have a billion elements. Each member, and each element of a list, has a line of its own.
//
// The first error sticks and is returned by close.
type jsonObject struct {
	out     *bufio.Writer
	members int
	err     error
}

func newJSONObject(w io.Writer) *jsonObject {
	o := &jsonObject{out: bufio.NewWriter(w)}
	o.text("{")
	return o
}

func (o *jsonObject) text(text string) {
	if o.err == nil {
		_, o.err = o.out.WriteString(text)
	}
}

// name starts the next member.
func (o *jsonObject) name(name string) {
	if o.members > 0 {
		o.text(",")
	}
	o.members++
	o.text("\n  ")
	o.value(name)
	o.text(": ")
}

// streamed is a value that writes itself, because it may be too long to be held in memory.
type streamed interface{ writeTo(o *jsonObject) }

// value writes one value on the current line.
func (o *jsonObject) value(value any) {
	if s, ok := value.(streamed); ok {
		s.writeTo(o)
		return
	}
	o.text(o.encoded(value))
}

// open writes a struct without the brace at its end, shut one without that at its start, so that members can come between.
func (o *jsonObject) open(value any) { o.text(strings.TrimSuffix(o.encoded(value), "}")) }
func (o *jsonObject) shut(value any) { o.text(strings.TrimPrefix(o.encoded(value), "{")) }

// encoded returns the text of a value.
func (o *jsonObject) encoded(value any) string {
	if o.err != nil {
		return ""
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // notes are for people, and -> is an arrow
	o.err = encoder.Encode(value)
	return strings.TrimSuffix(line.String(), "\n")
}

func (o *jsonObject) member(name string, value any) {
	o.name(name)
	o.value(value)
}

// list writes a member that is an array.
func (o *jsonObject) list(name string, elements iter.Seq[any]) {
	o.name(name)
	o.text("[")
	none := true
	for element := range elements {
		if !none {
			o.text(",")
		}
		none = false
		o.text("\n    ")
		o.value(element)
		if o.err != nil {
			return
		}
	}
	if !none {
		o.text("\n  ")
	}
	o.text("]")
}

// notes writes the lines for people, an empty array if there are none.
func (o *jsonObject) notes(notes []string) {
	o.list("notes", func(yield func(any) bool) {
		for _, note := range notes {
			if !yield(note) {
				return
			}
		}
	})
}

func (o *jsonObject) close() error {
	o.text("\n}\n")
	if o.err != nil {
		return o.err
	}
	return o.out.Flush()
}

// orNull returns the number of waves, or null for 0: that side cannot win.
func orNull(waves int64) any {
	if waves == 0 {
		return nil
	}
	return waves
}
