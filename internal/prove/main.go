package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/siegebook/siegebook/proofs"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	folder := ""
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := run(ctx, proofs.Texts, folder, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		stop()
		os.Exit(1)
	}
}

// run checks the proofs of a folder and prints what was found to out. If ledger is the name of a folder, the functions
// that are proved right judge the claims of the ledger there.
func run(ctx context.Context, texts fs.FS, ledger string, out io.Writer) (err error) {
	theorems, err := proofs.Theorems(texts)
	if err != nil {
		return err
	}
	if err := proofs.Exemplified(texts); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "siegebook-prove-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := coq{dir}
	version, err := c.version(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, version)
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w%s", err, otherVersion(version))
		}
	}()
	files, err := proofs.Files(texts)
	if err != nil {
		return err
	}
	if err := c.fresh(ctx, texts, files); err != nil {
		return err
	}
	lines, start := 0, time.Now()
	for _, file := range files {
		text, err := fs.ReadFile(texts, file)
		if err != nil {
			return err
		}
		began := time.Now()
		if err := c.compile(ctx, file, text); err != nil {
			return err
		}
		if err := c.stated(ctx, file, string(text), theorems); err != nil {
			return err
		}
		length := bytes.Count(text, []byte("\n"))
		fmt.Fprintf(out, "%-14s %4d lines, %4.1f s\n", file, length, time.Since(began).Seconds())
		lines += length
	}
	fmt.Fprintf(out, "%d files, %d lines, %.1f s\n\n", len(files), lines, time.Since(start).Seconds())
	if err := c.check(ctx, files); err != nil {
		return err
	}
	fmt.Fprintln(out, "coqchk has checked all files again, and found no axiom in them")
	fmt.Fprintln(out)
	assumptions, err := c.assumptions(ctx, theorems)
	if err != nil {
		return err
	}
	open := 0
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i, theorem := range theorems {
		fmt.Fprintf(table, "%s\t%s\t%s\n", theorem.Name, theorem.File, assumptions[i])
		if assumptions[i] != closed {
			open++
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if open > 0 {
		return fmt.Errorf("%d of %d theorems lean on something that is not proved", open, len(theorems))
	}
	fmt.Fprintf(out, "%d theorems, nothing assumed, each with an example\n\n", len(theorems))
	if err := compare(ctx, c, out); err != nil || ledger == "" {
		return err
	}
	return judge(ctx, c, ledger, out)
}
