package program

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/jupyter"
)

// The results of a page are kept if they depend only on what the key of the page names. A page that uses the network,
// other programs, the environment, the clock or chance runs again in each build.

// outside matches packages that use the network or other programs.
var outside = regexp.MustCompile(`^(net|net/.*|os/exec|os/user|plugin|syscall|crypto/rand)$`)

// varying are the functions of other packages whose results vary.
var varying = map[string]*regexp.Regexp{
	"os":           regexp.MustCompile(`^(Getenv|LookupEnv|Environ|ExpandEnv|Hostname|Getpid|StartProcess|Stdin)$`),
	"time":         regexp.MustCompile(`^(Now|Since|Until|Tick|NewTicker)$`),
	"math/rand":    regexp.MustCompile(`^[A-Z]\w*$`),
	"math/rand/v2": regexp.MustCompile(`^[A-Z]\w*$`),
}

// seeded matches the names in a package of random numbers that are for generators with a seed.
var seeded = regexp.MustCompile(`^(New\w*|Rand|Source\w*|Zipf|PCG|ChaCha8)$`)

// repeatable reports whether the Go file of a page gives the same results each time, as far as its source and the
// packages of the book's own module show.
func (b *builder) repeatable(ctx context.Context, text string) (bool, error) {
	if varies(text) {
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
				if varies(string(text)) {
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

// foreignRepeatable reports whether none of some packages of other modules uses the network or other programs. The
// answer is kept by the versions of the modules.
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
	return err == nil && !slices.ContainsFunc(strings.Fields(string(said)), outside.MatchString), nil
}

// varies reports whether a Go file uses something whose results vary.
func varies(text string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		return true
	}
	names := map[string]string{} // the paths of imports
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := jupyter.PackageName(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if outside.MatchString(path) || name == "." && varying[path] != nil {
			return true
		}
		names[name] = path
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, is := n.(*ast.SelectorExpr); is {
			if name, is := selector.X.(*ast.Ident); is && name.Obj == nil {
				path, what := names[name.Name], selector.Sel.Name
				uses := varying[path] != nil && varying[path].MatchString(what)
				found = found || uses && !(strings.HasPrefix(path, "math/rand") && seeded.MatchString(what))
			}
		}
		return true
	})
	return found
}
