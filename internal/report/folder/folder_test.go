package folder

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// fakeRunner replaces the kernel. A cell's outputs come from its comments: "// out: text" is Markdown, "// print: text"
// is text, and "// html: text" is HTML. fakeRunner records the kernels that are requested.
type fakeRunner struct{ kernels []string }

func (r *fakeRunner) Fingerprint(context.Context, *jupyter.Notebook) ([]byte, error) {
	return []byte("fake"), nil
}

func (r *fakeRunner) Run(_ context.Context, n *jupyter.Notebook, _ jupyter.RunOptions) (*jupyter.Notebook, error) {
	r.kernels = append(r.kernels, n.Kernel())
	var cells []map[string]any
	for i, c := range n.Cells() {
		cell := jupyter.CodeCell(c.ID, c.Source, map[string]any{})
		cell["execution_count"] = i + 1
		var outputs []map[string]any
		for line := range strings.Lines(c.Source) {
			kind, text, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "// "), ": ")
			text = strings.ReplaceAll(text, "¶", "\n")
			switch kind {
			case "out":
				outputs = append(outputs, displayed("text/markdown", text))
			case "html":
				outputs = append(outputs, displayed("text/html", text))
			case "print":
				outputs = append(outputs, map[string]any{"output_type": "stream", "name": "stdout", "text": text})
			}
		}
		if outputs != nil {
			cell["outputs"] = outputs
		}
		cells = append(cells, cell)
	}
	return jupyter.Compose(cells, nil), nil
}

func displayed(mediaType, text string) map[string]any {
	return map[string]any{
		"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{mediaType: text},
	}
}

// fakeProgram replaces the program of a book. It takes outputs from comments like fakeRunner.
type fakeProgram struct{}

func (fakeProgram) Run(ctx context.Context, pages []program.Page, _ program.RunOptions) (program.Results, error) {
	var results program.Results
	for _, p := range pages {
		var cells []map[string]any
		for _, c := range p.Cells {
			cells = append(cells, jupyter.CodeCell("cell", c.Code, map[string]any{}))
		}
		ran, err := new(fakeRunner).Run(ctx, jupyter.Compose(cells, nil), jupyter.RunOptions{})
		if err != nil {
			return results, err
		}
		var result program.PageResult
		for _, c := range ran.Cells() {
			result.Cells = append(result.Cells, program.Result{Outputs: c.Outputs})
		}
		results.Pages = append(results.Pages, result)
	}
	return results, nil
}

// fake returns a Runner that runs the cells of a folder without Go.
func fake(notebooks lesson.Runner) Runner {
	return Runner{Program: fakeProgram{}, Course: func() (lesson.Course, error) {
		return lesson.Course{Runner: notebooks}, nil
	}}
}

// write writes the files of an archive into a new folder, and makes it the working folder of the test.
func write(t *testing.T, archive string) {
	t.Helper()
	t.Chdir(t.TempDir())
	must.Do(t, txtar.Write(txtar.Parse([]byte(archive)), "."))
}

// faultsOf reads the folder "book", runs its cells and builds it, and returns all faults as messages.
func faultsOf(t *testing.T, f *Folder, r lesson.Runner) (said []string) {
	t.Helper()
	if r != nil {
		must.Get(f.Run(t.Context(), fake(r), func(string) bool { return true }))
	}
	_, err := book.Build(t.Context(), f.Book(), book.Options{})
	var more site.Errors
	if err != nil {
		more = err.(site.Errors)
	}
	for _, fault := range f.Faults(more...) {
		said = append(said, fault.Error())
	}
	return said
}

// TestPlacesOfOutputs checks that a fault in the output of a cell names the file and the cell, in a page and in a
// notebook.
func TestPlacesOfOutputs(t *testing.T) {
	write(t, `
-- book/01-a.md --
Text.

`+"```go run\n// out: Fine.\n```\n\n```go run\n// print: x\n// out: Fine.¶¶Price $5.\n```"+`
-- book/02-b.ipynb --
{"cells": [
{"cell_type": "code", "id": "one", "metadata": {}, "execution_count": null, "outputs": [], "source": "// out: Price $5."}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
`)
	f := must.Get(Read("book", explore.Set{}))
	want := []string{
		`book/01-a.md:8: the cell's output, line 3: `, `book/02-b.ipynb: cell "one", output, line 1: `,
	}
	got := faultsOf(t, f, &fakeRunner{})
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) || !strings.Contains(got[i], `has no matching "$"`) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

// TestStored checks that a notebook shows its stored results until it is run, and then the results of the run. Faults
// in stored results are reported as notes, since only a run can remove them.
func TestStored(t *testing.T) {
	write(t, `
-- book/01-a.ipynb --
{"cells": [
{"cell_type": "code", "id": "one", "metadata": {}, "execution_count": 7, "outputs": [
{"output_type": "stream", "name": "stdout", "text": "an old result\n"},
{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<script>alert(1)</script>"}}
], "source": "// print: a new result\n// html: <script>alert(1)</script>"}
], "metadata": {"kernelspec": {"name": "gonb", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}
`)
	f, runner := must.Get(Read("book", explore.Set{})), &fakeRunner{}
	page := func() string {
		tree := must.Get(book.Build(t.Context(), f.Book(), book.Options{}))
		return string(tree["01-a.html"])
	}
	const note = "shows the results that are stored in the notebook"
	if text := page(); !strings.Contains(text, "an old result") || !strings.Contains(text, note) ||
		!strings.Contains(text, "[1]") {
		t.Errorf("without a run: %s", text)
	}
	if faults := f.Faults(); len(faults) > 0 || len(f.Notes()) != 2 {
		t.Errorf("without a run: faults %v, notes %q", faults, f.Notes())
	}
	must.Get(f.Run(t.Context(), fake(runner), func(string) bool { return true }))
	if text := page(); !strings.Contains(text, "a new result") || strings.Contains(text, "an old result") ||
		strings.Contains(text, note) {
		t.Errorf("after a run: %s", text)
	}
	page() // a second call: it must not report the faults again
	if faults := f.Faults(); len(faults) != 1 || len(f.Notes()) != 1 {
		t.Errorf("after a run: faults %v, notes %q", faults, f.Notes())
	}
	if !slices.Equal(runner.kernels, []string{"gonb"}) {
		t.Errorf("run for %q", runner.kernels)
	}
}

// TestFindPages reads folders of many shapes, and checks the order of the pages, their parts and sections, and the
// files left out.
func TestFindPages(t *testing.T) {
	write(t, `
-- book/10-c.md --
-- book/2-b.MD --
-- book/1-a.md --
-- book/README.MD --
-- book/_x.md --
-- book/index.md --
-- book/3 three/4-d.markdown --
-- book/3 three/05-deep/06-deeper/7.md --
-- book/3 three/05-deep/1.md --
-- book/3 three/testdata/1.md --
-- book/3 three/vendor/1.txt --
-- book/.git/1.txt --
-- book/built/index.html --
-- book/built/SHA256SUMS --
-- book/built/assets/1/1.ipynb --
-- book/z.qmd --
-- outside/1.md --
-- book/shared/1.txt --
`)
	must.Do(t, os.Symlink("../outside", filepath.Join("book", "linked")))
	must.Do(t, os.Symlink("3 three/05-deep", filepath.Join("book", "again")))
	must.Do(t, os.Symlink("shared", filepath.Join("book", "pictures")))
	must.Do(t, os.Symlink(".", filepath.Join("book", "round")))
	f := must.Get(Read("book", explore.Set{}))
	var got []string
	for _, p := range f.pages {
		got = append(got, strings.Join([]string{p.rel, p.made.Slug, p.part, p.group}, "|"))
	}
	want := []string{
		"index.md|index||", "1-a.md|1-a||", "2-b.MD|2-b||", "3 three/4-d.markdown|3-three-4-d|Three|",
		"3 three/05-deep/1.md|3-three-05-deep-1|Three|Deep",
		"3 three/05-deep/06-deeper/7.md|3-three-05-deep-06-deeper-7|Three|Deep / Deeper", "10-c.md|10-c||",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	const left = "not in the book: 3 three/testdata, README.MD, _x.md"
	if f.LeftOut() != left || len(f.Faults()) > 0 {
		t.Errorf("%q, faults %v", f.LeftOut(), f.Faults())
	}
	var noted []string
	for _, note := range f.Notes() {
		name, _, _ := strings.Cut(note, ":")
		noted = append(noted, name)
	}
	slices.Sort(noted)
	if diff := cmp.Diff([]string{"book/again", "book/linked", "book/round", "book/z.qmd"}, noted); diff != "" {
		t.Error(diff)
	}
}

// TestStatements checks that the page of all claims lists the claims that cells have passed to it, and offers them as a
// file.
func TestStatements(t *testing.T) {
	words, _ := site.NewWords("en", nil)
	f := &Folder{Name: "book", words: words}
	made := f.claims(nil, content.Statements{{
		ID: "a", Text: "$1 = 2$", Post: "A letter", Where: "its end", Stands: content.Refuted, Ref: "page:b",
		Evidence: content.Evidence{Text: "It is not.", Check: []byte(`[1]`)},
	}})
	entry := made.Entries[0].Entries[0]
	if entry.ID != "claim-a" || entry.Where != "A letter, its end" || entry.Verdict.Text != "refuted" ||
		entry.Lead.Text != "$1 = 2$" || entry.Parts[0].Text != `It is not. {{ ref "page:b" }}` {
		t.Errorf("%+v", entry)
	}
	var read content.Statements
	file := made.Downloads["claims.json"]
	if err := json.Unmarshal(file, &read); err != nil || len(read) != 1 || read[0].Text != "$1 = 2$" {
		t.Errorf("%s: %v", file, err)
	}
	if !strings.Contains(made.Source, `{{ entries "statements" `) || !strings.Contains(made.Source, "(claims.json)") {
		t.Errorf("%s", made.Source)
	}
}
