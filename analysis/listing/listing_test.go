package listing

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/internal/must"
)

var signatureOfTest = Signature{Name: "f", Parameters: []string{"x"}}

// testCase is a case of testdata/language.txt.
type testCase struct{ name, text, want string }

func languageCases(tb testing.TB) []testCase {
	tb.Helper()
	file := must.Get(os.ReadFile("testdata/language.txt"))
	var all []testCase
	for _, part := range strings.Split(string(file), "\n-- ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		if want, ok := strings.CutPrefix(head, "want "); ok {
			all[len(all)-1].want = want
		} else {
			all = append(all, testCase{name: head, text: body + "\n"})
		}
	}
	return all
}

// TestWords checks that the words of the grammar that Words returns cannot be names, that every listing can call the
// functions that it returns, and that the interpreter has no other functions that a listing can use.
func TestWords(t *testing.T) {
	read := func(text string) error {
		_, err := ReadProgram("test.star", []byte(text+"\n"), Limits{})
		return err
	}
	fixed, called := Words()
	for _, word := range fixed {
		if starlark.Universe[word] == nil && read(word+" = 1") == nil {
			t.Errorf("%s can be a name", word)
		}
	}
	refused := func(name string) bool {
		err := read(name + "(1, 1, 1, 1)")
		return err != nil && strings.Contains(err.Error(), "not part of the language")
	}
	for name := range starlark.Universe {
		if !slices.Contains(fixed, name) && slices.Contains(called, name) == refused(name) {
			t.Errorf("%s is listed and refused, or neither", name)
		}
	}
	for _, name := range called {
		if err := read("x = bool(" + name + ")"); err != nil || refused(name) {
			t.Errorf("%s is listed and refused: %v", name, err)
		}
	}
}

// TestLanguage checks that all parts of the language work, that everything else is refused with its place, and that a
// program that would take unlimited time or memory ends with a message.
func TestLanguage(t *testing.T) {
	for _, test := range languageCases(t) {
		t.Run(test.name, func(t *testing.T) {
			var got string
			l, err := Read("test.star", []byte(test.text), signatureOfTest, Limits{})
			if err == nil {
				var number int64
				if number, err = l.number(starlark.MakeInt(7)); err == nil {
					got = strconv.FormatInt(number, 10)
				}
			}
			if err != nil {
				var fault *Error
				if got = err.Error(); !errors.As(err, &fault) {
					t.Errorf("%T, want an *Error", err)
				}
			}
			if _, number := strconv.ParseInt(test.want, 10, 64); number == nil && got != test.want ||
				!strings.Contains(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestPython checks that the language's cases that return a number return the same number in Python.
func TestPython(t *testing.T) {
	var program, want strings.Builder
	for _, test := range languageCases(t) {
		if _, err := strconv.ParseInt(test.want, 10, 64); err == nil {
			fmt.Fprintf(&program, "%sprint(f(7), %q)\n", test.text, test.name)
			fmt.Fprintf(&want, "%s %s\n", test.want, test.name)
		}
	}
	inPython(t, program.String(), want.String())
}

// inPython runs a program in Python, and fails the test unless it prints the wanted lines.
func inPython(t *testing.T, program, want string) {
	t.Helper()
	if diff := cmp.Diff(want, must.Python(t, program)); diff != "" {
		t.Errorf("-here +Python:\n%.3000s", diff)
	}
}

func TestPrinted(t *testing.T) {
	l, err := Read("test.star", []byte("def f(x):\n    for i in range(x):\n        print(i, [x])\n    return 1\n"),
		signatureOfTest, Limits{Lines: 2})
	must.Do(t, err)
	must.Get(l.number(starlark.MakeInt(3)))
	const want = "0 [3]\n1 [3]\n(print wrote more than 2 lines: the rest is left out)"
	if got := strings.Join(l.Printed(), "\n"); got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestRefusedTexts(t *testing.T) {
	for text, want := range map[string]string{
		"\xff":                                     "test.star: the listing is not UTF-8: save it in that encoding",
		strings.Repeat("#", 1<<16) + "\n":          "test.star: the listing has more than 65536 bytes: shorten it",
		strings.Repeat("(", 60_000):                "excessive nesting",
		"x = " + strings.Repeat("-", 60_000) + "1": "excessive nesting",
	} {
		_, err := Read("test.star", []byte(text), signatureOfTest, Limits{})
		must.ErrorContains(t, err, want)
	}
}

func TestName(t *testing.T) {
	for file, want := range map[string]string{
		"mine.star": "mine", "/a/b/My Plan.star": "my-plan", `C:\x\é_2.star`: "2", ".star": "listing", "a.b.star": "a",
	} {
		if got := Name(file); got != want {
			t.Errorf("%q is named %q, want %q", file, got, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for docstring, want := range map[string]string{
		"": "mine", " \x1b\x07 ": "mine", "...": "mine", "Greed. \n\nMore.": "Greed",
		strings.Repeat("ä", 60): strings.Repeat("ä", 60), strings.Repeat("ä", 61): strings.Repeat("ä", 59) + "…",
	} {
		text := fmt.Sprintf("def f(x):\n    \"\"\"%s\"\"\"\n    return 1\n", docstring)
		if l, err := Read("mine.star", []byte(text), signatureOfTest, Limits{}); err != nil || l.Title != want {
			t.Errorf("%q: %v, want %q", docstring, err, want)
		}
	}
}

// FuzzRead checks that no listing panics, or uses more than its limits.
func FuzzRead(f *testing.F) {
	for _, test := range languageCases(f) {
		f.Add([]byte(test.text))
	}
	limits := Limits{Steps: 10_000, Items: 1_000, Total: 10_000, Depth: 100}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Read("test.star", text, signatureOfTest, limits)
		if err == nil {
			_, err = l.number(starlark.MakeInt(7))
		}
		var fault *Error
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%T: %v", err, err)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is not one line", err)
		}
	})
}

// TestSingle checks that small numbers are distinguished from values that may be large, so that a plain strategy runs
// as written.
func TestSingle(t *testing.T) {
	signature := Signature{Name: "take", Parameters: []string{"round", "left", "most", "heap"}}
	for _, body := range []string{
		"    \"\"\"All at once, if that ends it.\"\"\"\n    if left <= most:\n        return min(most - left, heap)\n" +
			"    if most > heap:\n        return heap\n    return 0\n",
		"    \"\"\"As many as can be.\"\"\"\n    return min(most, heap)\n",
	} {
		text := signature.String() + ":\n" + body
		tree := must.Get(options.Parse("plain.star", text, 0))
		if fault := bind(tree, signature, DefaultLimits); fault != nil {
			t.Fatal(fault)
		}
		program, err := starlark.FileProgram(tree, func(name string) bool {
			if !slices.Contains(functions, name) && !slices.Contains(constants, name) {
				t.Errorf("%scalls %s", text, name)
			}
			return predeclared.Has(name)
		})
		var written bytes.Buffer
		if err != nil || program.Write(&written) != nil {
			t.Error(err)
		}
	}
}

func ExampleRead() {
	text := []byte("def f(x):\n    return x / 2\n")
	_, err := Read("half.star", text, Signature{Name: "f", Parameters: []string{"x"}}, Limits{})
	fmt.Println(err)
	// Output: half.star:2:14: / makes fractions: divide with //, which rounds down
}

func TestProgram(t *testing.T) {
	p := must.Get(ReadProgram("test", must.Get(os.ReadFile("testdata/program.star")), Limits{Steps: 1000}))
	if got := fmt.Sprint(p.Functions()); got != "[double endless kinds twice]" {
		t.Error(got)
	}
	for _, test := range []struct {
		want      string
		function  string
		arguments []any
	}{
		{"12 <nil>", "twice", []any{Function("double"), int64(3)}},
		{"5 <nil>", "twice", []any{func(n int64) int64 { return n + 1 }, int64(3)}},
		{"[[1 b] [1180591620717411303424 a true] <nil> [{[1 2] [3]}]] <nil>", "kinds", []any{[]any{int64(1), "b"}}},
		{
			"[[1 2] [1180591620717411303424 a true] <nil> [{[1 2] [3]}]] <nil>", "kinds",
			[]any{Tuple{int64(1), int64(2)}},
		},
		{"<nil> test:11:11: more than 1000 steps in one call: a loop does not end, or takes too long", "endless", nil},
		{"<nil> test: there is no function name", "name", nil},
		{"<nil> test: there is no function none", "twice", []any{Function("none"), int64(3)}},
		{"<nil> test: an argument has the type int, which programs do not support", "double", []any{3}},
		{
			"<nil> test: a function returns a value, a function: it must return numbers, strings or lists", "kinds",
			[]any{Function("double")},
		},
	} {
		got, err := p.Call(test.function, test.arguments...)
		if said := fmt.Sprint(got, " ", err); strings.Join(strings.Fields(said), " ") != test.want {
			t.Errorf("%s: %s, want %s", test.function, said, test.want)
		}
	}
	if _, err := ReadProgram("test", []byte("x = 1 / 2"), Limits{}); err == nil {
		t.Error("a fraction is read")
	}
}

// number calls the function and returns its result as an integer.
func (l *Listing) number(arguments ...starlark.Value) (int64, error) {
	value, _, err := l.Call(arguments...)
	if err != nil {
		return 0, err
	}
	return l.Whole(value)
}
