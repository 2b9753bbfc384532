package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/report/imports"
)

type importCommand struct {
	Source string `arg:"" placeholder:"FILE|FOLDER" help:"A Markdown file or a notebook, or a folder of them."`
	Out    string `required:"" placeholder:"DIR" help:"Folder to create for the book; if it exists, it must be empty."`
}

// Help returns the additional text for --help.
func (*importCommand) Help() string {
	return `Import makes pages from Markdown for GitHub, Quarto, MyST, Pandoc and MkDocs, and from notebooks. It reports each change in one line,
with the file and the line; in a notebook, the number of the cell takes the place of the line. No text is lost: text for which books
have no form is shown as it is written. Nothing is run, and nothing is loaded from the network.

Examples:
  genreport import README.md --out book
  genreport import docs --out book
  genreport build book --out site`
}

// Run writes either the whole book or nothing.
func (c *importCommand) Run(ctx context.Context, s command.Streams) error {
	if c.Out == "" {
		return command.Usagef("--out is empty: name the folder of the book")
	}
	info, err := os.Stat(c.Source)
	if err != nil {
		return command.Usagef("%s: there is no such file or folder: name a Markdown file, a notebook, or a "+
			"folder of them", c.Source)
	}
	entries, err := os.ReadDir(c.Out)
	switch {
	case err == nil && len(entries) > 0:
		return command.Usagef("--out %s: the folder is not empty, it contains %s: name another folder", c.Out,
			entries[0].Name())
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return command.Usagef("--out %s: this is not a folder: name a folder", c.Out)
	}
	dir, pages := c.Source, []string(nil)
	if !info.IsDir() {
		dir, pages = filepath.Dir(c.Source), []string{filepath.Base(c.Source)}
		if !imports.IsPage(c.Source) {
			return command.Usagef("%s: import reads only files such as .md, .qmd and .ipynb: rename the file if it "+
				"has such a format",
				c.Source)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return command.Usage(err)
	}
	defer root.Close()
	if info.IsDir() {
		if pages, err = imports.Pages(root.FS()); err != nil {
			return command.Usage(err)
		}
		if len(pages) == 0 {
			return command.Usagef("%s: the folder has no files such as .md, .qmd and .ipynb: name another folder",
				c.Source)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	made, err := imports.Import(root.FS(), pages)
	if err != nil {
		return command.Usage(err)
	}
	for _, n := range made.Notes {
		n.File = filepath.Join(dir, filepath.FromSlash(n.File))
		if err := s.Say("%s", command.Line(n.String())); err != nil {
			return err
		}
	}
	if err := writeImport(c.Out, made.Files); err != nil {
		return command.Unwritable("--out", c.Out, err)
	}
	return s.Say("wrote %s: %s; build it with genreport build %s", c.Out, plural.Count(len(made.Pages), "page"),
		shellQuoted(c.Out))
}

// writeImport writes the files to a temporary folder, and renames the folder when it is complete.
func writeImport(out string, files map[string][]byte) (err error) {
	out = filepath.Clean(out)
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	temporary, err := atomicfile.NewFolder(filepath.Dir(out), "import")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, temporary.Remove()) }() // removes what is left of the folder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(temporary.Path, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, files[name], 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(temporary.Path, 0o755); err != nil {
		return err
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) { // removes an empty folder
		return err
	}
	return os.Rename(temporary.Path, out)
}
