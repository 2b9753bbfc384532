package folder

import (
	"context"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
)

// emptyResults runs no page.
type emptyResults struct{}

func (emptyResults) Run(_ context.Context, pages []program.Page, _ program.RunOptions) (program.Results, error) {
	r := program.Results{Pages: make([]program.PageResult, len(pages))}
	for i, p := range pages {
		r.Pages[i].Cells = make([]program.Result, len(p.Cells))
	}
	return r, nil
}

// TestMovableAgain: a second run, as a server makes it, knows the cells of the second run alone.
func TestMovableAgain(t *testing.T) {
	slider := "show.Slider(\"n\", 1, 9, 3, func(n int) show.Drawing { return figure.Lines{} })"
	n := jupyter.Compose([]map[string]any{jupyter.CodeCell("a", slider, map[string]any{})}, nil)
	p := &page{rel: "a.ipynb", notebook: n, ran: n.Cells(), made: site.Page{Slug: "a"}}
	f := &Folder{Name: t.TempDir()}
	for range 2 {
		must.Get(f.runPrograms(t.Context(), Runner{Program: emptyResults{}}, nil, []*page{p}))
	}
	if len(p.movables.cells) != 1 || p.movables.cells[0].at != 0 {
		t.Errorf("after two runs %+v", p.movables.cells)
	}
}
