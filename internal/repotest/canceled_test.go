package repotest

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// checkCauses finds where the library, the report or a command asks a context for its cause alone: who calls it could
// not tell that error from others by context.Canceled. The kernel's packages are left out: they cancel with causes of
// their own, and tell these apart.
func checkCauses(tree fs.FS) ([]string, error) {
	ours := func(name string) bool {
		top, _, _ := strings.Cut(name, "/")
		return slices.Contains([]string{"analysis", "cmd", "report"}, top) && strings.HasSuffix(name, ".go") &&
			!strings.HasSuffix(name, "_test.go")
	}
	return inEach(tree, ours, func(name string, source []byte) (problems []string, err error) {
		if bytes.Contains(source, []byte("context.Cause(")) {
			problems = append(problems, fmt.Sprintf("%s: context.Cause hides that the context was canceled, use canceled.Cause",
				name))
		}
		return problems, nil
	})
}

func TestCauses(t *testing.T) {
	problems, err := checkCauses(tree(t))
	report(t, problems, err)
	problems, err = checkCauses(mapFS("analysis/a.go", "return context.Cause(ctx)", "internal/b.go",
		"return context.Cause(ctx)"))
	wantProblems(t, problems, err, "analysis/a.go: context.Cause hides")
}
