package site

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata/golden")

func renderSample(t testing.TB, opts Options) Tree {
	t.Helper()
	tree, err := Render(context.Background(), sampleSite(t), opts)
	must.Do(t, err)
	return tree
}

// treeOf and singleOf render a site. The test fails if the site has faults.
func treeOf(t *testing.T, s Site) Tree {
	t.Helper()
	tree, err := Render(t.Context(), s, Options{Cache: testCache})
	must.Do(t, err)
	return tree
}

func singleOf(t *testing.T, s Site) []byte {
	t.Helper()
	page, err := RenderSingle(t.Context(), s, Options{Cache: testCache})
	must.Do(t, err)
	return page
}

// TestGolden compares the sample's pages and CSV files with recorded files.
func TestGolden(t *testing.T) {
	tree := renderSample(t, Options{})
	unpack(t, tree)
	delete(tree, "single")
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if ext := path.Ext(name); ext != ".html" && ext != ".csv" {
			continue
		}
		golden := filepath.Join("testdata", "golden", path.Base(name))
		got := tree[name]
		if *update {
			must.Write(t, golden, got)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatalf("%v; run go test -update", err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s changed; look at the page, then run go test -update (-want +got):\n%s", name, diff)
		}
	}
}

// TestPages renders the sources in testdata/pages.txtar, which may place a figure f and a table t. It compares the
// content of the pages below the title.
func TestPages(t *testing.T) {
	file := filepath.Join("testdata", "pages.txtar")
	archive := must.Get(txtar.ParseFile(file))
	for i := 0; i < len(archive.Files); i += 2 {
		name, source := archive.Files[i].Name, strings.TrimSuffix(string(archive.Files[i].Data), "\n")
		s, slug := onePage(source), "a.html"
		if strings.HasSuffix(name, ".cells") {
			var body []content.Block
			for n, text := range strings.Split(source, "\n---\n") {
				body = append(body, cellOf(string(rune('a'+n)), text))
			}
			s, slug = bodySite(body...), "n.html"
		}
		if strings.HasPrefix(source, "# ") && slug == "a.html" {
			s.Pages[1] = must.Get(ReadLoose("a", "a.md", source))
		}
		if strings.Contains(source, `figure "f"`) {
			s.Pages[1].Figures, s.Pages[1].Tables = []content.Figure{smallFigure("f")}, []content.Table{smallTable("t")}
		}
		tree := treeOf(t, s)
		readDocument(t, name, tree[slug])
		_, got, _ := bytes.Cut(tree[slug], []byte("</h1>\n"))
		got, _, _ = bytes.Cut(got, []byte(`<nav class="pager"`))
		if *update {
			archive.Files[i+1].Data = got
		}
		if diff := cmp.Diff(string(archive.Files[i+1].Data), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if *update {
		must.Write(t, file, txtar.Format(archive))
	}
}

// document contains the parts of a page that tests need.
type document struct {
	ids   map[string]bool
	links []string // the values of href, src and srcset
	text  string
}

// readDocument parses a page as XML, and so finds every element that is not closed, or is closed in the wrong place. It
// also checks properties that all pages must have.
func readDocument(t testing.TB, name string, page []byte) document {
	t.Helper()
	doc := document{ids: map[string]bool{}}
	var text strings.Builder
	for tok := range must.Tokens(t, name, page) {
		switch tok := tok.(type) {
		case xml.CharData:
			text.Write(tok)
		case xml.StartElement:
			checkElement(t, name, tok, &doc)
		}
	}
	doc.text = text.String()
	return doc
}

// ownScript matches the address of one of the report's scripts. checkPolicy checks that the page's policy allows it.
var ownScript = regexp.MustCompile(`^[a-z]+\.js$`)

func checkElement(t testing.TB, name string, e xml.StartElement, doc *document) {
	t.Helper()
	ours := len(e.Attr) == 1 && ownScript.MatchString(e.Attr[0].Value)
	ours = ours || len(e.Attr) == 2 && e.Attr[1].Value == "search-index"
	if e.Name.Local == "script" && name != "single" && !ours ||
		e.Name.Local == "iframe" || e.Name.Local == "form" {
		t.Errorf("%s holds <%s>", name, e.Name.Local)
	}
	hasAlt := false
	for _, a := range e.Attr {
		switch key := a.Name.Local; {
		case key == "style" || strings.HasPrefix(key, "on"):
			t.Errorf("%s: <%s> has the attribute %s", name, e.Name.Local, key)
		case key == "id":
			if doc.ids[a.Value] {
				t.Errorf("%s has the id %q twice", name, a.Value)
			}
			doc.ids[a.Value] = true
		case key == "href" || key == "src" || key == "srcset":
			doc.links = append(doc.links, a.Value)
		case key == "class":
			for class := range strings.FieldsSeq(a.Value) {
				if !knownClass[class] && !strings.Contains(style+paperStyle, "."+class) {
					t.Errorf("%s: the style sheet does not know the class %q of <%s>", name, class, e.Name.Local)
				}
			}
		case key == "alt":
			hasAlt = true
		}
	}
	if e.Name.Local == "img" && !hasAlt {
		t.Errorf("%s: an <img> has no alt", name)
	}
}

// knownClass contains the classes that do not need rules in the style sheet: hooks for scripts, and plain variants of
// classes with rules.
var knownClass = map[string]bool{
	"drawn": true, "enclosed": true, "light-only": true, "callout-note": true, "callout-details": true, "claim": true,
	"callout-example": true, "callout-remark": true, "legend-label": true, "explorable": true,
	"pager-previous": true, "pager-title": true,
	"tone-plain": true, "toc-title": true,
}

func TestPagesAreWellFormedAndLinksLead(t *testing.T) {
	tree := renderSample(t, Options{Cache: testCache})
	docs := map[string]document{}
	for name, data := range tree {
		if path.Ext(name) == ".html" {
			checkPolicy(t, name, data)
			docs[name] = readDocument(t, name, data)
		}
	}
	linked := map[string]bool{"index.html": true, searchPartName(0): true} // the search script loads its parts
	for name, doc := range docs {
		for _, href := range doc.links {
			u, err := url.Parse(href)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if u.Scheme == "data" || u.Scheme == "https" {
				continue
			}
			file := name
			if u.Path != "" {
				file = u.Path
			}
			linked[file] = true
			if u.IsAbs() || !filepath.IsLocal(file) || tree[file] == nil {
				t.Errorf("%s links to %q, which is not in the tree", name, href)
			}
			if target, ok := docs[file]; u.Fragment != "" && (!ok || !target.ids[u.Fragment]) {
				t.Errorf("%s links to %q, an anchor that is not there", name, href)
			}
		}
	}
	for name := range tree {
		if !linked[name] && !strings.Contains(style, name) {
			t.Errorf("%s is in the tree but nothing links to it", name)
		}
	}
}

func TestSingleFile(t *testing.T) {
	page := singleOf(t, sampleSite(t))
	checkPolicy(t, "single", page)
	doc := readDocument(t, "single", page)
	for _, href := range doc.links {
		anchor, local := strings.CutPrefix(href, "#")
		switch {
		case local && !doc.ids[anchor]:
			t.Errorf("a link to %q, which is not there", href)
		case !local && !strings.HasPrefix(href, "data:") && !strings.HasPrefix(href, "https://"):
			t.Errorf("a link out of the file: %q", href)
		}
	}
	tree := renderSample(t, Options{Cache: testCache})
	numbers := regexp.MustCompile(`(Figure|Table|Section) [0-9.]+[0-9]|\([0-9.]+\)`)
	for _, name := range []string{"index.html", "rules.html", "colophon.html"} {
		for _, number := range numbers.FindAllString(readDocument(t, name, tree[name]).text, -1) {
			if !strings.Contains(doc.text, number) {
				t.Errorf("%s says %s, the single file does not", name, number)
			}
		}
	}
}

// TestForeignTextIsEscaped puts markup into every kind of untrusted text, and checks that pages show it as text.
func TestForeignTextIsEscaped(t *testing.T) {
	nasty := `<script>alert("x")</script>&amp;<b a='1'>`
	s := onePage(
		"{{ .Value \"v\" }}\n\n{{ figure \"f\" \"x\" }}\n\n{{ table \"t\" \"x\" }}\n\n{{ ref \"fig:f\" .Nasty " +
			"}}\n\n`<script>`\n\n```nasty\"x=\"1\n<script>\n```\n",
	)
	s.Pages[1].Source = strings.ReplaceAll(s.Pages[1].Source, ".Nasty", "nasty")
	p := &s.Pages[1]
	p.Funcs = map[string]any{"nasty": func() string { return nasty }}
	p.Values = map[string]any{"v": nasty}
	f, table := smallFigure("f"), smallTable("t")
	f.Alt, f.Data = nasty, content.Records{Header: []string{"a"}, Rows: [][]string{{nasty}}}
	f.Legend = []content.LegendEntry{{Label: nasty, Count: nasty, Sign: nasty}}
	table.Header[0], table.Rows[0][0] = content.Text(nasty), content.Text(nasty).
		Marked(content.Mark{Tone: content.Red, Sign: nasty, Meaning: nasty})
	p.Figures, p.Tables = []content.Figure{f}, []content.Table{table}
	s.Title, p.Title, p.Nav, p.Description, s.Lang = nasty, nasty, nasty, nasty, nasty
	s.Stamp = []Field{{nasty, nasty}}
	tree := treeOf(t, s)
	single := singleOf(t, s)
	for name, page := range map[string][]byte{
		"a.html": tree["a.html"], "search.html": tree["search.html"],
		"single": single,
	} {
		want := 12
		if name == "search.html" {
			want = 4
		}
		doc := readDocument(t, name, page)
		if n := strings.Count(doc.text, nasty); n < want {
			t.Errorf("%s shows the text %d times, want %d at least:\n%s", name, n, want, page)
		}
	}
}

// FuzzRender renders pages with any source, and checks that the result is a well-formed page or a fault with a place.
func FuzzRender(f *testing.F) {
	for _, name := range []string{"index.md", "rules.md"} {
		f.Add(string(must.Get(os.ReadFile("testdata/sample/" + name))))
	}
	for _, source := range []string{
		"{{ figure \"f\" `$x$` }}", "> [!NOTE]\n> $$\n> x\n> $$", "$$x\\label{eq:x}$$ {{ ref \"eq:x\" }}",
		"[^1]\n\n[^1]: {{ figure \"f\" \"x\" }}", "| a | b |\n|--|:-:|\n| $x$ | {{ ref \"page:index\" }} |",
		"- > ```go\n  > x\n", "a\n: b $x$, c", "\x00<\ufffd", "{{ define \"x\" }}$a${{ end }}{{ template \"x\" }}",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		s := onePage(source)
		p := &s.Pages[1]
		p.Values = map[string]any{"v": source}
		p.Assets = map[string][]byte{"x.png": nil}
		if strings.Contains(source, `figure "f"`) {
			p.Figures = []content.Figure{smallFigure("f")}
		}
		tree, err := Render(context.Background(), s, Options{Cache: testCache})
		var faults Errors
		switch {
		case errors.As(err, &faults):
			lines := strings.Count(source, "\n") + 1
			for _, fault := range faults {
				if fault.File != "a.md" || fault.Line < 1 || fault.Line > lines ||
					strings.Contains(fault.Error(), "\n") {
					t.Errorf("%q: misplaced fault %q", source, fault)
				}
			}
		case err != nil:
			t.Fatal(err)
		default:
			if !xmlControl(source) {
				readDocument(t, "a.html", tree["a.html"])
			}
		}
	})
}

// xmlControl reports whether a string contains characters that HTML parsers accept but XML parsers refuse.
func xmlControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == '\ufffd' || r == '\ufffe' || r == '\uffff'
	})
}

// TestSlowMatches checks that a slow match still succeeds, so that syntax highlighting does not depend on how busy the
// machine is.
func TestSlowMatches(t *testing.T) {
	slow := regexp2.MustCompile(`^(a+)+$`)
	slow.MatchTimeout = time.Millisecond * 250 // as in chroma
	for n, took := 16, time.Duration(0); took < 400*time.Millisecond; n++ {
		begin := time.Now()
		if _, err := slow.MatchString(strings.Repeat("a", n) + "b"); err != nil {
			t.Fatalf("%d letters, %v: %v", n, time.Since(begin), err)
		}
		took = time.Since(begin)
	}
}

// draft represents a version of a site that is being written, as a list of choices.
type draft [22]int

// site returns a new site each time, so that a Memo cannot recognize anything by its address in memory.
func (d draft) site(t *testing.T) Site {
	next := 0
	pick := func(values ...string) string {
		next++
		return values[d[next-1]%len(values)]
	}
	is := func(at int) bool { return d[at]%2 == 1 }
	figure := smallFigure("f").Explored("tank-map", content.Settings("n", 19, "s", 50))
	s := onePage("{{ figure \"f\" \"x\" }}\n\n[n](n.html#the-hunt)\n")
	s.Pages[1].Figures = []content.Figure{figure}
	s.Pages = append(s.Pages, Page{
		Slug: "n", Title: "Notebook", File: "nb/n.ipynb",
		Body: []content.Block{foreignMarkup("<b>others</b>"), cellOf("z", "## The Hunt"), &figure},
	})
	s.Explorer = &Explorer{Script: "start();\n", Engines: []Engine{{Name: "engine", Text: "the+engine"}}}
	s.Previews = true
	// The last page, a lesson, has the figure that readers can move on page a, but it also has untrusted HTML.
	index, a, b, n := s.Pages[0], s.Pages[1], s.Pages[2], s.Pages[len(s.Pages)-1]
	word := func() string { return pick("one", "two words", "many *more* words, and $x^2$") }
	label, equation := pick("hunt", "chase"), pick("border", "limit")
	index.Source = "Read {{ ref \"sec:a/" + pick("hunt", "chase") + "\" }} and [b](b.html), " + word() +
		".\n\n{{ contents }}\n\n## Here {#here}\n\nText " + word() + ".\n"
	titles := []string{pick("Tank", "Mast"), pick("Wasps", "Bees", "Wasps & Bees")}
	index.Funcs = map[string]any{"contents": func() string {
		return "- " + Escape(titles[0]) + "\n- " + Escape(titles[1]) + "\n"
	}}
	a.Title, b.Title, n.Title = titles[0], titles[1], pick("N", "Notebook")
	a.Source += "\n\n## A " + pick("hunt", "walk") + " {#" + label + "}\n\n" + word() + " " + pick("", "[^1]") +
		"\n\n$$ " + pick("s = n", `\half = n`) + ` \label{eq:` +
		equation + "} $$\n\nSee {{ ref \"page:b\" }}, {{ ref \"sec:index/here\" }}, " +
		"{{ .Value \"v\" }} and {{ picture \"fig:b/map\" \"the map\" }}.\n\n[^1]: A note.\n"
	a.Values = map[string]any{"v": pick("7", "8")}
	map1 := smallFigure("map")
	map1.Data = content.Records{Header: []string{"x"}, Rows: [][]string{{pick("1", "2")}}}
	b.Source = "{{ figure \"map\" \"The map of " + word() + "\" }}\n\n{{ ref \"eq:a/" + pick("border", "limit") +
		"\" }} is [here](a.html#" + label + ").\n\n{{ table \"t\" \"c\" }}\n"
	b.Figures = []content.Figure{map1}
	b.Tables = []content.Table{{ID: "t", Header: []content.Cell{content.Text("n")}, Rows: [][]content.Cell{{
		content.Rich(content.Markdown(pick("*x*", "[a](a.html)"))),
	}}}}
	s.Macros = map[string]string{`\half`: pick(`\tfrac{1}{2}`, `0.5`)}
	s.DataField = "data"
	if is(17) {
		a, b = b, a
	}
	b.Omit = d[18]%4 == 3
	s.LinkOmitted = is(19)
	a.Unnumbered = is(20)
	a.Level, b.Level = Level(d[21]%4), Level(d[21]%3)
	if a.Level != Unlevelled {
		a.Needs = []string{b.Slug}
	}
	if d[0]%5 == 4 {
		s.Explorer = nil
	}
	s.Pages = append([]Page{index, a, b}, append(s.Pages[3:len(s.Pages)-1:len(s.Pages)-1], n)...)
	if next > len(d) {
		t.Fatalf("a site has %d choices", next)
	}
	return s
}

// TestMemo checks that after each of many edits, pages and faults are the same as without a Memo, and that unchanged
// pages are not made again.
func TestMemo(t *testing.T) {
	steps := 2500
	if testing.Short() {
		steps = 300
	}
	random := rand.New(rand.NewPCG(29, 24))
	var d draft
	memo := new(Memo)
	good, kept := 0, 0
	last := map[string]*memory{}
	for step := range steps {
		before := d
		for range 1 + random.IntN(2) {
			d[random.IntN(len(d))] = random.IntN(12)
		}
		want, wantErr := Render(t.Context(), d.site(t), Options{Cache: testCache})
		got, err := Render(t.Context(), d.site(t), Options{Cache: testCache, Memo: memo})
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("step %d: %v, want %v", step, err, wantErr)
		}
		if names := slices.Sorted(maps.Keys(want)); !slices.Equal(slices.Sorted(maps.Keys(got)), names) {
			t.Fatalf("step %d: the files are %q, want %q", step, slices.Sorted(maps.Keys(got)), names)
		}
		for name := range want {
			if string(got[name]) != string(want[name]) {
				t.Fatalf("step %d: %v, then %v: %s is\n%s\nwant\n%s", step, before, d, name, got[name], want[name])
			}
		}
		if err != nil {
			if random.IntN(2) == 0 {
				d = before
			}
			continue
		}
		good++
		for slug, now := range memo.pages {
			if was := last[slug]; was != nil && was.chapter == now.chapter {
				kept++
			}
		}
		last = maps.Clone(memo.pages)
	}
	t.Logf("%d of %d steps are good, %d pages were kept", good, steps, kept)
	if good < steps/4 || good > steps*9/10 || kept < 2*good {
		t.Errorf("%d of %d steps are good, and %d pages were kept", good, steps, kept)
	}
}

// testCache stores converted formulas for all tests except the tests of formulas.
var testCache *cache.Cache

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "site-test")
	if err != nil {
		panic(err)
	}
	testCache = cache.Open(dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// sampleSite returns a site of three pages that uses every feature.
func sampleSite(t testing.TB) Site {
	t.Helper()
	var written any
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile("testdata/sample/site.yaml")), &written))
	c := readCase(t, written)
	for _, p := range []*casePage{&c.Index, &c.A} {
		p.Source = string(must.Get(os.ReadFile(p.File)))
	}
	s := c.site()
	s.Pages[1].Assets["square.png"] = samplePNG(t)
	return s
}

func samplePNG(t testing.TB) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 64, 32))
	for i := range img.Pix {
		img.Pix[i] = color.Gray{0x99}.Y
	}
	var buf bytes.Buffer
	must.Do(t, png.Encode(&buf, img))
	return buf.Bytes()
}

// TestPreviewOfTheorem checks that the preview of a callout on another page shows its title and its text.
func TestPreviewOfTheorem(t *testing.T) {
	parts := previewsOf(&chapter{Page: &Page{Slug: "a"}}, `<aside class="callout" id="x"><p>Said.</p></aside>`+
		`<details class="callout" id="y"><p>Folded.</p></details>`, map[string]bool{"x": true, "y": true})
	want := map[string][]any{"a.html#x": {[]any{
		"div", map[string]string{"class": "callout"}, []any{"p", map[string]string{}, "Said."},
	}}}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Error(diff)
	}
}

// TestRefInCells checks that a reference works in text that a cell outputs, but not in code, and not on other kinds of
// pages.
func TestRefInCells(t *testing.T) {
	text := "See {{ ref \"tbl:own\" }} and `{{ ref \"tbl:own\" }}`."
	table := content.Table{ID: "own", Title: "Own", Header: content.Row("n")}
	entries := &content.Entries{ID: "list", Title: "A list", Entries: []content.Entry{{
		ID: "one", Title: "One", Parts: []content.Point{{Name: "Shown", Text: `{{ ref "sec:b/up" "there" }}`}},
	}}}
	tree := treeOf(t, Site{Title: "s", Pages: []Page{
		{Slug: "index", Title: "A", Source: "{{ blocks \"cell\" }}\n", Blocks: map[string][]content.Block{
			"cell": {content.Prose{Text: content.Markdown(text)}, &table, entries},
		}},
		{Slug: "b", Title: "B", Body: []content.Block{content.Prose{Text: content.Markdown("## Up\n\n" + text)}}},
	}})
	for page, want := range map[string]string{
		"index.html": `See <a class="ref" href="#tbl-own">Table 1.1</a> and <code>{{ ref &quot;tbl:own&quot; }}</code>.`,
		"b.html":     `See {{ ref &quot;tbl:own&quot; }} and`,
	} {
		if !strings.Contains(string(tree[page]), want) {
			t.Errorf("%s has no %s:\n%s", page, want, tree[page])
		}
	}
	if want := `<a class="ref" href="b.html#up">there</a>`; !strings.Contains(string(tree["index.html"]), want) {
		t.Errorf("the entry has no %s", want)
	}
}

// TestButtons checks that a link with the title "button" looks like a button, and does not show its title.
func TestButtons(t *testing.T) {
	tree, err := Render(t.Context(), onePage("[Go on](b.html \"button\") and [on](b.html \"buttons\")\n"), Options{})
	must.Do(t, err)
	for _, want := range []string{
		`<a href="b.html" class="button">Go on</a>`, `<a href="b.html" title="buttons">on</a>`,
	} {
		if !strings.Contains(string(tree["a.html"]), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
