// Package content represents the parts of a page as data: figures, tables, code, outputs, claims and prose.
//
// Chapters and notebooks build these parts, and package site renders them. A notebook cell passes a block to the report
// in its JSON form, see [Marshal]. The package draws nothing, and it checks only the shape of its own types. It imports
// little beyond the standard library, so notebook cells that use it link quickly.
package content

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Version is the version of siegebook.
const Version = "0.1.0"

// Block is a part of a page's body. In a body, figures and tables are pointers.
type Block interface{ isBlock() }

// Markdown is text in the report's dialect of Markdown; see package site. It is not escaped, unlike a string.
type Markdown string

// Place is a position in a source file.
type Place struct {
	// File is a path from the root of the repository, or as the user has written it.
	File string `json:"file,omitempty"`
	// Cell names the cell of a notebook in messages; it is empty for other files.
	Cell string `json:"cell,omitempty"`
	// Line is numbered from 1, from the beginning of the cell if there is a cell; 0 means that no line applies.
	Line int `json:"line,omitempty"`
}

// Prose is a block of Markdown.
type Prose struct {
	Text  Markdown `json:"text"`
	Place Place    `json:"place,omitzero"` // the place of its first line
	// Inner means that its headings are not sections of the page, because the prose is part of something else.
	Inner bool `json:"inner,omitempty"`
	// Images maps names in the text to names of the page's assets, where these differ.
	Images map[string]string `json:"images,omitempty"`
}

// Code is a listing. It has no JSON form.
type Code struct {
	Language string `json:"language,omitempty"` // as after the fence of a listing in Markdown; empty for none
	Text     string `json:"text"`               // blank for a cell that shows only its number and its outputs
	Folded   bool   `json:"-"`                  // shown on demand
	Summary  string `json:"-"`                  // plain text that describes folded code; may be empty
	Place    Place  `json:"-"`
	// Number is shown before the listing, as a link to the listing. The link's anchor is made from ID. 0 means no
	// number.
	Number int    `json:"-"`
	ID     string `json:"-"`
}

// Output is text that a program has printed.
type Output struct {
	Kind  OutputKind `json:"kind"`
	Text  string     `json:"text"`            // as a terminal shows it, without escape sequences
	Label string     `json:"label,omitempty"` // plain text; names the output for readers who do not see the page
}

// OutputKind is the reason why a program has printed something.
type OutputKind string

// These are the kinds of output: standard output, standard error, the report of a failure, a remark in place of
// outputs, and text that is shown like prose.
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
	ID    string `json:"id,omitempty"`    // names the claim for references; "" for a claim without a number
}

// Fold is a part of the page that is shown on demand. It has no JSON form.
type Fold struct {
	Title string // plain text
	Body  []Block
}

// File offers data for download: a link in the page's text to the file's name leads to the data. Its JSON form is
// compressed.
type File struct {
	Name string
	Data []byte
}

func (File) isBlock()    {}
func (Prose) isBlock()   {}
func (Code) isBlock()    {}
func (Output) isBlock()  {}
func (Claim) isBlock()   {}
func (Fold) isBlock()    {}
func (Figure) isBlock()  {}
func (Table) isBlock()   {}
func (Entries) isBlock() {}

// Entries is a list of statements with details that unfold. Its caption comes from the page's text, {{ entries "id"
// "caption" }}.
type Entries struct {
	// ID names the list on its page, and has the form of a Figure's ID. Its anchor is "entries-" + ID.
	ID string `json:"id"`
	// Title is the caption of a list whose position the page's text does not specify. Plain text.
	Title   string  `json:"title,omitempty"`
	Entries []Entry `json:"entries,omitempty"`
}

// Entry is a statement. Its row shows the title, the place and the verdict; its parts unfold.
type Entry struct {
	ID      string  `json:"id"`              // its anchor; has the form of a Figure's ID
	Title   string  `json:"title"`           // plain text, required
	Where   string  `json:"where,omitempty"` // plain text
	Verdict Cell    `json:"verdict"`         // plain text with a mark
	Lead    Point   `json:"lead,omitzero"`   // shown in the row, below the title; absent if name and text are empty
	Parts   []Point `json:"parts"`           // at least one
}

// Point is one detail of a statement: a sentence, a listing, or both.
type Point struct {
	Name string   `json:"name"`           // plain text, required
	Text Markdown `json:"text,omitempty"` // a sentence, without block markup
	Code Code     `json:"code,omitzero"`  // shown below the sentence: a language and a text; not in a lead
}

// check checks the shape of a list.
func (l *Entries) check() error {
	var r rules
	r.need(ValidID(l.ID), "the id is %q: %w", l.ID, errBadID)
	for i, e := range l.Entries {
		r.need(ValidID(e.ID), "entry %d has the id %q: %w", i+1, e.ID, errBadID)
		r.need(e.Title != "" && len(e.Parts) > 0, "entry %q has no title, or no content to unfold", e.ID)
		for _, p := range e.Parts {
			r.need(p.Name != "", "entry %q has a part without a name", e.ID)
		}
		r.recordIn(e.Verdict.validate(), "the verdict of entry %q", e.ID)
	}
	return r.broken
}

// MediaType is the media type of a block's JSON form, in which a notebook's cell passes figures, tables and claims to
// the report.
const MediaType = "application/vnd.siegebook.block+json"

// MaxBytes bounds the JSON form of a block, in bytes. A map of half a million cells takes fewer bytes.
const MaxBytes = 8 << 20

// formVersion increases when programs would misread the forms that an earlier version wrote.
const formVersion = 1

// kinds lists the blocks that have a JSON form, by the names of their kinds.
var kinds = []kind{
	{"claim", reflect.TypeFor[Claim]()},
	{"entries", reflect.TypeFor[*Entries]()},
	{"figure", reflect.TypeFor[*Figure]()},
	{"file", reflect.TypeFor[File]()},
	{"output", reflect.TypeFor[Output]()},
	{"prose", reflect.TypeFor[Prose]()},
	{"statements", reflect.TypeFor[Statements]()},
	{"table", reflect.TypeFor[*Table]()},
}

type kind struct {
	name string
	of   reflect.Type
}

// form is a block's JSON form.
type form[B any] struct {
	Version int    `json:"siegebook"`
	Kind    string `json:"kind"`
	Block   B      `json:"block"`
}

// Marshal returns the JSON form of a block. The same block gives the same bytes. Bytes that are not UTF-8 become
// U+FFFD. It returns an error for a drawing that is not text, such as a PNG file, for a form of more than MaxBytes, and
// for a block that breaks a rule: Unmarshal reads everything that Marshal writes.
func Marshal(b Block) ([]byte, error) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.of == reflect.TypeOf(b) })
	if i < 0 {
		return nil, fmt.Errorf("a block of the type %T has no JSON form", b)
	}
	if err := validate(b); err != nil {
		return nil, fmt.Errorf("a %s: %w", kinds[i].name, err)
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(form[Block]{formVersion, kinds[i].name, b}); err != nil {
		return nil, fmt.Errorf("a %s: %w", kinds[i].name, err)
	}
	data := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	if err := bound(data); err != nil {
		return nil, err
	}
	return data, nil
}

// Unmarshal reads a block from its JSON form. It returns a one-line error for anything that Marshal would not write:
// unknown kinds, versions and fields, anything after the form, more than MaxBytes, and blocks that break a rule. It
// does not check drawings and Markdown: the caller has to check them before showing them.
func Unmarshal(data []byte) (Block, error) {
	if err := bound(data); err != nil {
		return nil, err
	}
	var in form[json.RawMessage]
	if err := strictly(data, &in); err != nil {
		return nil, fmt.Errorf("a block's JSON form: %w", err)
	}
	if in.Version != formVersion {
		return nil, fmt.Errorf("a block's JSON form has the version %d: this program reads only version %d", in.Version,
			formVersion)
	}
	var names []string
	for _, kind := range kinds {
		if names = append(names, kind.name); kind.name != in.Kind {
			continue
		}
		to := reflect.New(kind.of)
		if err := strictly(in.Block, to.Interface()); err != nil {
			return nil, fmt.Errorf("a %s in JSON: %w", kind.name, err)
		}
		b := to.Elem().Interface().(Block)
		if err := validate(b); err != nil {
			return nil, fmt.Errorf("a %s in JSON: %w", kind.name, err)
		}
		return b, nil
	}
	return nil, fmt.Errorf("a block of the kind %.40q: the known kinds are %s", in.Kind, strings.Join(names, ", "))
}

func bound(data []byte) error {
	if len(data) > MaxBytes {
		return fmt.Errorf("a block's JSON form has %d bytes: at most %d are allowed", len(data), MaxBytes)
	}
	return nil
}

// strictly reads a JSON value that is not null, and nothing else.
func strictly(data []byte, to any) error {
	if value := bytes.TrimSpace(data); len(value) == 0 || string(value) == "null" {
		return errors.New("the value is empty or null")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("%.300v", err) // the message may be long
	}
	if _, err := d.Token(); err != io.EOF { //nolint:errorlint // Token returns it as it is
		return errors.New("there is text after the end")
	}
	return nil
}

// validate checks the shape of a block.
func validate(b Block) error {
	switch b := b.(type) {
	case *Figure:
		return b.check()
	case *Table:
		return b.check()
	case *Entries:
		return b.check()
	case Statements:
		return b.check()
	case Output:
		return oneOf("the kind of an output must be", b.Kind, Printed, Diagnostic, Failure, Remark, Sentence)
	case File:
		if b.Name == "" || strings.ContainsAny(b.Name, `/\`) {
			return fmt.Errorf("the file name is %q: use a name without folders", b.Name)
		}
	case Claim:
		var r rules
		r.need(strings.TrimSpace(b.Text) != "", "the claim has no text: write what is true")
		r.need(b.Cases >= 0, "the number of cases is %d: use 0 or more", b.Cases)
		return r.broken
	}
	return nil
}
