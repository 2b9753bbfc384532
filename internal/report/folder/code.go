package folder

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
)

// program returns the page's code as a page of a Go program.
func (p *page) program(f *Folder) program.Page {
	return program.Page{Name: p.made.Slug, File: p.rel, Dir: filepath.Dir(f.path(p.rel)), Cells: p.code()}
}

// Code writes the Go code of the Markdown pages into a folder, for use with Go's tools. If a cell is not valid Go, it
// adds a fault and writes nothing.
func (f *Folder) Code(ctx context.Context, g program.Program, dir string) (program.Code, error) {
	var pages []program.Page
	for _, p := range f.pages {
		if p.notebook == nil && p.runs() {
			pages = append(pages, p.program(f))
		}
	}
	code, faults, err := g.Code(ctx, pages, dir)
	for i, p := range pages {
		if i < len(faults) {
			for _, fault := range faults[i] {
				cure := cmp.Or(fault.Cure, "correct the cell")
				f.fault(p.File, fault.Line, fault.Column, "%s: %s", fault.Message, cure)
			}
		}
	}
	return code, err
}

// Format calls page for each Markdown page with a cell that gofmt would change. It passes the file's name, its text,
// the text with formatted cells, and the number of the first line that differs in each changed cell.
func (f *Folder) Format(page func(name string, there, formatted []byte, lines []int) error) error {
	for _, p := range f.pages {
		if len(p.cells) == 0 {
			continue
		}
		there, err := limitedread.ReadFile(f.path(p.rel), mostText)
		if err != nil {
			return err
		}
		var differ []int
		text := strings.Split(string(there), "\n")
		for _, c := range slices.Backward(p.cells) {
			end := ""
			if strings.HasSuffix(text[c.line-2], "\r") {
				end = "\r"
			}
			code := strings.Split(c.written, "\n")
			formatted := strings.Split(program.Format(c.written), "\n")
			if c.written == "" || slices.Equal(code, formatted) {
				continue
			}
			same := 0
			for same < min(len(code), len(formatted)) && code[same] == formatted[same] {
				same++
			}
			differ = append([]int{c.line + min(same, len(code)-1)}, differ...)
			for i := range formatted {
				formatted[i] += end
			}
			text = slices.Replace(text, c.line-1, c.line-1+len(code), formatted...)
		}
		if len(differ) > 0 {
			if err := page(f.path(p.rel), there, []byte(strings.Join(text, "\n")), differ); err != nil {
				return err
			}
		}
	}
	return nil
}

// Differences reports where the cells of a Markdown page would behave differently in a notebook. The text may be newer
// than the page's file. If notebook is not nil, faults name its cells.
func Differences(
	ctx context.Context, g program.Program, name string, text []byte, notebook *jupyter.Notebook,
) (site.Errors, error) {
	dir, file := filepath.Split(name)
	f := &Folder{Name: filepath.Clean(dir), files: os.DirFS(filepath.Clean(dir)), unsettled: true}
	p := &page{rel: file, made: site.Page{Slug: "page", File: name}}
	f.succeeds(func() { f.readMarkdown(p, string(bytes.TrimPrefix(text, byteOrderMark))) })
	if len(p.cells) == 0 {
		return nil, nil
	}
	made := p.program(f)
	var cells []jupyter.Cell // the notebook's cells, in the order of the program's
	var names []string
	if notebook != nil {
		for i, c := range notebook.Cells() {
			if c.Kind == jupyter.Code {
				cells, names = append(cells, c), append(names, c.Name(i))
			}
		}
	}
	number := func(cell int) (n int) {
		for _, c := range made.Cells[:cell] {
			if !c.Value {
				n++
			}
		}
		return n
	}
	faults, err := g.Differences(ctx, made, func(cell int) string {
		if n := number(cell); n < len(names) && !made.Cells[cell].Value {
			return names[n]
		}
		kind := "cell"
		if made.Cells[cell].Value {
			kind = "value"
		}
		return fmt.Sprintf("the %s in line %d", kind, made.Cells[cell].Line)
	})
	var said site.Errors
	for _, fault := range faults {
		e := &site.Error{File: name, Line: fault.Line, Column: fault.Column}
		e.Msg = fault.Message + ": " + cmp.Or(fault.Cure, "correct the cell")
		if c, n := made.Cells[fault.Cell], number(fault.Cell); n < len(names) && !c.Value {
			e.Cell, e.Line, e.Column = names[n], fault.Line-c.Line+1, 0
			there, here := strings.Split(cells[n].Source, "\n"), strings.Split(c.Code, "\n")
			if e.Line <= len(here) && (e.Line > len(there) || here[e.Line-1] != there[e.Line-1]) {
				e.Line++ // the notebook's cell has a line %% before this line
			}
		}
		said = append(said, e)
	}
	return said, err
}
