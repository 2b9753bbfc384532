package folder

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// printing is a fake program whose cells print texts. If fails is set, its second cell fails with that message.
type printing struct {
	texts []string
	fails string
}

func (p printing) Run(_ context.Context, pages []program.Page, _ program.RunOptions) (r program.Results, err error) {
	for range pages {
		var result program.PageResult
		for _, text := range p.texts {
			result.Cells = append(result.Cells, program.Result{Outputs: printed(text)})
		}
		if p.fails != "" {
			result = program.PageResult{Faults: []program.Fault{{Cell: 1, Message: p.fails}}}
		}
		r.Pages = append(r.Pages, result)
	}
	return r, nil
}

func printed(text string) []jupyter.Output {
	return []jupyter.Output{{Type: jupyter.Stream, Name: "stdout", Text: text}}
}

// TestLiveNotebooks checks that readers can edit the cells of a notebook if running the cells as one program gives the
// same results. Otherwise a note must state the reason.
func TestLiveNotebooks(t *testing.T) {
	dir := t.TempDir()
	cells := []map[string]any{
		jupyter.CodeCell("a", "n := 1\nfmt.Println(n)", map[string]any{}),
		jupyter.CodeCell("b", "fmt.Println(2)", map[string]any{}),
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "01-two.ipynb"), jupyter.Compose(cells, nil).Bytes(), 0o600))
	for _, test := range []struct {
		name    string
		program printing
		left    map[string]program.Fault // pages that cannot run in a browser
		note    string                   // "" for a live page
	}{
		{"same", printing{texts: []string{"1\n", "2\n"}}, nil, ""},
		{
			"browser",
			printing{texts: []string{"1\n", "2\n"}},
			map[string]program.Fault{"01-two-live": {Message: "no plots"}},
			"readers cannot edit the cells: no plots",
		},
		{"others", printing{texts: []string{"1\n", "3\n"}}, nil, "the results differ when all cells run"},
		{"fault", printing{fails: "n redeclared"}, nil, "readers cannot edit the cells: n redeclared"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := must.Get(Read(dir, explore.Set{}))
			p := f.pages[0]
			p.ran = p.notebook.Cells()
			p.ran[0].Outputs, p.ran[1].Outputs = printed("1\n"), printed("2\n")
			var asked []program.Page
			must.Do(t, f.makeLive(t.Context(), Runner{
				Program: test.program,
				Live: func(_ context.Context, pages []program.Page) (*explore.Live, map[string]program.Fault, error) {
					asked = pages
					return &explore.Live{}, test.left, nil
				},
			}, nil, f.pages))
			made := f.fill(p)
			notes := strings.Join(f.Notes(), "\n")
			marks := 0
			for _, b := range made.Body {
				if _, is := b.(site.LiveMark); is {
					marks++
				}
			}
			if test.note != "" {
				if made.Live != nil || marks > 0 || len(asked) > len(test.left) || !strings.Contains(notes, test.note) {
					t.Errorf("live: %v, %d marks, %q", made.Live, marks, notes)
				}
				return
			}
			if made.Live == nil || marks != 4 || len(asked) != 1 || notes != "" {
				t.Fatalf("live: %v, %d marks, %d programs, %q", made.Live, marks, len(asked), notes)
			}
			second := slices.IndexFunc(made.Body, func(b content.Block) bool {
				m, is := b.(site.LiveMark)
				return is && m.Number == 1
			})
			code, _ := made.Body[second+1].(content.Code)
			if code.Text != "fmt.Println(2)\n" {
				t.Errorf("after the mark of the second cell is %+v", made.Body[second+1])
			}
		})
	}
}

// TestBlankNotebook checks that a book with live pages has a blank notebook, unless the author has a page of this name.
// No other book has one.
func TestBlankNotebook(t *testing.T) {
	for _, test := range []struct {
		files []string
		live  bool
		want  int
	}{
		{[]string{"a.md"}, true, 1},
		{[]string{"a.md", "blank-notebook.md"}, true, 0},
		{[]string{"a.md"}, false, 0},
	} {
		dir := t.TempDir()
		for _, name := range test.files {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("# A page\n"), 0o600))
		}
		f := must.Get(Read(dir, explore.Set{}))
		r := Runner{Program: printing{}}
		if test.live {
			r.Live = func(_ context.Context, pages []program.Page) (*explore.Live, map[string]program.Fault, error) {
				return &explore.Live{}, nil, nil
			}
		}
		must.Get(f.Run(t.Context(), r, func(string) bool { return true }))
		b, count := f.Book(), 0
		for _, p := range b.Pages {
			if p.Made == nil || p.Made.Live == nil {
				continue
			}
			count++
			var data struct {
				Cells    []any
				Notebook json.RawMessage
			}
			must.Do(t, json.Unmarshal([]byte(p.Made.Live.Data), &data))
			n := must.Get(jupyter.Parse(data.Notebook))
			slug := b.Slugs()[len(b.Slugs())-1]
			if p.Slug != slug || len(data.Cells) > 0 || n.Kernel() != jupyter.ProjectKernel {
				t.Errorf("the page %s has the data %s, and %s is last", p.Slug, p.Made.Live.Data, slug)
			}
		}
		if count != test.want || (b.Explorables.Live != nil) != test.live {
			t.Errorf("%q, live: %v: %d blank notebooks", test.files, test.live, count)
		}
	}
}
