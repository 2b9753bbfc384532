package program

import (
	"go/format"
	"go/token"
	"strings"

	"github.com/siegebook/siegebook/internal/gosource"
)

// Format formats the code of a cell as gofmt does. It formats declarations and statements separately, because a Go file
// cannot mix them. If the code is not valid Go or contains commands, Format returns it unchanged.
func Format(code string) string {
	text, main, err := body(code)
	if err != nil {
		return code
	}
	parts := []string{text[:main]}
	if main < len(text) {
		line, below, _ := strings.Cut(code[main:], "\n")
		parts = append(parts, line, text[len(text)-len(below):])
	}
	var out strings.Builder
	blank := false // whether an empty line precedes the next piece
	for number, part := range parts {
		pieces := []string{part}
		if number != 1 {
			if pieces, err = runs(part); err != nil {
				return code
			}
		}
		for _, piece := range pieces {
			text := strings.TrimSpace(piece)
			before, after, _ := strings.Cut(piece, text)
			blank = blank || strings.Contains(before, "\n")
			if text == "" {
				continue
			}
			if number != 1 {
				formatted, err := format.Source([]byte(text))
				if err != nil {
					return code
				}
				text = string(formatted)
			}
			if out.Len() > 0 {
				out.WriteString("\n")
				if blank {
					out.WriteString("\n")
				}
			}
			out.WriteString(text)
			blank = strings.Count(after, "\n") > 1
		}
	}
	return out.String()
}

// runs cuts code into pieces of whole lines. A piece contains either declarations that are not allowed in a function,
// or statements.
func runs(code string) (pieces []string, err error) {
	items, err := gosource.Items(code)
	from, declares, known := 0, false, false
	for i, it := range items {
		declaration := it.Kind == token.IMPORT || it.Kind == token.FUNC || it.Kind == token.PACKAGE
		switch {
		case !declaration && it.Kind != token.ILLEGAL: // the item may be in either kind of piece
			continue
		case known && declares != declaration:
			end := items[i-1].To + strings.IndexByte(code[items[i-1].To:], '\n') + 1
			pieces, from = append(pieces, code[from:end]), end
		}
		declares, known = declaration, true
	}
	return append(pieces, code[from:]), err
}
