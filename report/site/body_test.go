//go:build linux || darwin || freebsd

package site

import (
	"context"
	"errors"
	"strings"
	"testing"

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
		{"heading of an inner cell", []content.Block{content.Prose{Text: "# C", Inner: true}}, []string{
			"<p><strong>C</strong></p>",
		}},
		{"code", []content.Block{
			content.Code{Language: "go", Text: "x := 1\n", Number: 3, ID: "a b"},
			content.Code{Text: "<x>", Number: 4, ID: "a b"},
			content.Code{Text: "y", Folded: true},
			content.Code{Number: 5},
			content.Code{Language: "go", Text: "func f() {}", Folded: true, Summary: "f does <it>", Number: 6},
			content.Code{Text: "z", Folded: true, Summary: "Count"},
		}, []string{
			`<p class="cell-label" id="n.a-b"><a href="#n.a-b" aria-label="Cell 3, permanent link">[3]</a></p>`,
			`aria-label="Code, go"`, `id="n.a-b.2"`, "<code>&lt;x&gt;</code>",
			"<div class=\"folded-cell\"><details class=\"code-fold\">\n<summary><span " +
				"class=\"callout-kind\">Code</span></summary>\n<pre", "<code>y</code></pre>\n</details></div>",
			`id="n.cell-5"`,
			`<div class="folded-cell"><p class="cell-label" id="n.cell-6">`,
			`</span> <code>f</code> does &lt;it&gt;</summary>`, `</span> Count</summary>`,
		}},
		{"output", []content.Block{
			content.Output{Kind: content.Printed, Text: "<x>", Label: "a"},
			content.Output{Kind: content.Failure, Text: "b"},
			content.Output{Kind: content.Remark, Text: "c"},
			content.Output{Kind: content.Sentence, Text: "d\n<e>"},
		}, []string{
			`<pre class="output" tabindex="0" role="group" aria-label="a"><samp>&lt;x&gt;</samp></pre>`,
			`class="output output-error"`, `<p class="output-note">c</p>`, `<p>d<br />&lt;e&gt;</p>`,
		}},
		{"claim", []content.Block{
			content.Claim{Text: "1 < 2"},
			content.Claim{Text: "x", Cases: 12345},
			content.Claim{Text: "y", Cases: 1},
		}, []string{
			`✓</span> 1 &lt; 2</p>`, `✓</span> x</p>`,
			`<aside class="note" role="note">checked for 12,345 cases</aside>`, "checked for 1 case<",
		}},
		{"table", []content.Block{&table}, []string{
			`id="tbl-t"`, `href="#tbl-t">Table 3.1</a> A &lt;title&gt;`, `assets/n/tbl-t.csv`,
		}},
		{
			"empty corner",
			[]content.Block{&corner},
			[]string{"<thead>\n<tr>\n<td></td>\n<th scope=\"col\" class=\"num\">x</th>", "<th scope=\"row\">r</th>"},
		},
		{
			"fold",
			[]content.Block{content.Fold{
				Title: "See <it>",
				Body:  []content.Block{content.Claim{Text: "x"}, cellOf("a", "y[^n]\n\n[^n]: N"), &table},
			}, cellOf("b", "z")},
			[]string{
				"<details class=\"callout callout-details answer\">\n<summary class=\"callout-title\">See " +
					"&lt;it&gt;</summary>\n<p class=\"claim\">", `href="#fn:n"`,
				`<aside class="note" id="fn:n" role="doc-footnote">`, `id="tbl-t"`,
				"</details>\n<p>z</p>",
			},
		},
		{"figure", nil, []string{`id="fig-f"`, `Figure 3.1</a>`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := treeOf(t, bodySite(c.body...))
			readDocument(t, "n.html", tree["n.html"])
			_, rest, _ := strings.Cut(string(tree["n.html"]), "<h1>")
			for _, want := range c.want {
				before := rest
				var found bool
				if _, rest, found = strings.Cut(rest, want); !found {
					t.Fatalf("no %s in\n%s", want, before)
				}
			}
			wantParts(t, tree["a.html"],
				`<a href="n.html#the-hunt">it</a>`, `<a href="n.html#the-hunt">there</a>`,
				`href="n.html#fig-f">Figure 3.1</a>`,
			)
			singleOf(t, bodySite(c.body...))
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
			at("b", 3, 2, "bad TeX"), at("a", 1, 0, "HTML in the source"),
			at("a", 3, 0, "the link to \"y.ipynb\" leads nowhere"),
		}},
		{
			"environment",
			[]content.Block{cellOf("a", "x\n\n\\begin{align}\na \\nope\n\\end{align}")},
			[]*Error{at("a", 4, 3, "bad TeX")},
		},
		{
			"open",
			[]content.Block{cellOf("a", "x\n\n```"), cellOf("b", "y")},
			[]*Error{at("a", 0, 0, "a block is open")},
		},
		{
			"fold",
			[]content.Block{cellOf("a", "- x\n\n  <details>\n  <summary>a\n  b</summary>\n\n  y")},
			[]*Error{at("a", 3, 0, "<details> without")},
		},
		{
			"summary",
			[]content.Block{cellOf("a", "<details>\n<summary>a\n\nb\n</details>")},
			[]*Error{at("a", 2, 0, "<summary> without")},
		},
		{
			"fold across items",
			[]content.Block{cellOf("a", "- <details>\n\n  y\n\n</details>")},
			[]*Error{at("a", 5, 0, "this </details> stands in another list item than its <details> of line 1")},
		},
		{"table", []content.Block{cellOf("a", "x"), &badTable}, []*Error{at("a", 0, 0, "bad TeX")}},
		{
			"anchors",
			[]content.Block{cellOf("a", "## A {#x}"), cellOf("b", "\n## B {#x}")},
			[]*Error{at("b", 2, 0, "the anchor #x is taken by a, line 1")},
		},
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

func entriesPage(source string, entries ...content.Entry) Site {
	s := onePage(source)
	s.Pages[1].Entries = []content.Entries{{ID: "list", Entries: entries}}
	return s
}

func sampleEntry(id string) content.Entry {
	verdict := content.Text("wrong").Marked(content.Mark{Tone: content.Red, Sign: "✗", Meaning: "not true"})
	return content.Entry{
		ID:      id,
		Title:   "The " + id,
		Where:   "post I",
		Verdict: verdict,
		Parts:   []content.Part{{Name: "Printed", Text: "$x$ is 1."}, {Name: "True", Text: "*no*, 12345."}},
	}
}

// TestEntries: each entry is a row that unfolds, with an anchor that references and the search lead to.
func TestEntries(t *testing.T) {
	other := sampleEntry("other")
	other.Parts = append(
		other.Parts[1:], content.Part{Name: "Code", Code: content.Code{Language: "go", Text: "if a < 12345"}},
	)
	s := entriesPage(
		"## S\n\nSee {{ ref \"sec:one\" }} and {{ ref \"sec:a/other\" \"that\" }}.\n\n{{ entries \"list\" `All "+
			"*entries*` "+"}}\n\n### After\n",
		sampleEntry("one"), other,
	)
	s.Pages[2].Source += "\n{{ ref \"sec:a/one\" }}\n"
	tree := treeOf(t, s)
	readDocument(t, "a.html", tree["a.html"])
	page := string(tree["a.html"])
	wantParts(t, page,
		`See <a class="ref" href="#one">“The one”</a> and <a class="ref" href="#other">that</a>.`,
		`<p class="entries-caption" id="entries-list.caption">All <em>entries</em></p>`,
		`<summary><h3 id="one">The one</h3> <small>post I</small> <small><span class="verdict `+
			`tone-red">wrong <span class="sign" aria-hidden="true">✗</span>`,
		"<dt>Printed</dt>", `<dd><em>no</em>, 12,345.</dd>`, `<span class="legend-label">not true</span>`, "<dd>\n<pre",
		"a &lt; <span class=\"tok-number\">12345</span></code></pre>", `href="assets/a/entries-list.csv"`,
		`<span class="number">1.1.1</span> After`,
	)
	if strings.Count(page, "The one") != 3 { // the reference, the row, and the name of its link
		t.Errorf("the entry stands elsewhere too: in the contents?\n%s", page)
	}
	if want := "where,title,verdict,Printed,True,Code\npost I,The one,wrong,x is 1.,\"no, 12345.\",\npost I,The " +
		"other,wrong,,\"no, 12345.\",if a < 12345\n"; string(tree["assets/a/entries-list.csv"]) != want {
		t.Errorf("the CSV is %q, want %q", tree["assets/a/entries-list.csv"], want)
	}
	if want := `<a class="ref" href="a.html#one">“The one”</a>`; !strings.Contains(string(tree["b.html"]), want) {
		t.Errorf("no %s in\n%s", want, tree["b.html"])
	}
	found := false
	for _, section := range readIndex(t, tree["search.html"]).Sections {
		text, _ := section[3].(string)
		found = found || section[1] == "The one" && section[2] == "a.html#one" && strings.Contains(text, "no, 12,345.")
		if strings.Contains(text, "Link to ") {
			t.Errorf("the search has the link of an entry: %v", section)
		}
	}
	if !found {
		t.Errorf("the search does not know the entry: %v", readIndex(t, tree["search.html"]).Sections)
	}
	if strings.Contains(string(tree["search.html"]), `href="a.html#one"`) {
		t.Error("the list of headings has an entry")
	}
	singleOf(t, s)
}

func TestFaultsOfEntries(t *testing.T) {
	for want, source := range map[string]string{
		`a.md:2: entries "list" is never placed: add {{ entries "list" "caption" }} or leave it out`: "## S\n",
		`a.md:3: there is no entries "no"; the page has list`: "## S\n\n{{ entries \"no\" \"c\" }}\n\n" +
			"{{ entries \"list\" \"c\" }}",
		`a.md:3: {{ ref "sec:no" }}: there is no such target; near it are sec:one`: "## S\n\n{{ ref \"sec:no\" }}\n\n" +
			"{{ entries \"list\" \"c\" }}",
		`a.md:3: the anchor #one is taken by`: "## One\n\n{{ entries \"list\" \"c\" }}\n",
	} {
		wantFault(t, entriesPage(source, sampleEntry("one")), want)
	}
	placed := "## S\n\n{{ entries \"list\" \"c\" }}\n"
	e := sampleEntry("one")
	e.Parts[0].Text = "a\n\nb"
	wantFault(t, entriesPage(placed, e), `a.md:3: the part "Printed" of entry "one" is not text within a line`)
}

// TestWide: what is wider than the text's column goes on into the margin, and drawings are enlarged where there is
// room.
func TestWide(t *testing.T) {
	for _, c := range []struct{ width, height, shownWidth, shownHeight int }{
		{560, 334, 784, 468}, {716, 170, 1002, 238}, {560, 600, 672, 720}, {492, 1046, 492, 1046},
	} {
		f := smallFigure("f")
		f.Width, f.Height = c.width, c.height
		if w, h := shownSize(&f); w != c.shownWidth || h != c.shownHeight {
			t.Errorf("%d x %d is shown as %d x %d, want %d x %d", c.width, c.height, w, h, c.shownWidth, c.shownHeight)
		}
		f.Light = samplePNG(t)
		if w, h := shownSize(&f); w != c.width || h != c.height {
			t.Errorf("an image of %d x %d pixels is shown as %d x %d", c.width, c.height, w, h)
		}
	}
	for letters, wide := range map[int]bool{48: false, 49: true} {
		for width, wideFigure := range map[int]bool{571: false, 572: true} {
			s := onePage("{{ figure \"f\" \"c\" }}\n\n{{ table \"t\" \"c\" }}\n")
			f, tbl := smallFigure("f"), smallTable("t")
			f.Width, f.Height = width, 300
			text := content.Text(strings.Repeat("x", letters))
			tbl.Header, tbl.Rows = []content.Cell{text, text}, nil
			s.Pages[1].Figures, s.Pages[1].Tables = []content.Figure{f}, []content.Table{tbl}
			tree := treeOf(t, s)
			page := string(tree["a.html"])
			if got := strings.Contains(page, `class="table-block wide"`); got != wide {
				t.Errorf("a table of two columns of %d letters is wide: %t", letters, got)
			}
			if got := strings.Contains(page, `class="figure-block wide"`); got != wideFigure {
				t.Errorf("a figure of %d pixels is wide: %t", width, got)
			}
		}
	}
}
