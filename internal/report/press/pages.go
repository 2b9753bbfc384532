package press

import (
	"context"
	"strings"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/folder"
)

// AddPages runs the pages with cells in the folder of a book that is compiled into the program, for a press of this
// folder. It returns the book with the pages, and the folder, which has their faults and their module.
func (p *Press) AddPages(ctx context.Context, b book.Book) (full book.Book, f *folder.Folder, err error) {
	if f, err = folder.Read(p.settings.Dir, p.settings.Known, OtherTexts(b)...); err != nil {
		return b, nil, err
	}
	if _, err := p.run(ctx, f, false); err != nil {
		return b, nil, err
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
