package jupyter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"unicode"
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
	s.ascii = escapedLetter.Match(data) && bytes.IndexFunc(data, func(r rune) bool { return r > unicode.MaxASCII }) < 0
	return s
}

// escapedLetter matches the escape of a character that need not be escaped.
var escapedLetter = regexp.MustCompile(`\\u(?:[^0]|0[^0]|00[^0-7])`)

// value lays out what encoding/json makes of a value, as it is to stand depth values deep. The keys of maps are sorted,
// as nbformat's own writers do it. JSON from a kernel may hold bytes that are not UTF-8; its numbers keep their digits.
func (s style) value(v any, depth int) hujson.ValueTrimmed {
	data, err := json.Marshal(v)
	if err != nil {
		return hujson.Literal("null")
	}
	parsed, err := hujson.Parse(bytes.ToValidUTF8(data, []byte("\uFFFD")))
	if err != nil {
		return hujson.Literal("null")
	}
	return s.layOut(parsed.Value, depth)
}

func (s style) layOut(value hujson.ValueTrimmed, depth int) hujson.ValueTrimmed {
	switch value := value.(type) {
	case *hujson.Object:
		for i, m := range value.Members {
			value.Members[i].Name = hujson.Value{BeforeExtra: s.gap(depth+1, i == 0), Value: s.text(text(m.Name.Value))}
			value.Members[i].Value = hujson.Value{BeforeExtra: s.afterColon(), Value: s.layOut(m.Value.Value, depth+1)}
		}
		if len(value.Members) > 0 {
			value.AfterExtra = s.gap(depth, true)
		}
	case *hujson.Array:
		for i, e := range value.Elements {
			value.Elements[i] = hujson.Value{BeforeExtra: s.gap(depth+1, i == 0), Value: s.layOut(e.Value, depth+1)}
		}
		if len(value.Elements) > 0 {
			value.AfterExtra = s.gap(depth, true)
		}
	case hujson.Literal:
		if value.Kind() == '"' {
			return s.text(value.String())
		}
	}
	return value
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
