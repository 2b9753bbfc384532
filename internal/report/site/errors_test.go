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

// onePage returns a site with a front page, a page "a" with the given source in the file a.md, and a page "b".
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

// TestColonsInWords checks that only a word between colons that stands apart is taken for the name of a sign.
func TestColonsInWords(t *testing.T) {
	treeOf(t, onePage("Not a:fast: or 12:30:15, nor `x`:fast: and x:a: and [words](index.html):fast:.\n"))
}

func TestCancelledRender(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Render(ctx, onePage("x"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// wantFault checks that a site is refused, and that the wanted fault is among the faults.
func wantFault(t *testing.T, s Site, want string) {
	t.Helper()
	faults := faultsOf(t, s)
	if !slices.ContainsFunc(faults, func(f *Error) bool { return isFault(f, want) }) {
		t.Errorf("faults %q, want %q", faults.Unwrap(), want)
	}
}

// cellOf returns a Markdown cell of a notebook.
func cellOf(name, text string) content.Prose {
	return content.Prose{Text: content.Markdown(text), Place: content.Place{File: "nb/n.ipynb", Cell: name, Line: 1}}
}

// bodySite returns onePage with a page "n" that has a body, from the file nb/n.ipynb.
func bodySite(body ...content.Block) Site {
	s := onePage("See [it](n.ipynb#The-Hunt), [there](n.html#the-hunt) and {{ ref \"fig:n/f\" }}.\n")
	s.Pages = append(s.Pages, Page{
		Slug: "n", Title: "Notebook", File: "nb/n.ipynb",
		Body: append(body, cellOf("z", "## The Hunt"), ptr(smallFigure("f"))),
	})
	return s
}

func ptr[T any](v T) *T { return &v }

// siteCase is a case of testdata/sites.yaml.
type siteCase struct {
	Site
	Name        string
	Index, A, B casePage
	N           []caseBlock
	More        []casePage
	Links       []content.Link // the links of the figure on page a
	Want, Not   map[string][]string
	Count       map[string]map[string]int // how often a file contains a text
	TermLinks   map[string][]string       // the address and the word of each link to a term
	NoEnglish   bool                      // the words contain no English, so the pages must not contain any either
	Faults      []string                  // each followed by ¦ and the column, if it has one
}

// casePage is a page in YAML, with its files as texts.
type casePage struct {
	Page
	Assets, Downloads map[string]string
	Cells             []caseBlock // the cells of a page with a body
	Repeat            int         // how often to repeat the rows of the figures' data; 0 means once
}

// caseBlock is a block of a body. A cell is written as its name and its text.
type caseBlock struct {
	Prose  *content.Prose
	Code   *caseCode
	Output *content.Output
	Claim  *content.Claim
	Figure *content.Figure
	Table  *content.Table
	Cell   []string
	Markup string // untrusted HTML
	Fold   *struct {
		Title string
		Body  []caseBlock
	}
}

// caseCode is like content.Code, but its JSON form has all fields.
type caseCode struct {
	Language, Text string
	Folded         bool
	Summary        string
	Place          content.Place
	Number         int
	ID             string
}

func (b caseBlock) block() content.Block {
	switch {
	case b.Prose != nil:
		return *b.Prose
	case b.Code != nil:
		return content.Code(*b.Code)
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
	case b.Markup != "":
		return foreignMarkup(b.Markup)
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

// fillFigure and fillTable set missing fields to the values in smallFigure and smallTable.
func fillFigure(f *content.Figure) {
	if small := smallFigure(f.ID); f.Light == nil {
		f.Light = small.Light
		if f.Alt == "" {
			f.Alt = small.Alt
		}
		if f.Width == 0 {
			f.Width = small.Width
		}
		if f.Height == 0 {
			f.Height = small.Height
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
	p.Body, p.Funcs = blocksOf(p.Cells), map[string]any{
		"callouts": func() []string { return calloutNames }, "repeat": strings.Repeat,
	}
	for i := range p.Figures {
		fillFigure(&p.Figures[i])
		p.Figures[i].Data.Rows = slices.Repeat(p.Figures[i].Data.Rows, max(1, p.Repeat))
	}
	for i := range p.Tables {
		fillTable(&p.Tables[i])
	}
	return p.Page
}

var termLink = regexp.MustCompile(`<a class="term" href="([^"]*)">([^<]*)</a>`)

// readCase decodes a case from testdata/sites.yaml.
func readCase(t testing.TB, written any) siteCase {
	t.Helper()
	base := bodySite()
	c := siteCase{
		Site: base, Index: casePage{Page: base.Pages[0]}, A: casePage{Page: base.Pages[1]},
		B: casePage{Page: base.Pages[2]},
	}
	decoder := json.NewDecoder(bytes.NewReader(must.Get(json.Marshal(written))))
	decoder.DisallowUnknownFields()
	must.Do(t, decoder.Decode(&c))
	return c
}

// site returns the site of the case.
func (c *siteCase) site() Site {
	s, base := c.Site, bodySite()
	s.Pages = []Page{c.Index.page(), c.A.page(), c.B.page()}
	if c.N != nil {
		n := base.Pages[3]
		n.Body = append(blocksOf(c.N), n.Body...)
		s.Pages = append(s.Pages, n)
	} else if c.A.Source == base.Pages[1].Source {
		s.Pages[1].Source = "Text.\n"
	}
	for _, p := range c.More {
		s.Pages = append(s.Pages, p.page())
	}
	if c.Links != nil {
		s.Pages[1].Figures[0].Links = c.Links
	}
	for i := range s.Terms {
		s.Terms[i].On = func(slug string) bool { return slug != "off" }
	}
	if c.NoEnglish {
		s.Words = wordless()
	}
	return s
}

// TestSites runs the cases of testdata/sites.yaml.
func TestSites(t *testing.T) {
	var cases []any
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile("testdata/sites.yaml")), &cases))
	for _, written := range cases {
		c := readCase(t, written)
		t.Run(c.Name, func(t *testing.T) {
			c.Site = c.site()
			if c.Faults != nil {
				wantFaults(t, c.Site, c.Faults)
				return
			}
			tree := treeOf(t, c.Site)
			tree["single"] = singleOf(t, c.Site)
			checkEPUB(t, "e-book", epubOf(t, c.Site))
			for name, page := range tree {
				if name == "single" || strings.HasSuffix(name, ".html") {
					checkPolicy(t, name, page)
					readDocument(t, name, page)
					if c.NoEnglish {
						noEnglish(t, name, page)
					}
				}
			}
			unpack(t, tree)
			for name, parts := range c.Want {
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
			for name, parts := range c.Count {
				for part, want := range parts {
					if got := strings.Count(string(tree[name]), part); got != want {
						t.Errorf("%s has %s %d times, want %d", name, part, got, want)
					}
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

// wantFaults checks that a site is refused, and that its faults begin with the given texts, in the same order.
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

// faultsOf returns the faults for which a site is refused, and checks that each message is one line.
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

// isFault reports whether a fault begins with the wanted text. If the text is followed by ¦ and a column, the fault
// must have that column.
func isFault(f *Error, want string) bool {
	text, column, marked := strings.Cut(want, " ¦")
	return strings.HasPrefix(f.Error(), text) && (!marked || column == strconv.Itoa(f.Column))
}

// TestShownSize checks that bitmaps are not enlarged.
func TestShownSize(t *testing.T) {
	f := smallFigure("f")
	f.Width, f.Height, f.Light = 560, 334, samplePNG(t)
	if w, h := shownSize(&f); w != f.Width || h != f.Height {
		t.Errorf("an image of %d x %d pixels is shown as %d x %d", f.Width, f.Height, w, h)
	}
}
