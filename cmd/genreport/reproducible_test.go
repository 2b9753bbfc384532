package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/faulttest"
)

// surroundings are what is around a build.
type surroundings struct {
	folder, zone, language, umask string
	cores                         int
	user                          uint32 // 0 for the one who runs the test
}

// TestReproducible builds the report, and a toy of one file, in two places that have nothing in common but the program:
// folder, cache, home, user, time zone, language, number of cores and mask of permissions differ. Every byte is the
// same.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("computes everything twice")
	}
	there := surroundings{
		folder: "wo/anders, später", zone: "Pacific/Kiritimati", language: "tr_TR.UTF-8",
		umask: "027", cores: 1,
	}
	if os.Getuid() == 0 {
		there.user = 65534
	}
	here := surroundings{folder: "here", zone: "America/St_Johns", language: "C", umask: "022", cores: 7}
	compare(t, here.build(t, "genreport", "--grid", smallGrid, "--out", "out/site"),
		there.build(t, "genreport", "--grid", smallGrid, "--out", "out/site"))
	compare(t, here.build(t, "toyreport", "--single", "out/report.html"), there.build(t, "toyreport", "--single",
		"out/report.html"))
}

const shortNotebook = `{"cells": [
 {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# A battle\n", "\n", "By the library."]},
 {"cell_type": "code", "id": "battle", "metadata": {}, "execution_count": null, "outputs": [], "source": [
  "import \"github.com/siegebook/siegebook/analysis/castle\"\n", "\n", "%%\n",
  "fmt.Println(castle.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}.MinWaves())"
 ]}
], "metadata": {"kernelspec": {"display_name": "Go (siegebook)", "language": "go", "name": "siegebook"}}, "nbformat": 4, "nbformat_minor": 5}`

// TestReproducibleLesson is TestReproducible for a notebook, which has to run in both places.
func TestReproducibleLesson(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a kernel twice")
	}
	args := []string{"--notebooks", "notebooks", "--lessons", "run", "--only", "lesson", "--out", "out/site"}
	here := surroundings{folder: "here", zone: "America/St_Johns", language: "C", umask: "022", cores: 2}
	there := surroundings{
		folder: "there/and/further", zone: "Asia/Kathmandu", language: "de_DE.UTF-8", umask: "027",
		cores: 1,
	}
	first, second := here.build(t, "toyreport", args...), there.build(t, "toyreport", args...)
	compare(t, first, second)
	page := string(first["site/lesson-01-battle.html"])
	if !strings.Contains(page, "<dd>1, of which 1 were run</dd>") ||
		!strings.Contains(page, "<dt>kernel</dt> <dd>github.com/janpfeifer/gonb v") {
		t.Errorf("the stamp does not name what ran the lesson:\n%s", page)
	}
}

func compare(t *testing.T, first, second map[string][]byte) {
	t.Helper()
	if len(first) == 0 || len(first) != len(second) {
		t.Errorf("%d files and %d files", len(first), len(second))
	}
	for name, data := range first {
		if string(second[name]) != string(data) {
			t.Errorf("%s differs", name)
		}
	}
}

// build lets a program build its report in a place, from nothing, below the folder out, and returns its files.
func (p surroundings) build(t *testing.T, name string, args ...string) map[string][]byte {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.MkdirTemp("", "siegebook-place-") // that of the test is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	work, home := filepath.Join(root, p.folder), filepath.Join(root, "home")
	for _, dir := range []string{work, home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(root, name)
	copyProgram(t, program, copied)
	if slices.Contains(args, "--notebooks") {
		copyCourse(t, work)
		if err := os.WriteFile(filepath.Join(work, "notebooks", "01-battle.ipynb"), []byte(shortNotebook),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	args = append([]string{"build", "--cache", filepath.Join(home, "cache")}, args...)
	cmd := exec.Command("sh", append([]string{"-c", "umask " + p.umask + `; mkdir out; exec "$@"`, "sh", copied},
		args...)...)
	cmd.Dir = work
	cmd.Env = append(goEnvironment(t), "PATH="+os.Getenv("PATH"), "HOME="+home, "TZ="+p.zone, "LANG="+p.language,
		"LC_ALL="+p.language, fmt.Sprint("GOMAXPROCS=", p.cores), "TMPDIR="+home)
	if p.user != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: p.user, Gid: p.user}}
		err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, int(p.user), int(p.user))
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(root, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	faulttest.Run(t, cmd, 0)
	return readTree(t, filepath.Join(work, "out"))
}

// goEnvironment keeps Go's own caches, which nothing in a report may depend on, from the home that it is given.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Skipf("no Go toolchain: %v", err)
	}
	var env []string
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		env = append(env, names[i]+"="+value)
	}
	return env
}

// copyProgram copies the program under its name, by which it knows that it is genreport and not the test.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o755); err != nil {
		t.Fatal(err)
	}
}

// copyCourse makes a folder a repository with these notebooks.
func copyCourse(t *testing.T, course string, names ...string) {
	t.Helper()
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	link := func(to string, names ...string) {
		for _, name := range names {
			if err := os.Symlink(filepath.Join(repository, to, name), filepath.Join(course, to, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	link("", "go.mod", "go.sum", "analysis", "docs", "internal", "report")
	copyFiles(t, filepath.Join(repository, "notebooks"), filepath.Join(course, "notebooks"), names...)
	link("notebooks", "show")
}
