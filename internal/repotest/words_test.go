package repotest

import (
	"fmt"
	"io/fs"
	"regexp"
	"testing"
)

// foreign matches what ties a repository to the machine that it was written on: absolute paths of somebody's folders
// and hosts of a package registry, which everybody sets for himself. The brackets keep the pattern from matching
// itself.
var foreign = regexp.MustCompile(`(?i)(^|[\s"'(=])/([w]ork|[r]oot|[h]ome|[U]sers)/|[p]roxy\.golang\.org|[r]egistry\.npmjs|[p]ypi\.org|[a]rtifactory`)

// checkWords finds lines of text files with foreign words.
func checkWords(tree fs.FS) ([]string, error) {
	return inEach(tree, func(string) bool { return true }, func(name string, text []byte) (problems []string, _ error) {
		if !isText(text) {
			return nil, nil
		}
		for _, at := range foreign.FindAllIndex(text, -1) {
			problems = append(problems, fmt.Sprintf("%s: %q belongs to one machine, not to the project", name,
				text[at[0]:at[1]]))
		}
		return problems, nil
	})
}

func TestWords(t *testing.T) {
	problems, err := checkWords(tree(t))
	report(t, problems, err)
}

func TestWordCheckerFails(t *testing.T) {
	problems, err := checkWords(mapFS("a.md", "see /ro"+"ot/x and https://example.org/home/x, network/home/", "b.go",
		"\"/ho"+"me/me\"", ".ci/run", "GOPROXY=https://pro"+"xy.golang.org",
		"c.png", "\x00/ro"+"ot/x", ".git/config", "/ro"+"ot/x"))
	wantProblems(t, problems, err, ".ci/run: ", "a.md: ", "b.go: ")
}
