// Genreport renders the report: a folder of static HTML pages that need no network, and need scripts only for search.
//
//	genreport [build] [--out site] [the parameters of the book] [--only chapter,...] [--single FILE.html | --epub FILE.epub | --pdf FILE.pdf] [--notebooks DIR]
//	genreport check [--out site | --single FILE.html] [the flags of build]
//	genreport serve [--addr 127.0.0.1:8000] [the flags of build]
//	genreport new DIR
//	genreport build|check|serve DIR [-p [page/]name=value] [the flags of build]
//	genreport import FILE|FOLDER --out DIR
//	genreport vet [--out FOLDER] DIR [TOOL...]
//	genreport fmt DIR
//	genreport notebooks export|import PAGE.md...
//	genreport notebooks run|check|strip [FILE...] [--out DIR] [-p name=value] [--kernel NAME] [--timeout 60s]
//	genreport notebooks new NAME
//	genreport kernel install|uninstall|check
//
// build computes everything anew, or takes it from the cache if the same program has built the same report before. It
// puts the folder in place at the end. A build that fails or is interrupted leaves the last good report unchanged.
//
// With a folder, build creates a report from the folder's Markdown pages with Go cells and its notebooks. new creates
// such a folder, and import creates one from existing texts.
//
// serve shows the report in a browser while its author is writing: pages that an edit changes reload themselves and
// show faults.
//
// notebooks runs notebooks without Python, in any installed kernel; kernel installs the Go kernel in which our
// notebooks run.
//
// check computes a report anew with the parameters, chapters and lessons in its stamp. It compares the result with the
// report on disk, lists the differences, and exits with code 1 if there are any. If the build was given a survey, check
// also recomputes the survey, or the battles that the seed draws from it.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

func main() {
	// With 60, a book of 1,000 pages takes 280 MB. With the default of 100 it takes 370 MB, and a tenth less processor
	// time. The environment variable GOGC applies only to the compilers that a build starts.
	debug.SetGCPercent(60)
	command.Main("genreport", execute)
}

const description = "Builds a report as static HTML from Markdown pages and notebooks, and runs their Go code."

// commands is the grammar of the command line.
type commands struct {
	Build buildCommand `cmd:"" default:"withargs" help:"Build the report (the default command)."`
	Check checkCommand `cmd:"" help:"Compute a report again, following its stamp, and list the differences from the report on disk."`

	Serve serveCommand `cmd:"" help:"Show the report in a browser while you write it."`
	New   newCommand   `cmd:"" help:"Begin a report of your own: a folder with a page, a notebook with a map, and a claim."`

	Import importCommand `cmd:"" help:"Convert Markdown and notebooks written for other programs to a report of your own."`

	Vet vetCommand `cmd:"" help:"Check the cells of a report of your own with gofmt, and with go vet or another tool."`
	Fmt fmtCommand `cmd:"" help:"Format the cells of a report of your own, as gofmt does."`

	Notebooks notebookCommands `cmd:"" help:"Run, check or strip notebooks."`
	Kernel    kernelCommands   `cmd:"" help:"Install the Go kernel that notebooks run in."`

	command.Common
}

// own is the book that this program builds unless a folder is named: see siegebook.go.
var own book.Book

// ownExamples are the examples about the program's own book in the help of build.
var ownExamples string

func execute(ctx context.Context, args []string, s command.Streams) error {
	var grammar commands
	for _, c := range []*settings{&grammar.Build.settings, &grammar.Check.settings, &grammar.Serve.settings} {
		c.parameterFlags = newParameterFlags(own.Parameters())
	}
	return command.Grammar{
		Name: "genreport", Description: description, Commands: &grammar,
	}.Execute(ctx, args, s)
}

// settings are the flags that determine the content of a report.
type settings struct {
	Dir string `arg:"" optional:"" placeholder:"DIR" help:"Folder of a report of your own, as genreport new creates it (default: this repository's report)."`
	lessonFlags
	explorableFlags
	parameterFlags
	Only  []string   `placeholder:"CHAPTER" help:"Write only these chapters: the name of a page, or the common beginning of several names. An unknown name lists all names."`
	Param paramFlags `short:"p" placeholder:"[PAGE/]NAME=VALUE" help:"Replace a parameter's value in a report of your own, on all pages or on one; may be repeated."`
	Cache string     `placeholder:"DIR" help:"Folder of the cache (default: in the user's cache folder); \"off\" for none."`
	// KeepGoing is a flag of build.
	KeepGoing bool `kong:"-"`
	// WithLive is the flag --live of build.
	WithLive bool `kong:"-"`
	anew     bool // recompute results instead of taking them from the cache; the cached kernel may be used
	// repo is the repository of this program's own book if Dir names this book, else "".
	repo string
}

// AfterApply replaces the folder of this program's own book with the book itself.
func (c *settings) AfterApply() error {
	if c.repo = ownRepository(c.Dir); c.repo != "" {
		c.Dir = ""
	}
	return nil
}

// options returns all options of the build except Program. Any error is a user error. options also secures the cache.
func (c *settings) options(ctx context.Context, s command.Streams) (book.Options, error) {
	if len(own.Pages) == 0 {
		return book.Options{}, command.Usagef("genreport was built without a book of its own: name the folder of a " +
			"report")
	}
	if err := c.Param.refuse(parameterNames()); err != nil {
		return book.Options{}, err
	}
	chosen, err := c.parameterFlags.settings(ctx)
	if err != nil {
		return book.Options{}, err
	}
	options := book.Options{Settings: chosen, Only: c.Only}
	if err := own.Validate(firstPass(options)); err != nil {
		return options, command.Usage(err)
	}
	if err := c.checkFolder(); err != nil {
		return options, err
	}
	if err := c.secureCache(s); err != nil {
		return options, err
	}
	options.Cache, options.Texts = c.folders().OpenCache(), repository()
	return options, nil
}

// secureCache returns an error for a cache folder that others can write to, because they could, for example, replace a
// kernel that we start. If the user did not name the folder, secureCache turns the cache off.
func (c *settings) secureCache(s command.Streams) error {
	err := c.folders().Secure()
	switch {
	case err == nil:
		return nil
	case c.Cache != "":
		return fmt.Errorf("--cache: %w", err)
	}
	c.Cache = "off"
	_, err = fmt.Fprintf(s.Err, "genreport: warning: continuing without a cache, which takes longer: %v "+
		"(--cache)\n", err)
	return err
}

// firstPass returns the options without the names of lessons, which are not known before the notebooks are read.
func firstPass(options book.Options) book.Options {
	options.Only = slices.DeleteFunc(slices.Clone(options.Only),
		func(name string) bool { return strings.HasPrefix(name, "lesson-") })
	return options
}

// cacheFolder returns the folder of the cache, or "" for none.
func (c settings) cacheFolder() string {
	switch c.Cache {
	case "off":
		return ""
	case "":
		folder, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(folder, "siegebook")
	}
	return c.Cache
}

// outFlag names the folder of the report.
type outFlag struct {
	Out string `default:"site" placeholder:"DIR" help:"Folder of the report."`
}

func (f outFlag) validate() error {
	if f.Out == "" {
		return command.Usagef("--out is empty: name the folder of the report, such as site")
	}
	return nil
}

type buildCommand struct {
	settings
	outFlag
	KeepGoing bool   `help:"If pages of a report of your own have faults, write the other pages. The exit code stays 2."`
	Single    string `placeholder:"FILE.html|-" help:"Write the whole report as one self-contained file instead of a folder; - for standard output."`
	EPUB      string `name:"epub" placeholder:"FILE.epub|-" help:"Write the whole report as an e-book instead of a folder; - for standard output."`
	Live      bool   `help:"Let readers edit the Go code of pages and run it in the page, without a network. The report grows by some 30 MB, which are loaded when a reader first edits a cell."`
	PDF       string `name:"pdf" placeholder:"FILE.pdf|-" help:"Print the whole report with Chromium or Chrome, with a title page and contents, instead of writing a folder; - for standard output."`
	Force     bool   `help:"Move a folder with other files or changed pages aside, and write a new one; with --single, --epub or --pdf, overwrite any file."`
}

// oneFile is a report in one file: its flag, the file, and the function that creates the report.
type oneFile struct {
	flag, name string
	target     atomicfile.Target
	by         func(context.Context, book.Book, book.Options) ([]byte, error)
}

// oneFile returns the report in one file that the flags ask for, or nil for a folder.
func (c *buildCommand) oneFile() (*oneFile, error) {
	var chosen *oneFile
	for _, e := range []*oneFile{
		{"--single", c.Single, press.SingleFile(c.Single, c.Force), book.BuildSingle},
		{"--epub", c.EPUB, press.EPUBFile(c.EPUB, c.Force), book.BuildEPUB},
		{"--pdf", c.PDF, press.PDFFile(c.PDF, c.Force), book.BuildPDF},
	} {
		switch {
		case e.name == "":
		case chosen != nil:
			return nil, command.Usagef("%s and %s: a build writes only one of them: leave one out, or build twice",
				chosen.flag, e.flag)
		default:
			chosen = e
		}
	}
	if c.EPUB+c.PDF != "" {
		c.Explorables = string(press.Off) // the figures are drawings
	}
	return chosen, nil
}

// one writes the report as one file. It replaces an old file only when the new file is complete.
func (c *buildCommand) one(ctx context.Context, s command.Streams, e *oneFile) error {
	streamed := e.target.IsStdout()
	if !streamed {
		if err := e.target.Check(); err != nil {
			return unwritable(e.flag, e.name, err)
		}
	}
	page, ran, err := build(ctx, s, c.settings, e.by)
	var left *pagesLeft
	if err != nil && !errors.As(err, &left) {
		return err
	}
	said := s
	if streamed {
		said.Out = s.Err
		_, err = s.Out.Write(page)
	} else {
		err = e.target.Write(page, 0o644)
	}
	if err != nil {
		return unwritable(e.flag, e.name, err)
	}
	err = said.Say("wrote %s: %.1f MB, SHA-256 %x%s", e.name, float64(len(page))/1e6, sha256.Sum256(page), ran)
	return cmp.Or(err, left.orNil())
}

// Help returns the additional text for --help.
func (*buildCommand) Help() string {
	return `Build computes everything, or takes results from the cache if the same program has built the same report before. It replaces the
folder at the end, so a build that fails leaves the last report unchanged. If the folder contains files that siegebook did not write,
or that were changed, use --force, which moves the folder aside. The folder keeps its owner and permissions, and all pages get the
owner and the permissions of the front page.

Examples:
  genreport                                       the report, in site/
` + ownExamples + `  genreport build --single report.html            the whole report as one file
  genreport build --epub report.epub              the whole report as an e-book
  genreport build --pdf report.pdf                the whole report on paper, printed with Chromium or Chrome
  genreport build course --out course-site        a report of your own, from the folder course
  genreport build theirs --no-run                 a report by others, without running its code`
}

// Run builds and publishes the report.
func (c *buildCommand) Run(ctx context.Context, s command.Streams) error {
	if c.settings.KeepGoing = c.KeepGoing; c.KeepGoing && c.Dir == "" {
		return command.Usagef("--keep-going: this flag is only for the report of a folder: name the folder, or leave " +
			"the flag out")
	}
	if err := c.checkLive(); err != nil {
		return err
	}
	switch e, err := c.oneFile(); {
	case err != nil:
		return err
	case e != nil:
		return c.one(ctx, s, e)
	}
	if err := c.outFlag.validate(); err != nil {
		return err
	}
	if c.Dir != "" && press.Holds(c.Out, c.Dir) {
		return command.Usagef(
			"--out %s: the folder contains the pages of the report, which would be moved aside: name another "+
				"folder", c.Out,
		)
	}
	target, err := press.NewTarget(c.Out, c.Force)
	if err != nil {
		return unwritable("--out", c.Out, err)
	}
	tree, ran, err := build(ctx, s, c.settings, target.Build)
	var left *pagesLeft
	if err != nil && !errors.As(err, &left) {
		return err
	}
	if err := target.Put(ctx, tree); err != nil {
		return unwritable("--out", c.Out, err)
	}
	if target.Moved != "" {
		if err := s.Say("moved the old folder, which contains files that siegebook did not write, to %s",
			target.Moved); err != nil {
			return err
		}
	}
	return cmp.Or(s.Say("wrote %s: %d files, %.1f MB%s", filepath.Join(c.Out, "index.html"), target.Sums.Files,
		float64(target.Sums.Bytes)/1e6, ran), left.orNil())
}

// build computes the report with by, a function of package book, and returns text that describes what was run.
func build[R site.Tree | []byte](
	ctx context.Context,
	s command.Streams,
	c settings,
	by func(context.Context, book.Book, book.Options) (R, error),
) (R, string, error) {
	if c.Dir != "" {
		return buildFolder(ctx, s, c, by)
	}
	options, err := c.options(ctx, s)
	if err != nil {
		return nil, "", err
	}
	pages, err := c.pages(ctx, s)
	if err != nil {
		return nil, "", err
	}
	defer pages.close()
	if options, err = c.prepare(ctx, s, options); err != nil {
		return nil, "", err
	}
	b, engines, err := pages.add(ctx, s, options)
	if err != nil {
		return nil, "", err
	}
	options.Engines = engines
	var notes []string
	if b, options, notes, err = pages.move(ctx, b, options); err != nil {
		return nil, "", err
	}
	if err := tellNotes(s, notes); err != nil {
		return nil, "", err
	}
	if c.WithLive && pages.press != nil {
		if b, options.Lessons, err = c.live(ctx, s, pages, b, options.Lessons); err != nil {
			return nil, "", err
		}
	}
	progress := s.StartProgress("building the report", 0, false)
	defer progress.Stop()
	built, err := by(ctx, b, options)
	return built, runs(options.Lessons), flagged(err)
}

// flagged adds the name of the flag to the error of a setting.
func flagged(err error) error {
	var setting *chapter.SettingError
	if errors.As(err, &setting) {
		return command.Usage(fmt.Errorf("--%s: %w", setting.Name, setting.Err))
	}
	return err
}

// prepare compiles the engines, reads the program and runs the notebooks concurrently, because each of them often
// waits for a single process. It shows the progress of the notebooks. Then it prints any warning about the engines.
func (c settings) prepare(ctx context.Context, s command.Streams, options book.Options) (book.Options, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var said bytes.Buffer
	var engines explore.Engines
	var read []byte
	var failed error
	var beside sync.WaitGroup
	beside.Go(func() {
		if engines, failed = c.engine(ctx, command.Streams{Err: &said, Quiet: true}); failed != nil {
			cancel()
			return
		}
		read = press.ProgramSum()
	})
	prepared, err := c.complete(ctx, s, options)
	beside.Wait()
	if failed != nil {
		return options, failed
	}
	prepared.Engines, prepared.Program = engines, read
	_, lost := said.WriteTo(s.Err)
	return prepared, cmp.Or(err, lost)
}

// unwritable adds the name of the flag and advice to an error of the file system. If another name or flag would help,
// the error is a user error.
func unwritable(flag, path string, err error) error {
	if atomicfile.Refused(err) {
		return command.Usage(fmt.Errorf("%s %s: %w", flag, path, err))
	}
	return command.Unwritable(flag, path, err)
}
