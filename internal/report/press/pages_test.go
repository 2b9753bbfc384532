//go:build unix

package press

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
)

// thousand writes a book of 20 parts with 1,000 pages, 4 kB each, that have no cells.
func thousand(t *testing.T) (dir string, pages []string) {
	t.Helper()
	words := strings.Fields("river stone orchard garden winter signal harbour window copper letter margin engine")
	random := rand.New(rand.NewPCG(1, 2))
	dir = t.TempDir()
	for i := range 1000 {
		var text strings.Builder
		fmt.Fprintf(&text, "# Page %d\n\n", i+1)
		for s := range 4 {
			fmt.Fprintf(&text, "## Section %d\n\nSome *%s* with `code`:", s, words[s])
			for range 120 {
				text.WriteString(" " + words[random.IntN(len(words))])
			}
			fmt.Fprintf(&text, ".\n\n- %s\n- [the next](%03d.md)\n\n| a | b |\n|---|--:|\n| %s | %d |\n\n", words[s],
				min(i+1, i/50*50+49), words[s+1], i)
		}
		page := filepath.Join(dir, fmt.Sprintf("%02d-part-%c", i/50, 'a'+i/50), fmt.Sprintf("%03d.md", i))
		must.Write(t, page, text.String())
		pages = append(pages, page)
	}
	return dir, pages
}

// TestThousandPages builds a book of 1,000 pages, and changes a page while a preview shows the book. Only that page
// must be made again. The limit on processor time, a fifth of the first build, is twice what was measured.
func TestThousandPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; leave out -short")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(60)) // as in genreport
	dir, pages := thousand(t)
	desk := New(Settings{Dir: dir, Explorables: Off})
	defer desk.Close()
	build := func() (tree map[string][]byte, took int64) {
		begin := must.CPU()
		built := must.Get(desk.Build(t.Context()))
		return built, must.CPU() - begin
	}
	before, first := build()
	var later []int64
	for i := range 3 {
		page := pages[400+i]
		must.Write(t, page, fmt.Sprintf("# Page %d\n\nAnother text.\n", 401+i))
		after, took := build()
		later = append(later, took)
		var changed []string
		for name, data := range after {
			if string(data) != string(before[name]) && !strings.HasPrefix(name, "search") {
				changed = append(changed, name)
			}
		}
		if want := fmt.Sprintf("08-part-i-%03d.html", 400+i); len(changed) != 1 || changed[0] != want {
			t.Errorf("the pages %q have changed, want %s alone", changed, want)
		}
		before = after
	}
	least := slices.Min(later)
	t.Logf("a first build takes %d, one with a changed page %d", first, least)
	if 5*least > first {
		t.Errorf("a changed page takes %d, and all pages %d", least, first)
	}
	f := must.Get(Settings{Dir: dir}.Read())
	made := must.Get(Make(t.Context(), New(Settings{Dir: dir, Explorables: Off}), f, false, book.Build))
	for name, data := range made.Built {
		if string(data) != string(before[name]) {
			t.Fatalf("%s of the preview is not the page of a build", name)
		}
	}
}
