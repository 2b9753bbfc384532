//go:build unix

package atomicfile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// inTime fails where something waits for what never comes.
func inTime(t *testing.T, what string, do func()) {
	t.Helper()
	waittest.Ends(t, what, func() struct{} { do(); return struct{}{} })
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestOpenPlanted opens what others may plant: none of it is waited for, followed or taken for a file.
func TestOpenPlanted(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("file"), "text")
	must(
		t, syscall.Mkfifo(at("pipe"), 0o666), os.Symlink(at("file"), at("link")),
		os.Symlink(at("pipe"), at("link to a pipe")), os.Mkdir(at("folder"), 0o755),
	)
	inTime(t, "opening", func() {
		for _, c := range []struct {
			name        string
			open, named string // what the error says, "" if there is none
		}{
			{at("file"), "", ""},
			{at("link"), "it is a link, not a regular file", ""},
			{at("pipe"), "it is a pipe, not a regular file", "it is a pipe, not a regular file"},
			{at("link to a pipe"), "it is a link, not a regular file", "it is a pipe, not a regular file"},
			{at("folder"), "it is a folder, not a regular file", "it is a folder, not a regular file"},
			{"/dev/zero", "it is a device, not a regular file", "it is a device, not a regular file"},
			{at("missing"), "no such file or directory", "no such file or directory"},
		} {
			data, err := readAll(Open(c.name))
			wantError(t, "Open "+c.name, data, err, c.open)
			data, err = readAll(OpenNamed(c.name))
			wantError(t, "OpenNamed "+c.name, data, err, c.named)
		}
	})
}

func readAll(file *os.File, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

func wantError(t *testing.T, what string, data []byte, err error, want string) {
	t.Helper()
	if want == "" && (err != nil || string(data) != "text") ||
		want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
		t.Errorf("%s: %q, %v; want %q", what, data, err, want)
	}
}

// TestLockPlanted: what somebody has put in the lock's place is an error, and is neither waited for nor followed.
func TestLockPlanted(t *testing.T) {
	for name, plant := range map[string]func(lock, elsewhere string) error{
		"link":          func(lock, elsewhere string) error { return os.Symlink(elsewhere, lock) },
		"dangling link": func(lock, elsewhere string) error { return os.Symlink(elsewhere+".gone", lock) },
		"pipe":          func(lock, _ string) error { return syscall.Mkfifo(lock, 0o666) },
		"folder":        func(lock, _ string) error { return os.Mkdir(lock, 0o777) },
		"file of another user": func(lock, _ string) error {
			if os.Geteuid() != 0 {
				return os.ErrPermission
			}
			return errors.Join(os.WriteFile(lock, nil, 0o666), os.Chown(lock, 4711, 4711))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lock, elsewhere := filepath.Join(dir, ".site.siegebook-lock"), filepath.Join(dir, "elsewhere")
			write(t, elsewhere, "kept")
			if err := plant(lock, elsewhere); errors.Is(err, os.ErrPermission) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			before := names(t, dir)
			inTime(t, "the lock", func() {
				unlock, err := Lock(t.Context(), lock)
				if err == nil {
					unlock()
					t.Fatal("the lock was taken")
				}
				if !strings.Contains(err.Error(), lock) ||
					!strings.HasSuffix(err.Error(), ": remove it if nobody is at work there, or choose another place") {
					t.Errorf("err = %v", err)
				}
			})
			if after := names(t, dir); after != before {
				t.Errorf("there is %s, before %s", after, before)
			}
		})
	}
}

// TestLockIsPrivate: who can open a file can lock it, and so hold us up for ever.
func TestLockIsPrivate(t *testing.T) {
	dir := t.TempDir()
	lock := filepath.Join(dir, "lock")
	unlock, err := Lock(context.Background(), lock)
	must(t, err)
	defer unlock()
	file, err := Target{Name: filepath.Join(dir, "a")}.Create(0o666)
	must(t, err)
	for _, name := range []string{lock, file.Name()} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	must(t, file.Keep())
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o666&^umask {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestSweepPlanted puts into a shared folder what looks like orphans of ours.
func TestSweepPlanted(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("kept"), "kept")
	must(t,
		os.Mkdir(at(".work.siegebook-part-1"), 0o777), syscall.Mkfifo(at(".work.siegebook-part-1/.lock"), 0o666),
		os.Mkdir(at(".work.siegebook-part-2"), 0o777), os.Symlink(at("kept"), at(".work.siegebook-part-2/.lock")),
		syscall.Mkfifo(at(".work.siegebook-part-3000000000000000000"), 0o666),
		os.Symlink(dir, at(".work.siegebook-part-4000000000000000000")),
	)
	if os.Geteuid() == 0 { // one of another user
		must(t, os.Mkdir(at(".work.siegebook-part-5"), 0o777), os.Chown(at(".work.siegebook-part-5"), 4711, 4711))
		write(t, at(".work.siegebook-part-5/.lock"), "")
		write(t, at(".work.siegebook-part-6000000000000000000"), "")
		must(t, os.Chown(at(".work.siegebook-part-6000000000000000000"), 4711, 4711))
	}
	before := names(t, dir)
	inTime(t, "sweeping", func() {
		folder, err := NewFolder(dir, "work")
		must(t, err)
		must(t, folder.Remove())
	})
	if after := names(t, dir); after != before {
		t.Errorf("there is %s, before %s", after, before)
	}
}
