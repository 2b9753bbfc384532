package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// onePage returns a site with a front page and a page "a" of the given source, in file a.md.
func onePage(source string) Site {
	return Site{Title: "T", Pages: []Page{
		{Slug: "index", Title: "Front", Unnumbered: true, Source: "Text.\n\n## Shared {#shared}\n"},
		{Slug: "a", Title: "A", File: "a.md", Source: source},
		{Slug: "b", Title: "B", Source: "## Shared {#shared}\n\n$$ x \\label{eq:b} $$\n"},
	}}
}

func smallFigure(id string) content.Figure {
	return content.Figure{
		ID:     id,
		Light:  []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		Width:  10,
		Height: 10,
		Alt:    "nothing",
	}
}

func smallTable(id string) content.Table {
	return content.Table{ID: id, Header: []content.Cell{content.Text("x")}, Rows: [][]content.Cell{{content.Int(1)}}}
}

func TestFaultsOfSources(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "faults.txtar"))
	if err != nil || len(archive.Files) < 50 {
		t.Fatalf("%d faults: %v", len(archive.Files), err)
	}
	for _, file := range archive.Files {
		want, source, _ := strings.Cut(strings.TrimSuffix(string(file.Data), "\n"), "\n")
		if before, after, marked := strings.Cut(source, "¦"); marked {
			want += fmt.Sprintf(" ¦%d", len(before)-strings.LastIndex(before, "\n"))
			source = before + after
		}
		t.Run(file.Name, func(t *testing.T) {
			s := onePage(source)
			p := &s.Pages[1]
			p.Values = map[string]any{"n": 1, "nil": nil, "tex": content.Markdown(`\nope`)}
			p.Assets = map[string][]byte{"x.png": samplePNG(t)}
			p.Funcs = map[string]any{
				"fail":  func() (string, error) { return "", errors.New("the claim\ndoes not hold") },
				"list":  func() []int { return []int{1} },
				"lines": func() string { return "a\n\nb\n\nc" },
			}
			if strings.Contains(source, `figure "f"`) {
				p.Figures = []content.Figure{smallFigure("f")}
			}
			wantFault(t, s, want)
		})
	}
}

func TestNear(t *testing.T) {
	pages := []string{
		"castle-tests", "castle-agreement", "castle-counts", "castle-rules", "tower-rules", "naval-rules", "index",
	}
	for name, want := range map[string]string{
		"castle-ruless": "castle-rules, castle-tests, castle-counts",
		"idnex":         "index, ",
	} {
		if got := near(name, pages); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, " and others") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"a", ""}: 1, {"", "ab"}: 2, {"kitten", "sitting"}: 3,
		{"abc", "abc"}: 0, {"ab", "ba"}: 2,
	} {
		if got := edits(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d edits", pair, got)
		}
	}
}

func TestCancelledRender(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Render(ctx, onePage("x"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// wantFault checks that a site is refused, with that fault among others.
func wantFault(t *testing.T, s Site, want string) {
	t.Helper()
	faults := faultsOf(t, s)
	if !slices.ContainsFunc(faults, func(f *Error) bool { return isFault(f, want) }) {
		t.Errorf("faults %q, want %q", faults.Unwrap(), want)
	}
}

// cellOf is a Markdown cell of a notebook.
func cellOf(name, text string) content.Prose {
	return content.Prose{Text: content.Markdown(text), Place: content.Place{File: "nb/n.ipynb", Cell: name, Line: 1}}
}

// bodySite is onePage with a page "n" that has a body, of the file nb/n.ipynb.
func bodySite(body ...content.Block) Site {
	s := onePage("See [it](n.ipynb#The-Hunt), [there](n.html#the-hunt) and {{ ref \"fig:n/f\" }}.\n")
	s.Pages = append(s.Pages, Page{
		Slug: "n", Title: "Notebook", File: "nb/n.ipynb",
		Body: append(body, cellOf("z", "## The Hunt"), ptr(smallFigure("f"))),
	})
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

// siteCase is a case of testdata/sites.yaml.
type siteCase struct {
	Site
	Name        string
	Index, A, B casePage
	N           []caseBlock
	More        []casePage
	Links       []content.Link // of the figure of page a
	Want, Not   map[string][]string
	TermLinks   map[string][]string // the address, then the word
	Faults      []string            // with the column behind ¦, where there is one
}

// casePage is a page whose files are texts.
type casePage struct {
	Page
	Assets, Downloads map[string]string
}

// caseBlock is a block of a body; a cell is its name and its text.
type caseBlock struct {
	Prose  *content.Prose
	Code   *content.Code
	Output *content.Output
	Claim  *content.Claim
	Figure *content.Figure
	Table  *content.Table
	Cell   []string
	Fold   *struct {
		Title string
		Body  []caseBlock
	}
}

func (b caseBlock) block() content.Block {
	switch {
	case b.Prose != nil:
		return *b.Prose
	case b.Code != nil:
		return *b.Code
	case b.Output != nil:
		return *b.Output
	case b.Claim != nil:
		return *b.Claim
	case b.Figure != nil:
		fillFigure(b.Figure)
		return b.Figure
	case b.Table != nil:
		fillTable(b.Table)
		return b.Table
	case b.Cell != nil:
		return cellOf(b.Cell[0], b.Cell[1])
	case b.Fold != nil:
		return content.Fold{Title: b.Fold.Title, Body: blocksOf(b.Fold.Body)}
	}
	return struct{ content.Block }{}
}

func blocksOf(all []caseBlock) (blocks []content.Block) {
	for _, b := range all {
		blocks = append(blocks, b.block())
	}
	return blocks
}

// fillFigure and fillTable add what smallFigure and smallTable have.
func fillFigure(f *content.Figure) {
	if small := smallFigure(f.ID); f.Light == nil {
		f.Light, f.Height, f.Alt = small.Light, small.Height, small.Alt
		if f.Width == 0 {
			f.Width = small.Width
		}
	}
}

func fillTable(t *content.Table) {
	if small := smallTable(t.ID); t.Header == nil {
		t.Header, t.Rows = small.Header, small.Rows
	}
}

func (p casePage) page() Page {
	texts := func(files map[string]string) map[string][]byte {
		data := map[string][]byte{}
		for name, text := range files {
			data[name] = []byte(text)
		}
		return data
	}
	p.Page.Assets, p.Page.Downloads = texts(p.Assets), texts(p.Downloads)
	for i := range p.Figures {
		fillFigure(&p.Figures[i])
	}
	for i := range p.Tables {
		fillTable(&p.Tables[i])
	}
	return p.Page
}

var termLink = regexp.MustCompile(`<a class="term" href="([^"]*)">([^<]*)</a>`)

// TestSites runs the cases of testdata/sites.yaml.
func TestSites(t *testing.T) {
	var cases []any
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile("testdata/sites.yaml")), &cases))
	for _, written := range cases {
		base := bodySite()
		c := siteCase{
			Site: base, Index: casePage{Page: base.Pages[0]}, A: casePage{Page: base.Pages[1]},
			B: casePage{Page: base.Pages[2]},
		}
		decoder := json.NewDecoder(bytes.NewReader(must.Get(json.Marshal(written))))
		decoder.DisallowUnknownFields()
		must.Do(t, decoder.Decode(&c))
		t.Run(c.Name, func(t *testing.T) {
			c.Pages = []Page{c.Index.page(), c.A.page(), c.B.page()}
			if c.N != nil {
				n := base.Pages[3]
				n.Body = append(blocksOf(c.N), n.Body...)
				c.Pages = append(c.Pages, n)
			} else if c.A.Source == base.Pages[1].Source {
				c.Pages[1].Source = "Text.\n"
			}
			for _, p := range c.More {
				c.Pages = append(c.Pages, p.page())
			}
			if c.Links != nil {
				c.Pages[1].Figures[0].Links = c.Links
			}
			for i := range c.Terms {
				c.Terms[i].On = func(slug string) bool { return slug != "off" }
			}
			if c.Faults != nil {
				wantFaults(t, c.Site, c.Faults)
				return
			}
			tree := treeOf(t, c.Site)
			page, index := unpackedIndex(t, tree["search.html"])
			tree["single"], tree["search.html"] = singleOf(t, c.Site), append(page, index...)
			for name, parts := range c.Want {
				if strings.HasSuffix(name, ".html") && name != "search.html" {
					readDocument(t, name, tree[name])
				}
				rest := string(tree[name])
				for _, want := range parts {
					before, after, found := strings.Cut(rest, want)
					if rest = after; !found {
						t.Fatalf("%s: no %s in\n%s", name, want, before)
					}
				}
			}
			for name, want := range c.TermLinks {
				links := []string{}
				for _, m := range termLink.FindAllSubmatch(tree[name], -1) {
					links = append(links, string(m[1])+" "+string(m[2]))
				}
				if diff := cmp.Diff(want, links); diff != "" {
					t.Errorf("%s: other links to terms (-want +got):\n%s", name, diff)
				}
			}
			for name, parts := range c.Not {
				if parts == nil && tree[name] != nil {
					t.Errorf("there is a file %s", name)
				}
				for _, bad := range parts {
					if strings.Contains(string(tree[name]), bad) {
						t.Errorf("%s has %s:\n%s", name, bad, tree[name])
					}
				}
			}
		})
	}
}

// wantFaults checks that a site is refused, with faults that begin so, in this order.
func wantFaults(t *testing.T, s Site, want []string) {
	t.Helper()
	faults := faultsOf(t, s)
	var got []string
	for i, f := range faults {
		got = append(got, f.Error())
		if i < len(want) && isFault(f, want[i]) {
			got[i] = want[i]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// faultsOf are the faults for which a site is refused, each on one line.
func faultsOf(t *testing.T, s Site) (faults Errors) {
	t.Helper()
	_, err := Render(t.Context(), s, Options{Cache: testCache})
	if !errors.As(err, &faults) {
		t.Fatalf("err = %v", err)
	}
	if more := fmt.Sprintf("(and %d more)", len(faults)-1); len(faults) > 1 && !strings.HasSuffix(err.Error(), more) {
		t.Errorf("the error does not end with %s: %v", more, err)
	}
	for _, f := range faults {
		if strings.Contains(f.Error(), "\n") {
			t.Errorf("an error of several lines: %q", f)
		}
	}
	return faults
}

// isFault says whether a fault begins with a text, and has the column behind ¦, if there is one.
func isFault(f *Error, want string) bool {
	text, column, marked := strings.Cut(want, " ¦")
	return strings.HasPrefix(f.Error(), text) && (!marked || column == strconv.Itoa(f.Column))
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
