package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/explore/compile"
)

type kernelCommands struct {
	Install   kernelInstall   `cmd:"" help:"Build the pinned Go kernel and make it known to Jupyter."`
	Uninstall kernelUninstall `cmd:"" help:"Remove the kernel again."`
	Check     kernelCheck     `cmd:"" help:"Say what the kernel needs, what of it is missing and how to get it."`
}

// repoFlag is the folder whose packages cells can import.
type repoFlag struct {
	Repo string `default:"." placeholder:"DIR" help:"Folder of the siegebook repository."`
}

func (f repoFlag) setup() (jupyter.SetupOptions, error) {
	dir, err := jupyter.ProjectKernelDir()
	return jupyter.SetupOptions{Repo: f.Repo, Dir: dir, Imports: []string{cellImports}}, err
}

type kernelInstall struct{ repoFlag }

// Help is what --help adds.
func (*kernelInstall) Help() string {
	return `Cells import the packages of the repository from which the kernel was installed last: install it again from another clone. The modules
that they need are downloaded now, by your own GOPROXY, and cells then run without the network.

Jupyter speaks with kernels over TCP on this machine, where other users of it can read what cells show. If you share it, start Jupyter
with --KernelManager.transport=ipc: it then uses sockets in a folder of your own. genreport does so by itself, unless the path of the folder
for temporary files (TMPDIR) is longer than about 70 bytes, for which systems have no sockets.`
}

// Run installs the kernel.
func (c *kernelInstall) Run(ctx context.Context, s command.Streams) error {
	setup, err := c.setup()
	if err != nil {
		return err
	}
	progress := s.StartProgress("building the kernel", 0, false)
	spec, err := jupyter.Setup(ctx, setup)
	if err == nil {
		warmEngine(ctx, c.Repo, "")
	}
	progress.Stop()
	if err != nil {
		return err
	}
	return s.Say("installed the kernel %s, %q, in %s", spec.Name, spec.DisplayName, spec.Dir)
}

type kernelUninstall struct{}

// Run removes the kernel.
func (c *kernelUninstall) Run(s command.Streams) error {
	dir, err := jupyter.ProjectKernelDir()
	if err != nil {
		return err
	}
	removed, kept, err := jupyter.RemoveSetup(dir)
	if err != nil {
		return err
	}
	message := "removed the kernel in " + dir
	switch {
	case !removed:
		message = "there is no kernel in " + dir
	case len(kept) > 0:
		message += "; what siegebook has not put there stays: " + strings.Join(kept, ", ")
	}
	return s.Say("%s", message)
}

type kernelCheck struct{ repoFlag }

// Run prints a line for each thing that the kernel needs.
func (c *kernelCheck) Run(ctx context.Context, s command.Streams) error {
	setup, err := c.setup()
	if err != nil {
		return err
	}
	var missing []string
	for _, r := range jupyter.CheckSetup(ctx, setup) {
		if err := s.Say("%v", r); err != nil {
			return err
		}
		if !r.Met() && !r.Optional {
			missing = append(missing, r.Name)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(missing) > 0 {
		return errors.New(
			"the kernel cannot run: " + strings.Join(missing, ", ") + " missing or broken, the list says how to get it",
		)
	}
	return nil
}

// cellImports are the repository's packages that lessons import.
const cellImports = "./notebooks/..."

// ownKernel is the project's kernel for the packages of one repository, made ready when a notebook first asks for it.
// Its programs are in the cache's folder, for all repositories: a run needs no Jupyter, and leaves alone what the user
// has installed.
type ownKernel struct {
	spec    func(context.Context) (jupyter.Kernelspec, error)
	modules func(context.Context) error // makes sure that those are there which cells need
	built   func() string               // its programs and their versions, "" if it was not asked for
	close   func()
}

// ready returns the kernel when all is there that it needs to run cells.
func (k ownKernel) ready(ctx context.Context) (jupyter.Kernelspec, error) {
	if err := k.modules(ctx); err != nil {
		return jupyter.Kernelspec{}, err
	}
	return k.spec(ctx)
}

// newOwnKernel returns the kernel for a repository whose cells import packages by a pattern, and those of another
// module, if one is named. The folder is that of the cache; "" stands for one that is removed at the end. What takes
// long is told to doing, if that is not nil; it returns what to call when that is over.
func newOwnKernel(folder, repo, module, imports string, doing func(what string) (done func())) (ownKernel, error) {
	if doing == nil {
		doing = func(string) func() { return func() {} }
	}
	closing := func() {}
	if folder == "" {
		temp, err := atomicfile.NewFolder("", "siegebook-report")
		if err != nil {
			return ownKernel{}, command.Unwritable("TMPDIR", os.TempDir(), err)
		}
		folder, closing = temp.Path, func() { _ = temp.Remove() }
	}
	o := jupyter.SetupOptions{
		Repo: repo, Module: module, Dir: filepath.Join(folder, kernelFolder),
		Imports: []string{imports},
	}
	safe := sync.OnceValue(secureTemporary)
	var prepared, got sync.Once
	var spec jupyter.Kernelspec
	var specErr, modulesErr error
	return ownKernel{
		spec: func(ctx context.Context) (jupyter.Kernelspec, error) {
			prepared.Do(func() {
				defer doing("building the Go kernel, which is kept for later")()
				if specErr = safe(); specErr == nil {
					spec, specErr = jupyter.Prepare(ctx, o)
				}
			})
			return spec, specErr
		},
		modules: func(ctx context.Context) error {
			got.Do(func() {
				defer doing("getting and compiling what cells import")()
				if modulesErr = safe(); modulesErr == nil {
					_, modulesErr = jupyter.GetModules(ctx, o)
				}
				if modulesErr == nil {
					warmEngine(ctx, repo, filepath.Join(folder, compile.Folder))
				}
			})
			return modulesErr
		},
		built: func() string { return spec.Metadata.Siegebook.Built },
		close: closing,
	}, nil
}

// secureTemporary refuses a folder for temporary files in which others could put a program in the place of ours: there
// the programs of cells are, and the kernel too where there is no cache.
func secureTemporary() error {
	if err := cache.SecureTemporary(os.TempDir()); err != nil {
		return fmt.Errorf("TMPDIR: %w", err)
	}
	return nil
}

// kernels finds the kernels of notebooks.
type kernels struct {
	name    string // of an installed kernel for all of them, "" for none
	streams command.Streams
	own     map[string]ownKernel // by repository and module
	told    bool
}

func (k *kernels) close() {
	for _, own := range k.own {
		own.close()
	}
}

// moduleOf returns the folder of the module in which a notebook lies, if that is another one than the repository: its
// cells import that too.
func moduleOf(notebook, repo string) string {
	dir, err := filepath.Abs(filepath.Dir(notebook))
	for above := ""; err == nil && dir != above && !jupyter.SameFolder(dir, repo); dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		above = dir
	}
	return ""
}

// of returns the kernel of a notebook. One that wants the project's kernel gets the packages of the repository that it
// is in or, if it is in none, of that in which the command works: what is installed for front ends may belong to
// another clone. Only away from all repositories is it the installed one.
func (k *kernels) of(file notebookFile) (func(context.Context) (jupyter.Kernelspec, error), error) {
	repo := jupyter.FindRepository(filepath.Dir(file.path))
	if repo == "" {
		repo = jupyter.FindRepository(".")
	}
	name := cmp.Or(k.name, file.notebook.Kernel(), jupyter.ProjectKernel)
	if k.name == "" && name == jupyter.PlainKernel {
		name = jupyter.ProjectKernel
		const note = "genreport: %s: made for the kernel %s, runs in %s: --kernel %[2]s has it run there\n"
		fmt.Fprintf(k.streams.Err, note, file.path, jupyter.PlainKernel, jupyter.ProjectKernel)
	}
	if k.name == "" && name == jupyter.ProjectKernel && repo != "" {
		module := moduleOf(file.path, repo)
		if own, ok := k.own[repo+module]; ok {
			return own.ready, nil
		}
		var cached settings
		if err := cached.secureCache(k.streams); err != nil {
			return nil, err
		}
		own, err := newOwnKernel(cached.cacheFolder(), repo, module, cellImports, nil)
		if err != nil {
			return nil, err
		}
		k.own[repo+module] = own
		return own.ready, nil
	}
	spec, err := jupyter.FindKernelspec(name)
	if err == nil && k.name != "" && !k.told && repo != "" && spec.Repo() != "" &&
		!jupyter.SameFolder(repo, spec.Repo()) {
		k.told = true
		fmt.Fprintf(
			k.streams.Err,
			"genreport: warning: --kernel %s: its cells import the packages of %s: leave it out for those of %s\n",
			name, spec.Repo(), repo,
		)
	}
	return func(context.Context) (jupyter.Kernelspec, error) { return spec, nil }, err
}
