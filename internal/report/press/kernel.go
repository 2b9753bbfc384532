package press

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/report/explore"
)

// Kernel is the project's kernel for the packages of one repository, made ready when a notebook first asks for it. Its
// programs are in the cache's folder, for all repositories: a run needs no Jupyter, and leaves alone what the user has
// installed.
type Kernel struct {
	Spec    func(context.Context) (jupyter.Kernelspec, error)
	Modules func(context.Context) error // makes sure that those are there which cells need
	Built   func() string               // its programs and their versions, "" if it was not asked for
	Close   func()
}

// Ready returns the kernel when all is there that it needs to run cells.
func (k *Kernel) Ready(ctx context.Context) (jupyter.Kernelspec, error) {
	if err := k.Modules(ctx); err != nil {
		return jupyter.Kernelspec{}, err
	}
	return k.Spec(ctx)
}

// KernelSettings say which kernel is made.
type KernelSettings struct {
	// Cache is the folder of the cache; "" stands for one that is removed at the end.
	Cache string
	// Cells import packages of the library by the pattern Imports, and the packages of Module unless it is "".
	Library, Module, Imports string
	// Cells may show Explorables.
	Explorables explore.Set
	// Doing, if not nil, is called with the name of each long step, and returns a function to call at its end.
	Doing func(what string) (over func())
}

// TemporaryError is the error of a folder for temporary files in which nothing can be made.
type TemporaryError struct{ Err error }

func (e *TemporaryError) Error() string { return fmt.Sprintf("TMPDIR %s: %v", os.TempDir(), e.Err) }
func (e *TemporaryError) Unwrap() error { return e.Err }

// NewKernel returns a kernel. The error is a *TemporaryError.
func NewKernel(s KernelSettings) (*Kernel, error) {
	doing := s.Doing
	if doing == nil {
		doing = func(string) func() { return func() {} }
	}
	closing, folder := func() {}, s.Cache
	if folder == "" {
		temp, err := atomicfile.NewFolder("", "siegebook-report")
		if err != nil {
			return nil, &TemporaryError{err}
		}
		folder, closing = temp.Path, func() { _ = temp.Remove() }
	}
	o := jupyter.SetupOptions{
		Repo: s.Library, Module: s.Module, Dir: filepath.Join(folder, KernelFolder), Imports: []string{s.Imports},
	}
	safe := sync.OnceValue(secureTemporary)
	var prepared, got sync.Once
	var spec jupyter.Kernelspec
	var specErr, modulesErr error
	return &Kernel{
		Spec: func(ctx context.Context) (jupyter.Kernelspec, error) {
			prepared.Do(func() {
				defer doing("building the Go kernel, which is kept for later")()
				if specErr = safe(); specErr == nil {
					spec, specErr = jupyter.Prepare(ctx, o)
				}
			})
			return spec, specErr
		},
		Modules: func(ctx context.Context) error {
			got.Do(func() {
				defer doing("getting and compiling what cells import")()
				if modulesErr = safe(); modulesErr == nil {
					_, modulesErr = jupyter.GetModules(ctx, o)
				}
				if modulesErr == nil {
					WarmEngine(ctx, s.Explorables, s.Library, filepath.Join(folder, compile.Folder))
				}
			})
			return modulesErr
		},
		Built: func() string { return spec.Metadata.Siegebook.Built },
		Close: closing,
	}, nil
}

// secureTemporary refuses a folder for temporary files in which other users could replace a program. The programs of
// cells are there, and without a cache the kernel, too.
func secureTemporary() error {
	if err := cache.SecureTemporary(os.TempDir()); err != nil {
		return fmt.Errorf("TMPDIR: %w", err)
	}
	return nil
}

// MissingSource returns the first file that a repository lacks to compile engines, "" if it has all of them.
func MissingSource(set explore.Set, repository string) string {
	needed := []string{"go.mod"}
	for _, m := range set.Modules {
		needed = append(needed, m.Program+"/main.go")
	}
	for _, name := range needed {
		if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(name))); err != nil {
			return name
		}
	}
	return ""
}

// WarmEngine compiles the first engine for cells that show explorables, which takes a slow machine longer than a cell
// has, where nothing is compiled yet. The cell that needs the engine reports errors.
func WarmEngine(ctx context.Context, set explore.Set, repository, folder string) {
	if len(set.Modules) > 0 && MissingSource(set, repository) == "" {
		_, _ = compile.Module(ctx, repository, folder, set.Modules[0])
	}
}
