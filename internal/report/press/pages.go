package press

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/live"
	"github.com/siegebook/siegebook/internal/report/program"
)

// AddPages runs the pages with cells in the folder of a compiled-in book. The press must have been made for that
// folder. Parameters of cells get the values of the book's parameters with the same names. AddPages returns the book
// with the pages, and the folder, which contains the pages' faults and their module. If a page refuses a value, the
// error is a [*chapter.SettingError].
func (p *Press) AddPages(
	ctx context.Context, b book.Book, chosen chapter.Settings,
) (full book.Book, f *folder.Folder, err error) {
	if f, err = folder.Read(p.settings.Dir, p.settings.Known, OtherTexts(b)...); err != nil {
		return b, nil, err
	}
	values := map[string]string{}
	for _, parameter := range b.Parameters() {
		if values[parameter.Name], err = parameter.Normal(chosen.Of(parameter)); err != nil {
			return b, nil, fmt.Errorf("%s: %w", parameter.Name, err)
		}
	}
	if err = f.SetDeclared(values); err != nil {
		return b, nil, err
	}
	if _, err := p.runWanted(ctx, f, false, func(slug string) bool {
		return p.options.Wants(slug) || slices.ContainsFunc(b.Pages, func(own book.Page) bool {
			return p.options.Wants(own.Slug) && slices.Contains(own.Needs, slug)
		})
	}); err != nil {
		return b, nil, err
	}
	for _, refused := range f.Refused() { // the fault is in the flag, not in the page
		return b, nil, &chapter.SettingError{Name: refused.Parameter, Err: errors.New(refused.Message)}
	}
	return b.With(f.Book()), f, nil
}

// Live lets readers edit the cells of lessons that have run. dir is the folder of their notebooks. It returns the
// lessons, and the book with the files that live pages need. A note gives the reason why readers cannot edit the cells
// of a lesson.
func (p *Press) Live(ctx context.Context, b book.Book, lessons []lesson.Lesson, dir string) (
	full book.Book, all []lesson.Lesson, notes []string, err error,
) {
	programs, notebooks, err := p.ofLessons(ctx, lessons, dir)
	if err != nil {
		return b, lessons, nil, err
	}
	pages, err := folder.MakeLive(ctx, programs, program.RunOptions{}, thatRan(notebooks))
	if err != nil {
		return b, lessons, nil, err
	}
	left := map[string]program.Fault{}
	if len(pages) > 0 {
		over := p.settings.running("compiling Go for live pages")
		b.Explorables.Live, left, err = live.Kit(ctx, programs, slices.Concat(p.kit.pages, pages))
		over()
	}
	if err != nil {
		return b, lessons, nil, err
	}
	all = slices.Clone(lessons)
	for i, n := range notebooks {
		if n == nil {
			continue
		}
		if fault, is := left[program.WholeName(n.Slug)]; is {
			n.Live, n.Why = nil, fault.Message
		}
		switch {
		case n.Live != nil:
			all[i] = all[i].WithLive(n.Live)
		case n.Why != "":
			notes = append(notes, fmt.Sprintf("%s: note: readers cannot edit the cells: %s", n.File, n.Why))
		}
	}
	if b.Explorables.Live != nil {
		before := b
		b.Digest = sync.OnceValue(func() []byte {
			kit := sha256.Sum256(before.Explorables.Live.Bytes)
			return slices.Concat(before.Hash(), kit[:])
		})
	}
	return b, all, notes, err
}

// LessonsModule is the name of the module that moves the controls of lessons.
const LessonsModule = "lessons"

// Move lets readers move the controls of lessons that have run. dir is the folder of their notebooks. It returns the
// book with these explorables, the lessons, and the compressed module, which is nil if no control moves. A note gives
// the reason why the controls of a cell do not move.
func (p *Press) Move(ctx context.Context, b book.Book, lessons []lesson.Lesson, dir string) (
	full book.Book, all []lesson.Lesson, engine []byte, notes []string, err error,
) {
	programs, notebooks, err := p.ofLessons(ctx, lessons, dir)
	if err != nil {
		return b, lessons, nil, nil, err
	}
	made, err := folder.MakeMoving(ctx, programs, program.RunOptions{}, thatRan(notebooks), b.Explorables)
	if err != nil {
		return b, lessons, nil, nil, err
	}
	all = slices.Clone(lessons)
	for i, n := range notebooks {
		if n == nil || !n.Moves && len(n.Notes) == 0 {
			continue
		}
		if all[i], err = all[i].WithCells(n.Ran); err != nil {
			return b, lessons, nil, nil, err
		}
		for _, note := range n.Notes {
			notes = append(notes, n.File+": note: "+note)
		}
	}
	b.Explorables = folder.WithControls(b.Explorables, LessonsModule, made)
	return b, all, made.Bytes, notes, nil
}

// ofLessons returns the program that runs lessons, and the notebook of each lesson, or nil for a lesson that has not
// run.
func (p *Press) ofLessons(ctx context.Context, lessons []lesson.Lesson, dir string) (
	programs program.Program, notebooks []*folder.Notebook, err error,
) {
	library, err := p.findLibrary(ctx)
	if err != nil {
		return programs, nil, err
	}
	if programs, err = p.settings.Programs(library, "", dir); err != nil {
		return programs, nil, err
	}
	notebooks = make([]*folder.Notebook, len(lessons))
	for i, l := range lessons {
		if !l.Ran || l.Omit {
			continue
		}
		cells, err := l.Cells()
		if err != nil {
			return programs, nil, err
		}
		notebooks[i] = &folder.Notebook{Notebook: l.Notebook, Ran: cells, Slug: l.Slug, File: l.File(), Dir: dir}
	}
	return programs, notebooks, nil
}

// thatRan returns the notebooks that are not nil.
func thatRan(notebooks []*folder.Notebook) []*folder.Notebook {
	return slices.DeleteFunc(slices.Clone(notebooks), func(n *folder.Notebook) bool { return n == nil })
}

// OtherTexts returns the names of the files in a book's folder that the program itself turns into pages.
func OtherTexts(b book.Book) []string {
	var others []string
	for _, file := range b.TextFiles() {
		others = append(others, strings.TrimPrefix(file, b.Folder+"/"))
	}
	return others
}
