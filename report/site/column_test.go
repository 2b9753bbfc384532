package site

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

// TestColumns: the byte at the column of a fault is the one that is marked by ¦ in the source.
func TestColumns(t *testing.T) {
	for name, source := range map[string]string{
		"TeX":                   "Text.\n\nLet $a + ¦\\nope{b}$ be.",
		"TeX after a call":      "{{ .Value \"n\" }} is $x = ¦\\nope$.",
		"TeX after a long word": "Übergröße $ä = ¦\\nope$.",
		"display TeX":           "$$\na = 1 \\\\\nb = 2 ¦& 3\n$$",
		"value":                 "Text {{ ¦.Value \"gone\" }}.",
		"function":              "Text\n{{ ¦figure \"a\" \"\" }}.",
		"private":               "Text\nx ¦\uE001 y",
	} {
		at := strings.Index(source, "¦")
		plain := source[:at] + source[at+len("¦"):]
		s := Site{Title: "t", Pages: []Page{{Slug: "index", Title: "t", Source: plain}}}
		if strings.Contains(plain, `.Value "n"`) {
			s.Pages[0].Values = map[string]any{"n": 5}
		}
		_, err := Render(context.Background(), s, Options{Cache: testCache})
		var fault *Error
		if !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		line := strings.Count(source[:at], "\n") + 1
		column := at - strings.LastIndexByte(source[:at], '\n')
		if fault.Line != line || fault.Column != column {
			t.Errorf("%s: %v is at %d:%d, want %d:%d", name, err, fault.Line, fault.Column, line, column)
		}
	}
	for _, source := range []string{"$\\nope$ and $\\nope$", "${{ .Value \"tex\" }}$", "[x](gone.html)"} {
		s := Site{Title: "t", Pages: []Page{{Slug: "index", Title: "t", Source: source}}}
		if strings.Contains(source, "tex") {
			s.Pages[0].Values = map[string]any{"tex": content.Markdown(`\nope`)}
		}
		_, err := Render(context.Background(), s, Options{Cache: testCache})
		var fault *Error
		if !errors.As(err, &fault) || fault.Column != 0 {
			t.Errorf("%s: %+v: the column is a guess", source, fault)
		}
	}
}
