package lesson

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// readNotebook reads a notebook of testdata.
func readNotebook(name string) *jupyter.Notebook {
	return must.Get(jupyter.Read(filepath.Join("testdata", name)))
}

// lessonOf returns the page of a notebook, with the outputs that the notebook contains.
func lessonOf(n *jupyter.Notebook, o Options) site.Page { return Page(n, n.Cells(), o) }

// render renders pages as a site of their own.
func render(pages ...site.Page) (site.Tree, error) {
	s := site.Site{Title: "Lessons", Pages: []site.Page{{
		Slug: "index", Title: "Start", Source: "Text.",
		Unnumbered: true,
	}}}
	s.Pages = append(s.Pages, pages...)
	return site.Render(context.Background(), s, site.Options{})
}

// mainOf returns the content of a page, without the frame that all pages have.
func mainOf(page []byte) string {
	_, text, _ := strings.Cut(string(page), `<main id="content">`)
	text, _, _ = strings.Cut(text, `<nav class="pager"`)
	return text
}

func TestGolden(t *testing.T) {
	l := lessonOf(readNotebook("01-ten-pumps.ipynb"), Options{
		Slug: "lesson-01-ten-pumps", File: "testdata/01-ten-pumps.ipynb", Note: "The {{kernel}} is *old*.",
	})
	other := lessonOf(notebook(textCell("t", "# Search\n\n## The flood\n\nText.")),
		Options{Slug: "lesson-02-search", File: "testdata/02-search.ipynb"})
	tree, err := render(l, other)
	must.Do(t, err)
	page := tree["lesson-01-ten-pumps.html"]
	wellFormed(t, string(page))
	golden := filepath.Join("testdata", "lesson.golden.html")
	if *update {
		must.Write(t, golden, mainOf(page))
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v; run go test -update", err)
	}
	if diff := cmp.Diff(string(want), mainOf(page)); diff != "" {
		t.Errorf("the page changed; look at it, then run go test -update (-want +got):\n%s", diff)
	}
	for _, name := range []string{"01-ten-pumps.ipynb", "fig-cell-4-1.png", "text-3-1.png"} {
		if tree["assets/lesson-01-ten-pumps/"+name] == nil {
			t.Errorf("the page has no file %s", name)
		}
	}
	if _, err := site.RenderSingle(context.Background(),
		site.Site{Title: "One", Pages: []site.Page{
			{Slug: "index", Title: "Start", Source: "Text."},
			l,
			other,
		}},
		site.Options{}); err != nil {
		t.Errorf("as one file: %v", err)
	}
}

func TestFrame(t *testing.T) {
	n := readNotebook("01-ten-pumps.ipynb")
	l := lessonOf(n, Options{Slug: "lesson", File: "x/01-ten-pumps.ipynb"})
	if l.Title != "Ten pumps" || l.Description != "The question. How fast do ten pumps win, if d < n?" {
		t.Errorf("title %q, description %q", l.Title, l.Description)
	}
	download, err := jupyter.Parse(l.Assets["01-ten-pumps.ipynb"])
	must.Do(t, err)
	for _, c := range download.Cells() {
		if len(c.Outputs) > 0 {
			t.Errorf("the download has outputs of cell %q", c.ID)
		}
	}
	if got := TitleOf("a/03-the-long_hunt.ipynb"); got != "The long hunt" {
		t.Errorf("title of a file: %q", got)
	}
}

// wellFormed fails the test if a page is not well-formed XML, uses an id twice, or contains something that its policy
// forbids.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	ids := map[string]bool{}
	for token := range must.Tokens(t, "the page", []byte(page)) {
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "script", "style", "iframe", "object", "embed", "form", "input", "base", "foreignObject":
			t.Errorf("the page holds <%s>", e.Name.Local)
		}
		for _, a := range e.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Value))
			switch key := strings.ToLower(a.Name.Local); {
			case key == "style" || strings.HasPrefix(key, "on") || key == "srcdoc" || key == "formaction":
				t.Errorf("<%s> has the attribute %s=%q", e.Name.Local, key, a.Value)
			case key == "id" && ids[a.Value]:
				t.Errorf("the id %q is there twice", a.Value)
			case key == "id":
				ids[a.Value] = true
			case (key == "href" || key == "src") && strings.Contains(value, "script:"),
				key == "href" && strings.HasPrefix(value, "data:") && value != "data:,",
				key == "src" && strings.HasPrefix(value, "data:") && !strings.HasPrefix(value, "data:image/"),
				key == "src" && strings.Contains(value, "//"):
				if !strings.HasPrefix(value, "data:image/") {
					t.Errorf("<%s> has %s=%.60q", e.Name.Local, key, a.Value)
				}
			}
		}
	}
}

// cell is a cell of a notebook in the form of its JSON.
type cell = map[string]any

func textCell(id, text string) cell {
	return cell{"cell_type": "markdown", "id": id, "metadata": cell{}, "source": text}
}

func codeCell(id, code string, outputs ...cell) cell {
	c := jupyter.CodeCell(id, code, cell{})
	if outputs != nil {
		c["outputs"] = outputs
	}
	return c
}

func display(mediaType, text string) cell {
	return cell{"output_type": "display_data", "metadata": cell{}, "data": cell{mediaType: text}}
}

func notebook(cells ...cell) *jupyter.Notebook { return jupyter.Compose(cells, nil) }

// pageOf renders a notebook with the given cells, and returns the content of its page.
func pageOf(t *testing.T, cells ...cell) string {
	t.Helper()
	tree, err := renderCells(cells...)
	must.Do(t, err)
	wellFormed(t, string(tree["lesson.html"]))
	return mainOf(tree["lesson.html"])
}

// renderCells renders a notebook with the given cells as the page lesson.html.
func renderCells(cells ...cell) (site.Tree, error) {
	return render(lessonOf(notebook(cells...), Options{Slug: "lesson", File: "n.ipynb"}))
}

func TestHeadings(t *testing.T) {
	heading := regexp.MustCompile(`<h(\d) id="([^"]*)"[^>]*>(?:<span class="number">[^<]*</span> )?([^<]*)`)
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestHeadings") {
		var cells []cell
		for i, text := range strings.Split(row[0], "|") {
			cells = append(cells, textCell(fmt.Sprint("c", i), text))
		}
		var got []string
		for _, m := range heading.FindAllStringSubmatch(pageOf(t, cells...), -1) {
			got = append(got, fmt.Sprintf("%s%s %s", strings.TrimSpace(m[3]), m[1], m[2]))
		}
		title := lessonOf(notebook(cells...), Options{Slug: "lesson", File: "n.ipynb"}).Title
		if title != "T" || strings.Join(got, ", ") != row[1] {
			t.Errorf("%q: title %q, %s, want %s", row[0], title, strings.Join(got, ", "), row[1])
		}
	}
}

// shorter lists the abbreviations in testdata/folds.txtar for folded code with its summary, open code and outputs.
var shorter = []struct {
	long  *regexp.Regexp
	short string
}{
	{regexp.MustCompile(`(?s)<div class="folded-cell"><p class="cell-label" .*?</p><details class="code-fold">` +
		`<summary><span class="callout-kind">Code</span> (.*?)</summary><pre .*?</pre></details></div>`), "{folded $1}"},
	{regexp.MustCompile(`(?s)<div class="fragment"><p class="cell-label" .*?</p></div>` +
		`<pre tabindex="0" role="group" aria-label="Code, go"><code>.*?</pre>`), "{open}"},
	{regexp.MustCompile(`<div class="fragment"><pre class="output" [^>]*><samp>(.*?)</samp></pre></div>`), "{$1}"},
	{
		regexp.MustCompile(`<details class="callout callout-details answer"><summary class="callout-title">(.*?)</summary>`),
		"{answer $1}",
	},
}

// TestFolds compares folds with expectations that were written by hand. In testdata/folds.txtar, a line ==== separates
// the text of a cell from what the page shows: [title] opens a fold, and [/] ends it. A first line "cell TAGS..." adds
// a code cell before the text. The code cell outputs 42 unless the line contains "silent".
func TestFolds(t *testing.T) {
	const open, title = `<details class="callout callout-details"><summary class="callout-title">`, `</summary>`
	archive, err := txtar.ParseFile(filepath.Join("testdata", "folds.txtar"))
	if err != nil || len(archive.Files) < 10 {
		t.Fatal(err)
	}
	folds := regexp.MustCompile(`\[([^\]]+)\]`)
	for _, file := range archive.Files {
		t.Run(file.Name, func(t *testing.T) {
			text, want, _ := strings.Cut(strings.TrimSuffix(string(file.Data), "\n"), "\n====\n")
			want = folds.ReplaceAllString(strings.ReplaceAll(want, "[/]", "</details>"), open+"$1"+title)
			var cells []cell
			if line, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(line, "cell") {
				tags, source := strings.Fields(line)[1:], "// Count.\nx := 1"
				if slices.Contains(tags, "wordless") {
					source = "x := 1"
				}
				output := []cell{{"output_type": "stream", "name": "stdout", "text": "42"}}
				if slices.Contains(tags, "silent") {
					output = nil
				}
				cells, text = append(cells, tagged(codeCell("c", source, output...), tags...)), rest
			}
			page := pageOf(t, append(cells, textCell("t", text))...)
			_, page, _ = strings.Cut(page, "type <code>make jupyter</code> there.</p>\n")
			got := strings.NewReplacer(">\n<", "><").Replace(strings.TrimSpace(page))
			for _, s := range shorter {
				got = s.long.ReplaceAllString(got, s.short)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestFaults checks errors and their positions. Package site tests other faults.
func TestFaults(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestFaults") {
		given := textCell("a", row[1])
		if row[0] != "text" {
			given = codeCell("a", "x", display(row[0], row[1]))
		}
		_, err := renderCells(textCell("t", "# Title"), given)
		must.ErrorContains(t, err, row[2], row[1])
	}
}

// TestBraces checks that text in a notebook never becomes a template call.
func TestBraces(t *testing.T) {
	const braces = `{{ .Value "x" }} {{{ }}} {{/* c */}} {{- ref "y" -}} {{"{{"}} {`
	got := pageOf(t,
		textCell("t", "# T "+braces+"\n\n"+braces+"\n\n`"+braces+"`\n\n<details><summary>"+braces+"</summary>\n\n"+
			braces+"\n</details>"),
		codeCell("c", braces, cell{"output_type": "stream", "name": "stdout", "text": braces},
			display("text/html", "<p>"+braces+"</p>"),
			display("text/markdown", braces), display("image/svg+xml",
				`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>`+strings.ReplaceAll(braces, `"`,
					"'")+
					`</title></svg>`)))
	if n := strings.Count(got, "{{/* c */}}"); n < 8 {
		t.Errorf("the braces stand on the page %d times:\n%s", n, got)
	}
}

func Example() {
	notebook, err := jupyter.Parse([]byte(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
		{"cell_type": "markdown", "id": "t", "metadata": {},
			"source": "# A flood\n\nTen pumps stand before a tank."}
	]}`))
	if err != nil {
		panic(err)
	}
	page := Page(notebook, notebook.Cells(), Options{Slug: Slug("01-flood.ipynb"), File: "notebooks/01-flood.ipynb"})
	fmt.Println(page.Slug, "-", page.Title)
	fmt.Println(page.Description)
	// Output:
	// lesson-01-flood - A flood
	// Ten pumps stand before a tank.
}

// TestByName checks that names are sorted by the numbers in them, and that the order is total: sorting any permutation
// of the names gives the same result.
func TestByName(t *testing.T) {
	want := []string{
		"", "0.md", "00.md", "1-a.md", "01.md", "1.md", "2-b.md", "02-two", "9", "10-ten", "10.md", "a1b2", "a1b10",
		"a2", "a10", "b", "中文.md",
	}
	shuffled := slices.Sorted(slices.Values(want))
	slices.SortFunc(shuffled, ByName)
	if diff := cmp.Diff(want, shuffled); diff != "" {
		t.Error(diff)
	}
	name := rapid.StringOfN(rapid.SampledFrom([]rune("0123a-.ж")), 0, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if ByName(a, b) != -ByName(b, a) || (ByName(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q: %d, %d", a, b, ByName(a, b), ByName(b, a))
		}
		if ByName(a, b) < 0 && ByName(b, c) < 0 && ByName(a, c) >= 0 {
			t.Fatalf("%q, %q, %q are in a circle", a, b, c)
		}
	})
}

// TestSections checks that headings in the text that a page's cell outputs begin sections of the page, unless the text
// is folded.
func TestSections(t *testing.T) {
	form := must.Get(content.Marshal(content.Prose{Text: "## Title {#own}"}))
	shows := jupyter.Output{Type: jupyter.DisplayData, Data: jupyter.Bundle{content.MediaType: must.Get(json.Marshal(
		string(form)))}}
	for tag, inner := range map[string]bool{"": false, TagHideOutput: true} {
		cell := jupyter.Cell{ID: "cell-1", Kind: jupyter.Code, Outputs: []jupyter.Output{shows}, Tags: []string{tag}}
		blocks := Blocks("go", []Shown{{Cell: cell, Hide: tag == ""}}, site.Words{})[0]
		if fold, folded := blocks[len(blocks)-1].(content.Fold); folded {
			blocks = fold.Body
		}
		if got := blocks[len(blocks)-1].(content.Prose); got.Inner != inner || got.Text != "## Title {#own}" {
			t.Errorf("%q: %+v", tag, got)
		}
	}
}
