package site

import (
	"strings"
	"testing"
)

// TestReadText: the lines about a page are plain text, and those that follow keep their numbers.
func TestReadText(t *testing.T) {
	page, err := ReadText("a", "a.md", "---\ntitle: A: the \"first\"\nnav: A\ndescription: All of it.\nunnumbered: true\n---\nText.\n")
	if err != nil || page.Slug != "a" || page.File != "a.md" || page.Title != `A: the "first"` || page.Nav != "A" || page.Description != "All of it." || !page.Unnumbered {
		t.Errorf("%+v, %v", page, err)
	}
	if line := 1 + strings.Count(page.Source[:strings.Index(page.Source, "Text.")], "\n"); line != 7 || strings.TrimSpace(page.Source) != "Text." {
		t.Errorf("%q: the text begins in line %d", page.Source, line)
	}
	if page, err = ReadText("a", "", "---\r\ntitle: A\r\n---\r\nText.\r\n"); err != nil || page.Title != "A" || page.Unnumbered {
		t.Errorf("%+v, %v", page, err)
	}
	for text, want := range map[string]string{
		"Text.\n":                              `a.md:1: the file does not begin with a line "---"`,
		"":                                     `a.md:1: the file does not begin with a line "---"`,
		"---\ntitle: A\nText.\n":               `a.md:3: "Text." says nothing`,
		"---\ntitle: A\n":                      `a.md:3: "" says nothing`,
		"---\ntitle: A":                        `a.md:1: the lines about the page do not end`,
		"---\nnav: A\n---\n":                   `a.md:3: the page has no title`,
		"---\ntitle: A\ntitle: B\n---\n":       `a.md:3: title is given twice`,
		"---\ntitle: A\ncolour: red\n---\n":    `a.md:3: "colour: red": there is no such line`,
		"---\ntitle: A\nunnumbered: no\n---\n": `a.md:3: "unnumbered: no": there is no such line`,
		"---\ntitle:  \n---\n":                 `a.md:2: "title:  " says nothing`,
	} {
		if _, err := ReadText("a", "a.md", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestShownData: a page shows what lookups, lists and the names of figures give.
func TestShownData(t *testing.T) {
	s := onePage("{{ one \"a b\" }}{{ range .List \"rows\" }}\n- **{{ .lead }}** {{ .text }}{{ end }}\n\n{{ if .Has \"f\" }}There{{ else }}Not there{{ end }}.\n")
	s.Pages[1].Lookups = map[string]map[string]string{"one": {"a b": "*first*", "unused": "x"}}
	s.Pages[1].Lists = map[string][]map[string]string{"rows": {{"lead": "L", "text": "$x$"}, {"lead": "M", "text": "m"}}}
	tree, err := Render(t.Context(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<em>first</em>", "<strong>L</strong> <math>", "<strong>M</strong> m", "Not there."} {
		if !strings.Contains(string(tree["a.html"]), want) {
			t.Errorf("no %s in\n%s", want, tree["a.html"])
		}
	}
}
