package lesson

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// beginningKind names what the cache keeps of a beginning of a notebook: the work of the run that had it. If two
// notebooks begin with the same cells, these put out the same.
const beginningKind = "notebook-beginning-1"

// keep remembers of each beginning of a notebook which run had it. A failure only costs time.
func (k keptRuns) keep(n *jupyter.Notebook) {
	beginnings := works(n)
	run := beginnings[len(beginnings)-1]
	for i, c := range n.Cells() {
		if c.Kind == jupyter.Code {
			_ = k.store.Put(k.key(beginningKind, beginnings[i+1]), run)
		}
	}
}

// longest returns an earlier run that begins as the notebook does, and the place of the first cell that is another one;
// 0 if there is no such run.
func (k keptRuns) longest(n *jupyter.Notebook) (earlier *jupyter.Notebook, from int) {
	cells, beginnings := n.Cells(), works(n)
	for from := len(cells); from > 0; from-- {
		if cells[from-1].Kind != jupyter.Code {
			continue
		}
		run, ok := k.store.Get(k.key(beginningKind, beginnings[from]))
		if !ok {
			continue
		}
		data, ok := k.store.Get(k.key(runKind, run))
		if !ok {
			continue
		}
		if executed, err := jupyter.Parse(data); err == nil {
			return executed, from
		}
	}
	return nil, 0
}

// resume runs what is new at the end of a notebook. It returns nil where all of it has to run.
func (k keptRuns) resume(
	ctx context.Context, n *jupyter.Notebook, r Runner, dir string, progress func(done, all int64),
) *jupyter.Notebook {
	if k.store == nil {
		return nil
	}
	earlier, from := k.longest(n)
	declarations, ok := declared(n.Cells(), from)
	if from == 0 || !ok {
		return nil
	}
	executed, err := r.Resume(ctx, n, from, declarations, dir, progress)
	if err != nil {
		return nil // a run of all cells says what is wrong, if anything is
	}
	executed.TakeOutputs(earlier, from)
	return executed
}

var (
	// outside is what a cell may leave for a later one besides declarations, or change of an earlier one's output.
	outside  = regexp.MustCompile(`(?m)\b(os|exec|ioutil|syscall|unsafe|http|net|cache)\.|\bUpdate|^[ \t]*(!|%[^%])`)
	mainLine = regexp.MustCompile(`(?m)^[ \t]*%%`)
)

// declared returns one cell with what the cells before from declare, and whether it can stand for them: they declare
// each name once, and leave nothing else behind. No cell may be one that is to fail, since messages number the cells.
func declared(cells []jupyter.Cell, from int) (text string, ok bool) {
	var imports []string
	var rest strings.Builder
	names := map[string]bool{}
	for i, c := range cells {
		switch {
		case c.Kind != jupyter.Code:
			continue
		case c.HasTag(jupyter.TagRaises):
			return "", false
		case i >= from || c.HasTag(jupyter.TagSkip):
			continue
		case outside.MatchString(c.Source):
			return "", false
		}
		source := c.Source
		if at := mainLine.FindStringIndex(source); at != nil {
			source = source[:at[0]]
		}
		set := token.NewFileSet()
		const before = "package p\n"
		file, err := parser.ParseFile(set, "", before+source, 0)
		if err != nil {
			return "", false
		}
		begin := 0
		for _, d := range file.Decls {
			found := namesOf(d)
			for _, name := range found {
				if name == "main" || name == "init" || name == "_" || names[name] {
					return "", false
				}
				names[name] = true
			}
			if found == nil { // imports, which stand before all else
				begin = set.Position(d.End()).Offset - len(before)
			}
		}
		for _, spec := range file.Imports {
			from, to := set.Position(spec.Pos()).Offset, set.Position(spec.End()).Offset
			line := "import " + (before + source)[from:to] + "\n"
			if !slices.Contains(imports, line) {
				imports = append(imports, line)
			}
		}
		rest.WriteString(source[begin:] + "\n")
	}
	return strings.Join(imports, "") + strings.TrimSpace(rest.String()), true
}

// namesOf returns the names that a declaration declares, a method with its type's before it; nil for imports.
func namesOf(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		receiver := ""
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && receiver == "" {
				receiver = id.Name
			}
			return true
		})
		return []string{receiver + "." + d.Name.Name}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return nil
		}
		names := []string{}
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names = append(names, id.Name)
				}
			}
		}
		return names
	}
	return nil
}
