package jupyter

import (
	"strings"
	"testing"
)

// parameterBook returns a notebook whose only cell has a source and the tag parameters.
func parameterBook(t *testing.T, source string) *Notebook {
	t.Helper()
	n := book(t, source)
	n.style.set(child(n.cells[0], "metadata"), "tags", []string{TagParameters}, cellDepth+1)
	return n
}

func TestSetParameters(t *testing.T) {
	for _, test := range []struct{ source, set, want string }{
		{"var n = 20", "n=7", "var n = 7"},
		{"var n = 20 // soldiers", "n=-0x10", "var n = -0x10 // soldiers"},
		{"var n, s = 20,  8", "s=9", "var n, s = 20,  9"},
		{"const (\n\tn = 1\n\tname = \"φ\" // ü\n)", "name=a \"b\"", "const (\n\tn = 1\n\tname = \"a \\\"b\\\"\" // " +
			"ü\n)"},
		{"var s = `raw`", "s=\"quoted\\n\"", "var s = \"quoted\\n\""},
		{"var s = `raw`", "s=", "var s = \"\""},
		{"var x = 1.5", "x=2", "var x = 2.0"},
		{"var x = 1.5", "x=1e-3", "var x = 1e-3"},
		{"var x float64 = 1", "x=2", "var x float64 = 2.0"},
		{"var u uint8", "u=255", "var u uint8 = 255"},
		{"var ok = true", "ok=false", "var ok = false"},
		{"var r = 'a'", "r='b'", "var r = 'b'"},
		{"var list = []int{1, 2}", "list=[]int{3}", "var list = []int{3}"},
		{"var d = 2 * time.Second", "d=time.Hour", "var d = time.Hour"},
		{"var n = 1 << 10", "n=5", "var n = 5"},
		{"%%\nn := 20\nfmt.Println(n)", "n=7", "%%\nn := 7\nfmt.Println(n)"},
		{"n := 20\nm := 3", "m=4", "n := 20\nm := 4"},
		{
			"import \"fmt\"\n!ls é\nvar n = 20\n%% --flag\nm := 3\nfmt.Println(n)", "m=4",
			"import \"fmt\"\n!ls é\nvar n = 20\n%% --flag\nm := 4\nfmt.Println(n)",
		},
		{"import \"fmt\"\r\nvar n = 20\r\n%%\r\nm := 3", "n=4", "import \"fmt\"\r\nvar n = 4\r\n%%\r\nm := 3"},
		{"func f() { n := 1; _ = n }\nvar n = 2", "n=3", "func f() { n := 1; _ = n }\nvar n = 3"},
		{"var big uint64 = 1", "big=18446744073709551615", "var big uint64 = 18446744073709551615"},
	} {
		n := parameterBook(t, test.source)
		name, value, _ := strings.Cut(test.set, "=")
		if err := n.SetParameters(map[string]string{name: value}); err != nil {
			t.Errorf("%q, %s: %v", test.source, test.set, err)
			continue
		}
		if got := n.Cells()[0].Source; got != test.want {
			t.Errorf("%q, %s: got %q, want %q", test.source, test.set, got, test.want)
		}
	}
}

func TestSetParametersErrors(t *testing.T) {
	for _, test := range []struct{ source, set, want string }{
		{"var n = 20", "m=1", "parameter m: the cell tagged parameters sets no such name: use one of n"},
		{"fmt.Println(1)", "m=1", "there are none"},
		{"var n = 20", "n=x", "parameter n=x: want a value of type int, like 20: undefined: x"},
		{"var n = 20", "n=1.5", "cannot use 1.5 (untyped float constant) as int value (truncated)"},
		{"var n = 20", "n=9223372036854775808", "as int value (overflows)"},
		{"var n uint8 = 2", "n=256", "as uint8 value (overflows)"},
		{"var n uint8 = 2", "n=-1", "as uint8 value (overflows)"},
		{"var x = 1.5", "x=NaN", "want a value of type float64, like 1.5: undefined: NaN"},
		{"var x = 1.5", "x=1e999", "as float64 value (overflows)"},
		{"var x = 1.5", "x=abc", "like 1.5"},
		{"var b = true", "b=1", "want a value of type bool, like true: cannot use 1"},
		{"var s = \"a\"", "s=\"open", "string literal not terminated), like \"a\""},
		{"var l = []int{1}", "l=[]string{}", "want a value of type []int, like []int{1}"},
		{"var l = []int{1}", "l=3", "want a value of type []int"},
		{"var s = \"a\"", "s=`\xff`", "illegal UTF-8"},
		{"var d = f()", "d=(", "not a Go expression"},
		{"var n = ", "n=1", "the cell tagged parameters cannot be read: it is not Go: line 1"},
		{"%%\nvar n = 2\nfor {", "n=1", "it is not Go: line "},
	} {
		n := parameterBook(t, test.source)
		name, value, _ := strings.Cut(test.set, "=")
		err := n.SetParameters(map[string]string{name: value})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q, %s: error %v, want %q", test.source, test.set, err, test.want)
		}
		if n.Cells()[0].Source != test.source {
			t.Errorf("%q, %s: the cell has changed", test.source, test.set)
		}
	}
	if err := book(t, "var n = 1").SetParameters(map[string]string{"n": "2"}); err == nil ||
		!strings.Contains(err.Error(), "no code cell tagged") {
		t.Errorf("no tag: error %v", err)
	}
	if err := parse(t, samples(t)["colab.ipynb"]).SetParameters(map[string]string{"n": "2"}); err == nil ||
		!strings.Contains(err.Error(), "written in python") {
		t.Errorf("python: error %v", err)
	}
}

// TestSetParametersBytes: the value changes and nothing else in the file.
func TestSetParametersBytes(t *testing.T) {
	data := string(samples(t)["jupyter.ipynb"])
	n := parse(t, []byte(data))
	if err := n.SetParameters(map[string]string{"n": "21", "name": "ψ"}); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(
		strings.Replace(data, "var n = 20", "var n = 21", 1),
		`const name = \"φ\"`,
		`const name = \"ψ\"`,
		1,
	)
	if got := string(n.Bytes()); got != want {
		t.Errorf("got %s", got)
	}
}

func FuzzSetParameters(f *testing.F) {
	f.Add("import \"fmt\"\nvar n = 20\n%%\nm := 3", "n", "7")
	f.Add("const (\n a = iota\n b\n)", "b", "1")
	f.Add("x=0", "x", "\"\xa5\"")
	f.Add("x, y := 1, \"s\"", "y", "`")
	f.Fuzz(func(t *testing.T, source, name, value string) {
		sources := map[int]string{0: source}
		if setParameter(sources, name, value) != nil {
			return
		}
		// A value that was set can be read and set again.
		again := map[int]string{0: sources[0]}
		if err := setParameter(again, name, value); err != nil || again[0] != sources[0] {
			t.Errorf("%q: set to %q, again to %q, error %v", source, sources[0], again[0], err)
		}
	})
}
