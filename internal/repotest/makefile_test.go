package repotest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
)

var rule = regexp.MustCompile(`(?m)^([A-Za-z][^\s:=]*):(?:$|[^=].*$)`)

// checkTargets finds targets that the help, the output of make help, does not explain, and those that are not phony.
func checkTargets(tree fs.FS, help string) ([]string, error) {
	makefile, err := fs.ReadFile(tree, "Makefile")
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, match := range rule.FindAllSubmatch(makefile, -1) {
		target := regexp.QuoteMeta(string(match[1]))
		if !regexp.MustCompile(`(?m)^make ` + target + ` +\S`).MatchString(help) {
			problems = append(problems, fmt.Sprintf("make help does not list %s: give it a comment after ##", target))
		}
		if !regexp.MustCompile(`(?m)^\.PHONY: ` + target + `$`).Match(makefile) {
			problems = append(problems, fmt.Sprintf("%s is not .PHONY: a file of that name would stop it", target))
		}
	}
	if len(problems) == 0 && !strings.Contains(help, "make report") {
		problems = append(problems, "no target report was found")
	}
	return problems, nil
}

// mentioned is how a text refers to a target, with any further ones.
var mentioned = regexp.MustCompile("`make((?: [a-z][a-z-]*)+)")

// checkMentionedTargets looks for the targets that the documents name in the help.
func checkMentionedTargets(tree fs.FS, help string) ([]string, error) {
	names, err := files(tree, suffix(".md", ".go"))
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		for _, match := range mentioned.FindAllSubmatch(text, -1) {
			for target := range strings.FieldsSeq(string(match[1])) {
				if !strings.Contains(help, "make "+target+" ") {
					problems = append(problems, fmt.Sprintf("%s: names make %s: there is no such target", name, target))
				}
			}
		}
	}
	return problems, nil
}

// recorded is how a package's tests offer to rewrite what they compare with. Recordings that take many minutes name
// another command.
var recorded = regexp.MustCompile(`flag\.Bool\("update", false, "rewrite `)

// checkGolden finds packages whose recorded outputs make golden leaves out.
func checkGolden(tree fs.FS) ([]string, error) {
	makefile, err := fs.ReadFile(tree, "Makefile")
	if err != nil {
		return nil, err
	}
	recipe := regexp.MustCompile(`(?m)^golden:.*\n(?:\t.*\n?)*`).Find(makefile)
	tests, err := files(tree, suffix("_test.go"))
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, name := range tests {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		folder := "./" + path.Dir(name)
		if recorded.Match(text) && !regexp.MustCompile(regexp.QuoteMeta(folder)+`[ \n]`).Match(recipe) {
			problems = append(problems, fmt.Sprintf("make golden leaves out %s, which %s records", folder, name))
		}
	}
	return problems, nil
}

func TestMakeGolden(t *testing.T) {
	problems, err := checkGolden(tree(t))
	report(t, problems, err)
	const test = `var update = flag.Bool("update", false, "rewrite it")`
	problems, err = checkGolden(mapFS("Makefile",
		"golden: ## rewrite\n\tgo test ./a ./b/c -update\nother:\n\tgo test ./d\n",
		"a/x_test.go", test, "b/x_test.go", test, "b/c/x_test.go", test, "d/x_test.go", test, "e/x_test.go",
		"package e"))
	wantProblems(t, problems, err, "make golden leaves out ./b,", "make golden leaves out ./d,")
}

// bareMake runs make with nothing in the environment but PATH and HOME.
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
	problems, err := checkTargets(tree(t), help)
	report(t, problems, err)
	problems, err = checkMentionedTargets(tree(t), help)
	report(t, problems, err)
	if plain := bareMake(t, root(t)); plain != help {
		t.Errorf("make without a target prints\n%s\nnot the help", plain)
	}
}

func TestTargetCheckerFails(t *testing.T) {
	makefile := mapFS("Makefile", "A := b\n.PHONY: report\nreport: x ## it\n\techo a: b\nsecret:\n\ttrue\n.PHONY: "+
		"fuzz-all\nfuzz-all: report\n")
	problems, err := checkTargets(makefile, "make report  it\nmake secrets  no\n")
	wantProblems(t, problems, err,
		"make help does not list secret", "secret is not .PHONY", "make help does not list fuzz-all")
	problems, err = checkMentionedTargets(mapFS("a.md", "`make report`, `make`, `make report serve`, make nonsense",
		"b/b.go", "// `make "+"bunch`"), "make report  it\nmake bunches  no\n")
	wantProblems(t, problems, err, "a.md: names make serve", "b/b.go: names make bunch")
}

// root returns the folder of go.mod.
func root(t testing.TB) string {
	t.Helper()
	dir := must.Get(filepath.Abs(filepath.Join("..", "..")))
	must.Get(os.Stat(filepath.Join(dir, "go.mod")))
	return dir
}

// tree returns the files of the repository.
func tree(t testing.TB) fs.FS { return os.DirFS(root(t)) }

// built are folders at the top that hold what was made from the repository, not the repository.
var built = map[string]bool{"site": true, "bin": true}

// files returns the names of all files of the repository for which keep holds, in lexical order. Of the hidden folders
// only that of the CI is part of it.
func files(tree fs.FS, keep func(name string) bool) ([]string, error) {
	var names []string
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			if keep(name) {
				names = append(names, name)
			}
		case built[name], name != "." && name != ".ci" && strings.HasPrefix(path.Base(name), "."):
			return fs.SkipDir
		}
		return nil
	})
	return names, err
}

// suffix keeps the names that end in one of the suffixes.
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

// isText says whether a file is made for people to read, as far as its first bytes tell.
func isText(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 }

// mapFS makes a small tree out of pairs of name and text.
func mapFS(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

// inEach returns the problems that a check finds in the files for which keep holds, in lexical order of their names.
func inEach(tree fs.FS, keep func(name string) bool, check func(name string, text []byte) ([]string, error)) ([]string,
	error,
) {
	names, err := files(tree, keep)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		found, err := check(name, text)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	return problems, nil
}

// report fails the test with one line per problem.
func report(t *testing.T, problems []string, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
}

// wantProblems checks that a checker found exactly the problems whose beginnings are given.
func wantProblems(t *testing.T, problems []string, err error, want ...string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	ok := len(problems) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.HasPrefix(problems[i], want[i])
	}
	if !ok {
		t.Errorf("found:\n\t%s\nwant, at the beginning of the lines:\n\t%s", strings.Join(problems, "\n\t"),
			strings.Join(want, "\n\t"))
	}
}
