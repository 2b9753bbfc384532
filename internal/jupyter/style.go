package jupyter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"

	"github.com/tailscale/hujson"
)

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
	s.ascii = isASCII(data) && hasEscapedLetter(data)
	return s
}

func isASCII(data []byte) bool {
	return bytes.IndexFunc(data, func(r rune) bool { return r > '~' && r != 0x7F }) < 0
}

// hasEscapedLetter says whether a character that need not be escaped is.
func hasEscapedLetter(data []byte) bool {
	for rest := data; ; {
		at := bytes.Index(rest, []byte(`\u`))
		if at < 0 || len(rest) < at+6 {
			return false
		}
		if digits := rest[at+2 : at+6]; !bytes.HasPrefix(digits, []byte("00")) || digits[2] >= '8' {
			return true
		}
		rest = rest[at+2:]
	}
}

// field is a member of an object that is to be written.
type field struct {
	name  string
	value any
}

// fields is an object that is to be written, in this order.
type fields []field

// value lays out a value that is to stand depth values deep: fields, []any, []string, string, int, nil, or JSON as
// json.RawMessage, which is laid out anew.
func (s style) value(v any, depth int) hujson.ValueTrimmed {
	switch v := v.(type) {
	case nil:
		return hujson.Literal("null")
	case string:
		return s.text(v)
	case int:
		return hujson.Int(int64(v))
	case []string:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = e
		}
		return s.value(list, depth)
	case []any:
		return s.array(v, depth)
	case fields:
		return s.object(v, depth)
	case json.RawMessage:
		return s.raw(v, depth)
	case hujson.ValueTrimmed:
		return s.again(v, depth)
	}
	panic(fmt.Sprintf("jupyter: no way to write a %T", v))
}

func (s style) array(list []any, depth int) *hujson.Array {
	array := &hujson.Array{}
	for i, e := range list {
		array.Elements = append(array.Elements, hujson.Value{BeforeExtra: s.gap(depth+1, i == 0), Value: s.value(e, depth+1)})
	}
	if len(list) > 0 {
		array.AfterExtra = s.gap(depth, true)
	}
	return array
}

func (s style) object(members fields, depth int) *hujson.Object {
	object := &hujson.Object{}
	for i, m := range members {
		object.Members = append(object.Members, hujson.ObjectMember{
			Name:  hujson.Value{BeforeExtra: s.gap(depth+1, i == 0), Value: s.text(m.name)},
			Value: hujson.Value{BeforeExtra: s.afterColon(), Value: s.value(m.value, depth+1)},
		})
	}
	if len(members) > 0 {
		object.AfterExtra = s.gap(depth, true)
	}
	return object
}

// raw lays out JSON that came from a kernel: valid, since encoding/json has read it.
func (s style) raw(data json.RawMessage, depth int) hujson.ValueTrimmed {
	value, err := hujson.Parse(bytes.ToValidUTF8(data, []byte("\uFFFD")))
	if err != nil {
		return hujson.Literal("null")
	}
	return s.again(value.Value, depth)
}

// again lays out a value anew. Numbers keep their digits.
func (s style) again(value hujson.ValueTrimmed, depth int) hujson.ValueTrimmed {
	switch value := value.(type) {
	case *hujson.Object:
		var members fields
		for _, m := range value.Members {
			members = append(members, field{text(m.Name.Value), m.Value.Value})
		}
		return s.object(members, depth)
	case *hujson.Array:
		var list []any
		for _, e := range value.Elements {
			list = append(list, e.Value)
		}
		return s.array(list, depth)
	case hujson.Literal:
		if value.Kind() == '"' {
			return s.text(value.String())
		}
		return value
	}
	return value
}

// gap returns the white space before a value or a closing bracket that stands depth values deep; first and last in their
// brackets are those that no comma precedes.
func (s style) gap(depth int, bracket bool) hujson.Extra {
	switch {
	case s.lines:
		return append([]byte(s.newline), bytes.Repeat([]byte(s.indent), depth)...)
	case s.space && !bracket:
		return hujson.Extra(" ")
	}
	return nil
}

func (s style) afterColon() hujson.Extra {
	if s.space || s.lines {
		return hujson.Extra(" ")
	}
	return nil
}

// text writes a string.
func (s style) text(v string) hujson.Literal {
	literal := hujson.String(v)
	if !s.ascii {
		return literal
	}
	var out []byte
	for _, r := range string(literal) {
		switch {
		case r < 0x80:
			out = append(out, byte(r))
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
