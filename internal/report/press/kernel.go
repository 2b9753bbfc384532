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

// Kernel is the project's kernel for the packages of one repository. It is built when a notebook first needs it. All
// repositories share its programs, which are in the cache's folder. A run does not need Jupyter, and does not change
// anything that the user has installed.
type Kernel struct {
	Spec    func(context.Context) (jupyter.Kernelspec, error)
	Modules func(context.Context) error // downloads the modules that cells need, if they are missing
	Built   func() string               // names the kernel's programs and their versions; "" if no notebook needed it
	Close   func()
}

// Ready returns the kernel after making sure that everything that it needs to run cells is available.
func (k *Kernel) Ready(ctx context.Context) (jupyter.Kernelspec, error) {
	if err := k.Modules(ctx); err != nil {
		return jupyter.Kernelspec{}, err
	}
	return k.Spec(ctx)
}

// KernelSettings specifies how NewKernel makes a kernel.
type KernelSettings struct {
	// Cache is the folder of the cache. "" means a temporary folder that Close removes.
	Cache string
	// Cells import the packages of Library that match the pattern Imports, and the packages of Module if it is not "".
	Library, Module, Imports string
	// Explorables are the explorables that cells may show.
	Explorables explore.Set
	// Doing, if not nil, is called with the name of each long step, and returns a function to call at its end.
	Doing func(what string) (over func())
}

// TemporaryError is the error that the kernel cannot be made in the folder for temporary files.
type TemporaryError struct{ Err error }

func (e *TemporaryError) Error() string { return fmt.Sprintf("TMPDIR %s: %v", os.TempDir(), e.Err) }
func (e *TemporaryError) Unwrap() error { return e.Err }

// NewKernel returns a kernel. Any error is a *TemporaryError.
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
				defer doing("building the Go kernel, which is stored for later")()
				if specErr = safe(); specErr == nil {
					spec, specErr = jupyter.Prepare(ctx, o)
				}
			})
			return spec, specErr
		},
		Modules: func(ctx context.Context) error {
			got.Do(func() {
				defer doing("fetching and compiling the packages that cells import")()
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

// secureTemporary returns an error if other users could replace a program in the folder for temporary files. The folder
// holds the programs of cells and, without a cache, the kernel.
func secureTemporary() error {
	if err := cache.SecureTemporary(os.TempDir()); err != nil {
		return fmt.Errorf("TMPDIR: %w", err)
	}
	return nil
}

// MissingSource returns the first file that is needed to compile engines but is missing from a repository, or "" if
// there is none.
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

// WarmEngine compiles the first engine before a cell that shows explorables needs it. On a slow machine, the first
// compilation takes longer than the time limit of a cell. WarmEngine ignores errors, because the cell that needs the
// engine reports them.
func WarmEngine(ctx context.Context, set explore.Set, repository, folder string) {
	if len(set.Modules) > 0 && MissingSource(set, repository) == "" {
		_, _ = compile.Module(ctx, repository, folder, set.Modules[0])
	}
}
