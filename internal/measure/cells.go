package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"time"

	"github.com/siegebook/siegebook/internal/jupyter"
)

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
	plain, err := plainGonb(spec)
	if err != nil {
		return err
	}
	var file notebookFile
	file.add(cellImports)
	for i := range cellRounds + warmRounds {
		cell := fmt.Sprintf(figureCell, i)
		file.add(cell, cell)
	}
	notebook, err := file.notebook()
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

// notebookFile is a notebook in the making.
type notebookFile struct {
	Cells    []map[string]any `json:"cells"`
	Metadata struct{}         `json:"metadata"`
	Format   int              `json:"nbformat"`
	Minor    int              `json:"nbformat_minor"`
}

func (f *notebookFile) add(sources ...string) {
	for _, source := range sources {
		f.Cells = append(f.Cells, map[string]any{
			"cell_type": "code", "source": source, "metadata": struct{}{}, "outputs": []any{}, "execution_count": nil,
		})
	}
}

func (f *notebookFile) notebook() (*jupyter.Notebook, error) {
	f.Format = 4
	data, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return jupyter.Parse(data)
}

// plainGonb returns the kernel of the same programs and packages without what makes cells fast: gonb alone, with Go as
// it is by default.
func plainGonb(spec jupyter.Kernelspec) (jupyter.Kernelspec, error) {
	plain := spec
	plain.Env = maps.Clone(spec.Env)
	plain.Env["GOFLAGS"] = "-buildvcs=false"
	plain.Env["CGO_ENABLED"] = "" // as if nobody had set it
	if len(spec.Argv) != 4 {
		return plain, fmt.Errorf("the kernel is called in another way than this knows: %q", spec.Argv)
	}
	plain.Argv = []string{spec.Argv[2], "-kernel", spec.Argv[1], spec.Argv[3]}
	return plain, nil
}

// timeCells runs the cells of a notebook in a kernel, each when it is its turn, and says how long each took.
func timeCells(
	ctx context.Context, spec jupyter.Kernelspec, n *jupyter.Notebook, mine, other chan bool,
) ([]time.Duration, error) {
	var took []time.Duration
	var begin time.Time
	_, err := jupyter.Run(ctx, n, jupyter.RunOptions{Kernel: spec, Progress: func(done, all int64) {
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
