package program

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/gosource"
)

// sharing prepares a run of pages that share values by calling show.Shared. It returns an environment setting with the
// location of the values, or nil if no page shares values. Values are stored in the cache, or in the folder of the run.
// A value depends on the packages that its function uses, on Go, and on the files of the book if these packages may
// read files.
func (b *builder) sharing(ctx context.Context, folder string, pages ...*made) ([]string, error) {
	var paths []string
	uses := false
	for _, m := range pages {
		paths = append(paths, importsOf(m.text)...)
		uses = uses || strings.Contains(m.text, ".Shared")
	}
	for _, m := range b.modules {
		uses = uses || m.Path != library && slices.Contains(m.Others(paths), library+"/notebooks/show")
	}
	if !uses {
		return nil, nil
	}
	all := map[string]string{}
	for _, m := range b.modules {
		for path := range m.Closure(b.reached(paths)) {
			sum, err := b.sharedSum(ctx, path)
			if err != nil {
				return nil, err
			}
			all[path] = sum
		}
	}
	for _, m := range pages {
		for _, f := range gosource.Shared(m.text) {
			if f.Package == "" {
				name, sum, err := b.cellSum(ctx, m, f)
				if err != nil {
					return nil, err
				}
				all[name] = sum
			}
		}
	}
	store := b.Cache.Folder()
	if store != "" { // make the path absolute, because pages run in their own folders
		var err error
		if store, err = filepath.Abs(store); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Run": folder, "Cache": store, "Module": b.Module, "Sums": all})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(folder, "shared.json")
	return []string{"SIEGEBOOK_SHARED=" + name}, os.WriteFile(name, data, 0o600)
}

// sharedSum returns a hash of everything that the values of a package's functions depend on. It returns "" if the
// values may differ next time.
func (b *builder) sharedSum(ctx context.Context, path string) (string, error) {
	take, err := b.repeatable(ctx, fmt.Sprintf("package p\nimport _ %q\n", path))
	if err != nil || !take && !b.Keep {
		return "", err
	}
	reads := slices.ContainsFunc(b.reached([]string{path}), func(path string) bool {
		return gosource.MayRead(path) && !b.own(path)
	})
	if reads && b.files == nil {
		return "", nil
	}
	inputs := [][]byte{[]byte(b.tools)}
	if reads {
		inputs = append(inputs, b.files)
	}
	sums, err := b.sums([]string{path})
	key := cache.NewKey("shared", append(inputs, sums)...)
	return key.String(), err
}

// cellSum returns the full name of a function that cells of a page declare, and a hash like the one that sharedSum
// returns. If the hash begins with "!", it is the reason why the values of the function cannot be stored.
func (b *builder) cellSum(ctx context.Context, m *made, f gosource.Called) (name, sum string, err error) {
	name = b.modulePath + "/" + m.name() + "." + f.Name
	if strings.HasPrefix(m.text, "package main\n") { // this is the program of all cells of a notebook
		name = "main." + f.Name
	}
	if len(f.Variables) > 0 {
		return name, f.NotKept(), nil
	}
	if take, err := b.repeatable(ctx, f.Code); err != nil || !take && !b.Keep {
		return name, "", err
	}
	sum, reads, err := f.SumOf(b.modules)
	if err != nil || reads && b.files == nil {
		return name, "", err
	}
	inputs := [][]byte{[]byte(b.tools), []byte(sum)}
	if reads {
		inputs = append(inputs, b.files)
	}
	return name, cache.NewKey("shared-cell", inputs...).String(), nil
}

// dropShared removes the shared values of a page without controls, because only controls need them.
func (m *made) dropShared() {
	if len(m.controls()) == 0 {
		for i := range m.result.Cells {
			m.result.Cells[i].Shared = nil
		}
	}
}

// sharedValues returns the code of the second argument of page.Main: the values that pages share.
func sharedValues(pages []*made) string {
	all := map[string][]byte{}
	for _, m := range pages {
		for _, r := range m.result.Cells {
			maps.Copy(all, r.Shared)
		}
	}
	var text strings.Builder
	for _, call := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&text, "\t\t%q: %q,\n", call, all[call])
	}
	return ", map[string]string{\n" + text.String() + "\t}"
}
