package jupyter

import (
	"bytes"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/siegebook/siegebook/internal/must"
)

// TestMergedCells: a run with one program of all cells, where that can be, has the outputs and errors of one with a
// program of each cell. The comment of testdata/merged.txtar says how to read it.
func TestMergedCells(t *testing.T) {
	spec := projectKernel(t)
	for _, file := range must.Get(txtar.ParseFile("testdata/merged.txtar")).Files {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			n := book(t, strings.Split(strings.TrimSuffix(string(file.Data), "\n"), "\n---\n")...)
			o := RunOptions{Kernel: spec, KeepGoing: strings.Contains(file.Name, "want of"), patience: unhurried}
			merged, err := Run(t.Context(), n, o)
			o.CellByCell = true
			single, singleErr := Run(t.Context(), n, o)
			if !bytes.Equal(merged.Bytes(), single.Bytes()) {
				t.Errorf("the outputs of one program are\n%s\nand those of each\n%s", merged.Bytes(), single.Bytes())
			}
			if (err == nil) != (singleErr == nil) || err != nil && err.Error() != singleErr.Error() ||
				(err != nil) != strings.Contains(file.Name, "fails") {
				t.Errorf("one program: %v; each: %v", err, singleErr)
			}

			o = o.withDefaults()
			s := must.Get(startSession(t.Context(), spec, "", o.patience, n.mergeable(n.work(), o)...))
			defer s.Close()
			if err := s.runCells(t.Context(), n.Clone(), n.work(), o); (err == nil) != (singleErr == nil) {
				t.Error(err)
			}
			if each := strings.HasPrefix(file.Name, "each"); s.merged().used() == each {
				t.Errorf("each cell has its own program: %v, want %v", !each, each)
			}
		})
	}
}

// TestLeaveUsed: the imports that goimports would take out are taken out, and goimports is asked where one is missing.
func TestLeaveUsed(t *testing.T) {
	for _, test := range []struct{ imports, want string }{
		{`"fmt"; "math/rand/v2"; "gopkg.in/yaml.v3"; plot "x/y"`, `flag fmt math/rand/v2 gopkg.in/yaml.v3 x/y`},
		{`"os"; "fmt"; "math/rand/v2"; "x/go-yaml"; "x/plot/v12"`, `flag fmt math/rand/v2 x/go-yaml x/plot/v12`},
		{`"flag"; "fmt"; _ "os"; "math/rand"; yaml "a"; "plot"; "old"`, `flag fmt os math/rand a plot`},
		{`"fmt"; "math/rand/v2"; "gopkg.in/yaml.v3"`, ""},
		{`"math/rand/v2"; "gopkg.in/yaml.v3"; "x/plot"`, ""},
	} {
		left := leaveUsed([]byte("package main\n\nimport (" + strings.ReplaceAll(test.imports, "; ", "\n") + `)

type old struct{}

func local(os string) string { return os + plot.Name }

func main() {
	flag.Parse()
	fmt.Println(rand.N(2), yaml.V, old{})
}
`))
		if test.want == "" {
			if left != nil {
				t.Errorf("%s: goimports is not asked: %s", test.imports, left)
			}
			continue
		}
		var paths []string
		for _, spec := range must.Get(parser.ParseFile(token.NewFileSet(), "", left, parser.ImportsOnly)).Imports {
			paths = append(paths, strings.Trim(spec.Path.Value, `"`))
		}
		if is := strings.Join(paths, " "); is != test.want {
			t.Errorf("%s: left are %s, want %s", test.imports, is, test.want)
		}
	}
}
