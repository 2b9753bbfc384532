package program

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/notebooks/show/values"
)

// firstStatement returns the index of the first item that must be in a function, or -1 if there is none.
func firstStatement(items []gosource.Item) int {
	return slices.IndexFunc(items, func(it gosource.Item) bool { return it.Kind == token.ILLEGAL })
}

// Differences reports where a page and a notebook with the same cells would behave differently. A notebook does not
// compute expressions in its text. It does not keep functions, channels and the like for later cells, and keeps no
// values of a cell with a line %%. It may declare a name twice, which a page may not. Differences leaves out errors
// that occur in both. names returns the names of cells for messages.
func (g Program) Differences(ctx context.Context, p Page, names func(cell int) string) ([]Fault, error) {
	b, err := g.open(ctx)
	if err != nil {
		return nil, err
	}
	page := &source{page: p, locals: map[string]bool{}, checked: true}
	notebook := &source{page: p, locals: map[string]bool{}, checked: true, notebook: true}
	page.read()
	notebook.read()
	text, texts := page.file("page", b.known), notebook.file("page", b.known)
	if len(page.faults) > 0 {
		return page.faults, nil
	}
	if len(notebook.faults) > 0 {
		return notebook.faults, nil
	}
	work, done, err := b.workFolder()
	if err != nil {
		return nil, err
	}
	defer done()
	if err := b.workspace(work); err != nil {
		return nil, err
	}
	compiled, err := b.compiled(ctx, work, importsOf(text))
	if err != nil {
		return nil, err
	}
	c := comparison{
		checked: check(text, compiled), page: p, names: names, cells: map[int]*unit{}, units: map[types.Object]*unit{},
		shares: map[types.Object][]*types.Var{},
	}
	c.compare(check(texts, compiled))
	c.readAll()
	c.followVariables()
	c.hidden(page.locals)
	c.notKept()
	sortFaults(c.faults)
	return c.faults, nil
}

// asNotebook returns the offset at which the statements of a cell begin in a notebook. It records a fault for each item
// that a notebook cannot contain.
func (s *source) asNotebook(items []gosource.Item, main int) int {
	code := s.page.Cells[s.cell].Code
	if s.ends = main < len(code); s.ends {
		s.locals = map[string]bool{}
	}
	for _, m := range embedLine.FindAllStringIndex(code, -1) {
		s.fault(m[0], "read the file with os.ReadFile", "//go:embed does not work in a notebook")
	}
	first := firstStatement(items)
	if first >= 0 && main == len(code) {
		main = items[first].From
	}
	for _, it := range items {
		switch {
		case it.Kind == token.FUNC && it.Name == "init":
			s.fault(it.From, "write its statements directly in the cell", "in a notebook, init runs again with each "+
				"later cell")
		case it.Kind == token.FUNC && it.Name == "main" && first >= 0:
			s.fault(it.From, "write its statements directly in the cell", "in a notebook, a cell cannot have func "+
				"main and other statements")
		case it.From > main && (it.Kind == token.FUNC || it.Kind == token.IMPORT):
			s.fault(it.From, "move it above the statements", "in a notebook, a cell cannot have %s among its "+
				"statements", it.Kind)
		}
	}
	return main
}

// checked is a type-checked Go file.
type checked struct {
	set    *token.FileSet
	file   *ast.File
	own    *types.Package
	info   types.Info
	errors []types.Error
}

func check(text string, compiled map[string]string) *checked {
	c := &checked{set: token.NewFileSet(), info: types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{},
	}}
	file, err := parser.ParseFile(c.set, pageFile, text, parser.SkipObjectResolution|parser.ParseComments)
	if c.file = file; err != nil {
		c.errors = append(c.errors, types.Error{Fset: c.set, Msg: err.Error()})
	}
	config := types.Config{
		Importer: importer.ForCompiler(c.set, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(compiled[path])
		}),
		Error: func(err error) { c.errors = append(c.errors, err.(types.Error)) },
	}
	c.own, _ = config.Check("page", c.set, []*ast.File{c.file}, &c.info)
	return c
}

type place struct{ line, column int }

// placeOf converts a position in the Go file to a place in the page. The line is 0 if the position is not in the page.
func (c *checked) placeOf(pos token.Pos) (p place) {
	if at := c.set.Position(pos); at.Filename != pageFile {
		p.line, p.column = at.Line, at.Column
	}
	return p
}

// comparison finds the differences between a page and a notebook.
type comparison struct {
	*checked
	page   Page
	names  func(cell int) string
	cells  map[int]*unit
	units  map[types.Object]*unit        // the units of functions and of the values of variables
	shares map[types.Object][]*types.Var // for each variable, other variables that may share memory with it
	faults []Fault
}

func (c *comparison) fault(at place, cure, format string, args ...any) {
	c.faults = append(c.faults, Fault{
		Cell: c.page.cellAt(at.line, at.column), Line: at.line, Column: at.column,
		Message: fmt.Sprintf(format, args...), Cure: cure,
	})
}

// cellAt returns the name of the cell at a place.
func (c *comparison) cellAt(at place) string { return c.names(c.page.cellAt(at.line, at.column)) }

const (
	join   = "merge the cells"
	take   = "remove the line %%"
	rename = "give one of them another name"
)

var (
	unused = regexp.MustCompile(`^declared and not used: (.*)$`)
	twice  = regexp.MustCompile(`^(?:method )?(\S+) (?:redeclared in this block|already declared at .*)$`)
)

// compare finds names that have a different meaning, or none, in a notebook.
func (c *comparison) compare(notebook *checked) {
	uses := map[place]*ast.Ident{}
	for name := range c.info.Uses {
		uses[c.placeOf(name.Pos())] = name
	}
	said := map[place]bool{}
	for _, err := range c.errors {
		said[c.placeOf(err.Pos)] = true
		if m := twice.FindStringSubmatch(err.Msg); m != nil {
			c.fault(c.placeOf(err.Pos), rename, "%s is declared twice, but a page can declare a name only once", m[1])
		}
	}
	for _, err := range notebook.errors {
		at := notebook.placeOf(err.Pos)
		switch name := uses[at]; {
		case said[at], strings.HasPrefix(err.Msg, "\t"), strings.HasSuffix(err.Msg, "imported and not used"):
		case twice.MatchString(err.Msg):
			c.fault(at, rename, "in a notebook, this %s replaces the one from another cell",
				twice.FindStringSubmatch(err.Msg)[1])
		case undefined.MatchString(err.Msg) && name != nil:
			c.fault(at, take, "a statement of %s declares %s, which a notebook loses when the cell ends",
				c.cellAt(c.placeOf(c.info.Uses[name].Pos())), name.Name)
		case unused.MatchString(err.Msg):
			name := unused.FindStringSubmatch(err.Msg)[1]
			c.fault(at, "add _ = "+name+" to the cell", "the cell does not use %s, and a notebook rejects unused "+
				"variables", name)
		case at.line > 0:
			c.fault(at, join, "a notebook rejects this: %s", err.Msg)
		}
	}
	for name, there := range notebook.info.Uses {
		here := uses[notebook.placeOf(name.Pos())]
		if here == nil || there.Pkg() != notebook.own || c.placeOf(here.Pos()).line == 0 {
			continue
		}
		if declared := c.info.Uses[here]; c.placeOf(declared.Pos()) != notebook.placeOf(there.Pos()) {
			c.fault(c.placeOf(here.Pos()), rename, "%s is declared in %s here, but in a notebook it would come from %s",
				name.Name, c.cellAt(c.placeOf(declared.Pos())), c.cellAt(notebook.placeOf(there.Pos())))
		}
	}
}

// unit is a piece of the page: a cell, a function, or the initial value of a package-level variable.
type unit struct {
	uses   []*ast.Ident // the package-level names that it uses
	writes []*types.Var // the variables whose memory it may change
}

// readAll records what cells, functions and values use and write.
func (c *comparison) readAll() {
	for i := range c.page.Cells {
		c.cells[i] = &unit{}
	}
	for _, decl := range c.file.Decls {
		of := &unit{}
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "Page" {
				of = nil
			} else {
				c.units[c.info.Defs[d.Name]] = of
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if spec, is := spec.(*ast.ValueSpec); is {
					for _, name := range spec.Names {
						c.units[c.info.Defs[name]] = of
					}
				}
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if n == nil {
				return true
			}
			u := of
			if at := c.placeOf(n.Pos()); u == nil && at.line > 0 {
				u = c.cells[c.page.cellAt(at.line, at.column)]
			}
			if u != nil {
				c.read(u, n)
			}
			return true
		})
	}
}

// read records what a node uses and writes.
func (c *comparison) read(u *unit, n ast.Node) {
	write := func(e ast.Expr) { u.writes = append(u.writes, c.roots(e)...) }
	share := func(to *types.Var, from ast.Expr) {
		if mayShareMemory(to.Type()) {
			c.shares[to] = append(c.shares[to], c.roots(from)...)
		}
	}
	assign := func(left, right ast.Expr) {
		_, whole := left.(*ast.Ident)
		for _, v := range c.roots(left) {
			if share(v, right); !whole || v.Parent() == c.own.Scope() {
				u.writes = append(u.writes, v)
			}
		}
	}
	switch n := n.(type) {
	case *ast.Ident:
		if o := c.info.Uses[n]; o != nil && o.Pkg() == c.own {
			u.uses = append(u.uses, n)
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			assign(left, n.Rhs[min(i, len(n.Rhs)-1)])
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if v, is := c.info.Defs[name].(*types.Var); is && len(n.Values) > 0 {
				share(v, n.Values[min(i, len(n.Values)-1)])
			}
		}
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				assign(e, n.X)
			}
		}
	case *ast.IncDecStmt:
		write(n.X)
	case *ast.SendStmt:
		write(n.Chan)
	case *ast.UnaryExpr:
		if _, literal := n.X.(*ast.CompositeLit); n.Op == token.AND && !literal || n.Op == token.ARROW {
			write(n.X)
		}
	case *ast.CallExpr:
		callee := typeutil.Callee(&c.info, n)
		if callee == nil {
			return
		}
		arguments := n.Args
		var parameters []*types.Var
		f, _ := callee.(*types.Func)
		if f != nil && f.Signature().Recv() != nil {
			selector, is := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !is {
				return
			}
			arguments = append([]ast.Expr{selector.X}, arguments...)
			parameters = append(parameters, f.Origin().Signature().Recv())
			if f.Pkg() != c.own && mayChange(f) {
				write(selector.X)
			}
		} else if changers.MatchString(callee.String()) && len(arguments) > 0 {
			write(arguments[0])
		}
		if f == nil || f.Pkg() != c.own {
			return
		}
		parameters = slices.AppendSeq(parameters, f.Origin().Signature().Params().Variables())
		for i, argument := range arguments {
			if len(parameters) > 0 {
				share(parameters[min(i, len(parameters)-1)], argument)
			}
		}
	}
}

// changers matches functions of Go and its library that change their first argument.
var changers = regexp.MustCompile(`^builtin (copy|delete|clear|close)$|^func (sort\.(Ints|Strings|Float64s|Sl|So|St)|` +
	`slices\.(Sort|Reverse|Delete|Insert|Replace|Compact)|maps\.(Copy|Insert|Delete)|fmt\.(F|Sc|Ss))`)

// mayChange reports whether a method of another package may change its receiver. In package math/big, the methods that
// change the receiver also return it.
func mayChange(f *types.Func) bool {
	receiver, results := f.Signature().Recv().Type(), f.Signature().Results()
	_, pointer := receiver.(*types.Pointer)
	switch {
	case f.Pkg() == nil || f.Name() == "String" || slices.Contains([]string{"regexp", "text/template"}, f.Pkg().Path()):
		return false
	case f.Pkg().Path() == "math/big":
		return results.Len() > 0 && types.Identical(results.At(0).Type(), receiver)
	}
	return pointer || types.IsInterface(receiver)
}

// mayShareMemory reports whether two values of a type may share memory.
func mayShareMemory(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Array:
		return mayShareMemory(t.Elem())
	case *types.Struct:
		fields := slices.Collect(t.Fields())
		return slices.ContainsFunc(fields, func(f *types.Var) bool { return mayShareMemory(f.Type()) })
	}
	return true
}

// roots returns the variables whose memory an expression may share.
func (c *comparison) roots(e ast.Expr) (all []*types.Var) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			all = append(all, c.roots(n.X)...)
			return false
		case *ast.FuncLit, *ast.BinaryExpr:
			return false
		case *ast.CallExpr:
			builtin, _ := typeutil.Callee(&c.info, n).(*types.Builtin)
			if c.info.Types[n.Fun].IsType() || builtin != nil && builtin.Name() == "append" {
				all = append(all, c.roots(n.Args[0])...)
			}
			return false
		case *ast.Ident:
			if v, is := c.info.ObjectOf(n).(*types.Var); is && !v.IsField() {
				all = append(all, v)
			}
		}
		return true
	})
	return all
}

// reach adds what a unit uses and writes, directly or through the functions and values that it uses.
func (c *comparison) reach(u *unit, uses, writes map[types.Object]bool) {
	var change func([]*types.Var)
	change = func(all []*types.Var) {
		for _, v := range all {
			if !writes[v] {
				writes[v] = true
				change(c.shares[v])
			}
		}
	}
	change(u.writes)
	for _, name := range u.uses {
		o := c.info.Uses[name]
		if f, is := o.(*types.Func); is {
			o = f.Origin()
		}
		if !uses[o] {
			uses[o] = true
			if next := c.units[o]; next != nil {
				c.reach(next, uses, writes)
			}
		}
	}
}

// changes records the fault that the cell by changes a variable, but a notebook has lost the change at the given place.
func (c *comparison) changes(at place, by int, v types.Object) {
	_, main, _ := body(c.page.Cells[by].Code)
	switch {
	case c.page.Cells[by].Value:
		c.fault(at, "change it in a cell", "%s changes %s, but a notebook does not compute values in the "+
			"text", c.names(by),
			v.Name())
	case main < len(c.page.Cells[by].Code):
		c.fault(at, take, "%s changes %s below a line %%%%, but in a notebook the change is lost when the cell ends",
			c.names(by), v.Name())
	default:
		part := types.TypeString(unkept(v.Type(), true, map[types.Type]bool{}), types.RelativeTo(c.own))
		c.fault(at, join, "%s changes %s, but a notebook may lose the change because of the type "+
			"%s", c.names(by), v.Name(), part)
	}
}

// followVariables finds package-level variables that one cell changes and a later cell uses, if a notebook would have
// lost the change.
func (c *comparison) followVariables() {
	changed := map[types.Object]int{} // the cell that changed the variable
	for i, cell := range c.page.Cells {
		found := map[types.Object]bool{}
		for _, name := range c.cells[i].uses {
			uses := map[types.Object]bool{}
			c.reach(&unit{uses: []*ast.Ident{name}}, uses, map[types.Object]bool{})
			for v, by := range changed {
				if uses[v] && !found[v] && !cell.Value {
					found[v] = true
					c.changes(c.placeOf(name.Pos()), by, v)
				}
			}
		}
		writes := map[types.Object]bool{}
		c.reach(c.cells[i], map[types.Object]bool{}, writes)
		_, main, _ := body(cell.Code)
		ends := cell.Value || main < len(cell.Code)
		for v := range writes {
			_, known := changed[v]
			if !known && v.Parent() == c.own.Scope() && (ends || unkept(v.Type(), true, map[types.Type]bool{}) != nil) {
				changed[v] = i
			}
		}
	}
}

// hidden finds functions and values that use a package-level variable although a statement declares a variable with the
// same name. In a notebook, they would use the newer variable.
func (c *comparison) hidden(locals map[string]bool) {
	for o, unit := range c.units {
		for _, name := range unit.uses {
			v, is := c.info.Uses[name].(*types.Var)
			if is && v.Parent() == c.own.Scope() && locals[v.Name()] {
				c.fault(c.placeOf(name.Pos()), rename, "%s uses the package's %s here, but in a notebook it would "+
					"use the variable of a later statement", o.Name(), v.Name())
			}
		}
	}
}

// notKept finds variables that are used after the cell that declares them, but that a notebook does not keep.
func (c *comparison) notKept() {
	said := map[types.Object]bool{}
	for i := range c.page.Cells {
		for _, name := range c.cells[i].uses {
			v, is := c.info.Uses[name].(*types.Var)
			if !is || v.IsField() || v.Parent() == nil || said[v] || c.page.Cells[i].Value {
				continue
			}
			at := c.placeOf(v.Pos())
			_, isFunction := v.Type().Underlying().(*types.Signature)
			if at.line == 0 || c.page.cellAt(at.line, at.column) >= i || isFunction && v.Parent() == c.own.Scope() {
				continue // in a notebook, each cell has its own copy of a function
			}
			if part := unkept(v.Type(), false, map[types.Type]bool{}); part != nil {
				said[v] = true
				c.fault(c.placeOf(name.Pos()), "declare a function, or "+join,
					"a notebook does not keep %s because of the type %s", v.Name(),
					types.TypeString(part, types.RelativeTo(c.own)))
			}
		}
	}
}

// unkept returns a part of a type whose values a notebook cannot keep for the next cell, or nil if there is none. The
// type of a value in an interface, and whether a function in a struct is nil, are known only at run time. If unsure is
// true, such parts count too.
func unkept(t types.Type, unsure bool, seen map[types.Type]bool) types.Type {
	if seen[t] {
		return nil
	}
	seen[t] = true
	if named, is := types.Unalias(t).(*types.Named); is && named.Obj().Pkg() != nil {
		_, isStruct := named.Underlying().(*types.Struct)
		if isStruct && values.OfSystem(named.Obj().Pkg().Path()) {
			return t
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return t
	case *types.Interface:
		if unsure {
			return t
		}
	case *types.Pointer:
		return unkept(u.Elem(), unsure, seen)
	case *types.Slice:
		return unkept(u.Elem(), unsure, seen)
	case *types.Array:
		return unkept(u.Elem(), unsure, seen)
	case *types.Map:
		return unkept(u.Elem(), unsure, seen)
	case *types.Struct:
		for f := range u.Fields() {
			_, isFunction := f.Type().Underlying().(*types.Signature)
			if part := unkept(f.Type(), unsure, seen); part != nil && (unsure || !isFunction) {
				return part
			}
		}
	}
	return nil
}
