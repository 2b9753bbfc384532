//go:build unix

package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// masked publishes under a mask.
func masked(t *testing.T, mask int, dir string, tree Tree) {
	t.Helper()
	defer syscall.Umask(syscall.Umask(mask))
	mustPublish(t, dir, tree)
}

func wantModes(t *testing.T, dir string, want map[string]fs.FileMode) {
	t.Helper()
	for name, mode := range want {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v; want %o", name, info.Mode(), err, mode)
		}
	}
}

// TestPublishKeepsReaders: who could read a report can read the next one, and nobody else, under whatever mask.
func TestPublishKeepsReaders(t *testing.T) {
	more := Tree{"index.html": []byte("new"), "rules.html": []byte("rules"), "assets/a/y.svg": []byte("<svg/>"), "data/x.csv": []byte("x")}
	for _, c := range []struct {
		first, second int
		file, folder  fs.FileMode
	}{
		{0o022, 0o077, 0o644, 0o755},
		{0o077, 0o022, 0o600, 0o700},
		{0o027, 0o022, 0o640, 0o750},
	} {
		dir := filepath.Join(t.TempDir(), "site")
		masked(t, c.first, dir, oldTree)
		masked(t, c.second, dir, more)
		files, folders := []string{"index.html", "rules.html", "assets/a/y.svg", "data/x.csv", markName, sumsName}, []string{"assets", "assets/a", "data"}
		want := map[string]fs.FileMode{}
		for _, name := range files {
			want[name] = c.file
		}
		for _, name := range folders {
			want[name] = c.folder
		}
		wantModes(t, dir, want)
		wantHolds(t, dir, more)
	}
}

// TestPublishKeepsEachFile: a page that its owner has closed stays closed, and what is new is as open as the front
// page.
func TestPublishKeepsEachFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	masked(t, 0o022, dir, Tree{"index.html": []byte("1"), "draft.html": []byte("1"), "assets/x": nil})
	for name, mode := range map[string]fs.FileMode{"draft.html": 0o600, "index.html": 0o640, "assets": 0o500} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	masked(t, 0o022, dir, Tree{"index.html": []byte("2"), "draft.html": []byte("2"), "new.html": nil, "assets/x": []byte("2"), "data/x": nil})
	wantModes(t, dir, map[string]fs.FileMode{
		"draft.html": 0o600, "index.html": 0o640, "new.html": 0o640, "assets": 0o700, "assets/x": 0o644, "data": 0o750, "data/x": 0o640,
	})
}

// TestPublishIntoEmptyFolderOfSomeMode: an empty folder has no front page, so the folder itself says who may read.
func TestPublishIntoEmptyFolderOfSomeMode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o750)); err != nil {
		t.Fatal(err)
	}
	masked(t, 0o022, dir, oldTree)
	wantModes(t, dir, map[string]fs.FileMode{".": 0o750, "index.html": 0o640, "assets": 0o750})
}

// TestCheckTrustsPrivateGroup: under a mask of 002 all that git checks out may be written by the group, which is its
// owner alone.
func TestCheckTrustsPrivateGroup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		info, err2 := os.Lstat(path)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if err := os.Lchown(path, -1, os.Geteuid()); err != nil {
			t.Skip(err) // whose user has no such group
		}
		return os.Chmod(path, info.Mode().Perm()|0o020)
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff, err := Check(dir, oldTree); err != nil || !diff.Empty() {
		t.Errorf("%v:\n%s", err, diff)
	}
	foreignGroup(t, filepath.Join(dir, "index.html"))
	if diff, err := Check(dir, oldTree); err != nil || listed(diff) != "others may write: index.html\n" {
		t.Errorf("%v:\n%s", err, diff)
	}
}
