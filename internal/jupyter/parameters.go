package jupyter

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// SetParameters gives new values to names that the cells tagged parameters declare or assign, as n in
//
//	var n = 20
//
// Only the value changes, nothing around it. A value is written as in Go; a string may also stand without quotes. The
// error is the user's: no cell with the tag, another language than Go, a name that is not there, or a value that is not
// of the declared kind. After an error the notebook is as it was.
func (n *Notebook) SetParameters(values map[string]string) error {
	if len(values) == 0 {
		return nil
	}
	if language := n.Language(); language != "" && language != "go" {
		return fmt.Errorf("the notebook is written in %s: parameters can be set in Go notebooks only", language)
	}
	sources, err := n.parameterCells()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := setParameter(sources, name, values[name]); err != nil {
			return err
		}
	}
	for i, source := range sources {
		n.setSource(i, source)
	}
	return nil
}

// parameterCells returns the sources of the cells tagged parameters, by place.
func (n *Notebook) parameterCells() (map[int]string, error) {
	sources := map[int]string{}
	for i, c := range n.Cells() {
		if c.Kind == Code && c.HasTag(TagParameters) {
			sources[i] = c.Source
		}
	}
	if len(sources) == 0 {
		return nil, errors.New("the notebook has no code cell tagged " + TagParameters +
			": tag the cell that holds the values to set")
	}
	return sources, nil
}

func setParameter(sources map[int]string, name, value string) error {
	var names []string
	for _, i := range slices.Sorted(maps.Keys(sources)) {
		found, err := goValues(sources[i])
		if err != nil {
			return fmt.Errorf("the cell tagged %s cannot be read: %w", TagParameters, err)
		}
		for _, v := range found {
			if v.name != name {
				names = append(names, v.name)
				continue
			}
			replaced, err := v.replace(sources[i], value)
			if err == nil {
				_, err = goValues(replaced) // a value may hold what no Go source may, such as a zero byte
			}
			if err != nil {
				return fmt.Errorf("parameter %s=%s: %w", name, value, err)
			}
			sources[i] = replaced
			return nil
		}
	}
	there := "there are none"
	if len(names) > 0 {
		there = "use one of " + strings.Join(names, ", ")
	}
	return fmt.Errorf("parameter %s: the cell tagged %s sets no such name: %s", name, TagParameters, there)
}

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
		shift := strings.Count(head, "\n") - strings.Count(code[:from], "\n")
		return nil, errors.New("it is not Go: " + goError(err, shift, strings.Count(code, "\n")+1))
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

// goKind is what is known about the type of a value from its declaration alone.
type goKind struct {
	name string // a predeclared type, the type of a composite literal, or "" where any expression may stand
	was  string // the value that stands there
}

// kindOf returns the kind of a declared type or, without one, of a value.
func kindOf(declared, value ast.Expr) goKind {
	if declared != nil {
		return goKind{name: types.ExprString(declared)}
	}
	return goKind{name: kindOfValue(value)}
}

func kindOfValue(value ast.Expr) string {
	switch value := value.(type) {
	case *ast.BasicLit:
		return map[token.Token]string{
			token.INT: "int", token.FLOAT: "float64", token.STRING: "string", token.CHAR: "rune",
		}[value.Kind]
	case *ast.Ident:
		if value.Name == "true" || value.Name == "false" {
			return "bool"
		}
	case *ast.ParenExpr:
		return kindOfValue(value.X)
	case *ast.UnaryExpr:
		return kindOfValue(value.X)
	case *ast.BinaryExpr:
		if left, right := kindOfValue(value.X), kindOfValue(value.Y); left == right {
			return left
		}
	case *ast.CompositeLit:
		return types.ExprString(value.Type)
	}
	return ""
}

// The predeclared integer types and their sizes in bits; those of unsigned ones are negative.
var integers = map[string]int{
	"int": 64, "int8": 8, "int16": 16, "int32": 32, "int64": 64, "rune": 32,
	"uint": -64, "uint8": -8, "uint16": -16, "uint32": -32, "uint64": -64, "uintptr": -64, "byte": -8,
}

// write returns a value as Go source, if it is one of the kind.
func (k goKind) write(value string) (string, error) {
	value = strings.TrimSpace(value)
	if bits := integers[k.name]; bits != 0 && !(k.name == "rune" && strings.HasPrefix(value, "'")) {
		return k.writeInteger(value, bits)
	}
	switch k.name {
	case "float32", "float64":
		return k.writeFloat(value)
	case "bool":
		if value != "true" && value != "false" {
			return "", errors.New("want true or false")
		}
		return value, nil
	case "string":
		if value == "" || !strings.ContainsRune("\"`", rune(value[0])) {
			return strconv.Quote(value), nil
		}
		if _, err := strconv.Unquote(value); err != nil {
			return "", fmt.Errorf("not a Go string: close the quotes, or write it without any")
		}
		return value, nil
	}
	return k.writeExpression(value)
}

func (k goKind) writeInteger(value string, bits int) (string, error) {
	n, ok := new(big.Int).SetString(value, 0)
	if !ok {
		return "", fmt.Errorf("want a whole number of type %s, like %s", k.name, k.example("20"))
	}
	low, high := new(big.Int), new(big.Int)
	if bits > 0 {
		high.Lsh(big.NewInt(1), uint(bits-1))
		low.Neg(high)
	} else {
		high.Lsh(big.NewInt(1), uint(-bits))
	}
	if high.Sub(high, big.NewInt(1)); n.Cmp(low) < 0 || n.Cmp(high) > 0 {
		return "", fmt.Errorf("outside of the range of %s: use a number from %d to %d", k.name, low, high)
	}
	return value, nil
}

func (k goKind) writeFloat(value string) (string, error) {
	bits := 64
	if k.name == "float32" {
		bits = 32
	}
	f, err := strconv.ParseFloat(value, bits)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return "", fmt.Errorf("want a finite number of type %s, like %s", k.name, k.example("1.5"))
	}
	if !strings.ContainsAny(value, ".eEpP") {
		value += ".0" // or the variable's type would become int
	}
	return value, nil
}

// writeExpression admits any Go expression, and for a composite literal one of the same type.
func (k goKind) writeExpression(value string) (string, error) {
	expr, err := parser.ParseExpr(value)
	if err != nil {
		return "", fmt.Errorf("not a Go expression (%s)", oneLine(goError(err, 0, 1)))
	}
	_, literal := expr.(*ast.CompositeLit)
	got := kindOfValue(expr)
	if got != "" && got != k.name && (literal && k.name != "" || strings.ContainsAny(k.name, "[]{}*")) {
		return "", fmt.Errorf("want a value of type %s, like %s", k.name, k.example(k.name+"{}"))
	}
	return value, nil
}

// example returns the value that stands there, to show what one looks like.
func (k goKind) example(otherwise string) string {
	if k.was != "" {
		return k.was
	}
	return otherwise
}

// goError returns the first message of Go's parser, about a source that begins shift lines further down than the text
// of the user, which ends at the line last.
func goError(err error, shift, last int) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Sprintf("line %d: %s", min(list[0].Pos.Line-shift, last), list[0].Msg)
	}
	return err.Error()
}
