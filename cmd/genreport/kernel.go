package main

import (
	"context"
	"errors"
	"strings"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
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
