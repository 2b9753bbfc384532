package jupyter

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// streamText returns the text of a stream's message as the bytes that the cell wrote. A kernel cuts the output of a
// cell anywhere, also in the middle of a character: such a text holds bytes that are not UTF-8, or half of a surrogate
// pair as an escape. encoding/json would replace both halves of the character by U+FFFD before they come together.
func streamText(literal json.RawMessage) ([]byte, error) {
	if len(literal) == 0 || literal[0] != '"' {
		return nil, errors.New("the kernel sent a message of type stream without a text")
	}
	return unquote(literal), nil
}

// unquote returns the bytes of a valid JSON string. Half of a surrogate pair becomes three bytes that are not UTF-8, by
// the rule for other code points (WTF-8).
func unquote(literal []byte) []byte {
	var out []byte
	for text := literal[1 : len(literal)-1]; len(text) > 0; {
		if text[0] != '\\' {
			out = append(out, text[0])
			text = text[1:]
			continue
		}
		if text[1] != 'u' {
			out = append(out, escapes[text[1]])
			text = text[2:]
			continue
		}
		unit, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
		out = appendUnit(out, uint16(unit))
		text = text[6:]
	}
	return []byte(joinSurrogates(string(out)))
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnit appends a unit of UTF-16 as UTF-8, surrogates too.
func appendUnit(out []byte, unit uint16) []byte {
	if unit < 0xD800 || unit > 0xDFFF {
		return utf8.AppendRune(out, rune(unit))
	}
	return append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6&0x3F), 0x80|byte(unit&0x3F))
}

// joinSurrogates makes characters out of pairs of surrogates.
func joinSurrogates(text string) string {
	if !strings.Contains(text, "\xED") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		if high, low := surrogate(text[i:]), surrogate(text[min(i+3, len(text)):]); 0xD800 <= high && high < 0xDC00 && 0xDC00 <= low {
			out.WriteRune((high-0xD800)<<10 | (low - 0xDC00) + 0x10000)
			i += 6
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

// surrogate returns the surrogate that a text begins with, 0 if it begins with something else.
func surrogate(text string) rune {
	if len(text) < 3 || text[0] != 0xED || text[1]&0xE0 != 0xA0 || text[2]&0xC0 != 0x80 {
		return 0
	}
	return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F)
}
