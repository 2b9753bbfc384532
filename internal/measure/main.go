package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

// rounds is how often the benchmarks are run; odd, for the median.
const rounds = 5

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := run(ctx, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
	}
	if err != nil || missed > 0 {
		stop()
		os.Exit(1)
	}
}

// run measures everything, prints the table to out, what it is doing to progress, and returns how many bars were
// missed.
func run(ctx context.Context, out, progress io.Writer) (missed int, err error) {
	dir, err := os.MkdirTemp("", "siegebook-measure-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintln(progress, "building the programs")
	p := programs{dir}
	if err := p.build(ctx); err != nil {
		return 0, err
	}
	var benchmarks []sample
	for round := range rounds {
		fmt.Fprintf(progress, "benchmarks, round %d of %d\n", round+1, rounds)
		text, err := p.benchmark(ctx)
		if err != nil {
			return 0, err
		}
		benchmarks = append(benchmarks, parse(text))
	}
	fmt.Fprintln(progress, "the sweeps and the report")
	sweep, err := p.sweep(ctx)
	if err != nil {
		return 0, err
	}
	formats, err := p.formats(ctx)
	if err != nil {
		return 0, err
	}
	builds, err := p.report(ctx)
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(progress, "the shards")
	cuts, err := p.cuts(ctx)
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(progress, "the cells of a notebook")
	cells, err := p.cells(ctx)
	if err != nil {
		return 0, err
	}
	results, err := judge(benchmarks, sweep, formats, builds, cuts, cells)
	if err != nil {
		return 0, err
	}
	return printTable(out, results), nil
}

// programs are what is measured, built into a folder.
type programs struct{ dir string }

func (p programs) path(name string) string { return filepath.Join(p.dir, name) }

func (p programs) build(ctx context.Context) error {
	if _, err := command(ctx, "go", "build", "-o", p.dir+string(filepath.Separator), "./cmd/siegebook", "./cmd/genreport"); err != nil {
		return err
	}
	for _, b := range benchmarked {
		if _, err := command(ctx, "go", "test", "-c", "-o", p.path(b.game+".test"), "./analysis/"+b.game); err != nil {
			return err
		}
	}
	return nil
}

// command runs a program and returns its standard output.
func command(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	return told(name, args, out, err)
}

// told names a program in its error.
func told(name string, args []string, out []byte, err error) (string, error) {
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("%s %q: %w\n%s%s", filepath.Base(name), args, err, out, failed.Stderr)
	}
	return string(out), err
}
