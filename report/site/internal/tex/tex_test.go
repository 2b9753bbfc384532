package tex

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/must"
	"golang.org/x/text/unicode/norm"
)

func Example() {
	results, err := Convert(context.Background(), nil, nil, []Formula{{TeX: `s \le n`}, {TeX: `\frac{1`}})
	if err != nil {
		panic(err)
	}
	fmt.Println(results[0].MathML)
	fmt.Println(results[1].Err)
	// Output:
	// <math><mi>s</mi><mo>≤</mo><mi>n</mi></math>
	// Unexpected end of input in a macro argument, expected '}'
}

var ceiling = map[string]string{`\ceil`: `\left\lceil #1 \right\rceil`}

// convertAll converts display formulas with the macro \ceil, which every test may use.
func convertAll(t testing.TB, c *cache.Cache, formulas ...string) []Result {
	t.Helper()
	var fs []Formula
	for _, f := range formulas {
		fs = append(fs, Formula{TeX: f, Display: true})
	}
	results, err := Convert(context.Background(), ceiling, c, fs)
	must.Do(t, err)
	return results
}

func TestMathML(t *testing.T) {
	tests := []struct {
		tex  string
		want []string // parts of the MathML
		not  []string
	}{
		{`\ceil{x}`, []string{`<mo fence="true">⌈</mo><mi>x</mi><mo fence="true">⌉</mo>`}, nil},
		{
			`\mathbb{N}\mathcal{O}\mathbf{x}\boldsymbol{\phi}`,
			[]string{"<mi>ℕ</mi>", "<mi>𝒪</mi>", "<mi>𝐱</mi>", "<mi>𝝓</mi>"},
			[]string{"mathvariant"},
		},
		{`\mathrm{d}x`, []string{`<mi mathvariant="normal">d</mi>`}, nil},
		{`\text{\textbf{no} 5\% of $x$}`, []string{"𝐧𝐨", "5%\u00a0of", "<mi>x</mi>"}, []string{"mathvariant"}},
		{
			`\begin{aligned} a &= b \\ &= c \end{aligned}`,
			[]string{`<mtable class="tight">`, `<mtd class="to-right">`, `<mtd class="to-left">`},
			[]string{"columnalign", "rowspacing", "columnspacing", "width"},
		},
		{ // equations side by side: no space around the signs, some between the equations
			`\begin{aligned} a &= b, & c &= d \end{aligned}`,
			[]string{`<mtable class="tight">`, `<mtd class="to-left space-after">`, `<mtd class="to-right">`},
			[]string{`<mtd class="to-right space-after">`},
		},
		{
			`\begin{cases} 1 & x > 0 \\ \infty & \text{else} \end{cases}`,
			[]string{`<mo fence="true">{</mo>`, `class="loose"`, `class="to-left"`, "&gt;"},
			nil,
		},
		{
			`\begin{array}{c|r} a & b \\ \hline c & d \end{array}`,
			[]string{"line-after-solid", "line-below-solid", "to-right"},
			[]string{"rowlines", "columnlines"},
		},
		{`\boxed{x}`, []string{`<mrow class="enclosed enclosed-box">`}, []string{"menclose"}},
		{`C' + C''`, []string{`<mrow><mi>C</mi><mo lspace="0em" rspace="0em">′</mo></mrow>`, "″"}, []string{"msup"}},
		{
			`C'_w`,
			[]string{`<msub><mrow><mi>C</mi><mo lspace="0em" rspace="0em">′</mo></mrow><mi>w</mi></msub>`},
			[]string{"msubsup"},
		},
		{
			`4\log x`,
			[]string{
				`<mn>4</mn><mspace width="0.1667em"></mspace><mi>log</mi><mo lspace="0em" rspace="0.1667em">` +
					applyFunction + `</mo><mi>x</mi>`,
			},
			nil,
		},
		{`\max(x)`, []string{`<mi>max</mi><mo>` + applyFunction + `</mo><mo stretchy="false">(</mo>`}, nil},
		{
			`x_{\min} + y_{\log}^{\max}`,
			[]string{`<msub><mi>x</mi><mi>min</mi></msub>`, `<msubsup><mi>y</mi><mi>log</mi><mi>max</mi></msubsup>`},
			[]string{applyFunction},
		},
		{`\bigl( x \bigr)`, []string{`form="prefix"`, `form="postfix"`}, nil},
		{`a < b \mathbin{\&} c`, []string{"&lt;", "&amp;"}, nil},
		{`\text{✗ é}`, []string{"✗"}, nil},
	}
	var all []string
	for _, tt := range tests {
		all = append(all, tt.tex)
	}
	for i, r := range convertAll(t, nil, all...) {
		if r.Err != nil {
			t.Errorf("%s: %v", all[i], r.Err)
			continue
		}
		for _, part := range tests[i].want {
			if !strings.Contains(r.MathML, part) {
				t.Errorf("%s: %s lacks %s", all[i], r.MathML, part)
			}
		}
		for _, part := range append(tests[i].not, "semantics", "annotation", " style=", "xmlns") {
			if strings.Contains(r.MathML, part) {
				t.Errorf("%s: %s holds %s", all[i], r.MathML, part)
			}
		}
	}
}

func TestTags(t *testing.T) {
	tests := []struct {
		tex   string
		tags  []Tag
		whole bool
		rows  int // rows with a place for a number
	}{
		{`x`, nil, false, 0},
		{`x \label{eq:a}`, []Tag{{Label: "eq:a"}}, true, 0},
		{`x \tag{7} \label{eq:a}`, []Tag{{Label: "eq:a", Text: "7"}}, true, 0},
		{`x \label{eq:a} \tag*{A}`, []Tag{{Label: "eq:a", Text: "A", Star: true}}, true, 0},
		{`\begin{aligned} a \\ b \end{aligned} \label{eq:a}`, []Tag{{Label: "eq:a"}}, true, 0},
		{
			`\begin{align} a &= b \label{eq:a} \\ c &= d \\ e &= f \tag{X} \label{eq:c} \end{align}`,
			[]Tag{{Label: "eq:a"}, {Label: "eq:c", Text: "X"}},
			false,
			2,
		},
		{
			`\begin{align} a &= \begin{cases} 1 \\ 2 \end{cases} \tag{Y} \label{eq:a} \\ b &= c \label{eq:b} \end{align}`,
			[]Tag{{Label: "eq:a", Text: "Y"}, {Label: "eq:b"}},
			false,
			2,
		},
		{`\begin{gather} a \\ b \label{eq:n} \end{gather}`, []Tag{{Label: "eq:n"}}, false, 1},
		{`\begin{equation} a \label{eq:n} \end{equation}`, []Tag{{Label: "eq:n"}}, false, 1},
		{"x % \\label{eq:no}\n + y", nil, false, 0},
	}
	var all []string
	for _, tt := range tests {
		all = append(all, tt.tex)
	}
	for i, r := range convertAll(t, nil, all...) {
		tt := tests[i]
		if r.Err != nil {
			t.Errorf("%s: %v", tt.tex, r.Err)
			continue
		}
		if diff := cmp.Diff(tt.tags, r.Tags); diff != "" || r.Whole != tt.whole {
			t.Errorf("%s: whole = %v, tags (-want +got):\n%s", tt.tex, r.Whole, diff)
		}
		seen := 0
		filled := r.Fill(func(i int) (string, string) {
			seen++
			return fmt.Sprintf("NUMBER%d", i), fmt.Sprintf("ANCHOR%d", i)
		})
		if seen != tt.rows || strings.Contains(filled, placeholderPrefix) {
			t.Errorf("%s: %d rows of %d filled: %s", tt.tex, seen, tt.rows, filled)
		}
		for n := range tt.rows {
			_, row, _ := strings.Cut(filled, fmt.Sprintf(`id="ANCHOR%d"`, n))
			row, _, _ = strings.Cut(row, "ANCHOR")
			if !strings.Contains(row, fmt.Sprintf("<mtext>NUMBER%d</mtext>", n)) {
				t.Errorf("%s: number %d is not in the row of its anchor: %s", tt.tex, n, filled)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		tex  string
		line int
		msg  string
	}{
		{`\foo`, 0, `Undefined control sequence: \foo`},
		{"a\nb\n\\foo", 2, `Undefined control sequence`},
		{"😀\n\\foo", 1, `Undefined control sequence`}, // KaTeX counts two units for the first character
		{"\\label{eq:a}\n\\foo", 1, `Undefined control sequence`},
		{`\frac{1`, 0, `expected '}'`},
		{`\def\a{\a\a}\a`, 0, "Too many expansions"},
		{strings.Repeat("{", 4000) + "x" + strings.Repeat("}", 4000), 0, "nested more than 100 deep"},
		{`\def\a{` + strings.Repeat(`\left(`, 500) + `}\a\a`, 0, "nested more than 100 deep"},
		{strings.Repeat(`\rm `, 900) + "x", 0, "nested more than 100 deep"},
		{`\bound@`, 0, "no such function"},
		{strings.Repeat("x", 10_001), 0, "more than 10000 bytes"},
		{`x \label{}`, 0, "is empty"},
		{`x \label`, 0, "in braces"},
		{`x \label{a{b}}`, 0, "in braces"},
		{"x\n\\label{eq:a} \\label{eq:b}", 1, "a second \\label{eq:b}"},
		{`x \tag{a} \tag{b}`, 0, "a second \\tag{b}"},
		{`\begin{aligned} a \label{eq:a} \\ b \label{eq:b} \end{aligned}`, 0, "use align or gather"},
		{"x\x00y", 0, "control character"},
		{`\href{javascript:alert(1)}{x}`, 0, ""}, // either refused or without the link, see below
	}
	var all []string
	for _, tt := range tests {
		all = append(all, tt.tex)
	}
	for i, r := range convertAll(t, nil, all...) {
		tt := tests[i]
		if tt.msg == "" {
			if strings.Contains(r.MathML, "href=") {
				t.Errorf("%s: %s", tt.tex, r.MathML)
			}
			continue
		}
		if r.Err == nil || !strings.Contains(r.Err.Msg, tt.msg) || r.Err.Line(tt.tex) != tt.line {
			t.Errorf("%q: fault %+v, want %q in line %d", tt.tex, r.Err, tt.msg, tt.line)
		}
	}
}

func TestInlineMathHasNoNumber(t *testing.T) {
	results, err := Convert(context.Background(), nil, nil, []Formula{{TeX: `x \label{eq:a}`}})
	if err != nil || results[0].Err == nil {
		t.Fatalf("%+v, %v", results, err)
	}
}

// TestFormulasDoNotDependOnEachOther would fail if a definition leaked from one formula of a machine into the next.
func TestFormulasDoNotDependOnEachOther(t *testing.T) {
	results := convertAll(t, nil, `\gdef\mine{x} \mine`, `\mine`)
	if results[0].Err != nil || results[1].Err == nil {
		t.Errorf("\\gdef leaked: %+v", results)
	}
}

func TestCoresAndCacheDoNotMatter(t *testing.T) {
	formulas := []string{`\foo`}
	for i := range 12 {
		formulas = append(formulas, fmt.Sprintf(`x_{%d} \label{eq:%d}`, i, i))
	}
	want := convertAll(t, nil, formulas...)
	store := cache.Open(t.TempDir())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{4, 1, 3} {
		runtime.GOMAXPROCS(cores)
		if diff := cmp.Diff(want, convertAll(t, store, formulas...)); diff != "" {
			t.Errorf("%d cores (-want +got):\n%s", cores, diff)
		}
	}
}

func TestCacheSparesMachines(t *testing.T) {
	store := cache.Open(t.TempDir())
	convertAll(t, store, `x`, `\foo`)
	c := newConverter(ceiling, store)
	defer c.close()
	if _, err := c.convertAll(context.Background(), []Formula{{`x`, true}, {`\foo`, true}}); err != nil {
		t.Fatal(err)
	}
	if len(c.idle) != 0 {
		t.Error("a machine was started for formulas that are in the cache")
	}
	other := newConverter(map[string]string{`\ceil`: `#1`}, store)
	defer other.close()
	if _, err := other.convertAll(context.Background(), []Formula{{`x`, true}}); err != nil {
		t.Fatal(err)
	}
	if len(other.idle) == 0 {
		t.Error("the cache confused two sets of macros")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Convert(ctx, nil, nil, []Formula{{TeX: "x"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestWidth(t *testing.T) {
	results := convertAll(
		t, nil, `x`, `\frac{abc}{d}`, `a + b`, `\begin{aligned} aa &= b \\ c &= dddd \end{aligned}`,
	)
	var got []int
	for _, r := range results {
		got = append(got, r.Width)
	}
	if want := []int{1, 3, 3, 9}; !slices.Equal(got, want) {
		t.Errorf("widths %v, want %v", got, want)
	}
}

func TestKaTeXIsTheReleaseItSays(t *testing.T) {
	if !strings.Contains(katexSource, `version:"`+katexVersion+`"`) {
		t.Errorf("katex.min.js is not version %s", katexVersion)
	}
	if _, err := os.Stat(filepath.Join("katex", "LICENSE")); err != nil {
		t.Error(err)
	}
}

func FuzzExtractTags(f *testing.F) {
	f.Add(`x \label{eq:a} \\ \tag*{b} % c`)
	f.Add(`\begin{align} \end{align} \`)
	f.Fuzz(func(t *testing.T, src string) {
		out, tags, err := extractTags(src)
		if err != nil {
			var fault *SyntaxError
			if !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(src) {
				t.Errorf("%q: %v", src, err)
			}
			return
		}
		if len(tags) == 0 && out != src {
			t.Errorf("%q became %q without a tag", src, out)
		}
	})
}

func FuzzConvert(f *testing.F) {
	for _, s := range []string{
		`\ceil{x}`, `\begin{align} a &= b \label{eq:x} \end{align}`, `x''_1^{2}`, `\text{$x$}`,
		`\log`, `\Bigl( \frac{}{}`,
	} {
		f.Add(s)
	}
	c := newConverter(nil, nil)
	f.Fuzz(func(t *testing.T, src string) {
		results, err := c.convertAll(context.Background(), []Formula{{src, true}})
		must.Do(t, err)
		if r := results[0]; r.Err == nil {
			if _, err := parse(r.MathML); err != nil {
				t.Errorf("%q gave %q: %v", src, r.MathML, err)
			}
		}
	})
}

func BenchmarkConvert(b *testing.B) {
	for _, n := range []int{1, 200} {
		b.Run(fmt.Sprintf("%dformulas", n), func(b *testing.B) {
			var formulas []string
			for i := range n {
				formulas = append(formulas,
					fmt.Sprintf(`k_{%d}(x) = \ceil{\frac{\log \frac{n + x/\varphi}{n - x\varphi}}{4 \log \varphi}}`, i))
			}
			for b.Loop() {
				convertAll(b, nil, formulas...)
			}
		})
	}
}

// TestVariantsAgainstUnicode checks the table of alphabets against Unicode's own: every styled letter decomposes to the
// letter it came from, and no two letters or styles share one.
func TestVariantsAgainstUnicode(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" +
		"ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω" + "ϴ∇" + greekVariants
	seen := map[string]string{}
	for variant, a := range alphabets {
		changed := 0
		for _, r := range letters {
			styled := inVariant(variant, string(r))
			if styled == string(r) {
				continue
			}
			changed++
			if from, dup := seen[styled]; dup {
				t.Errorf("%s %c and %s are both %s", variant, r, from, styled)
			}
			seen[styled] = variant + " " + string(r)
			// Two Greek forms decompose further, to the letter they are a form of.
			if got, want := norm.NFKC.String(styled), norm.NFKC.String(string(r)); got != want {
				t.Errorf("%s %c is %s, which is a styled %s", variant, r, styled, got)
			}
			if first, _ := utf8.DecodeRuneInString(styled); !unicode.IsPrint(first) {
				t.Errorf("%s %c is the unassigned %U", variant, r, first)
			}
		}
		want := 52
		if a.digit != 0 {
			want += 10
		}
		if a.greekUpper != 0 {
			want += 24 + 25 + 2 + 7
		}
		if changed != want {
			t.Errorf("%s changes %d letters, want %d", variant, changed, want)
		}
	}
	if got := inVariant("unheard-of", "x"); got != "x" {
		t.Errorf("an unknown variant gave %q", got)
	}
}
