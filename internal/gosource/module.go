package gosource

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/siegebook/siegebook/internal/limitedread"
)

// Module is a Go module as it was on disk when it was opened.
type Module struct {
	Root, Path string
	Packages   map[string]*ModulePackage // the packages by import path

	requirements []byte // the requirements on other modules
}

// ModulePackage is a package of a module. Err is the reason why the package could not be read, if any.
type ModulePackage struct {
	Package
	Err error
}

// ErrModule explains how to fix a go.mod that names no module.
var ErrModule = errors.New(`begin the file with a line such as "module example.org/class"`)

// OpenModule reads the go.mod in the folder root and the packages below it.
func OpenModule(root string) (*Module, error) {
	data, err := limitedread.ReadFile(filepath.Join(root, "go.mod"), limitedread.MiB)
	if err != nil {
		return nil, err
	}
	name := modfile.ModulePath(data)
	if name == "" {
		return nil, fmt.Errorf("%s: the file names no module: %w", filepath.Join(root, "go.mod"), ErrModule)
	}
	m := &Module{Root: root, Path: name, requirements: data, Packages: map[string]*ModulePackage{}}
	return m, m.scan()
}

// scan reads all packages of the module.
func (m *Module) scan() error {
	return filepath.WalkDir(m.Root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if dir != m.Root && foreignFolder(dir, entry.Name()) {
			return fs.SkipDir
		}
		relative, err := filepath.Rel(m.Root, dir)
		if err != nil {
			return err
		}
		p, err := Read(build.Default, m.Path, dir)
		if none := (*build.NoGoError)(nil); !errors.As(err, &none) {
			m.Packages[path.Join(m.Path, filepath.ToSlash(relative))] = &ModulePackage{p, err}
		}
		return nil
	})
}

// foreignFolder reports whether a folder contains no packages of the module.
func foreignFolder(dir, name string) bool {
	if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// Sum returns a hash of the packages with the given paths, of the packages of the module that they import directly or
// indirectly, and of the versions of all other modules. It ignores paths outside the module. It returns an error if it
// cannot read a package.
func (m *Module) Sum(paths []string) ([]byte, error) {
	closure := m.Closure(paths)
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\n%s", len(m.requirements), m.requirements)
	for _, name := range slices.Sorted(maps.Keys(closure)) {
		if err := m.Packages[name].Err; err != nil {
			return nil, err
		}
		fmt.Fprintf(sum, "%q %x\n", name, m.Packages[name].Sum)
	}
	return sum.Sum(nil), nil
}

// Closure returns the given packages that belong to the module, and the packages of the module that they import
// directly or indirectly.
func (m *Module) Closure(paths []string) map[string]bool {
	closure := map[string]bool{}
	for _, name := range paths {
		m.reach(name, closure)
	}
	return closure
}

// Others returns the sorted imports from outside the module of all packages in the closure of paths.
func (m *Module) Others(paths []string) []string {
	var others []string
	for name := range m.Closure(paths) {
		others = append(others, m.Packages[name].Others...)
	}
	return slices.Compact(slices.Sorted(slices.Values(others)))
}

func (m *Module) reach(imported string, closure map[string]bool) {
	p, ok := m.Packages[imported]
	if !ok || closure[imported] {
		return
	}
	closure[imported] = true
	for _, next := range p.Imports {
		m.reach(next, closure)
	}
}
