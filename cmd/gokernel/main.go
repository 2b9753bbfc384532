// Gokernel is the kernel that Jupyter starts. It connects a front end with gonb: see [jupyter.RunKernel]. It also
// installs the kernel for make jupyter, as genreport kernel install does, because Go compiles it faster than
// genreport.
//
//	gokernel CONNECTION-FILE GONB [ARGUMENTS...]
//	gokernel install
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/siegebook/siegebook/internal/jupyter"
)

func main() {
	if code, ours := jupyter.RunTool(os.Args); ours { // called by gonb: see jupyter.RunGo
		os.Exit(code)
	}
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "install":
		err = install()
	case len(os.Args) < 3:
		fmt.Fprintln(os.Stderr, "usage: gokernel CONNECTION-FILE GONB [ARGUMENTS...]; front ends start it\n"+
			"       gokernel install; make jupyter calls it")
		os.Exit(2)
	default:
		err = jupyter.RunKernel(os.Args[1], os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gokernel:", err)
		os.Exit(1)
	}
}

// install installs the kernel for the repository in the working folder. Packages that cells import are not compiled
// until later.
func install() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := jupyter.ProjectKernelDir()
	if err != nil {
		return err
	}
	spec, err := jupyter.Setup(ctx, jupyter.SetupOptions{
		Repo: ".", Dir: dir, Imports: []string{"./notebooks/..."}, Later: true,
		Say: func(what string) { fmt.Fprintln(os.Stderr, what) },
	})
	if err == nil {
		fmt.Printf("installed the kernel %s, %q, in %s\n", spec.Name, spec.DisplayName, spec.Dir)
	}
	return err
}
