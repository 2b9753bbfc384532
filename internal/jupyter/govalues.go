package jupyter

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// goValue is a place in a cell's Go source that gives a value to a name.
type goValue struct {
	name       string
	kind       goKind
	begin, end int // of the value in the source; equal where a variable is declared without one
}

// goValues returns the values that a cell declares or assigns, in the order of the source. A cell is not a Go file:
// lines that start with % or ! are commands to the kernel, and what follows the line %% is the body of main.
func goValues(source string) ([]goValue, error) {
	code, body := goPart(source)
	const head = "package cell\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+code[:body], parser.SkipObjectResolution)
	if err != nil { // not declarations alone: statements, as a front end for Go scripts has them
		return bodyValues(code, 0)
	}
	values, err := bodyValues(code, body)
	return append(collectValues(file, code, -len(head)), values...), err
}

// bodyValues reads the statements of a source from an offset on.
func bodyValues(code string, from int) ([]goValue, error) {
	const head = "package cell\nfunc _() {\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+code[from:]+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return nil, errors.New("it is not Go: " + goError(err, strings.Count(head, "\n")-strings.Count(code[:from], "\n"), strings.Count(code, "\n")+1))
	}
	return collectValues(file, code, from-len(head)), nil
}

// goPart blanks the lines that are commands to the kernel, so that offsets stay the same, and returns where the body of
// main begins.
func goPart(source string) (code string, body int) {
	var out strings.Builder
	body = -1
	for line := range strings.Lines(source) {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			blank := strings.Repeat(" ", len(strings.TrimRight(line, "\r\n")))
			if body < 0 && (strings.HasPrefix(line, "%%") || strings.HasPrefix(line, "%main")) {
				body = out.Len()
			}
			out.WriteString(blank + line[len(blank):])
			continue
		}
		out.WriteString(line)
	}
	if body < 0 {
		body = out.Len()
	}
	return out.String(), body
}

// collectValues walks through the syntax; shift leads from positions (from 1) to offsets in the source.
func collectValues(file *ast.File, code string, shift int) []goValue {
	var values []goValue
	add := func(name *ast.Ident, declared, value ast.Expr) {
		v := goValue{name: name.Name, kind: kindOf(declared, value)}
		switch {
		case value != nil:
			v.begin, v.end = int(value.Pos())-1+shift, int(value.End())-1+shift
			v.kind.was = code[v.begin:v.end]
		case declared != nil:
			v.begin = int(declared.End()) - 1 + shift
			v.end = v.begin
		default:
			return // a constant that repeats the expression before it
		}
		values = append(values, v)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			if len(node.Values) != len(node.Names) && len(node.Values) > 0 {
				return true // the results of a call
			}
			for i, name := range node.Names {
				switch {
				case len(node.Values) > 0:
					add(name, node.Type, node.Values[i])
				case len(node.Names) == 1:
					add(name, node.Type, nil)
				}
			}
		case *ast.AssignStmt:
			if len(node.Lhs) == len(node.Rhs) && (node.Tok == token.DEFINE || node.Tok == token.ASSIGN) {
				for i, left := range node.Lhs {
					if name, ok := left.(*ast.Ident); ok {
						add(name, nil, node.Rhs[i])
					}
				}
			}
		case *ast.FuncDecl:
			return node.Name.Name == "_" || node.Name.Name == "main" // not into the functions of the cell
		case *ast.FuncLit:
			return false
		}
		return true
	})
	slices.SortStableFunc(values, func(a, b goValue) int { return a.begin - b.begin })
	return values
}

// replace returns the source with another value.
func (v goValue) replace(source, value string) (string, error) {
	written, err := v.kind.write(value)
	if err != nil {
		return "", err
	}
	if v.begin == v.end {
		written = " = " + written
	}
	return source[:v.begin] + written + source[v.end:], nil
}
