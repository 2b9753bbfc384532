package press

import (
	"context"
	"strings"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/folder"
)

// AddPages runs the pages with cells in the folder of a book that is compiled into the program, which is the folder of
// the press. It returns the book with these pages, and the module that answers for their controls, nil for none. The
// error may be [site.Errors], the faults of the pages.
func (p *Press) AddPages(ctx context.Context, b book.Book) (full book.Book, module []byte, err error) {
	var others []string
	for _, file := range b.TextFiles() {
		others = append(others, strings.TrimPrefix(file, b.Folder+"/"))
	}
	f, err := folder.Read(p.settings.Dir, p.settings.Known, others...)
	if err != nil {
		return b, nil, err
	}
	if _, err := p.run(ctx, f, false); err != nil {
		return b, nil, err
	}
	full = b.With(f.Book())
	if faults := f.Faults(); len(faults) > 0 {
		return b, nil, faults
	}
	return full, f.Engine(), nil
}
