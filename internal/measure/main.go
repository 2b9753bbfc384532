// Command measure checks the speed claims of siegebook. Each is a ratio of two measurements of one run, so that it
// holds on any machine; the absolute figures stand beside it and are not judged.
//
// Everything is measured in rounds. A ratio is the median over the rounds, so one slow round does not decide; beside it
// stands its interval at 95 % confidence. The commands are built first and measured as a user runs them.
//
// It exits with 1 if a ratio misses its bar or a measurement fails.
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
	p := programs{dir, series{}}
	for _, part := range []struct {
		what    string
		measure func(context.Context) error
	}{
		{"building the programs", p.build},
		{"benchmarks", p.benchmarks},
		{"a sweep in each format", p.formats},
		{"the report", p.report},
		{"shards", p.shards},
		{"the cells of a notebook", p.cells},
	} {
		fmt.Fprintln(progress, part.what)
		if err := part.measure(ctx); err != nil {
			return 0, err
		}
	}
	return judge(out, p.series)
}

// programs are what is measured, built into a folder.
type programs struct {
	dir string
	series
}

func (p programs) path(name string) string { return filepath.Join(p.dir, name) }

func (p programs) build(ctx context.Context) error {
	if _, err := command(ctx, "go", "build", "-o", p.dir+string(filepath.Separator), "./cmd/siegebook",
		"./cmd/genreport"); err != nil {
		return err
	}
	for _, b := range benchmarked {
		if _, err := command(ctx, "go", "test", "-c", "-o", p.path(b.game+".test"), "./analysis/"+b.game); err != nil {
			return err
		}
	}
	return nil
}

// command runs a program and returns its standard output. Its error names the program.
func command(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("%s %q: %w\n%s%s", filepath.Base(name), args, err, out, failed.Stderr)
	}
	return string(out), err
}
