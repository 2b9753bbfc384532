package folder

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/pictures"
)

// emptyResults returns an empty result for each cell without running it.
type emptyResults struct{}

func (emptyResults) Run(_ context.Context, pages []program.Page, _ program.RunOptions) (program.Results, error) {
	r := program.Results{Pages: make([]program.PageResult, len(pages))}
	for i, p := range pages {
		r.Pages[i].Cells = make([]program.Result, len(p.Cells))
	}
	return r, nil
}

// TestMovableAgain checks that after a second run, as in a server, the folder contains only the cells of that run.
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

// TestRoomForControls checks that a page reserves room for controls, except for controls whose heights are known.
func TestRoomForControls(t *testing.T) {
	made := program.Module{Pictures: []pictures.Picture{{Name: "a-control-1"}, {Name: "a-control-10"}}}
	known := explore.Set{Heights: `.explorable[data-kind="a-control-1"] { --h240: 100; }` + "\n"}
	rooms := func(set explore.Set) (kinds []string) {
		for _, m := range roomRule.FindAllStringSubmatch(WithControls(set, PagesModule, made).Heights, -1) {
			kinds = append(kinds, m[1])
		}
		return slices.Compact(kinds)
	}
	if got := rooms(explore.Set{}); !slices.Equal(got, []string{"a-control-1", "a-control-10"}) {
		t.Errorf("where no height is known, there is room for %q", got)
	}
	if got := rooms(known); !slices.Equal(got, []string{"a-control-10"}) {
		t.Errorf("where one height is known, there is room for %q", got)
	}
}

var roomRule = regexp.MustCompile(`data-kind="([^"]*)"\] \+ \.drawn`)
