//go:build unix

package atomicfile

import (
	"bytes"
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

// tables is the file of the tests' tables.
const tables = "testdata/tables.txt"

// TestTargetRefuses checks that a file that must not be replaced is refused before and after the work, and remains
// unchanged.
func TestTargetRefuses(t *testing.T) {
	for _, row := range must.Rows(t, tables, "TestTargetRefuses") {
		name, put, want := row[0], row[1], row[2]
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
			late, err := target.Create(0o644) // the file does not exist yet
			must.Do(t, err)
			shell := exec.CommandContext(t.Context(), "sh", "-c", put)
			shell.Dir = dir
			must.Do(t, shell.Run())
			before, _ := os.Lstat(place)
			for _, err := range []error{target.Check(), target.Write([]byte("new"), 0o644), late.Keep()} {
				if !Refused(err) || !strings.Contains(err.Error(), want) {
					// At the end, Keep does not follow a link, because there was none when the work began.
					if !Refused(err) || err.Error() != "a link, not a regular file: name a regular file" ||
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

// TestTargetFollowsLinks checks that a link is kept, and that its target is replaced, however the link refers to it.
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
		if err := (Target{Name: at(name)}).Write([]byte(name), 0o644); err != nil {
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

// TestTargetRefusesLongNames checks that a name is refused if the longer name of the temporary file is too long.
func TestTargetRefusesLongNames(t *testing.T) {
	dir := t.TempDir()
	for n, refused := range map[int]bool{200: false, 250: true, 255: true, 256: true} {
		name := filepath.Join(dir, strings.Repeat("x", n))
		err := Target{Name: name}.Write([]byte("new"), 0o644)
		if refused && (!Refused(err) || !strings.HasSuffix(err.Error(), "give a shorter name")) ||
			!refused && err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestTargetKeepsOwner checks that a file keeps its owner and permissions.
func TestTargetKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give files away")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	must.Write(t, name, "old")
	must.Do(t, os.Chown(name, 4711, 4712), os.Chmod(name, 0o640))
	must.Do(t, Target{Name: name}.Write([]byte("new"), 0o644))
	info, err := os.Stat(name)
	must.Do(t, err)
	if uid, gid, _ := Owner(info); uid != 4711 || gid != 4712 || info.Mode().Perm() != 0o640 {
		t.Errorf("%v of %d, %d", info.Mode(), uid, gid)
	}
}

// TestTargetIsStdout runs processes, and checks the names of their standard output.
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

// TestOpenPlanted opens files that other users could plant. Open must not block on them, follow them, or mistake them
// for regular files.
func TestOpenPlanted(t *testing.T) {
	rows := must.Rows(t, tables, "TestOpenPlanted")
	t.Chdir(t.TempDir())
	must.Write(t, "file", "text")
	must.Do(t, syscall.Mkfifo("pipe", 0o666), os.Symlink("file", "link"), os.Symlink("pipe", "link to a pipe"),
		os.Mkdir("folder", 0o755))
	waittest.Ends(t, "opening", func() struct{} {
		for _, row := range rows {
			data, err := readAll(Open(row[0]))
			wantError(t, "Open "+row[0], data, err, row[1])
			data, err = readAll(OpenNamed(row[0]))
			wantError(t, "OpenNamed "+row[0], data, err, row[2])
		}
		return struct{}{}
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
