// Package gosource hashes the sources of Go packages, so that programs notice changes, and splits the Go code of
// notebook cells into declarations and statements.
package gosource

import (
	"crypto/sha256"
	"fmt"
	"go/build"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// Package is a package of a module.
type Package struct {
	Name    string
	Files   []string          // Go files, without tests
	Imports []string          // imports from the module itself
	Others  []string          // other imports
	Sum     [sha256.Size]byte // a hash of its files, without tests, and of the files that they embed
}

// Read reads the package in a folder for a build context. The error wraps a *build.NoGoError if the folder has no
// package.
func Read(in build.Context, module, dir string) (Package, error) {
	in.OpenFile = func(name string) (io.ReadCloser, error) { return atomicfile.OpenNamed(name) }
	b, err := in.ImportDir(dir, 0)
	p := Package{Name: b.Name}
	if err != nil {
		return p, fmt.Errorf("reading the package in %s: %w", dir, err)
	}
	for _, imported := range b.Imports {
		if imported == module || strings.HasPrefix(imported, module+"/") {
			p.Imports = append(p.Imports, imported)
		} else {
			p.Others = append(p.Others, imported)
		}
	}
	p.Files = b.GoFiles
	files, err := embeddedFiles(dir, b.EmbedPatterns)
	if err != nil {
		return p, err
	}
	files = slices.Concat(b.GoFiles, b.CgoFiles, b.SFiles, b.HFiles, b.CFiles, files)
	sum := sha256.New()
	for _, name := range slices.Compact(slices.Sorted(slices.Values(files))) {
		if err := hashFile(sum, dir, name); err != nil {
			return p, err
		}
	}
	sum.Sum(p.Sum[:0])
	return p, nil
}

// embeddedFiles returns the files that a package embeds, and possibly more: for a folder, it returns all files in it.
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
