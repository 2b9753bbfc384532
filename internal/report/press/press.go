// Package press makes the report of a folder: it reads the folder, runs its cells, compiles the modules, and builds the
// book. Package report and the command genreport build with [Make] and publish with [Target]. The package does not
// print anything or parse flags.
package press

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/live"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

// Settings specifies how to make a report.
type Settings struct {
	// Dir is the folder of the report; "" if there is none.
	Dir string
	// Name identifies the folder's programs in the cache. It is meant for folders whose path changes from build to
	// build. If it is "", the path is used.
	Name string
	// Library is the folder of this module; "" means the folder that FindLibrary returns.
	Library string
	// Only is the field Only of book.Options.
	Only []string
	// Cache is the folder of the cache; "" means none. If Anew is true, only the kernel comes from the cache, and all
	// results are computed again.
	Cache string
	Anew  bool
	// Parameters maps parameters of cells to their values; see folder.SetParameters.
	Parameters map[string]string
	// Live lets readers edit and run cells.
	Live bool
	// NoRun means that no cells are run.
	NoRun bool
	// Explorables is one of Auto, On and Off.
	Explorables Explorables
	// Known are the explorables that pages may name.
	Known explore.Set
	// Others lists files of the folder that a build leaves out.
	Others []string

	// Doing, if not nil, is called with the name of each long step, and returns a function to call at its end. Running
	// is called in the same way for running the cells, and for the parts of that step. Warn, if not nil, is called with
	// one line about what is missing from the report.
	Doing, Running func(what string) (over func())
	Warn           func(message string) error
}

// Explorables specifies whether readers can play with figures.
type Explorables string

const (
	Auto Explorables = "auto" // they can if Go is installed
	On   Explorables = "on"
	Off  Explorables = "off"
)

// These folders are inside the cache's folder, like compile.Folder.
const (
	KernelFolder = "jupyter"
	pagesFolder  = "pages" // the programs of pages
)

// CellImports is the pattern of the library's packages that cells import.
const CellImports = "./notebooks/..."

// Secure returns an error if other users could put files into the cache folder, such as a kernel that we would start.
func (s Settings) Secure() error {
	if s.Cache == "" {
		return nil
	}
	return cache.Secure(s.Cache, KernelFolder, compile.Folder, pagesFolder)
}

// OpenCache opens the cache. If the folder cannot be used, builds only take longer.
func (s Settings) OpenCache() *cache.Cache {
	if s.Anew {
		return nil
	}
	return cache.Open(s.Cache)
}

// EngineFolder returns the folder that stores engines, or "" if there is none.
func (s Settings) EngineFolder() string {
	if s.Cache == "" || s.Anew {
		return ""
	}
	return filepath.Join(s.Cache, compile.Folder)
}

// Compile compiles the engines of explorables in a repository. Without Go, it warns and returns no engines, or returns
// an error if explorables are required.
func (s Settings) Compile(ctx context.Context, set explore.Set, repository string) (explore.Engines, error) {
	over := s.doing("compiling the engine of the explorables")
	engines, err := compile.All(ctx, set, repository, s.EngineFolder())
	over()
	if errors.Is(err, compile.ErrNoGo) && s.Explorables == Auto {
		missing := err
		err = nil
		if s.Warn != nil {
			err = s.Warn(fmt.Sprintf("all figures are static drawings: %v", missing))
		}
	}
	return engines, err
}

func (s Settings) doing(what string) (over func()) {
	if s.Doing == nil {
		return func() {}
	}
	return s.Doing(what)
}

func (s Settings) running(what string) (over func()) {
	if s.Running == nil {
		return func() {}
	}
	return s.Running(what)
}

// Programs returns a program.Program for a folder. Cells import the packages of the library, and of the module unless
// it is "".
func (s Settings) Programs(library, module, dir string) (program.Program, error) {
	work := s.Cache
	if work != "" {
		name := s.Name
		if name == "" {
			var err error
			if name, err = filepath.Abs(dir); err != nil {
				return program.Program{}, err
			}
		}
		work = filepath.Join(work, pagesFolder, fmt.Sprintf("%x", sha256.Sum256([]byte(name)))[:16])
	}
	var mu sync.Mutex // notebooks are built at the same time
	got := false
	return program.Program{
		Library: library, Module: module, Work: work, Cache: s.OpenCache(),
		Get: func(ctx context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			if got {
				return nil
			}
			imports := []string{CellImports}
			if inside := inLibrary(library, s.Dir); inside != "" {
				imports = append(imports, inside)
			}
			_, err := jupyter.GetModules(ctx, jupyter.SetupOptions{Repo: library, Module: module, Imports: imports})
			got = err == nil
			return err
		},
	}, nil
}

// inLibrary returns the pattern of the packages in dir, if dir is a folder inside the library, because its pages may
// import them. Otherwise it returns "".
func inLibrary(library, dir string) string {
	here, err1 := filepath.Abs(dir)
	root, err2 := filepath.Abs(library)
	rel, err3 := filepath.Rel(root, here)
	if dir == "" || errors.Join(err1, err2, err3) != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return "./" + filepath.ToSlash(rel) + "/..."
}

// NoPages is the error for a folder without pages. Seen lists notes about files that could have been pages.
type NoPages struct {
	Dir  string
	Seen []string
}

func (e *NoPages) Error() string {
	said := e.Dir + ": the folder has no pages (.md, .markdown or .ipynb files)"
	for _, seen := range e.Seen {
		said += "; " + seen
	}
	return said
}

// WrongParameter is the error for a parameter that cannot be set.
type WrongParameter struct{ error }

// Read reads the folder, and sets its parameters. The error is *NoPages, WrongParameter, fs.ErrNotExist, or another
// error that occurred while reading.
func (s Settings) Read() (*folder.Folder, error) { return s.readBy(folder.Read) }

func (s Settings) readBy(
	read func(name string, explorables explore.Set, others ...string) (*folder.Folder, error),
) (*folder.Folder, error) {
	f, err := read(s.Dir, s.Known, s.Others...)
	if err != nil {
		return nil, err
	}
	if f.Pages() > 0 || len(f.Faults()) > 0 {
		if err := f.SetParameters(s.Parameters); err != nil {
			return nil, WrongParameter{err}
		}
		return f, nil
	}
	none := &NoPages{Dir: s.Dir}
	for _, seen := range append(f.Notes(), f.LeftOut()) {
		if seen != "" {
			none.Seen = append(none.Seen, seen)
		}
	}
	return nil, none
}

// Press makes the report of a folder. The preview uses one Press while an author writes, so that unchanged parts are
// not computed again.
type Press struct {
	settings Settings
	options  book.Options
	texts    folder.Memo // of the preview

	finding sync.Mutex // guards library
	library string

	mu     sync.Mutex // guards the fields below
	kernel *Kernel
	runner *lesson.Programs
	ready  bool                  // the cells have been run before
	kit    kit                   // the kit of the folder's pages; empty until they have run
	memos  map[string]*site.Memo // the memos of translations, by their folders
}

// kit holds the files that live pages need to run cells; see live.Kit.
type kit struct {
	pages []program.Page // the pages whose cells readers can edit
	made  *explore.Live
	left  map[string]program.Fault
}

// New returns a press. The caller must close it.
func New(s Settings) *Press {
	return &Press{settings: s, options: book.Options{
		Only: s.Only, Program: ProgramSum(), Cache: s.OpenCache(), Memo: new(site.Memo),
	}}
}

// Close stops the kernel, if there is one.
func (p *Press) Close() {
	if p.kernel != nil {
		p.kernel.Close()
	}
}

// Validate returns an error if the settings are not valid for the folder.
func (p *Press) Validate(f *folder.Folder) error { return f.Book().Validate(p.options) }

// course returns the notebooks of a folder as a course. They run in the project's own kernel, with the packages of the
// library and of the folder's own module.
func (p *Press) course(f *folder.Folder, programs program.Program) (lesson.Course, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kernel == nil {
		kernel, err := NewKernel(KernelSettings{
			Cache: p.settings.Cache, Library: p.library, Module: f.Module(), Imports: CellImports,
			Explorables: p.settings.Known, Doing: p.settings.Running,
		})
		if err != nil {
			return lesson.Course{}, err
		}
		p.kernel = kernel
		p.runner = &lesson.Programs{
			Program: programs,
			Kernel:  &lesson.Kernel{Own: p.kernel.Spec, Ready: p.kernel.Modules, Foreign: true, KeepGoing: true},
		}
	}
	return lesson.Course{
		Module: p.library, OwnModule: f.Module(), Cache: p.options.Cache,
		Runner: p.runner,
	}, nil
}

// run runs the cells of a folder, and returns the number of pages that were run. If kept is true, results come only
// from the cache.
func (p *Press) run(ctx context.Context, f *folder.Folder, kept bool) (ran int, err error) {
	return p.runWanted(ctx, f, kept, p.options.Wants)
}

func (p *Press) runWanted(
	ctx context.Context, f *folder.Folder, kept bool, wants func(slug string) bool,
) (ran int, err error) {
	if p.settings.NoRun || !f.Runs() && !p.settings.Live {
		return 0, nil
	}
	if !kept && p.settings.Running != nil {
		defer p.settings.Running("running the cells")()
	}
	runner, err := p.runners(ctx, f, kept)
	if err != nil {
		return 0, err
	}
	return f.Run(ctx, runner, wants)
}

// runners returns the runner for the cells of a folder. If kept is true, the runner uses only earlier results and the
// earlier kit of live pages.
func (p *Press) runners(ctx context.Context, f *folder.Folder, kept bool) (folder.Runner, error) {
	library, err := p.findLibrary(ctx)
	if err != nil {
		return folder.Runner{}, err
	}
	programs, err := p.settings.Programs(library, f.Module(), f.Name)
	programs.Keep = f.Keeps()
	runner := folder.Runner{
		Program: programs, Course: func() (lesson.Course, error) { return p.course(f, programs) }, Kept: kept,
	}
	if p.settings.Live {
		runner.Live = func(ctx context.Context, pages []program.Page) (*explore.Live, map[string]program.Fault, error) {
			return p.liveKit(ctx, programs, pages, kept)
		}
	}
	return runner, err
}

// liveKit makes the kit of live pages. If kept is true, it returns the earlier kit, if there is one.
func (p *Press) liveKit(ctx context.Context, programs program.Program, pages []program.Page, kept bool) (
	*explore.Live, map[string]program.Fault, error,
) {
	p.mu.Lock()
	before := p.kit
	p.mu.Unlock()
	if kept && before.made != nil {
		return before.made, before.left, nil
	}
	over := p.settings.running("compiling Go for live pages")
	made, left, err := live.Kit(ctx, programs, pages)
	over()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kit = kit{pages, made, left}
	return made, left, err
}

// findLibrary returns the folder of this module. It looks for the folder only once.
func (p *Press) findLibrary(ctx context.Context) (_ string, err error) {
	p.finding.Lock()
	defer p.finding.Unlock()
	if p.library = cmp.Or(p.library, p.settings.Library); p.library == "" {
		p.library, err = FindLibrary(ctx, p.settings.Dir)
	}
	return p.library, err
}

// RunAll runs the cells that have changed, for the preview. It reports whether the folder has anything to run.
func (p *Press) RunAll(ctx context.Context) (runs bool, err error) {
	f, err := p.settings.readBy(p.texts.Read)
	if err != nil {
		return false, err
	}
	runs = p.settings.Live || slices.ContainsFunc(f.Translations(), (*folder.Folder).Runs)
	_, err = p.runAll(ctx, f, false)
	p.mu.Lock()
	p.ready = p.ready || err == nil
	p.mu.Unlock()
	if err != nil {
		return runs, err
	}
	if faults := f.CellFaults(); len(faults) > 0 {
		return runs, faults
	}
	return runs, nil
}

// Build makes the report for the preview, with the results so far.
func (p *Press) Build(ctx context.Context) (site.Tree, error) {
	f, err := p.settings.readBy(p.texts.Read)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	ready := p.ready
	p.mu.Unlock()
	if ready {
		if _, err := p.runAll(ctx, f, true); err != nil {
			return nil, err
		}
	}
	tree, err := p.buildAll(ctx, f, book.Build)
	var more site.Errors
	if err != nil && !errors.As(err, &more) {
		return nil, err
	}
	if faults := f.Faults(more...); len(faults) > 0 {
		return nil, faults
	}
	return tree, nil
}

// runAll runs the cells of a folder and of its translations.
func (p *Press) runAll(ctx context.Context, f *folder.Folder, kept bool) (ran int, err error) {
	for _, t := range f.Translations() {
		n, err := p.run(ctx, t, kept)
		if ran += n; err != nil {
			return ran, err
		}
	}
	return ran, nil
}

// buildAll builds the site of a folder. Its translations become folders of the site.
func (p *Press) buildAll(
	ctx context.Context, f *folder.Folder, by func(context.Context, book.Book, book.Options) (site.Tree, error),
) (site.Tree, error) {
	var all site.Tree
	var faults site.Errors
	for _, v := range f.Volumes() {
		options, err := p.complete(ctx, v.Folder, v.Book)
		if err != nil {
			return nil, err
		}
		if options.Memo != nil && v.Dir != "" {
			options.Memo = p.memo(v.Dir)
		}
		over := p.settings.doing("building the report")
		tree, err := by(ctx, v.Book, options)
		over()
		var more site.Errors
		switch {
		case errors.As(err, &more):
			faults = append(faults, more...)
		case err != nil:
			return nil, err
		case v.Dir == "":
			all = tree
		}
		if v.Dir != "" && all != nil {
			for name, data := range tree {
				all[path.Join(v.Dir, name)] = data
			}
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return all, nil
}

// memo returns the memo of the translation in dir.
func (p *Press) memo(dir string) *site.Memo {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.memos == nil {
		p.memos = map[string]*site.Memo{}
	}
	if p.memos[dir] == nil {
		p.memos[dir] = new(site.Memo)
	}
	return p.memos[dir]
}

// complete adds the kernel and the engines to the options. It compiles the engines that the pages of the book need.
func (p *Press) complete(ctx context.Context, f *folder.Folder, b book.Book) (o book.Options, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o = p.options
	if p.ready && p.kernel != nil && p.runner.WantsKernel() {
		o.Kernel = p.kernel.Built()
	}
	set := b.Explorables
	set.Modules = slices.DeleteFunc(slices.Clone(set.Modules), func(m explore.Module) bool {
		return m.Name == folder.PagesModule
	})
	if p.settings.Explorables == Off || len(b.Explorables.Modules) == 0 && b.Explorables.Live == nil {
		return o, nil
	}
	o.Engines = explore.Engines{}
	if len(set.Modules) > 0 {
		library, err := p.findLibrary(ctx)
		if err != nil {
			return o, err
		}
		if o.Engines, err = p.settings.Compile(ctx, set, library); err != nil || o.Engines == nil {
			return o, err
		}
	}
	if len(f.Engine()) > 0 {
		o.Engines[folder.PagesModule] = f.Engine()
	}
	return o, nil
}

// Made contains the results of a build.
type Made[R site.Tree | []byte] struct {
	Folder *folder.Folder
	Built  R
	// Ran is the number of pages whose cells were run now.
	Ran int
	// Notes are hints, one line each, about things that the author may not have intended.
	Notes []string
	// Faults lists all faults of the folder. Their columns are in bytes.
	Faults site.Errors
	// Whole reports whether Built is the whole report. Left reports whether pages with faults were left out of Built.
	// If both are false, nothing was built.
	Whole, Left bool
}

// Make builds the report of a folder with by, a function of package book. If keepGoing is true, it leaves out the pages
// with faults, unless there are faults elsewhere. Faults of the folder are not errors; the error is anything else that
// stops a build.
func Make[R site.Tree | []byte](
	ctx context.Context, p *Press, f *folder.Folder, keepGoing bool,
	by func(context.Context, book.Book, book.Options) (R, error),
) (m Made[R], err error) {
	m.Folder = f
	p.options.Memo = nil // the memo holds all pages, and only the next build of a preview would use it
	run := p.run
	if _, ok := any(m.Built).(site.Tree); ok {
		run = p.runAll
	}
	if m.Ran, err = run(ctx, f, false); err != nil {
		return m, err
	}
	p.ready = true
	built, err := build(ctx, p, f, by)
	m.Notes = f.Notes()
	var more site.Errors
	if err != nil && !errors.As(err, &more) {
		return m, err
	}
	for _, fault := range more {
		Point(fault, f.Sources())
	}
	if m.Faults = f.Faults(more...); len(m.Faults) == 0 {
		m.Built, m.Whole = built, true
		return m, nil
	}
	if !keepGoing || !f.LeaveOut(m.Faults) {
		return m, nil
	}
	built, err = build(ctx, p, f, by)
	switch {
	case errors.As(err, &more):
		return m, nil // the other pages have a fault that has been reported, or that leaving pages out has caused
	case err != nil:
		return m, err
	}
	m.Built, m.Left = built, true
	return m, nil
}

// build completes the options and calls by.
func build[R site.Tree | []byte](
	ctx context.Context, p *Press, f *folder.Folder, by func(context.Context, book.Book, book.Options) (R, error),
) (built R, err error) {
	if byTree, ok := any(by).(func(context.Context, book.Book, book.Options) (site.Tree, error)); ok {
		tree, err := p.buildAll(ctx, f, byTree)
		return any(tree).(R), err
	}
	b := f.Book()
	options, err := p.complete(ctx, f, b)
	if err != nil {
		return built, err
	}
	defer p.settings.doing("building the report")()
	return by(ctx, b, options)
}
