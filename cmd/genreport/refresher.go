package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/site"
)

// draft has the methods of book.Draft that a refresher needs.
type draft interface {
	Build(ctx context.Context, lessons []lesson.Lesson, kernel string) (site.Tree, error)
	BuildOnly(ctx context.Context, lessons []lesson.Lesson, kernel string, only []string) (site.Tree, error)
}

// unplayed is a draft whose engines are not compiled yet. Until they are compiled, its explorables are drawings,
// because compiling takes longer than a reader waits for a page.
type unplayed struct {
	drawn draft
	whole func(context.Context) (draft, error) // returns the draft with its engines
}

func (u unplayed) Build(ctx context.Context, lessons []lesson.Lesson, kernel string) (site.Tree, error) {
	whole, err := u.whole(ctx)
	if err != nil {
		return nil, err
	}
	return whole.Build(ctx, lessons, kernel)
}

func (u unplayed) BuildOnly(
	ctx context.Context, lessons []lesson.Lesson, kernel string, only []string,
) (site.Tree, error) {
	return u.drawn.BuildOnly(ctx, lessons, kernel, only)
}

// refresher keeps a preview up to date with the sources. All its work happens in the goroutine of run, except for the
// runs of notebooks, which take seconds and must not delay changes of texts.
type refresher struct {
	compute func(context.Context) (draft, error) // called first, and when a file named by a flag changes
	// lessons runs the changed notebooks. It sets only Lessons and Kernel, or returns errNothingToRun.
	lessons func(context.Context) (book.Options, error)
	// texts is the folder of the repository; nil if the texts are embedded in the program.
	texts   fs.FS
	preview *preview
	log     func(string)

	draft   draft
	broken  error          // the reason why there is no draft
	options book.Options   // the newest lessons
	failed  error          // the error of the newest notebooks
	runs    sync.WaitGroup // the runs of notebooks, including cancelled ones; run waits for all
}

// run builds the report, and rebuilds it after each change, until the context is done.
func (d *refresher) run(ctx context.Context, first book.Options, changes <-chan change) {
	d.options = first
	var err error
	if d.draft, err = d.compute(ctx); err != nil {
		if ctx.Err() == nil {
			d.refuse(fmt.Errorf("%w; correct it, and start genreport serve again", err))
		}
		<-ctx.Done()
		return
	}
	d.first(ctx)
	var results <-chan lessonResult
	cancel := func() {}
	defer func() { cancel(); d.runs.Wait() }()
	start := func() {
		cancel()
		results, cancel = d.start(ctx)
	}
	start()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-changes:
			if c.notebooks {
				cancel()
			}
			if c.files {
				d.draft, d.broken = d.compute(ctx)
			}
			if c.texts || c.files { // before the notebooks, because somebody waits for the texts
				d.build(ctx)
			}
			if c.notebooks {
				start()
			}
		case r := <-results:
			results = nil
			if errors.Is(r.err, errNothingToRun) {
				if d.failed == nil {
					break // the report has been built from the texts
				}
				r.err = nil
			}
			if d.failed = r.err; r.err == nil {
				d.options = r.options
			}
			d.build(ctx)
		}
	}
}

// first builds the report for the first time. If somebody asks for a page that does not exist yet, the build stops so
// that all cores build this page. Then the build continues from what it has already computed.
func (d *refresher) first(ctx context.Context) {
	options := d.options
	var shown []string // the pages that the preview already has
	for {
		whole, stop := context.WithCancel(ctx)
		built := make(chan struct{})
		go func() {
			defer close(built)
			d.build(whole)
		}()
		select {
		case <-built:
			stop()
			return
		case slug := <-d.preview.asked:
			stop()
			<-built
			pages := slices.Clone(shown)
			if slug != "index" && !slices.Contains(pages, slug) {
				pages = append(pages, slug)
			}
			part := pages
			if len(part) == 0 {
				part = []string{"index"}
			}
			// Faults are reported when the whole report is built.
			if tree, err := d.draft.BuildOnly(ctx, options.Lessons, options.Kernel, part); err == nil {
				shown = pages
				d.preview.lend(tree)
			}
		}
	}
}

// errNothingToRun means that a book has no cells.
var errNothingToRun = errors.New("there is nothing to run")

type lessonResult struct {
	options book.Options
	err     error
}

// start runs the changed notebooks. The returned channel gets the result, unless the function is called to cancel the
// run.
func (d *refresher) start(ctx context.Context) (<-chan lessonResult, func()) {
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan lessonResult)
	d.runs.Go(func() {
		options, err := d.lessons(ctx)
		select {
		case results <- lessonResult{options, err}:
		case <-ctx.Done():
		}
	})
	return results, cancel
}

// build builds an edition from the newest texts and lessons, and publishes it.
func (d *refresher) build(ctx context.Context) {
	begin := time.Now()
	tree, err := d.try(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		d.refuse(err)
	case d.failed != nil:
		d.preview.publish(tree, faultsOf(d.failed, d.texts))
		d.log(d.failed.Error())
	default:
		before := d.preview.current().tree
		d.preview.publish(tree, nil)
		d.log(fmt.Sprintf("%s in %d ms", changes(before, tree), time.Since(begin).Milliseconds()))
	}
}

// try builds the draft. A panic is a bug in genreport, but does not remove the existing pages.
func (d *refresher) try(ctx context.Context) (tree site.Tree, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a bug in genreport, please report it: %v", r)
		}
	}()
	if d.broken != nil {
		return nil, d.broken
	}
	return d.draft.Build(ctx, d.options.Lessons, d.options.Kernel)
}

// refuse shows an error above the last good pages.
func (d *refresher) refuse(err error) {
	faults := faultsOf(err, d.texts)
	if d.failed != nil {
		faults = append(faults, faultsOf(d.failed, d.texts)...)
	}
	d.preview.publish(nil, faults)
	d.log(err.Error())
}

// changes returns a description of the pages that differ between two reports. It ignores the search page.
func changes(before, after site.Tree) string {
	var pages []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if slug, ok := strings.CutSuffix(name, ".html"); ok && slug != "search" &&
			!bytes.Equal(before[name], after[name]) {
			pages = append(pages, slug)
		}
	}
	switch {
	case len(pages) == 0:
		return "no page has changed"
	case len(pages) <= 3:
		return "changed " + strings.Join(pages, ", ")
	}
	return fmt.Sprintf("changed %d pages", len(pages))
}
