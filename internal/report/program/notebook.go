package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/jupyter"
)

// errAlone is the error of a notebook that is not run as one program.
var errAlone = errors.New("the notebook is not one program")

// RunNotebook runs a notebook in which no value stays for another cell. All cells are one program, or a few where a
// cell declares a name anew, and each runs in its own process. It returns the notebook with its outputs.
// After an error other than the context's, the caller can run the notebook in a kernel, which reports what is wrong
// with a cell.
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
	// In a folder of its own, since notebooks are built side by side.
	own, err := atomicfile.NewFolder(folder, "run")
	if err != nil {
		return nil, err
	}
	defer func() { _ = own.Remove() }()
	text := b.notebookFile(string(cells.Source))
	program, file := filepath.Join(own.Path, "cells"+executable), filepath.Join(own.Path, "main.go")
	for {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		_, err := b.goCommand(ctx, folder, "build", "-ldflags=-s -w", "-o", program, file)
		if err == nil {
			break
		}
		var failed *goError
		if !errors.As(err, &failed) {
			return nil, err
		}
		switch got, missing := b.getModules(ctx, failed); {
		case missing != nil:
			return nil, missing
		case got:
			continue
		}
		source, again := jupyter.WithoutValues([]byte(text), []byte(failed.text))
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

// notebookFile returns the program of all cells of a notebook with the imports that it needs and no others. Package
// page calls its function main.
func (b *builder) notebookFile(source string) string {
	const function = "siegebookMain"
	source = strings.Replace(source, "\nfunc main() {\n", "\nfunc "+function+"() {\n", 1)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, 0)
	if err != nil {
		return source // the compiler says what is wrong
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
		name = cmp.Or(name, jupyter.PackageName(path))
		if (wanted[name] || name == "_" || name == ".") && !have[name+path] {
			fmt.Fprintf(&imports, "import %s %s\n", name, spec.Path.Value)
			have[name], have[name+path] = true, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if path := b.known.paths[name]; path != "" && !have[name] {
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
	return fmt.Sprintf("package main\nimport %s %q\n%s%s\nfunc main() { %s.Notebook(%s) }\n", packageName,
		library+"/notebooks/show/page", imports.String(), rest, packageName, function)
}
