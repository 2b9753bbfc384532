package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/report/explore"
)

// Standard lists the packages of Go's standard library that the cells of a live page may import.
var Standard = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context", "crypto/md5",
	"crypto/sha1", "crypto/sha256", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex",
	"encoding/json", "errors", "fmt", "hash/crc32", "hash/fnv", "html", "image", "image/color", "image/draw",
	"image/png", "io", "iter", "log", "maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand",
	"math/rand/v2", "os", "path", "path/filepath",
	"reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "sync", "sync/atomic",
	"text/tabwriter", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// These are the names of the files that a page loads. web/live/worker.js uses the same names.
const (
	compileName, linkName, generateName = "compile", "link", "generate"
	packagesName                        = "packages"
)

// Kit makes the files that readers need to run the cells of pages. The cache stores the compiled tools and packages, so
// Kit compiles each version once. left maps the name of each page that cannot run in a browser to the reason.
func Kit(ctx context.Context, g program.Program, pages []program.Page) (
	l *explore.Live, left map[string]program.Fault, err error,
) {
	packages, err := g.LivePackages(ctx, pages, Standard)
	if err != nil {
		return nil, nil, err
	}
	l = &explore.Live{}
	add := func(name string, make func() ([]byte, error), inputs ...[]byte) error {
		inputs = append(inputs, []byte(name), []byte(packages.Tools))
		packed, err := g.Cache.Do(cache.NewKey("live-4", inputs...), func() ([]byte, error) {
			data, err := make()
			if err != nil {
				return nil, err
			}
			return compile.Compress(data), nil
		})
		if err == nil {
			l.Pieces = append(l.Pieces, explore.Piece{Name: name, Size: len(packed)})
			l.Bytes = append(l.Bytes, packed...)
		}
		return err
	}
	err = add(generateName, func() ([]byte, error) { return generator(ctx, g.Library) }, packages.Sources)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range []string{compileName, linkName} {
		if err := add(name, func() ([]byte, error) { return tool(ctx, packages.Root, name) }); err != nil {
			return nil, nil, err
		}
	}
	files := ""
	for _, path := range slices.Sorted(maps.Keys(packages.Files)) { // the names of the files depend on their contents
		files += fmt.Sprintf("%q %q\n", path, filepath.Base(packages.Files[path]))
	}
	names, err := json.Marshal(packages.Packages)
	if err != nil {
		return nil, nil, err
	}
	err = add(packagesName, func() ([]byte, error) { return joined(packages) }, []byte(files), names)
	return l, packages.Left, err
}

// joined returns compiled packages as one file. The first line is JSON with the names of the packages and the path and
// size of each file. The contents of the files follow.
func joined(p program.LivePackages) ([]byte, error) {
	type file struct {
		Path string
		Size int
	}
	var head struct {
		Packages program.Packages
		Files    []file
	}
	head.Packages = p.Packages
	var all bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(p.Files)) {
		data, err := os.ReadFile(p.Files[path])
		if err != nil {
			return nil, err
		}
		head.Files = append(head.Files, file{path, len(data)})
		all.Write(data)
	}
	line, err := json.Marshal(head)
	return slices.Concat(line, []byte("\n"), all.Bytes()), err
}

// generator compiles the command generate to WebAssembly, in the folder of this module.
func generator(ctx context.Context, library string) ([]byte, error) {
	temp, err := atomicfile.NewFolder("", "siegebook-live")
	if err != nil {
		return nil, err
	}
	defer func() { _ = temp.Remove() }()
	file := filepath.Join(temp.Path, path.Base(program.LiveGenerator))
	if _, err := compile.Go(ctx, library, settings, append(building(file), program.LiveGenerator)...); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}
