package jupyter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// parseJSON reads JSON as a tree that holds every byte of it. Errors name line and column.
//
// encoding/json goes first: it admits no comments, bounds the depth, so that hujson's recursion ends, and knows where
// an error is.
func parseJSON(data []byte) (hujson.Value, error) {
	if at := invalidUTF8(data); at >= 0 {
		return hujson.Value{}, fmt.Errorf("%s: byte %#02x is not UTF-8: save the file as UTF-8", position(data, at),
			data[at])
	}
	if bytes.HasPrefix(data, []byte("\uFEFF")) {
		return hujson.Value{}, errors.New("line 1, column 1: the file starts with a byte order mark: " +
			"save it as UTF-8 without one")
	}
	var checked json.RawMessage
	if err := json.Unmarshal(data, &checked); err != nil {
		return hujson.Value{}, syntaxError(data, err)
	}
	return hujson.Parse(data)
}

// syntaxError says where encoding/json found an error.
func syntaxError(data []byte, err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at := int(syntax.Offset) - 1 // of the byte that is wrong
		if at >= len(data)-1 && syntax.Error() == "unexpected end of JSON input" {
			return fmt.Errorf("%s: broken JSON: the text ends in the middle", position(data, len(data)))
		}
		return fmt.Errorf("%s: broken JSON: %w", position(data, at), err)
	case errors.As(err, &mismatch):
		return fmt.Errorf("%s: %w", position(data, int(mismatch.Offset)), err)
	}
	return err
}

// position names a place in a text by line and column, in characters from 1.
func position(data []byte, at int) string {
	before := data[:max(0, min(at, len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\uFFFD")) {
			return i
		}
	}
	return -1
}

// index returns the place of a name among an object's members, -1 if it is not there. Of several the last counts, as
// for other readers of JSON.
func index(object *hujson.Object, name string) int {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if text(object.Members[i].Name.Value) == name {
			return i
		}
	}
	return -1
}

// member returns a member's value, nil if it is not there.
func member(object *hujson.Object, name string) hujson.ValueTrimmed {
	if i := index(object, name); i >= 0 {
		return object.Members[i].Value.Value
	}
	return nil
}

// child returns a member that is an object, an empty one outside of the tree if there is none.
func child(object *hujson.Object, name string) *hujson.Object {
	if found, ok := member(object, name).(*hujson.Object); ok {
		return found
	}
	return &hujson.Object{}
}

// elements returns the elements of a member that is an array.
func elements(object *hujson.Object, name string) []hujson.ArrayElement {
	if array, ok := member(object, name).(*hujson.Array); ok {
		return array.Elements
	}
	return nil
}

// text returns a string, "" for any other value.
func text(value hujson.ValueTrimmed) string {
	if literal, ok := value.(hujson.Literal); ok && literal.Kind() == '"' {
		return literal.String()
	}
	return ""
}

// pack returns the bytes of a value.
func pack(value hujson.ValueTrimmed) json.RawMessage {
	if value == nil {
		return nil
	}
	whole := hujson.Value{Value: value}
	return whole.Pack()
}

// remove takes all members of a name out of an object, and says whether there were any. The rest keeps its bytes,
// and the line of the removed member is removed.
func remove(object *hujson.Object, name string) bool {
	if !has(object, name) {
		return false
	}
	behindBracket := object.Members[0].Name.BeforeExtra
	object.Members = slices.DeleteFunc(object.Members, func(m hujson.ObjectMember) bool {
		return text(m.Name.Value) == name
	})
	if len(object.Members) > 0 {
		object.Members[0].Name.BeforeExtra = behindBracket
	} else {
		object.AfterExtra = nil
	}
	return true
}

// set gives a member a new value in the file's style, and appends the member if there is none.
func (s style) set(object *hujson.Object, name string, value any, depth int) {
	if i := index(object, name); i >= 0 {
		object.Members[i].Value.Value = s.value(value, depth+1)
		return
	}
	s.insert(object, len(object.Members), name, value, depth)
}

// insert puts a new member at a place of an object that is depth values deep.
func (s style) insert(object *hujson.Object, at int, name string, value any, depth int) {
	added := hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: s.gap(depth+1, at == 0), Value: s.value(name, 0)},
		Value: hujson.Value{Value: s.value(value, depth+1)},
	}
	if s.space || s.lines {
		added.Value.BeforeExtra = hujson.Extra(" ")
	}
	switch {
	case len(object.Members) == 0:
		object.AfterExtra = s.gap(depth, true)
	case at == 0:
		first := &object.Members[0].Name
		added.Name.BeforeExtra, first.BeforeExtra = first.BeforeExtra, s.gap(depth+1, false)
	default: // like its neighbour, so that the file's own indentation goes on
		added.Name.BeforeExtra = slices.Clone(object.Members[at-1].Name.BeforeExtra)
		if at == 1 && len(added.Name.BeforeExtra) == 0 {
			added.Name.BeforeExtra = s.gap(depth+1, false)
		}
	}
	object.Members = slices.Insert(object.Members, at, added)
}

// style is how a file writes JSON, so that what we put in looks like the rest.
type style struct {
	lines   bool   // a line for each member and element
	newline string // "\n" or "\r\n"
	indent  string
	space   bool // behind ':', and behind ',' in one line
	ascii   bool // characters beyond ASCII are escaped
}

// styleOf reads the style from a file's bytes and its outermost object.
func styleOf(data []byte, root *hujson.Object) style {
	s := style{newline: "\n"}
	if len(root.Members) > 0 {
		first := root.Members[0]
		gap := first.Name.BeforeExtra
		if at := bytes.LastIndexByte(gap, '\n'); at >= 0 {
			s.lines, s.indent = true, string(gap[at+1:])
			if bytes.HasPrefix(gap, []byte("\r")) {
				s.newline = "\r\n"
			}
		}
		s.space = len(first.Value.BeforeExtra) > 0
	}
	s.ascii = escapedLetter.Match(data) && bytes.IndexFunc(data, func(r rune) bool { return r > unicode.MaxASCII }) < 0
	return s
}

// escapedLetter matches the escape of a character that need not be escaped.
var escapedLetter = regexp.MustCompile(`\\u(?:[^0]|0[^0]|00[^0-7])`)

// value is a value as it is to stand depth values deep. The keys of maps are sorted, as nbformat's own writers do it.
// JSON from a kernel may hold bytes that are not UTF-8, and any escapes; its numbers keep their digits.
func (s style) value(v any, depth int) hujson.ValueTrimmed {
	parsed, _ := hujson.Parse(bytes.ToValidUTF8(encoded(v), []byte("\uFFFD")))
	for part := range parsed.All() {
		if literal, ok := part.Value.(hujson.Literal); ok && literal.Kind() == '"' {
			part.Value = hujson.String(literal.String())
		}
	}
	data := parsed.Pack()
	var out bytes.Buffer
	if s.lines || s.space {
		_ = json.Indent(&out, data, strings.Repeat(s.indent, depth), s.indent)
		data = out.Bytes()
	}
	switch {
	case s.lines:
		data = bytes.ReplaceAll(data, []byte("\n"), []byte(s.newline))
	case s.space:
		data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte(",\n"), []byte(", ")), []byte("\n"), nil)
	}
	if s.ascii {
		data = escaped(data)
	}
	parsed, _ = hujson.Parse(data)
	return parsed.Value
}

// gap returns the white space before a value or a closing bracket that stands depth values deep; first and last in
// their brackets are those that no comma precedes.
func (s style) gap(depth int, bracket bool) hujson.Extra {
	switch {
	case s.lines:
		return append([]byte(s.newline), bytes.Repeat([]byte(s.indent), depth)...)
	case s.space && !bracket:
		return hujson.Extra(" ")
	}
	return nil
}

// escaped is JSON without characters beyond ASCII.
func escaped(data []byte) (out []byte) {
	for _, r := range string(data) {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}
