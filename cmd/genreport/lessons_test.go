package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/command"
)

// TestLessons builds the report with its lessons, by means of Go alone: the kernel is built on the way. The second time
// nothing runs and every byte is the same; a changed cell runs its own notebook again and no other.
func TestLessons(t *testing.T) {
	if testing.Short() {
		t.Skip("runs two notebooks")
	}
	course, out := t.TempDir(), filepath.Join(t.TempDir(), "site")
	copyCourse(t, course)
	notebooks := filepath.Join(course, "notebooks")
	write := func(name, notebook string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(notebooks, name), []byte(notebook), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("01-battle.ipynb", shortNotebook)
	write("02-another.ipynb", strings.ReplaceAll(shortNotebook, "43", "44"))
	args := []string{
		"build", "--notebooks", notebooks, "--lessons", "run", "--cache", t.TempDir(), "--out", out,
		"--grid", "soldiers=12,castle=1:40,defenders=1:30",
	}
	build := func() string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if err := execute(context.Background(), args, command.Streams{Out: &stdout, Err: &stderr}); err != nil {
			t.Fatalf("%v\n%s", err, &stderr)
		}
		return stdout.String()
	}
	if got := build(); !strings.Contains(got, "; ran 2 of 2 notebooks") {
		t.Errorf("the first build: %s", got)
	}
	first := readTree(t, out)
	waves := func(tree map[string][]byte, page string) string {
		_, output, _ := strings.Cut(string(tree[page]), `<pre class="output"`)
		_, text, _ := strings.Cut(output, "<samp>")
		text, _, _ = strings.Cut(text, "<")
		return text
	}
	if a, b := waves(first, "lesson-01-battle.html"), waves(first, "lesson-02-another.html"); a != "16" || b != "17" {
		t.Errorf("the lessons show %q and %q waves", a, b)
	}
	if got := build(); !strings.Contains(got, "; ran 0 of 2 notebooks") {
		t.Errorf("the second build: %s", got)
	}
	second := readTree(t, out)
	if len(first) != len(second) {
		t.Errorf("%d files, then %d", len(first), len(second))
	}
	for name, data := range first {
		if !bytes.Equal(data, second[name]) {
			t.Errorf("%s differs in the second build", name)
		}
	}
	write("01-battle.ipynb", strings.ReplaceAll(shortNotebook, "Soldiers: 10", "Soldiers: 11"))
	if got := build(); !strings.Contains(got, "; ran 1 of 2 notebooks") {
		t.Errorf("the build after an edit: %s", got)
	}
	after := readTree(t, out)
	if a, b := waves(after, "lesson-01-battle.html"), waves(after, "lesson-02-another.html"); a != "11" || b != "17" {
		t.Errorf("after the edit the lessons show %q and %q waves", a, b)
	}
}

func copyFiles(t *testing.T, from, to string, names ...string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readTree(t testing.TB, root string) map[string][]byte {
	t.Helper()
	tree := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		tree[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
