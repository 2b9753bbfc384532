package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"testing"
)

// declared calls do with each name that a file declares in its package's scope or in one within. Fields and methods are
// not among them: they hide nothing.
func declared(file *ast.File, do func(*ast.Ident)) {
	fields := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				do(name)
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ImportSpec:
			if n.Name != nil {
				do(n.Name)
			}
		case *ast.FuncDecl:
			fields(n.Recv)
			if n.Recv == nil {
				do(n.Name)
			}
		case *ast.FuncType:
			fields(n.TypeParams)
			fields(n.Params)
			fields(n.Results)
		case *ast.TypeSpec:
			do(n.Name)
			fields(n.TypeParams)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				do(name)
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
					do(name)
				}
			}
		case *ast.RangeStmt:
			for _, left := range []ast.Expr{n.Key, n.Value} {
				if name, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
					do(name)
				}
			}
		}
		return true
	})
}

// checkBuiltins finds what is called as something that Go declares itself, such as any, close, len or max.
func checkBuiltins(tree fs.FS) ([]string, error) {
	return inEach(tree, suffix(".go"), func(name string, source []byte) (problems []string, err error) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		declared(file, func(name *ast.Ident) {
			if types.Universe.Lookup(name.Name) != nil {
				problems = append(problems, fmt.Sprintf("%v: %s hides what Go calls so: give it another name",
					set.Position(name.Pos()), name.Name))
			}
		})
		return problems, nil
	})
}

func TestBuiltins(t *testing.T) {
	problems, err := checkBuiltins(tree(t))
	report(t, problems, err)
}

func TestBuiltinsCheckerFails(t *testing.T) {
	problems, err := checkBuiltins(mapFS("a.txt", "close := 1", "a.go", `package a
import len "fmt"
const true = 1
var x, min int
type any[string error] struct{ close int }
func (new x) close() {}
func max(cap int) (copy int) {
	make := 1
	for _, clear := range x { _ = func(print int) { panic := 1 } }
	switch error := x.(type) {}
	append = 2
	return a.real
}
`))
	wantProblems(t, problems, err, "a.go:2:8: len hides", "a.go:3:7: true", "a.go:4:8: min", "a.go:5:6: any",
		"a.go:5:10: string", "a.go:6:7: new",
		"a.go:7:6: max", "a.go:7:10: cap", "a.go:7:20: copy", "a.go:8:2: make", "a.go:9:9: clear", "a.go:9:37: print",
		"a.go:9:50: panic", "a.go:10:9: error")
}
