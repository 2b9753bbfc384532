package site

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/siegebook/siegebook/report/content"
	"pgregory.net/rapid"
)

// TestEscapeShowsTheText renders escaped text alone on a line, within a sentence and in a table, and reads it back.
func TestEscapeShowsTheText(t *testing.T) {
	letters := rapid.StringOf(rapid.RuneFrom([]rune(`ab1. -+=#:!^$\*_{}[]()<>&~|"'/@` + "`" + "\nü𝔸")))
	rapid.Check(t, func(rt *rapid.T) {
		text := letters.Draw(rt, "text")
		s := onePage("{{ .Value \"v\" }}\n\nsee {{ .Value \"v\" }}.\n\n| a |\n|---|\n| x{{ .Value \"v\" }}x |\n")
		s.Pages[1].Values = map[string]any{"v": text}
		tree, err := Render(context.Background(), s, Options{Cache: testCache})
		if err != nil {
			rt.Fatalf("%q: %v", text, err)
		}
		_, body, _ := bytes.Cut(tree["a.html"], []byte("</h1>"))
		body, _, _ = bytes.Cut(body, []byte("<nav"))
		got := strings.Fields(readDocument(t, "a.html", append(append([]byte("<p>"), body...), "</p>"...)).text)
		want := strings.Fields(content.ForPeople(text + " see " + text + ". a x" + text + "x"))
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Errorf("%q (-want +got):\n%s", text, diff)
		}
	})
}

func TestFormatValue(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		{"a*b", `a\*b`},
		{"- x", `\- x`},
		{"1. x", `1\. x`},
		{"-5", "-5"},
		{content.Markdown("**b**"), "**b**"},
		{-7, "-7"},
		{uint64(math.MaxUint64), "18446744073709551615"},
		{true, "true"},
		{0.1, "0.1"},
		{float32(0.1), "0.1"},
		{1e300, "1e+300"},
		{big.NewInt(-12), "-12"},
		{big.NewRat(105, 256), "105/256"},
	}
	for _, tt := range tests {
		if got, err := formatValue(tt.value); err != nil || got != tt.want {
			t.Errorf("formatValue(%v) = %q, %v, want %q", tt.value, got, err, tt.want)
		}
	}
	for _, bad := range []any{nil, math.NaN(), math.Inf(1), []int{1}, struct{}{}} {
		if got, err := formatValue(bad); err == nil {
			t.Errorf("formatValue(%v) = %q", bad, got)
		}
	}
}

func TestNumberCell(t *testing.T) {
	for number, want := range map[string]string{
		"1": "1", "-1": "−1", "1234": "1234", "12345": `12<span class="comma">,</span>345`,
		"-211861": `−211<span class="comma">,</span>861`, "0.12345": "0.12345", "1e-9": "1e-9",
	} {
		if got := numberCell(number); got != want {
			t.Errorf("%s is shown as %s, want %s", number, got, want)
		}
	}
}

// TestGroupNumbers: numbers get their form in text, wherever it comes from, and nothing else changes.
func TestGroupNumbers(t *testing.T) {
	for markup, want := range map[string]string{
		"<p>12345 of 1234567890, in 2024</p>": "<p>12,345 of 1,234,567,890, in " +
			"2024</p>",
		"<p>(10000, 9999) &#12345; 12,345 &lt;54321&gt;</p>": "<p>(10,000, 9999) &#12345; 12,345 " +
			"&lt;54,321&gt;</p>",
		"<p>0.123456 12345.678901 -54321 1:40000</p>": "<p>0.123456 12,345.678901 −54,321 " +
			"1:40,000</p>",
		"<p>a12345 12345b F_12345 x-12345 é12345 http://x.org/12345/12345 " +
			"#12345</p>": "<p>a12345 12345b F_12345 x-12345 é12345 http://x.org/12345/12345 #12345</p>",
		"<a href=\"a12345.html\" title=\"12345\">12345</a>": "<a href=\"a12345.html\" " +
			"title=\"12345\">12,345</a>",
		"<pre><code>12345</code> 12345</pre> <b>12345</b>": "<pre><code>12345</code> 12345</pre> " +
			"<b>12,345</b>",
		"<math><mn>12345</mn><mn>0.12345</mn></math>": "<math><mn>12,345</mn><mn>0.12345</mn></math>",
		"<p>12345/67890 ≈ 0.2, see x/12345</p>": "<p>12,345/67,890 ≈ 0.2, see " +
			"x/12345</p>",
		"<p>34.4 % (<b>5</b> %), in % of 3 %x</p>": "<p>34.4\u00a0% (<b>5</b> %), in % " +
			"of 3\u00a0%x</p>",
		"<p>88.5 % of <b>100</b> % <code>5 %</code></p>": "<p>88.5\u00a0% of <b>100</b> % " +
			"<code>5 %</code></p>",
		"<!-- 12345 --> 12345":                             "<!-- 12345 --> 12,345",
		"<p>&quot;-1 &amp;-2 &#39;-3 &lt;-4 &gt;-5;-6</p>": "<p>&quot;-1 &amp;-2 &#39;-3 &lt;−4 &gt;−5;−6</p>",
	} {
		if got := groupNumbers(markup); got != want {
			t.Errorf("%s becomes %s, want %s", markup, got, want)
		}
	}
}

func TestSlugOf(t *testing.T) {
	for title, want := range map[string]string{
		"The rules": "the-rules", "  a  b ": "a-b", "Ünïcode": "unicode", "the castle's side": "the-castles-side",
		`d + s = (\varphi + 1) n`: "d-s-varphi-1-n", "∞": "", "C++": "c",
	} {
		if got := Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestWholeFormulas(t *testing.T) {
	for label, want := range map[string]string{
		"S² − Sx − x² = 64: won": "S²~−~Sx~−~x²~=~64: won",
		"d + s = (φ+1) n":        "d~+~s~=~(φ+1)~n",
		"3 waves (of 4) at once": "3 waves (of 4) at once",
	} {
		if got := strings.ReplaceAll(wholeFormulas(label), "\u00a0", "~"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestReadText: the lines about a page are plain text, and those that follow keep their numbers.
func TestReadText(t *testing.T) {
	page, err := ReadText(
		"a", "a.md", "---\ntitle: 'A: the \"first\"'\nnav: A\ndescription: All of it.\nunnumbered: true\n---\nText.\n",
	)
	if err != nil || page.Slug != "a" || page.File != "a.md" || page.Title != `A: the "first"` || page.Nav != "A" ||
		page.Description != "All of it." ||
		!page.Unnumbered {
		t.Errorf("%+v, %v", page, err)
	}
	if line := 1 + strings.Count(page.Source[:strings.Index(page.Source, "Text.")], "\n"); line != 7 ||
		strings.TrimSpace(page.Source) != "Text." {
		t.Errorf("%q: the text begins in line %d", page.Source, line)
	}
	if page, err = ReadText("a", "", "---\r\ntitle: A\r\n---\r\nText.\r\n"); err != nil || page.Title != "A" ||
		page.Unnumbered {
		t.Errorf("%+v, %v", page, err)
	}
	for text, want := range map[string]string{
		"Text.\n":                           `a.md:1: the file does not begin with a line "---"`,
		"":                                  `a.md:1: the file does not begin with a line "---"`,
		"---\ntitle: A\nText.\n":            `a.md:1: the lines about the page do not end`,
		"---\ntitle: A":                     `a.md:1: the lines about the page do not end`,
		"---\n---\n":                        `a.md:2: the page has no title`,
		"---\nnav: A\n---\n":                `a.md:3: the page has no title`,
		"---\ntitle: A\ntitle: B\n---\n":    `a.md:3: mapping key "title" already defined at line 2`,
		"---\ntitle: A\ncolour: red\n---\n": `a.md:3: field colour not found: the lines about`,
		"---\ntitle: A\nunnumbered: maybe\n---\n": "a.md:3: cannot unmarshal !!str `maybe` into bool: the lines about",
		"---\ntitle: A\nlevel: hard\n---\n": `a.md:1: there is no level "hard", use one of start here, with school ` +
			`algebra, with proofs, reference`,
		"---\ntitle: A: B\n---\n": `a.md:2: mapping values are not allowed in this context`,
		"---\ntitle:  \n---\n":    `a.md:3: the page has no title`,
	} {
		if _, err := ReadText("a", "a.md", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestReadStamp reads the stamp back from pages and from the single file, whatever is in it, and whatever the text
// says.
func TestReadStamp(t *testing.T) {
	s := Site{
		Title: "t", Stamp: []Field{{"grid", `a=1:2,"b"<c>&'d'`}, {"a & b", "ü – 100 %"}, {"empty", ""}},
		Pages: []Page{
			{Slug: "index", Title: "t", Source: "`<dl class=\"stamp\">` {{ .Value \"x\" }}", Values: map[string]any{
				"x": `<dl class="stamp"><div><dt>grid</dt> <dd>forged</dd></div></dl>`,
			}},
		},
	}
	tree := treeOf(t, s)
	single := singleOf(t, s)
	for name, page := range map[string][]byte{"page": tree["index.html"], "single file": single} {
		if got, err := ReadStamp(page); err != nil || !slices.Equal(got, s.Stamp) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	page := string(single)
	for name, bad := range map[string]string{
		"another page": "<p>x</p>",
		"half a page":  page[:strings.LastIndex(page, "</dl>")], "": "",
	} {
		if fields, err := ReadStamp([]byte(bad)); err == nil {
			t.Errorf("%s: %q", name, fields)
		}
	}
}

// TestCompact: what a style sheet says stays, and its notice too.
func TestCompact(t *testing.T) {
	css := "/* A: notice;\n   of two lines */\n@font-face { a: b; }\n\n/* gone: \"x; */\n" +
		"a, b:hover > c {\n  d: e  f; /* g */\n" +
		"  h: \"i ;  j: /* k */\" / \"\";\n}\n@media (l: 1px) { :root { --m:  n; } }\n"
	want := "/* A: notice;\n   of two lines */\n@font-face { a: b; }\n" +
		"a,b:hover > c{d:e f;h:\"i ;  j: /* k */\" / \"\";}@media " +
		"(l:1px){:root{--m:n;}}\n"
	if got := compact(css); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	words := func(css string) string { // without what separates words
		for from := strings.Index(css, "\n\n"); from >= 0; {
			before, rest, found := strings.Cut(css[from:], "/*")
			if !found {
				break
			}
			_, after, _ := strings.Cut(rest, "*/")
			css = css[:from] + before + after
		}
		return strings.Join(strings.Fields(css), "")
	}
	if words(styleSource) != words(compact(styleSource)) {
		t.Error("the style sheet says something else without comments and indents")
	}
}

// TestDataURL: a drawing in a page is the drawing, without the words that its page has.
func TestDataURL(t *testing.T) {
	for svg, want := range map[string]string{
		`<svg id="a" role="img" aria-labelledby="a-t a-d" width="9">` + "\n<title id=\"a-t\">t</title>\n" +
			"<desc id=\"a-d\">d</desc>\n<g fill=\"#fff\">\n<path d=\"M1 2\"/>\n" +
			"<text x=\"1\">5% &amp; `ü`\n<tspan>2</tspan>\n</text>\n</g>\n</svg>\n": "<svg id='a' width='9'>" +
			"<g fill='#fff'><path d='M1 2'/><text x='1'>5% &amp; `ü`\n<tspan>2</tspan>\n</text></g></svg>",
		`<svg a="b'c"><title>t</title></svg>`: `<svg a="b'c"><title>t</title></svg>`,
	} {
		address := dataURL("f.svg", []byte(svg))
		if strings.ContainsAny(address, " \n<>\"#&") {
			t.Errorf("%q is not the address of an attribute", address)
		}
		text, found := strings.CutPrefix(address, "data:image/svg+xml,")
		got, err := url.PathUnescape(text)
		if !found || err != nil || got != want {
			t.Errorf("%q is %q, want %q: %v", svg, got, want, err)
		}
	}
	if got := dataURL("f.csv", []byte("a,b")); got != "data:text/csv;base64,YSxi" {
		t.Errorf("got %q", got)
	}
}

func Example() {
	report := Site{
		Title: "Report",
		Stamp: []Field{{Name: "seed", Value: "1"}},
		Pages: []Page{{
			Slug: "index", Title: "Who wins", File: "index.md",
			Source: "The soldiers win {{ .Value \"wins\" }} times, by {{ ref \"eq:border\" }}.\n\n$$ d + s < 3n " +
				"\\label{eq:border} $$\n",
			Values: map[string]any{"wins": 42},
		}},
	}
	ctx := context.Background()
	tree, err := Render(ctx, report, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(tree["index.html"])) {
		if strings.HasPrefix(line, "<p>") {
			fmt.Print(line)
		}
	}

	parent, err := os.MkdirTemp("", "report")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "site")
	fmt.Println(Folder{Dir: dir}.Publish(ctx, tree))
	diff, err := Check(dir, tree)
	fmt.Println(diff.Empty(), err)

	report.Pages[0].Values = nil
	_, err = Render(ctx, report, Options{})
	fmt.Println(err)
	// Output:
	// <p>The soldiers win 42 times, by <a class="ref" href="#eq-border">(1.1)</a>.</p>
	// <nil>
	// true <nil>
	// index.md:1: there is no value "wins"; the page has none
}
