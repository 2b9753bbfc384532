package folder

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
)

// movableCell is a cell of a notebook that may have controls.
type movableCell struct {
	program.MovableCell
	page   string
	at     int // the index of its page in the program
	result program.Result
	fault  string
}

// movables are the cells of a notebook that may have controls.
type movables struct {
	cells []movableCell
	still error // why no control of the notebook moves
}

// pages returns the cells of a notebook that may have controls, as pages of a program. It leaves out cells whose
// figures the set already moves. before is the number of pages that precede them in the program.
func (m *movables) pages(n *Notebook, set explore.Set, before int) []program.Page {
	pages, cells, err := program.Movable(n.Notebook, n.Slug, n.File, n.Dir, func(place int) bool {
		return slices.ContainsFunc(n.Ran[place].Outputs, func(o jupyter.Output) bool {
			figure := figureOf(o)
			return figure != nil && figure.Explore != nil &&
				slices.ContainsFunc(set.Modules, func(m explore.Module) bool {
					return slices.Contains(m.Kinds(), figure.Explore.Kind)
				})
		})
	})
	*m = movables{still: err}
	for _, c := range cells {
		m.cells = append(m.cells, movableCell{MovableCell: c, page: pages[c.Page].Name, at: before + c.Page})
	}
	return pages
}

// take stores the results of the cells.
func (m *movables) take(results []program.PageResult) {
	for i := range m.cells {
		c := &m.cells[i]
		result := results[c.at]
		if len(result.Cells) > 0 {
			c.result = result.Cells[c.At]
		}
		for _, fault := range result.Faults {
			if fault.Cell == c.At {
				c.fault = cmp.Or(c.fault, fault.Message)
			}
		}
	}
}

// moving returns the cells of a notebook. Cells whose controls the module moves get new outputs. For each cell whose
// controls do not move, moving calls still with the cell's name and the reason. If the reason applies to the whole
// notebook, the name is empty.
func (m *movables) moving(by program.Module, cells []jupyter.Cell, still func(cell, why string)) []jupyter.Cell {
	cells = slices.Clone(cells)
	if m.still != nil {
		still("", m.still.Error())
	}
	for _, m := range m.cells {
		c := &cells[m.Place]
		name := c.Name(m.Place) + ": "
		left, isLeft := by.Left[m.page]
		switch {
		case m.fault != "":
			still(name, m.fault)
		case len(m.result.Controls) == 0:
		case isLeft:
			still(name, left.Message)
		case !slices.Equal(drawings(c.Outputs), drawings(m.result.Outputs)):
			still(name, "the results differ when all cells run as one program")
		default:
			c.Outputs = m.result.Outputs
		}
	}
	return cells
}

// stillNote returns the note that says why controls do not move.
func stillNote(cell, why string) string { return cell + "the controls do not move: " + why }

// moving returns the cells of a notebook in the folder as readers see them.
func (f *Folder) moving(p *page, cells []jupyter.Cell) []jupyter.Cell {
	return p.movables.moving(f.module, cells, func(cell, why string) {
		f.noteOnce(f.path(p.rel), stillNote(cell, why))
	})
}

// MakeMoving builds the module that moves the controls of notebooks, except figures that the set already moves. It
// replaces the outputs of the cells with outputs that readers can move, and adds to Notes the reasons why other
// controls do not move.
func MakeMoving(
	ctx context.Context, by Programs, o program.RunOptions, notebooks []*Notebook, set explore.Set,
) (program.Module, error) {
	var pages []program.Page
	found := make([]movables, len(notebooks))
	for i, n := range notebooks {
		pages = append(pages, found[i].pages(n, set, len(pages))...)
	}
	var results program.Results
	if len(pages) > 0 {
		var err error
		if results, err = by.Run(ctx, pages, o); err != nil {
			return results.Module, err
		}
	}
	for i, n := range notebooks {
		found[i].take(results.Pages)
		n.Moves = len(found[i].cells) > 0
		n.Ran = found[i].moving(results.Module, n.Ran, func(cell, why string) {
			n.Notes = append(n.Notes, stillNote(cell, why))
		})
	}
	return results.Module, nil
}

// WithControls adds the controls of a module of pages to the explorables. It reserves room for controls whose heights
// are not in the set.
func WithControls(set explore.Set, name string, m program.Module) explore.Set {
	if len(m.Pictures) == 0 {
		return set
	}
	set.Modules = append(slices.Clip(set.Modules), explore.Module{
		Name: name, Module: module.Module{Pictures: m.Pictures},
	})
	known := set.Heights
	set.Heights += roomFor(slices.DeleteFunc(slices.Clone(m.Pictures), func(p pictures.Picture) bool {
		return strings.Contains(known, `[data-kind="`+p.Name+`"]`)
	}))
	return set
}

// drawings returns the texts and drawings in outputs, for comparing two runs.
func drawings(outputs []jupyter.Output) (all []string) {
	for _, o := range outputs {
		data, _ := o.Data.Text(content.MediaType)
		if figure := figureOf(o); figure != nil {
			data = string(figure.Light)
		}
		if data+o.Text != "" {
			all = append(all, o.Name+data+o.Text)
		}
	}
	return all
}

// figureOf returns the figure that an output shows, or nil.
func figureOf(o jupyter.Output) *content.Figure {
	data, _ := o.Data.Text(content.MediaType)
	block, err := content.Unmarshal([]byte(data))
	if figure, is := block.(*content.Figure); err == nil && is {
		return figure
	}
	return nil
}
