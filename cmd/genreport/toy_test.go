package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// The toy report is built in a moment. It stands in for that of siegebook wherever a test is about the command and not
// about the pages: publishing, kills, permissions, caches. The program toyreport is genreport with this book.

// blocks is the parameter on which all pages of the toy depend.
var blocks = chapter.Parameter{
	Name: "blocks", Placeholder: "N", Help: "How many blocks there are.", Default: "3",
	Normal: func(text string) (string, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return "", fmt.Errorf("%q is no number of blocks: use a whole number above 0", text)
		}
		return strconv.Itoa(n), nil
	},
}

// toyTexts are the texts of the toy under their names in a repository.
var toyTexts = fstest.MapFS{
	"report/front.md":     text("Toys", `See {{ ref "page:toy-rules" }}.`+"\n\n"+`{{ figure "house" "A house" }}`),
	"report/about.md":     text("About", "The toys."),
	"report/toy/rules.md": text("The rules of the toy", `Build with {{ .Value "blocks" }}, and let $x_{12} = 7$.`),
	"report/toy/tower.md": text("Towers", `A tower has {{ .Value "blocks" }}, and {{ ref "page:toy-rules" }} say how.`),
}

func text(title, body string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\ntitle: " + title + "\n---\n" + body + "\n")}
}

// toyFiles is how many files belong to a page of the toy, so that writing them takes a while.
const toyFiles = 60

var toy = chapter.Plan[int]{
	Name: "toy", Title: "Toys", Parameters: []chapter.Parameter{blocks},
	Data: func(_ context.Context, settings chapter.Settings) (int, error) {
		return strconv.Atoi(settings.Of(blocks))
	},
	Pages: []chapter.Page[int]{
		{Name: "rules", Build: func(_ context.Context, n int) site.Page {
			page := site.Page{Values: map[string]any{"blocks": n}, Assets: map[string][]byte{}}
			for i := range toyFiles {
				page.Assets[fmt.Sprintf("file-%d.csv", i)] = fmt.Appendf(nil, "%0*d\n", 20_000, n)
			}
			return page
		}},
		{Name: "tower", Build: func(_ context.Context, n int) site.Page {
			return site.Page{Values: map[string]any{"blocks": n}}
		}},
	},
	Texts: fstest.MapFS{"rules.md": toyTexts["report/toy/rules.md"], "tower.md": toyTexts["report/toy/tower.md"]},
}.Game()

func toyBook() report.Book {
	page := func(slug, file string, fill func(*report.Contents, *site.Page) error) report.BookPage {
		return report.BookPage{Slug: slug, File: file, Text: string(toyTexts[file].Data), Fill: fill}
	}
	house := content.Figure{
		ID: "house", Light: content.Drawing(`<svg xmlns="http://www.w3.org/2000/svg"/>`), Width: 10, Height: 10,
		Alt: "A house of three blocks.",
	}.Explored("castle-map", "n=19&s=50&d=15")
	return report.Book{
		Title: "Toys", Games: []chapter.Game{toy},
		Pages: []report.BookPage{
			page("index", "report/front.md", func(_ *report.Contents, p *site.Page) error {
				p.Figures = []content.Figure{house}
				return nil
			}),
			page("about", "report/about.md", nil),
		},
		Order: []report.Part{
			{Title: "Toys", Sections: []report.Section{{Pages: []string{"toy-rules", "toy-tower"}}}},
			{Title: "Notebooks", Sections: []report.Section{{}}}, // the part where notebooks stand
			{Title: "About", Sections: []report.Section{{Pages: []string{"about"}}}},
		},
	}
}

// withToys lets a test of this process build toys.
func withToys(t *testing.T) {
	t.Helper()
	before := book
	book = toyBook()
	t.Cleanup(func() { book = before })
}

// toyRepository is a folder that passes for the repository, with the texts of the toy.
func toyRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, toyTexts))
	for _, name := range []string{"go.mod", "report/report.go", "docs/derivations" + "/toy.md"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		must.Write(t, name, "")
	}
	return dir
}
