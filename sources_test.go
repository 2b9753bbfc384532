package siegebook

import (
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
)

// held returns the files that are embedded in the program, read from the repository.
func held(t *testing.T) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	for _, pattern := range []string{"go.mod", "*/*/*.go", "*/*/*/*.go"} {
		for _, name := range must.Get(filepath.Glob(pattern)) {
			if _, err := sources.Open(filepath.ToSlash(name)); err == nil {
				tree[filepath.ToSlash(name)] = &fstest.MapFile{Data: must.Get(os.ReadFile(name))}
			}
		}
	}
	return tree
}

// TestPackages checks that the program embeds exactly the packages from which the command is compiled on any system.
func TestPackages(t *testing.T) {
	const module = "github.com/siegebook/siegebook"
	want := map[string]bool{".": true}
	for _, system := range []string{"linux", "windows"} {
		list := exec.Command("go", "list", "-deps", "./cmd/siegebook")
		list.Env = append(os.Environ(), "GOOS="+system)
		for imported := range strings.FieldsSeq(string(must.Get(list.Output()))) {
			if below, ours := strings.CutPrefix(imported, module+"/"); ours {
				want[below] = true
			}
		}
	}
	got := map[string]bool{}
	for name := range held(t) {
		if !isOther(name) {
			got[path.Dir(name)] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("the program holds the sources of %q, and is compiled from %q: change the patterns behind go:embed",
			slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// TestDigest checks that the digest belongs to the files of the repository. The digest changes with any file except
// tests, but not with line endings, which may differ between checkouts.
func TestDigest(t *testing.T) {
	tree := held(t)
	if got := digest(tree); got != Digest() || len(got) != 16 {
		t.Errorf("the program says %s, the files here %s", Digest(), got)
	}
	const changed = "analysis/castle/battle.go"
	for _, test := range []struct {
		name, text string
		same       bool
	}{
		{changed, string(tree[changed].Data) + "// ", false},
		{changed, strings.ReplaceAll(string(tree[changed].Data), "\n", "\r\n"), true},
		{"analysis/castle/more.go", "package castle\n", false},
		{"analysis/castle/more_test.go", "package castle\n", true},
		{"go.mod", "", false},
		{"cmd/genreport/main.go", "package main\n", true},
		{"cmd/siegebook/more.go", "package main\n", false},
	} {
		other := maps.Clone(tree)
		other[test.name] = &fstest.MapFile{Data: []byte(test.text)}
		if (digest(other) == Digest()) != test.same {
			t.Errorf("%s, %.20q: as before: %v", test.name, test.text, !test.same)
		}
	}
}
