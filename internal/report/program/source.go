package program

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/jupyter"
)

// library is the path of this module.
const library = "github.com/siegebook/siegebook"

// These names are reserved for generated code. Cells must not use them.
const (
	sessionName = "siegebook_session"
	packageName = "siegebook_page"
)

// ownLine ends the effect of a lineMark: the following lines are reported as lines of the generated file.
const ownLine = "//line page.go:1\n"

// source writes the Go package of a page.
type source struct {
	page    Page
	cell    int // the index of the current cell, from 0
	imports []importSpec
	top     strings.Builder // declarations at package level
	body    strings.Builder // the body of the page's function
	blocks  int             // the number of blocks that the body has opened
	locals  map[string]bool // names that statements declare
	address string          // "&" to use variables by address, because tools report a copied lock
	silent  map[int]bool    // the cells whose last line is a call without a value
	// checked means that tools check the code, but it is not run. Values are then discarded instead of shown, and calls
	// are not changed.
	checked bool
	// notebook means that the cells have the meaning that they have in a notebook, and that expressions in the text are
	// left out. ends means that the current cell has a line %%, so its block ends with the cell.
	notebook, ends bool
	faults         []Fault
}

// importSpec is an import of a cell.
type importSpec struct {
	name, path string // name is the name in the import; "" if there is none
	at         Fault  // the position of the import; the fault has no message
}

// place returns the line and column in the page of the byte at the given offset in the current cell.
func (s *source) place(offset int) (line, column int) {
	c := s.page.Cells[s.cell]
	before := c.Code[:min(offset, len(c.Code))]
	line = strings.Count(before, "\n")
	column = offset - strings.LastIndexByte(before, '\n')
	if line == 0 {
		column += c.Column - 1
	}
	return c.Line + line, column
}

// fault records a fault at the given offset in the current cell.
func (s *source) fault(offset int, cure, format string, args ...any) {
	line, column := s.place(offset)
	s.faults = append(s.faults, Fault{
		Cell: s.cell, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Cure: cure,
	})
}

// lineMark returns a line directive that sets the next line's position in the page.
func (s *source) lineMark(offset int) string {
	line, column := s.place(offset)
	return fmt.Sprintf("//line %s:%d:%d\n", s.page.shownFile(), line, column)
}

// newSource reads the cells of a page. It records a fault for each cell that is not valid Go.
func newSource(p Page, silent map[int]bool) *source {
	s := &source{page: p, locals: map[string]bool{}, silent: silent}
	s.read()
	return s
}

func (s *source) read() {
	for i, c := range s.page.Cells {
		if s.cell = i; c.Value && s.notebook {
			continue
		} else if c.Value {
			s.value(c)
		} else {
			s.statements(c.Code)
		}
	}
}

// value adds an expression whose value the page shows.
func (s *source) value(c Cell) {
	if _, err := parser.ParseExpr(c.Code); err != nil {
		_, why, _ := strings.Cut(err.Error(), ": ")
		s.fault(0, "", "%q is not a Go expression: %s", c.Code, why)
		return
	}
	// Because of the comma, the closing parenthesis may be on the next line.
	fmt.Fprintf(&s.body, "%s.Value(%d)(\n%s%s,\n%s)\n", sessionName, s.cell, s.lineMark(0), c.Code, ownLine)
}

// statements adds the declarations and statements of a cell. A variable that is declared above the statements of its
// cell belongs to the package, so that functions can use it. A variable declared below them belongs to the page's
// function, and so does a variable that hides or uses a name that a statement has declared.
func (s *source) statements(text string) {
	code, main, err := body(text)
	if err != nil {
		what, cure, _ := strings.Cut(err.Error(), ": ")
		s.fault(main, cure, "%s", what)
		return
	}
	items, err := gosource.Items(code)
	if err != nil {
		var bracket gosource.Unclosed
		var list scanner.ErrorList
		switch {
		case errors.As(err, &bracket):
			s.fault(bracket.At, "", "%q has no matching bracket in the cell", code[bracket.At:bracket.At+1])
		case errors.As(err, &list):
			s.fault(list[0].Pos.Offset, "", "%s", list[0].Msg)
		}
		return
	}
	last, shows := gosource.LastValue(code, items)
	shows = shows && main == len(code) && !s.silent[s.cell] && !(s.checked && last.Call)
	if s.notebook {
		main = s.asNotebook(items, main)
	}
	first := firstStatement(items)
	fmt.Fprintf(&s.body, "{\n%s.Cell(%d)\n", sessionName, s.cell)
	s.blocks++
	for i, it := range items {
		text := code[it.From:it.To]
		above := it.From < main
		switch {
		case it.Kind == token.PACKAGE:
		case it.Kind == token.IMPORT:
			s.addImports(it, text)
		case it.Kind == token.FUNC && (it.Name == "main" || it.Name == "init"):
			s.called(it, text)
		case it.Kind == token.FUNC,
			above && (it.Kind == token.TYPE || it.Kind == token.CONST) && !s.seesLocals(text, false),
			above && it.Kind == token.VAR && (first < 0 || i < first || main < len(code)) && !s.seesLocals(text, true):
			if s.locals[it.Name] && it.Kind == token.FUNC {
				s.fault(it.From, "give one of them another name", "a variable of an earlier cell hides the function "+
					"%s", it.Name)
			}
			if s.parses(it, text) {
				s.top.WriteString(s.lineMark(it.From) + text + "\n")
			}
		case shows && i == len(items)-1:
			s.last(code[last.From:last.To], last.From)
		default:
			s.statement(it, text)
		}
	}
	s.body.WriteString(ownLine)
	if s.notebook && s.ends {
		s.body.WriteString("}\n")
		s.blocks--
	}
}

// last adds the expression at the end of a cell, whose value the page shows.
func (s *source) last(text string, at int) {
	if s.checked {
		s.body.WriteString(givenAway + "\n" + s.lineMark(at) + text + "\n")
		return
	}
	fmt.Fprintf(&s.body, "%s.Value(\n%s%s,\n%s)\n", jupyter.ShowName, s.lineMark(at), text, ownLine)
}

// givenAway is the beginning of a statement that discards the value of an expression.
const givenAway = "_ ="

// seesLocals reports whether a declaration declares a name that an earlier statement has declared. If values is true,
// using such a name counts too.
func (s *source) seesLocals(text string, values bool) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", fileHead+text, 0)
	if err != nil {
		return false
	}
	for name := range file.Scope.Objects {
		if s.locals[name] {
			return true
		}
	}
	return values && slices.ContainsFunc(file.Unresolved, func(name *ast.Ident) bool { return s.locals[name.Name] })
}

const fileHead = "package p\n"

// parses reports whether a declaration is valid Go. If not, it records a fault.
func (s *source) parses(it gosource.Item, text string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", fileHead+text, parser.SkipObjectResolution)
	return s.understood(err, it.From-len(fileHead))
}

// understood records the first error of a parser as a fault, and reports whether there was no error. The parsed text
// begins at offset begin in the cell.
func (s *source) understood(err error, begin int) bool {
	var list scanner.ErrorList
	if errors.As(err, &list) {
		s.fault(max(0, begin+list[0].Pos.Offset), "", "%s", list[0].Msg)
	}
	return err == nil
}

func (s *source) addImports(it gosource.Item, text string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", fileHead+text, parser.ImportsOnly)
	if !s.understood(err, it.From-len(fileHead)) {
		return
	}
	for _, spec := range file.Imports {
		var i importSpec
		if spec.Name != nil {
			i.name = spec.Name.Name
		}
		i.path, _ = strconv.Unquote(spec.Path.Value)
		line, column := s.place(it.From + set.Position(spec.Pos()).Offset - len(fileHead))
		i.at = Fault{Cell: s.cell, Line: line, Column: column}
		s.imports = append(s.imports, i)
	}
}

// called adds a call of a cell's function main or init at the position of its declaration.
func (s *source) called(it gosource.Item, text string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", fileHead+text, parser.SkipObjectResolution)
	if !s.understood(err, it.From-len(fileHead)) {
		return
	}
	begin := set.Position(file.Decls[0].(*ast.FuncDecl).Body.Pos()).Offset - len(fileHead)
	line, column := s.place(it.From + begin)
	const literal = "func() "
	fmt.Fprintf(&s.body, "//line %s:%d:%d\n%s%s()\n", s.page.shownFile(), line, max(1, column-len(literal)), literal,
		text[begin:])
}

// statement adds a statement. The variables that it declares may be unused in the cell, because a later cell may use
// them.
func (s *source) statement(it gosource.Item, text string) {
	const head = "package p\nfunc _() {"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", head+text+"\n}", parser.SkipObjectResolution)
	if !s.understood(err, it.From-len(head)) {
		return
	}
	used := ""
	for _, statement := range file.Decls[0].(*ast.FuncDecl).Body.List {
		for _, name := range jupyter.DeclaredBy(statement) {
			if !s.notebook || !s.ends {
				used += "; _ = " + s.address + name
			}
			s.locals[name] = true
		}
		ast.Inspect(statement, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				s.fault(it.From+set.Position(n.Pos()).Offset-len(head), "use if, or put the statements into a function",
					"the page would stop at this return")
			case *ast.DeferStmt:
				if s.notebook && slices.ContainsFunc(s.page.Cells[s.cell+1:], func(c Cell) bool { return !c.Value }) {
					s.fault(it.From+set.Position(n.Pos()).Offset-len(head), "put the statements into a function",
						"the deferred call runs at the end of the page, but in a notebook at the end of the cell")
				}
			}
			return true
		})
	}
	s.body.WriteString(s.lineMark(it.From) + text + used + "\n")
}

// file returns the Go file of the page, in a package with the given name. It adds imports for known packages that cells
// use without an import.
func (s *source) file(name string, known packages) string {
	rest := s.top.String() + ownLine + "func Page(" + sessionName + " *" + packageName + ".Session) {\n" +
		s.body.String() + sessionName + ".Done()\n" + strings.Repeat("}\n", s.blocks+1)
	wanted := qualifiers(fileHead + rest)
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\nimport %s %q\n", name, packageName, library+"/notebooks/show/page")
	have := map[string]string{}
	for _, spec := range s.imports {
		sure := known.names[spec.path]
		name := cmp.Or(spec.name, sure, gosource.PackageName(spec.path))
		key := name
		if name == "_" || name == "." {
			key += spec.path
		}
		before, twice := have[key]
		switch {
		case twice && before == spec.path:
			continue
		case twice:
			fault := spec.at
			fault.Message = fmt.Sprintf("%s is %q here, but %q in an earlier cell", name, spec.path, before)
			fault.Cure = "give one of them another name"
			s.faults = append(s.faults, fault)
			continue
		case key == name && !wanted[name] && (spec.name != "" || sure != ""):
			continue // skip an unused import, which gonb allows; Go reports other unused imports
		}
		have[key] = spec.path
		fmt.Fprintf(&head, "//line %s:%d:%d\nimport %s %q\n", s.page.shownFile(), spec.at.Line, spec.at.Column,
			spec.name, spec.path)
	}
	head.WriteString(ownLine)
	if strings.Contains(rest, jupyter.ShowName+".Value(") {
		fmt.Fprintf(&head, "import %s %q\n", jupyter.ShowName, jupyter.ShowPath)
	}
	if embedLine.MatchString(rest) {
		head.WriteString("import _ \"embed\"\n")
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if known.paths[name] != "" && have[name] == "" {
			fmt.Fprintf(&head, "import %q\n", known.paths[name])
		}
	}
	return head.String() + rest
}

// qualifiers returns the undeclared names that a Go file uses before a dot.
func qualifiers(text string) map[string]bool {
	names := map[string]bool{}
	file, _ := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if file == nil {
		return names
	}
	undeclared := map[*ast.Ident]bool{}
	for _, name := range file.Unresolved {
		undeclared[name] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, is := n.(*ast.SelectorExpr); is {
			if name, is := selector.X.(*ast.Ident); is && undeclared[name] {
				names[name.Name] = true
			}
		}
		return true
	})
	return names
}
