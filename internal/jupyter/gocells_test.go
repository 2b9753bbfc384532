package jupyter

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCellPrograms: a program is built once, and again when anything changes that goes into it; go get is called where
// a module is missing, and nowhere else.
func TestCellPrograms(t *testing.T) {
	needGo(t)
	realGo, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir, library, built := t.TempDir(), t.TempDir(), t.TempDir()
	calls := filepath.Join(t.TempDir(), "calls")
	counting := filepath.Join(t.TempDir(), "go")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(counting, "#!/bin/sh\necho \"$1\" >> "+calls+"\nexec "+realGo+" \"$@\"\n")
	write(filepath.Join(library, "go.mod"), "module example.com/library\n\ngo 1.26.0\n")
	write(filepath.Join(library, "library.go"), "package library\n\nimport _ \"embed\"\n\n//go:embed word.txt\nvar Word string\n")
	write(filepath.Join(library, "word.txt"), "first")
	write(filepath.Join(dir, "go.mod"), "module cell\n\ngo 1.26.0\n")
	write(filepath.Join(dir, "go.work"), "go 1.26.0\n\nuse (\n\t.\n\t"+library+"\n)\n")
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("GOWORK", "")
	t.Setenv(realGoVariable, counting)
	t.Setenv(builtVariable, built)
	t.Chdir(dir)
	cell := func(word string) string {
		return "package main\n\nimport \"example.com/library\"\n\nfunc main() { print(\"" + word + " \" + library.Word) }\n"
	}
	out := filepath.Join(dir, "cell")
	for i, step := range []struct{ change, text, says, calls string }{
		{"main.go", cell("a"), "a first", "build"},
		{"", "", "a first", ""},
		{"main.go", cell("b"), "b first", "build"},
		{"main.go", cell("a"), "a first", ""},
		{filepath.Join(library, "word.txt"), "other", "a other", "build"},
		{filepath.Join(library, "notes.ipynb"), "{}", "a other", ""},
		{filepath.Join(library, "more.go"), "package library\n\nfunc init() { Word += \"s\" }\n", "a others", "build"},
		{"other.go", "package main\n\nfunc init() { print(\"and \") }\n", "and a others", "build"},
		{"main.go", "package main\n\nfunc main() { none }\n", "", "build"},
		{"main.go", "package main\n\nimport _ \"example.com/none\"\n\nfunc main() {}\n", "", "build get"},
	} {
		if step.change != "" {
			write(step.change, step.text)
		}
		_ = os.Remove(calls)
		if code := RunGo([]string{"get"}); code != 0 {
			t.Fatalf("step %d: go get: %d", i, code)
		}
		code := RunGo([]string{"build", "-o", out})
		if (code != 0) != (step.says == "") {
			t.Fatalf("step %d: exit code %d", i, code)
		}
		got, _ := os.ReadFile(calls)
		if did := strings.Join(strings.Fields(string(got)), " "); did != step.calls {
			t.Errorf("step %d: Go has done %q, want %q", i, did, step.calls)
		}
		if code == 0 {
			if said, err := exec.Command(out).CombinedOutput(); err != nil || string(said) != step.says {
				t.Errorf("step %d: it says %q, want %q, error %v", i, said, step.says, err)
			}
		}
	}
}
