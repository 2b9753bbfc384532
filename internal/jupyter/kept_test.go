package jupyter

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/notebooks/show/values"
)

// TestStaying checks whether one cell may leave a value for another. Lines separate the cells.
func TestStaying(t *testing.T) {
	for cells, want := range map[string]string{
		"x := 1---x + 1":                                            "another cell uses x",
		"x := 1---x := 2; x + 1":                                    "",
		"x, y := 1, 2---func f() int { return y }":                  "another cell uses y",
		"%%\nx := 1---x + 1":                                        "",
		"x := 1---%%\nfmt.Println(x)":                               "another cell uses x",
		"func main() { x := 1; _ = x }---x":                         "",
		"var n = 1---fmt.Println(n)---n + 1":                        "",
		"var n = 1---n++---fmt.Println(n)":                          "n may change, and another cell uses it",
		"var n = 1---n++":                                           "",
		"var n = 1---%%\nn++---%%\nfmt.Println(n)":                  "",
		"var n = 1---p := &n---fmt.Println(n)":                      "n may change, and another cell uses it",
		"var a = []int{1}---a[0]++---fmt.Println(a)":                "a may change, and another cell uses it",
		"var a = []int{1}\na[0]---1 + 1":                            "",
		"var n = 1\nfunc f() int { n++; return n }---f()---f()":     "n may change, and another cell uses it",
		"var n = 1\nfunc f() int { return n }---f()---f()":          "",
		"var n = 1\nfunc f() int { n++; return n }---%%\nf()---1+1": "",
	} {
		said := ""
		if err := staying(append([]string{""}, strings.Split(cells, "---")...)); err != nil {
			said = err.Error()
		}
		if said != want {
			t.Errorf("%s: %q, not %q", cells, said, want)
		}
	}
}

// TestValuesOfGonb checks that no values are stored for a notebook whose metadata say so, or for a copy of it.
func TestValuesOfGonb(t *testing.T) {
	n := Compose([]map[string]any{CodeCell("one", "x := 1", nil), CodeCell("two", "x", nil)}, nil)
	if n.ValuesStay() == nil {
		t.Error("x does not stay")
	}
	n.style.set(n.metadata(), sealName, map[string]string{valuesName: valuesOfGonb}, 1)
	executed := n.Clone()
	executed.Seal()
	if n.ValuesStay() != nil || executed.ValuesStay() != nil || n.CopyOf(executed.Bytes()) != nil {
		t.Error("values stay")
	}
	if len(n.Check()) > 0 || len(executed.Check()) != 1 {
		t.Error(n.Check(), executed.Check())
	}
	if executed.Strip(); string(executed.Bytes()) != string(n.Bytes()) {
		t.Errorf("%s\nis not\n%s", executed.Bytes(), n.Bytes())
	}
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("a.ipynb", n.Bytes(), 0o600))
	t.Setenv("JPY_SESSION_NAME", "folder/a.ipynb")
	if openedNotebook() != valuesOfGonb {
		t.Error(openedNotebook())
	}
}

// TestSameValues checks that the program of a control sees the values from the time when its cell ran.
func TestSameValues(t *testing.T) {
	folder := t.TempDir()
	now, was := map[string]values.Entry{"x": {Why: "new"}}, map[string]values.Entry{"x": {Why: "old"}}
	must.Do(t, values.WriteTable(folder, was))
	env := withSameValues([]string{"A=b", values.FolderVariable + "=" + folder}, filepath.Join(t.TempDir(), "own"))
	must.Do(t, values.WriteTable(folder, now))
	own, _ := variable(env, values.FolderVariable)
	if own == folder || values.ReadTable(own)["x"] != was["x"] || values.ReadTable(folder)["x"] != now["x"] {
		t.Error(env, values.ReadTable(own))
	}
	if env := withSameValues([]string{"A=b"}, filepath.Join(t.TempDir(), "own")); len(env) != 1 {
		t.Error(env)
	}
}

// TestForgetKept checks that stored values are deleted when gonb forgets their declarations.
func TestForgetKept(t *testing.T) {
	for code, left := range map[string]int{
		"%rm a": 1, "%reset": 0, "%reset go.mod": 2, "x := 1": 2, "%rm a b": 0, "%%\n%rm c": 2,
	} {
		folder := t.TempDir()
		must.Do(t, values.WriteTable(folder, map[string]values.Entry{"a": {Why: "1"}, "b": {File: "2"}}))
		must.Do(t, forgetKept(folder, code))
		if n := len(values.ReadTable(folder)); n != left {
			t.Errorf("%s leaves %d, not %d", code, n, left)
		}
	}
}

// TestValuesStay runs programs of cells, as gonb writes them, one after another, and checks their outputs. They share a
// folder of stored values. Each program starts with its own package variables.
func TestValuesStay(t *testing.T) {
	needGo(t)
	if testing.Short() {
		t.Skip("builds a program for each of some cells; leave out -short")
	}
	const clock = "type clock struct{ at time.Time; next *clock; name string }\n"
	dir := t.TempDir()
	t.Setenv(values.FolderVariable, t.TempDir())
	for i, c := range []struct{ own, imports, top, body, want string }{ // want begins with keepValues's lines
		{"", "fmt", "", "x := 20; for i := range 3 { x += i }", ""},
		{"", "fmt", "", "fmt.Println(x + 1); x++", "24\n"},
		{"var never", "fmt", "var never = x * 2", "fmt.Println(never)", "48\n"},
		// A variable that another cell declared keeps its value, and is not recomputed. So its import is not needed.
		{"var late", "fmt os", "var never = x * 2\nvar late = os.Getpid()", "first := late", ""},
		{
			"", "fmt os", "var (\n\tnever = x * 2\n\tlate = os.Getpid()\n)",
			"fmt.Println(late == first, never); late = 0", "true 48\n",
		},
		{"", "fmt os", "var late = os.Getpid()", "fmt.Println(late, late == first)", "0 false\n"},
		// A function that the cell does not call may use a value. The program does not load that value.
		{"", "fmt os", "var late = os.Getpid()\nfunc f() int { return x + first }", "fmt.Println(1)", "1\n"},
		{"", "fmt time", clock, `a := &clock{time.Unix(5, 0), nil, "a"}; a.next = a; b := a; either := any(*b)`, ""},
		{"", "fmt time", clock, `b.name = "b"; fmt.Println(a.name, a.next == a, either.(clock).name)`, "b true a\n"},
		{
			"", "fmt time", clock, "fmt.Println(a.next.name, b == a, b.at.UTC()); len := 3; _ = len",
			"b true 1970-01-01 00:00:05 +0000 UTC\n",
		},
		// A declaration in the cell hides an earlier value, even if a type has changed.
		{"", "fmt", "type clock struct{ n int }", `x := "text"; a := clock{1}`, ""},
		{"", "fmt", "type clock struct{ n int }", "fmt.Println(x, a.n)", "text 1\n"},
		{
			"", "fmt", "", "type local struct{ n int }; l := local{1}; f := func() {}; s := []int{1, 2}; part := s[1:]",
			"",
		},
		{"", "fmt", "", "fmt.Println(s, len(s))", "[1 2] 2\n"},
		{"", "fmt", "", "sum := 0; defer fmt.Println(sum); { x := 3; _ = x }", "0\n"},
		{"", "fmt", "", "fmt.Println(x, sum)", "text 0\n"},
		{"var c", "fmt", "var c = make(chan int, 1)", "c <- 1", ""},
		{
			"", "fmt", "var c = make(chan int, 1)", "fmt.Println(len(c))",
			"the value of c could not be kept (a chan cannot outlive its cell): this cell computes it again.\n0\n",
		},
		{"", "fmt", "var c = make(chan int, 1)", "fmt.Println(1)", "1\n"},
	} {
		source := "package main\n\nimport (\n\t\"" + strings.ReplaceAll(c.imports, " ", "\"\n\t\"") +
			"\"\n\t\"flag\"\n)\n\n" + c.top + "\n\n" + mainHead + c.body + "\n}\n"
		made, said := keepValues([]byte(source), os.Getenv(values.FolderVariable), []string{c.own}, true)
		before, _, _ := strings.Cut(string(made), mainHead)
		if was, _, _ := strings.Cut(source, mainHead); strings.Count(before, "\n") != strings.Count(was, "\n") {
			t.Errorf("%d: lines have moved:\n%s", i, made)
		}
		file := filepath.Join(dir, "main.go")
		must.Do(t, os.WriteFile(file, unusedOut(made), 0o600))
		out, err := exec.Command("go", "run", file).CombinedOutput()
		if err != nil || said+string(out) != c.want {
			t.Fatalf("%d: %s%v, not %s:\n%s", i, out, err, c.want, made)
		}
	}
	for name, why := range map[string]string{
		"l":    "its type local is declared among statements: declare it above them",
		"f":    "a func cannot outlive its cell",
		"part": "it points into s",
	} {
		if said := values.ReadTable(os.Getenv(values.FolderVariable))[name].Why; said != why {
			t.Errorf("%s: %q, not %q", name, said, why)
		}
	}
}

// unusedOut removes unused imports, as goimports does.
func unusedOut(source []byte) []byte {
	if used := leaveUsed(append([]byte{}, source...)); used != nil {
		return used
	}
	return source
}

// TestValuesAreKernel checks that the kernel is rebuilt after a change to package values, because that package reads
// the files of values.
func TestValuesAreKernel(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, filepath.FromSlash("notebooks/show/values/values.go"))
	for _, name := range []string{filepath.Join(dir, "cmd", proxyProgram, "main.go"), file} {
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("package p\n"), 0o600))
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "internal"), 0o700))
	sources := func() string {
		var text strings.Builder
		must.Do(t, repository{dir: dir}.writeSources(&text))
		return text.String()
	}
	before := sources()
	must.Do(t, os.WriteFile(file, []byte("package q\n"), 0o600))
	if after := sources(); after == before {
		t.Error(before)
	}
}
