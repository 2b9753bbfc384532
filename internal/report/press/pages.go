package press

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/folder"
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

// OtherTexts returns the names of files in the folder of a book that the program makes pages of by itself.
func OtherTexts(b book.Book) []string {
	var others []string
	for _, file := range b.TextFiles() {
		others = append(others, strings.TrimPrefix(file, b.Folder+"/"))
	}
	return others
}
