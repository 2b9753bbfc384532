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
	copyCourse(t, course, "01-battle-by-hand.ipynb", "03-fibonacci.ipynb")
	notebooks := filepath.Join(course, "notebooks")
	args := []string{"build", "--notebooks", notebooks, "--lessons", "run", "--cache", t.TempDir(), "--out", out, "--grid", "soldiers=12,castle=1:40,defenders=1:30"}
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
	if page := string(first["lesson-01-battle-by-hand.html"]); !strings.Contains(page, "<img") && !strings.Contains(page, "output") {
		t.Error("the lesson has no output")
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
	changed := filepath.Join(notebooks, "01-battle-by-hand.ipynb")
	data, err := os.ReadFile(changed)
	if err != nil {
		t.Fatal(err)
	}
	edited := bytes.Replace(data, []byte("soldiers   int64 = 13"), []byte("soldiers   int64 = 14"), 1)
	if bytes.Equal(edited, data) {
		t.Fatal("the edit changes nothing: the test shows nothing")
	}
	if err := os.WriteFile(changed, edited, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := build(); !strings.Contains(got, "; ran 1 of 2 notebooks") {
		t.Errorf("the build after an edit: %s", got)
	}
	const page = "lesson-01-battle-by-hand.html"
	if after := readTree(t, out)[page]; !bytes.Contains(after, []byte("(14, 23, 11)")) || bytes.Contains(first[page], []byte("(14, 23, 11)")) {
		t.Error("the page does not show the edited battle")
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

func readTree(t *testing.T, root string) map[string][]byte {
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
