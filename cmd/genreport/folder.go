package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/book"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/folder"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/program"
	"github.com/siegebook/siegebook/report/site"
)

// book returns what is built: this program's own book, or if a folder is named the words of that one.
func (c *settings) book() book.Book {
	if c.Dir == "" {
		return own
	}
	f, err := folder.Read(c.Dir, own.Explorables)
	if err != nil {
		return book.Book{} // a build says why
	}
	return book.Book{Words: f.Words()}
}

// checkOwnFlags refuses the flags of our own book.
func (c *settings) checkOwnFlags() error {
	for i, p := range c.parameters {
		if len(c.parameterFlags.texts(i)) > 0 {
			return command.Usagef("--%s: the report in %s has no such parameter: leave it out", p.Name, c.Dir)
		}
	}
	if c.Notebooks != "" {
		return command.Usagef("--notebooks %s: those of the folder %s are its pages: leave it out", c.Notebooks, c.Dir)
	}
	return nil
}

// readFolder reads the folder of a report, and sets its parameters. A parameter that cannot be set is the user's error.
func (c *settings) readFolder() (*folder.Folder, error) {
	f, err := readFolder(c.Dir)
	if err != nil {
		return nil, err
	}
	return f, command.Usage(f.SetParameters(c.Param))
}

// readFolder reads the folder of a report. A folder that is not there, or has no pages, is the user's error.
func readFolder(dir string) (*folder.Folder, error) {
	f, err := folder.Read(dir, own.Explorables)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, command.Usagef("%s: there is no such folder: 'genreport new' begins one", dir)
	case err != nil:
		return nil, command.Usage(fmt.Errorf("%w: name the folder of a report", err))
	case f.Pages() == 0 && len(f.Faults()) == 0:
		said := ""
		for _, other := range append(f.Notes(), f.LeftOut()) {
			if other != "" {
				said += "; " + other
			}
		}
		return nil, command.Usagef("%s: it has no page, no file .md, .markdown or .ipynb%s: write one, or begin a "+
			"folder with 'genreport new'", dir, said)
	}
	return f, nil
}

// press makes a report of a folder. It is kept while the folder is written, so that what does not change is asked once.
type press struct {
	settings *settings
	streams  command.Streams
	options  book.Options

	finding sync.Mutex // of the library
	library string

	mu     sync.Mutex // of what follows
	kernel *ownKernel
	work   phases
	runner lesson.Runner
	ready  bool // the cells have been run before
}

// newPress checks the flags and opens the cache.
func newPress(s command.Streams, c *settings) (*press, error) {
	if err := c.checkOwnFlags(); err != nil {
		return nil, err
	}
	if err := c.secureCache(s); err != nil {
		return nil, err
	}
	return &press{
		settings: c, streams: s, work: phases{streams: s, usual: "running the cells"}, options: book.Options{
			Only: c.Only, Program: programSum(), Cache: c.openCache(), Memo: new(site.Memo),
		},
	}, nil
}

func (p *press) close() {
	if p.kernel != nil {
		p.kernel.close()
	}
}

// course returns the notebooks of a folder as a course. They run in our kernel, with the packages of the library and of
// the folder's own module.
func (p *press) course(f *folder.Folder, programs program.Program) (lesson.Course, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kernel == nil {
		kernel, err := newOwnKernel(p.settings.cacheFolder(), p.library, f.Module(), cellImports, p.work.doing)
		if err != nil {
			return lesson.Course{}, err
		}
		p.kernel = &kernel
		p.runner = &lesson.Programs{
			Program: programs,
			Kernel:  &lesson.Kernel{Own: p.kernel.spec, Ready: p.kernel.modules, Foreign: true, KeepGoing: true},
		}
	}
	return lesson.Course{
		Module: p.library, OwnModule: f.Module(), Cache: p.options.Cache,
		Runner: p.runner,
	}, nil
}

// run runs the cells of a folder, and returns of how many pages. With kept it only takes results from the cache.
func (p *press) run(ctx context.Context, f *folder.Folder, kept bool) (ran int, err error) {
	if p.settings.runsNothing() || !f.Runs() {
		return 0, nil
	}
	if !kept {
		p.work.begin()
		defer p.work.end()
	}
	runner, err := p.runners(ctx, f)
	if err != nil {
		return 0, err
	}
	runner.Kept = kept
	return f.Run(ctx, runner, p.options.Wants)
}

// pagesFolder is the name of the folder for the programs of pages, in the folder of the cache.
const pagesFolder = "pages"

// runners returns what runs the cells of a folder.
func (p *press) runners(ctx context.Context, f *folder.Folder) (folder.Runner, error) {
	library, err := p.findLibrary(ctx)
	if err != nil {
		return folder.Runner{}, err
	}
	programs, err := p.settings.programs(library, f.Module(), f.Name)
	programs.Keep = f.Keeps()
	return folder.Runner{
		Program: programs, Course: func() (lesson.Course, error) { return p.course(f, programs) },
	}, err
}

// programs returns what makes programs of the cells in a folder. They can import packages of the library and of another
// module.
func (c *settings) programs(library, module, dir string) (program.Program, error) {
	work := c.cacheFolder()
	if work != "" {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			return program.Program{}, err
		}
		work = filepath.Join(work, pagesFolder, fmt.Sprintf("%x", sha256.Sum256([]byte(absolute)))[:16])
	}
	return program.Program{
		Library: library, Module: module, Work: work, Cache: c.openCache(),
		Get: func(ctx context.Context) error {
			_, err := jupyter.GetModules(ctx, jupyter.SetupOptions{
				Repo: library, Module: module, Imports: []string{cellImports},
			})
			return err
		},
	}, nil
}

// findLibrary returns the folder of this module, which it looks for once.
func (p *press) findLibrary(ctx context.Context) (_ string, err error) {
	p.finding.Lock()
	defer p.finding.Unlock()
	if p.library == "" {
		p.library, err = findLibrary(ctx, p.settings.Dir)
	}
	return p.library, err
}

// phases shows what long work does at the moment: what is usual, or a part of it that takes long.
type phases struct {
	streams command.Streams
	usual   string

	mu    sync.Mutex
	now   string // what is shown, "" outside of the work
	shown *command.Progress
}

func (p *phases) begin() { p.show(p.usual) }
func (p *phases) end()   { p.show("") }

// doing shows a part of the work until it is done.
func (p *phases) doing(what string) (done func()) {
	before := p.show(what)
	return func() { p.show(before) }
}

// show shows something else, or with "" nothing, and returns what was shown.
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

// runAll is what a desk does about cells: it runs those that have changed. The error says what fails.
func (p *press) runAll(ctx context.Context) (book.Options, error) {
	f, err := p.settings.readFolder()
	if err != nil {
		return book.Options{}, err
	}
	_, err = p.run(ctx, f, false)
	p.mu.Lock()
	p.ready = p.ready || err == nil
	p.mu.Unlock()
	if err != nil {
		return book.Options{}, err
	}
	if faults := f.CellFaults(); len(faults) > 0 {
		return book.Options{}, faults
	}
	return book.Options{}, nil
}

// Build makes the report for a desk, with the results that there are.
func (p *press) Build(ctx context.Context, _ []lesson.Lesson, _ string) (site.Tree, error) {
	f, err := p.settings.readFolder()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	ready := p.ready
	p.mu.Unlock()
	if ready {
		if _, err := p.run(ctx, f, true); err != nil {
			return nil, err
		}
	}
	b := f.Book()
	options, err := p.complete(ctx, f, b)
	if err != nil {
		return nil, err
	}
	tree, err := book.Build(ctx, b, options)
	var more site.Errors
	if err != nil && !errors.As(err, &more) {
		return nil, err
	}
	if faults := f.Faults(more...); len(faults) > 0 {
		return nil, faults
	}
	return tree, nil
}

// Part is Build: a folder is soon built.
func (p *press) BuildOnly(ctx context.Context, l []lesson.Lesson, kernel string, _ []string) (site.Tree, error) {
	return p.Build(ctx, l, kernel)
}

// complete adds the kernel to the options, and what the pages of the book ask, which it compiles.
func (p *press) complete(ctx context.Context, f *folder.Folder, b book.Book) (o book.Options, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o = p.options
	if p.ready && p.kernel != nil {
		o.Kernel = p.kernel.built()
	}
	set := b.Explorables
	set.Modules = slices.DeleteFunc(slices.Clone(set.Modules), func(m explore.Module) bool {
		return m.Name == folder.PagesModule
	})
	if p.settings.Explorables == "off" || len(b.Explorables.Modules) == 0 {
		return o, nil
	}
	o.Engines = explore.Engines{}
	if len(set.Modules) > 0 {
		library, err := p.findLibrary(ctx)
		if err != nil {
			return o, err
		}
		if o.Engines, err = p.settings.compileEngines(ctx, p.streams, set, library); err != nil || o.Engines == nil {
			return o, err
		}
	}
	if len(f.Engine()) > 0 {
		o.Engines[folder.PagesModule] = f.Engine()
	}
	return o, nil
}

// pagesLeft is the error of a build that leaves out the pages with faults.
type pagesLeft struct{ error }

func (p *pagesLeft) Unwrap() error { return p.error }

// orNil returns the error, nil if there is none.
func (p *pagesLeft) orNil() error {
	if p == nil {
		return nil
	}
	return p
}

// buildFolder builds the report of a folder. It prints all faults, each in a line. With --keep-going it leaves out the
// pages with faults; the error is then a *pagesLeft.
func buildFolder[R site.Tree | []byte](
	ctx context.Context,
	s command.Streams,
	c settings,
	by func(context.Context, book.Book, book.Options) (R, error),
) (R, string, error) {
	p, err := newPress(s, &c)
	if err != nil {
		return nil, "", err
	}
	defer p.close()
	f, err := c.readFolder()
	if err != nil {
		return nil, "", err
	}
	if err := f.Book().Validate(p.options); err != nil {
		return nil, "", command.Usage(err)
	}
	ran, err := p.run(ctx, f, false)
	if err != nil {
		return nil, "", err
	}
	b := f.Book()
	p.ready = true
	options, err := p.complete(ctx, f, b)
	if err != nil {
		return nil, "", err
	}
	progress := s.StartProgress("building the report", 0, false)
	built, err := by(ctx, b, options)
	progress.Stop()
	for _, note := range f.Notes() {
		if err := s.Note("%s", command.Line(note)); err != nil {
			return nil, "", err
		}
	}
	faults, err := tellFaults(s, f, err, c.KeepGoing)
	if err == nil || len(faults) == 0 || !c.KeepGoing || !f.LeaveOut(faults) {
		return built, f.Summary(ran), err
	}
	b = f.Book()
	if options, more := p.complete(ctx, f, b); more != nil {
		return nil, "", more
	} else if built, more = by(ctx, b, options); more != nil {
		return nil, "", err
	}
	return built, f.Summary(ran), &pagesLeft{err}
}

// mostTold bounds how many faults are told.
const mostTold = 200

// tellFaults prints and returns the faults of a folder and of its build, with an error that counts them. It returns any
// other error of the build.
func tellFaults(s command.Streams, f *folder.Folder, err error, keepGoing bool) (site.Errors, error) {
	var more site.Errors
	if err != nil && !errors.As(err, &more) {
		return nil, err
	}
	for _, fault := range more {
		text, err := readSource(f.Sources(), fault.File)
		if lines := strings.Split(text, "\n"); err == nil && fault.Column == 0 && fault.Cell == "" && 0 < fault.Line &&
			fault.Line <= len(lines) {
			start, _ := mark(lines[fault.Line-1], 0, fault.Msg)
			fault.Column = start + 1
		}
	}
	faults := f.Faults(more...)
	if len(faults) == 0 {
		return nil, nil
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
	return faults, command.Usagef("%s: %s, %s: mend %s as said above",
		f.Name, plural.Count(len(faults), "fault"), rest, plural.Of(len(faults), "it", "them"))
}

// ownModule is the path of this module.
const ownModule = "github.com/siegebook/siegebook"

// isLibrary says whether a folder holds this module.
func isLibrary(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "cmd", "genreport", "folder.go"))
	return dir != "" && err == nil
}

// libraryVariable names a clone for programs that do not know where they come from.
const libraryVariable = "SIEGEBOOK_REPO"

// findLibrary returns the folder of this module, whose packages cells import: that of the clone which the environment
// names, or in which the report or the user is; that from which this program was built; or, in the module cache, this
// program's version.
func findLibrary(ctx context.Context, dir string) (string, error) {
	_, source, _, _ := runtime.Caller(0)
	candidates := []string{os.Getenv(libraryVariable), jupyter.FindRepository(dir), jupyter.FindRepository(".")}
	if filepath.IsAbs(source) {
		candidates = append(candidates, filepath.Dir(filepath.Dir(filepath.Dir(source))))
	}
	for _, candidate := range candidates {
		if isLibrary(candidate) {
			return candidate, nil
		}
	}
	info, ok := debug.ReadBuildInfo()
	var reason error
	if ok && info.Main.Path == ownModule && strings.HasPrefix(info.Main.Version,
		"v") && !strings.Contains(info.Main.Version, "+") {
		found, err := jupyter.Download(ctx, ownModule, info.Main.Version)
		if err == nil {
			return found, nil
		}
		reason = err
	}
	if spec, err := jupyter.FindKernelspec(jupyter.ProjectKernel); err == nil && isLibrary(spec.Repo()) {
		return spec.Repo(), nil
	}
	if reason != nil {
		return "", fmt.Errorf("%w; or name a clone of siegebook by %s", reason, libraryVariable)
	}
	return "", errors.New("the packages that cells import are not here: run this within a clone of siegebook, " +
		"name one by " + libraryVariable + ", or install this program by 'go install " +
		"" + ownModule + "/cmd/genreport@latest'")
}
