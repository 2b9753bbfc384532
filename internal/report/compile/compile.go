// Package compile compiles the WebAssembly modules of a book from Go, and caches them.
package compile

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/singleflight"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/report/explore"
)

// ErrNoGo means that this machine has no Go toolchain to compile the engine.
var ErrNoGo = errors.New("the Go toolchain, which builds the engine, is not on the PATH: install it from " +
	"https://go.dev/dl")

// Folder is the name of the engines' folder inside the cache's folder.
const Folder = "engine"

// All compiles all modules of a set, as [Module] does.
func All(ctx context.Context, s explore.Set, repository, folder string) (explore.Engines, error) {
	all := explore.Engines{}
	for _, m := range s.Modules {
		engine, err := Module(ctx, repository, folder, m)
		if err != nil {
			return nil, err
		}
		all[m.Name] = engine
	}
	return all, nil
}

// Kept returns all modules if each of them is in the cache in folder, and nil otherwise.
func Kept(ctx context.Context, s explore.Set, repository, folder string) explore.Engines {
	all := explore.Engines{}
	for _, m := range s.Modules {
		key, known := keyOf(ctx, repository, m)
		engine, kept := cache.Open(folder).Get(key)
		if !known || !kept {
			return nil
		}
		all[m.Name] = engine
	}
	return all
}

// Module compiles a module of a repository with the repository's version of Go, and returns it compressed. The bytes
// depend only on the sources and on Go, not on the folder of the repository. Go takes compiled packages from its cache.
// Module caches the engine in folder unless folder is "", so it links an engine again only after its sources have
// changed. A folder that is not writable only costs time. Other users must not be able to write to the folder; see
// cache.Secure.
func Module(ctx context.Context, repository, folder string, m explore.Module) ([]byte, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	key, known := keyOf(ctx, repository, m)
	if !known {
		return compile(ctx, repository, m)
	}
	store := cache.Open(folder)
	if engine, ok := store.Get(key); ok {
		return engine, nil
	}
	for {
		engine, err, _ := compiling.Do(key.String(), func() (any, error) {
			engine, err := compile(ctx, repository, m)
			if err != nil {
				return nil, err
			}
			if after, still := keyOf(ctx, repository, m); still && key == after {
				_ = store.Put(key, engine) // after an error, the next call links the engine again
			}
			return engine, nil
		})
		switch {
		case err == nil:
			return engine.([]byte), nil
		case ctx.Err() != nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
			return nil, err
		} // tries again: this call waited for another call, which was canceled
	}
}

// compiling makes concurrent calls for the same module wait for one compilation.
var compiling singleflight.Group

func compile(ctx context.Context, repository string, m explore.Module) ([]byte, error) {
	temp, err := atomicfile.NewFolder("", "siegebook-engine")
	if err != nil {
		return nil, err
	}
	defer func() { _ = temp.Remove() }()
	program := filepath.Join(temp.Path, "engine.wasm")
	if err := link(ctx, repository, m, program); err != nil {
		return nil, err
	}
	module, err := limitedread.ReadFile(program, most)
	if err != nil {
		return nil, err
	}
	return Compress(module), nil
}

// most is the maximum size of an engine in bytes.
const most = 64 * limitedread.MiB

var moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)

// keyOf returns a key for everything that the engine is made from: the version of Go, the requirements of the module,
// and the files of the program and of the packages that it imports, with embedded files. It returns false if it cannot
// read one of them. Go then reports the reason.
func keyOf(ctx context.Context, repository string, m explore.Module) (key cache.Key, ok bool) {
	hash := sha256.New()
	version := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOROOT")
	version.Dir = repository
	said, err := version.Output()
	if err != nil {
		return key, false
	}
	fmt.Fprintf(hash, "%s%q%q", said, linkingOf(m), settings)
	module := ""
	for _, name := range []string{"go.sum", "go.mod"} {
		data, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return key, false
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
		if m := moduleLine.FindSubmatch(data); m != nil {
			module = string(m[1])
		}
	}
	if module == "" {
		return key, false
	}
	in := build.Default
	in.GOOS, in.GOARCH = "wasip1", "wasm"
	seen := map[string]bool{m.Program: true}
	for left := []string{m.Program}; len(left) > 0; left = left[1:] {
		p, err := gosource.Read(in, module, filepath.Join(repository, filepath.FromSlash(left[0])))
		if err != nil {
			return key, false
		}
		fmt.Fprintf(hash, "%s %x\n", left[0], p.Sum)
		for _, imported := range p.Imports {
			if inside := strings.TrimPrefix(imported, module+"/"); !seen[inside] {
				seen[inside] = true
				left = append(left, inside)
			}
		}
	}
	return cache.NewKey("engine-1", hash.Sum(nil)), true
}

var (
	// linking holds the arguments of the go command for all modules. Compiling Go's own packages without inlining makes
	// the engine 5 % smaller and not slower.
	linking = []string{"build", "-buildmode=c-shared", "-trimpath", "-gcflags=std=-l", "-ldflags=-s -w"}
	// settings fixes every setting that would change the bytes. The user still decides where modules come from, and
	// where Go keeps its files.
	settings = append(slices.Clip(WebAssembly), "GOFLAGS=-buildvcs=false", "GO111MODULE=on", "GOWORK=off",
		"GOEXPERIMENT=", "GOFIPS140=off", "CGO_ENABLED=0")
)

// linkingOf returns the arguments of the go command for a module.
func linkingOf(m explore.Module) []string {
	all := slices.Clip(linking)
	for _, p := range m.Inlined {
		all = append(all, "-gcflags="+p+"=") // the last flag that matches a package wins
	}
	return all
}

// link compiles a module into a file.
func link(ctx context.Context, repository string, m explore.Module, file string) error {
	_, err := Go(ctx, repository, settings, append(linkingOf(m), "-o", file, "./"+m.Program)...)
	if failed := (*GoError)(nil); errors.As(err, &failed) {
		return fmt.Errorf("compiling the engine of the explorables (go build ./%s): %w: %s", m.Program, failed.Err,
			failed.line())
	}
	return err
}

// Compress returns a gzip archive without a file name or a time.
func Compress(module []byte) []byte {
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // cannot fail: the level is valid
	_, _ = w.Write(module)                                     // writing to memory cannot fail
	_ = w.Close()
	return zipped.Bytes()
}
