package folder

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// liveCell is a cell of a live page, in the form in which the page stores it.
type liveCell struct {
	Code  string
	Value bool   `json:",omitempty"` // the cell is an expression in the text
	Sum   string // a hash of the outputs, see sumOf
}

// livePage returns the program of a page for readers who edit its cells. cells maps the names of cells to their indices
// in the program.
func livePage(p program.Page, results []program.Result, cells map[string]int) *site.Live {
	data := struct {
		Name, File string
		Cells      []liveCell
	}{Name: p.Name, File: p.File}
	for i, c := range p.Cells {
		data.Cells = append(data.Cells, liveCell{c.Code, c.Value, sumOf(results[i])})
	}
	text, err := json.Marshal(data)
	if err != nil {
		return nil // cannot happen: strings and numbers are valid JSON
	}
	return &site.Live{Data: string(text), Cells: cells}
}

// notebookSlug is the slug of the blank notebook.
const notebookSlug = "blank-notebook"

// notebook returns a page on which readers write their own notebook. A script creates its content, and saves its cells
// as a Jupyter notebook.
func (f *Folder) notebook() site.Page {
	text, err := json.Marshal(map[string]any{
		"Name": notebookSlug, "File": notebookSlug + ".ipynb", "Cells": []liveCell{},
		"Notebook": json.RawMessage(jupyter.Compose([]map[string]any{}, nil).Bytes()),
	})
	if err != nil {
		panic("folder: " + err.Error()) // cannot happen: strings and numbers are valid JSON
	}
	return site.Page{
		Slug: notebookSlug, Title: f.words.Say("blank-notebook"), Unnumbered: true, File: f.path(configFile),
		Source: site.Escape(f.words.Say("blank-notebook-about")) + "\n\n{{ blocks \"notebook\" }}\n",
		Blocks: map[string][]content.Block{"notebook": {site.LiveMark{Notebook: true}}},
		Live:   &site.Live{Data: string(text)},
	}
}

// shows reports whether the page shows the code of at least one cell.
func (p *page) shows() bool {
	return slices.ContainsFunc(p.cells, func(c cell) bool { return c.how != howHide })
}

// live returns the program of a Markdown page for readers. It returns nil if the page has no results, cannot run in a
// browser, or shows no code.
func (p *page) live(f *Folder) *site.Live {
	if p.results == nil || p.stays != "" || !p.shows() {
		return nil
	}
	cells := map[string]int{}
	for i, c := range p.code() {
		if !c.Value {
			cells[cellName(len(cells)+1)] = i
		}
	}
	return livePage(p.program(f), p.results, cells)
}

// makeLive builds the files that readers need to run the cells of Markdown pages and notebooks.
func (f *Folder) makeLive(ctx context.Context, r Runner, all []program.Page, notebooks []*page) error {
	for _, p := range f.pages {
		p.stays = ""
	}
	var whole []*Notebook
	var of []*page
	for _, p := range notebooks {
		if p.whole = nil; p.ran != nil {
			of = append(of, p)
			whole = append(whole, f.toRun(p))
		}
	}
	more, err := MakeLive(ctx, r.Program, program.RunOptions{Files: f.dataSum(), Kept: r.Kept}, whole)
	if err != nil {
		return err
	}
	for i, p := range of {
		p.whole, p.stays = whole[i].Live, whole[i].Why
	}
	all = slices.DeleteFunc(slices.Clone(all), func(made program.Page) bool {
		return !slices.ContainsFunc(f.pages, func(p *page) bool { return p.made.Slug == made.Name && p.shows() })
	})
	var left map[string]program.Fault
	f.live, left, err = r.Live(ctx, slices.Concat(all, more))
	for _, p := range f.pages {
		for name, fault := range left {
			if name == p.made.Slug || name == program.WholeName(p.made.Slug) {
				p.whole, p.stays = nil, fault.Message
			}
		}
	}
	return err
}

// sayStays adds a note with the reason why readers cannot edit the cells of a page, if there is one.
func (f *Folder) sayStays(p *page) {
	if p.stays != "" {
		f.noteOnce(f.path(p.rel), "readers cannot edit the cells: "+p.stays)
	}
}

// Notebook is a notebook whose page lets readers move controls, or edit the cells.
type Notebook struct {
	Notebook *jupyter.Notebook
	// Ran holds the cells with the outputs that the page shows. MakeMoving replaces outputs in Ran, and sets Moves if
	// some cells may have controls.
	Ran   []jupyter.Cell
	Moves bool
	// Notes holds the reasons why some controls do not move.
	Notes []string
	// Slug is the page's slug, File the notebook's file, and Dir the folder in which it runs.
	Slug, File, Dir string
	// MakeLive sets Live to the program of the page. If it cannot, it leaves Live nil and sets Why to the reason.
	Live *site.Live
	Why  string
}

// toRun returns the notebook of a page that has run.
func (f *Folder) toRun(p *page) *Notebook {
	return &Notebook{
		Notebook: p.notebook, Ran: p.ran, Slug: p.made.Slug, File: p.rel, Dir: filepath.Dir(f.path(p.rel)),
	}
}

// MakeLive runs the cells of each notebook as one program. If the results are the same as on the page, readers can edit
// the cells. MakeLive returns the programs of these notebooks.
func MakeLive(ctx context.Context, by Programs, o program.RunOptions, notebooks []*Notebook) (
	all []program.Page, err error,
) {
	var pages []program.Page
	var of []*Notebook
	places := map[*Notebook][]int{}
	for _, n := range notebooks {
		page, at, err := program.Whole(n.Notebook, n.Slug, n.File, n.Dir)
		if err != nil {
			n.Why = err.Error()
			continue
		}
		pages, of, places[n] = append(pages, page), append(of, n), at
	}
	if len(pages) == 0 {
		return nil, nil
	}
	results, err := by.Run(ctx, pages, o)
	if err != nil {
		return nil, err
	}
	for i, n := range of {
		result := results.Pages[i]
		if len(result.Faults) > 0 {
			n.Why = result.Faults[0].Message
			continue
		}
		cells, same := map[string]int{}, len(result.Cells) > 0
		for k, place := range places[n] {
			cells[lesson.CellName(place)] = k
			if same && !slices.Equal(drawings(n.Ran[place].Outputs), drawings(result.Cells[k].Outputs)) {
				n.Why = n.Ran[place].Name(place) + ": the results differ when all cells run as one program"
				same = false
			}
		}
		if same {
			n.Live, all = livePage(pages[i], result.Cells, cells), append(all, pages[i])
		}
	}
	return all, nil
}

// sumOf returns a hash of the outputs of a cell. If a reader's run gives the same hash, the page keeps the outputs that
// it shows. The script of live pages computes the same hash.
func sumOf(r program.Result) string {
	var parts []string
	for _, o := range r.Outputs {
		if o.Type == jupyter.Stream {
			parts = append(parts, o.Name+"\n"+o.Text)
			continue
		}
		if block, is := o.Data.Text(content.MediaType); is {
			parts = append(parts, block)
			continue
		}
		var forms []string
		for _, kind := range slices.Sorted(maps.Keys(o.Data)) {
			text, _ := o.Data.Text(kind)
			forms = append(forms, kind+"\n"+text)
		}
		parts = append(parts, strings.Join(forms, "\n"))
	}
	all := strings.Join(parts, "\n\x00")
	if r.Type != "" {
		all += "\n" + r.Type + "\n" + r.Text
	}
	a, b := uint32(0x811c9dc5), uint32(0x1000193) // two FNV hashes with different factors
	for _, c := range []byte(all) {
		a, b = (a^uint32(c))*0x1000193, (b^uint32(c))*0x85ebca6b
	}
	return fmt.Sprintf("%x-%x", a, b)
}
