package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/press"
)

// TestCheckComputes checks that build uses a wrong cache entry with the right checksum, and that check detects it.
func TestCheckComputes(t *testing.T) {
	withToys(t)
	dir := t.TempDir()
	folder, site := filepath.Join(dir, "cache"), filepath.Join(dir, "site")
	genreport := func(want int, args ...string) string {
		t.Helper()
		stdout, _ := exits(t, want, append(args, "--cache", folder, "--notebooks", "off")...)
		return stdout
	}
	genreport(0, "build", "--out", site)
	entries, _ := filepath.Glob(filepath.Join(folder, "k-report-*", "*", "*"))
	if len(entries) != 2 {
		t.Fatalf("the cache has not just a report and its checksums: %q", entries)
	}
	must.Do(t, errors.Join(os.Remove(entries[0]), os.Remove(entries[1])))
	forged := 0
	for name, entry := range readTree(t, filepath.Join(folder, "k-mathml")) {
		path := filepath.Join(folder, "k-mathml", name)
		forged += forge(t, path, entry, regexp.MustCompile(`mi\\u003ex\\u003c/mi`), `mi\u003ey\u003c/mi`)
	}
	if forged == 0 {
		t.Fatal("there is no formula with an x")
	}
	genreport(0, "build", "--out", site)
	if listed := genreport(1, "check", "--out", site); !strings.Contains(listed, "different: toy-rules.html") {
		t.Error(listed)
	}
	genreport(0, "check", "--out", site, "--trust-cache")
}

// forge replaces all matches of find in an entry of the cache, as anyone who knows the format could. It returns the
// number of matches.
func forge(t *testing.T, path string, entry []byte, find *regexp.Regexp, by string) int {
	t.Helper()
	const magic = "siegebook cache 1\n"
	sum := len(magic) + sha256.Size
	key, err := hex.DecodeString(filepath.Base(filepath.Dir(path)) + filepath.Base(path))
	if err != nil || !bytes.HasPrefix(entry, []byte(magic)) {
		t.Fatalf("%s: no entry, %v", path, err)
	}
	found := len(find.FindAll(entry[sum:], -1))
	value := find.ReplaceAll(entry[sum:], []byte(by))
	checksum := sha256.Sum256(slices.Concat(key, value))
	must.Write(t, path, slices.Concat([]byte(magic), checksum[:], value))
	return found
}

// surroundings are the circumstances of a build.
type surroundings struct {
	folder, zone, language, umask string
	cores                         int
	user                          uint32 // 0 for the user who runs the test
}

// TestReproducible builds the report, and a toy as a single file, in two places that share only the program: folder,
// cache, home, user, time zone, language, number of cores and umask differ. Every byte must be the same. The first
// place has the cache of `make report`; the second computes everything. For the report the user is the same, because
// another user may not be able to read Go, its modules and the repository, which the cells need.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("computes everything")
	}
	there := surroundings{
		folder: "wo/anders, später", zone: "Pacific/Kiritimati", language: "tr_TR.UTF-8",
		umask: "027", cores: 1,
	}
	if os.Getuid() == 0 {
		there.user = 65534
	}
	here := surroundings{folder: "here", zone: "America/St_Johns", language: "C", umask: "022", cores: 7}
	program := must.Program(t, "genreport", t.TempDir())
	cached := must.Get(os.UserCacheDir())
	ours := there
	ours.user = 0
	compare(t, here.build(t, program, "--out", "out/site", "--cache", filepath.Join(cached, "siegebook")),
		ours.build(t, program, "--out", "out/site"))
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

// TestReproducibleLesson does the same for notebooks, which must run in both places. One notebook can run as a compiled
// program, and the other needs the kernel.
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
	if !strings.Contains(page, "<dd>2, of which 2 were run</dd>") ||
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

// build runs a program that builds its report in a place, below the folder out, and returns its files. If the arguments
// do not name a cache, the program does not use one.
func (p surroundings) build(t *testing.T, name string, args ...string) map[string][]byte {
	t.Helper()
	program := must.Get(exec.LookPath(name))
	root, err := os.MkdirTemp("", "siegebook-place-") // the folder of t.TempDir is closed to other users
	must.Do(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	work, home := filepath.Join(root, p.folder), filepath.Join(root, "home")
	for _, dir := range []string{work, home} {
		must.Do(t, os.MkdirAll(dir, 0o755))
	}
	copied := filepath.Join(root, filepath.Base(name)) // the name makes it run as genreport, not as the test
	must.Do(t, os.WriteFile(copied, must.Get(os.ReadFile(program)), 0o755))
	if slices.Contains(args, "--notebooks") {
		copyCourse(t, work)
		for name, text := range toyTexts { // in a repository, the book is read from the repository
			file := filepath.Join(work, name)
			must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // the link to the real file
				t.Fatal(err)
			}
			must.Write(t, file, text.Data)
		}
		must.Write(t, filepath.Join(work, "notebooks", "01-battle.ipynb"), shortNotebook)
		command := strings.Replace(shortNotebook, `"%%\n"`, `"%env PLACE=castle\n", "%%\n"`, 1)
		must.Write(t, filepath.Join(work, "notebooks", "02-command.ipynb"), command) // this notebook needs the kernel
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
		must.Do(t, err)
		must.Do(t, os.Chmod(root, 0o755))
	}
	faulttest.Run(t, cmd, 0)
	return readTree(t, filepath.Join(work, "out"))
}

// goEnvironment returns an environment that keeps Go's caches out of the test's home. Nothing in a report may depend
// on them.
func goEnvironment(t *testing.T) (env []string) {
	t.Helper()
	for name, value := range goSettings(t) {
		if name != "GOPATH" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// copyCourse turns a folder into a repository without notebooks.
func copyCourse(t *testing.T, course string) {
	t.Helper()
	repository := must.Get(filepath.Abs("../.."))
	link := func(to string, names ...string) {
		for _, name := range names {
			must.Do(t, os.Symlink(filepath.Join(repository, to, name), filepath.Join(course, to, name)))
		}
	}
	link("", "go.mod", "go.sum", "analysis", "docs", "internal")
	must.Do(t, os.MkdirAll(filepath.Join(course, "report"), 0o755))
	parts := must.Get(os.ReadDir(filepath.Join(repository, "report")))
	for _, part := range parts { // one by one, because a test's book adds its own parts
		link("report", part.Name())
	}
	must.Do(t, os.MkdirAll(filepath.Join(course, "notebooks"), 0o755))
	link("notebooks", "show")
}

// TestTemporaryOfOthers checks that no kernel is built or started in a folder where others could replace it, with or
// without a cache.
func TestTemporaryOfOthers(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	must.Do(t, os.Mkdir(open, 0o700))
	must.Do(t, os.Chmod(open, 0o777))
	repo, cached := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", open)
	for _, folder := range []string{"", cached} {
		kernel, err := newOwnKernel(folder, repo, "", press.CellImports, nil)
		must.Do(t, err)
		_, err = kernel.Spec(t.Context())
		want := "TMPDIR: others can write to " + open + ", and could put wrong results and programs there: run chmod " +
			"go-w on it, or name another folder"
		for _, err := range []error{err, kernel.Modules(t.Context())} {
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("err = %v, want %s", err, want)
			}
		}
		kernel.Close()
	}
}
