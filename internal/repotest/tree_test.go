package repotest

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// root returns the folder of go.mod.
func root(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
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
