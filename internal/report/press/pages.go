package press

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/live"
	"github.com/siegebook/siegebook/internal/report/program"
)

// AddPages runs the pages with cells in the folder of a book that is compiled into the program, for a press of this
// folder. Cells with parameters have what was chosen of the book's parameters of these names. It returns the book with
// the pages, and the folder, which has their faults and their module. A value that a page refuses is a
// [*chapter.SettingError].
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
	for _, refused := range f.Refused() { // the flag is wrong, and not the page
		return b, nil, &chapter.SettingError{Name: refused.Parameter, Err: errors.New(refused.Message)}
	}
	return b.With(f.Book()), f, nil
}

// Live lets readers edit the cells of lessons that have run. dir is the folder of their notebooks. It returns the book
// with what that needs, and the lessons. A note says why the cells of a lesson cannot be edited.
func (p *Press) Live(ctx context.Context, b book.Book, lessons []lesson.Lesson, dir string) (
	full book.Book, all []lesson.Lesson, notes []string, err error,
) {
	library, err := p.findLibrary(ctx)
	if err != nil {
		return b, lessons, nil, err
	}
	programs, err := p.settings.Programs(library, "", dir)
	if err != nil {
		return b, lessons, nil, err
	}
	var notebooks []*folder.LiveNotebook
	of := map[int]*folder.LiveNotebook{}
	for i, l := range lessons {
		if !l.Ran || l.Omit {
			continue
		}
		cells, err := l.Cells()
		if err != nil {
			return b, lessons, nil, err
		}
		of[i] = &folder.LiveNotebook{Notebook: l.Notebook, Ran: cells, Slug: l.Slug, File: l.File(), Dir: dir}
		notebooks = append(notebooks, of[i])
	}
	pages, err := folder.MakeLive(ctx, programs, program.RunOptions{}, notebooks)
	if err != nil {
		return b, lessons, nil, err
	}
	left := map[string]program.Fault{}
	if len(pages) > 0 {
		over := p.settings.running("compiling Go for live pages")
		b.Explorables.Live, left, err = live.Kit(ctx, programs, slices.Concat(p.live, pages))
		over()
	}
	if err != nil {
		return b, lessons, nil, err
	}
	all = slices.Clone(lessons)
	for i := range all {
		n := of[i]
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
			notes = append(notes, fmt.Sprintf("%s: note: readers cannot edit its cells: %s", n.File, n.Why))
		}
	}
	if b.Explorables.Live != nil {
		kit := sha256.Sum256(b.Explorables.Live.Bytes)
		b.Digest = slices.Concat(b.Digest, kit[:])
	}
	return b, all, notes, err
}

// OtherTexts returns the names of files in the folder of a book that the program makes pages of by itself.
func OtherTexts(b book.Book) []string {
	var others []string
	for _, file := range b.TextFiles() {
		others = append(others, strings.TrimPrefix(file, b.Folder+"/"))
	}
	return others
}
