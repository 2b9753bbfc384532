// Package report builds a static site, called a book, from a folder of Markdown pages with Go cells and of notebooks.
// Everything that a page shows is computed when the site is built: numbers, figures, tables, and claims that stop the
// build if they are false.
//
// [Build] takes the folder as an [fs.FS], such as one that is embedded into a program, or a [testing/fstest.MapFS].
// [BuildDir] takes a folder on the disk by its name. The command genreport builds in the same way:
//
//	result, err := report.BuildDir(ctx, "course", "course-site", report.Options{})
//
// # The folder
//
// Pages are the files *.md, *.markdown and *.ipynb, in the order of their names, in which page 2 comes before page 10.
// A subfolder is a part of the book. The file index.md is the front page; if it is missing, the build makes one. The
// file book.yaml has the title, the author, the language and the colours. One page is enough for a book.
//
// In a page, a block that begins with ```go run is a cell. The cells of a page are one Go program, which runs from top
// to bottom in the folder of the page. `go: n+1` in the text is the value of an expression. Cells can import Go's
// standard library, the packages that a go.mod in the folder requires, and this module's notebooks/show, which shows
// figures, tables, claims and controls. The file docs/book.md of this module describes pages, cells and book.yaml.
//
// # The site
//
// The site is a folder that needs no server and no network. Readers move the controls of a page, such as show.Slider,
// in their browser, because the page contains the author's functions as WebAssembly. With [Options.Single] the site is
// one HTML file.
//
// The same folder gives the same bytes if its cells always compute the same. A build writes the site to a temporary
// folder, which replaces the old site in one step. A build that fails or is cancelled does not change the old site. A
// build does not replace a folder that contains anything other than a site, unless [Options.Force] is set.
//
// # Faults
//
// Build reports all mistakes in the pages as one error of the type [Faults]. It has each fault's file, line, column and
// message, in the order of the book. A fault is anything that makes a page wrong: a cell that the compiler refuses or
// that panics, a claim that is false, a link that leads nowhere.
//
//	var faults report.Faults
//	if errors.As(err, &faults) {
//		for _, f := range faults {
//			log.Printf("%s:%d: %s", f.File, f.Line, f.Message)
//		}
//	}
//
// Any other error is about the build: Go is not installed ([ErrNoGo]), the context has ended, or the site cannot be
// written.
//
// # What a build needs
//
// A build runs the go command, which must be on the PATH, and the Go code of the pages. [Options.NoRun] builds a book
// from an untrusted author without running its code. Cells import this module from its source. A build looks for the
// source in the clone that it runs in, in the folder in which the program was compiled, or in the module cache. The
// environment variable SIEGEBOOK_REPO names another clone. The first build compiles the library, which takes a minute
// or more, and downloads missing modules. With a folder [Options.Cache], later builds are fast.
//
// Package report is the only package of the generator that another module imports directly. Cells import
// notebooks/show, report/figure, report/content and report/pictures.
package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
)

// Options determine how a book is built. The zero value is right for most builds.
type Options struct {
	// Parameters contains values for the cells marked "go run parameters". The name "n" sets the value on all pages
	// that have it, and "06-pairs/n" sets it on one page. Values are written in Go syntax. A name that no page uses is
	// an error.
	Parameters map[string]string
	// NoRun builds the book without running cells. Pages then show a notice, and notebooks show their stored results.
	NoRun bool
	// KeepGoing also writes the pages without faults if other pages have faults. The error is still of the type Faults,
	// and Result.Files says whether the build wrote anything.
	KeepGoing bool
	// Single makes one self-contained HTML file instead of a folder.
	Single bool
	// EPUB makes a single file, an e-book, whose figures do not move.
	EPUB bool
	// PDF makes a single file, printed by an installed Chromium or Chrome, whose figures do not move.
	PDF bool
	// Force replaces a folder that contains files other than a site, or pages that somebody has changed. The folder is
	// moved aside, see Result.Moved. With Single, EPUB or PDF it replaces any file. Messages call this option --force.
	Force bool
	// Cache is a folder that keeps results between builds, such as one in [os.UserCacheDir]. Nobody else may have
	// permission to write to it. It may be removed at any time. If it is "", no results are kept, and each build runs
	// all cells.
	Cache string
	// Progress, if not nil, is called with the name of each long step when the step begins, such as "running the
	// cells".
	Progress func(what string)
}

// Result has what a build returns besides an error.
type Result struct {
	// Files and Bytes are the number of files of the site, and their size. Without a site, both are 0.
	Files int
	Bytes int64
	// Pages is the number of pages in the folder. Ran is the number of pages whose cells were run. The results of other
	// pages came from the cache, or these pages have no cells.
	Pages, Ran int
	// Notes are hints for the author, one line each: about files that look like pages and are not read, or a control
	// that cannot move.
	Notes []string
	// Moved is the new path of the folder that Force has moved aside, or "" if no folder was moved.
	Moved string
	// Site maps slash-separated names to the files of the site if Build was called without an output path. A single
	// file has the name index.html, an e-book book.epub, a PDF book.pdf.
	Site map[string][]byte
}

// Faults lists all faults of a book, in the order of its pages.
type Faults []Fault

// Error returns a line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

// Fault is a mistake at one place of a book.
type Fault struct {
	// File is the path of the file in the book. BuildDir puts the name of the folder before it.
	File string
	// Cell names the cell of a notebook, or is "" for other files. Line counts from the beginning of the cell.
	Cell string
	// Line and Column are numbered from 1, and columns are counted in characters. 0 means that the place is not known.
	Line, Column int
	// Message is one line that says what is wrong and what to do.
	Message string
}

// String returns the fault as compilers print it.
func (f Fault) String() string {
	if f.Cell != "" || f.Line == 0 || f.Column == 0 {
		return (&site.Error{File: f.File, Cell: f.Cell, Line: f.Line, Msg: f.Message}).Error()
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// ErrNoGo is the error of a build that has cells to run but cannot find the go command.
var ErrNoGo = jupyter.ErrNoGo

// Build builds the book in a folder, and writes the site to out. If out is "", nothing is written, and Result.Site
// contains the site.
//
// The folder is copied to a folder for temporary files, in which its cells run. So the cells can read the files next to
// their page, even if source is not on the disk, and the files that they write are removed afterwards. For a folder on
// the disk, [BuildDir] needs no copy.
func Build(ctx context.Context, source fs.FS, out string, o Options) (Result, error) {
	if err := canceled.Cause(ctx); err != nil {
		return Result{}, err
	}
	temp, err := atomicfile.NewFolder("", "siegebook-book")
	if err != nil {
		return Result{}, fmt.Errorf("the book cannot be copied to run its cells: %w", err)
	}
	defer func() { _ = temp.Remove() }()
	dir := filepath.Join(temp.Path, "book")
	if err := os.CopyFS(dir, source); err != nil {
		return Result{}, fmt.Errorf("the book cannot be copied to run its cells: %w", err)
	}
	b := builder{dir: dir, inside: dir + string(filepath.Separator), out: out, Options: o}
	b.name = "a copy for " + cmp.Or(absolute(out), "nowhere")
	return b.build(ctx)
}

// absolute returns an absolute path, or "" for "".
func absolute(name string) string {
	if full, err := filepath.Abs(name); err == nil && name != "" {
		return full
	}
	return name
}

// BuildDir builds as [Build] does, from a folder on the disk. The cells run in that folder.
func BuildDir(ctx context.Context, dir, out string, o Options) (Result, error) {
	if err := canceled.Cause(ctx); err != nil {
		return Result{}, err
	}
	if out != "" && !o.Single && !o.EPUB && !o.PDF && press.Holds(out, dir) {
		return Result{}, fmt.Errorf("the book in %s would be moved aside: write the site to a folder other than %s",
			dir, out)
	}
	return builder{dir: dir, out: out, Options: o}.build(ctx)
}

// builder builds the book in dir.
type builder struct {
	Options
	dir, out string
	// inside is the prefix of file names in a copy. Messages omit it. name identifies the copy in the cache.
	inside, name string
}

func (b builder) build(ctx context.Context) (Result, error) {
	var r Result
	set := press.Settings{
		Dir: b.dir, Name: b.name, Cache: b.Cache, NoRun: b.NoRun, Parameters: b.Parameters, Explorables: press.Auto,
		Warn: func(message string) error { r.Notes = append(r.Notes, message); return nil },
	}
	if b.Progress != nil {
		set.Doing = func(what string) func() { b.Progress(what); return func() {} }
		set.Running = set.Doing
	}
	if err := set.Secure(); err != nil {
		return r, fmt.Errorf("the cache folder: %w", err)
	}
	var err error
	switch {
	case b.EPUB:
		set.Explorables = press.Off
		err = b.one(ctx, set, &r, "book.epub", press.EPUBFile, book.BuildEPUB)
	case b.PDF:
		set.Explorables = press.Off
		err = b.one(ctx, set, &r, "book.pdf", press.PDFFile, book.BuildPDF)
	case b.Single:
		err = b.one(ctx, set, &r, "index.html", press.SingleFile, book.BuildSingle)
	default:
		err = b.folder(ctx, set, &r)
	}
	return r, err
}

// folder builds a site of many files.
func (b builder) folder(ctx context.Context, set press.Settings, r *Result) error {
	if b.out == "" {
		tree, _, err := run(ctx, b, set, r, book.Build)
		r.Site, r.Files, r.Bytes = tree, len(tree), tree.Bytes()
		return err
	}
	target, err := press.NewTarget(b.out, b.Force)
	if err != nil {
		return b.unwritten(err)
	}
	tree, good, err := run(ctx, b, set, r, target.Build)
	if !good {
		return err
	}
	if err := target.Put(ctx, tree); err != nil {
		return b.unwritten(err)
	}
	r.Files, r.Bytes, r.Moved = target.Sums.Files, target.Sums.Bytes, target.Moved
	return err
}

// one builds a book as a single file. name is the file's name in Result.Site.
func (b builder) one(
	ctx context.Context, set press.Settings, r *Result, name string,
	file func(name string, force bool) atomicfile.Target,
	by func(context.Context, book.Book, book.Options) ([]byte, error),
) error {
	target := file(absolute(b.out), b.Force) // the output "-" is a file with this name, not standard output
	if b.out != "" {
		if err := target.Check(); err != nil {
			return b.unwritten(err)
		}
	}
	page, good, err := run(ctx, b, set, r, by)
	switch {
	case !good:
		return err
	case b.out == "":
		r.Site = map[string][]byte{name: page}
	default:
		if err := target.Write(page, 0o644); err != nil {
			return b.unwritten(err)
		}
	}
	r.Files, r.Bytes = 1, int64(len(page))
	return err
}

// unwritten returns an error that names the output that cannot be written.
func (b builder) unwritten(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("the site cannot be written to %s: %w", b.out, err)
}

// run builds with one of the functions of package book, and reports whether there is something to write. If the error
// is Faults, the result lacks the pages with faults.
func run[R site.Tree | []byte](
	ctx context.Context, b builder, set press.Settings, r *Result,
	by func(context.Context, book.Book, book.Options) (R, error),
) (built R, good bool, err error) {
	f, err := set.Read()
	if err != nil {
		return nil, false, b.outside(err)
	}
	r.Pages = f.Pages()
	p := press.New(set)
	defer p.Close()
	made, err := press.Make(ctx, p, f, b.KeepGoing, by)
	r.Ran = made.Ran
	for _, note := range made.Notes {
		r.Notes = append(r.Notes, b.shown(note))
	}
	if left := f.LeftOut(); left != "" {
		r.Notes = append(r.Notes, left)
	}
	if err != nil {
		return nil, false, b.outside(err)
	}
	if len(made.Faults) > 0 {
		err = b.faults(f, made.Faults)
	}
	return made.Built, made.Whole || made.Left, err
}

// shown removes the path of a copy's folder from a text.
func (b builder) shown(text string) string {
	if b.inside == "" {
		return text
	}
	return strings.ReplaceAll(text, b.inside, "")
}

// outside returns an error about the build as a whole. It removes the path of a copy's folder from the text.
func (b builder) outside(err error) error {
	if text := err.Error(); b.inside != "" && strings.Contains(text, b.dir) {
		return &copied{strings.ReplaceAll(b.shown(text), b.dir, "the book"), err}
	}
	return err
}

// copied is an error about a copy, in words for users.
type copied struct {
	text string
	error
}

func (e *copied) Error() string { return e.text }
func (e *copied) Unwrap() error { return e.error }

// faults returns faults in the form that users see.
func (b builder) faults(f *folder.Folder, found site.Errors) Faults {
	texts := map[string][]string{}
	var all Faults
	for _, fault := range found {
		shown := Fault{
			File: filepath.ToSlash(b.shown(fault.File)), Cell: fault.Cell, Line: fault.Line, Column: fault.Column,
			Message: b.shown(fault.Msg),
		}
		if b.inside == "" {
			shown.File = fault.File
		}
		if _, read := texts[fault.File]; !read {
			text, _ := press.ReadSource(f.Sources(), fault.File)
			texts[fault.File] = strings.Split(text, "\n")
		}
		lines := texts[fault.File]
		if column := fault.Column - 1; fault.Cell == "" && 0 < fault.Line && fault.Line <= len(lines) && column > 0 &&
			column <= len(lines[fault.Line-1]) {
			shown.Column = utf8.RuneCountInString(lines[fault.Line-1][:column]) + 1
		}
		all = append(all, shown)
	}
	return all
}
