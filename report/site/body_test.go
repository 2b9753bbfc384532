//go:build linux || darwin || freebsd

package site

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/siegebook/siegebook/report/content"
)

// cellOf is a Markdown cell of a notebook.
func cellOf(name, text string) content.Prose {
	return content.Prose{Text: content.Markdown(text), Place: content.Place{File: "nb/n.ipynb", Cell: name, Line: 1}}
}

// bodySite is onePage with a page "n" that has a body, of the file nb/n.ipynb.
func bodySite(body ...content.Block) Site {
	s := onePage("See [it](n.ipynb#The-Hunt), [there](n.html#the-hunt) and {{ ref \"fig:n/f\" }}.\n")
	s.Pages = append(
		s.Pages,
		Page{
			Slug:  "n",
			Title: "Notebook",
			File:  "nb/n.ipynb",
			Body:  append(body, cellOf("z", "## The Hunt"), ptr(smallFigure("f"))),
		},
	)
	return s
}

func ptr[T any](v T) *T { return &v }

// TestBody renders each kind of block, and what counts through the page.
func TestBody(t *testing.T) {
	table := smallTable("t")
	table.Title = "A <title>"
	corner := content.Table{
		ID:        "t",
		Header:    []content.Cell{content.Text(""), content.Text("x")},
		Rows:      [][]content.Cell{{content.Text("r"), content.Int(1)}},
		RowHeader: true,
	}
	for _, c := range []struct {
		name string
		body []content.Block
		want []string // in this order
	}{
		{"prose", []content.Block{cellOf("a", "*x*")}, []string{"<p><em>x</em></p>"}},
		{"no calls", []content.Block{cellOf("a", "{{ .Value \"x\" }} {{")}, []string{"<p>{{ .Value &quot;x&quot; }} {{</p>"}},
		{"title", []content.Block{cellOf("a", "## One\n\n# Title\n\n# Two\n\n#### Three")}, []string{`<h2 id="one">`, `<h2 id="two">`, `<h3 id="three">`}},
		{"same names", []content.Block{cellOf("a", "## A\n\n## Content\n\n## fig f"), cellOf("b", "## A\n\n## B {#a-2}")}, []string{`id="a"`, `id="content-2"`, `id="fig-f-2"`, `id="a-3"`, `id="a-2"`}},
		{"headings within", []content.Block{cellOf("a", "<details>\n\n# A\n\n</details>\n\n1. x\n\n   # B"), content.Prose{Text: "# C", Inner: true}}, []string{
			"<p><strong>A</strong></p>", "<p><strong>B</strong></p>", "<p><strong>C</strong></p>",
		}},
		{"lists apart", []content.Block{cellOf("a", "- x"), cellOf("b", "- y")}, []string{"<ul>\n<li>x</li>\n</ul>\n<ul>\n<li>y</li>\n</ul>"}},
		{"notes", []content.Block{cellOf("a", "x[^n] y[^two words]\n\n[^n]: N\n\n[^two words]: T"), cellOf("b", "z[^n]\n\n[^n]: M")}, []string{
			`id="fnref:n" href="#fn:n"`, `id="fnref:2" href="#fn:2"`, `</p>`, `<aside class="note" id="fn:n" role="doc-footnote">`, `N`, `id="fn:2"`, `T`,
			`id="fnref:n-2" href="#fn:n-2"`, `<span class="hidden">Note </span>3</a>`, `id="fn:n-2"`, `M`,
		}},
		{"links", []content.Block{cellOf("a", "[x](#The-Hunt) [y](./n.ipynb) [z](n.ipynb#The-Hunt) [top](#Ten-n) [b](b.html#shared)"), cellOf("b", "# Ten $n$")}, []string{
			`<a href="#the-hunt">x</a>`, `<a href="n.html">y</a>`, `<a href="#the-hunt">z</a>`, `<a href="b.html#shared">b</a>`,
		}},
		{"environment", []content.Block{cellOf("a", "\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}")}, []string{`<div class="math`, "<mtable"}},
		{"formula", []content.Block{content.Formula{TeX: "x^2"}}, []string{`<div class="math"`, "<msup>"}},
		{"code", []content.Block{
			content.Code{Language: "go", Text: "x := 1\n", Number: 3, ID: "a b"},
			content.Code{Text: "<x>", Number: 4, ID: "a b"},
			content.Code{Text: "y", Folded: true},
			content.Code{Number: 5},
			content.Code{Language: "go", Text: "func f() {}", Folded: true, Summary: "f does <it>", Number: 6},
			content.Code{Text: "z", Folded: true, Summary: "Count"},
		}, []string{
			`<p class="cell-label" id="n.a-b"><a href="#n.a-b" aria-label="Cell 3, permanent link">[3]</a></p>`, `aria-label="Code, go"`, `id="n.a-b.2"`, "<code>&lt;x&gt;</code>",
			"<div class=\"folded-cell\"><details class=\"code-fold\">\n<summary><span class=\"callout-kind\">Code</span></summary>\n<pre", "<code>y</code></pre>\n</details></div>", `id="n.cell-5"`,
			`<div class="folded-cell"><p class="cell-label" id="n.cell-6">`, `</span> <code>f</code> does &lt;it&gt;</summary>`, `</span> Count</summary>`,
		}},
		{"output", []content.Block{content.Output{Text: "<x>", Label: "a"}, content.Output{Kind: content.Failure, Text: "b"}, content.Output{Kind: content.Remark, Text: "c"}, content.Output{Kind: content.Sentence, Text: "d\n<e>"}}, []string{
			`<pre class="output" tabindex="0" role="group" aria-label="a"><samp>&lt;x&gt;</samp></pre>`, `class="output output-error"`, `<p class="output-note">c</p>`,
			`<p>d<br />&lt;e&gt;</p>`,
		}},
		{"claim", []content.Block{content.Claim{Text: "1 < 2"}, content.Claim{Text: "x", Cases: 12345}, content.Claim{Text: "y", Cases: 1}}, []string{
			`✓</span> 1 &lt; 2</p>`, `✓</span> x</p>`, `<aside class="note" role="note">checked for 12,345 cases</aside>`, "checked for 1 case<",
		}},
		{"table", []content.Block{&table}, []string{`id="tbl-t"`, `href="#tbl-t">Table 3.1</a> A &lt;title&gt;`, `assets/n/tbl-t.csv`}},
		{"empty corner", []content.Block{&corner}, []string{"<thead>\n<tr>\n<td></td>\n<th scope=\"col\" class=\"num\">x</th>", "<th scope=\"row\">r</th>"}},
		{"fold", []content.Block{content.Fold{Title: "See <it>", Body: []content.Block{content.Claim{Text: "x"}, cellOf("a", "y[^n]\n\n[^n]: N"), &table}}, cellOf("b", "z")}, []string{
			"<details class=\"callout callout-details answer\">\n<summary class=\"callout-title\">See &lt;it&gt;</summary>\n<p class=\"claim\">", `href="#fn:n"`, `<aside class="note" id="fn:n" role="doc-footnote">`, `id="tbl-t"`, "</details>\n<p>z</p>",
		}},
		{"figure", nil, []string{`id="fig-f"`, `Figure 3.1</a>`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, err := Render(context.Background(), bodySite(c.body...), Options{Cache: testCache})
			if err != nil {
				t.Fatal(err)
			}
			readDocument(t, "n.html", tree["n.html"])
			_, rest, _ := strings.Cut(string(tree["n.html"]), "<h1>")
			for _, want := range c.want {
				before := rest
				var found bool
				if _, rest, found = strings.Cut(rest, want); !found {
					t.Fatalf("no %s in\n%s", want, before)
				}
			}
			for _, want := range []string{`<a href="n.html#the-hunt">it</a>`, `<a href="n.html#the-hunt">there</a>`, `href="n.html#fig-f">Figure 3.1</a>`} {
				if !strings.Contains(string(tree["a.html"]), want) {
					t.Errorf("no %s in\n%s", want, tree["a.html"])
				}
			}
			if _, err := RenderSingle(context.Background(), bodySite(c.body...), Options{Cache: testCache}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFaultsOfBodies: faults carry file, cell, line and column, in the order of the cells.
func TestFaultsOfBodies(t *testing.T) {
	badTable := smallTable("t")
	badTable.Header[0] = content.Rich("$\\nope$")
	at := func(cell string, line, column int, msg string) *Error {
		return &Error{"nb/n.ipynb", cell, line, column, msg}
	}
	for _, c := range []struct {
		name string
		body []content.Block
		want []*Error
	}{
		{"order", []content.Block{cellOf("b", "x\n\n$\\nope$"), cellOf("a", "<b>\n\n[x](y.ipynb)")}, []*Error{
			at("b", 3, 2, "bad TeX"), at("a", 1, 0, "HTML in the source"), at("a", 3, 0, "the link to \"y.ipynb\" leads nowhere"),
		}},
		{"environment", []content.Block{cellOf("a", "x\n\n\\begin{align}\na \\nope\n\\end{align}")}, []*Error{at("a", 4, 3, "bad TeX")}},
		{"open", []content.Block{cellOf("a", "x\n\n```"), cellOf("b", "y")}, []*Error{at("a", 0, 0, "a block is open")}},
		{"fold", []content.Block{cellOf("a", "- x\n\n  <details>\n  <summary>a\n  b</summary>\n\n  y")}, []*Error{at("a", 3, 0, "<details> without")}},
		{"summary", []content.Block{cellOf("a", "<details>\n<summary>a\n\nb\n</details>")}, []*Error{at("a", 2, 0, "<summary> without")}},
		{"fold across items", []content.Block{cellOf("a", "- <details>\n\n  y\n\n</details>")}, []*Error{at("a", 5, 0, "this </details> stands in another list item than its <details> of line 1")}},
		{"formula", []content.Block{cellOf("a", "x"), content.Formula{TeX: "\\nope"}}, []*Error{at("a", 0, 0, "bad TeX")}},
		{"table", []content.Block{cellOf("a", "x"), &badTable}, []*Error{at("a", 0, 0, "bad TeX")}},
		{"anchors", []content.Block{cellOf("a", "## A {#x}"), cellOf("b", "\n## B {#x}")}, []*Error{at("b", 2, 0, "the anchor #x is taken by a, line 1")}},
		{"kind", []content.Block{struct{ content.Block }{}}, []*Error{at("", 0, 0, "a block of the type")}},
		{"figure", []content.Block{&content.Figure{ID: "g"}}, []*Error{at("", 0, 0, "figure \"g\"")}},
		{"twice", []content.Block{ptr(smallFigure("f"))}, []*Error{at("", 0, 0, "figure \"f\" is given twice")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Render(context.Background(), bodySite(c.body...), Options{Cache: testCache})
			var faults Errors
			if !errors.As(err, &faults) {
				t.Fatalf("error %v", err)
			}
			var got []*Error
			for i, f := range faults {
				if i < len(c.want) && strings.HasPrefix(f.Msg, c.want[i].Msg) {
					f = &Error{f.File, f.Cell, f.Line, f.Column, c.want[i].Msg}
				}
				got = append(got, f)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	s := bodySite()
	s.Pages[3].Source = "x"
	if _, err := Render(context.Background(), s, Options{}); err == nil ||
		err.Error() != `nb/n.ipynb: page "n" has a body and a source: give one of them` {
		t.Errorf("a body and a source: %v", err)
	}
}

// TestFoldsInTexts: chapters have the dialect too.
func TestFoldsInTexts(t *testing.T) {
	tree, err := Render(
		context.Background(),
		onePage(
			"<details><summary>Why $x$?</summary>\n\n- {{ ref \"page:b\" }}\n\n</details>\n\n\\begin{align} x \\label{eq:x} \\end{align}\n",
		),
		Options{Cache: testCache},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<summary class="callout-title">Why <span class="nowrap"><math>`, `<li><a class="ref" href="b.html">B</a></li>`, `id="eq-x"`} {
		if !strings.Contains(string(tree["a.html"]), want) {
			t.Errorf("no %s in\n%s", want, tree["a.html"])
		}
	}
	wantFault(
		t, onePage("x\n\n<details>\n\n## A\n\n</details>"), `a.md:5: the heading "A" stands inside of another block`,
	)
	wantFault(t, onePage("x\n\n```\ny\n"), `a.md:5: a block is open at the end of the text`)
}

func TestOpening(t *testing.T) {
	for _, c := range []struct{ cells, title, paragraph string }{
		{"# A *b* $c$\n\nText `d` of\ntwo lines.\n\nMore.", "A b c", "Text d of two lines."},
		{"text|# A", "A", "text"},
		{"## A|> quoted\n\n# <b>B</b>", "B", "quoted"},
		{"```\ncode\n```", "", ""},
		{"> # A", "", ""},
	} {
		var body []content.Block
		for cell := range strings.SplitSeq(c.cells, "|") {
			body = append(body, cellOf("a", cell))
		}
		if title, paragraph := Opening(body); title != c.title || paragraph != c.paragraph {
			t.Errorf("%q opens with %q, %q, want %q, %q", c.cells, title, paragraph, c.title, c.paragraph)
		}
	}
}

// TestLinear makes sure that the cost of a page grows with what is on it and not with its square: eight times as many
// blocks, headings and lines may cost twenty times as much, and would cost sixty-four. The test
// measures processor time: wall time depends on what else runs.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("renders large pages")
	}
	for _, c := range []struct{ name, text string }{
		{"blocks", ""},
		{"headings", "## Title {#a%d}\n\n"},
		{"lines", "a\n\n{{ \"b\" }}\n\n"},
	} {
		cost := func(n int) time.Duration {
			var text strings.Builder
			for i := range n {
				text.WriteString(strings.ReplaceAll(c.text, "%d", fmt.Sprint(i)))
			}
			page := Page{Slug: "index", Title: "T", Source: text.String()}
			if c.text == "" {
				page.Body = slices.Repeat(
					[]content.Block{
						content.Code{Text: "a", Number: 1, ID: "a"},
						content.Output{Text: "b"},
						content.Prose{Text: "## A"},
					},
					n,
				)
			}
			least := time.Hour
			for range 3 {
				begin := worked(t)
				if _, err := Render(t.Context(), Site{Title: "T", Pages: []Page{page}}, Options{Workers: 1}); err != nil {
					t.Fatal(err)
				}
				least = min(least, worked(t)-begin)
			}
			return least
		}
		const n = 5000
		if small, large := cost(n), cost(8*n); large > 20*small {
			t.Errorf("%s: %d cost %v, %d cost %v", c.name, n, small, 8*n, large)
		} else {
			t.Logf("%s: %d cost %v, %d cost %v", c.name, n, small, 8*n, large)
		}
	}
}

// worked returns the processor's time that this process has used.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
