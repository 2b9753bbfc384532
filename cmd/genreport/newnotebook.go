package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/scratch"
)

// newNotebook is what a notebook begins with.
//
//go:embed new.ipynb
var newNotebook string

type notebooksNew struct {
	Name string `arg:"" help:"The file, with or without its .ipynb."`
}

// Run writes a notebook that runs: imports, a parameter, a map with a control. It overwrites nothing.
func (c *notebooksNew) Run(s command.Streams) error {
	path := strings.TrimSuffix(c.Name, ".ipynb") + ".ipynb"
	name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
	if strings.Trim(name, ".") == "" {
		return command.Usagef("%s: a notebook needs a name: write one before .ipynb", c.Name)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return command.Usagef("%s: there is no such folder: make it, or name another one", filepath.Dir(path))
	}
	title, err := json.Marshal(name)
	if err != nil {
		return err
	}
	text := strings.Replace(newNotebook, "TITLE", string(title[1:len(title)-1]), 1)
	target := scratch.Target{Name: path, Ours: func(*os.File) error {
		return scratch.Refuse("there is such a file already: choose another name")
	}}
	if err := target.Write([]byte(text), 0o644); err != nil {
		return unstripped(path, err)
	}
	return s.Say("%s: open it with make jupyter, or run it with genreport notebooks run", path)
}
