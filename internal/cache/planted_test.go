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
