package folder

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

// TestMemo makes random edits in a folder, and compares each reading with a memo with a reading without one.
func TestMemo(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="5"></svg>`
	texts := map[string][]string{
		"book.yaml": {
			"", "title: Other\nvariables: {v: one}\n", "variables: {v: two}\nglossary: a.md\n", "glossary: part/c.md\n",
			"bibliography: refs.bib\n", "bibliography: refs.bib\ncitations: numbered\n", "wrong: x\n",
		},
		"refs.bib":    {"@book{knuth, title={One}, year=1968}\n", "@book{knuth, title={Two}, year=1969}\n", "?"},
		"x.svg":       {fmt.Sprintf(svg, 5), fmt.Sprintf(svg, 9), "no picture"},
		"data.csv":    {"a,b\n1,2\n", "a,b\n3,4\n", "a,b\n3\n"},
		"x y.txt":     {"one", "two"},
		"_part.md":    {"Included.\n", "Included [link](b.md).\n"},
		"a.md":        nil,
		"b.md":        nil,
		"part/c.md":   nil,
		"part/d-e.md": nil,
	}
	pages := []string{
		"# Title\n\nText with [link](b.md) and [up](../a.md), `code`, $x^2$.\n", "# Other *title*\n\n## Section {#s}\n",
		"---\ntitle: Front\nneeds: [b]\n---\nText\n", "---\nwrong: x\n---\nText\n", "![alt](x.svg \"Caption\")\n",
		"Inline ![alt](../x.svg) and <img src=\"x.svg\" alt=\"a\">.\n", "{{ var \"v\" }}\n", "[text](x%20y.txt)\n",
		"{{ include \"_part.md\" }}\n",
		"{{ table \"data.csv\" \"Caption\" }}{#t}\n", "See [@knuth], as @knuth shows.\n",
		"A @knuth and {{ ref \"sec:a/s\" }}.\n", "```go run {#f}\nx := 1\n```\n\n`go: x` and {{ figure \"f\" }}\n",
		"## Word (of, words)\n\nMeaning.\n",
		"[gone](gone.md) and [offered](offered.csv)\n", "# Wrong\n\n{{ nothing }}\n",
		"{{ link \"b\" }} {{ contents }} {{ part \"P\" \"{}\" }}\n", "# A {{ var \"v\" }}\n\n\\go{1} \xff\n",
	}
	var names []string
	for name := range texts {
		if names = append(names, name); texts[name] == nil {
			texts[name] = pages
		}
	}
	slices.Sort(names)
	var memo Memo
	kept := 0
	for step := range 200 {
		name := names[random.IntN(len(names))]
		if some := texts[name]; random.IntN(6) > 0 {
			must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), some[random.IntN(len(some))])
		} else {
			_ = os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
		}
		before := memo.pages
		got := must.Get(memo.Read(dir, explore.Set{}))
		want := must.Get(Read(dir, explore.Set{}))
		for name, page := range memo.pages {
			if old := before[name]; old.text == page.text && old.around == page.around {
				kept++
			}
		}
		for _, same := range [][2]any{
			{madeOf(got), madeOf(want)},
			{got.Faults(), want.Faults()},
			{got.Notes(), want.Notes()},
			{got.linkedTerms() == nil, want.linkedTerms() == nil},
			{len(got.terms), len(want.terms)},
			{got.Book().Order, want.Book().Order},
		} {
			if !reflect.DeepEqual(same[0], same[1]) {
				t.Fatalf("step %d, after an edit of %s: with the memo\n%+v\nwithout\n%+v", step, name, same[0], same[1])
			}
		}
	}
	if kept < 20 {
		t.Errorf("only %d pages were kept", kept)
	}
}

// madeOf returns the pages of the folder's book.
func madeOf(f *Folder) (all []site.Page) {
	for _, p := range f.Book().Pages {
		if p.Made != nil {
			all = append(all, *p.Made)
		}
	}
	return all
}
