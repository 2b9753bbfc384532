package command

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How long a line may be, in bytes: of a longer one its head and its tail are kept.
const (
	lineHead = 3000
	lineTail = 1000
	lineGap  = " … "
)

// Line makes a text one line that can go to a terminal. Messages quote what others have written: arguments, names of
// files, what a cell printed before it failed. So whatever a terminal would not show but obey stands as an escape, such
// as \x1b or \u202e, and so do bytes that are not UTF-8; white space of all kinds becomes blanks, and colours are left
// out. Of a line of more than 4000 bytes the head and the tail are kept, with … between them. Line
// leaves its own result as it is.
func Line(text string) string {
	const enough = 10 * (lineHead + lineTail) // so that a text of any length costs no more than that
	text = strings.TrimRight(text, "\r\n")
	if len(text) > 2*enough {
		text = text[:enough] + text[len(text)-enough:]
	}
	line := clean(text)
	if len(line) <= lineHead+len(lineGap)+lineTail {
		return line
	}
	head, tail := lineHead, len(line)-lineTail
	for !utf8.RuneStart(line[head]) {
		head--
	}
	for !utf8.RuneStart(line[tail]) {
		tail++
	}
	return line[:head] + lineGap + line[tail:]
}

// colour is the sequence that sets the colour of a terminal.
var colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

func clean(text string) string {
	text = strings.ReplaceAll(colour.ReplaceAllString(text, ""), "\r\n", "\n")
	var line strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&line, `\x%02x`, text[0])
		case unicode.IsSpace(r):
			line.WriteByte(' ')
		case strconv.IsPrint(r):
			line.WriteString(text[:size])
		default:
			escaped := strconv.QuoteRuneToASCII(r)
			line.WriteString(escaped[1 : len(escaped)-1])
		}
		text = text[size:]
	}
	return line.String()
}
