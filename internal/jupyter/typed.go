package jupyter

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/gosource"
)

// A cell may have declarations, and statements below them without a line %% between. gonb wants a function main for the
// statements. It gets one that takes no line of its own, so lines keep their numbers.

// mainHead begins the function main of typed statements.
const mainHead = "func main() { flag.Parse(); "

// ownMain matches the commands that say themselves what a cell runs.
var ownMain = regexp.MustCompile(`^(?:%%|%(?:main|exec|test|wasm)(?:[ \t]|$))`)

// typedAt returns the byte of a cell at which its statements begin, if it has statements and does not say itself where
// they begin. Functions below them are none of its business: Go refuses those.
func typedAt(code string) (at int, is bool) {
	if otherLanguage.MatchString(code) {
		return 0, false
	}
	for _, p := range splitCell(code) {
		if p.kind == openPart || p.kind == commandPart && ownMain.MatchString(p.command(code)) {
			return 0, false
		}
	}
	items, err := gosource.Items(withoutCommands(code))
	if err != nil {
		return 0, false
	}
	if slices.ContainsFunc(items, func(it gosource.Item) bool { return it.Kind == token.FUNC && it.Name == "main" }) {
		return 0, false
	}
	first := slices.IndexFunc(items, func(it gosource.Item) bool { return it.Kind == token.ILLEGAL })
	if first < 0 {
		return 0, false
	}
	return items[first].From, true
}

// mainTail ends the function main of typed statements. Variables that they declare need not be used.
func mainTail(statements string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package cell\nfunc _() {\n"+statements+"\n}",
		parser.SkipObjectResolution)
	if err != nil {
		return "\n}"
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
		return "\n}"
	}
	return "\n" + strings.Repeat("_, ", len(names)-1) + "_ = " + strings.Join(names, ", ") + " }"
}

// DeclaredBy returns the variables that a statement declares for the statements that follow.
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
