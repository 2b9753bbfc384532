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
	"slices"
	"strconv"
	"strings"
)

// Parameters holds the sources of the cells with the tag parameters, by their index in the notebook.
type Parameters map[int]string

// Parameters returns the sources of the code cells with the tag parameters.
func (n *Notebook) Parameters() Parameters {
	p := Parameters{}
	for i, c := range n.Cells() {
		if c.Kind == Code && c.HasTag(TagParameters) {
			p[i] = c.Source
		}
	}
	return p
}

// SetParameters sets variables and constants that the cells with the tag parameters declare or assign, as
// [Parameters.Set] does. The error is a user error: no cell has the tag, the language is not Go, or Set fails. If there
// is an error, the notebook is unchanged.
func (n *Notebook) SetParameters(values map[string]string) error {
	if len(values) == 0 {
		return nil
	}
	if language := n.Language(); language != "" && language != "go" {
		return fmt.Errorf("the notebook is written in %s: parameters can be set only in Go notebooks", language)
	}
	p := n.Parameters()
	if len(p) == 0 {
		return errors.New("the notebook has no code cell tagged " + TagParameters +
			": tag the cell that contains the values to set")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := p.Set(name, values[name]); err != nil {
			return err
		}
	}
	n.TakeParameters(p)
	return nil
}

// TakeParameters replaces the sources of cells with the tag parameters.
func (n *Notebook) TakeParameters(p Parameters) {
	for i, source := range p {
		n.SetSource(i, source)
	}
}

// Names returns the names that the cells declare or assign, in source order.
func (p Parameters) Names() (names []string, err error) {
	for _, i := range slices.Sorted(maps.Keys(p)) {
		found, err := goValues(p[i])
		if err != nil {
			return nil, fmt.Errorf("the cell tagged %s cannot be read: %w", TagParameters, err)
		}
		for _, v := range found {
			names = append(names, v.name)
		}
	}
	return names, nil
}

// Set gives a name a new value, for example n in
//
//	var n = 20
//
// Set changes only the value, and nothing around it. A value is written as in Go, except that a string needs no quotes.
// The error is a user error: an unknown name, or a value that does not have the declared type.
func (p Parameters) Set(name, value string) error {
	names, err := p.Names()
	if err != nil {
		return err
	}
	for _, i := range slices.Sorted(maps.Keys(p)) {
		found, _ := goValues(p[i]) // Names has already reported any error
		at := slices.IndexFunc(found, func(v goValue) bool { return v.name == name })
		if at < 0 {
			continue
		}
		replaced, err := found[at].replace(p[i], value)
		if err == nil {
			_, err = goValues(replaced) // a value may contain bytes that are invalid in Go source, such as a zero byte
		}
		if err != nil {
			return fmt.Errorf("parameter %s=%s: %w", name, oneLine(value), err)
		}
		p[i] = replaced
		return nil
	}
	return fmt.Errorf("parameter %s: the cell tagged %s sets no such name: %s", name, TagParameters, OneOf(names))
}

// OneOf returns a phrase that lists the possible names.
func OneOf(names []string) string {
	if len(names) == 0 {
		return "there are none"
	}
	return "use one of " + strings.Join(names, ", ")
}

// goValue is the place in a cell's Go source where a variable or constant gets its value.
type goValue struct {
	name       string
	kind       string // a predeclared type, the type of a composite literal, or "" if any expression is allowed
	gives      bool   // the type is inferred from the value
	was        string // the current value
	begin, end int    // the range of the value in the source; empty if a variable is declared without a value
}

// goValues returns the values that a cell declares or assigns, in source order. A cell is not a Go file: lines that
// start with % or ! are commands to the kernel, and the code after a line %% is the body of main.
func goValues(source string) ([]goValue, error) {
	code, body := goPart(source)
	const head = "package cell\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+code[:body], parser.SkipObjectResolution)
	if err != nil { // the cell also has statements outside functions, which cells may have
		return bodyValues(code, 0)
	}
	values, err := bodyValues(code, body)
	return append(collectValues(file, code, -len(head)), values...), err
}

// bodyValues returns the values that the statements after an offset declare or assign.
func bodyValues(code string, from int) ([]goValue, error) {
	const head = "package cell\nfunc _() {\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+code[from:]+"\n}", parser.SkipObjectResolution)
	if err != nil {
		shift := strings.Count(head, "\n") - strings.Count(code[:from], "\n")
		return nil, errors.New("not valid Go: " + goError(err, shift, strings.Count(code, "\n")+1))
	}
	return collectValues(file, code, from-len(head)), nil
}

// goPart returns the source with commands to the kernel replaced by spaces, so that offsets stay the same, and the
// offset of the body of main.
func goPart(source string) (code string, body int) {
	if at, is := typedAt(source); is {
		return withoutCommands(source), at
	}
	begins, _ := splitCell(source).body(source)
	return withoutCommands(source), begins.from
}

// collectValues returns the values in a syntax tree. It adds shift to 0-based offsets in the file to get offsets in the
// source.
func collectValues(file *ast.File, code string, shift int) []goValue {
	var values []goValue
	add := func(name *ast.Ident, declared, value ast.Expr, gives bool) {
		v := goValue{name: name.Name, kind: kindOf(declared, value), gives: gives && declared == nil}
		switch {
		case value != nil:
			v.begin, v.end = int(value.Pos())-1+shift, int(value.End())-1+shift
			v.was = code[v.begin:v.end]
		case declared != nil:
			v.begin = int(declared.End()) - 1 + shift
			v.end = v.begin
		default:
			return // the constant repeats the expression of the constant before it
		}
		values = append(values, v)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			if len(node.Values) != len(node.Names) && len(node.Values) > 0 {
				return true // the values are the results of a call
			}
			for i, name := range node.Names {
				switch {
				case len(node.Values) > 0:
					add(name, node.Type, node.Values[i], true)
				case len(node.Names) == 1:
					add(name, node.Type, nil, false)
				}
			}
		case *ast.AssignStmt:
			if len(node.Lhs) == len(node.Rhs) && (node.Tok == token.DEFINE || node.Tok == token.ASSIGN) {
				for i, left := range node.Lhs {
					if name, ok := left.(*ast.Ident); ok {
						add(name, nil, node.Rhs[i], node.Tok == token.DEFINE)
					}
				}
			}
		case *ast.FuncDecl:
			return node.Name.Name == "_" || node.Name.Name == "main" // does not descend into the functions of the cell
		case *ast.FuncLit:
			return false
		}
		return true
	})
	slices.SortStableFunc(values, func(a, b goValue) int { return a.begin - b.begin })
	return values
}

// replace returns the source with a new value.
func (v goValue) replace(source, value string) (string, error) {
	written, err := v.write(value)
	if err != nil {
		return "", err
	}
	if v.begin == v.end {
		written = " = " + written
	}
	return source[:v.begin] + written + source[v.end:], nil
}

// kindOf returns the type of a value if the declaration shows it.
func kindOf(declared, value ast.Expr) string {
	if literal, ok := value.(*ast.CompositeLit); ok && declared == nil {
		declared = literal.Type
	}
	if declared != nil {
		return types.ExprString(declared)
	}
	is, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(value))
	if err != nil { // the expression needs declarations of other cells
		return ""
	}
	return types.Default(is.Type).String()
}

// write returns a value as Go source. The error explains why the value does not have the right type.
func (v goValue) write(value string) (string, error) {
	value = strings.TrimSpace(value)
	if v.kind == "string" && (value == "" || !strings.ContainsRune("\"`", rune(value[0]))) {
		return strconv.Quote(value), nil
	}
	if strings.ContainsAny(value, "\r\n") { // because line numbers below would change
		return "", fmt.Errorf("a value must be on one line: write \\n between quotation marks%s", v.exampleHint())
	}
	expr, err := parser.ParseExpr(value)
	if err != nil {
		return "", fmt.Errorf("not a Go expression (%s)%s", oneLine(goError(err, 0, 1)), v.exampleHint())
	}
	if number, err := strconv.ParseInt(value, 10, 64); err == nil && strings.HasPrefix(v.kind, "float") {
		return fmt.Sprintf("%d.0", number), nil // otherwise the variable would become an int
	}
	// Types that other cells declare are unknown here. If the value is wrong, the cell that uses it fails.
	problem := ""
	known := types.Universe.Lookup(v.kind) != nil
	settings := types.Config{Error: func(err error) {
		if text := err.(types.Error).Msg; problem == "" && (known || !strings.HasPrefix(text, "undefined: ")) {
			problem = text
		}
	}}
	if got := kindOf(nil, expr); !known && got != "" && got != v.kind && strings.ContainsAny(v.kind, ".[]{}*") {
		problem = value + " is a value of type " + got
	} else if v.kind != "" {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "", "package cell; var _ "+v.kind+" = "+value, 0)
		if err != nil {
			return "", err
		}
		_, _ = settings.Check("cell", set, []*ast.File{file}, nil)
	}
	if problem != "" {
		problem = oneLine(strings.Replace(problem, " in variable declaration", "", 1))
		return "", fmt.Errorf("want a value of type %s%s: %s", v.kind, v.exampleHint(), problem)
	}
	if v.gives && known && kindOf(nil, expr) != v.kind { // for example 1e3 would turn an int into a float64
		return v.kind + "(" + value + ")", nil
	}
	return value, nil
}

// exampleHint returns a hint with the current value as an example.
func (v goValue) exampleHint() string {
	if v.was == "" {
		return ""
	}
	return ", like " + oneLine(v.was)
}

// goError returns the first message of Go's parser. The parsed source has shift lines before the user's text, and
// last is the last line of that text.
func goError(err error, shift, last int) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Sprintf("line %d: %s", min(list[0].Pos.Line-shift, last), list[0].Msg)
	}
	return err.Error()
}
