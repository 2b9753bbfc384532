package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/press"
)

type kernelCommands struct {
	Install   kernelInstall   `cmd:"" help:"Build the pinned Go kernel and register it with Jupyter."`
	Uninstall kernelUninstall `cmd:"" help:"Remove the kernel."`
	Check     kernelCheck     `cmd:"" help:"List what the kernel needs, what is missing, and how to get it."`
}

// repoFlag names the folder whose packages cells can import.
type repoFlag struct {
	Repo string `default:"." placeholder:"DIR" help:"Folder of the siegebook repository."`
}

func (f repoFlag) setup() (jupyter.SetupOptions, error) {
	dir, err := jupyter.ProjectKernelDir()
	return jupyter.SetupOptions{Repo: f.Repo, Dir: dir, Imports: []string{press.CellImports}}, err
}

type kernelInstall struct{ repoFlag }

// Help returns the additional text for --help.
func (*kernelInstall) Help() string {
	return `Cells import the packages of the repository from which the kernel was installed last; to change that, install the kernel from another clone.
The modules that cells need are downloaded now, through your own GOPROXY, so that cells run without the network.

Jupyter talks to kernels over TCP, so other users of this machine can read what cells show. On a shared machine, start Jupyter with
--KernelManager.transport=ipc: it then uses sockets in a private folder. genreport does so by itself, unless the path of the folder
for temporary files (TMPDIR) is longer than about 70 bytes, which sockets do not support.`
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
		press.WarmEngine(ctx, own.Explorables, c.Repo, "")
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
		message += "; files that siegebook did not write remain: " + strings.Join(kept, ", ")
	}
	return s.Say("%s", message)
}

type kernelCheck struct{ repoFlag }

// Run prints a line for each requirement of the kernel.
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
			"the kernel cannot run: " + strings.Join(missing, ", ") + " missing or broken, see the list above",
		)
	}
	return nil
}

// newOwnKernel returns the kernel for a repository. Its cells import the packages that match a pattern, and the
// packages of another module, if one is named.
func newOwnKernel(folder, repo, module, imports string, doing func(what string) (done func())) (*press.Kernel, error) {
	k, err := press.NewKernel(press.KernelSettings{
		Cache: folder, Library: repo, Module: module, Imports: imports, Explorables: own.Explorables, Doing: doing,
	})
	return k, temporary(err)
}

// temporary adds advice to an error if the folder for temporary files is not writable.
func temporary(err error) error {
	var none *press.TemporaryError
	if errors.As(err, &none) {
		return command.Unwritable("TMPDIR", os.TempDir(), none.Err)
	}
	return err
}

// kernels finds the kernels in which notebooks run.
type kernels struct {
	name    string // the name of an installed kernel for all notebooks; "" for none
	streams command.Streams
	own     map[string]*press.Kernel // the project's kernels, by repository and module
	told    bool
}

func (k *kernels) close() {
	for _, own := range k.own {
		own.Close()
	}
}

// moduleOf returns the folder of the module that contains a notebook or a page, if the module is not the repository.
// Cells can also import its packages.
func moduleOf(file, repo string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	for above := ""; err == nil && dir != above && !jupyter.SameFolder(dir, repo); dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		above = dir
	}
	return ""
}

// kernelFor returns the kernel of a notebook. If the notebook asks for the project's kernel, its cells get the packages
// of the repository that contains it or, if there is none, of the repository in the working folder. This is not the
// kernel that is installed for front ends, which may belong to another clone. kernelFor returns the installed kernel
// only outside of all repositories.
func (k *kernels) kernelFor(file notebookFile) (func(context.Context) (jupyter.Kernelspec, error), error) {
	repo := jupyter.FindRepository(filepath.Dir(file.path))
	if repo == "" {
		repo = jupyter.FindRepository(".")
	}
	name := cmp.Or(k.name, file.notebook.Kernel(), jupyter.ProjectKernel)
	if k.name == "" && name == jupyter.PlainKernel {
		name = jupyter.ProjectKernel
		const note = "genreport: %s: this notebook was made for the kernel %s, but runs in %s: use --kernel %[2]s to " +
			"run it in its own kernel\n"
		fmt.Fprintf(k.streams.Err, note, file.path, jupyter.PlainKernel, jupyter.ProjectKernel)
	}
	if k.name == "" && name == jupyter.ProjectKernel && repo != "" {
		module := moduleOf(file.path, repo)
		if own, ok := k.own[repo+module]; ok {
			return own.Ready, nil
		}
		var cached settings
		if err := cached.secureCache(k.streams); err != nil {
			return nil, err
		}
		own, err := newOwnKernel(cached.cacheFolder(), repo, module, press.CellImports, nil)
		if err != nil {
			return nil, err
		}
		k.own[repo+module] = own
		return own.Ready, nil
	}
	spec, err := jupyter.FindKernelspec(name)
	if err == nil && k.name != "" && !k.told && repo != "" && spec.Repo() != "" &&
		!jupyter.SameFolder(repo, spec.Repo()) {
		k.told = true
		fmt.Fprintf(
			k.streams.Err,
			"genreport: warning: --kernel %s: cells in this kernel import packages from %s: leave the flag out to "+
				"import them from %s\n",
			name, spec.Repo(), repo,
		)
	}
	return func(context.Context) (jupyter.Kernelspec, error) { return spec, nil }, err
}
