package lesson

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/site"
)

// Course is a folder of notebooks, which are its files *.ipynb in the order of their names.
type Course struct {
	// Dir is the folder, in which the cells also run.
	Dir string
	// Module is the root folder of the Go module whose packages the cells import, or empty if they import none.
	// OwnModule is the root folder of another module whose packages they can import.
	Module, OwnModule string
	// Runner runs the notebooks; nil means that no notebook is run.
	Runner Runner
	// MustRun makes it an error if a notebook cannot be run on this machine. Otherwise the notebook's page has no new
	// outputs and shows a note.
	MustRun bool
	// Skip, if not nil, reports whether the page with the given slug is left out. The page of such a notebook is made
	// without running it, so that other pages can refer to it.
	Skip func(slug string) bool
	// Cache stores the results of runs; nil means no cache.
	Cache *cache.Cache
	// Kept means that results come only from the cache. A notebook without results there is not run.
	Kept bool
	// Warn, if not nil, is called with a line about what is missing from the pages and how to get it.
	Warn func(message string)
}

// Lessons returns the pages in the order of the files. A folder that does not exist has no pages. It returns an error
// for a file that is not a notebook, a [jupyter.CellError] for a cell that fails, the context's error, and, if MustRun
// is set, an error for a missing kernel.
func (c Course) Lessons(ctx context.Context) ([]Lesson, error) {
	notebooks, err := c.read()
	if err != nil || len(notebooks) == 0 {
		return nil, err
	}
	paths := map[string]string{} // maps slugs to the paths of their notebooks
	for _, n := range notebooks {
		if other, twice := paths[n.slug]; twice {
			return nil, fmt.Errorf("%s and %s would both become the page %s.html: rename one", other, n.path, n.slug)
		}
		paths[n.slug] = n.path
	}
	b := &course{Course: c}
	if err := b.openModules(); err != nil {
		return nil, err
	}
	lessons, errs := make([]Lesson, len(notebooks)), make([]error, len(notebooks))
	reasons := make([]error, len(notebooks)) // why each notebook was not run
	var group sync.WaitGroup
	turns := make(chan bool, atOnce)
	var failed atomic.Bool
	for i := 0; i < len(notebooks) && !failed.Load() && ctx.Err() == nil; i++ {
		run, err := b.prepare(ctx, notebooks[i])
		if err != nil {
			errs[i] = fmt.Errorf("%s: %w", notebooks[i].path, err)
			break
		}
		turns <- true
		group.Go(func() {
			r, err := run()
			<-turns
			reasons[i] = r.missing
			if lessons[i], errs[i] = b.lesson(notebooks[i], r, err); errs[i] != nil {
				failed.Store(true)
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil, canceled.Cause(ctx)
	}
	for _, err := range errs { // return the first error in the order of the notebooks, which does not depend on timing
		if err != nil {
			return nil, err
		}
	}
	b.warn(notebooks, reasons)
	return lessons, nil
}

// atOnce is the number of notebooks that run at the same time, so that one can run while the other waits for its
// kernel.
const atOnce = 2

// openModules reads the modules whose packages the cells import.
func (b *course) openModules() error {
	for _, root := range []string{b.Module, b.OwnModule} {
		if root == "" || b.Runner == nil {
			continue
		}
		m, err := gosource.OpenModule(root)
		if err != nil {
			return err
		}
		b.modules = append(b.modules, m)
	}
	return nil
}

// file is a notebook of a course.
type file struct {
	path, file, slug string
	dir              string // the folder in which it runs
	notebook         *jupyter.Notebook
}

func (c Course) read() ([]file, error) {
	entries, err := os.ReadDir(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return ByName(a.Name(), b.Name()) })
	var files []file
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || filepath.Ext(name) != ".ipynb" || strings.HasPrefix(name, ".") {
			continue
		}
		full := filepath.Join(c.Dir, name)
		n, err := jupyter.Read(full)
		if err != nil {
			return nil, err
		}
		files = append(files, file{full, name, Slug(name), c.Dir, n})
	}
	return files, nil
}

// Slug returns the slug of the page of a notebook's file: "01-battle.ipynb" becomes lesson-01-battle.
func Slug(file string) string {
	name := site.Slug(strings.TrimSuffix(filepath.Base(file), ".ipynb"))
	if name == "" {
		return "lesson"
	}
	return "lesson-" + name
}

// course is a Course together with the modules that it has opened.
type course struct {
	Course
	modules []*gosource.Module
}

// ran is the result of a run: the packed cells with their outputs, and whether they were run now. missing is the reason
// why the notebook cannot be run. All fields are empty if the notebook is skipped.
type ran struct {
	executed []byte
	now      bool
	missing  error
}

// lesson returns the lesson for a notebook and its run.
func (b *course) lesson(f file, r ran, err error) (Lesson, error) {
	options := Options{Slug: f.slug, File: f.path}
	var failed *jupyter.CellError
	switch {
	case errors.As(err, &failed):
		placed := *failed
		placed.File = f.path
		return Lesson{}, &placed
	case err != nil:
		return Lesson{}, fmt.Errorf("%s: %w", f.path, err)
	case r.missing != nil && b.MustRun:
		return Lesson{}, fmt.Errorf("%s: cannot be run: %w", f.path, r.missing)
	case r.missing != nil:
		shows := "The cells of this page show no results"
		if HasResults(f.notebook.Cells()) {
			shows = "This page shows the results that are stored in the notebook"
		}
		options.Note = shows + ", because the notebook was not run when the report was built: " +
			"" + r.missing.Error() + "."
	}
	omit := b.skips(f.slug)
	shown := sync.OnceValues(func() ([]jupyter.Cell, error) { return withOutputs(f.notebook, r.executed) })
	return Lesson{
		Slug: f.slug, Omit: omit, Ran: r.executed != nil, RanNow: r.now,
		Notebook: f.notebook, Cells: shown, options: options,
		Digest: sha256.Sum256(fmt.Appendf(
			nil, "%x %x %t %v", sha256.Sum256(f.notebook.Bytes()), sha256.Sum256(r.executed), omit, options,
		)),
		Page: sync.OnceValues(func() (site.Page, error) {
			cells, err := shown()
			page := Page(f.notebook, cells, options)
			page.Omit = omit
			return page, err
		}),
	}, nil
}

func (b *course) skips(slug string) bool { return b.Skip != nil && b.Skip(slug) }

var (
	errNoRunner = errors.New("no run was requested")
	errNotKept  = errors.New("a run is in progress")
)

// prepare returns a function that runs a notebook or returns its known result.
func (b *course) prepare(ctx context.Context, f file) (func() (ran, error), error) {
	known := func(r ran) (func() (ran, error), error) { return func() (ran, error) { return r, nil }, ctx.Err() }
	switch {
	case b.skips(f.slug):
		return known(ran{})
	case f.notebook.CodeCells() == 0:
		return known(ran{executed: []byte{}})
	case b.Runner == nil:
		return known(ran{missing: errNoRunner})
	}
	fingerprint, missing := b.Runner.Fingerprint(ctx, f.notebook)
	if missing != nil {
		return known(ran{missing: missing})
	}
	var packages []byte
	for _, m := range b.modules {
		used, err := used(m, f.notebook)
		if err != nil {
			return nil, err
		}
		packages = append(packages, used...)
	}
	packages = append(packages, sumNamed(f.notebook, f.dir)...)
	runs := keptRuns{b.Cache, fingerprint, packages}
	if b.Kept && !runs.hasResults(f.notebook) {
		return known(ran{missing: errNotKept})
	}
	return func() (r ran, err error) {
		r.executed, r.now, err = runs.run(ctx, f.notebook, b.Runner, f.dir)
		if errors.Is(err, ErrMissing) {
			return ran{missing: err}, ctx.Err()
		}
		return r, err
	}, nil
}

// warn warns about the notebooks that could not be run. It lists notebooks with the same reason in one line.
func (b *course) warn(notebooks []file, reasons []error) {
	files := map[string][]string{}
	var lacks []string
	for i, err := range reasons {
		if err == nil || b.Warn == nil {
			continue
		}
		if files[err.Error()] == nil {
			lacks = append(lacks, err.Error())
		}
		files[err.Error()] = append(files[err.Error()], notebooks[i].file)
	}
	for _, reason := range lacks {
		names := files[reason]
		which := names[0]
		if len(names) > 1 {
			which = fmt.Sprintf("%s and %d more", names[0], len(names)-1)
		}
		b.Warn(fmt.Sprintf("no results on the pages of %s: %s", which, reason))
	}
}
