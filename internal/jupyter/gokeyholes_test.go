package jupyter

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCellFilesElsewhere: a program is built again where a change is in a place that is easily overlooked.
func TestCellFilesElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	pack := func(word string) string { return "package p\n\nvar Word = \"" + word + "\"\n" }
	cell := func(path string) string {
		return "package main\n\nimport p \"" + path + "\"\n\nfunc main() { print(p.Word) }\n"
	}
	for _, test := range []struct {
		name   string
		before func(t *testing.T, f cellFolder)
		change func(f cellFolder)
	}{
		{"a link to another folder that is known already", func(t *testing.T, f cellFolder) {
			f.write(filepath.Join(f.library, "a1", "p.go"), pack("old"))
			f.write(filepath.Join(f.library, "a2", "p.go"), pack("new"))
			_ = os.Symlink("a1", filepath.Join(f.library, "linked"))
			f.write("main.go", cell("example.com/library/linked"))
		}, func(f cellFolder) {
			_ = os.Remove(filepath.Join(f.library, "linked"))
			_ = os.Symlink("a2", filepath.Join(f.library, "linked"))
		}},
		{"a package in a hidden folder", func(t *testing.T, f cellFolder) {
			f.write(filepath.Join(f.library, "go.mod"), "module example.com/library\n\ngo 1.26.0\n")
			_ = os.Remove(filepath.Join(f.library, "library.go"))
			f.write(filepath.Join(f.library, ".hidden", "p.go"), pack("old"))
			f.write("main.go", cell("example.com/library/.hidden"))
		}, func(f cellFolder) { f.write(filepath.Join(f.library, ".hidden", "p.go"), pack("new")) }},
		{"a package in a folder with the name of a notebook", func(t *testing.T, f cellFolder) {
			_ = os.Remove(filepath.Join(f.library, "library.go"))
			f.write(filepath.Join(f.library, "x.ipynb", "p.go"), pack("old"))
			f.write("main.go", cell("example.com/library/x.ipynb"))
		}, func(f cellFolder) { f.write(filepath.Join(f.library, "x.ipynb", "p.go"), pack("new")) }},
		{"an embedded hidden file that a link shows as well", func(t *testing.T, f cellFolder) {
			f.write(filepath.Join(f.library, "q", "q.go"), "package q\n\nimport _ \"embed\"\n\n//go:embed "+
				"sub/.hidden/word.txt\nvar Word string\n")
			_ = os.Remove(filepath.Join(f.library, "library.go"))
			f.write(filepath.Join(f.library, "q", "sub", ".hidden", "word.txt"), "old")
			_ = os.Symlink("q/sub", filepath.Join(f.library, "a"))
			f.write("main.go", cell("example.com/library/q"))
		}, func(f cellFolder) { f.write(filepath.Join(f.library, "q", "sub", ".hidden", "word.txt"), "new") }},
		{"a workspace that the file of go env names", func(t *testing.T, f cellFolder) {
			other := t.TempDir()
			f.write(filepath.Join(other, "go.mod"), "module example.com/other\n\ngo 1.26.0\n")
			f.write(filepath.Join(other, "p.go"), pack("old"))
			work := filepath.Join(t.TempDir(), "go.work")
			f.write(work, "go 1.26.0\n\nuse (\n\t"+f.dir+"\n\t"+other+"\n)\n")
			env := filepath.Join(t.TempDir(), "env")
			t.Setenv("OTHER", other)
			f.write(env, "GOWORK="+work+"\n")
			t.Setenv("GOENV", env)
			f.write("main.go", cell("example.com/other"))
		}, func(f cellFolder) { f.write(filepath.Join(os.Getenv("OTHER"), "p.go"), pack("new")) }},
		{"a folder renamed onto the name", func(t *testing.T, f cellFolder) {
			f.write(filepath.Join(f.library, "a1", "p.go"), pack("old"))
			f.write(filepath.Join(f.library, "a2", "p.go"), pack("new"))
			f.write("main.go", cell("example.com/library/a1"))
		}, func(f cellFolder) {
			_ = os.Rename(filepath.Join(f.library, "a1"), filepath.Join(f.library, "a3"))
			_ = os.Rename(filepath.Join(f.library, "a2"), filepath.Join(f.library, "a1"))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newCellFolder(t)
			test.before(t, f)
			for range 2 {
				if says, _ := f.run(); says != "old" {
					t.Fatalf("before: it says %q", says)
				}
			}
			test.change(f)
			if says, calls := f.run(); says != "new" {
				t.Errorf("it says %q, after %q", says, calls)
			}
		})
	}
}
