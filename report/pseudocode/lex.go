package pseudocode

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a line: a name, a number, a text in quotes or a sign.
type token struct {
	kind  kind
	text  string
	glued bool // no space before it
}

type kind uint8

const (
	end kind = iota // of the line
	name
	digits
	quoted
	sign
)

// line is a line of a listing that is not empty.
type line struct {
	number int // from 1, through all listings
	depth  int // of its indentation
	tokens []token
}

// indent is the width of one step of indentation.
const indent = 4

// signs are those of one character.
const signs = "(){}[],:←+−·/²√=≠<≤>≥⌈⌉⌊⌋"

// read takes a listing apart into lines.
func read(text string, first int) ([]line, error) {
	var lines []line
	for i, raw := range strings.Split(text, "\n") {
		code := strings.TrimLeft(raw, " ")
		l := line{number: first + i, depth: (len(raw) - len(code)) / indent}
		var err error
		if l.tokens, err = words(code, l.number); err != nil {
			return nil, err
		}
		if len(l.tokens) == 0 {
			continue
		}
		if (len(raw)-len(code))%indent != 0 {
			return nil, fault(l.number, "%q is indented by %d: use steps of %d spaces", code, len(raw)-len(code), indent)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// words takes a line apart, without its comment.
func words(code string, number int) ([]token, error) {
	var tokens []token
	for glued := true; code != ""; {
		r, size := utf8.DecodeRuneInString(code)
		if r == '#' {
			break
		}
		if r == ' ' {
			code, glued = code[1:], false
			continue
		}
		t := token{glued: glued}
		switch {
		case unicode.IsLetter(r):
			t.kind, size = name, lengthOf(code, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '′' })
		case unicode.IsDigit(r):
			t.kind, size = digits, lengthOf(code, unicode.IsDigit)
		case r == '∞':
			t.kind = name
		case r == '"':
			length := strings.IndexByte(code[1:], '"')
			if length < 0 {
				return nil, fault(number, "a text has no end: close the quotes")
			}
			t.kind, size = quoted, length+2
		case strings.ContainsRune(signs, r):
			t.kind = sign
		default:
			return nil, fault(number, "%q is no sign of the notation", r)
		}
		t.text = strings.Trim(code[:size], `"`)
		tokens = append(tokens, t)
		code, glued = code[size:], true
	}
	return tokens, nil
}

// lengthOf is the length of the characters at the start that belong to a class.
func lengthOf(text string, class func(rune) bool) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !class(r) }); i >= 0 {
		return i
	}
	return len(text)
}
