package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
)

// newNotebook is the content of a new notebook.
//
//go:embed new.ipynb
var newNotebook string

type notebooksNew struct {
	Name string `arg:"" help:"The file, with or without its .ipynb."`
}

// Run writes a working notebook with imports, a parameter, and a chart with a control. It never overwrites a file.
func (c *notebooksNew) Run(s command.Streams) error {
	path := strings.TrimSuffix(c.Name, ".ipynb") + ".ipynb"
	name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
	if strings.Trim(name, ".") == "" {
		return command.Usagef("%s: a notebook needs a name: write one before .ipynb", c.Name)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return command.Usagef("%s: there is no such folder: create it, or name another one", filepath.Dir(path))
	}
	title, err := json.Marshal(name)
	if err != nil {
		return err
	}
	text := strings.Replace(newNotebook, "TITLE", string(title[1:len(title)-1]), 1)
	if err := writeNew(path, text); err != nil {
		return err
	}
	return s.Say("%s: open it with %s, or run it with genreport notebooks run", path, openCommand(path))
}

// writeNew writes a file that must not exist yet.
func writeNew(path, text string) error {
	target := atomicfile.Target{Name: path, Ours: func(*os.File) error {
		return atomicfile.Refuse("the file exists already: choose another name")
	}}
	if err := target.Write([]byte(text), 0o644); err != nil {
		return unstripped(path, err)
	}
	return nil
}

// openCommand returns a command that opens a notebook in Jupyter. It uses the repository's Jupyter, which has the
// kernel, or, if there is no repository, any installed Jupyter.
func openCommand(path string) string {
	repo := jupyter.FindRepository(".")
	if repo == "" {
		return "jupyter notebook " + shellQuoted(path)
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	path = strings.ReplaceAll(path, "$", "$$") // make also expands values
	return fmt.Sprintf("make -C %s jupyter NOTEBOOK=%s", shellQuoted(repo), shellQuoted(path))
}

// shellQuoted returns an argument quoted for a shell.
func shellQuoted(argument string) string {
	if argument != "" && strings.Trim(argument, shellSafe) == "" {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,+:@"

// newFiles holds the files of a new folder, except for its notebook.
//
//go:embed new
var newFiles embed.FS

// newNotebookFile is the name of the notebook.
const newNotebookFile = "02-a-path.ipynb"

type newCommand struct {
	Dir string `arg:"" placeholder:"DIR" help:"The folder; it is created if it does not exist."`
}

// Help returns the additional text for --help.
func (*newCommand) Help() string {
	return `The folder builds as it is:

  genreport new course
  genreport serve course                     shows it in a browser while you write
  genreport build course --out course-site   writes it`
}

// Run writes the files into a new or empty folder.
func (c *newCommand) Run(s command.Streams) error {
	entries, err := os.ReadDir(c.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(c.Dir, 0o755); err != nil {
			return err
		}
	case err == nil && len(entries) > 0:
		return command.Usagef("%s: the folder is not empty, it contains %s: name another "+
			"folder", c.Dir, entries[0].Name())
	case err != nil:
		return command.Usage(err)
	}
	files := map[string]string{newNotebookFile: strings.Replace(newNotebook, "TITLE", "A path to play with", 1)}
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
	return s.Say("%s: show it with genreport serve %s, or build it with genreport build %s", c.Dir, shellQuoted(c.Dir),
		shellQuoted(c.Dir))
}
