package lesson

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/site"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// tester is what the helpers of these tests need of a *testing.T, *testing.F or *rapid.T.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// readNotebook reads a notebook of testdata.
func readNotebook(t tester, name string) *jupyter.Notebook {
	t.Helper()
	n, err := jupyter.Read(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// render renders lessons as a site of their own.
func render(t tester, lessons ...Lesson) (site.Tree, error) {
	t.Helper()
	s := site.Site{Title: "Lessons", Pages: []site.Page{{
		Slug: "index", Title: "Start", Source: "Text.",
		Unnumbered: true,
	}}}
	for _, l := range lessons {
		s.Pages = append(s.Pages, l.Page)
	}
	return site.Render(context.Background(), s, site.Options{Workers: 1})
}

// mainOf returns the part of a page that is its own.
func mainOf(page []byte) string {
	_, text, _ := strings.Cut(string(page), `<main id="content">`)
	text, _, _ = strings.Cut(text, `<nav class="pager"`)
	return text
}

func TestGolden(t *testing.T) {
	l := Page(readNotebook(t, "01-ten-soldiers.ipynb"), Options{
		Slug: "lesson-01-ten-soldiers", File: "testdata/01-ten-soldiers.ipynb", Note: "The {{kernel}} is *old*.",
	})
	other := Page(notebook(t, textCell("t", "# Search\n\n## The flood\n\nText.")),
		Options{Slug: "lesson-02-search", File: "testdata/02-search.ipynb"})
	tree, err := render(t, l, other)
	if err != nil {
		t.Fatal(err)
	}
	page := tree["lesson-01-ten-soldiers.html"]
	wellFormed(t, string(page))
	golden := filepath.Join("testdata", "lesson.golden.html")
	if *update {
		if err := os.WriteFile(golden, []byte(mainOf(page)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v; run go test -update", err)
	}
	if diff := cmp.Diff(string(want), mainOf(page)); diff != "" {
		t.Errorf("the page changed; look at it, then run go test -update (-want +got):\n%s", diff)
	}
	for _, name := range []string{"01-ten-soldiers.ipynb", "fig-cell-4-1.png", "text-3-1.png"} {
		if tree["assets/lesson-01-ten-soldiers/"+name] == nil {
			t.Errorf("the page has no file %s", name)
		}
	}
	if _, err := site.RenderSingle(context.Background(),
		site.Site{Title: "One", Pages: []site.Page{
			{Slug: "index", Title: "Start", Source: "Text."},
			l.Page,
			other.Page,
		}},
		site.Options{}); err != nil {
		t.Errorf("as one file: %v", err)
	}
}

func TestFrame(t *testing.T) {
	n := readNotebook(t, "01-ten-soldiers.ipynb")
	l := Page(n, Options{Slug: "lesson", File: "x/01-ten-soldiers.ipynb"})
	if l.Page.Title != "Ten soldiers" || l.Page.Description != "The question. How fast do ten soldiers win, if d < n?" {
		t.Errorf("title %q, description %q", l.Page.Title, l.Page.Description)
	}
	download, err := jupyter.Parse(l.Page.Assets["01-ten-soldiers.ipynb"])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range download.Cells() {
		if len(c.Outputs) > 0 {
			t.Errorf("the download has outputs of cell %q", c.ID)
		}
	}
	if got := titleOf("a/03-the-long_hunt.ipynb"); got != "The long hunt" {
		t.Errorf("title of a file: %q", got)
	}
}

// wellFormed fails if a page is no XML, has an id twice, or holds what its policy forbids.
func wellFormed(t tester, page string) {
	t.Helper()
	_, body, _ := strings.Cut(page, "<html") // the document type of HTML is not XML's
	d := xml.NewDecoder(strings.NewReader("<html" + body))
	d.Entity = xml.HTMLEntity
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
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

// cell is a cell of a notebook as its JSON has it.
type cell = map[string]any

func textCell(id, text string) cell {
	return cell{"cell_type": "markdown", "id": id, "metadata": cell{}, "source": text}
}

func codeCell(id, code string, outputs ...cell) cell {
	if outputs == nil {
		outputs = []cell{}
	}
	return cell{
		"cell_type": "code", "id": id, "metadata": cell{}, "execution_count": nil, "source": code,
		"outputs": outputs,
	}
}

func display(mediaType, text string) cell {
	return cell{"output_type": "display_data", "metadata": cell{}, "data": cell{mediaType: text}}
}

func notebook(t tester, cells ...cell) *jupyter.Notebook {
	t.Helper()
	data, err := json.Marshal(cell{
		"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": cell{
			"language_info": cell{"name": "go"},
			"kernelspec":    cell{"name": "siegebook", "display_name": "Go", "language": "go"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	n, err := jupyter.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// pageOf renders one notebook and returns the part of the page that is its own.
func pageOf(t tester, cells ...cell) (string, error) {
	t.Helper()
	tree, err := render(t, Page(notebook(t, cells...), Options{Slug: "lesson", File: "n.ipynb"}))
	if err != nil {
		return "", err
	}
	wellFormed(t, string(tree["lesson.html"]))
	return mainOf(tree["lesson.html"]), nil
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct{ cells, want string }{
		{"# T|## A|### B|## C", "A2 a, B3 b, C2 c"},
		{"# T|# A|## B|# C", "A2 a, B3 b, C2 c"},
		{"# T|### A|##### B", "A2 a, B3 b"},
		{"## A|# T|## B", "A2 a, B2 b"},
		{"# T|## A|## A|## φ|## Top", "A2 a, A2 a-2, φ2 section, Top2 top-2"},
		{"# T|A\n===\n\ntext|B {#other}\n---", "A2 a, B3 other"},
		{"# T|## A|<details>\n\n# B\n\n</details>\n\n- # C|### D", "A2 a, D3 d"},
	} {
		var cells []cell
		for i, text := range strings.Split(c.cells, "|") {
			cells = append(cells, textCell(fmt.Sprint("c", i), text))
		}
		n := notebook(t, cells...)
		page, err := pageOf(t, cells...)
		var got []string
		for _, m := range regexp.MustCompile(`<h(\d) id="([^"]*)"[^>]*>(?:<span class="number">[^<]*</span> )?([^<]*)`).FindAllStringSubmatch(page, -1) {
			got = append(got, fmt.Sprintf("%s%s %s", strings.TrimSpace(m[3]), m[1], m[2]))
		}
		if title := Page(n, Options{Slug: "lesson", File: "n.ipynb"}).Page.Title; err != nil || title != "T" ||
			strings.Join(got, ", ") != c.want {
			t.Errorf("%q: title %q, %s, want %s, %v", c.cells, title, strings.Join(got, ", "), c.want, err)
		}
	}
}

// TestFolds compares folds with what is written by hand.
func TestFolds(t *testing.T) {
	const open, title, end = `<details class="callout callout-details"><summary class="callout-title">`, `</summary>`,
		`</details>`
	fold := func(summary, text string) string { return open + summary + title + text + end }
	for _, c := range []struct{ name, text, want string }{
		{"plain", "<details><summary>Answer</summary>\n\nYes.\n\n</details>", fold("Answer", "<p>Yes.</p>")},
		{
			"with a style", "<details><summary " +
				"style=\"display:list-item;cursor:pointer\">Answer</summary>\n\nYes.\n\n</details>",
			fold("Answer", "<p>Yes.</p>"),
		},
		{
			"no summary", "<details>\n\nYes.\n</details>\nMore.",
			`<details class="callout callout-details"><summary class="callout-title"><span ` +
				`class="callout-kind">Details</span></summary><p>Yes.</p></details><p>More.</p>`,
		},
		{"one line", "<details><summary>A *b*</summary>Yes.</details>", fold("A <em>b</em>", "<p>Yes.</p>")},
		{
			"one line and more", "<details><summary>A</summary>Yes.</details>\nMore.",
			fold("A", "<p>Yes.</p>") + "<p>More.</p>",
		},
		{"summary below", "<details>\n<summary>A</summary>\n\nYes.\n</details>", fold("A", "<p>Yes.</p>")},
		{"summary of lines", "<details>\n<summary>\nA\nb\n</summary>\nYes.\n</details>", fold("A\nb", "<p>Yes.</p>")},
		{
			"summary with icon", "<details><summary><i class=\"fa\"></i>A</summary>\nYes.\n</details>",
			fold("A", "<p>Yes.</p>"),
		},
		{"capitals", "<DETAILS><SUMMARY>A</SUMMARY>\nYes.\n</DETAILS>", fold("A", "<p>Yes.</p>")},
		{
			"code", "<details><summary>A</summary>\n\n```\n  x  \n</details>\n```\n</details>",
			fold("A", `<pre tabindex="0" role="group" aria-label="Code"><code>  x  `+"\n&lt;/details&gt;\n"+
				`</code></pre>`),
		},
		{
			"in a list", "1. Q\n\n   <details><summary>A</summary>\n\n   Yes.\n   </details>",
			"<ol><li><p>Q</p>" + fold("A", "<p>Yes.</p>") + "</li></ol>",
		},
		{
			"a list inside", "<details><summary>A</summary>\n\n- x\n- y\n</details>\n\nMore.",
			fold("A", "<ul><li>x</li><li>y</li></ul>") + "<p>More.</p>",
		},
		{
			"nested", "<details><summary>A</summary>\n\n<details><summary>B</summary>\n\nx\n</details>\n</details>",
			fold("A", fold("B", "<p>x</p>")),
		},
		{
			"nested in lines", "<details><summary>A</summary>\n<details><summary>B</summary>x</details>\n</details>",
			fold("A", fold("B", "<p>x</p>")),
		},
		{"heading", "<details><summary>A</summary>\n\n## H\n</details>", fold("A", "<p><strong>H</strong></p>")},
		{"not a tag", "`<details>` and \\<details>", "<p><code>&lt;details&gt;</code> and &lt;details&gt;</p>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page, err := pageOf(t, textCell("t", c.text))
			if err != nil {
				t.Fatal(err)
			}
			_, page, _ = strings.Cut(page, "type <code>make jupyter</code> there.</p>\n")
			got := strings.NewReplacer(">\n<", "><").Replace(strings.TrimSpace(page))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestFaults are errors with their places.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		cell cell
		want string
	}{
		{
			"open fold", textCell("a", "x\n\n<details><summary>A</summary>\n\ny"),
			`n.ipynb: cell "a", line 3: <details> without </details>`,
		},
		{"closed fold", textCell("a", "</details>"), `n.ipynb: cell "a", line 1: </details> without <details>`},
		{"summary", textCell("a", "<summary>x</summary>"), `n.ipynb: cell "a", line 1: <summary> outside of <details>`},
		{
			"fold across items", textCell("a", "- x\n\n  <details>\n\n  y\n\n</details>"),
			`another list item than its <details> of line 3`,
		},
		{"open fence", textCell("a", "x\n\n```go\ny"), `n.ipynb: cell "a": a block is open at the end`},
		{"open comment", textCell("a", "<!-- x"), `n.ipynb: cell "a": a block is open at the end`},
		{"html", textCell("a", "one\n\ntwo <b>x</b>"), `n.ipynb: cell "a", line 3: HTML in the source`},
		{"script", textCell("a", "<script>alert(1)</script>"), `n.ipynb: cell "a", line 1: HTML in the source`},
		{
			"script in fold", textCell("a", "<details><summary>A</summary><script>x</script></details>"),
			`n.ipynb: cell "a", line 1: HTML in the source`,
		},
		{"bad TeX", textCell("a", "## H\n\n$\\nonsense$"), `n.ipynb: cell "a", line 3: bad TeX`},
		{
			"bad TeX in fold", textCell("a", "<details><summary>A</summary>\n\n$\\nonsense$\n</details>"),
			`n.ipynb: cell "a", line 3: bad TeX`,
		},
		{
			"javascript link", textCell("a", "x\n[y](javascript:alert)"),
			`n.ipynb: cell "a", line 2: the link to "javascript:alert" has a scheme`,
		},
		{
			"lost link", textCell("a", "[y](09-lost.ipynb)"),
			`n.ipynb: cell "a", line 1: the link to "09-lost.ipynb" leads nowhere`,
		},
		{
			"bad output of ours", codeCell("b", "x", display("text/markdown", "a\n\n$\\nonsense$")),
			`n.ipynb: cell "b", output, line 3: bad TeX`,
		},
		{
			"open output of ours", codeCell("b", "x", display("text/markdown", "```")),
			`n.ipynb: cell "b", output: a block is open`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := pageOf(t, textCell("t", "# Title"), c.cell)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v\nwant %s", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %v", err)
			}
		})
	}
}

// TestBraces makes sure that no text of a notebook is a template call.
func TestBraces(t *testing.T) {
	const braces = `{{ .Value "x" }} {{{ }}} {{/* c */}} {{- ref "y" -}} {{"{{"}} {`
	got, err := pageOf(t,
		textCell("t", "# T "+braces+"\n\n"+braces+"\n\n`"+braces+"`\n\n<details><summary>"+braces+"</summary>\n\n"+
			braces+"\n</details>"),
		codeCell("c", braces, cell{"output_type": "stream", "name": "stdout", "text": braces},
			display("text/html", "<p>"+braces+"</p>"),
			display("text/markdown", braces), display("image/svg+xml",
				`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>`+strings.ReplaceAll(braces, `"`,
					"'")+
					`</title></svg>`)))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got, "{{/* c */}}"); n < 8 {
		t.Errorf("the braces stand on the page %d times:\n%s", n, got)
	}
}
