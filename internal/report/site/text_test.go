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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"pgregory.net/rapid"
)

// TestEscapeShowsTheText renders escaped text alone on a line, within a sentence and in a table, and checks that the
// page shows the original text.
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
		want := strings.Fields(text + " see " + text + ". a x" + text + "x")
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Errorf("%q (-want +got):\n%s", text, diff)
		}
	})
}

func TestFormatValue(t *testing.T) {
	tests := []struct { // ¦ stands for the mark of a computed number
		value any
		want  string
	}{
		{"a*b", `a\*b`},
		{"- x", `\- x`},
		{"1. x", `1\. x`},
		{"-5", "-5"},
		{content.Markdown("**b**"), "**b**"},
		{-7, "¦-7"},
		{uint64(math.MaxUint64), "¦18446744073709551615"},
		{true, "true"},
		{0.1, "¦0.1"},
		{float32(0.1), "¦0.1"},
		{1e300, "1e+300"},
		{big.NewInt(-12), "¦-12"},
		{big.NewRat(105, 256), "105/256"},
		{big.NewRat(-12345, 67890), "¦-823/4526"},
		{"12345", "12345"},
		{12345, "¦12345"},
		{9999, "9999"},
	}
	for _, tt := range tests {
		got, err := formatValue(tt.value)
		if got = strings.ReplaceAll(got, numberMark, "¦"); err != nil || got != tt.want {
			t.Errorf("formatValue(%v) = %q, %v, want %q", tt.value, got, err, tt.want)
		}
	}
	for _, bad := range []any{nil, math.NaN(), math.Inf(1), []int{1}, struct{}{}} {
		if got, err := formatValue(bad); err == nil {
			t.Errorf("formatValue(%v) = %q", bad, got)
		}
	}
}

// TestTables checks for each row of testdata/tables.txt that a function, applied to the other fields, returns the last
// field.
func TestTables(t *testing.T) {
	words := func(n int) string { return strings.Repeat("word ", n) }
	for name, of := range map[string]func(given []string) string{
		"groupNumbers": func(given []string) string {
			return Words(nil).groupNumbers(strings.ReplaceAll(given[0], "¦", numberMark))
		},
		"numbers in a language": func(given []string) string {
			words, _ := NewWords(given[0], nil)
			return words.groupNumbers(strings.ReplaceAll(given[1], "¦", numberMark)) + words.numberCell("12345.5")
		},
		"numberCell": func(given []string) string { return Words(nil).numberCell(given[0]) },
		"Slug":       func(given []string) string { return Slug(given[0]) },
		"compact":    func(given []string) string { return compact(given[0]) },
		"wholeFormulas": func(given []string) string {
			return strings.ReplaceAll(wholeFormulas(given[0]), "\u00a0", "~")
		},
		"readingTime": func(given []string) string {
			return fmt.Sprintf("%.1f", readingTime(strings.ReplaceAll(given[0], "*", words(200))))
		},
		"minutes": func(given []string) string {
			return fmt.Sprint(minutes("<p>" + words(must.Get(strconv.Atoi(given[0]))) + "</p>"))
		},
		"near":      func(given []string) string { return near(given[0], strings.Fields(given[1])) },
		"edits":     func(given []string) string { return fmt.Sprint(edits(given[0], given[1])) },
		"highlight": func(given []string) string { return highlight(given[0], given[1]) },
		"Opening": func(given []string) string {
			var body []content.Block
			for cell := range strings.SplitSeq(given[0], "|") {
				body = append(body, cellOf("a", cell))
			}
			title, paragraph := Opening(body)
			return title + "|" + paragraph
		},
		"ReadText": func(given []string) string {
			page, err := ReadText("a", "a.md", given[0])
			if err != nil {
				return err.Error()
			}
			return fmt.Sprintf("%s (%s), %s, unnumbered: %t, %q", page.Title, page.Nav, page.Description,
				page.Unnumbered, page.Source)
		},
		"NewWords": func(given []string) string {
			own := map[string]string{}
			if key, words, ok := strings.Cut(given[1], "="); ok {
				own[key] = words
			}
			words, problems := NewWords(given[0], own)
			var values []any
			key := strings.Fields(given[2])
			for _, value := range key[1:] {
				values = append(values, value)
			}
			said := words.Say(key[0], values...)
			for _, p := range problems {
				said += fmt.Sprintf("; %s: %.76s", p.Name, p.Message)
			}
			return said
		},
	} {
		for _, row := range must.Rows(t, "testdata/tables.txt", name) {
			last := len(row) - 1
			if got := of(row[:last]); got != row[last] {
				t.Errorf("%s of %q:\n%q, want\n%q", name, row[:last], got, row[last])
			}
		}
	}
}

// TestReadStamp checks that stamps can be read from a page and from a single file, even if their values contain markup
// or the text imitates a stamp.
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

// TestCompact checks that the compact style sheet has the same rules as the original.
func TestCompact(t *testing.T) {
	words := func(css string) string { // removes comments and white space
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

// TestTargetsAreNear checks that a rule of the style sheet that depends on a target inside an element specifies the
// path of children to the target. Otherwise, browsers search the whole page for the target whenever an element is added
// or removed, which takes a tenth of a second in an edition of one file.
func TestTargetsAreNear(t *testing.T) {
	way := regexp.MustCompile(`^(> [^\s>+~]+ ?)+$`)
	asked := 0
	for _, has := range regexp.MustCompile(`:has\(([^()]*:target[^()]*)\)`).FindAllStringSubmatch(styleSource, -1) {
		for selector := range strings.SplitSeq(has[1], ",") {
			if asked++; !way.MatchString(strings.TrimSpace(selector)) {
				t.Errorf("%s: begin %q with > and the way to it", has[0], selector)
			}
		}
	}
	if asked < 10 {
		t.Errorf("only %d selectors of targets are found", asked)
	}
}

// TestDataURL checks that a drawing inside a page is unchanged, except that it lacks the title and description that the
// page already has.
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
			Source: "The pumps win {{ .Value \"wins\" }} times, by {{ ref \"eq:border\" }}.\n\n$$ d + s < 3n " +
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
	// <p>The pumps win 42 times, by <a class="ref" href="#eq-border">(1.1)</a>.</p>
	// <nil>
	// true <nil>
	// index.md:1: there is no value "wins"; there are none
}
