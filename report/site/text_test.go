package site

import (
	"bytes"
	"context"
	"encoding/csv"
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

func TestCSVNeutralisesFormulas(t *testing.T) {
	tests := map[string]string{
		"=1+1": "'=1+1", "+cmd|x": "'+cmd|x", "-a": "'-a", "@x": "'@x", "\tx": "'\tx",
		"-1": "-1", "+1.5e-3": "+1.5e-3", "-0": "-0", "": "", "a=b": "a=b", "soldiers": "soldiers", "-1-2": "'-1-2", "-": "'-",
	}
	for cell, want := range tests {
		out, err := writeCSV([][]string{{cell, "z"}})
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
		if err != nil || records[0][0] != want {
			t.Errorf("%q is written as %q, want %q (%v)", cell, records, want, err)
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

func TestCells(t *testing.T) {
	for _, tt := range []struct {
		cell content.Cell
		kind cellKind
		text string
	}{
		{content.Int(-3), numberCell, "-3"},
		{content.Int(uint64(math.MaxUint64)), numberCell, "18446744073709551615"},
		{content.Int(int64(math.MinInt64)), numberCell, "-9223372036854775808"},
		{content.BigInt(big.NewInt(5)), numberCell, "5"},
		{content.Decimal("0.5"), numberCell, "0.5"},
		{content.Decimal("1/3"), textCell, "1/3"},
		{content.Decimal("0x10"), textCell, "0x10"},
		{content.Text("5"), textCell, "5"},
	} {
		if tt.cell.kind != tt.kind || tt.cell.text != tt.text {
			t.Errorf("got %+v, want %v %q", tt.cell, tt.kind, tt.text)
		}
	}
}

func TestTableCSV(t *testing.T) {
	s := onePage("{{ table \"t\" \"x\" }}\n")
	s.Pages[1].Tables = []content.Table{{
		ID: "t", Groups: []content.Group{{content.Text(""), 1}, {content.Text("g"), 2}}, Header: []content.Cell{content.Text("a"), content.Rich("**b** $k$, c"), content.Text("d")},
		Rows: [][]content.Cell{{content.Text("=x"), content.Int(-12345), content.Rich("$-1$").Marked(content.Mark{content.Red, "!", "bad"})}},
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
		if got := slugOf(title); got != want {
			t.Errorf("slugOf(%q) = %q, want %q", title, got, want)
		}
	}
}
