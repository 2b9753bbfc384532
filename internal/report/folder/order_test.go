package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/report/explore"
)

// TestOrder checks that the pages that book.yaml names come in its order of parts and sections, and the other pages
// follow, grouped by folder. It also checks the pages in the header, the glossary, and the positions of faults.
func TestOrder(t *testing.T) {
	recorded := must.Get(filepath.Abs("testdata/order.txtar"))
	archive := must.Get(txtar.ParseFile(recorded))
	pages, wants := txtar.Archive{}, map[string]string{}
	var configs []txtar.File
	for _, file := range archive.Files {
		switch name, is := strings.CutSuffix(file.Name, ".want"); {
		case is:
			wants[name] = string(file.Data)
		case strings.HasSuffix(file.Name, ".yaml"):
			configs = append(configs, file)
		default:
			pages.Files = append(pages.Files, file)
		}
	}
	t.Chdir(t.TempDir())
	for _, config := range configs {
		dir := strings.TrimSuffix(config.Name, ".yaml")
		must.Do(t, txtar.Write(&pages, dir))
		must.Write(t, dir+"/book.yaml", string(config.Data))
		f := must.Get(Read(dir, explore.Set{}))
		b := f.Book()
		var got strings.Builder
		for _, p := range b.Order {
			for _, s := range p.Sections {
				fmt.Fprintf(&got, "%s | %s | %s\n", p.Title, s.Title, strings.Join(s.Pages, " "))
			}
		}
		if len(b.HeaderLinks) > 0 {
			fmt.Fprintf(&got, "header %s\n", strings.Join(b.HeaderLinks, " "))
		}
		for _, term := range b.Terms {
			fmt.Fprintf(&got, "%s -> %s#%s\n", strings.Join(term.Words, ", "), term.Page, term.Anchor)
		}
		for _, k := range b.Kits {
			fmt.Fprintf(&got, "kit %s %q %s %s\n", k.Name, k.Title, k.Lang, k.Pages)
		}
		for _, fault := range f.Faults() {
			fmt.Fprintf(&got, "%s:%d:%d: %s\n", fault.File, fault.Line, fault.Column, fault.Msg)
		}
		if diff := cmp.Diff(wants[dir], got.String()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", dir, diff)
		}
		wants[dir] = got.String()
	}
	if *update {
		for i, file := range archive.Files {
			if name, is := strings.CutSuffix(file.Name, ".want"); is {
				archive.Files[i].Data = []byte(wants[name])
			}
		}
		must.Do(t, os.WriteFile(recorded, txtar.Format(archive), 0o644))
	}
}

// TestGlossaryAndMacros checks that the first use of a word links to the glossary, that the glossary does not show
// other spellings, and that formulas can use the macros.
func TestGlossaryAndMacros(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, txtar.Write(txtar.Parse([]byte(`-- book.yaml --
glossary: words.md
macros:
  '\half': '\frac{#1}{2}'
-- 1.md --
# One

Convergents are fractions. A convergent is $\half{n}$.
-- words.md --
# Words

## Convergent, convergents

A fraction.
`)), dir))
	f := must.Get(Read(dir, explore.Set{}))
	tree := must.Get(book.Build(t.Context(), f.Book(), book.Options{}))
	page, words := string(tree["1.html"]), string(tree["words.html"])
	link := `<a class="term" href="words.html#convergent">Convergents</a> are fractions. A convergent is`
	if !strings.Contains(page, link) || !strings.Contains(page, "<mfrac><mi>n</mi><mn>2</mn></mfrac>") {
		t.Errorf("the page is\n%s", page)
	}
	if !strings.Contains(words, "Convergent") || strings.Contains(words, "convergents") {
		t.Errorf("the glossary is\n%s", words)
	}
}
