package folder

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/report/program"
)

// program returns the code of a page as a page of a program.
func (p *page) program(f *Folder) program.Page {
	return program.Page{Name: p.made.Slug, File: p.rel, Dir: filepath.Dir(f.path(p.rel)), Cells: p.code()}
}

// Code writes the Go of the pages in Markdown into a folder for Go's tools. If a cell is not Go, it adds a fault and
// writes nothing.
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
				f.fault(p.File, fault.Line, fault.Column, "%s: %s", fault.Message, cmp.Or(fault.Cure, "mend the cell"))
			}
		}
	}
	return code, err
}

// Format calls a function with each page in Markdown of which gofmt would change a cell: with the name of its file, the
// text that is there, the one with formatted cells, and the lines at which they begin to differ.
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
			code := strings.Split(c.code, "\n")
			formatted := strings.Split(program.Format(c.code), "\n")
			if c.code == "" || slices.Equal(code, formatted) {
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
