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
		want := strings.Fields(text + " see " + text + ". a x" + text + "x")
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

func TestGroupDigits(t *testing.T) {
	for number, want := range map[string]string{
		"1": "1", "-1": "−1", "1234": "1234", "12345": `12<span class="thousands">345</span>`,
		"-211861": `−<span>211</span><span class="thousands">861</span>`, "0.12345": "0.12345", "1e-9": "1e-9",
	} {
		if got := groupDigits(number); string(got) != want {
			t.Errorf("%s is shown as %s, want %s", number, got, want)
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
