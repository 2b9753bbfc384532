// Package content is what pages are made of, as data: figures, tables, code, outputs, claims and prose.
//
// Chapters and notebooks build it, package site renders it. A block has a JSON form, in which the cell of a notebook
// hands it to the report, see [Marshal]. The package draws nothing, checks only its own shape, and imports the standard
// library alone, so that a cell of a notebook that uses it is linked in no time.
package content

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Block is a part of a page's body.
type Block interface{ isBlock() }

// Markdown is text in the report's dialect of Markdown; see package site. Where a string would be escaped, it is not.
type Markdown string

// Place is where something is written.
type Place struct {
	// File is a path from the root of the repository, or as the user has named it.
	File string `json:"file,omitempty"`
	// Cell names the cell of a notebook as messages do; empty outside of notebooks.
	Cell string `json:"cell,omitempty"`
	// Line counts from 1, in the cell if there is one; 0 where no line applies.
	Line int `json:"line,omitempty"`
}

// Prose is Markdown that stands for itself.
type Prose struct {
	Text  Markdown `json:"text"`
	Place Place    `json:"place,omitzero"` // of its first line
	// Inner says that its headings are no sections of the page, because it is a part of something.
	Inner bool `json:"inner,omitempty"`
	// Images are the names under which the text shows assets of the page, where these are not the assets' own.
	Images map[string]string `json:"images,omitempty"`
}

// Code is a listing. It has no JSON form.
type Code struct {
	Language string // as after the fence of a listing in Markdown; empty for none
	Text     string // blank for a cell that shows its number and its outputs alone
	Folded   bool   // shown on demand
	Summary  string // says what folded code does, plain text; empty if nobody has said it
	Place    Place
	// Number is shown before the listing, as a link to itself that is made of ID; 0 for none.
	Number int
	ID     string
}

// Output is text that a program has printed.
type Output struct {
	Kind  OutputKind `json:"kind"`
	Text  string     `json:"text"`            // as a terminal shows it, without escape sequences
	Label string     `json:"label,omitempty"` // names it for those who do not see where it stands, plain text
}

// OutputKind tells why a program has printed something.
type OutputKind string

// The kinds of output: to standard output, to standard error, the report of a failure, what is said about outputs in
// place of them, and text for readers, which is set like prose.
const (
	Printed    OutputKind = "printed"
	Diagnostic OutputKind = "diagnostic"
	Failure    OutputKind = "failure"
	Remark     OutputKind = "remark"
	Sentence   OutputKind = "sentence"
)

// Claim is a statement that a program has checked and found true.
type Claim struct {
	Text  string `json:"text"`            // plain text
	Cases int64  `json:"cases,omitempty"` // how many cases were tried; 0 for a claim that has no cases
	ID    string `json:"id,omitempty"`    // names it for references, "" for a claim without a number
}

// Fold is a part of the page that is shown on demand. It has no JSON form.
type Fold struct {
	Title string // opens it, plain text
	Body  []Block
}

func (Prose) isBlock()   {}
func (Code) isBlock()    {}
func (Output) isBlock()  {}
func (Claim) isBlock()   {}
func (Fold) isBlock()    {}
func (*Figure) isBlock() {}
func (*Table) isBlock()  {}

// Entries is a list of statements with what is to be said of each, which unfolds. Its caption comes from the page's
// text, {{ entries "id" "caption" }}.
type Entries struct {
	// ID names the list on its page, in the form of a Figure's. Its anchor is "entries-" + ID.
	ID      string
	Entries []Entry
}

// Entry is a statement. Its row has the title, the place and the verdict; its parts unfold.
type Entry struct {
	ID      string // its anchor, in the form of a Figure's ID
	Title   string // plain text, required
	Where   string // plain text
	Verdict Cell   // plain text with a mark
	Lead    Part   // stands in the row, below the title; without a name and a text there is none
	Parts   []Part // at least one
}

// Part is one of the things that are said of a statement: a sentence, a listing, or both.
type Part struct {
	Name string   // plain text, required
	Text Markdown // a sentence, without block markup
	Code Code     // stands below the sentence: a language and a text; not in a lead
}

// stop is what Do and Get panic with.
type stop struct{ error }

// Do ends a function that can do nothing about an error with the first one that there is; its caller has called it by
// [Stopped].
func Do(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(stop{err})
		}
	}
}

// Get returns a value, or ends as Do does.
func Get[T any](value T, err error) T {
	Do(err)
	return value
}

// Stopped returns what a function returns, or the error with which Do or Get has ended it.
func Stopped[T any](compute func() (T, error)) (value T, err error) {
	defer func() {
		switch end := recover().(type) {
		case nil:
		case stop:
			err = end.error
		default:
			panic(end)
		}
	}()
	return compute()
}

// Fault returns the error with which Do or Get has ended a function, nil if nothing has.
func Fault(of func()) error {
	_, err := Stopped(func() (any, error) { of(); return nil, nil })
	return err
}

// MediaType is that of a block's JSON form, in which a notebook's cell hands figures, tables and claims to the report.
const MediaType = "application/vnd.siegebook.block+json"

// MaxBytes bounds the JSON form of a block, in bytes. A map of half a million cells stays below.
const MaxBytes = 8 << 20

// formVersion counts up when what has been written would be misread.
const formVersion = 1

// kinds are the blocks by the names of their kinds.
var kinds = []struct {
	name string
	of   reflect.Type
}{
	{"claim", reflect.TypeFor[Claim]()},
	{"figure", reflect.TypeFor[*Figure]()},
	{"output", reflect.TypeFor[Output]()},
	{"prose", reflect.TypeFor[Prose]()},
	{"table", reflect.TypeFor[*Table]()},
}

// form is what a block's JSON form holds.
type form[B any] struct {
	Version int    `json:"siegebook"`
	Kind    string `json:"kind"`
	Block   B      `json:"block"`
}

// Marshal returns the JSON form of a block, the same bytes for the same block. Text that is not UTF-8 gets U+FFFD for
// what is not. It returns an error for a drawing that is no text, such as a PNG file, for a form of more than MaxBytes,
// and for a block that breaks a rule: Unmarshal reads all that Marshal writes.
func Marshal(b Block) ([]byte, error) {
	return Stopped(func() ([]byte, error) {
		var buf bytes.Buffer
		e := json.NewEncoder(&buf)
		e.SetEscapeHTML(false)
		for _, kind := range kinds {
			if kind.of == reflect.TypeOf(b) {
				within(validate(b), "a %s", kind.name)
				within(e.Encode(form[Block]{formVersion, kind.name, b}), "a %s", kind.name)
			}
		}
		need(buf.Len() > 0, "a block of the type %T has no JSON form", b)
		data := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
		bound(data)
		return data, nil
	})
}

// Unmarshal reads a block from its JSON form. It returns an error, a single line, for what Marshal would not write:
// unknown kinds, versions and fields, anything behind the form, more than MaxBytes, and blocks that break a rule.
// Nobody has looked into the drawings and the Markdown then: whoever shows them has to.
func Unmarshal(data []byte) (Block, error) {
	return Stopped(func() (Block, error) {
		bound(data)
		var in form[json.RawMessage]
		within(strictly(data, &in), "a block's JSON form")
		need(in.Version == formVersion, "a block's JSON form has the version %d: this program reads version %d",
			in.Version, formVersion)
		var names []string
		for _, kind := range kinds {
			if names = append(names, kind.name); kind.name == in.Kind {
				to := reflect.New(kind.of)
				within(strictly(in.Block, to.Interface()), "a %s in JSON", kind.name)
				b := to.Elem().Interface().(Block)
				within(validate(b), "a %s in JSON", kind.name)
				return b, nil
			}
		}
		return nil, fmt.Errorf("a block of the kind %.40q: the kinds are %s", in.Kind, strings.Join(names, ", "))
	})
}

func bound(data []byte) {
	need(len(data) <= MaxBytes, "a block's JSON form of %d bytes: it has %d at most", len(data), MaxBytes)
}

// strictly reads a JSON value that is not null, and nothing else.
func strictly(data []byte, to any) error {
	return Fault(func() {
		value := bytes.TrimSpace(data)
		need(len(value) > 0 && string(value) != "null", "there is nothing")
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(to); err != nil {
			Do(fmt.Errorf("%.300v", err)) // names what is wrong, which may be long
		}
		_, err := d.Token()
		need(err == io.EOF, "something stands behind its end") //nolint:errorlint // Token returns it as it is
	})
}

// validate looks at the shape of a block.
func validate(b Block) error {
	switch b := b.(type) {
	case *Figure:
		return Fault(b.check)
	case *Table:
		return Fault(b.check)
	case Output:
		return oneOf("output is", b.Kind, Printed, Diagnostic, Failure, Remark, Sentence)
	case Claim:
		return Fault(func() {
			need(strings.TrimSpace(b.Text) != "", "it has no text: say what holds")
			need(b.Cases >= 0, "it was tried on %d cases: there is no such number", b.Cases)
		})
	}
	return nil
}
