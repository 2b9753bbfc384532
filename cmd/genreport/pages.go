package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

// ownRepository returns the repository of a folder if the folder holds this program's own book, else "".
func ownRepository(dir string) string {
	if !own.Cells || dir == "" {
		return ""
	}
	repo := jupyter.FindRepository(dir)
	named, err1 := os.Stat(dir)
	folder, err2 := os.Stat(filepath.Join(repo, filepath.FromSlash(own.Folder)))
	if repo == "" || err1 != nil || err2 != nil || !os.SameFile(named, folder) {
		return ""
	}
	return repo
}

// ownLibrary returns the repository with the pages and packages of the program's own book: the repository whose folder
// the user has named, or else the working folder, or else the result of press.FindLibrary.
func (c settings) ownLibrary(ctx context.Context) (string, error) {
	switch {
	case c.repo != "":
		return c.repo, nil
	case repository() != nil:
		return os.Getwd()
	}
	return press.FindLibrary(ctx, "")
}

// ownPages runs the pages with cells of this program's own book.
type ownPages struct {
	press   *press.Press
	lessons string // the folder of the notebooks; "" if no notebooks are run
}

// pages returns the pages with cells of the program's own book.
func (c settings) pages(ctx context.Context, s command.Streams) (ownPages, error) {
	if !own.Cells {
		return ownPages{}, nil
	}
	library, err := c.ownLibrary(ctx)
	if err != nil {
		return ownPages{}, err
	}
	set := c.pressSettings(s)
	set.Library = library
	set.Dir, set.NoRun = filepath.Join(library, filepath.FromSlash(own.Folder)), c.NoRun
	if here, err := os.Getwd(); err == nil && here == library {
		set.Dir = filepath.FromSlash(own.Folder) // messages use this path
	}
	lessons := c.folder()
	if c.runsNothing() {
		lessons = ""
	}
	return ownPages{press.New(set), lessons}, nil
}

// close stops the programs that run the cells.
func (p ownPages) close() {
	if p.press != nil {
		p.press.Close()
	}
}

// add runs the cells with the chosen values of the book's parameters. It returns the book with the pages, and the
// engines including the module that the pages use.
func (p ownPages) add(ctx context.Context, s command.Streams, o book.Options) (book.Book, explore.Engines, error) {
	engines := o.Engines
	if p.press == nil {
		return own, engines, nil
	}
	full, f, err := p.press.AddPages(ctx, own, o.Settings)
	if err != nil {
		return own, nil, flagged(temporary(err))
	}
	if module := f.Engine(); len(module) > 0 && engines != nil {
		engines = maps.Clone(engines)
		engines[folder.PagesModule] = module
	}
	return full, engines, tellFaults(s, f, f.Faults(), false)
}

// move enables the controls of lessons. It returns the book and the options with the necessary additions, and notes.
func (p ownPages) move(ctx context.Context, b book.Book, o book.Options) (book.Book, book.Options, []string, error) {
	if p.press == nil || p.lessons == "" || o.Engines == nil {
		return b, o, nil, nil
	}
	b, lessons, engine, notes, err := p.press.Move(ctx, b, o.Lessons, p.lessons)
	if err != nil {
		return b, o, nil, temporary(err)
	}
	if o.Lessons = lessons; len(engine) > 0 {
		o.Engines = maps.Clone(o.Engines)
		o.Engines[press.LessonsModule] = engine
	}
	return b, o, notes, nil
}

// pagesDraft runs the cells of the program's own book before it builds a draft.
type pagesDraft struct {
	*book.Draft
	pages   ownPages
	options book.Options // the options without lessons
}

// full returns the draft of the book with its pages, and the lessons with controls that move. If the pages have faults,
// the error contains them.
func (d pagesDraft) full(ctx context.Context, lessons []lesson.Lesson) (*book.Draft, []lesson.Lesson, error) {
	full, f, err := d.pages.press.AddPages(ctx, own, d.options.Settings)
	if err != nil {
		return nil, nil, flagged(temporary(err))
	}
	if faults := f.Faults(); len(faults) > 0 {
		return nil, nil, faults
	}
	o := d.options
	o.Lessons = lessons
	full, o, _, err = d.pages.move(ctx, full, o)
	return d.With(full, o.Engines), o.Lessons, err
}

// Build builds the report.
func (d pagesDraft) Build(ctx context.Context, lessons []lesson.Lesson, kernel string) (site.Tree, error) {
	full, lessons, err := d.full(ctx, lessons)
	if err != nil {
		return nil, err
	}
	return full.Build(ctx, lessons, kernel)
}

// BuildOnly builds some of the pages.
func (d pagesDraft) BuildOnly(
	ctx context.Context, lessons []lesson.Lesson, kernel string, only []string,
) (site.Tree, error) {
	full, lessons, err := d.full(ctx, lessons)
	if err != nil {
		return nil, err
	}
	return full.BuildOnly(ctx, lessons, kernel, only)
}
