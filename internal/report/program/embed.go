package program

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// embedLine matches a directive that embeds files in a page's program. Embedded files are also available in a browser.
var embedLine = regexp.MustCompile(`(?m)^[ \t]*//go:embed[ \t]+(.*)$`)

// embeddedFiles returns the files in a page's folder that the page's directives may match, as paths with slashes. The
// Go compiler decides which of the files to embed. Go files are left out, because they would become part of the page's
// package.
func (p Page) embeddedFiles() (names []string, err error) {
	var patterns []string
	for _, c := range p.Cells {
		for _, m := range embedLine.FindAllStringSubmatch(c.Code, -1) {
			patterns = append(patterns, strings.Fields(m[1])...)
		}
	}
	if len(patterns) == 0 {
		return nil, nil
	}
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	add := func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && filepath.Ext(name) != ".go" {
			names = append(names, name)
		}
		return err
	}
	for _, pattern := range patterns {
		pattern = strings.TrimPrefix(strings.Trim(pattern, "\"`"), "all:")
		matches, err := fs.Glob(root.FS(), pattern)
		if err != nil {
			continue // Go reports the fault
		}
		for _, match := range matches {
			if err := fs.WalkDir(root.FS(), match, add); err != nil {
				return nil, fmt.Errorf("embed %s: %w", pattern, err)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names))), nil
}

// sumEmbedded returns a hash of the files that a page embeds, or nil if there are none.
func (p Page) sumEmbedded() ([]byte, error) {
	names, err := p.embeddedFiles()
	if err != nil || len(names) == 0 {
		return nil, err
	}
	sum := sha256.New()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(sum, "%q %x\n", name, sha256.Sum256(data))
	}
	return sum.Sum(nil), nil
}

// copyEmbedded copies the files that a page embeds into the folder of its package. It removes all other files there,
// except the page's own files.
func (p Page) copyEmbedded(dir string, own ...string) error {
	names, err := p.embeddedFiles()
	if err != nil {
		return err
	}
	if err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if rel = filepath.ToSlash(rel); err != nil || slices.Contains(own, rel) || slices.Contains(names, rel) {
			return err
		}
		return os.Remove(name)
	}); err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		if err := writeIfNew(filepath.Join(dir, name), string(data)); err != nil {
			return err
		}
	}
	return nil
}
