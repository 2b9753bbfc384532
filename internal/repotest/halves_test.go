package repotest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// The repository has two halves: the generator in report and internal/report, which does not know any game, and our
// book in report/siegebook.

// gameWord matches words that only the book uses, and bookImport matches imports of the book's packages.
var (
	gameWord   = regexp.MustCompile(`(?i)\b(castle|towers?|ants?|naval|soldiers?|defenders?)\b`)
	bookImport = regexp.MustCompile(`"[^"\s]*/report/siegebook(/[^"\s]*)?"`)
)

// ofBook reports whether a file belongs to the book: it is in the book's folder, or it is the file of genreport that
// names the book.
func ofBook(name string) bool {
	return strings.HasPrefix(name, "report/siegebook/") || name == "cmd/genreport/siegebook.go"
}

// ofGenerator reports whether a file is in a folder of the generator.
func ofGenerator(name string) bool {
	return strings.HasPrefix(name, "report/") || strings.HasPrefix(name, "internal/report/")
}

// checkHalves finds files of the generator, including tests and their data, that mention a game or import the book.
func checkHalves(tree fs.FS) []string {
	keep := func(name string) bool {
		return !ofBook(name) && (ofGenerator(name) || strings.HasPrefix(name, "cmd/genreport/"))
	}
	return inEach(tree, keep, func(name string, text []byte) (problems []string) {
		for i, line := range strings.Split(string(text), "\n") {
			if word := gameWord.FindString(line); word != "" && ofGenerator(name) && isText(text) {
				problems = append(problems, fmt.Sprintf("%s:%d: %q is a word of our games: the generator must not "+
					"know any game",
					name, i+1, word))
			}
			if found := bookImport.FindString(line); found != "" && path.Ext(name) == ".go" {
				problems = append(problems, fmt.Sprintf("%s:%d: imports %s: the generator must not depend on a book",
					name, i+1, found))
			}
		}
		return problems
	})
}

func TestHalves(t *testing.T) { report(t, checkHalves(tree(t))) }

// bookParts returns all parts of the repository that are about the book's games, except for tests of the whole
// repository.
func bookParts(tree fs.FS) []string {
	parts := []string{
		"report/siegebook", "cmd/siegebook", "cmd/genreport/siegebook.go", "analysis/listing/games",
		"examples/own-strategy", "internal/browsertest", "internal/repotest",
	}
	for _, game := range must.Get(fs.ReadDir(tree, "report/siegebook/pictures")) {
		if game.Name() != "testdata" {
			parts = append(parts, "analysis/"+game.Name(), "notebooks/show/"+game.Name())
		}
	}
	for _, entry := range must.Get(fs.ReadDir(tree, "notebooks")) {
		if entry.Name() != "show" {
			parts = append(parts, "notebooks/"+entry.Name())
		}
	}
	return parts
}

// testedAlone matches the packages whose tests must pass without the book. The tests of all other packages need only
// compile.
var testedAlone = regexp.MustCompile(`^[^/]+/[^/]+/[^/]+/(report|internal/report|cmd/genreport|notebooks/show|analysis)(/|$)`)

// TestGeneratorAlone removes the book and its games from a copy of the repository. The rest must compile, including its
// tests, it must build a report, and its tests must pass.
func TestGeneratorAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and tests a copy of the generator")
	}
	from, copied := tree(t), t.TempDir()
	parts := bookParts(from)
	for _, name := range files(from, func(name string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool {
			return name == part || strings.HasPrefix(name, part+"/")
		})
	}) {
		must.Write(t, filepath.Join(copied, filepath.FromSlash(name)), must.Get(fs.ReadFile(from, name)))
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = copied
		cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0")
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
		}
		return string(said)
	}
	run("build", "./...")
	var tested, others []string // so that each test program is linked only once
	for name := range strings.FieldsSeq(run("list", "./...")) {
		if testedAlone.MatchString(name) {
			tested = append(tested, name)
		} else {
			others = append(others, name)
		}
	}
	if len(tested) < 20 || len(others) < 10 {
		t.Errorf("the tests of %q run, and those of %q compile", tested, others)
	}
	run(append([]string{"test", "-vet=off", "-run", "^$"}, others...)...)
	run("run", "./cmd/genreport", "build", "examples/continued-fractions", "--cache", "cache", "--out", "out")
	run(append([]string{"test", "-vet=off", "-short"}, tested...)...)
	page := string(must.Get(os.ReadFile(filepath.Join(copied, "out", "index.html"))))
	if !strings.Contains(page, "<h1") {
		t.Errorf("the front page is\n%s", page)
	}
}
