package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/report/explore"
)

// explorableFlags decide whether readers can play with figures.
type explorableFlags struct {
	Explorables string `default:"auto" enum:"auto,on,off" help:"on: figures that readers can play with are required; off: all figures are drawings; auto: on in the folder of the repository, if there is Go to compile their engine."`
}

// engineSources are there where the engine can be compiled.
var engineSources = []string{
	"go.mod", "cmd/engine/main.go", "report/explore/engine/engine.go",
	"cmd/engine/listings/main.go",
}

// missingSource is the first of them that a repository has not, "" if all are there.
func missingSource(repository string) string {
	for _, name := range engineSources {
		if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(name))); err != nil {
			return name
		}
	}
	return ""
}

// warmEngine compiles the engine for cells that show explorables, which takes a slow machine longer than a cell has,
// where nothing is compiled yet. The cell that needs the engine reports errors.
func warmEngine(ctx context.Context, repository, folder string) {
	if missingSource(repository) == "" {
		_, _ = explore.Compile(ctx, repository, folder, explore.Modules()[0])
	}
}

// engine compiles what explorables ask. It is nil where there is nothing to compile, or nothing to compile it with.
func (c settings) engine(ctx context.Context, s command.Streams) (explore.Engines, error) {
	if c.Explorables == "off" {
		return nil, nil
	}
	switch missing := missingSource("."); {
	case missing != "" && c.Explorables == "on":
		return nil, command.Usagef(
			"--explorables on: the source of their engine is not here, there is no %s: change to the folder of the "+
				"repository", missing,
		)
	case missing != "":
		return nil, nil
	}
	progress := s.StartProgress("compiling the engine of the explorables", 0, false)
	engines, err := explore.CompileAll(ctx, ".", c.engineFolder())
	progress.Stop()
	if errors.Is(err, explore.ErrNoGo) && c.Explorables == "auto" {
		_, err = fmt.Fprintf(s.Err, "genreport: warning: all figures are drawings: %v\n", err)
	}
	return engines, err
}

// engineFolder is where the engine is kept, "" for nowhere. A check takes none from there.
func (c settings) engineFolder() string {
	folder := c.cacheFolder()
	if folder == "" || c.anew {
		return ""
	}
	return filepath.Join(folder, explore.Folder)
}
