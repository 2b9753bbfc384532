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

// convertAll converts display formulas, in which all tests can use the macro \ceil.
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
	rows := must.Rows(t, "testdata/tables.txt", "TestMathML")
	parts := func(list string) []string {
		list = strings.ReplaceAll(list, "APPLY", applyFunction)
		return strings.FieldsFunc(list, func(r rune) bool { return r == '¦' })
	}
	for i, r := range convertAll(t, nil, column(rows)...) {
		if r.Err != nil {
			t.Errorf("%s: %v", rows[i][0], r.Err)
		}
		for _, part := range parts(rows[i][1]) {
			if !strings.Contains(r.MathML, part) {
				t.Errorf("%s: %s lacks %s", rows[i][0], r.MathML, part)
			}
		}
		for _, part := range append(parts(rows[i][2]), "semantics", "annotation", " style=", "xmlns") {
			if strings.Contains(r.MathML, part) {
				t.Errorf("%s: %s holds %s", rows[i][0], r.MathML, part)
			}
		}
	}
}

// column returns the first value of each row.
func column(rows [][]string) (all []string) {
	for _, row := range rows {
		all = append(all, row[0])
	}
	return all
}

func TestTags(t *testing.T) {
	rows := must.Rows(t, "testdata/tables.txt", "TestTags")
	for i, r := range convertAll(t, nil, column(rows)...) {
		tex, tags, whole, places := rows[i][0], rows[i][1], rows[i][2] == "whole", rows[i][3]
		var got []string
		for _, tag := range r.Tags {
			switch {
			case tag.Star:
				got = append(got, tag.Label+" "+tag.Text)
			case tag.Text != "":
				got = append(got, tag.Label+" ("+tag.Text+")")
			default:
				got = append(got, tag.Label)
			}
		}
		if said := strings.Join(got, ", "); r.Err != nil || said != tags || r.Whole != whole {
			t.Errorf("%s: whole = %v, tags %s, want %s: %v", tex, r.Whole, said, tags, r.Err)
		}
		seen := 0
		filled := r.Fill(func(i int) (string, string) {
			seen++
			return fmt.Sprintf("NUMBER%d", i), fmt.Sprintf("ANCHOR%d", i)
		})
		if fmt.Sprint(seen) != places || strings.Contains(filled, placeholderPrefix) {
			t.Errorf("%s: %d rows of %s filled: %s", tex, seen, places, filled)
		}
		for n := range seen {
			_, row, _ := strings.Cut(filled, fmt.Sprintf(`id="ANCHOR%d"`, n))
			row, _, _ = strings.Cut(row, "ANCHOR")
			if !strings.Contains(row, fmt.Sprintf("<mtext>NUMBER%d</mtext>", n)) {
				t.Errorf("%s: number %d is not in the row of its anchor: %s", tex, n, filled)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	rows := append(must.Rows(t, "testdata/tables.txt", "TestFaults"), [][]string{
		{strings.Repeat("{", 4000) + "x" + strings.Repeat("}", 4000), "0", "nested more than 100 levels deep"},
		{`\def\a{` + strings.Repeat(`\left(`, 500) + `}\a\a`, "0", "nested more than 100 levels deep"},
		{strings.Repeat(`\rm `, 900) + "x", "0", "nested more than 100 levels deep"},
		{strings.Repeat("x", 10_001), "0", "more than 10000 bytes"},
	}...)
	for i, r := range convertAll(t, nil, column(rows)...) {
		tex := rows[i][0]
		if r.Err == nil || !strings.Contains(r.Err.Msg, rows[i][2]) || fmt.Sprint(r.Err.Line(tex)) != rows[i][1] {
			t.Errorf("%.200q: fault %+v, want %q in line %s", tex, r.Err, rows[i][2], rows[i][1])
		}
	}
	// KaTeX either refuses the link, or renders the formula without it.
	if r := convertAll(t, nil, `\href{javascript:alert(1)}{x}`)[0]; strings.Contains(r.MathML, "href=") {
		t.Error(r.MathML)
	}
}

func TestInlineMathHasNoNumber(t *testing.T) {
	results, err := Convert(context.Background(), nil, nil, []Formula{{TeX: `x \label{eq:a}`}})
	if err != nil || results[0].Err == nil {
		t.Fatalf("%+v, %v", results, err)
	}
}

// TestFormulasDoNotDependOnEachOther checks that a definition does not leak from one formula into the next on the same
// machine.
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

// TestVariantsAgainstUnicode checks the table of alphabets against Unicode: every styled letter must decompose to its
// original letter, and no two letters or styles may share a styled letter.
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
			// Some Greek variant letters themselves decompose to a plain letter.
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
