package lesson

import "strings"

// clean returns text as a page can hold it: lines end in "\n", and characters that are no text, or that package site
// keeps for itself, become U+FFFD.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case r < ' ', r == 0x7f, r >= 0xE000 && r <= 0xE003, r == 0xFFFE, r == 0xFFFF:
			return '\uFFFD'
		}
		return r
	}, text)
}
