package lesson

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/jupyter"
)

// begun keeps runs by their beginnings: if two notebooks begin with the same cells, these put out the same.
type begun struct {
	store                 *cache.Cache
	fingerprint, packages []byte
}

const beginningKind = "notebook-beginning-1"

// beginnings are the keys of the beginnings of a notebook, by the place of their last code cell; the others have none.
func (b begun) beginnings(n *jupyter.Notebook) map[int]cache.Key {
	keys := map[int]cache.Key{}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q\n", n.Kernel(), n.Language())
	for i, c := range n.Cells() {
		if c.Kind == jupyter.Code {
			fmt.Fprintf(hash, "%q %q\n", c.Source, c.Tags)
			keys[i] = cache.NewKey(beginningKind, hash.Sum(nil), b.fingerprint, b.packages)
		}
	}
	return keys
}

// keep remembers of each beginning of a notebook which run had it. A failure only costs time.
func (b begun) keep(n *jupyter.Notebook) {
	for _, key := range b.beginnings(n) {
		_ = b.store.Put(key, work(n))
	}
}

// longest returns an earlier run that begins as the notebook does, and the place of the first cell that is another one;
// 0 if there is no such run.
func (b begun) longest(n *jupyter.Notebook) (earlier *jupyter.Notebook, from int) {
	keys := b.beginnings(n)
	cells := n.Cells()
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i].Kind != jupyter.Code {
			continue
		}
		run, ok := b.store.Get(keys[i])
		if !ok {
			continue
		}
		data, ok := b.store.Get(cache.NewKey(runKind, run, b.fingerprint, b.packages))
		if !ok {
			continue
		}
		if executed, err := jupyter.Parse(data); err == nil {
			return executed, i + 1
		}
	}
	return nil, 0
}

// resume runs what is new at the end of a notebook. It returns nil where all of it has to run.
func (b begun) resume(
	ctx context.Context, n *jupyter.Notebook, r Runner, dir string, progress func(done, all int64),
) *jupyter.Notebook {
	if b.store == nil {
		return nil
	}
	earlier, from := b.longest(n)
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
