package lesson

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// The most of one text output that a page shows. The page says how much is left out; the notebook has all of it when it
// is run.
const (
	mostBytes = 64 << 10
	mostLines = 1000
)

// escapes are the sequences by which programs colour text and move a terminal's cursor: CSI, OSC (ended by BEL or ST,
// or by the end of the text), and the short ones.
var escapes = regexp.MustCompile(
	"\x1b(?:\\[[0-?]*[ -/]*[@-~]?|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]*[0-Z\\\\^-~]?)|\u009b[0-?]*[ -/]*[@-~]?",
)

// printed returns what a terminal would show in the end of the text that a program wrote, without colours.
func printed(text string) string {
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	for l := range strings.Lines(text) {
		body, ended := strings.CutSuffix(l, "\n")
		b.WriteString(overwritten(body))
		if ended {
			b.WriteByte('\n')
		}
	}
	return clean(b.String())
}

// overwritten carries out the carriage returns and backspaces of one line.
func overwritten(text string) string {
	if !strings.ContainsAny(text, "\r\b") {
		return text
	}
	var row []rune
	column := 0
	for _, r := range text {
		switch {
		case r == '\r':
			column = 0
		case r == '\b':
			column = max(column-1, 0)
		case column < len(row):
			row[column] = r
			column++
		default:
			row = append(row, r)
			column++
		}
	}
	return string(row)
}

// shorten cuts a long text at the end of a line and returns what to say about the rest, "" if there is none.
func shorten(text string) (shown, note string) {
	end, lines := 0, 0
	for l := range strings.Lines(text) {
		if lines == mostLines || end+len(l) > mostBytes {
			break
		}
		end += len(l)
		lines++
	}
	if end == len(text) {
		return text, ""
	}
	if lines == 0 { // one line that is too long
		end = mostBytes
		for end > 0 && text[end]&0xC0 == 0x80 {
			end--
		}
		return text[:end], leftOut(len(text)-end, "byte", "bytes")
	}
	rest := strings.Count(text[end:], "\n")
	if !strings.HasSuffix(text, "\n") {
		rest++
	}
	return text[:end], leftOut(rest, "line", "lines")
}

// leftOut says how much of an output is not shown.
func leftOut(n int, one, many string) string {
	return fmt.Sprintf(
		"The rest of the output, %s, is left out: run the notebook to see it.", content.Counted(n, one, many),
	)
}
