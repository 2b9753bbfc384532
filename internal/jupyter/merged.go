package jupyter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/gosource"
)

// CellVariable is the environment variable that selects the cell to run in a program of all cells.
const CellVariable = "SIEGEBOOK_CELL"

// mergedFunction is the prefix of the names of functions that run cells. The number of the cell follows it.
const mergedFunction = "siegebookCell"

// MergedCells is a Go program made of several cells of a notebook. It runs the cell whose number is in the environment
// variable CellVariable. The program contains Count cells, the first of which has the number First. Cells are numbered
// from 1, counting only cells that run.
type MergedCells struct {
	Source       []byte
	First, Count int
}

// Merged returns programs that together contain all cells of a notebook that run, in order. A new program begins at
// each cell that redeclares a name. work contains the indices in the notebook of the cells that run. The error explains
// why cells would behave differently in one program than in separate programs.
func (n *Notebook) Merged() (programs []MergedCells, work []int, err error) {
	work = n.work()
	all := n.Cells()
	cells := []string{""} // the program of a run begins with declarations
	for _, i := range work {
		if all[i].HasTag(TagRaises) {
			return nil, work, fmt.Errorf("%s is tagged as a cell that is expected to fail", all[i].Name(i))
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
		// Index 0 of cells holds the declarations and is not a cell of the notebook.
		programs = append(programs, MergedCells{source, max(first, 1), end - max(first, 1)})
		first = end
	}
	return programs, work, nil
}

// WithOutputs returns a copy of the notebook in which the cells at the given indices have outputs, and the other cells
// have none.
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

// CellFunction returns the name of the function in MergedCells.Source that runs a cell.
func CellFunction(number int) string { return mergedFunction + strconv.Itoa(number) }

// namedIn returns the names that a declaration declares, with their syntax nodes. A key is a kind and a name: "var x",
// "func *List add", "import fmt".
func namedIn(decl ast.Decl) map[string]any {
	nodes := map[string]any{}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			name = types.ExprString(d.Recv.List[0].Type) + " " + name
		}
		nodes["func "+name] = d
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

// Tells reports whether a program that imports the package can detect that it contains several cells.
func Tells(path string) bool { return telling.MatchString(path) }

// telling matches packages with which a program can detect that its imports, lines or functions differ from a single
// cell's program: registries that packages fill when they are initialised, and packages that inspect the
// program.
var telling = regexp.MustCompile(`^(crypto|database/sql|encoding/gob|expvar|image|log(/.*)?|net/http(/.*)?|plugin|` +
	`runtime(/.*)?|testing(/.*)?|C)$`)

// otherMeaning matches code that gonb treats specially, or that has a different meaning in a program of all cells.
var otherMeaning = regexp.MustCompile(commandLine.String() +
	`|//go:|//line|/\*line|//\s*\+build|\bmain\b|\biota\b|\bflag\.|\binit_?\w*\(|` + mergedFunction)

// replacedError reports that a cell redeclares a name.
type replacedError struct {
	cell int
	name string
}

func (r *replacedError) Error() string { return r.name + " is replaced" }

// mergeCells returns a program that can run each of the cells from first on. The error explains why this program would
// differ from the programs of the single cells. The program of a single cell contains the declarations of earlier
// cells, but not of later cells. The cell first may redeclare earlier names; later cells may not.
func mergeCells(cells []string, first int) ([]byte, error) {
	imports := map[string]bool{mergedFunction + `OS "os"`: true, `"flag"`: true}
	seen := map[string]int{} // the index in declared of each name's declaration
	var declared []string
	var names []int            // the number of names of each declaration
	begins := map[string]int{} // the first cell that declares or imports a name
	var uses []map[string]bool // for each cell, the names that it does not declare
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
		if asksForInput.MatchString(head + body) {
			return nil, errors.New("the cell asks for input, and the kernel has none")
		}
		head = "package main\n" + head
		file, err := parser.ParseFile(token.NewFileSet(), "", head, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		here := map[string]int{}
		for _, decl := range file.Decls {
			named := namedIn(decl)
			for _, name := range slices.Sorted(maps.Keys(named)) {
				node := named[name]
				if spec, is := node.(*ast.ImportSpec); is {
					if path, _ := strconv.Unquote(spec.Path.Value); Tells(path) {
						return nil, fmt.Errorf("with %s a cell could tell that it runs in another program", path)
					}
					imports[head[spec.Pos()-1:spec.End()-1]] = true
				} else {
					old, again := seen[name]
					switch {
					case again && i > first:
						return nil, &replacedError{i, name}
					case again && names[old] > 1:
						return nil, fmt.Errorf("%s is replaced without the names that are declared with it", name)
					case again:
						declared[old] = ""
					}
					here[name] = len(declared)
				}
				if !harmless(name, node, file) {
					return nil, fmt.Errorf("%s changes what earlier cells do", name)
				}
			}
			if d, is := decl.(*ast.GenDecl); !is || d.Tok != token.IMPORT {
				declared = append(declared, head[decl.Pos()-1:decl.End()-1]+"\n")
				names = append(names, len(named))
			}
		}
		maps.Copy(seen, here)
		free, declares := usedIn(head, body)
		uses = append(uses, free)
		for _, name := range declares {
			if _, again := begins[name]; !again {
				begins[name] = i
			}
		}
		if i < first {
			continue
		}
		fmt.Fprintf(&does, "func %s%d() {\nflag.Parse()\n%s\n}\n", mergedFunction, i, body)
		fmt.Fprintf(&choice, "case \"%d\":\n%s%d()\n", i, mergedFunction, i)
	}
	for i, free := range uses {
		for _, name := range slices.Sorted(maps.Keys(free)) {
			if begins[name] > i {
				return nil, fmt.Errorf("%s is declared in a later cell", name)
			}
		}
	}
	source := "package main\n"
	for _, spec := range slices.Sorted(maps.Keys(imports)) {
		source += "import " + spec + "\n"
	}
	source += fmt.Sprintf("%[1]s\n%[2]s\nfunc main() {\ncell := %[3]sOS.Getenv(%[4]q)\n%[3]sOS.Unsetenv(%[4]q)\n"+
		"switch cell {\n%[5]s}\n}\n", strings.Join(declared, ""), does.String(), mergedFunction, CellVariable,
		choice.String())
	return []byte(source), nil
}

// usedIn returns the names that a cell uses but does not declare, and the names that the cell declares or imports for
// later cells.
func usedIn(head, body string) (free map[string]bool, declares []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", head+"\nfunc _() {\n"+body+"\n}\n", 0)
	if err != nil {
		return nil, nil // the compiler will report the error
	}
	free = freeNames(file)
	for _, spec := range file.Imports {
		declares = append(declares, gosource.ImportName(spec))
		delete(free, gosource.ImportName(spec))
	}
	return free, slices.AppendSeq(declares, maps.Keys(file.Scope.Objects))
}

// harmless reports whether a cell's declaration has no effect on earlier cells: it hides no predeclared name, adds no
// method to an earlier cell's type, and does nothing when a program starts.
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
			return namedIn(decl)["type "+receiver] != nil
		})
	case *ast.ValueSpec:
		if kind == "const" {
			return len(d.Values) > 0
		}
		return !slices.ContainsFunc(d.Values, func(value ast.Expr) bool { return !isPlain(value) })
	}
	return true
}

// isPlain reports whether evaluating an expression has no side effects and cannot fail.
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

// runImports runs our goimports. gonb keeps only the imports that goimports leaves in a program. If the program imports
// every package that it uses, runImports removes the unused imports itself; goimports would first look up the names of
// all packages.
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

// importAround calls goimports for a program whose blank imports have been given names (blankName), and restores these
// names afterwards. It appends the declaration kept, so that goimports does not search for packages with the names of
// stored variables.
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

// blankSpec matches a blank import.
var blankSpec = regexp.MustCompile(`^(?:import\s+)?_\s*["` + "`" + `]`)

// leaveUsed returns a program without unused imports, except that it keeps an import of flag, which gonb uses. It
// returns nil if the program lacks an import.
func leaveUsed(source []byte) []byte {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return nil
	}
	used := freeNames(file)
	left := maps.Clone(used)
	imports := slices.DeleteFunc(declarationsIn(source), func(d declaration) bool { return d.kind != "import" })
	for i, spec := range file.Imports {
		name := gosource.ImportName(spec)
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

// freeNames returns the names that a program uses but that neither the program nor Go declares.
func freeNames(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, name := range file.Unresolved {
		if types.Universe.Lookup(name.Name) == nil {
			names[name.Name] = true
		}
	}
	return names
}
