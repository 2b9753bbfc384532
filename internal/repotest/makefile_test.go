package repotest

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
)

// mentioned matches a mention of one or more make targets.
var mentioned = regexp.MustCompile("`make((?: [a-z][a-z-]*)+)")

// checkMentionedTargets checks that make help lists the targets that the documents mention.
func checkMentionedTargets(tree fs.FS, help string) []string {
	var problems []string
	for _, name := range files(tree, suffix(".md", ".go")) {
		text := must.Get(fs.ReadFile(tree, name))
		for _, match := range mentioned.FindAllSubmatch(text, -1) {
			for target := range strings.FieldsSeq(string(match[1])) {
				if !strings.Contains(help, "make "+target+" ") {
					problems = append(problems, fmt.Sprintf("%s: names make %s: there is no such target", name, target))
				}
			}
		}
	}
	return problems
}

// bareMake runs make with only PATH and HOME in the environment.
func bareMake(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "make", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("make %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestMakeHelp(t *testing.T) {
	help := bareMake(t, root(t), "help")
	report(t, checkMentionedTargets(tree(t), help))
	if plain := bareMake(t, root(t)); plain != help {
		t.Errorf("make without a target prints\n%s\nnot the help", plain)
	}
}

// root returns the folder that contains go.mod.
func root(t testing.TB) string {
	t.Helper()
	dir := must.Get(filepath.Abs(filepath.Join("..", "..")))
	must.Get(os.Stat(filepath.Join(dir, "go.mod")))
	return dir
}

// tree returns the files of the repository.
func tree(t testing.TB) fs.FS { return os.DirFS(root(t)) }

// built contains the top-level folders whose files are built from the repository and are not part of it.
var built = map[string]bool{"site": true, "bin": true}

// files returns the names of all files in the repository for which keep returns true, in lexical order. It skips hidden
// folders, except for the CI's folder, and the file .git of a worktree.
func files(tree fs.FS, keep func(name string) bool) (names []string) {
	walked := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			if name != ".git" && keep(name) {
				names = append(names, name)
			}
		case built[name], name != "." && name != ".ci" && strings.HasPrefix(path.Base(name), "."):
			return fs.SkipDir
		}
		return nil
	})
	if walked != nil {
		panic(walked)
	}
	return names
}

// mostBytes is the maximum size of a file. People do not write or copy larger files.
const mostBytes = 300_000

// TestFilesAreSmall checks that no file is so large that somebody must have committed a program's output by mistake.
// Git ignores the programs that go build leaves in the top folder.
func TestFilesAreSmall(t *testing.T) {
	written := func(name string) bool { return name != "genreport" && name != "siegebook" }
	for _, name := range files(tree(t), written) {
		if size := must.Get(fs.Stat(tree(t), name)).Size(); size > mostBytes {
			t.Errorf("%s has %d bytes, and %d are the most: remove it, or let .gitignore name it",
				name, size, mostBytes)
		}
	}
}

// suffix returns a function that reports whether a name ends in one of the suffixes.
func suffix(suffixes ...string) func(string) bool {
	return func(name string) bool {
		for _, s := range suffixes {
			if strings.HasSuffix(name, s) {
				return true
			}
		}
		return false
	}
}

// isText reports whether a file is text, judging by its first bytes.
func isText(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 }

// inEach returns the problems that a check finds in the files for which keep returns true, in lexical order of their
// names.
func inEach(tree fs.FS, keep func(name string) bool, check func(name string, text []byte) []string) []string {
	var problems []string
	for _, name := range files(tree, keep) {
		problems = append(problems, check(name, must.Get(fs.ReadFile(tree, name)))...)
	}
	return problems
}

// report fails the test with one line per problem.
func report(t *testing.T, problems []string) {
	t.Helper()
	for _, problem := range problems {
		t.Error(problem)
	}
}

// checks maps the names in testdata/checks.txtar to checks.
var checks = map[string]func(fs.FS) []string{
	"decisions": checkDecisions, "dependencies": checkDependencies, "halves": checkHalves,
	"imports": checkImports, "links": checkLinks,
	"mentions": checkMentions, "messages": checkMessages, "plain words": checkPlainWords, "seeds": checkSeeds,
	"width": checkWidth,
	"words": checkWords,
	"mentioned targets": func(tree fs.FS) []string {
		return checkMentionedTargets(tree, string(must.Get(fs.ReadFile(tree, "help"))))
	},
}

// smallTrees reads testdata/checks.txtar. The archive's comment describes its contents.
func smallTrees(t *testing.T) map[string]fstest.MapFS {
	t.Helper()
	trees := map[string]fstest.MapFS{}
	for _, file := range must.Get(txtar.ParseFile("testdata/checks.txtar")).Files {
		check, name, _ := strings.Cut(file.Name, ": ")
		if trees[check] == nil {
			trees[check] = fstest.MapFS{}
		}
		text := strings.NewReplacer("~", "", "␀", "\x00").Replace(string(file.Data))
		trees[check][name] = &fstest.MapFile{Data: []byte(text)}
	}
	return trees
}

// TestChecksFail checks that each check finds exactly the faults in a small tree.
func TestChecksFail(t *testing.T) {
	trees := smallTrees(t)
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			want := strings.Split(strings.TrimSuffix(string(trees[name]["problems"].Data), "\n"), "\n")
			delete(trees[name], "problems")
			wantProblems(t, check(trees[name]), want...)
		})
	}
}

// wantProblems checks that a check found exactly the problems that begin with the given texts.
func wantProblems(t *testing.T, problems []string, want ...string) {
	t.Helper()
	ok := len(problems) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.HasPrefix(problems[i], want[i])
	}
	if !ok {
		t.Errorf("found:\n\t%s\nwant, at the beginning of the lines:\n\t%s", strings.Join(problems, "\n\t"),
			strings.Join(want, "\n\t"))
	}
}

// impure lists the packages of the standard library through which a function could depend on more than its arguments.
// No package in analysis may import them, except in tests.
var impure = []string{
	"C", "crypto/rand", "embed", "io/ioutil", "log", "math/rand", "net", "os", "path/filepath",
	"plugin", "syscall", "time",
}

// checkImports compares all imports of the tree with the rows of ARCHITECTURE.md.
func checkImports(tree fs.FS) []string {
	a := must.Get(readArrows(tree))
	ours := func(name string) bool {
		return strings.HasSuffix(name, ".go") && !strings.Contains("/"+name, "/testdata/")
	}
	unlisted := map[string]bool{}
	problems := inEach(tree, ours, func(name string, source []byte) (problems []string) {
		parsed := must.Get(parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly))
		pkg := path.Dir(name)
		row, game := a.row(pkg)
		if row == nil {
			if !unlisted[pkg] {
				problems = append(problems, fmt.Sprintf("%s: the package is in no row of ARCHITECTURE.md, %q: add it",
					pkg, arrowsHeading))
			}
			unlisted[pkg] = true
			return problems
		}
		row.matched = true
		for _, spec := range parsed.Imports {
			imported := must.Get(strconv.Unquote(spec.Path.Value))
			if problem := a.check(row, game, name, imported); problem != "" {
				problems = append(problems, problem)
			}
		}
		return problems
	})
	return append(problems, a.stale()...)
}

// check returns what is wrong with an import, or "".
func (a *arrows) check(row *arrow, game, file, imported string) string {
	pkg, isTest := path.Dir(file), strings.HasSuffix(file, "_test.go")
	ours, isOurs := strings.CutPrefix(imported, a.module+"/")
	switch {
	case isOurs:
		if ours == pkg || row.allows(ours, game) || isTest && (a.reaches(row, ours, game) || a.tests.allows(ours, "")) {
			return ""
		}
	case !isModule(imported):
		if !isTest && strings.HasPrefix(pkg+"/", "analysis/") && isImpure(imported) {
			return fmt.Sprintf("%s imports %s: packages below analysis must depend only on their arguments", file,
				imported)
		}
		return ""
	case row.allows(imported, game), isTest && a.tests.allows(imported, ""):
		return ""
	}
	return fmt.Sprintf("%s imports %s: ARCHITECTURE.md allows %s only %s", file, imported, row.from, allowed(row.to))
}

func isImpure(imported string) bool {
	return slices.ContainsFunc(impure, func(p string) bool {
		// Callers pass in a seeded generator from math/rand/v2. Only v1 has a shared generator that anybody can seed.
		return imported == p || strings.HasPrefix(imported, p+"/") && imported != "math/rand/v2"
	})
}

func allowed(to []string) string {
	if len(to) == 0 {
		return "the standard library"
	}
	return strings.Join(to, ", ")
}

func TestImports(t *testing.T) {
	report(t, checkImports(tree(t)))
}

// checkSeeds reports packages that use rapid without the fixed seed of package rapidseed.
func checkSeeds(tree fs.FS) []string {
	uses, seeded := map[string]bool{}, map[string]bool{}
	problems := inEach(tree, suffix(".go"), func(name string, source []byte) []string {
		uses[path.Dir(name)] = uses[path.Dir(name)] || bytes.Contains(source, []byte(`"pgregory.net/rapid"`))
		seeded[path.Dir(name)] = seeded[path.Dir(name)] || bytes.Contains(source, []byte(`/internal/rapidseed"`))
		return nil
	})
	for _, pkg := range slices.Sorted(maps.Keys(uses)) {
		if uses[pkg] && !seeded[pkg] && path.Base(pkg) != "rapidseed" {
			problems = append(problems, pkg+": its tests use rapid without a fixed seed: import internal/rapidseed")
		}
	}
	return problems
}

func TestSeeds(t *testing.T) { report(t, checkSeeds(tree(t))) }
