package jupyter

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/gosource"
)

// A cell shows an old result if something that it uses has changed since it ran. The kernel notices this when the
// changed cell runs. If the front end has saved the notebook, the kernel also notices that a cell was edited but has
// not run since.

// ranCell is the last run of a cell.
type ranCell struct {
	cellView
	code  string
	count int // the execution count of the run
	since int // the count of the first run with the same definitions
	at    time.Time
}

// cellView holds the names that a cell defines, each with the source that defines it. It also holds the names that the
// cell uses from other cells: above for its declarations, and below for its statements.
type cellView struct {
	defines map[string]string
	stays   []string // the variables that the cell's statements define
	above   map[string]bool
	below   map[string]bool
	runs    bool
}

// viewOf returns the view of a cell's code.
func viewOf(code string) (v cellView, err error) {
	file, text, typed, err := cellFile(code)
	if err != nil {
		return v, err
	}
	v = cellView{defines: map[string]string{}, above: map[string]bool{}, below: map[string]bool{}}
	main := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	source := func(n ast.Node) string { return text[n.Pos()-1 : n.End()-1] }
	define := func(n ast.Node) {
		names := gosource.Declared(n)
		if f, is := n.(*ast.FuncDecl); is && f.Recv != nil {
			names = names[:1]
			ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
				if name, is := n.(*ast.Ident); is {
					names = append(names, name.Name)
				}
				return true
			})
		}
		for _, name := range names {
			v.defines[name] += source(n) + "\n"
		}
	}
	for _, decl := range file.Decls[:len(file.Decls)-1] {
		d, is := decl.(*ast.GenDecl)
		if !is || d.Tok == token.CONST { // a constant may continue the constant before it
			define(decl)
			continue
		}
		for _, spec := range d.Specs {
			define(spec)
		}
	}
	for _, name := range file.Unresolved {
		switch {
		case types.Universe.Lookup(name.Name) != nil:
		case name.Pos() < main.Pos():
			v.above[name.Name] = true
		default:
			v.below[name.Name] = true
		}
	}
	v.runs = len(main.Body.List) > 0
	if typed {
		changes := map[string]bool{}
		mentions(main.Body, map[string]bool{}, changes, map[string]bool{})
		for _, s := range main.Body.List {
			v.stays = append(v.stays, DeclaredBy(s)...)
		}
		for name := range changes {
			if v.below[name] {
				v.stays = append(v.stays, name)
			}
		}
		for _, name := range v.stays {
			v.defines[name] = source(main)
		}
	}
	return v, nil
}

// uses reports whether a cell uses one of the names from other cells.
func (v cellView) uses(names map[string]bool) bool {
	for name := range names {
		if v.above[name] || v.below[name] {
			return true
		}
	}
	return false
}

// changedFrom returns the names that two versions of a cell define differently.
func (v cellView) changedFrom(old cellView) map[string]bool {
	names := map[string]bool{}
	for _, of := range []cellView{v, old} {
		for name := range of.defines {
			names[name] = names[name] || v.defines[name] != old.defines[name]
		}
	}
	maps.DeleteFunc(names, func(_ string, differs bool) bool { return !differs })
	return names
}

// ranCells holds the last run of each cell, by the ID that the front end uses.
type ranCells map[string]ranCell

// reach adds to names everything that cells define by using them, directly or indirectly.
func (ran ranCells) reach(names map[string]bool) map[string]bool {
	all := maps.Clone(names)
	for before := -1; before < len(all); {
		before = len(all)
		for _, cell := range ran {
			if !cell.uses(all) {
				continue
			}
			for _, name := range cell.stays {
				all[name] = true
			}
			for name := range all {
				if cell.above[name] {
					for name := range cell.defines {
						all[name] = true
					}
					break
				}
			}
		}
	}
	return all
}

// add records that a cell has run. It returns a line that names the cells whose results are older than something that
// they use, and the cells whose definitions this cell uses and that were edited but have not run since. It returns ""
// if there are no such cells.
func (ran ranCells) add(id string, cell ranCell, saved savedNotebook) (said string) {
	view, err := viewOf(cell.code)
	if err != nil {
		return ""
	}
	old, again := ran[id]
	changed := view.changedFrom(old.cellView)
	cell.cellView, cell.since = view, cell.count
	if again && len(changed) == 0 {
		cell.since = old.since
	}
	ran[id] = cell
	if again {
		reached := ran.reach(changed)
		var older []int
		for other, c := range ran {
			if other != id && c.runs && c.count > old.since && c.uses(reached) {
				older = append(older, c.count)
			}
		}
		if slices.Sort(older); len(older) > 0 {
			said = fmt.Sprintf("%s changed: run %s again.\n", ran.used(changed), inBrackets(older))
		}
	}
	for _, other := range slices.Sorted(maps.Keys(ran)) {
		c := ran[other]
		text := saved.texts[other]
		if text == "" || text == c.code || saved.at.Before(c.at) {
			continue
		}
		edited, err := viewOf(text)
		if changed := edited.changedFrom(c.cellView); other != id && err == nil && cell.uses(ran.reach(changed)) {
			said += fmt.Sprintf("%s changed when cell %s was edited: run that cell, and this one again.\n",
				ran.used(changed), inBrackets([]int{c.count}))
		}
	}
	return said
}

// used returns the given names that cells use from other cells.
func (ran ranCells) used(names map[string]bool) string {
	names = maps.Clone(names)
	maps.DeleteFunc(names, func(name string, _ bool) bool {
		for _, c := range ran {
			if c.above[name] || c.below[name] {
				return false
			}
		}
		return true
	})
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// inBrackets returns the numbers of cells, each in brackets.
func inBrackets(numbers []int) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("[%d]", numbers[0])
	}
	return strings.ReplaceAll(fmt.Sprint(numbers), " ", "], [")
}

// savedNotebook holds the sources of a saved notebook's cells, by ID.
type savedNotebook struct {
	at    time.Time
	texts map[string]string
}

// read reads the notebook that a front end has opened, if the file has changed since the last read.
func (n *savedNotebook) read() {
	info, err := os.Stat(openedFile())
	if err != nil || !info.Mode().IsRegular() || info.ModTime().Equal(n.at) {
		return
	}
	n.at, n.texts = info.ModTime(), map[string]string{}
	saved, err := Read(openedFile())
	if err != nil {
		return
	}
	for _, cell := range saved.Cells() {
		n.texts[cell.ID] = cell.Source
	}
}
