package lesson

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/build"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/limitedread"
	"golang.org/x/mod/modfile"
)

// module is the Go module whose packages cells import, as it is when it is opened.
type module struct {
	root, path string
	goMod      []byte
	packages   map[string]*pkg // by import path
}

// pkg is one package of the module.
type pkg struct {
	name    string
	sum     [sha256.Size]byte // of its files
	imports []string          // within the module
	err     error             // why it cannot be read
}

// openModule reads the go.mod in the folder root.
func openModule(root string) (*module, error) {
	data, err := limitedread.ReadFile(filepath.Join(root, "go.mod"), limitedread.MiB)
	if err != nil {
		return nil, err
	}
	name := modfile.ModulePath(data)
	if name == "" {
		return nil, fmt.Errorf("%s: it names no module", filepath.Join(root, "go.mod"))
	}
	m := &module{root: root, path: name, goMod: data, packages: map[string]*pkg{}}
	return m, m.scan()
}

// scan reads all packages of the module.
func (m *module) scan() error {
	return filepath.WalkDir(m.root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if dir != m.root && foreignFolder(dir, entry.Name()) {
			return fs.SkipDir
		}
		relative, err := filepath.Rel(m.root, dir)
		if err != nil {
			return err
		}
		if p := readPackage(m.path, dir); p != nil {
			m.packages[path.Join(m.path, filepath.ToSlash(relative))] = p
		}
		return nil
	})
}

// foreignFolder says whether a folder holds no packages of the module.
func foreignFolder(dir, name string) bool {
	if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// readPackage reads the package in a folder of a module, nil if there is none.
func readPackage(module, dir string) *pkg {
	reading := build.Default
	reading.OpenFile = func(name string) (io.ReadCloser, error) { return atomicfile.OpenNamed(name) }
	b, err := reading.ImportDir(dir, 0)
	var none *build.NoGoError
	if errors.As(err, &none) {
		return nil
	}
	p := &pkg{name: b.Name}
	if err != nil {
		p.err = fmt.Errorf("reading the package in %s: %w", dir, err)
		return p
	}
	for _, imported := range b.Imports {
		if imported == module || strings.HasPrefix(imported, module+"/") {
			p.imports = append(p.imports, imported)
		}
	}
	files := slices.Concat(b.GoFiles, b.CgoFiles, b.SFiles, b.HFiles, b.CFiles)
	embedded, err := embeddedFiles(dir, b.EmbedPatterns)
	if err != nil {
		p.err = err
		return p
	}
	sum := sha256.New()
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(files, embedded...)))) {
		if err := hashFile(sum, dir, name); err != nil {
			p.err = err
			return p
		}
	}
	sum.Sum(p.sum[:0])
	return p
}

// embeddedFiles returns the files that a package embeds, and perhaps some more: a folder stands for all that is in it.
func embeddedFiles(dir string, patterns []string) ([]string, error) {
	var files []string
	for _, pattern := range patterns {
		matches, err := fs.Glob(os.DirFS(dir), strings.TrimPrefix(pattern, "all:"))
		if err != nil {
			return nil, fmt.Errorf("%s: embedding %q: %w", dir, pattern, err)
		}
		for _, match := range matches {
			err := fs.WalkDir(os.DirFS(dir), match, func(name string, entry fs.DirEntry, err error) error {
				if err == nil && entry.Type().IsRegular() {
					files = append(files, name)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

func hashFile(sum hash.Hash, dir, name string) error {
	file, err := atomicfile.OpenNamed(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer file.Close()
	content := sha256.New()
	if _, err := io.Copy(content, file); err != nil {
		return err
	}
	fmt.Fprintf(sum, "%q %x\n", name, content.Sum(nil))
	return nil
}

// used returns a hash of the packages of the module that the cells of a notebook use, with those that they use in turn,
// and of the versions of all other modules.
//
// A cell need not be a whole Go file, and the kernel adds imports that it lacks. So a package counts as used if its
// path stands in the code, or its name before a dot where no package of that name is imported yet. That is sometimes
// too much, which costs a run, and never too little.
//
// The error is that of a package that is used and cannot be read.
func (m *module) used(n *jupyter.Notebook) ([]byte, error) {
	var code strings.Builder
	guessed, imported := map[string]bool{}, map[string]bool{} // names of packages
	for _, c := range n.Cells() {
		if c.Kind != jupyter.Code {
			continue
		}
		code.WriteString(c.Source + "\n")
		for _, match := range importLine.FindAllStringSubmatch(c.Source, -1) {
			if p := m.packages[match[1]]; p != nil {
				imported[p.name] = true
			}
		}
		for _, match := range beforeDot.FindAllStringSubmatch(c.Source, -1) {
			guessed[match[1]] = guessed[match[1]] || !imported[match[1]]
		}
		if forgets.MatchString(c.Source) {
			clear(imported)
		}
	}
	closure := map[string]bool{}
	for name, p := range m.packages {
		if guessed[p.name] || strings.Contains(code.String(), `"`+name+`"`) ||
			strings.Contains(code.String(), "`"+name+"`") {
			m.reach(name, closure)
		}
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\n%s", len(m.goMod), m.goMod)
	for _, name := range slices.Sorted(maps.Keys(closure)) {
		if err := m.packages[name].err; err != nil {
			return nil, err
		}
		fmt.Fprintf(sum, "%q %x\n", name, m.packages[name].sum)
	}
	return sum.Sum(nil), nil
}

var (
	beforeDot = regexp.MustCompile(`\b([A-Za-z_][A-Za-z0-9_]*)\s*\.`)
	// importLine is an import under the package's own name, alone on its line.
	importLine = regexp.MustCompile(
		"(?m)^[ \t]*(?:import[ \t]*\\(?[ \t]*)?[\"`]([^\"`\n]+)[\"`][ \t]*\\)?[ \t]*(?://.*)?$",
	)
	// forgets are the kernel's commands after which imports may be gone.
	forgets = regexp.MustCompile(`(?m)^\s*%(?:reset|rm|remove)\b`)
)

func (m *module) reach(imported string, closure map[string]bool) {
	p, ok := m.packages[imported]
	if !ok || closure[imported] {
		return
	}
	closure[imported] = true
	for _, next := range p.imports {
		m.reach(next, closure)
	}
}
