//go:build unix

package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestTargetRefuses: what must not be replaced is refused before the work, and again after it, and stays as it is.
func TestTargetRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		put  func(name, elsewhere string) error
		want string
	}{
		"link to nowhere": {
			func(name, elsewhere string) error { return os.Symlink(elsewhere+".gone", name) },
			"a link to nowhere: remove it, or give another name",
		},
		"circle": {
			func(name, _ string) error { return os.Symlink(name, name) },
			"links that lead in a circle: remove them, or give another name",
		},
		"pipe": {
			func(name, _ string) error { return syscall.Mkfifo(name, 0o666) }, "a pipe, not a regular file: name one",
		},
		"link to a pipe": {func(name, elsewhere string) error {
			return errors.Join(syscall.Mkfifo(elsewhere+".pipe", 0o666), os.Symlink(elsewhere+".pipe", name))
		}, "a pipe, not a regular file: name one"},
		"link to a device": {
			func(name, _ string) error { return os.Symlink("/dev/null", name) },
			"a device, not a regular file: name one",
		},
		"link to a stream": {
			func(name, _ string) error { return os.Symlink("/dev/stdin", name) },
			"a stream of a process, not a file: name a file",
		},
		"folder": {
			func(name, _ string) error { return os.Mkdir(name, 0o755) }, "a folder, not a regular file: name one",
		},
		"read-only": {
			func(name, _ string) error { return os.WriteFile(name, []byte("kept"), 0o444) },
			"read-only, as its owner wants it: make it writable, or name another file",
		},
		"two names": {
			func(name, elsewhere string) error { return os.Link(elsewhere, name) },
			"a file with 2 names (hard links), of which only this one would lead to the new content: remove it, or " +
				"name another file",
		},
		"not ours": {func(name, _ string) error { return os.WriteFile(name, []byte("thesis"), 0o644) }, "precious"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			place, elsewhere := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			must.Write(t, elsewhere, "kept")
			target := Target{Name: place, Ours: func(old *os.File) error {
				content, err := io.ReadAll(old)
				if string(content) == "thesis" {
					return Refuse("precious")
				}
				return err
			}}
			late, err := target.Create(0o644) // there is nothing yet
			must.Do(t, err)
			must.Do(t, c.put(place, elsewhere))
			before, _ := os.Lstat(place)
			for _, err := range []error{target.Check(), target.Write([]byte("new"), 0o644), late.Keep()} {
				if !Refused(err) || !strings.Contains(err.Error(), c.want) {
					// At the end a link is no longer followed: it was none when the work began.
					if !Refused(err) || err.Error() != "a link, not a regular file: name one" ||
						before.Mode()&fs.ModeSymlink == 0 {
						t.Errorf("err = %v", err)
					}
				}
			}
			if after, err := os.Lstat(place); err != nil || !os.SameFile(before, after) {
				t.Errorf("it was replaced, %v", err)
			}
			if data, err := os.ReadFile(elsewhere); err != nil || string(data) != "kept" {
				t.Errorf("%q, %v", data, err)
			}
			if strings.Contains(names(t, dir), "siegebook") {
				t.Errorf("left %s", names(t, dir))
			}
		})
	}
}

// TestTargetFollowsLinks: a link stays, and what it leads to is replaced, by whichever way it leads there.
func TestTargetFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, os.MkdirAll(at("deep/inside"), 0o755), os.Symlink("deep/inside", at("short")))
	for _, link := range [][2]string{
		{"absolute", at("file")},
		{"relative", "file"},
		{"chain", "relative"},
		{"short/up", "../../file"},
		{"round", "short/../../file"},
	} {
		name := link[0]
		must.Write(t, at("file"), "old")
		must.Do(t, os.Symlink(link[1], at(name)))
		if err := Write(at(name), []byte(name), 0o644); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Lstat(at(name)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more, %v", name, err)
		}
		if data, err := os.ReadFile(at("file")); err != nil || string(data) != name {
			t.Errorf("%s: the file holds %q, %v", name, data, err)
		}
	}
}

// TestTargetRefusesLongNames: the scratch file beside a target has a longer name.
func TestTargetRefusesLongNames(t *testing.T) {
	dir := t.TempDir()
	for n, refused := range map[int]bool{200: false, 250: true, 255: true, 256: true} {
		name := filepath.Join(dir, strings.Repeat("x", n))
		err := Write(name, []byte("new"), 0o644)
		if refused && (!Refused(err) || !strings.HasSuffix(err.Error(), "give a shorter name")) ||
			!refused && err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestTargetKeepsOwner: a file stays that of its owner, with his permissions.
func TestTargetKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give files away")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	must.Write(t, name, "old")
	must.Do(t, os.Chown(name, 4711, 4712), os.Chmod(name, 0o640))
	must.Do(t, Write(name, []byte("new"), 0o644))
	info, err := os.Stat(name)
	must.Do(t, err)
	if uid, gid, _ := Owner(info); uid != 4711 || gid != 4712 || info.Mode().Perm() != 0o640 {
		t.Errorf("%v of %d, %d", info.Mode(), uid, gid)
	}
}

// TestTargetIsStdout runs a process whose standard output has several names.
func TestTargetIsStdout(t *testing.T) {
	if os.Getenv("SCRATCH_TEST_STDOUT") != "" {
		for _, name := range []string{
			"-", "/dev/stdout", "/dev/fd/1", "/dev/fd/2", "/dev/stdin", "/dev/null", os.Getenv("SCRATCH_TEST_STDOUT"),
		} {
			if (Target{Name: name}).IsStdout() {
				_, _ = io.WriteString(os.Stdout, "\n"+filepath.Base(name)+"\n")
			}
		}
		return
	}
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	must.Do(t, os.Symlink("/dev/stdout", link))
	file, err := os.Create(filepath.Join(dir, "out"))
	must.Do(t, err)
	defer file.Close()
	var piped bytes.Buffer
	for _, output := range []io.Writer{&piped, file} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTargetIsStdout$")
		cmd.Env = append(os.Environ(), "SCRATCH_TEST_STDOUT="+link)
		cmd.Stdout, cmd.Stderr = output, io.Discard
		must.Do(t, cmd.Run())
	}
	redirected, err := os.ReadFile(file.Name())
	must.Do(t, err)
	for _, out := range []string{piped.String(), string(redirected)} {
		if got := strings.Join(strings.Fields(strings.ReplaceAll(out, "PASS", "")), " "); got != "- stdout 1 link" {
			t.Errorf("got %q", got)
		}
	}
}

// inTime fails where something waits for what never comes.
func inTime(t *testing.T, what string, do func()) {
	t.Helper()
	waittest.Ends(t, what, func() struct{} { do(); return struct{}{} })
}

// TestOpenPlanted opens what others may plant: none of it is waited for, followed or taken for a file.
func TestOpenPlanted(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Write(t, at("file"), "text")
	must.Do(
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
