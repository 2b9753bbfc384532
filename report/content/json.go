package content

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

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
	for _, kind := range kinds {
		if kind.of != reflect.TypeOf(b) {
			continue
		}
		if err := validate(b); err != nil {
			return nil, fmt.Errorf("a %s: %w", kind.name, err)
		}
		var buf bytes.Buffer
		e := json.NewEncoder(&buf)
		e.SetEscapeHTML(false)
		if err := e.Encode(form[Block]{formVersion, kind.name, b}); err != nil {
			return nil, fmt.Errorf("a %s: %w", kind.name, err)
		}
		data := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
		if err := bounded(data); err != nil {
			return nil, err
		}
		return data, nil
	}
	return nil, fmt.Errorf("a block of the type %T has no JSON form", b)
}

// Unmarshal reads a block from its JSON form. It returns an error, a single line, for what Marshal would not write:
// unknown kinds, versions and fields, anything behind the form, more than MaxBytes, and blocks that break a rule.
// Nobody has looked into the drawings and the Markdown then: whoever shows them has to.
func Unmarshal(data []byte) (Block, error) {
	if err := bounded(data); err != nil {
		return nil, err
	}
	var in form[json.RawMessage]
	if err := strictly(data, &in); err != nil {
		return nil, fmt.Errorf("a block's JSON form: %w", err)
	}
	if in.Version != formVersion {
		return nil, fmt.Errorf("a block's JSON form has the version %d: this program reads version %d", in.Version,
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
	return nil, fmt.Errorf("a block of the kind %.40q: the kinds are %s", in.Kind, strings.Join(names, ", "))
}

func bounded(data []byte) error {
	if len(data) > MaxBytes {
		return fmt.Errorf("a block's JSON form of %d bytes: it has %d at most", len(data), MaxBytes)
	}
	return nil
}

// strictly reads a JSON value that is not null, and nothing else.
func strictly(data []byte, to any) error {
	if value := bytes.TrimSpace(data); len(value) == 0 || string(value) == "null" {
		return errors.New("there is nothing")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("%.300v", err) // names what is wrong, which may be long
	}
	if _, err := d.Token(); err != io.EOF { //nolint:errorlint // Token returns it as it is
		return errors.New("something stands behind its end")
	}
	return nil
}

// validate looks at the shape of a block.
func validate(b Block) error {
	switch b := b.(type) {
	case *Figure:
		return b.shape()
	case *Table:
		return b.shape()
	case Output:
		return oneOf("output is", b.Kind, Printed, Diagnostic, Failure, Remark, Sentence)
	case Claim:
		switch {
		case strings.TrimSpace(b.Text) == "":
			return errors.New("it has no text: say what holds")
		case b.Cases < 0:
			return fmt.Errorf("it was tried on %d cases: there is no such number", b.Cases)
		}
	}
	return nil
}
