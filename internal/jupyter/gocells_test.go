package jupyter

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// cellFolder is a folder with the program of a cell, a library that it uses, and a go command that counts its calls.
type cellFolder struct {
	t                         *testing.T
	dir, library, built, tool string
	calls                     string
}

func newCellFolder(t *testing.T) cellFolder {
	needGo(t)
	realGo := must.Get(exec.LookPath("go"))
	self := must.Get(os.Executable())
	f := cellFolder{
		t, t.TempDir(), t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "go"), filepath.Join(t.TempDir(), "calls"),
	}
	bin := t.TempDir()
	must.Do(t, os.Symlink(self, filepath.Join(bin, recorderProgram)))
	f.write(f.tool, "#!/bin/sh\necho \"$1\" >> "+f.calls+"\nexec "+realGo+" \"$@\"\n")
	f.write(filepath.Join(f.library, "go.mod"), "module example.com/library\n\ngo 1.26.0\n")
	f.write(filepath.Join(f.library, "library.go"),
		"package library\n\nimport _ \"embed\"\n\n//go:embed word.txt\nvar Word string\n")
	f.write(filepath.Join(f.library, "word.txt"), "first")
	f.write(filepath.Join(f.dir, "go.mod"), "module cell\n\ngo 1.26.0\n")
	f.write(filepath.Join(f.dir, "go.work"), "go 1.26.0\n\nuse (\n\t.\n\t"+f.library+"\n)\n")
	t.Setenv("GOWORK", "")
	t.Setenv("CGO_ENABLED", "0")
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv(realGoVariable, f.tool)
	t.Setenv(builtVariable, f.built)
	t.Setenv("BASH_ENV", filepath.Join(f.built, "input.sh"))
	if _, err := noInput(f.built, nil); err != nil {
		t.Fatal(err)
	}
	t.Chdir(f.dir)
	// The packages that a plan uses must already be in Go's cache.
	if text, code := runGo(realGo, os.Environ(), "build", "example.com/library"); code != 0 {
		t.Fatalf("the library: %s", text)
	}
	exec := replaceProcess
	replaceProcess = func(program string, _, _ []string) error {
		err := fmt.Errorf("the test would become %s", program)
		t.Error(err)
		return err
	}
	t.Cleanup(func() { replaceProcess = exec })
	old := settleTime
	settleTime = 50 * time.Millisecond
	t.Cleanup(func() { settleTime = old })
	return f
}

func (f cellFolder) write(name, text string) {
	f.t.Helper()
	must.Do(f.t, os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o700))
}

// out returns the path of the program, which has the name that gonb gives to a cell's program.
func (f cellFolder) out() string { return filepath.Join(f.dir, filepath.Base(f.dir)) }

// settle waits until the last change to a file is old enough.
func (f cellFolder) settle() {
	f.t.Helper()
	waittest.Until(f.t, "files that have been left alone", func() bool {
		key, err := cellProgram{f.tool, f.built, f.out()}.key()
		return err != nil || !key.fresh
	})
}

// run builds and runs the program. It returns the program's output, or "" if the build fails, and the calls of the go
// command.
func (f cellFolder) run() (says, calls string) {
	f.t.Helper()
	f.settle()
	_ = os.Remove(f.calls)
	if code := RunGo([]string{"get"}); code != 0 {
		f.t.Fatalf("go get: %d", code)
	}
	if RunGo([]string{"build", "-o", f.out()}) == 0 {
		said, err := exec.Command(f.out()).CombinedOutput()
		if err != nil {
			f.t.Fatalf("%v: %s", err, said)
		}
		says = string(said)
	}
	did, _ := os.ReadFile(f.calls)
	return says, strings.Join(strings.Fields(string(did)), " ")
}

func wordCell(word string) string {
	return "package main\n\nimport \"example.com/library\"\n\nfunc main() { print(\"" + word + " \" + library.Word) }\n"
}

// TestCellInput checks that the processes of a cell have an empty standard input, although gonb gives them an endless
// one. Their own children get the input that the processes choose.
func TestCellInput(t *testing.T) {
	f := newCellFolder(t)
	own := filepath.Join(t.TempDir(), "it's mine.sh")
	f.write(own, "echo -n 'mine '\n")
	t.Setenv("BASH_ENV", own)
	env, err := noInput(f.built, os.Environ())
	must.Do(t, err)
	program := filepath.Join(f.dir, filepath.Base(f.dir))
	f.write("main.go", `package main

import ("fmt"; "io"; "os"; "os/exec"; "strings")

func main() {
	typed, err := io.ReadAll(os.Stdin)
	inner := exec.Command("bash", "-c", "cat")
	inner.Stdin = strings.NewReader("inner")
	text, _ := inner.CombinedOutput()
	fmt.Print(len(typed), err, os.Args[1:], string(text))
}
`)
	for _, test := range []struct {
		argv []string
		want string
	}{
		{[]string{program, "a b"}, "mine 0 <nil> [a b]mine inner"},
		{[]string{"/bin/bash", "-c", "cat; echo done"}, "mine done\n"},
		{[]string{"/bin/bash", "-c", "echo piped | bash -c cat"}, "mine mine piped\n"},
	} {
		for range 2 { // the second run uses cached files
			if code := RunGo([]string{"build", "-o", program}); code != 0 {
				t.Fatalf("go build: %d", code)
			}
		}
		cmd := exec.Command(test.argv[0], test.argv[1:]...)
		cmd.Env = env
		must.Get(cmd.StdinPipe())
		got := waittest.Ends(t, test.argv[0],
			func() string { said, err := cmd.CombinedOutput(); return fmt.Sprint(string(said), err) })
		if want := test.want + "<nil>"; got != want {
			t.Errorf("%q: %q, want %q", test.argv, got, want)
		}
	}
}

// TestCellWithoutModule checks that after an import of a missing module, the message explains how cells can get the
// module, unless Go asked a proxy.
func TestCellWithoutModule(t *testing.T) {
	f := newCellFolder(t)
	f.write("main.go", "package main\n\nimport _ \"example.com/none\"\n\nfunc main() {}\n")
	address, _ := moduleProxy(t)
	for _, test := range []struct {
		proxy string
		want  bool
	}{{"off", true}, {address, false}} {
		t.Setenv("GOPROXY", test.proxy)
		said := f.stderr(func() {
			if RunGo([]string{"build", "-o", f.out()}) == 0 {
				t.Error("it is built")
			}
		})
		if !strings.Contains(said, "cannot find module providing package example.com/none") ||
			strings.Contains(said, "%env GOPROXY=") != test.want {
			t.Errorf("GOPROXY=%s: %q; that it says how to get it: want %v", test.proxy, said, test.want)
		}
	}
}

// stderr returns what a function writes to stderr.
func (f cellFolder) stderr(do func()) string {
	f.t.Helper()
	name := filepath.Join(f.t.TempDir(), "stderr")
	file := must.Get(os.Create(name))
	old := os.Stderr
	os.Stderr = file
	do()
	os.Stderr = old
	_ = file.Close()
	return string(must.Get(os.ReadFile(name)))
}

// TestKeptPrograms checks that the total size of cached programs is limited, and that a fault in a plan or in the
// folder costs time but does no other harm.
func TestKeptPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	f := newCellFolder(t)
	programs := func() []string {
		return must.Get(filepath.Glob(filepath.Join(f.built, "program-*")))
	}
	cell := func(word, calls string) {
		t.Helper()
		f.write("main.go", wordCell(word))
		if says, did := f.run(); says != word+" first" || did != calls {
			t.Errorf("it says %q, and Go has done %q; want %q and %q", says, did, word+" first", calls)
		}
		if left, _ := filepath.Glob(filepath.Join(f.built, "recording-*")); len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
		if left, _ := filepath.Glob(filepath.Join(f.built, "work-*")); len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
	}
	cell("a", "build")
	plans, _ := filepath.Glob(filepath.Join(f.built, "plan-*", "*"))
	if len(plans) != 2 {
		t.Fatalf("plans: %v", plans)
	}
	for i, damage := range []string{"", "{", `{"Argv":[]}`, `{"Argv":["/none"],"Work":"/none"}`} {
		for _, name := range plans {
			f.write(name, damage)
		}
		cell("damaged "+string(rune('a'+i)), "build") // the build records the plan again
	}
	// A package that a plan names may be gone from Go's cache.
	for _, name := range plans {
		plan := string(must.Get(os.ReadFile(name)))
		f.write(name, strings.ReplaceAll(plan, "example.com/library=", "example.com/library=/none"))
	}
	cell("swept", "build")
	size := int64(len(must.Get(os.ReadFile(f.out() + cellSuffix))))
	old := mostKept
	mostKept = 3*size + size/2
	t.Cleanup(func() { mostKept = old })
	for _, word := range []string{"1", "2", "3", "2", "4"} {
		cell(word, "")
	}
	if n := len(programs()); n != 1 {
		t.Errorf("%d programs are kept, want the last one", n)
	}
	for _, gone := range []string{filepath.Join(f.built, "none"), "main.go"} {
		t.Setenv(builtVariable, gone)
		cell("without a folder", "build")
	}
}

// TestPlannedProgram checks that a program built by a plan contains the same information about itself (modules,
// settings and lines) as a program built by Go.
func TestPlannedProgram(t *testing.T) {
	f := newCellFolder(t)
	cell := func(number string) string {
		return "package main\n\nimport " +
			"(\n\t\"example.com/library\"\n\t\"fmt\"\n\t\"runtime\"\n\t\"runtime/debug\"\n)\n\nfunc main() " +
			"{\n\tinfo, _ := debug.ReadBuildInfo()\n\t_, file, line, _ := runtime.Caller(0)\n\tfmt.Print(info, " +
			"library.Word, file, line, " + number + ")\n}\n"
	}
	f.write("main.go", cell("1"))
	if _, calls := f.run(); calls != "build" {
		t.Fatalf("Go has done %q", calls)
	}
	// The cell may import other standard packages that are part of the program, but not packages that only Go's own
	// packages may import.
	for _, test := range []struct{ path, use, calls string }{
		{"text/tabwriter", "tabwriter.Writer", "build"},
		{"internal/abi", "abi.Type", "build"},
		{"sync", "sync.Mutex", ""},
		{"unsafe", "unsafe.Pointer", ""},
	} {
		text := strings.Replace(cell("1"), "\n", fmt.Sprintf("\nimport %q\n", test.path), 1)
		f.write("main.go", text+"\nvar _ "+test.use+"\n")
		if _, calls := f.run(); calls != test.calls {
			t.Errorf("%s: Go has done %q, want %q", test.path, calls, test.calls)
		}
	}
	f.write("main.go", cell("2"))
	planned, calls := f.run()
	if calls != "" {
		t.Fatalf("Go has done %q", calls)
	}
	t.Setenv(builtVariable, filepath.Join(f.built, "none"))
	byGo, calls := f.run()
	if calls != "build" || planned != byGo || !strings.Contains(byGo, "main.go") ||
		!strings.Contains(byGo, "example.com/library") {
		t.Errorf("by plan: %s\nby Go (%s): %s", planned, calls, byGo)
	}
}

// TestCellPrograms checks that a program is rebuilt if anything that goes into it changes, that Go itself is called if
// more than the text of the cell has changed, and that go get is called if a module is missing. The comment in
// testdata/programs.txtar describes the file's format.
func TestCellPrograms(t *testing.T) {
	scenarios := [][]txtar.File{}
	for _, file := range must.Get(txtar.ParseFile("testdata/programs.txtar")).Files {
		if strings.HasPrefix(file.Name, "new ") {
			scenarios = append(scenarios, nil)
		}
		scenarios[len(scenarios)-1] = append(scenarios[len(scenarios)-1], file)
	}
	for i, steps := range scenarios {
		t.Run(steps[0].Name, func(t *testing.T) {
			if testing.Short() && i > 1 {
				t.Skip("runs the Go toolchain many times; leave out -short")
			}
			f := newCellFolder(t)
			places := strings.NewReplacer("$CELL", f.dir, "$LIBRARY", f.library, "$OTHER", t.TempDir())
			for n, step := range steps[1:] {
				name := places.Replace(step.Name)
				verb, rest, _ := strings.Cut(name, " ")
				first, second, _ := strings.Cut(rest, " ")
				switch verb {
				case "env":
					variable, value, _ := strings.Cut(rest, "=")
					t.Setenv(variable, value)
				case "ln":
					must.Do(t, os.Symlink(second, first))
				case "mv":
					must.Do(t, os.Rename(first, second))
				case "rm":
					must.Do(t, os.Remove(first))
				case "=>":
					want, wantCalls, _ := strings.Cut(rest, " |")
					wantCalls = strings.TrimSpace(wantCalls)
					if says, calls := f.run(); says != want || calls != wantCalls && wantCalls != "*" {
						t.Fatalf("step %d, %s: it says %q, and Go has done %q", n, name, says, calls)
					}
				default:
					f.write(name, strings.TrimSuffix(places.Replace(string(step.Data)), "\n"))
				}
			}
		})
	}
}

// TestLeaveUsed checks that leaveUsed removes the same imports as goimports, and that goimports is called if an import
// is missing.
func TestLeaveUsed(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Imports string }) []any {
		left := leaveUsed([]byte("package main\n\nimport (" + strings.ReplaceAll(row.Imports, "; ", "\n") + `)

type old struct{}

func local(os string) string { return os + plot.Name }

func main() {
	flag.Parse()
	fmt.Println(rand.N(2), yaml.V, old{})
}
`))
		if left == nil {
			return []any{"goimports"}
		}
		var paths []string
		for _, spec := range must.Get(parser.ParseFile(token.NewFileSet(), "", left, parser.ImportsOnly)).Imports {
			paths = append(paths, strings.Trim(spec.Path.Value, `"`))
		}
		return []any{strings.Join(paths, " ")}
	})
}

// TestShowAll checks that a program that displays something waits before it ends, and that its lines keep their
// numbers.
func TestShowAll(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Program string }) []any {
		program := "package main\n" + row.Program
		got := string(showAll([]byte(program)))
		if again := string(showAll([]byte(got))); again != got {
			t.Errorf("once more: %q", again)
		}
		if got == program {
			return []any{"the same"}
		}
		return []any{strings.TrimPrefix(got, "package main")}
	})
}
