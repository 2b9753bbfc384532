package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

// TestWritten builds the book in testdata/written.txtar, which has no cells. It compares the text of each page, or its
// faults, with the .want file of the same name.
func TestWritten(t *testing.T) {
	recorded := must.Get(filepath.Abs("testdata/written.txtar"))
	archive := must.Get(txtar.ParseFile(recorded))
	var files txtar.Archive
	want, got := map[string]string{}, map[string]string{}
	for _, file := range archive.Files {
		if name, is := strings.CutSuffix(file.Name, ".want"); is {
			want[name] = string(file.Data)
		} else {
			files.Files = append(files.Files, file)
		}
	}
	t.Chdir(t.TempDir())
	must.Do(t, txtar.Write(&files, "book"))
	f := must.Get(Read("book", explore.Set{}))
	_, err := book.Build(t.Context(), f.Book(), book.Options{})
	faults, _ := err.(site.Errors)
	faults = slices.Clone(f.Faults(faults...))
	places := append(slices.Clone(f.pages), &page{rel: configFile}, &page{rel: "data/_faults.md"})
	for _, p := range places {
		for _, fault := range faults {
			if fault.File == f.path(p.rel) {
				got[p.stem()] += fmt.Sprintf("%d:%d: %s\n", fault.Line, fault.Column, fault.Msg)
			}
		}
	}
	f.LeaveOut(slices.DeleteFunc(faults, func(e *site.Error) bool { return e.File == f.path(configFile) }))
	tree := must.Get(book.Build(t.Context(), f.Book(), book.Options{}))
	for _, p := range f.pages {
		if got[p.stem()] == "" && !p.left {
			_, body, _ := strings.Cut(string(tree[p.made.Slug+".html"]), "</h1>\n")
			body = body[:max(0, strings.LastIndex(body, "<nav"))]
			got[p.stem()] = strings.TrimSpace(body) + "\n"
		}
	}
	page, address := string(tree["only.html"]), "https://example.org/b%20c/"
	if tree["icon.svg"] == nil || !strings.Contains(page, `<link rel="icon" href="icon.svg" />`) ||
		!strings.Contains(page, `<link rel="canonical" href="`+address+`only.html" />`) ||
		!strings.Contains(string(tree["sitemap.xml"]), "<loc>"+address+"</loc>") {
		t.Errorf("the icon, the address or the list of pages is missing: %s\n%.900s", tree["sitemap.xml"], page)
	}
	single := string(must.Get(book.BuildSingle(t.Context(), f.Book(), book.Options{})))
	if !strings.Contains(single, "In one file.") || strings.Contains(single, "In pages.") {
		t.Error("the edition of one file has the text for that of many, or not its own")
	}
	if diff := cmp.Diff(want, got); diff != "" && !*update {
		t.Errorf("-want +got:\n%s", diff)
	}
	if *update {
		for i, file := range archive.Files {
			if name, is := strings.CutSuffix(file.Name, ".want"); is {
				archive.Files[i].Data = []byte(got[name])
			}
		}
		must.Do(t, os.WriteFile(recorded, txtar.Format(archive), 0o644))
	}
}
