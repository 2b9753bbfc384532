//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// TestSecureFile: a file in the place of the folder is said to be one, in one line.
func TestSecureFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Secure(file, "kernel", "engine")
	if want := file + " is a file: name a folder of your own, or off"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestSecure: a folder, what is above it, and the folders within that are named.
func TestSecure(t *testing.T) {
	if err := Secure("/dev/null/cache"); err != nil {
		t.Errorf("a folder that cannot be made: %v", err)
	}
	for name, c := range map[string]struct {
		path  string // of dir/up/cache/jupyter/kernel
		mode  os.FileMode
		owner int // 0 for ours
		want  string
		group int // 0 for ours
	}{
		"our own":                      {"up/cache", 0o755, 0, "", 0},
		"nobody else's to read":        {"up/cache", 0o700, 0, "", 0},
		"others may write":             {"up/cache", 0o757, 0, "others may write", 0},
		"the private group may write":  {"up/cache", 0o775, 0, "", 0},
		"a program of a mask of 002":   {"up/cache/jupyter/kernel", 0o775, 0, "", 0},
		"a group may write":            {"up/cache", 0o775, 0, "others may write", 4711},
		"sticky does not help":         {"up/cache", 0o777 | os.ModeSticky, 0, "others may write", 0},
		"another's":                    {"up/cache", 0o755, 4711, "belongs to another user (4711)", 0},
		"above, like /tmp":             {"up", 0o777 | os.ModeSticky, 0, "", 0},
		"above, others may write":      {"up", 0o777, 0, "others may write", 0},
		"above, another's":             {"up", 0o755, 4711, "belongs to another user (4711)", 0},
		"above, from outside":          {"up", 0o755, outside, "", 0},
		"within, others may write":     {"up/cache/jupyter", 0o777, 0, "others may write", 0},
		"a file within, another's":     {"up/cache/jupyter/kernel", 0o755, 4711, "belongs to another user (4711)", 0},
		"a file within, others' too":   {"up/cache/jupyter/kernel", 0o757, 0, "others may write", 0},
		"elsewhere within, as one may": {"up/cache/formulas", 0o755, 0, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, folder := range []string{"up/cache/jupyter", "up/cache/formulas"} {
				if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "up/cache/jupyter/kernel"), nil, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(dir, "up", "cache"), filepath.Join(dir, "link")); err != nil {
				t.Fatal(err)
			}
			harmed := filepath.Join(dir, c.path)
			if c.owner != 0 || c.group != 0 {
				if os.Geteuid() != 0 {
					t.Skip("only root can give a folder away")
				}
				if err := os.Chown(harmed, c.owner, c.group); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(harmed, c.mode); err != nil {
				t.Fatal(err)
			}
			for _, named := range []string{"up/cache", "link"} {
				err := Secure(filepath.Join(dir, named), "jupyter", "not/there")
				if (err == nil) != (c.want == "") ||
					err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), harmed)) {
					t.Errorf("%s: %v, want %q", named, err, c.want)
				}
			}
		})
	}
}

// TestSecureMakes: the folder is made for its user, whatever the mask, and one that is not there yet is judged by what
// it is to be in.
func TestSecureMakes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Secure(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o022 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Secure(filepath.Join(open, "a", "b")); err == nil {
		t.Error("a folder in one that all may write to")
	}
}

// TestPlanted: what others have left in a cache that was open to them is not believed, followed or waited for, even
// where its checksum is right.
func TestPlanted(t *testing.T) {
	chown := func(name string) error { return os.Chown(name, 4711, 4711) }
	for name, c := range map[string]struct {
		root  bool // only root can do it
		plant func(entry string) error
		want  bool   // it is believed
		err   string // of the next Put, "" if it mends the matter
	}{
		"our own":                  {false, func(string) error { return nil }, true, ""},
		"a private group":          {true, func(entry string) error { return os.Chmod(entry, 0o664) }, true, ""},
		"an entry of another user": {true, chown, false, ""},
		"an entry that others may write": {
			false, func(entry string) error { return os.Chmod(entry, 0o646) }, false, "",
		},
		"a link to a right entry": {false, func(entry string) error {
			if err := os.Rename(entry, entry+"-moved"); err != nil {
				return err
			}
			return os.Symlink(entry+"-moved", entry)
		}, false, ""},
		"a pipe": {false, func(entry string) error {
			if err := os.Remove(entry); err != nil {
				return err
			}
			return syscall.Mkfifo(entry, 0o644)
		}, false, ""},
		"a folder of another user": {
			true, func(entry string) error { return chown(filepath.Dir(entry)) }, false,
			"belongs to another user (4711)",
		},
		"a kind of another user": {
			true, func(entry string) error { return chown(filepath.Dir(filepath.Dir(entry))) },
			false, "belongs to another user (4711)",
		},
		"a kind that others may write": {
			false,
			func(entry string) error {
				return os.Chmod(filepath.Dir(filepath.Dir(entry)), 0o757)
			}, false, "others may write to",
		},
		"a kind that is a link": {false, func(entry string) error {
			kind := filepath.Dir(filepath.Dir(entry))
			if err := os.Rename(kind, kind+"-moved"); err != nil {
				return err
			}
			return os.Symlink(kind+"-moved", kind)
		}, false, "is a link, not a folder: remove it"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.root && os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			cache, k := Open(t.TempDir()), NewKey("kind", []byte("input"))
			if err := cache.Put(k, []byte("value")); err != nil {
				t.Fatal(err)
			}
			if err := c.plant(cache.path(k)); err != nil {
				t.Fatal(err)
			}
			if got := getSoon(t, cache, k); got != c.want {
				t.Errorf("Get = %v", got)
			}
			err := cache.Put(k, []byte("value"))
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("Put: %v, want %q", err, c.err)
			}
			if got := getSoon(t, cache, k); got != (c.err == "") {
				t.Errorf("after Put, Get = %v", got)
			}
		})
	}
}

// getSoon is Get that fails where it waits for what never comes.
func getSoon(t *testing.T, c *Cache, k Key) bool {
	t.Helper()
	return waittest.Ends(t, "Get", func() bool {
		_, ok := c.Get(k)
		return ok
	})
}

// TestSecureTemporary: a folder like /tmp will do, one where others may rename what is ours will not.
func TestSecureTemporary(t *testing.T) {
	for mode, want := range map[os.FileMode]string{
		0o755: "", 0o777 | os.ModeSticky: "",
		0o777: ": chmod go-w it, or name another folder",
	} {
		open := filepath.Join(t.TempDir(), "open")
		below := filepath.Join(open, "below")
		if err := os.MkdirAll(below, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(open, mode); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(open, link); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{open, below, link} {
			err := SecureTemporary(dir)
			if (err == nil) != (want == "") || err != nil &&
				(!strings.Contains(err.Error(), "others may write to ") || !strings.HasSuffix(err.Error(), want)) {
				t.Errorf("%v, %s: %v, want %q", mode, dir, err, want)
			}
		}
	}
}
