package press

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/site"
)

// ReadSource returns the text of a source file, normalized so that line numbers of faults apply to it.
func ReadSource(sources fs.FS, name string) (string, error) {
	if sources == nil {
		return "", fs.ErrNotExist
	}
	data, err := limitedread.ReadFS(sources, name, 64*limitedread.MiB)
	return strings.ReplaceAll(strings.TrimPrefix(string(data), "\uFEFF"), "\r\n", "\n"), err
}

// Point sets the column of a fault that has only a line number to the text that its message quotes.
func Point(fault *site.Error, sources fs.FS) {
	text, err := ReadSource(sources, fault.File)
	lines := strings.Split(text, "\n")
	if err == nil && fault.Column == 0 && fault.Cell == "" && 0 < fault.Line && fault.Line <= len(lines) {
		start, _ := Mark(lines[fault.Line-1], 0, fault.Msg)
		fault.Column = start + 1
	}
}

var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// Mark returns the part of a line to point at, in bytes. This is the column if it is known, or else the first text that
// the message quotes and the line contains, or else the whole line.
func Mark(line string, column int, message string) (start, length int) {
	if column > 0 && column <= len(line)+1 {
		return column - 1, 1
	}
	for _, quote := range quoted.FindAllString(message, -1) {
		for _, text := range []string{quote, unquoted(quote)} {
			if i := strings.Index(line, text); i >= 0 && strings.TrimSpace(text) != "" {
				return i, len(text)
			}
		}
	}
	trimmed := strings.TrimSpace(line)
	return len(line) - len(strings.TrimLeft(line, " \t")), len(trimmed)
}

func unquoted(quote string) string {
	text, err := strconv.Unquote(quote)
	if err != nil {
		return quote
	}
	return text
}
