package lesson

import (
	"context"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// Runs runs notebooks that are in no folder of their own, such as the cells of a page. Its methods may be called by
// several goroutines.
type Runs struct{ course *course }

// Begin reads the modules whose packages cells import. The Dir of the course is of no interest.
func (c Course) Begin() (*Runs, error) {
	b := c.course()
	return &Runs{b}, b.openModules()
}

// Cells returns the cells of a notebook with the outputs of a run, which works in the folder dir, and whether it was
// run now. The error is of a package that cannot be read, or of cells; it wraps ErrMissing where the notebook cannot be
// run here.
func (r *Runs) Cells(ctx context.Context, n *jupyter.Notebook, name, dir string) ([]jupyter.Cell, bool, error) {
	cells, now, lacking, err := r.course.run(ctx, file{file: name, path: name, dir: dir, notebook: n})
	if err == nil && lacking != nil {
		return nil, false, missing{lacking}
	}
	return cells, now, err
}

// Made makes a page of a notebook and cells that stand for its own, with the outputs of a run, or without any.
func Made(n *jupyter.Notebook, cells []jupyter.Cell, o Options) site.Page {
	return newLesson(n, cells, o).Page
}

// Without returns the cells of a notebook as if it had never been run.
func Without(n *jupyter.Notebook) []jupyter.Cell { return withoutOutputs(n) }

// Shown is a code cell of a page and how the page shows it.
type Shown struct {
	Cell  jupyter.Cell
	Place content.Place // of the first line of its code
	Name  string        // what its outputs are called in references, "" for none
	Hide  bool          // the code is left out
}

// Blocks returns the blocks of each cell in turn: its code, unless it is hidden, and its outputs. Cells have numbers
// from 1 on.
func Blocks(language string, cells []Shown) [][]content.Block {
	b := &builder{language: languageName(language)}
	var all [][]content.Block
	for _, s := range cells {
		b.page.Body, b.place, b.name = nil, s.Place, s.Name
		if s.Hide {
			b.number++
			b.parts, b.figures, b.tables, b.claims = 0, 0, 0, 0
			b.results(s.Cell)
		} else {
			b.code(s.Cell)
		}
		all = append(all, b.page.Body)
	}
	return all
}
