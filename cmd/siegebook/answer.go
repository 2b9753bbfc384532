package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/siegebook/siegebook/internal/canceled"
)

// answer is the result of a command, for people and for programs.
type answer interface {
	text(out *bufio.Writer) // out keeps the first error; show returns it
	json(o *jsonObject)
}

// show prints an answer. The error comes from the output or from the context.
func show(ctx context.Context, s streams, asJSON bool, a answer) error {
	if asJSON {
		o := newJSONObject(ctx, s.Out)
		a.json(o)
		return o.close()
	}
	out := bufio.NewWriter(s.Out)
	a.text(out)
	return errors.Join(out.Flush(), canceled.Cause(ctx))
}

// newTable returns a writer of right-aligned cells that end with a tab. The caller flushes it at the end.
func newTable(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
}

// sentences prints each note as a sentence on a separate line.
func sentences(out io.Writer, notes []string) {
	for _, note := range notes {
		fmt.Fprintln(out, strings.ToUpper(note[:1])+note[1:]+".")
	}
}

// jsonObject writes one JSON object. It writes each member immediately, because a trace may have a billion elements,
// which must not be held in memory. Each member, and each element of a list, is on its own line.
//
// close returns the first error, including the context's.
type jsonObject struct {
	ctx     context.Context // a long list stops when the context is done
	out     *bufio.Writer
	line    bytes.Buffer
	encoder *json.Encoder // encodes values into line
	members int
	err     error
}

func newJSONObject(ctx context.Context, w io.Writer) *jsonObject {
	o := &jsonObject{ctx: ctx, out: bufio.NewWriter(w)}
	o.encoder = json.NewEncoder(&o.line)
	o.encoder.SetEscapeHTML(false) // people read the notes, and -> is an arrow in them
	o.text("{")
	return o
}

// stopped reports whether an error has occurred. It checks the context only once in many calls, which the caller
// counts.
func (o *jsonObject) stopped(calls int64) bool {
	if calls%1024 == 0 && o.err == nil && o.ctx.Err() != nil {
		o.err = canceled.Cause(o.ctx)
	}
	return o.err != nil
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

// streamed is a value that writes itself, because it may be too long to hold in memory.
type streamed interface{ writeTo(o *jsonObject) }

// value writes one value on the current line.
func (o *jsonObject) value(value any) {
	if s, ok := value.(streamed); ok {
		s.writeTo(o)
		return
	}
	if o.err != nil {
		return
	}
	o.line.Reset()
	o.err = o.encoder.Encode(value)
	o.text(strings.TrimSuffix(o.line.String(), "\n"))
}

func (o *jsonObject) member(name string, value any) {
	o.name(name)
	o.value(value)
}

// list writes a member that is an array.
func (o *jsonObject) list(name string, elements iter.Seq[any]) {
	o.name(name)
	o.text("[")
	listed := int64(0)
	for element := range elements {
		if o.stopped(listed) {
			return
		}
		if listed > 0 {
			o.text(",")
		}
		listed++
		o.text("\n    ")
		o.value(element)
	}
	if o.stopped(0) {
		return // the list is unfinished and must not look complete
	}
	if listed > 0 {
		o.text("\n  ")
	}
	o.text("]")
}

// echo writes the members of a value's own JSON object: for a command, the fields on which the result depends, or else
// a result of the library.
func (o *jsonObject) echo(c any) {
	decoder := json.NewDecoder(strings.NewReader(inJSON(c)))
	_, _ = decoder.Token() // skips the opening brace
	for decoder.More() {
		name, _ := decoder.Token()
		var value json.RawMessage
		var list []json.RawMessage
		_ = decoder.Decode(&value)
		if json.Unmarshal(value, &list) == nil && list != nil {
			o.list(name.(string), elements(slices.Values(list), func(element json.RawMessage) any { return element }))
			continue
		}
		o.member(name.(string), value)
	}
}

// trace writes a list with the start and each round or wave, up to the limit, and returns its length. Because of the
// start, a complete trace has one element more than there are rounds or waves.
func (o *jsonObject) trace(limit int64, states iter.Seq[any]) (listed int64) {
	o.list("trace", func(yield func(any) bool) {
		for state := range states {
			if listed == limit || !yield(state) {
				return
			}
			listed++
		}
	})
	return listed
}

// elements converts the elements of a list.
func elements[T any](list iter.Seq[T], convert func(T) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for element := range list {
			if !yield(convert(element)) {
				return
			}
		}
	}
}

// notes writes the notes for people, or an empty array if there are none.
func (o *jsonObject) notes(notes []string) {
	o.list("notes", elements(slices.Values(notes), func(note string) any { return note }))
}

// cell is a cell of any map or board. Rows and columns are numbered from 0.
type cell struct {
	Row int `json:"row"`
	Col int `json:"col"`
}

// ordered is an object whose members keep their order, unlike in a map.
type ordered []member

type member struct {
	name  string
	value any
}

func (members ordered) writeTo(o *jsonObject) {
	o.text("{")
	for i, m := range members {
		if i > 0 {
			o.text(",")
		}
		o.value(m.name)
		o.text(":")
		o.value(m.value)
	}
	o.text("}")
}

func (o *jsonObject) close() error {
	if o.stopped(0) {
		return o.err
	}
	o.text("\n}\n")
	if o.err != nil {
		return o.err
	}
	return o.out.Flush()
}

// orNull returns the number of waves, or null for 0, which means that the side cannot win.
func orNull(waves int64) any {
	if waves == 0 {
		return nil
	}
	return waves
}
