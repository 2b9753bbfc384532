// Gokernel stands between a front end and gonb, as the kernel that Jupyter starts: see [jupyter.RunProxy].
//
//	gokernel CONNECTION-FILE GONB [ARGUMENTS...]
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

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
	signal.Ignore(syscall.SIGINT) // front ends interrupt by a message
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := jupyter.RunProxy(ctx, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "gokernel:", err)
		os.Exit(1)
	}
}
