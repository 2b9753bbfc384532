package jupyter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A run knows all cells before the first one starts. Our go makes one program of them when gonb builds the first cell.
// When gonb builds any cell, our go compares its program with that of all cells: where they do the same, the program of
// all cells is taken, and told which cell it is. So a notebook is compiled and linked once, and each cell is a process
// of its own. A cell that could do anything else in one program is built alone.
const (
	mergedVariable = "SIEGEBOOK_MERGED" // the folder of a run for the program of all cells
	cellVariable   = "SIEGEBOOK_CELL"   // which cell that program is
	mergedFunction = "siegebookCell"    // with a number: what that cell does
)

// merged is the folder of a run for the program of all cells. It has the cells first, and then, where they can be in
// one program, the program and what that does.
type merged string

func (m merged) cells() string   { return filepath.Join(string(m), "cells.json") }
func (m merged) does() string    { return filepath.Join(string(m), "does.json") }
func (m merged) program() string { return filepath.Join(string(m), "program") }

// used says whether any cell of a run was built together with others.
func (m merged) used() bool { return isFile(m.does()) }

// begin writes down the cells of a run.
func (m merged) begin(cells []string) error {
	return errors.Join(os.Mkdir(string(m), 0o700), os.WriteFile(m.cells(), encoded(cells), 0o600))
}

// link gives the program of all cells another name, if one of them does what main.go does, and returns which.
func (m merged) link(realGo, out string) (cell string, err error) {
	if data, err := os.ReadFile(m.cells()); err == nil {
		if err := errors.Join(os.Remove(m.cells()), m.build(realGo, data)); err != nil {
			return "", err
		}
	}
	data, err := os.ReadFile(m.does())
	if err != nil {
		return "", err
	}
	var all, one programText
	if err := json.Unmarshal(data, &all); err != nil {
		return "", err
	}
	if data, err = os.ReadFile("main.go"); err == nil {
		err = one.read(data)
	}
	if err != nil {
		return "", err
	}
	if len(one.lacks) > 0 {
		return "", fmt.Errorf("undefined: %v", one.lacks)
	}
	for name, text := range one.Declared {
		if name != "func main" && all.Declared[name] != text {
			return "", fmt.Errorf("%s is another one", name)
		}
	}
	for name, text := range all.Declared {
		if strings.HasPrefix(name, "func "+mergedFunction) && text == one.Declared["func main"] {
			return strings.TrimPrefix(name, "func "+mergedFunction), os.Link(m.program(), out)
		}
	}
	return "", errors.New("no cell does this")
}

// build makes the program of all cells and writes down what it does.
func (m merged) build(realGo string, data []byte) error {
	var cells []string
	if err := json.Unmarshal(data, &cells); err != nil {
		return err
	}
	source, err := mergeCells(cells, 0)
	if err == nil && keptFolder() != "" {
		err = staying(cells)
	}
	if err != nil {
		return err
	}
	file := filepath.Join(string(m), "main.go")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return err
	}
	if err := exec.Command("goimports", "-w", file).Run(); err != nil {
		return err
	}
	if source, err = os.ReadFile(file); err != nil {
		return err
	}
	var all programText
	if err := all.read(source); err != nil {
		return err
	}
	for name := range all.Declared {
		if path, is := tells(name); is {
			return fmt.Errorf("%s tells one program from another", path)
		}
	}
	source = showAll(source)
	for {
		if err := os.WriteFile(file, source, 0o600); err != nil {
			return err
		}
		text, code := runGo(realGo, os.Environ(), "build", "-o", m.program(), file)
		if code == 0 {
			break
		}
		var again bool
		if source, again = WithoutValues(source, text); !again {
			return fmt.Errorf("go build: %s", text)
		}
	}
	return os.WriteFile(m.does(), encoded(all), 0o600)
}

// MergedCells is the Go program of some cells of a notebook. It runs the cell whose number is in the environment under
// CellVariable: from First up to First and Count, counted from 1 among the cells that run.
type MergedCells struct {
	Source       []byte
	First, Count int
}

// Merged returns programs of all cells of a notebook that run, in their order: one, and another one from each cell that
// declares a name anew. The places of the cells in the notebook are returned with them. The error says why the cells
// mean something else in a program than each alone.
func (n *Notebook) Merged() (programs []MergedCells, work []int, err error) {
	work = n.work()
	all := n.Cells()
	cells := []string{""} // as of a run, which begins with declarations
	for _, i := range work {
		if all[i].HasTag(TagRaises) {
			return nil, work, fmt.Errorf("%s is to fail", all[i].Name(i))
		}
		cells = append(cells, strings.ReplaceAll(all[i].Source, "\r\n", "\n"))
	}
	if err := n.ValuesStay(); err != nil {
		return nil, work, err
	}
	for first := 0; first < len(cells); {
		end := len(cells)
		var source []byte
		for {
			var replaced *replacedError
			if source, err = mergeCells(cells[:end], first); err == nil {
				break
			}
			if !errors.As(err, &replaced) || replaced.cell <= first {
				return nil, work, err
			}
			end = replaced.cell
		}
		var text programText
		if err := text.read(source); err != nil {
			return nil, work, err
		}
		for name := range text.Declared {
			if path, is := tells(name); is {
				return nil, work, fmt.Errorf("%s tells one program from another", path)
			}
		}
		// The first one of cells is no cell of the notebook.
		programs = append(programs, MergedCells{source, max(first, 1), end - max(first, 1)})
		first = end
	}
	return programs, work, nil
}

// CellVariable names the cell that a program of all cells runs.
const CellVariable = cellVariable

// WithOutputs returns a copy of the notebook in which the cells at some places have outputs, and the other ones none.
func (n *Notebook) WithOutputs(work []int, outputs [][]Output) *Notebook {
	executed := n.Clone()
	executed.clearOutputs()
	for k, i := range work {
		list := make([]*Output, len(outputs[k]))
		for j := range outputs[k] {
			list[j] = &outputs[k][j]
		}
		executed.setOutputs(i, k+1, list)
	}
	return executed
}

// programText is what a program imports and declares, by kind and name, in the format of Go and without comments.
type programText struct {
	Declared map[string]string
	lacks    map[string]bool // names that it uses and declares nowhere: a later cell may
}

func (p *programText) read(source []byte) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, 0)
	if err != nil {
		return err
	}
	p.Declared, p.lacks = map[string]string{}, freeNames(file)
	for _, spec := range file.Imports {
		delete(p.lacks, importName(spec))
	}
	for _, decl := range file.Decls {
		for name, node := range NamedIn(decl) {
			var text strings.Builder
			if err := format.Node(&text, set, node); err != nil {
				return err
			}
			p.Declared[name] = text.String()
		}
	}
	return nil
}

// NamedIn returns what a declaration declares, by kind and name: "var x", "func *List add", "import fmt". A function
// that merging has made, and main, are their bodies.
func NamedIn(decl ast.Decl) map[string]any {
	nodes := map[string]any{}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		switch {
		case d.Recv != nil && len(d.Recv.List) == 1:
			nodes["func "+types.ExprString(d.Recv.List[0].Type)+" "+d.Name.Name] = d
		case d.Name.Name == "main" || strings.HasPrefix(d.Name.Name, mergedFunction):
			nodes["func "+d.Name.Name] = d.Body.List
		default:
			nodes["func "+d.Name.Name] = d
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ImportSpec:
				path, _ := strconv.Unquote(s.Path.Value)
				if s.Name != nil {
					path += " " + s.Name.Name
				}
				nodes["import "+path] = s
			case *ast.TypeSpec:
				nodes["type "+s.Name.Name] = s
			case *ast.ValueSpec:
				for _, name := range s.Names {
					nodes[d.Tok.String()+" "+name.Name] = s
				}
			}
		}
	}
	return nodes
}

// telling matches packages by which a program can tell that it has other imports, lines or functions than that of one
// cell: registers that packages enter when they are initialised, and what reads the program itself.
var telling = regexp.MustCompile(`^(crypto|database/sql|encoding/gob|expvar|image|log(/.*)?|net/http(/.*)?|plugin|` +
	`runtime(/.*)?|testing(/.*)?|C)$`)

// tells says whether what NamedIn names is an import of such a package, and returns its path.
func tells(name string) (path string, is bool) {
	spec, is := strings.CutPrefix(name, "import ")
	path, _, _ = strings.Cut(spec, " ")
	return path, is && telling.MatchString(path)
}

// otherMeaning matches what means something to gonb, or to Go for a whole program.
var otherMeaning = regexp.MustCompile(commandLine.String() +
	`|//go:|//line|/\*line|//\s*\+build|\bmain\b|\biota\b|\bflag\.|\binit_?\w*\(|` + mergedFunction)

// replacedError says that a cell declares a name anew.
type replacedError struct {
	cell int
	name string
}

func (r *replacedError) Error() string { return r.name + " is replaced" }

// mergeCells returns a program that does what one of the cells from a first one on does. The error says why that would
// mean something else than the programs of the cells: each of these has what the cells before it declare, and not what
// those behind it do. The first cell may replace what others declare, a further one may not.
func mergeCells(cells []string, first int) ([]byte, error) {
	imports := map[string]bool{mergedFunction + `OS "os"`: true, `"flag"`: true}
	seen := map[string]int{} // the declaration of a name, in declared
	var declared []string
	var names []int // how many a declaration has
	var does, choice strings.Builder
	for i, cell := range cells {
		head, body := cell, ""
		if p, is := splitCell(cell).body(cell); is && cell[p.from:p.to] == "%%" {
			head, body = cell[:p.from], strings.TrimPrefix(cell[p.to:], "\n")
		} else if c, is, err := asTyped(cell); err != nil {
			return nil, err
		} else if is && c.first >= 0 && len(c.items) > 0 {
			head, body = cell[:c.items[c.first].From], c.statements()
			if c.shows {
				imports[showImport] = true
			}
		}
		if sign := otherMeaning.FindString(head + body); sign != "" {
			return nil, fmt.Errorf("%q has another meaning", sign)
		}
		head = "package main\n" + head
		file, err := parser.ParseFile(token.NewFileSet(), "", head, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		here := map[string]int{}
		for _, decl := range file.Decls {
			named := NamedIn(decl)
			for _, name := range slices.Sorted(maps.Keys(named)) {
				node := named[name]
				if spec, is := node.(*ast.ImportSpec); is {
					imports[head[spec.Pos()-1:spec.End()-1]] = true
				} else {
					old, again := seen[name]
					switch {
					case again && i > first:
						return nil, &replacedError{i, name}
					case again && names[old] > 1:
						return nil, fmt.Errorf("%s is replaced, and not what is declared with it", name)
					case again:
						declared[old] = ""
					}
					here[name] = len(declared)
				}
				if !harmless(name, node, file) {
					return nil, fmt.Errorf("%s changes what cells before it do", name)
				}
			}
			if d, is := decl.(*ast.GenDecl); !is || d.Tok != token.IMPORT {
				declared = append(declared, head[decl.Pos()-1:decl.End()-1]+"\n")
				names = append(names, len(named))
			}
		}
		maps.Copy(seen, here)
		if i < first {
			continue
		}
		fmt.Fprintf(&does, "func %s%d() {\nflag.Parse()\n%s\n}\n", mergedFunction, i, body)
		fmt.Fprintf(&choice, "case \"%d\":\n%s%d()\n", i, mergedFunction, i)
	}
	source := "package main\n"
	for _, spec := range slices.Sorted(maps.Keys(imports)) {
		source += "import " + spec + "\n"
	}
	source += fmt.Sprintf("%[1]s\n%[2]s\nfunc main() {\ncell := %[3]sOS.Getenv(%[4]q)\n%[3]sOS.Unsetenv(%[4]q)\n"+
		"switch cell {\n%[5]s}\n}\n", strings.Join(declared, ""), does.String(), mergedFunction, cellVariable,
		choice.String())
	return []byte(source), nil
}

// harmless says whether a declaration in the file of a cell changes nothing for the cells before it: it hides no name
// of Go, gives no method to a type that they have, and does nothing when a program starts.
func harmless(name string, node any, file *ast.File) bool {
	kind, name, _ := strings.Cut(name, " ")
	if types.Universe.Lookup(name) != nil {
		return false
	}
	switch d := node.(type) {
	case *ast.ImportSpec:
		return d.Name == nil || d.Name.Name != "." && d.Name.Name != "_" && types.Universe.Lookup(d.Name.Name) == nil
	case *ast.FuncDecl:
		receiver, _, is := strings.Cut(strings.TrimLeft(name, "*"), " ")
		receiver, _, _ = strings.Cut(receiver, "[")
		return !is || slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
			return NamedIn(decl)["type "+receiver] != nil
		})
	case *ast.ValueSpec:
		if kind == "const" {
			return len(d.Values) > 0
		}
		return !slices.ContainsFunc(d.Values, func(value ast.Expr) bool { return !isPlain(value) })
	}
	return true
}

// isPlain says whether an expression has its value without doing anything, and cannot fail.
func isPlain(value ast.Expr) bool {
	plain := true
	ast.Inspect(value, func(node ast.Node) bool {
		switch n := node.(type) {
		case nil, *ast.BasicLit, *ast.CompositeLit, *ast.KeyValueExpr, *ast.Ident, *ast.SelectorExpr, *ast.ParenExpr,
			*ast.ArrayType, *ast.MapType:
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.ARROW
		case *ast.BinaryExpr:
			plain = plain && (n.Op == token.ADD || n.Op == token.SUB || n.Op == token.MUL)
		case *ast.FuncLit:
			return false
		default:
			plain = false
		}
		return plain
	})
	return plain
}

// runImports is our goimports. gonb keeps of a program the imports that goimports leaves there. Where each package that
// a program uses is imported by it, the others are taken out; goimports would ask for the names of all packages first.
func runImports(args []string) int {
	if len(args) == 3 && args[1] == "-w" {
		source, err := os.ReadFile(args[2])
		if source = leaveUsed(source); err == nil && source != nil && os.WriteFile(args[2], source, 0o600) == nil {
			return 0
		}
	}
	if source, err := os.ReadFile(args[len(args)-1]); err == nil {
		kept := keptNames(source)
		if blankImport.Match(source) || kept != "" {
			return importAround(source, kept, args)
		}
	}
	return become(os.Getenv(realImportsVariable), append([]string{"goimports"}, args[1:]...))
}

// importAround calls goimports for a program whose imports of _ have names, and gives them back. goimports takes kept
// for a declaration, and looks for no packages of these names.
func importAround(source []byte, kept string, args []string) int {
	file := args[len(args)-1]
	if err := os.WriteFile(file, append(nameless(source), kept...), 0o600); err != nil {
		fmt.Fprintf(os.Stderr, "goimports: %v\n", err)
		return 2
	}
	text, code := runGo(os.Getenv(realImportsVariable), os.Environ(), args[1:]...)
	_, _ = os.Stderr.Write(text)
	made, err := os.ReadFile(file)
	made = bytes.TrimSuffix(made, []byte(kept))
	imports := declarationsIn(made)
	for _, d := range slices.Backward(imports) {
		spec := string(made[d.from:d.to])
		if at := strings.Index(spec, "_"); err == nil && d.kind == "import" && blankSpec.MatchString(spec) {
			made = slices.Concat(made[:d.from], []byte(spec[:at]+named(spec[at:])), made[d.to:])
		}
	}
	if err := cmp.Or(err, os.WriteFile(file, made, 0o600)); err != nil {
		fmt.Fprintf(os.Stderr, "goimports: %v\n", err)
		return 2
	}
	return code
}

// blankSpec matches an import of the name _.
var blankSpec = regexp.MustCompile(`^(?:import\s+)?_\s*["` + "`" + `]`)

// leaveUsed returns a program without the imports that it does not use, and with flag, which gonb uses; nil if it lacks
// others.
func leaveUsed(source []byte) []byte {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return nil
	}
	used := freeNames(file)
	left := maps.Clone(used)
	imports := slices.DeleteFunc(declarationsIn(source), func(d declaration) bool { return d.kind != "import" })
	for i, spec := range file.Imports {
		name := importName(spec)
		blank := name == "_" || strings.HasPrefix(name, blankName)
		if delete(left, name); !used[name] && !blank && name != "." && name != "C" {
			for at := imports[i].from; at < imports[i].to; at++ {
				source[at] = ' '
			}
		}
	}
	if left["flag"] {
		source = bytes.Replace(source, []byte("package main\n"), []byte("package main; import \"flag\"\n"), 1)
		delete(left, "flag")
	}
	for _, name := range withKept(left) {
		delete(left, name)
	}
	if len(left) > 0 {
		return nil
	}
	return source
}

// freeNames returns the names that a program uses, and neither it nor Go declares.
func freeNames(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, name := range file.Unresolved {
		if types.Universe.Lookup(name.Name) == nil {
			names[name.Name] = true
		}
	}
	return names
}

// importName returns the name that an import declares.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, _ := strconv.Unquote(spec.Path.Value)
	return PackageName(path)
}

var (
	majorVersion = regexp.MustCompile(`(.)/v\d+$`)
	nameInPath   = regexp.MustCompile(`([^/]*/)*(go-)?([\pL_][\pL_\d]*)`)
)

// PackageName returns the name of the package with a path, where the package does not tell otherwise: the last part
// that is no version, without go-, up to the first sign that no name has.
func PackageName(path string) string {
	if m := nameInPath.FindStringSubmatch(majorVersion.ReplaceAllString(path, "$1")); m != nil {
		return m[3]
	}
	return ""
}
