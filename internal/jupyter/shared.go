package jupyter

import (
	"bytes"
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/mod/modfile"

	"github.com/siegebook/siegebook/internal/gosource"
)

// shareAll changes a program that calls show.Shared, so that the program passes to package show what the values of
// functions depend on. Line numbers stay the same. If it is unknown what a value depends on, each cell computes the
// value again.
func shareAll(source []byte) []byte {
	const name = "siegebookShared"
	called := gosource.Shared(string(source))
	if len(called) == 0 || bytes.Contains(source, []byte(name)) {
		return source
	}
	modules, err := cellModules()
	if err != nil {
		return source
	}
	depends := digest(goVersion(), required())
	var told []byte
	for i, f := range called {
		sum, reads, full := "", false, f.Package+"."+f.Name
		if f.Package == "" {
			full = "main." + f.Name
		}
		if len(f.Variables) > 0 {
			sum = f.NotKept()
		} else if f.Package != "" || !gosource.Varies(f.Code) {
			if sum, reads, err = f.SumOf(modules); err != nil {
				continue
			}
			sum = digest(sum, depends)
		}
		// Inside a function, the sum is a constant that can be lifted, so a changed number requires no compiler run
		// here, either.
		told = fmt.Appendf(told, "\nvar %sOf%d = func() bool { return %[1]s.Function(%[3]q, %q, %v) }()", name, i, full,
			sum, reads)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.PackageClauseOnly)
	if err != nil {
		return source
	}
	head := "; import " + name + " " + strconv.Quote(valuesPath)
	made := append(bytes.Clone(source[:file.Name.End()-1]), head...)
	made = append(made, source[file.Name.End()-1:]...)
	return append(append(made, told...), '\n')
}

// goVersion returns the version of the real go.
func goVersion() string {
	program, err := filepath.EvalSymlinks(os.Getenv(realGoVariable))
	if err != nil {
		return ""
	}
	root := cmp.Or(os.Getenv("GOROOT"), filepath.Dir(filepath.Dir(program)))
	text, _ := os.ReadFile(filepath.Join(root, "VERSION"))
	return string(text)
}

// required returns the versions of modules in the go.mod of the cells. It leaves out the name of the cells' module,
// because it differs from kernel to kernel.
func required() (versions []string) {
	data, err := os.ReadFile("go.mod")
	if err != nil {
		return nil
	}
	mod, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil {
		return nil
	}
	for _, r := range mod.Require {
		versions = append(versions, r.Mod.String())
	}
	slices.Sort(versions)
	return versions
}

// cellModules returns the modules on disk whose packages a cell can import, in addition to the modules in Go's module
// cache.
func cellModules() (modules []*gosource.Module, err error) {
	dirs, err := moduleFolders()
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		m, err := gosource.OpenModule(dir)
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}
