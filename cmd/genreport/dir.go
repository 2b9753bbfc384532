package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
)

// folders returns the settings that concern folders.
func (c settings) folders() press.Settings {
	return press.Settings{Cache: c.cacheFolder(), Anew: c.anew}
}

// pressSettings returns all settings of a build, with functions that show its progress.
func (c settings) pressSettings(s command.Streams) press.Settings {
	set := c.folders()
	set.Dir, set.Only, set.NoRun, set.Known = c.Dir, c.Only, c.runsNothing(), own.Explorables
	set.Parameters, set.Live = c.Param, c.WithLive
	set.Explorables = press.Explorables(c.Explorables)
	set.Doing = func(what string) func() { return s.StartProgress(what, 0, false).Stop }
	set.Running = (&phases{streams: s}).doing
	set.Warn = func(message string) error {
		_, err := fmt.Fprintf(s.Err, "genreport: warning: %s\n", message)
		return err
	}
	return set
}

// book returns the book to build: this program's own book or, if a folder is named, a book with the words of that
// folder.
func (c *settings) book() book.Book {
	if c.Dir == "" {
		return own
	}
	f, err := folder.Read(c.Dir, own.Explorables)
	if err != nil {
		return book.Book{} // the build reports the error
	}
	return book.Book{Words: f.Words()}
}

// checkOwnFlags returns an error for flags that only our own book has.
func (c *settings) checkOwnFlags() error {
	for i, p := range c.parameters {
		if len(c.parameterFlags.texts(i)) > 0 {
			return command.Usagef("--%s: the report in %s has no such parameter: leave the flag out", p.Name, c.Dir)
		}
	}
	if c.Notebooks != "" {
		return command.Usagef("--notebooks %s: the notebooks of the folder %s are its pages: leave the flag "+
			"out", c.Notebooks, c.Dir)
	}
	return nil
}

// readFolder reads the folder of a report, and sets its parameters.
func (c *settings) readFolder() (*folder.Folder, error) {
	f, err := press.Settings{Dir: c.Dir, Known: own.Explorables, Parameters: c.Param}.Read()
	return f, unread(c.Dir, err)
}

// readFolder reads the folder of a report. If the folder does not exist or has no pages, the error is a user error.
func readFolder(dir string) (*folder.Folder, error) {
	set := press.Settings{Dir: dir, Known: own.Explorables}
	if ownRepository(dir) != "" {
		set.Others = press.OtherTexts(own)
	}
	f, err := set.Read()
	return f, unread(dir, err)
}

// unread returns an error with advice if a folder is not a report.
func unread(dir string, err error) error {
	var none *press.NoPages
	var parameter press.WrongParameter
	switch {
	case err == nil:
		return nil
	case errors.As(err, &parameter):
		return command.Usage(err)
	case errors.As(err, &none):
		return command.Usagef("%w: write one, or begin a folder with 'genreport new'", none)
	case errors.Is(err, fs.ErrNotExist):
		return command.Usagef("%s: there is no such folder: create one with 'genreport new'", dir)
	}
	return command.Usage(fmt.Errorf("%w: name the folder of a report", err))
}

// press checks the flags and the cache, and returns the press for the folder's report.
func (c *settings) press(s command.Streams) (*press.Press, error) {
	if err := c.checkOwnFlags(); err != nil {
		return nil, err
	}
	if err := c.secureCache(s); err != nil {
		return nil, err
	}
	return press.New(c.pressSettings(s)), nil
}

// folderDraft is the report of a folder, as a draft for a refresher.
type folderDraft struct {
	*press.Press
	dir string
}

// Build builds the report.
func (d folderDraft) Build(ctx context.Context, _ []lesson.Lesson, _ string) (site.Tree, error) {
	tree, err := d.Press.Build(ctx)
	return tree, d.withAdvice(err)
}

// BuildOnly builds the whole report, which is fast enough for a folder.
func (d folderDraft) BuildOnly(ctx context.Context, l []lesson.Lesson, kernel string, _ []string) (site.Tree, error) {
	return d.Build(ctx, l, kernel)
}

// lessons runs the changed cells.
func (d folderDraft) lessons(ctx context.Context) (book.Options, error) {
	runs, err := d.RunAll(ctx)
	if err == nil && !runs {
		return book.Options{}, errNothingToRun
	}
	return book.Options{}, d.withAdvice(err)
}

// withAdvice adds advice to an error of the press.
func (d folderDraft) withAdvice(err error) error {
	var none *press.NoPages
	var parameter press.WrongParameter
	if errors.As(err, &none) || errors.As(err, &parameter) || errors.Is(err, fs.ErrNotExist) {
		return unread(d.dir, err)
	}
	return temporary(err)
}

// phases shows what long work is doing: the name of a part that takes a long time, or otherwise the text usual.
type phases struct {
	streams command.Streams
	usual   string

	mu    sync.Mutex
	now   string // the text that is shown; "" when no work is being done
	shown *command.Progress
}

func (p *phases) begin() { p.show(p.usual) }
func (p *phases) end()   { p.show("") }

// doing shows the name of a part of the work until done is called.
func (p *phases) doing(what string) (done func()) {
	before := p.show(what)
	return func() { p.show(before) }
}

// show shows another text, or nothing for "", and returns the previous text.
func (p *phases) show(what string) (before string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if before = p.now; before != "" {
		p.shown.Stop()
	}
	if p.now = what; what != "" {
		p.shown = p.streams.StartProgress(what, 0, false)
	}
	return before
}

// pagesLeft is the error of a build that left out pages with faults.
type pagesLeft struct{ error }

func (p *pagesLeft) Unwrap() error { return p.error }

// orNil returns the error as an interface that is nil if p is nil.
func (p *pagesLeft) orNil() error {
	if p == nil {
		return nil
	}
	return p
}

// buildFolder builds the report of a folder. It prints each fault on a line. With --keep-going it leaves out the
// pages with faults; the error is then a *pagesLeft.
func buildFolder[R site.Tree | []byte](
	ctx context.Context,
	s command.Streams,
	c settings,
	by func(context.Context, book.Book, book.Options) (R, error),
) (R, string, error) {
	p, err := c.press(s)
	if err != nil {
		return nil, "", err
	}
	defer p.Close()
	f, err := c.readFolder()
	if err != nil {
		return nil, "", err
	}
	if err := p.Validate(f); err != nil {
		return nil, "", command.Usage(err)
	}
	made, err := press.Make(ctx, p, f, c.KeepGoing, by)
	if err := tellNotes(s, made.Notes); err != nil {
		return nil, "", err
	}
	faults := tellFaults(s, f, made.Faults, c.KeepGoing)
	switch {
	case err != nil:
		return nil, "", temporary(err)
	case made.Left:
		return made.Built, f.Summary(made.Ran), &pagesLeft{faults}
	}
	return made.Built, f.Summary(made.Ran), faults
}

// mostTold is the maximum number of faults that are printed.
const mostTold = 200

// tellFaults prints the faults of a folder, and returns an error with their number, or nil if there are none.
func tellFaults(s command.Streams, f *folder.Folder, faults site.Errors, keepGoing bool) error {
	if len(faults) == 0 {
		return nil
	}
	for _, fault := range faults[:min(len(faults), mostTold)] {
		shown := faultOf(fault, f.Sources())
		fmt.Fprintln(s.Err, command.Line(shown.Place+" "+shown.Message))
	}
	if rest := len(faults) - mostTold; rest > 0 {
		fmt.Fprintf(s.Err, "and %d more\n", rest)
	}
	rest := "nothing is written"
	if keepGoing {
		rest = "the pages with faults are left out"
	}
	return command.Usagef("%s: %s, %s: correct %s as described above",
		f.Name, plural.Count(len(faults), "fault"), rest, plural.Of(len(faults), "it", "them"))
}
