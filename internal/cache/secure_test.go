//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestSecureFile checks that a file in place of the folder is reported in a one-line error.
func TestSecureFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.txt")
	must.Write(t, file, "")
	err := Secure(file, "kernel", "engine")
	if want := file + " is a file: name a folder of your own, or off"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestSecure checks that the error names the insecure folder: the cache's folder, a folder above it, or a folder in it.
func TestSecure(t *testing.T) {
	if err := Secure("/dev/null/cache"); err != nil {
		t.Errorf("a folder that cannot be made: %v", err)
	}
	for _, c := range must.Table[struct {
		Name, Path   string
		Mode         os.FileMode
		Sticky       bool
		Owner, Group int
		Want         string
	}](t, "testdata/tables.txt", "TestSecure") {
		t.Run(c.Name, func(t *testing.T) {
			dir := must.Get(filepath.EvalSymlinks(t.TempDir()))
			for _, folder := range []string{"up/cache/jupyter", "up/cache/formulas"} {
				must.Do(t, os.MkdirAll(filepath.Join(dir, folder), 0o755))
			}
			must.Do(t, os.WriteFile(filepath.Join(dir, "up/cache/jupyter/kernel"), nil, 0o755))
			must.Do(t, os.Symlink(filepath.Join(dir, "up", "cache"), filepath.Join(dir, "link")))
			harmed := filepath.Join(dir, c.Path)
			if c.Owner != 0 || c.Group != 0 {
				if os.Geteuid() != 0 {
					t.Skip("only root can give a folder away")
				}
				must.Do(t, os.Chown(harmed, c.Owner, c.Group))
			}
			if c.Sticky {
				c.Mode |= os.ModeSticky
			}
			must.Do(t, os.Chmod(harmed, c.Mode))
			for _, named := range []string{"up/cache", "link"} {
				err := Secure(filepath.Join(dir, named), "jupyter", "not/there")
				if (err == nil) != (c.Want == "") ||
					err != nil && (!strings.Contains(err.Error(), c.Want) || !strings.Contains(err.Error(), harmed)) {
					t.Errorf("%s: %v, want %q", named, err, c.Want)
				}
			}
		})
	}
}

// TestSecureMakes checks that the folder is created for its user only, whatever the umask, and that a missing folder is
// judged by its parent.
func TestSecureMakes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	must.Do(t, Secure(dir))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o022 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	open := filepath.Join(t.TempDir(), "open")
	must.Do(t, os.Mkdir(open, 0o755))
	must.Do(t, os.Chmod(open, 0o777))
	if err := Secure(filepath.Join(open, "a", "b")); err == nil {
		t.Error("a folder in one that all may write to")
	}
}

// TestSecureTemporary checks that a folder like /tmp is accepted, but not a folder in which others may rename our
// files.
func TestSecureTemporary(t *testing.T) {
	for mode, want := range map[os.FileMode]string{
		0o755: "", 0o777 | os.ModeSticky: "",
		0o777: ": run chmod go-w on it, or name another folder",
	} {
		open := filepath.Join(t.TempDir(), "open")
		below := filepath.Join(open, "below")
		must.Do(t, os.MkdirAll(below, 0o755))
		must.Do(t, os.Chmod(open, mode))
		link := filepath.Join(t.TempDir(), "link")
		must.Do(t, os.Symlink(open, link))
		for _, dir := range []string{open, below, link} {
			err := SecureTemporary(dir)
			if (err == nil) != (want == "") || err != nil &&
				(!strings.Contains(err.Error(), "others can write to ") || !strings.HasSuffix(err.Error(), want)) {
				t.Errorf("%v, %s: %v, want %q", mode, dir, err, want)
			}
		}
	}
}
