package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/compile"
)

// errAlone means that a notebook cannot run as one program.
var errAlone = errors.New("the notebook cannot run as one program")

// RunNotebook runs a notebook whose cells do not pass values to later cells, and returns it with its outputs. The cells
// become one program, or several programs if a cell redeclares a name. Each cell runs in its own process. After an
// error other than the context's, the caller can run the notebook in a kernel, which reports the faults of cells.
func (g Program) RunNotebook(ctx context.Context, n *jupyter.Notebook, dir string) (*jupyter.Notebook, error) {
	programs, work, err := n.Merged()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errAlone, err)
	}
	b, err := g.open(ctx)
	if err != nil {
		return nil, err
	}
	folder, done, err := b.workFolder()
	if err != nil {
		return nil, err
	}
	defer done()
	if err := b.workspace(folder); err != nil {
		return nil, err
	}
	outputs := make([][]jupyter.Output, 0, len(work))
	for _, cells := range programs {
		some, err := b.runCells(ctx, folder, cells, dir)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, some...)
	}
	return n.WithOutputs(work, outputs), nil
}

// runCells builds a program of cells, and returns the outputs of each cell.
func (b *builder) runCells(ctx context.Context, folder string, cells jupyter.MergedCells, dir string) (
	outputs [][]jupyter.Output, err error,
) {
	// Each program has its own folder, because several notebooks may be built at the same time.
	own, err := atomicfile.NewFolder(folder, "run")
	if err != nil {
		return nil, err
	}
	defer func() { _ = own.Remove() }()
	text, err := b.notebookFile(string(cells.Source))
	if err != nil {
		return nil, err
	}
	program, file := filepath.Join(own.Path, "cells"+executable), filepath.Join(own.Path, "main.go")
	for {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		_, err := b.goCommand(ctx, folder, "build", "-ldflags=-s -w", "-o", program, file)
		if err == nil {
			break
		}
		var failed *compile.GoError
		if !errors.As(err, &failed) {
			return nil, err
		}
		switch got, missing := b.getModules(ctx, failed); {
		case missing != nil:
			return nil, missing
		case got:
			continue
		}
		source, again := jupyter.WithoutValues([]byte(text), []byte(failed.Text))
		if !again {
			return nil, err
		}
		text = string(source)
	}
	sharing, err := b.sharing(ctx, own.Path, &made{text: text})
	if err != nil {
		return nil, err
	}
	for number := cells.First; number < cells.First+cells.Count; number++ {
		m := &made{page: Page{Name: "cell", Dir: dir, Cells: []Cell{{}}}, text: text, result: &PageResult{}}
		settings := append(slices.Clip(sharing), jupyter.CellVariable+"="+strconv.Itoa(number))
		if err := b.runPage(ctx, program, own.Path, m, settings...); err != nil {
			return nil, err
		}
		if len(m.result.Faults) > 0 {
			return nil, fmt.Errorf("%w: %s", errAlone, m.result.Faults[0].Message)
		}
		outputs = append(outputs, m.result.Cells[0].Outputs)
	}
	return outputs, nil
}

// mainName replaces the name of the function main in the program of all cells, so that package page can call the
// function.
const (
	mainHead = "\nfunc main() {\n"
	mainName = "siegebookMain"
)

// notebookFile returns the program of all cells of a notebook.
func (b *builder) notebookFile(source string) (string, error) {
	source = strings.Replace(source, mainHead, "\nfunc "+mainName+"() {\n", 1)
	return b.ofCells("main", source, fmt.Sprintf("func main() { %s.Notebook(%s) }\n", packageName, mainName))
}

// cellFile returns the Go file of a page that consists of one cell of a notebook.
func (b *builder) cellFile(m *made) (string, error) {
	function := jupyter.CellFunction(m.page.number)
	page := fmt.Sprintf("func Page(%s *%s.Session) {\n%[1]s.Cell(0)\n%[3]s()\n%[1]s.Done()\n}\n", sessionName,
		packageName, function)
	text, err := b.ofCells(m.name(), needed(string(m.page.together), function), page)
	return fmt.Sprintf("//line %s:2:1\n%s", m.page.shownFile(), text), err
}

// needed returns a program with all its imports, but only with the declarations that a function needs. Not everything
// that other cells use is available in a browser.
func needed(source, function string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return source // the compiler reports the fault
	}
	var begin []ast.Node
	for _, decl := range file.Decls {
		if slices.Contains(gosource.Declared(decl), function) {
			begin = append(begin, decl)
		}
	}
	reached := gosource.Reached(file, begin, func(ast.Spec) bool { return false })
	kept := "package main\n"
	for _, decl := range file.Decls {
		d, is := decl.(*ast.GenDecl)
		needs := is && d.Tok == token.IMPORT || // ofCells leaves out unused imports
			slices.ContainsFunc(gosource.Declared(decl), func(name string) bool { return reached[name] })
		if needs {
			kept += source[decl.Pos()-1:decl.End()-1] + "\n"
		}
	}
	return kept
}

// MovableCell is a cell of a notebook that may have controls, with its position in a page.
type MovableCell struct {
	Place    int // the index of the cell in the notebook
	Page, At int // the index of the page that Movable returns, and of the cell in it
}

// Movable returns pages for the program of a book, so that controls such as show.Slider can move on the page of a
// notebook. name and file are the name and the file of the notebook's page. Each page contains a cell that calls a
// control, with the declarations of other cells that it needs. If the notebook's values stay from cell to cell, one
// page contains all cells. moves reports whether readers can move the output of the cell at a place without a program;
// if the cell's only control is show.Move, Movable then leaves the cell out. The error is the reason why the controls
// of a notebook cannot move.
func Movable(n *jupyter.Notebook, name, file, dir string, moves func(place int) bool) (
	pages []Page, cells []MovableCell, err error,
) {
	all := n.Cells()
	controls := callsControl // will also match calls to functions of cells that show a control
	movesAll := func(place int) bool {
		source := all[place].Source
		return callsMove.MatchString(source) && !callsShow.MatchString(source) && moves(place)
	}
	wants := func(place int) bool {
		c := all[place]
		return c.Kind == jupyter.Code && !movesAll(place) &&
			(controls.MatchString(c.Source) || callsMove.MatchString(c.Source))
	}
	some := false
	for place := range all {
		some = some || wants(place)
	}
	if !some {
		return nil, nil, nil
	}
	programs, work, err := n.Merged()
	switch {
	case err != nil && n.ValuesStay() != nil:
		for k, place := range work {
			if !movesAll(place) {
				cells = append(cells, MovableCell{Place: place, At: k})
			}
		}
		return []Page{pageOfCells(n, work, name+"-cells", file+"#cells", dir)}, cells, nil
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", errAlone, err)
	}
	for _, p := range programs {
		for number := p.First; number < p.First+p.Count; number++ {
			c := all[work[number-1]]
			if !wants(work[number-1]) {
				continue
			}
			for _, function := range declaredFunction.FindAllStringSubmatch(c.Source, -1) {
				controls = regexp.MustCompile(controls.String() + `|\b` + function[1] + `\(`)
			}
			cells = append(cells, MovableCell{Place: work[number-1], Page: len(pages)})
			pages = append(pages, Page{
				Name: fmt.Sprintf("%s-cell-%d", name, number), File: file + "#" + cmp.Or(c.ID, strconv.Itoa(number)),
				Dir: dir, Cells: []Cell{{Line: 1, Column: 1, Code: c.Source}}, together: p.Source, number: number,
			})
		}
	}
	return pages, cells, nil
}

// pageOfCells returns a page with the cells of a notebook at the given indices.
func pageOfCells(n *jupyter.Notebook, work []int, name, file, dir string) Page {
	p, line := Page{Name: name, File: file, Dir: dir}, 1
	for _, place := range work {
		code := strings.ReplaceAll(n.Cells()[place].Source, "\r\n", "\n")
		p.Cells = append(p.Cells, Cell{Line: line, Column: 1, Code: code})
		line += strings.Count(code, "\n") + 1
	}
	return p
}

// Whole returns a page with all code cells of a notebook that run, and their indices in the notebook. The page is for
// readers who edit the cells. The error is the reason why the cells are not one program.
func Whole(n *jupyter.Notebook, name, file, dir string) (p Page, places []int, err error) {
	_, places, err = n.Merged()
	if err != nil && n.ValuesStay() == nil {
		return p, nil, fmt.Errorf("%w: %w", errAlone, err)
	}
	return pageOfCells(n, places, WholeName(name), file+"#live", dir), places, nil
}

// WholeName returns the name of the page that Whole makes.
func WholeName(name string) string { return name + "-live" }

const controlCall = `(Slider|Number|Play|Choice|CheckBox|Controls)\(`

var (
	// callsControl matches calls that may show a control. Packages of books may also have functions with such names.
	callsControl = regexp.MustCompile(`\b` + controlCall)
	callsMove    = regexp.MustCompile(`\bMove\(`)
	// callsShow matches calls that certainly show a control. The name Play alone is not certain, because a game also
	// has such a method.
	callsShow = regexp.MustCompile(`\bshow\.` + controlCall)
	// declaredFunction matches the declaration of a function in a cell.
	declaredFunction = regexp.MustCompile(`(?m)^func (\w+)\(`)
)

// ofCells returns a Go file with the source of a notebook's cells, the imports that it needs, and the text end. It
// returns an error if cells use, without an import, a package through which a program could find out that it consists
// of several cells.
func (b *builder) ofCells(name, source, end string) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, 0)
	if err != nil {
		return source, nil // the compiler reports the fault
	}
	wanted, have := qualifiers(source), map[string]bool{}
	begin := set.Position(file.Name.End()).Offset
	var imports strings.Builder
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := b.known.names[path]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		name = cmp.Or(name, gosource.PackageName(path))
		if (wanted[name] || name == "_" || name == ".") && !have[name+path] {
			fmt.Fprintf(&imports, "import %s %s\n", name, spec.Path.Value)
			have[name], have[name+path] = true, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if path := b.known.paths[name]; path != "" && !have[name] {
			if jupyter.Tells(path) {
				return "", fmt.Errorf("%w: the package %s can find out which program runs", errAlone, path)
			}
			fmt.Fprintf(&imports, "import %q\n", path)
		}
	}
	rest := []byte(source[begin:])
	for _, decl := range file.Decls {
		from, to := set.Position(decl.Pos()).Offset-begin, set.Position(decl.End()).Offset-begin
		if strings.HasPrefix(string(rest[from:to]), "import") {
			for i := from; i < to; i++ {
				if rest[i] != '\n' {
					rest[i] = ' '
				}
			}
		}
	}
	return fmt.Sprintf("package %s\nimport %s %q\n%s%s\n%s", name, packageName, library+"/notebooks/show/page",
		imports.String(), rest, end), nil
}
