package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/report/explore"
)

// pageFiles are the pages that a command works on.
type pageFiles struct {
	Files []string `arg:"" name:"page" help:"Pages, or their notebooks."`
	Force bool     `help:"Replace a file that was changed in the meantime."`
}

type notebooksExport struct{ pageFiles }

// Help returns the additional text for --help.
func (*notebooksExport) Help() string {
	return `Export writes PAGE.ipynb next to PAGE.md, with the cells of the page and the text between them. The notebook is not a page of the
report. Import writes the changes of the notebook to the page; if nothing was changed, the page stays the same.`
}

// Run writes a notebook into the folder of each page.
func (c *notebooksExport) Run(ctx context.Context, s command.Streams) error {
	convert := func(name string, page []byte) ([]byte, error) {
		notebook, err := folder.Export(page)
		return notebook, cmp.Or(err, sameMeaning(ctx, s, name, name, page, nil))
	}
	return c.each(s, ".md", ".ipynb", convert, func(old, made []byte) error {
		if page, err := folder.Import(old); err != nil || !folder.IsExport(old) || !folder.ExportOf(old, page) {
			return errors.New("the notebook has changes that the page lacks: import them with " +
				"'genreport notebooks import', or export with --force")
		}
		return nil
	}, func(string, []byte) error { return nil })
}

type notebooksImport struct{ pageFiles }

// Run writes the page of each notebook.
func (c *notebooksImport) Run(ctx context.Context, s command.Streams) error {
	var notebook []byte
	convert := func(name string, data []byte) ([]byte, error) {
		notebook = data
		page, err := folder.Import(data)
		if err != nil {
			return nil, err
		}
		n, err := jupyter.Parse(data)
		return page, cmp.Or(err, sameMeaning(ctx, s, name, strings.TrimSuffix(name, ".ipynb")+".md", page, n))
	}
	ours := func(old, _ []byte) error {
		if !folder.ExportOf(notebook, old) {
			return errors.New("the page was changed after the notebook was written: move the page away, or import " +
				"with --force")
		}
		return nil
	}
	done := func(stem string, page []byte) error {
		renewed := folder.Renewed(notebook, page)
		if !folder.IsExport(notebook) || bytes.Equal(renewed, notebook) {
			return nil
		}
		target := atomicfile.Target{Name: stem + ".ipynb", Ours: func(there *os.File) error {
			now, err := limitedread.Read(there, there.Name(), maxCopy)
			if err == nil && !bytes.Equal(now, notebook) {
				err = errors.New("the file was changed while it was being read: import it again")
			}
			return err
		}}
		return target.Write(renewed, 0o644) // so that the next import recognizes the page
	}
	return c.each(s, ".ipynb", ".md", convert, ours, done)
}

// each converts each file whose name ends with from to a file whose name ends with to. If an older file must not be
// replaced, ours returns the reason.
func (c *pageFiles) each(
	s command.Streams, from, to string, convert func(name string, data []byte) ([]byte, error),
	ours func(old, made []byte) error, done func(stem string, made []byte) error,
) error {
	for _, name := range c.Files {
		stem := strings.TrimSuffix(strings.TrimSuffix(name, ".md"), ".ipynb")
		if stem == name {
			return command.Usagef("%s: this is not a page: name a file *.md", name)
		}
		data, err := limitedread.ReadFile(stem+from, maxCopy)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return command.Usagef("%s: there is no such file: name an existing one", stem+from)
		case err != nil:
			return command.Usage(err)
		}
		made, err := convert(stem+from, data)
		if err != nil {
			return command.Usage(fmt.Errorf("%s: %w", stem+from, err))
		}
		target := atomicfile.Target{Name: stem + to, Ours: func(there *os.File) error {
			old, err := limitedread.Read(there, there.Name(), maxCopy)
			switch {
			case err != nil:
				return err
			case c.Force || bytes.Equal(old, made):
				return nil
			}
			if err := ours(old, made); err != nil {
				return atomicfile.Refuse("%w", err)
			}
			return nil
		}}
		if err := target.Write(made, 0o644); err != nil {
			return unstripped(stem+to, err)
		}
		if err := done(stem, made); err != nil {
			return unstripped(stem+from, err)
		}
		if err := s.Say("%s: written from %s", stem+to, filepath.Base(stem+from)); err != nil {
			return err
		}
	}
	return nil
}

// sameMeaning prints where a page and its notebook would differ, in messages that name the given file. If there are
// any, it returns an error, and the caller does not write the other file.
func sameMeaning(
	ctx context.Context, s command.Streams, file, page string, text []byte, notebook *jupyter.Notebook,
) error {
	library, err := press.FindLibrary(ctx, filepath.Dir(page))
	if err != nil {
		return err
	}
	programs := program.Program{Library: library, Module: moduleOf(page, library)}
	faults, err := folder.Differences(ctx, programs, page, text, notebook)
	if err != nil || len(faults) == 0 {
		return err
	}
	for _, fault := range faults {
		at := fmt.Sprintf("%s:%d:%d", file, fault.Line, fault.Column)
		if fault.Cell != "" {
			at = fmt.Sprintf("%s: %s, line %d", file, fault.Cell, fault.Line)
		}
		fmt.Fprintln(s.Err, command.Line(at+": "+fault.Msg))
	}
	return errors.New("the page and the notebook would differ, so nothing was written: change the cells as described " +
		"above")
}

// explorableFlags determine whether readers can move figures.
type explorableFlags struct {
	Explorables string `default:"auto" enum:"auto,on,off" help:"on: require explorables, which are figures that readers can change; off: all figures are drawings; auto: on in the folder of the repository, if Go is available to compile the engine of the explorables."`
}

// engine compiles the engines for explorables. It returns nil if there is nothing to compile, or if it cannot be
// compiled.
func (c settings) engine(ctx context.Context, s command.Streams) (explore.Engines, error) {
	if c.Explorables == "off" || len(own.Explorables.Modules) == 0 {
		return nil, nil
	}
	switch missing := press.MissingSource(own.Explorables, "."); {
	case missing != "" && c.Explorables == "on":
		return nil, command.Usagef(
			"--explorables on: the source of the engine is missing (%s): change to the folder of the repository",
			missing,
		)
	case missing != "":
		return nil, nil
	}
	return c.pressSettings(s).Compile(ctx, own.Explorables, ".")
}

// engineFolder returns the folder of compiled engines, or "" for none. A check uses no stored engines.
func (c settings) engineFolder() string { return c.folders().EngineFolder() }
