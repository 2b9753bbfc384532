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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// rounds is how often the benchmarks are run: odd, for the median, and as often as an interval of 95 % takes.
const rounds = 7

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

// cellRounds is how often each of them runs; odd, for the median.
const cellRounds = 31

// warmRounds are for all that is done once.
const warmRounds = 2

// figureCell is a cell that draws a figure and prints a number, which tells it from the others.
const figureCell = `%%%%
line := pictures.Best(castle.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8})
show.Figure(pictures.Trace(line.Battle, line.Strategy))
fmt.Println(%d)`

const cellImports = `import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)`

// cells measures a cell that draws a figure, after a change of a number and without one, in the kernel as it is
// installed and in gonb alone with Go as it is by default, by turns.
func (p programs) cells(ctx context.Context) error {
	data := p.path("jupyter")
	spec, err := jupyter.Setup(ctx, jupyter.SetupOptions{
		Repo: ".", Dir: filepath.Join(data, "kernels", jupyter.ProjectKernel), Imports: []string{"./notebooks/..."},
	})
	if err != nil {
		return err
	}
	plain, err := spec.Plain()
	if err != nil {
		return err
	}
	sources := []string{cellImports}
	for i := range cellRounds + warmRounds {
		sources = append(sources, slices.Repeat([]string{fmt.Sprintf(figureCell, i)}, 2)...)
	}
	var cells []string
	for _, source := range sources {
		cells = append(cells, fmt.Sprintf(`{"cell_type": "code", "source": %q, "metadata": {}, "outputs": []}`, source))
	}
	notebook, err := jupyter.Parse([]byte(`{"nbformat": 4, "nbformat_minor": 0, "metadata": {}, "cells": [` +
		strings.Join(cells, ",") + "]}"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	turns := [2]chan bool{make(chan bool, 1), make(chan bool, 1)}
	turns[0] <- true
	var group sync.WaitGroup
	var errs [2]error
	var took [2][]time.Duration
	for i, spec := range []jupyter.Kernelspec{spec, plain} {
		group.Go(func() {
			took[i], errs[i] = timeCells(ctx, spec, notebook, turns[i], turns[1-i])
			if errs[i] != nil {
				cancel()
			}
		})
	}
	group.Wait()
	for i, kernel := range []string{"ours", "gonb"} {
		for at, d := range took[i][min(len(took[i]), 1+2*warmRounds):] {
			p.add("Cell/"+[]string{"changed", "again"}[at%2]+"/"+kernel+" sec", d.Seconds())
		}
	}
	return errors.Join(errs[:]...)
}

// timeCells runs the cells of a notebook in a kernel, each when it is its turn, and says how long each took.
func timeCells(
	ctx context.Context, spec jupyter.Kernelspec, n *jupyter.Notebook, mine, other chan bool,
) ([]time.Duration, error) {
	var took []time.Duration
	var begin time.Time
	_, err := jupyter.Run(ctx, n, jupyter.RunOptions{Kernel: spec, CellByCell: true, Progress: func(done, all int64) {
		if done > 0 {
			took = append(took, time.Since(begin))
			other <- true
		}
		if done == all {
			return
		}
		select {
		case <-mine:
		case <-ctx.Done():
		}
		begin = time.Now()
	}})
	if err == nil && int64(len(took)) != n.CodeCells() {
		err = fmt.Errorf("%d of %d cells were measured", len(took), n.CodeCells())
	}
	return took, err
}
