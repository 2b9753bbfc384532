package main

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/command"
)

// newFiles are what a folder begins with, beside a notebook.
//
//go:embed new
var newFiles embed.FS

// newNotebookFile is the name of the notebook.
const newNotebookFile = "02-a-map.ipynb"

type newCommand struct {
	Dir string `arg:"" placeholder:"DIR" help:"The folder, which is made if it is not there."`
}

// Help is what --help adds.
func (*newCommand) Help() string {
	return `The folder builds as it is:

  genreport new course
  genreport serve course                     shows it in a browser while you write
  genreport build course --out course-site   writes it`
}

// Run writes the files, into a folder that has none.
func (c *newCommand) Run(s command.Streams) error {
	entries, err := os.ReadDir(c.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(c.Dir, 0o755); err != nil {
			return err
		}
	case err == nil && len(entries) > 0:
		return command.Usagef("%s: the folder is not empty, it has %s: name another one", c.Dir, entries[0].Name())
	case err != nil:
		return command.Usage(err)
	}
	files := map[string]string{newNotebookFile: strings.Replace(newNotebook, "TITLE", "A map to play with", 1)}
	names, err := fs.Glob(newFiles, "new/*")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(newFiles, name)
		if err != nil {
			return err
		}
		files[filepath.Base(name)] = string(text)
	}
	for name, text := range files {
		if err := writeNew(filepath.Join(c.Dir, name), text); err != nil {
			return err
		}
	}
	return s.Say("%s: see it with genreport serve %s, write it with genreport build %s", c.Dir, shellQuoted(c.Dir),
		shellQuoted(c.Dir))
}
