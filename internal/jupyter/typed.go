package jupyter

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/gosource"
)

// A cell may have declarations followed by statements, without a line %% between them. gonb needs a function main
// around the statements. The inserted main adds no lines, so line numbers stay the same. If the last statement is an
// expression, main passes its value to package show.

// mainHead is the beginning of the function main that contains such statements, and valueHead is the beginning of the
// call that shows the value of the last statement.
const (
	mainHead  = "func main() { flag.Parse(); "
	valueHead = ShowName + ".Value("
)

// ShowName is the name under which a program imports package show to show the value of a cell's last line. ShowPath is
// the import path of that package.
const (
	ShowName = "siegebookShow"
	ShowPath = "github.com/siegebook/siegebook/notebooks/show"
)

const showImport = ShowName + ` "` + ShowPath + `"`

// ownMain matches the commands that determine what a cell runs.
var ownMain = regexp.MustCompile(`^(?:%%|%(?:main|exec|test|wasm)(?:[ \t]|$))`)

// typedCell is a cell without a command that marks where its statements begin.
type typedCell struct {
	code  string // the code, with commands and any package clause replaced by spaces
	items []gosource.Item
	first int // the index of the first statement in items; -1 if there is none
	value gosource.Value
	shows bool // whether main shows value
}

// asTyped reads a cell. It returns false if a command marks where the statements begin. The error is a *refusedCell.
func asTyped(code string) (c typedCell, is bool, err error) {
	if otherLanguage.MatchString(code) {
		return c, false, nil
	}
	for _, p := range splitCell(code) {
		if p.kind == openPart || p.kind == commandPart && ownMain.MatchString(p.command(code)) {
			return c, false, nil
		}
	}
	c.code = withoutCommands(code)
	c.items, err = gosource.Items(c.code)
	var bracket gosource.Unclosed
	var list scanner.ErrorList
	switch {
	case errors.As(err, &bracket):
		sign := code[bracket.At : bracket.At+1]
		return c, true, refuseAt(code, bracket.At, "%q is not closed: add the missing bracket to the cell", sign)
	case errors.As(err, &list):
		return c, true, refuseAt(code, list[0].Pos.Offset, "%s", list[0].Msg)
	}
	c.first = slices.IndexFunc(c.items, func(it gosource.Item) bool { return it.Kind == token.ILLEGAL })
	for _, it := range c.items {
		if it.Kind == token.PACKAGE {
			text := []byte(c.code)
			blank(text[it.From:it.To])
			c.code = string(text)
		}
	}
	c.value, c.shows = gosource.LastValue(c.code, c.items)
	return c, true, c.check()
}

// check returns an error for text that is not Go, and for declarations that Go does not allow among statements.
func (c typedCell) check() error {
	at := len(c.code)
	if c.first >= 0 {
		at = c.items[c.first].From
	}
	for i, it := range c.items {
		const move = "move it above the statements of the cell"
		below := c.first >= 0 && i > c.first
		switch {
		case c.first >= 0 && it.Kind == token.FUNC && it.Name == "main":
			return refuseAt(c.code, it.At, "a cell can have func main or other statements, but not both: "+
				"move the statements out of func main")
		case below && it.Kind == token.IMPORT:
			return refuseAt(c.code, it.At, "an import comes after a statement: %s", move)
		case below && it.Kind == token.FUNC:
			return refuseAt(c.code, it.At, "the function %s comes after a statement: %s", it.Name, move)
		}
	}
	const above, below = "package p;", "package p; func _() {"
	for _, part := range []struct{ head, text, end string }{{above, c.code[:at], ""}, {below, c.code[at:], "\n}"}} {
		_, err := parser.ParseFile(token.NewFileSet(), "", part.head+part.text+part.end, parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			from := at
			if part.head == above {
				from = 0
			}
			place := from + list[0].Pos.Offset - len(part.head)
			said := list[0].Msg
			if place >= len(c.code) {
				place, said = len(c.code), strings.Replace(said, "found '}'", "found the end of the cell", 1)
			}
			return refuseAt(c.code, max(place, 0), "%s", said)
		}
	}
	return nil
}

// typedAt returns the byte offset of the first statement of a cell. It returns false if the cell has no statements,
// or has a command that marks where they begin.
func typedAt(code string) (at int, is bool) {
	c, is, _ := asTyped(code)
	if !is || len(c.items) == 0 || c.first < 0 {
		return 0, false
	}
	return c.items[c.first].From, true
}

// statements returns the body of the function main, including the call that shows the last value.
func (c typedCell) statements() string {
	at := c.items[c.first].From
	if !c.shows {
		return c.code[at:] + c.uses()
	}
	return c.code[at:c.value.From] + valueHead + c.code[c.value.From:c.value.To] + ")" + c.code[c.value.To:] + c.uses()
}

// insertions returns what to insert into a cell for gonb, in descending order of position.
func (c typedCell) insertions() (all []cellPart) {
	add := func(at int, text string) { all = append(all, cellPart{kind: insertPart, from: at, to: at, text: text}) }
	if c.shows {
		add(c.value.To, ")")
		add(c.value.From, valueHead)
	}
	add(c.items[c.first].From, mainHead)
	if c.shows {
		first := slices.IndexFunc(c.items, func(it gosource.Item) bool { return it.Kind != token.PACKAGE })
		add(c.items[first].From, "import "+showImport+"; ")
	}
	return all
}

// uses returns code that uses each variable that the statements declare. It follows the statements.
func (c typedCell) uses() string {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package cell\nfunc _() {\n"+
		c.code[c.items[c.first].From:]+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return "\n"
	}
	var names []string
	for _, s := range file.Decls[0].(*ast.FuncDecl).Body.List {
		for _, name := range DeclaredBy(s) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return "\n"
	}
	return "\n" + strings.Repeat("_, ", len(names)-1) + "_ = " + strings.Join(names, ", ") + " "
}

// DeclaredBy returns the variables that a statement declares for the statements after it.
func DeclaredBy(statement ast.Stmt) (names []string) {
	var found []*ast.Ident
	switch s := statement.(type) {
	case *ast.AssignStmt:
		for _, left := range s.Lhs {
			if name, is := left.(*ast.Ident); is && s.Tok == token.DEFINE {
				found = append(found, name)
			}
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if values, is := spec.(*ast.ValueSpec); is && s.Decl.(*ast.GenDecl).Tok == token.VAR {
				found = append(found, values.Names...)
			}
		}
	}
	for _, name := range found {
		if name.Name != "_" {
			names = append(names, name.Name)
		}
	}
	return names
}

// noValue matches the compiler's message about a call that returns no value.
var noValue = regexp.MustCompile(`(?m)^(?:[^\s:]*/)?main\.go:(\d+):\d+: .* \(no value\) used as value$`)

// WithoutValues returns a program that no longer shows the values of calls that return none. It finds these calls in
// the compiler's messages. It returns false if there are no such calls.
func WithoutValues(source, said []byte) (out []byte, is bool) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if err != nil {
		return source, false
	}
	lines := map[string]bool{}
	for _, m := range noValue.FindAllSubmatch(said, -1) {
		lines[string(m[1])] = true
	}
	out = slices.Clone(source)
	left := 0
	ast.Inspect(file, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || len(call.Args) != 1 {
			return true
		}
		of, isSelector := call.Fun.(*ast.SelectorExpr)
		if !isSelector {
			return true
		}
		if name, isName := of.X.(*ast.Ident); !isName || name.Name != ShowName {
			return true
		}
		if !lines[fmt.Sprint(set.Position(call.Args[0].Pos()).Line)] {
			left++
			return true
		}
		is = true
		blank(out[set.Position(call.Pos()).Offset:set.Position(call.Args[0].Pos()).Offset])
		blank(out[set.Position(call.Args[0].End()).Offset:set.Position(call.End()).Offset])
		return true
	})
	if is && left == 0 {
		for _, spec := range file.Imports {
			if spec.Name != nil && spec.Name.Name == ShowName {
				at := set.Position(spec.Name.Pos()).Offset
				blank(out[at : at+len(ShowName)])
				out[at] = '_'
			}
		}
	}
	return out, is
}
