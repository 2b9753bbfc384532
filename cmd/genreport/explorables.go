package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/report/explore"
)

// explorableFlags decide whether readers can play with figures.
type explorableFlags struct {
	Explorables string `default:"auto" enum:"auto,on,off" help:"on: figures that readers can play with are required; off: all figures are drawings; auto: on in the folder of the repository, if there is Go to compile their engine."`
}

// engine compiles what explorables ask. It is nil where there is nothing to compile, or nothing to compile it with.
func (c settings) engine(ctx context.Context, s command.Streams) ([]byte, error) {
	if c.Explorables == "off" {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Join("cmd", "engine", "main.go")); err != nil {
		if c.Explorables == "on" && errors.Is(err, fs.ErrNotExist) {
			return nil, command.Usagef("--explorables on: the source of their engine, cmd/engine, is not here: change to the folder of the repository")
		}
		return nil, nil
	}
	folder := c.cacheFolder()
	if c.anew { // a check takes nothing from the cache
		folder = ""
	}
	if folder != "" {
		folder = filepath.Join(folder, explore.Folder)
	}
	progress := s.StartProgress("compiling the engine of the explorables", 0, false)
	engine, err := explore.Compile(ctx, ".", folder)
	progress.Stop()
	if errors.Is(err, explore.ErrNoGo) && c.Explorables == "auto" {
		_, err = fmt.Fprintf(s.Err, "genreport: warning: all figures are drawings: %v\n", err)
	}
	return engine, err
}
