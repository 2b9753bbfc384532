package jupyter

import (
	"strings"
	"testing"
)

// TestWithoutValues checks that calls that return no value become statements again, and that the import for showing
// values stays unused.
func TestWithoutValues(t *testing.T) {
	const source = `package main
import siegebookShow "a"
func main() {
	f(); siegebookShow.Value(f()); if b {
		siegebookShow.Value(
			g(1))
	}
}
`
	said := func(line string) string { return "./main.go:" + line + ":9: f() (no value) used as value\n" }
	for _, test := range []struct{ said, want string }{
		{said("4"), strings.Replace(source, "siegebookShow.Value(f());", "                    f() ;", 1)},
		{said("4") + said("6"), strings.NewReplacer("siegebookShow.Value(f());", "                    f() ;",
			"siegebookShow.Value(\n", "                    \n", "\t\t\tg(1))", "   g(1) ",
			"siegebookShow \"", "_             \"").Replace(source)},
		{said("3"), ""},
		{said("5"), ""},
		{"./main.go:4:2: undefined: f\n", ""},
		{"./other.go:4:2: f() (no value) used as value\n", ""},
	} {
		got, is := WithoutValues([]byte(source), []byte(test.said))
		if !is {
			got = nil
		}
		if string(got) != test.want {
			t.Errorf("%s: %s, want %s", test.said, got, test.want)
		}
	}
	if _, is := WithoutValues([]byte("no Go"), []byte(said("4"))); is {
		t.Error("a program that is no Go has changed")
	}
}

// TestColumns checks that gonb's messages about a line in the program get the right column in the cell.
func TestColumns(t *testing.T) {
	const cell = "var x int = y\nä(\"a\", y) // two\n  z"
	for _, test := range []struct{ line, made, want string }{
		{"1", "\tx int = ^y", ", column 13"},
		{"2", mainHead + valueHead + "ä(\"a\", ^y)) // two", ", column 8"},
		{"2", mainHead + "^ä(\"a\", y) // two", ", column 1"},
		{"2", "ä(\"a\", y) // two^", ""},
		{"3", "  ^z", ", column 3"},
		{"3", "w ^w", ""},
		{"4", "^z", ""},
		{"0", "^z", ""},
	} {
		before, behind, _ := strings.Cut(test.made, "^")
		for number, want := range map[int]string{7: test.want, 8: ""} {
			place, lines := "Cell[7]: Line "+test.line, "\nbefore\n"+before+behind+"\n"
			said := func(mark string) string { return strings.Repeat(" ", len(mark)) + "^\nbehind\nundefined: y" }
			mark := before
			if want != "" { // the mark is below the position that it marks
				mark = strings.TrimPrefix(strings.TrimPrefix(before, mainHead), valueHead)
			}
			if got := withColumns(place+lines+said(before), cell, number); got != place+want+lines+said(mark) {
				t.Errorf("%s: %q", test.made, got)
			}
		}
	}
	page := `<span class="gonb-cell-line-info">Cell[7]: Line 2|</span> <span class="gonb-err-location">./main.go:9:` +
		`37: </span></span>undefined<div class="gonb-err-context"><div class="gonb-err-line">` + mainHead +
		"ä(&#34;a&#34;, y) // two\n</div>\n</div>"
	got := withColumns(strings.Replace(page, "|", "", 1), cell, 7)
	if want := strings.Replace(page, "|", ", column 8", 1); got != want {
		t.Errorf("the page has %s, want %s", got, want)
	}
}
