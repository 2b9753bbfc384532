package site

import (
	"bytes"
	"context"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestEscapeShowsTheText renders escaped text alone on a line, within a sentence and in a table, and reads it back.
func TestEscapeShowsTheText(t *testing.T) {
	letters := rapid.StringOf(rapid.RuneFrom([]rune(`ab1. -+=#:!^$\*_{}[]()<>&~|"'/@` + "`" + "\nü𝔸")))
	rapid.Check(t, func(rt *rapid.T) {
		text := letters.Draw(rt, "text")
		s := onePage("{{ .Value \"v\" }}\n\nsee {{ .Value \"v\" }}.\n\n| a |\n|---|\n| x{{ .Value \"v\" }}x |\n")
		s.Pages[1].Values = map[string]any{"v": text}
		tree, err := Render(context.Background(), s, Options{Cache: testCache, Workers: 1})
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
		"<p>12345 of 1234567890, in 2024</p>":                                         "<p>12,345 of 1,234,567,890, in 2024</p>",
		"<p>(10000, 9999) &#12345; 12,345 &lt;54321&gt;</p>":                          "<p>(10,000, 9999) &#12345; 12,345 &lt;54,321&gt;</p>",
		"<p>0.123456 12345.678901 -54321 1:40000</p>":                                 "<p>0.123456 12,345.678901 −54,321 1:40,000</p>",
		"<p>a12345 12345b F_12345 x-12345 é12345 http://x.org/12345/12345 #12345</p>": "<p>a12345 12345b F_12345 x-12345 é12345 http://x.org/12345/12345 #12345</p>",
		"<a href=\"a12345.html\" title=\"12345\">12345</a>":                           "<a href=\"a12345.html\" title=\"12345\">12,345</a>",
		"<pre><code>12345</code> 12345</pre> <b>12345</b>":                            "<pre><code>12345</code> 12345</pre> <b>12,345</b>",
		"<math><mn>12345</mn><mn>0.12345</mn></math>":                                 "<math><mn>12,345</mn><mn>0.12345</mn></math>",
		"<p>12345/67890 ≈ 0.2, see x/12345</p>":                                       "<p>12,345/67,890 ≈ 0.2, see x/12345</p>",
		"<p>34.4 % (<b>5</b> %), in % of 3 %x</p>":                                    "<p>34.4\u00a0% (<b>5</b> %), in % of 3\u00a0%x</p>",
		"<p>88.5 % of <b>100</b> % <code>5 %</code></p>":                              "<p>88.5\u00a0% of <b>100</b> % <code>5 %</code></p>",
		"<!-- 12345 --> 12345":                                                        "<!-- 12345 --> 12,345",
	} {
		if got := groupNumbers(markup); got != want {
			t.Errorf("%s becomes %s, want %s", markup, got, want)
		}
	}
}

func TestTableCSV(t *testing.T) {
	s := onePage("{{ table \"t\" \"x\" }}\n")
	s.Pages[1].Tables = []content.Table{{
		ID: "t", Groups: []content.Group{{Cell: content.Text(""), Span: 1}, {Cell: content.Text("g"), Span: 2}}, Header: []content.Cell{content.Text("a"), content.Rich("**b** $k$, c"), content.Text("d")},
		Rows: [][]content.Cell{{content.Text("=x"), content.Int(-12345), content.Rich("$-1$").Marked(content.Mark{Tone: content.Red, Sign: "!", Meaning: "bad"})}},
	}}
	tree, err := Render(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "a,\"g: b k, c\",g: d\n'=x,-12345,-1\n"
	if got := string(tree["assets/a/tbl-t.csv"]); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
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
