package program

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/gosource"
)

// The cache stores the results of a page if they depend only on what the page's key covers. A page that uses the
// network, other programs, the environment, the clock or random numbers runs again in each build.

// repeatable reports whether the Go file of a page gives the same results each time, judging by its source and the
// packages that it imports.
func (b *builder) repeatable(ctx context.Context, text string) (bool, error) {
	if gosource.Varies(text) {
		return false, nil
	}
	var foreign []string
	paths := importsOf(text)
	for _, module := range b.modules {
		if module.Path == library {
			continue
		}
		for path := range module.Closure(paths) {
			dir := filepath.Join(module.Root, filepath.FromSlash(strings.TrimPrefix(path, module.Path)))
			for _, name := range module.Packages[path].Files {
				text, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					return false, err
				}
				if gosource.Varies(string(text)) {
					return false, nil
				}
				paths = append(paths, importsOf(string(text))...)
			}
		}
	}
	for _, path := range paths {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && !b.own(path) {
			foreign = append(foreign, path)
		}
	}
	if len(foreign) == 0 {
		return true, nil
	}
	return b.foreignRepeatable(ctx, foreign)
}

// own reports whether a package belongs to gonb, to the library, or to the book's own module.
func (b *builder) own(path string) bool {
	if strings.HasPrefix(path, "github.com/janpfeifer/gonb") {
		return true
	}
	for _, module := range b.modules {
		if path == module.Path || strings.HasPrefix(path, module.Path+"/") {
			return true
		}
	}
	return false
}

// foreignRepeatable reports whether packages of other modules use neither the network nor other programs. The cache
// stores the answer for the current versions of the modules.
func (b *builder) foreignRepeatable(ctx context.Context, paths []string) (bool, error) {
	slices.Sort(paths)
	inputs := [][]byte{[]byte(strings.Join(slices.Compact(paths), "\n"))}
	for _, module := range b.modules {
		sum, err := module.Sum(nil)
		if err != nil {
			return false, err
		}
		inputs = append(inputs, sum)
	}
	said, err := b.Cache.Do(cache.NewKey("page-reach-1", inputs...), func() ([]byte, error) {
		said, err := b.goCommand(ctx, b.Module, append([]string{"list", "-deps", "-f", "{{.ImportPath}}"}, paths...)...)
		return []byte(said), err
	})
	if ctx.Err() != nil {
		return false, err
	}
	return err == nil && !slices.ContainsFunc(strings.Fields(string(said)), gosource.Outside), nil
}
