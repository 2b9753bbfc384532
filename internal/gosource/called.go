package gosource

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Called is a function that a Go file passes to show.Shared.
type Called struct {
	// Package is the path of the function's package, or "" if the file declares the function.
	Package, Name string
	// Code is a Go file that contains the function and everything in the original file that the function may use,
	// except for the variables of the package. It is "" if the function belongs to another package.
	Code string
	// Imports lists the paths of the packages that the code uses, or the path of the function's package.
	Imports []string
	// Variables lists the variables of the package that the function may use.
	Variables []string
}

// Shared returns the functions that a Go file passes to show.Shared, sorted by name.
func Shared(source string) (all []Called) {
	const call = "." + sharing + "("
	if !strings.Contains(source, call) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return nil // the compiler will report the error
	}
	ast.Inspect(file, func(n ast.Node) bool {
		c, is := n.(*ast.CallExpr)
		if !is || len(c.Args) == 0 {
			return true
		}
		if of, is := c.Fun.(*ast.SelectorExpr); !is || of.Sel.Name != sharing {
			return true
		}
		switch f := c.Args[0].(type) {
		case *ast.Ident:
			if d, is := declaration(file, f.Name).(*ast.FuncDecl); is {
				all = append(all, declared(source, file, d))
			}
		case *ast.SelectorExpr:
			if of, is := f.X.(*ast.Ident); is && of.Obj == nil {
				for _, spec := range file.Imports {
					path, _ := strconv.Unquote(spec.Path.Value)
					if ImportName(spec) == of.Name {
						all = append(all, Called{Package: path, Name: f.Sel.Name, Imports: []string{path}})
					}
				}
			}
		}
		return true
	})
	name := func(c Called) string { return c.Package + "." + c.Name }
	slices.SortFunc(all, func(a, b Called) int { return strings.Compare(name(a), name(b)) })
	return slices.CompactFunc(all, func(a, b Called) bool { return name(a) == name(b) })
}

// declaration returns the syntax node that declares a package-level name, or nil if there is none.
func declaration(file *ast.File, name string) any {
	if o := file.Scope.Lookup(name); o != nil {
		return o.Decl
	}
	return nil
}

// declared returns a function in a file, together with everything that the function may use.
func declared(source string, file *ast.File, function *ast.FuncDecl) Called {
	c := Called{Name: function.Name.Name}
	reached := Reached(file, []ast.Node{function}, func(s ast.Spec) bool { return false })
	variables, used := map[string]bool{}, map[string]bool{}
	var code strings.Builder
	for _, decl := range file.Decls {
		if d, is := decl.(*ast.GenDecl); is && (d.Tok == token.VAR || d.Tok == token.IMPORT) ||
			!slices.ContainsFunc(Declared(decl), func(name string) bool { return reached[name] }) {
			continue
		}
		fmt.Fprintln(&code, source[decl.Pos()-1:decl.End()-1])
		ast.Inspect(decl, func(n ast.Node) bool {
			switch name, is := n.(*ast.Ident); {
			case !is:
			case name.Obj == nil: // the name of a package, a field or a method, or a predeclared name
				used[name.Name] = true
			case name.Obj == file.Scope.Lookup(name.Name) && name.Obj.Kind == ast.Var:
				variables[name.Name] = true
			}
			return true
		})
	}
	c.Variables = slices.Sorted(maps.Keys(variables))
	var imports []string
	for _, spec := range file.Imports {
		if name := ImportName(spec); used[name] || name == "." || name == "_" {
			path, _ := strconv.Unquote(spec.Path.Value)
			c.Imports, imports = append(c.Imports, path), append(imports, "import "+name+" "+spec.Path.Value+"\n")
		}
	}
	slices.Sort(imports)
	c.Code = "package p\n" + strings.Join(imports, "") + code.String()
	return c
}

// NotKept returns "!" followed by the reason why the values of a function that uses package-level variables cannot be
// stored.
func (c Called) NotKept() string {
	return fmt.Sprintf("!%s uses the variable %s: pass it as an argument", c.Name, strings.Join(c.Variables, ", "))
}

// SumOf returns a hash of everything in the function's source and in the modules on which the function's values depend,
// and whether the function may read files. The values of a function that uses package-level variables also depend on
// other things.
func (c Called) SumOf(modules []*Module) (sum string, reads bool, err error) {
	paths := slices.Clone(c.Imports)
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q\n", c.Package, c.Name, c.Code)
	for _, m := range modules {
		part, err := m.Sum(paths)
		if err != nil {
			return "", false, err
		}
		fmt.Fprintf(hash, "%x\n", part)
		paths = append(paths, m.Others(paths)...)
	}
	reads = slices.ContainsFunc(paths, func(path string) bool {
		return MayRead(path) && !slices.ContainsFunc(modules, func(m *Module) bool { return m.Packages[path] != nil })
	})
	return fmt.Sprintf("%x", hash.Sum(nil)), reads, nil
}

// MayRead reports whether a package outside the book's modules may read files.
func MayRead(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return path == "os" || path == "io/ioutil" || path == "syscall" || strings.Contains(first, ".")
}
