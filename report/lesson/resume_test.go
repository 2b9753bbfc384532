package lesson

import (
	"os"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// TestDeclared runs the cases in testdata/declared.txt: cells between lines of ---, then what one cell declares in
// place of all but the last, or "run all".
func TestDeclared(t *testing.T) {
	data, err := os.ReadFile("testdata/declared.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range strings.Split(string(data), "\n=====\n") {
		title, body, _ := strings.Cut(c, "\n")
		given, want, ok := strings.Cut(body, "\n=>\n")
		if !ok {
			t.Fatalf("a case without =>: %q", c)
		}
		var cells []jupyter.Cell
		for _, source := range strings.Split(given, "\n---\n") {
			cell := jupyter.Cell{Kind: jupyter.Code}
			if tag, rest, ok := strings.Cut(source, "\n"); ok && strings.HasPrefix(tag, "tag ") {
				cell.Tags, source = []string{strings.TrimPrefix(tag, "tag ")}, rest
			}
			cell.Source = source
			cells = append(cells, cell)
		}
		got, ok := declared(cells, len(cells)-1)
		if !ok {
			got = "run all"
		}
		if want = strings.TrimSpace(want); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", title, got, want)
		}
	}
}
