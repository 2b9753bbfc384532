package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/compile"
)

// delay moves the initialization of package-level variables to the beginning of their page's function, so that no page
// computes the variables of another page or fails because of them.
func (b *builder) delay(ctx context.Context, work string, pages []*made) error {
	var needs []*made
	paths := map[string]bool{}
	for _, m := range pages {
		if m.computesEarly() {
			needs = append(needs, m)
			for _, path := range importsOf(m.text) {
				paths[path] = true
			}
		}
	}
	if len(needs) == 0 {
		return nil
	}
	compiled, err := b.compiled(ctx, work, slices.Sorted(maps.Keys(paths)))
	if err != nil {
		return err
	}
	for _, m := range needs {
		if text, err := delayed(m.text, compiled); err == nil {
			m.text = text
		} // the compiler reports the faults of pages that cannot be delayed
	}
	return nil
}

// computesEarly reports whether Go may compute the value of a package-level variable before main runs.
func (m *made) computesEarly() bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", m.text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	early := false
	for _, decl := range file.Decls {
		if d, is := decl.(*ast.GenDecl); is && d.Tok == token.VAR {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
					early = true
				case *ast.UnaryExpr:
					early = early || n.Op == token.ARROW
				case *ast.BinaryExpr:
					early = early || n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL
				}
				return true
			})
		}
	}
	return early
}

// compiled returns the files with the types of packages, and of all packages that they import, by import path.
func (b *builder) compiled(ctx context.Context, work string, paths []string) (map[string]string, error) {
	files, _, err := b.compiledWith(ctx, work, nil, paths)
	return files, err
}

// compiledWith compiles packages, and all packages that they import, with the given settings and flags of the go
// command. It returns the file of each package, and its direct and indirect imports. A package that does not compile
// has no file.
func (b *builder) compiledWith(ctx context.Context, work string, settings, paths []string, flags ...string) (
	files map[string]string, imports map[string][]string, err error,
) {
	args := append([]string{"list", "-export", "-deps", "-e", "-json=ImportPath,Export,Deps"}, flags...)
	said, err := b.goCommandWith(ctx, work, settings, append(args, paths...)...)
	if failed := (*compile.GoError)(nil); err != nil && !errors.As(err, &failed) {
		return nil, nil, err
	}
	files, imports = map[string]string{}, map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(said)); ; {
		var p struct {
			ImportPath, Export string
			Deps               []string
		}
		switch err := d.Decode(&p); {
		case err == io.EOF:
			return files, imports, nil
		case err != nil:
			return nil, nil, err
		}
		files[p.ImportPath], imports[p.ImportPath] = p.Export, p.Deps
	}
}

// typeName is the prefix of the names under which delayed imports the packages of types.
const typeName = "siegebook_type"

// edit is the replacement of a part of a text.
type edit struct {
	from, to int
	text     string
}

// delayed returns the file of a page, changed so that the package-level variables get their values at the beginning of
// the page's function, in Go's order of initialization.
func delayed(text string, compiled map[string]string) (string, error) {
	c := check(text, compiled)
	if len(c.errors) > 0 {
		return "", c.errors[0]
	}
	set, file, page, info := c.set, c.file, c.own, &c.info
	offset := func(p token.Pos) int { return set.PositionFor(p, false).Offset }
	packages := map[string]string{}
	name := func(p *types.Package) string {
		if p == page {
			return ""
		}
		if packages[p.Path()] == "" {
			packages[p.Path()] = fmt.Sprintf("%s%d", typeName, len(packages)+1)
		}
		return packages[p.Path()]
	}
	var edits []edit
	for _, decl := range file.Decls {
		d, is := decl.(*ast.GenDecl)
		if !is || d.Tok != token.VAR {
			continue
		}
		var declared strings.Builder
		for _, spec := range d.Specs {
			for _, v := range spec.(*ast.ValueSpec).Names {
				if object := info.Defs[v]; object != nil && v.Name != "_" {
					fmt.Fprintf(&declared, "var %s %s; ", v.Name, types.TypeString(object.Type(), name))
				}
			}
		}
		edits = append(edits, edit{offset(d.Pos()), offset(d.End()), declared.String()})
	}
	var start strings.Builder
	for _, initial := range info.InitOrder {
		var left []string
		for _, v := range initial.Lhs {
			left = append(left, v.Name())
		}
		at := set.Position(initial.Rhs.Pos())
		fmt.Fprintf(&start, "%s = /*line %s:%d:%d*/%s\n", strings.Join(left, ", "), at.Filename, at.Line, at.Column,
			text[offset(initial.Rhs.Pos()):offset(initial.Rhs.End())])
	}
	const head = "func Page(" + sessionName + " *" + packageName + ".Session) {\n"
	at := strings.LastIndex(text, head) + len(head)
	edits = append(edits, edit{at, at, start.String() + ownLine})
	for _, e := range slices.Backward(edits) {
		text = text[:e.from] + e.text + text[e.to:]
	}
	var imports strings.Builder
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		fmt.Fprintf(&imports, "import %s %q; ", packages[path], path)
	}
	first, rest, _ := strings.Cut(text, "\n\n")
	return first + "\n\n" + imports.String() + rest, nil
}
