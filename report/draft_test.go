package report

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// texts returns the chapters' texts in memory, so that a test can edit them.
func texts(t testing.TB, d *Draft) fstest.MapFS {
	t.Helper()
	edited := fstest.MapFS{}
	pages, err := d.book.texts(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		name := page.File
		data, err := fs.ReadFile(os.DirFS(".."), name)
		if err != nil {
			t.Fatal(err)
		}
		edited[name] = &fstest.MapFile{Data: data}
	}
	return edited
}

// TestDraft edits a text again and again: the report is the one that Build makes of the same texts, only the edited
// page is another.
func TestDraft(t *testing.T) {
	ctx := context.Background()
	d, err := NewDraft(siegebook, Options{Settings: small, Cache: shared, Program: []byte("the tests")})
	if err != nil {
		t.Fatal(err)
	}
	files := texts(t, d)
	d.options.Texts = files
	first, err := d.Build(ctx, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	sameTree(t, build(t, Options{Settings: small}), first)

	const name = "report/castle/rules.md"
	original := files[name].Data
	for _, edit := range []string{"\n\nOne more sentence.\n", "\n\nA formula, $q_{17} = 3$.\n"} {
		files[name] = &fstest.MapFile{Data: append(original[:len(original):len(original)], edit...)}
		begin := time.Now()
		tree, err := d.Build(ctx, nil, "")
		t.Logf("%d pages in %v", len(files), time.Since(begin))
		if err != nil {
			t.Fatal(err)
		}
		for path, data := range first {
			// The search knows what every page says.
			if changed := string(tree[path]) != string(data); changed != (path == "castle-rules.html" ||
				path == "search.html") {
				t.Errorf("%s: changed %v", path, changed)
			}
		}
	}

	files[name] = &fstest.MapFile{Data: append(original[:len(original):len(original)], "\n\nBad $\\frac{1$.\n"...)}
	var fault *site.Error
	if _, err := d.Build(ctx, nil, ""); !errors.As(err, &fault) || fault.File != name ||
		fault.Line != strings.Count(string(original), "\n")+3 {
		t.Errorf("bad TeX: %v", err)
	}
	if _, err := NewDraft(siegebook, Options{Settings: chapter.Settings{"grid": "soldiers=-1"}}); err == nil {
		t.Error("a draft of a grid that is none")
	}
	delete(files, name)
	if _, err := d.Build(ctx, nil, ""); !errors.As(err, &fault) || fault.File != name {
		t.Errorf("a missing file: %v", err)
	}
	files[name] = &fstest.MapFile{Data: original}
	tree, err := d.Build(ctx, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	sameTree(t, first, tree)

	// A proof is a text too, with its title in it.
	const proof = "docs/derivations/tower.md"
	files[proof] = &fstest.MapFile{
		Data: append(
			[]byte("# Towers, proved\n\n"),
			files[proof].Data[strings.IndexByte(string(files[proof].Data), '\n'):]...),
	}
	tree, err = d.Build(ctx, nil, "")
	if err != nil || !strings.Contains(string(tree["proofs-tower.html"]), "<h1>Towers, proved</h1>") {
		t.Errorf("an edited proof: %v", err)
	}
}

// TestDraftOfLessons: which lessons there are is known to Build, not to NewDraft.
func TestDraftOfLessons(t *testing.T) {
	ctx := context.Background()
	d, err := NewDraft(siegebook, Options{Settings: small, Only: []string{"lesson-walls"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Build(ctx, nil, ""); err == nil || !strings.Contains(err.Error(), `"lesson-walls"`) {
		t.Errorf("a lesson that is not there: %v", err)
	}
	lessons := []lesson.Lesson{
		{
			Page: site.Page{Slug: "lesson-walls", Title: "Walls", Source: "Text.", File: "notebooks/walls.ipynb"},
			Ran:  true,
		},
	}
	tree, err := d.Build(ctx, lessons, "kernel 1")
	if err != nil || !strings.Contains(string(tree["lesson-walls.html"]), "<dt>kernel</dt> <dd>kernel 1</dd>") {
		t.Errorf("the page does not say its kernel, %v", err)
	}
}
