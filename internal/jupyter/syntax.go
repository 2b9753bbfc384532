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

// parseJSON parses JSON into a tree that preserves every byte. Errors give the line and the column.
//
// It calls encoding/json first. That package rejects comments, limits the nesting depth, so that hujson's recursion
// ends, and reports the position of an error.
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

// syntaxError returns an error with the position at which encoding/json found it.
func syntaxError(data []byte, err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at := int(syntax.Offset) - 1 // the offset of the wrong byte
		if at >= len(data)-1 && syntax.Error() == "unexpected end of JSON input" {
			return fmt.Errorf("%s: broken JSON: the text ends too early", position(data, len(data)))
		}
		return fmt.Errorf("%s: broken JSON: %w", position(data, at), err)
	case errors.As(err, &mismatch):
		return fmt.Errorf("%s: %w", position(data, int(mismatch.Offset)), err)
	}
	return err
}

// position returns an offset in text as a 1-based line and column, in characters.
func position(data []byte, at int) string {
	before := data[:max(0, min(at, len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// invalidUTF8 returns the offset of the first byte that is not valid UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\uFFFD")) {
			return i
		}
	}
	return -1
}

// index returns the index of the named member of an object, or -1 if there is none. If there are several, the last one
// counts, as in other JSON readers.
func index(object *hujson.Object, name string) int {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if text(object.Members[i].Name.Value) == name {
			return i
		}
	}
	return -1
}

// member returns a member's value, or nil if there is no such member.
func member(object *hujson.Object, name string) hujson.ValueTrimmed {
	if i := index(object, name); i >= 0 {
		return object.Members[i].Value.Value
	}
	return nil
}

// child returns a member that is an object. If there is none, it returns a new empty object that is not part of the
// tree.
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

// text returns the value of a string literal, or "" for any other value.
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

// remove removes all members with the given name from an object, with their lines, and reports whether there were any.
// The other bytes stay the same.
func remove(object *hujson.Object, name string) bool {
	if !hasMember(object, name) {
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

// set gives a member a new value in the file's style. If there is no such member, set appends it.
func (s style) set(object *hujson.Object, name string, value any, depth int) {
	if i := index(object, name); i >= 0 {
		object.Members[i].Value.Value = s.value(value, depth+1)
		return
	}
	s.insert(object, len(object.Members), name, value, depth)
}

// insert inserts a new member into an object at nesting depth depth.
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
	default: // copies the neighbour's white space, to match the file's own indentation
		added.Name.BeforeExtra = slices.Clone(object.Members[at-1].Name.BeforeExtra)
		if at == 1 && len(added.Name.BeforeExtra) == 0 {
			added.Name.BeforeExtra = s.gap(depth+1, false)
		}
	}
	object.Members = slices.Insert(object.Members, at, added)
}

// style is the JSON style of a file, so that inserted values look like the rest.
type style struct {
	lines   bool   // each member and element has its own line
	newline string // "\n" or "\r\n"
	indent  string
	space   bool // a space follows ':', and ',' within a line
	ascii   bool // characters beyond ASCII are escaped
}

// styleOf determines the style of a file from its bytes and its outermost object.
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

// escapedLetter matches an escape of a character that need not be escaped.
var escapedLetter = regexp.MustCompile(`\\u(?:[^0]|0[^0]|00[^0-7])`)

// value returns a value as JSON for the given nesting depth. The keys of maps are sorted, as nbformat's own writers
// sort them. JSON from a kernel may contain invalid UTF-8 and any escapes. Its numbers keep their digits.
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

// gap returns the white space before a value or a closing bracket at the given nesting depth. bracket is true directly
// after an opening bracket and before a closing bracket, where no comma precedes the gap.
func (s style) gap(depth int, bracket bool) hujson.Extra {
	switch {
	case s.lines:
		return append([]byte(s.newline), bytes.Repeat([]byte(s.indent), depth)...)
	case s.space && !bracket:
		return hujson.Extra(" ")
	}
	return nil
}

// escaped returns JSON in which all non-ASCII characters are escaped.
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
