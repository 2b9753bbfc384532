package gosource_test

import (
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/gosource"
)

// TestLastValue marks the expression at the end of a cell with brackets, and with ? if it is a call.
func TestLastValue(t *testing.T) {
	for _, test := range []struct{ cell, want string }{
		{"x := 1\nx", "x := 1\n[x]"},
		{"x + // one\n2 // two\n", "[x + // one\n2] // two\n"},
		{"// above\n(f())", "// above\n[(f())]"},
		{"f(1)", "?[f(1)]"},
		{"b.F(1)", "?[b.F(1)]"},
		{"show.Shared(f, 1)", "?[show.Shared(f, 1)]"},
		{"[]T{\n{1},\n}", "[[]T{\n{1},\n}]"},
		{"func() int { return 1 }()", "?[func() int { return 1 }()]"},
		{"<-done", "[<-done]"},
		{"len(x)", "?[len(x)]"},
		{"struct{}{}", "[struct{}{}]"},
		{"ä", "[ä]"},
		{"fmt.Println(1)", ""},
		{"fmt.Fprintf(w, `a`)", ""},
		{"w.WriteString(`a`)", ""},
		{"view.Battle(b).Show()", ""},
		{"show.Figure(f)", ""},
		{"delete(m, 1)", ""},
		{"panic(1)", ""},
		{"x;", ""},
		{"x; y", ""},
		{"x\ny := 1", ""},
		{"for { x }", ""},
		{"x++", ""},
		{"x = 1", ""},
		{"var x = 1", ""},
		{"go f()", ""},
		{"x }; func g() { y", ""},
		{"", ""},
		{"// x", ""},
	} {
		items, _ := gosource.Items(test.cell)
		got := ""
		if v, is := gosource.LastValue(test.cell, items); is {
			got = test.cell[:v.From] + "[" + test.cell[v.From:v.To] + "]" + test.cell[v.To:]
			if v.Call {
				got = strings.Replace(got, "[", "?[", 1)
			}
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.cell, got, test.want)
		}
	}
}

// TestItemsEnd checks that a semicolon at the end of a cell ends its last statement.
func TestItemsEnd(t *testing.T) {
	for _, cell := range []string{"x := 1;", "f();\n", "f();\n// done", "if x; y {\n}"} {
		items, err := gosource.Items(cell)
		if err != nil || len(items) != 1 {
			t.Errorf("%q: %v, %v", cell, items, err)
		}
	}
}

// TestUnclosed checks that Items reports a bracket without a partner: the opening bracket if a bracket of another kind
// closes it.
func TestUnclosed(t *testing.T) {
	for _, test := range []struct {
		cell string
		at   int
	}{{"for {\nf(1\n}", 7}, {"f(1]", 1}, {"f())", 3}, {"{[(", 2}, {"a[1)", 1}} {
		_, err := gosource.Items(test.cell)
		if want := (gosource.Unclosed{At: test.at}); err != want {
			t.Errorf("%q: %v, want %v", test.cell, err, want)
		}
	}
}
