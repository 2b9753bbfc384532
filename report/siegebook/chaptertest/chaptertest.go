// Package chaptertest is what the tests of all chapters have in common.
package chaptertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
)

// Formulas keeps converted formulas between the builds of a package's tests, once Main has begun.
var Formulas *cache.Cache

// Main is the TestMain of a chapter.
func Main(m *testing.M) {
	folder, err := os.MkdirTemp("", "siegebook-test")
	if err == nil {
		Formulas = cache.Open(folder)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// Slips checks that slips in a text are noticed when it is run. They are the rows of a table in testdata/slips.txt. The
// last fields of a row are what the text says, and what a slip says in its place.
func Slips(t *testing.T, table, text string, run func(row []string, spoiled string) error) {
	t.Helper()
	for _, row := range must.Rows(t, "../chaptertest/testdata/slips.txt", table) {
		from, to := row[len(row)-2], row[len(row)-1]
		if spoiled := strings.Replace(text, from, to, 1); spoiled == text {
			t.Errorf("%q is not in the text", from)
		} else if run(row, spoiled) == nil {
			t.Errorf("%q instead of %q, and nobody noticed", to, from)
		}
	}
}

// pageLimit is the most bytes of a chapter's page.
const pageLimit = 400_000

// CheckChapter builds a chapter behind a front page, as the report does, with its default settings: twice, on other
// numbers of cores, the same pages come of it, of a size that a reader can load, with complete questions whose
// answers are there; and a build that is cancelled ends.
func CheckChapter(t *testing.T, game chapter.Game) {
	t.Helper()
	units := game.Units(nil)
	tree := build(t, game, units)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	if again := build(t, game, game.Units(nil)); len(again) != len(tree) {
		t.Errorf("%d files, then %d", len(tree), len(again))
	} else {
		for name, data := range tree {
			if !bytes.Equal(data, again[name]) {
				t.Errorf("%s differs between two builds", name)
			}
		}
	}
	for _, slug := range game.Slugs {
		page := tree[slug+".html"]
		if !strings.HasPrefix(slug, game.Name+"-") || len(page) == 0 || len(page) > pageLimit {
			t.Errorf("page %s has %d bytes", slug, len(page))
		}
	}
	ids := map[string]bool{}
	for _, q := range game.Questions() {
		if !strings.HasPrefix(q.ID, game.Name+"-") || ids[q.ID] || q.Title == "" || q.Where == "" || q.Asked == "" ||
			q.Answer == "" {
			t.Errorf("question %+v is incomplete, or its id is taken", q)
		}
		ids[q.ID] = true
		checkRef(t, game, tree, q.ID, q.Ref)
	}
	for _, q := range Compute(t, units, chapter.OpenOf(game.Name)).Open {
		if !strings.HasPrefix(q.ID, game.Name+"-") || ids[q.ID] || q.Title == "" || q.Where == "" || q.Known == "" ||
			q.How == "" || q.Settles == "" {
			t.Errorf("open question %+v is incomplete, or its id is taken", q)
		}
		ids[q.ID] = true
		checkRef(t, game, tree, q.ID, q.Ref)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	for _, u := range game.Units(nil) {
		if _, err := u.Compute(ctx); !errors.Is(err, enough) {
			t.Errorf("%s, cancelled: %v", u.Name, err)
		}
	}
}

// Unit returns the unit of a name.
func Unit(t *testing.T, units []chapter.Unit, name string) chapter.Unit {
	t.Helper()
	i := slices.IndexFunc(units, func(u chapter.Unit) bool { return u.Name == name })
	if i < 0 {
		t.Fatalf("there is no unit %s", name)
	}
	return units[i]
}

// Compute computes the unit of a name.
func Compute(t *testing.T, units []chapter.Unit, name string) chapter.Part {
	t.Helper()
	part, err := Unit(t, units, name).Compute(t.Context())
	must.Do(t, err)
	return part
}

// Pages returns the pages of a game: their texts, and what is computed for them.
func Pages(t *testing.T, game chapter.Game, computed func(slug string) site.Page) []site.Page {
	t.Helper()
	var pages []site.Page
	for _, slug := range game.Slugs {
		name := strings.TrimPrefix(slug, game.Name+"-")
		page, err := site.ReadText(slug, "report/siegebook/"+game.Name+"/"+name+".md", chapter.TextOf(game.Texts, name))
		must.Do(t, err)
		// The pages of other chapters and the lessons are not in this report.
		page.Needs = slices.DeleteFunc(page.Needs, func(other string) bool {
			return !slices.Contains(game.Slugs, other)
		})
		page.CopyContent(computed(slug))
		pages = append(pages, page)
	}
	files := must.Get(fs.Glob(game.Texts, "*.md"))
	for _, file := range files { // the pages with cells, to which the others may refer
		name := strings.TrimSuffix(file, ".md")
		slug := game.Name + "-" + name
		if !strings.HasPrefix(name, "_") && !slices.Contains(game.Slugs, slug) {
			page, err := site.ReadText(slug, file, chapter.TextOf(game.Texts, name))
			must.Do(t, err)
			pages = append(pages, site.Page{Slug: slug, Title: page.Title, Omit: true})
		}
	}
	return pages
}

// checkRef checks that the target of a question's reference exists. A build of the book checks references to its other
// pages.
func checkRef(t *testing.T, game chapter.Game, tree site.Tree, id, ref string) {
	t.Helper()
	kind, target, _ := strings.Cut(ref, ":")
	slug, anchor, _ := strings.Cut(target, "/")
	if !slices.Contains(game.Slugs, slug) {
		return
	}
	if kind != "page" && !bytes.Contains(tree[slug+".html"], []byte(`id="`+anchor+`"`)) ||
		kind == "page" && tree[slug+".html"] == nil {
		t.Errorf("question %s refers to %q, which is not there", id, ref)
	}
}

// build computes a chapter and renders it.
func build(t *testing.T, game chapter.Game, units []chapter.Unit) site.Tree {
	t.Helper()
	pages := Pages(t, game, func(slug string) site.Page { return Compute(t, units, slug).Page })
	tree, err := site.Render(t.Context(), Site(pages), site.Options{Cache: Formulas})
	must.Do(t, err)
	return tree
}

// Site is a report of one chapter: a front page, the chapter, and the proofs to which it may refer. The pages of every
// claim and of theorems, to which it may refer, too, are left out.
func Site(pages []site.Page) site.Site {
	front := site.Page{Slug: "index", Title: "Front", Source: "Text.\n"}
	ledger := site.Page{Slug: chapter.LedgerSlug, Title: "Every claim", Omit: true}
	machine := site.Page{Slug: proofs.MachineSlug, Title: "Checked by machine", Omit: true}
	macros := map[string]string{`\ceil`: `\left\lceil #1\right\rceil`}
	pages = slices.Concat([]site.Page{front}, pages, proofs.Pages(), []site.Page{ledger, machine})
	return site.Site{Title: "test", Macros: macros, Pages: pages}
}

// CheckClaims makes sure that claims have what their page needs, names of their own that begin with the prefix among
// it, and that they hold.
func CheckClaims(t *testing.T, prefix string, claims []chapter.Claim) {
	t.Helper()
	ids := map[string]bool{}
	for _, c := range claims {
		if c.ID == "" || !strings.HasPrefix(c.ID, prefix) || c.Where == "" || c.Printed == "" || ids[c.ID] {
			t.Errorf("claim %+v: incomplete, or its id is taken", c)
		}
		ids[c.ID] = true
		if _, err := os.Stat(filepath.Join("..", "..", "..", filepath.FromSlash(c.Place.File))); err != nil {
			t.Errorf("claim %s: its place is given as %+v: %v", c.ID, c.Place, err)
		}
		f, err := c.Check(t.Context())
		if err != nil {
			t.Errorf("claim %s: %v", c.ID, err)
		}
		if f.Checked == "" || c.Verdict != "" && (f.Truth == "" || f.Example == "" || c.Title == "") {
			t.Errorf("claim %s: finding %+v is incomplete", c.ID, f)
		}
	}
}

// Call is a call of a function of a program.
type Call struct {
	Function  string
	Arguments []any // as listing.Program.Call takes them, but for functions in Go
}

// SameInPython makes calls here and in Python 3, and compares the results.
func SameInPython(t *testing.T, program *listing.Program, text string, calls []Call) {
	t.Helper()
	var script strings.Builder
	script.WriteString(text + `
def plain(value):
    if isinstance(value, dict):
        return [[plain(key), plain(value[key])] for key in value]
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value

import json
`)
	var want []string
	for _, c := range calls {
		result, err := program.Call(c.Function, c.Arguments...)
		must.Do(t, err)
		want = append(want, string(must.Get(json.Marshal(plain(result)))))
		call := fmt.Sprintf("%s(%s)", c.Function, inPython(c.Arguments))
		fmt.Fprintf(&script, "print(json.dumps(plain(%s), separators=(',', ':')))\n", call)
	}
	got := strings.Split(strings.TrimSpace(must.Python(t, script.String())), "\n")
	if len(calls) == 0 || len(got) != len(want) {
		t.Fatalf("%d answers, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s(%s): Python says %s, the listing here %s", calls[i].Function, inPython(calls[i].Arguments),
				got[i], want[i])
		}
	}
}

// plain is a result with dictionaries as lists of pairs.
func plain(result any) any {
	switch result := result.(type) {
	case []listing.Entry:
		pairs := []any{}
		for _, e := range result {
			pairs = append(pairs, []any{plain(e.Key), plain(e.Value)})
		}
		return pairs
	case []any:
		list := []any{}
		for _, e := range result {
			list = append(list, plain(e))
		}
		return list
	}
	return result
}

// inPython writes arguments in Python.
func inPython(arguments []any) string {
	texts := make([]string, len(arguments))
	for i, a := range arguments {
		switch a := a.(type) {
		case []any:
			texts[i] = "[" + inPython(a) + "]"
		case listing.Tuple:
			texts[i] = "(" + inPython(a) + ",)"
		case string:
			texts[i] = fmt.Sprintf("%q", a)
		default:
			texts[i] = fmt.Sprint(a)
		}
	}
	return strings.Join(texts, ", ")
}
