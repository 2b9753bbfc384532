// Gokernel stands between a front end and gonb, as the kernel that Jupyter starts: see [jupyter.RunKernel].
//
//	gokernel CONNECTION-FILE GONB [ARGUMENTS...]
package main

import (
	"fmt"
	"os"

	"github.com/siegebook/siegebook/internal/jupyter"
)

func main() {
	if code, ours := jupyter.RunTool(os.Args); ours { // for gonb: see jupyter.RunGo
		os.Exit(code)
	}
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: gokernel CONNECTION-FILE GONB [ARGUMENTS...]; front ends start it")
		os.Exit(2)
	}
	if err := jupyter.RunKernel(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "gokernel:", err)
		os.Exit(1)
	}
}
