package jupyter

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/notebooks/show/values"
)

// Variables keep their values for later cells. When the program of a cell ends, it stores the variables of its top
// level. A later program loads the values that it needs. To do this, our go program inserts two calls to package values
// before it compiles the program; gonb does not notice. In later programs, a stored variable belongs to the package, so
// functions can use it. If gonb has a declaration of the variable, the stored value replaces the initial value.
//
// Only cells without a line %% store values. A cell with such a line can use stored values, but its changes are lost
// when it ends.

const (
	keepName   = "siegebookKeep"
	valuesPath = "github.com/siegebook/siegebook/notebooks/show/values"
	// If valuesVariable, or a notebook's metadata siegebook.values, is valuesOfGonb, no values are stored.
	valuesVariable = "SIEGEBOOK_VALUES"
	valuesOfGonb   = "gonb"
)

// keptFolder returns the folder for stored values, or "" if no values are stored.
func keptFolder() string {
	if os.Getenv(valuesVariable) == valuesOfGonb {
		return ""
	}
	return os.Getenv(values.FolderVariable)
}

// keptTable returns the table of values: the stored values, and the reasons why other values could not be stored.
func keptTable() map[string]values.Entry {
	if folder := keptFolder(); folder != "" {
		return values.ReadTable(folder)
	}
	return nil
}

// keeping is a program to which keepValues adds the calls that load and store values.
type keeping struct {
	source   []byte
	file     *ast.File
	main     *ast.FuncDecl
	table    map[string]values.Entry
	folder   string
	reached  map[string]bool   // the names that the program may use when it runs
	replaced map[ast.Spec]bool // the variables that get stored values
	imports  map[string]string // the names that the added code uses for packages, by path
	added    strings.Builder
}

// keepValues returns the program of a cell with calls that load stored values and, if keeps is true, calls that store
// values. own lists the cell's declarations, as kind and name. Line numbers stay the same. said contains a line for
// each variable that the cell recomputes.
func keepValues(source []byte, folder string, own []string, keeps bool) (made []byte, said string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil || bytes.Contains(source, []byte(keepName)) {
		return source, ""
	}
	k := &keeping{
		source: slices.Clone(source), file: file, table: values.ReadTable(folder), folder: folder,
		reached: map[string]bool{}, replaced: map[ast.Spec]bool{}, imports: map[string]string{},
	}
	needed := freeNames(file)
	for _, spec := range file.Imports {
		delete(needed, gosource.ImportName(spec))
	}
	var kept []string               // the variables that the program stores when it ends
	var begins, computes []ast.Node // executed code: functions, and variables without a stored value
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "main" {
				k.main = d
			}
			if d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init") {
				begins = append(begins, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				s, is := spec.(*ast.ValueSpec)
				if !is || d.Tok != token.VAR {
					continue
				}
				mine, old := false, true
				for _, name := range s.Names {
					mine = mine || slices.Contains(own, "var "+name.Name)
					old = old && k.table[name.Name].File != ""
				}
				if mine || !old {
					computes = append(computes, s)
				} else {
					k.replaced[s] = true
				}
				for _, name := range s.Names {
					if mine && name.Name != "_" && types.Universe.Lookup(name.Name) == nil {
						kept = append(kept, name.Name)
					} else if old {
						needed[name.Name] = true
					}
				}
				if old && !mine {
					from := s.Pos()
					if !d.Lparen.IsValid() {
						from = d.Pos()
					}
					blank(k.source[from-1 : s.End()-1])
				}
			}
		}
	}
	if k.main == nil || k.main.Body == nil {
		return source, ""
	}
	k.reach(begins)
	said = k.linesOnRecomputed(computes, own)
	k.reach(computes)
	text := source[k.main.Pos()-1 : k.main.End()-1]
	locals := map[string]string{}
	if bytes.HasPrefix(text, []byte(mainHead)) {
		locals = k.locals()
	}
	kept = append(kept, k.load(needed, own)...)
	if end := k.main.Body.Rbrace - 1; keeps {
		if save := k.save(kept, locals); save != "" {
			k.source = slices.Insert(k.source, int(end), []byte(save)...)
			k.imports[valuesPath] = keepName
		}
	}
	if len(k.imports) == 0 && k.added.Len() == 0 {
		return source, said
	}
	var head strings.Builder
	for _, path := range slices.Sorted(maps.Keys(k.imports)) {
		fmt.Fprintf(&head, "; import %s %q", k.imports[path], path)
	}
	k.source = slices.Insert(k.source, int(file.Name.End())-1, []byte(head.String())...)
	k.source = append(k.source, k.added.String()...)
	if used := leaveUsed(slices.Clone(k.source)); used != nil { // removes imports used only by replaced initializers
		return used, said
	}
	return k.source, said
}

// reach adds to k.reached the names that the given nodes may use, directly or through the functions, values and methods
// that they name.
func (k *keeping) reach(begin []ast.Node) {
	maps.Copy(k.reached, gosource.Reached(k.file, begin, func(s ast.Spec) bool { return k.replaced[s] }))
}

// linesOnRecomputed returns a line for each variable that another cell declares and that this cell uses and thereby
// recomputes.
func (k *keeping) linesOnRecomputed(computes []ast.Node, own []string) (said string) {
	for _, node := range computes {
		s := node.(*ast.ValueSpec)
		for _, name := range s.Names {
			e := k.table[name.Name]
			if e.Why != "" && k.reached[name.Name] && !slices.Contains(own, "var "+name.Name) &&
				slices.ContainsFunc(s.Values, func(value ast.Expr) bool { return !isPlain(value) }) {
				said += fmt.Sprintf("the value of %s could not be kept (%s): this cell computes it again.\n",
					name.Name, e.Why)
			}
		}
	}
	return said
}

// locals returns, for each top-level variable of main, the call that stores it.
func (k *keeping) locals() map[string]string {
	calls := map[string]string{}
	addressed := map[string]bool{}
	mentions(k.main.Body, map[string]bool{}, map[string]bool{}, addressed)
	for _, s := range k.main.Body.List {
		for _, name := range DeclaredBy(s) {
			if types.Universe.Lookup(name) != nil {
				continue // the variable hides a predeclared name, which a type in a later program may need
			}
			calls[name] = fmt.Sprintf("%s.Of(%q, %s)", keepName, name, name)
			if addressed[name] {
				calls[name] = fmt.Sprintf("%s.At(%q, &%s)", keepName, name, name)
			}
		}
	}
	return calls
}

// save returns the call that stores the kept variables of the package and of main.
func (k *keeping) save(kept []string, locals map[string]string) string {
	calls := maps.Clone(locals)
	for _, name := range kept {
		if calls[name] == "" {
			calls[name] = fmt.Sprintf("%s.At(%q, &%s)", keepName, name, name)
		}
	}
	if len(calls) == 0 {
		return ""
	}
	inner := " "
	for _, decl := range k.file.Decls {
		if d, is := decl.(*ast.FuncDecl); is {
			ast.Inspect(d, func(n ast.Node) bool {
				if s, is := n.(*ast.TypeSpec); is {
					inner += s.Name.Name + " "
				}
				return true
			})
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "; %s.Save(%q", keepName, inner)
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		text.WriteString(", " + calls[name])
	}
	return text.String() + ") "
}

// load adds declarations of the stored variables that the program needs. It returns the names of the variables whose
// values it loads.
func (k *keeping) load(needed map[string]bool, own []string) (loaded []string) {
	files := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		e := k.table[name]
		if e.File == "" || files[e.File] {
			continue
		}
		files[e.File] = true
		header, _, err := values.ReadHeader(filepath.Join(k.folder, e.File))
		if err != nil {
			continue // the compiler will report the variable
		}
		if gone := k.undeclared(slices.Concat(header.Types, header.Held)); gone != "" {
			for _, name := range header.Names {
				if k.table[name].File == e.File {
					k.table[name] = values.Entry{Why: "its type " + gone + " no longer exists"}
				}
			}
			_ = values.WriteTable(k.folder, k.table) // because sayNotKept reads the table
			continue
		}
		var live []string // the variables whose stored values are still current
		reached := false
		for root, name := range header.Names {
			is := k.table[name] == values.Entry{File: e.File, Root: root} && !slices.Contains(own, "var "+name) &&
				(needed[name] || k.file.Scope.Lookup(name) == nil)
			live = append(live, map[bool]string{true: name}[is])
			reached = reached || is && k.reached[name]
		}
		from := fmt.Sprintf("%sFrom%d", keepName, len(files))
		for root, name := range live {
			switch of := k.named(header.Types[root]); {
			case name == "":
			case reached:
				k.imports[valuesPath] = keepName
				fmt.Fprintf(&k.added, "var %s = %s.Take[%s](%s, %d)\n", name, keepName, of, from, root)
				loaded = append(loaded, name)
			case needed[name]:
				fmt.Fprintf(&k.added, "var %s %s\n", name, of)
			}
		}
		if !reached {
			continue
		}
		list := func(named []string) string {
			var all strings.Builder
			for _, of := range named {
				fmt.Fprintf(&all, "(*%s)(nil), ", k.named(of))
			}
			return "[]any{" + all.String() + "}"
		}
		fmt.Fprintf(&k.added, "var %s = %s.Load(%q, %s, %s)\n", from, keepName,
			live[slices.IndexFunc(live, func(name string) bool { return name != "" })], list(header.Types),
			list(header.Held))
	}
	return loaded
}

// undeclared returns a type name that is used in one of the headers but not declared in the program, or "" if there is
// none.
func (k *keeping) undeclared(all []string) string {
	for _, of := range all {
		for _, name := range typeName.FindAllString(foreignType.ReplaceAllString(of, ""), -1) {
			if !strings.Contains(of, "struct{") && name != "map" && types.Universe.Lookup(name) == nil &&
				k.file.Scope.Lookup(name) == nil {
				return name
			}
		}
	}
	return ""
}

// named returns the type in a header, with the package names that the program uses.
func (k *keeping) named(of string) string {
	return quotedPath.ReplaceAllStringFunc(of, func(quoted string) string {
		path, _ := strconv.Unquote(strings.TrimSuffix(quoted, "."))
		if k.imports[path] == "" {
			k.imports[path] = fmt.Sprintf("%sOf%d", keepName, len(k.imports))
		}
		return k.imports[path] + "."
	})
}

var (
	quotedPath  = regexp.MustCompile(`"[^"]*"\.`)
	foreignType = regexp.MustCompile(`"[^"]*"\.[\pL_][\pL_\d]*`)
	typeName    = regexp.MustCompile(`[\pL_][\pL_\d]*`)
)

// sayNotKept adds the reason why a value could not be stored to the compiler's message about the undefined name.
func sayNotKept(text []byte) []byte {
	table := keptTable()
	return lackedLine.ReplaceAllFunc(text, func(line []byte) []byte {
		if why := table[string(lackedLine.FindSubmatch(line)[1])].Why; why != "" {
			line = fmt.Appendf(slices.Clip(line), ", because its value could not be kept (%s): compute it in this "+
				"cell, or write a function that returns it", why)
		}
		return line
	})
}

var lackedLine = regexp.MustCompile(`(?m)undefined: ([\pL_][\pL_\d]*)$`)

// withKept returns the given names that have stored values.
func withKept(names map[string]bool) (kept []string) {
	for name, e := range keptTable() {
		if names[name] && e.File != "" {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	return kept
}

// keptNames returns declarations of the stored variables that a program names, or "" if it names none.
func keptNames(source []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return ""
	}
	kept := withKept(freeNames(file))
	if len(kept) == 0 {
		return ""
	}
	return "\nvar " + strings.Join(kept, ", ") + " any\n"
}

// forgetKept deletes the stored values of the declarations that gonb removes because of the cell's commands.
func forgetKept(folder, code string) error {
	table := values.ReadTable(folder)
	before := len(table)
	for _, p := range splitCell(code) {
		if p.kind != commandPart {
			continue
		}
		switch words := strings.Fields(p.command(code)); {
		case words[0] == "%reset" && len(words) == 1:
			clear(table)
		case words[0] == "%rm" || words[0] == "%remove":
			for _, name := range words[1:] {
				delete(table, name)
			}
		}
	}
	if len(table) == before {
		return nil
	}
	return values.WriteTable(folder, table)
}

// ValuesStay returns an error that names a value that one cell may leave for another, or nil if there is no such value.
// Without such values, the cells give the same results in one program as in separate programs.
func (n *Notebook) ValuesStay() error {
	if n.Values() == valuesOfGonb {
		return nil
	}
	var cells []string
	all := n.Cells()
	for _, i := range n.work() {
		cells = append(cells, strings.ReplaceAll(all[i].Source, "\r\n", "\n"))
	}
	return staying(cells)
}

// openedFile returns the name of the notebook file that the front end has opened. The file is in the kernel's folder.
func openedFile() string { return filepath.Base(os.Getenv("JPY_SESSION_NAME")) }

// openedNotebook returns the metadata siegebook.values of the notebook that the front end has opened, or "" if the
// front end does not name the notebook.
func openedNotebook() string {
	n, err := Read(openedFile())
	if err != nil {
		return ""
	}
	return n.Values()
}

// cellNames contains the names that the statements of a cell declare, may change, and mention, and the names that the
// cell uses without declaring them.
type cellNames struct{ declares, changes, mentions, uses map[string]bool }

// cellFile parses a cell as a file, and returns the file and its text. The file ends with a function main that contains
// the statements of the cell. typed means that no line %% or the like precedes the statements.
func cellFile(cell string) (file *ast.File, text string, typed bool, err error) {
	c, typed, err := asTyped(cell)
	if err != nil {
		return nil, "", typed, err
	}
	text, begin := withoutCommands(cell), len(cell)
	if p, is := splitCell(cell).body(cell); is {
		begin = p.to
	} else if typed {
		text = c.code
	}
	if typed && len(c.items) > 0 && c.first >= 0 {
		begin = c.items[c.first].From
	}
	const head, main = "package p\n", "\nfunc main() {\n"
	text = head + text[:begin] + main + text[begin:] + "\n}"
	file, err = parser.ParseFile(token.NewFileSet(), "", text, 0)
	return file, text, typed, err
}

// staying returns an error that names a value that one cell may leave for another.
func staying(cells []string) error {
	var all []cellNames
	functions, changed, basic := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, cell := range cells {
		file, _, typed, err := cellFile(cell)
		if err != nil {
			return err
		}
		names := cellNames{map[string]bool{}, map[string]bool{}, map[string]bool{}, freeNames(file)}
		for i, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if i < len(file.Decls)-1 {
					mentions(d, functions, changed, changed)
				} else if typed {
					mentions(d.Body, names.mentions, names.changes, names.changes)
					for _, s := range d.Body.List {
						for _, name := range DeclaredBy(s) {
							names.declares[name] = true
						}
					}
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, is := spec.(*ast.ValueSpec); is && d.Tok == token.VAR {
						for i, name := range s.Names {
							basic[name.Name] = i < len(s.Values) && isNumber(s.Values[i])
						}
					}
				}
			}
		}
		all = append(all, names)
	}
	for i, cell := range all {
		for _, later := range all[i+1:] {
			for name := range cell.declares {
				if later.uses[name] {
					return fmt.Errorf("another cell uses %s", name)
				}
			}
		}
		for name, isBasic := range basic {
			changes := cell.changes[name] || !isBasic && cell.mentions[name] ||
				len(cell.mentions) > 0 && functions[name] && (changed[name] || !isBasic)
			used := functions[name] || slices.ContainsFunc(all[i+1:], func(c cellNames) bool { return c.uses[name] })
			if changes && used {
				return fmt.Errorf("%s may change, and another cell uses it", name)
			}
		}
	}
	return nil
}

// mentions adds the names in a node to all, the variables that the node changes to changes, and the variables whose
// addresses the node may take to addressed.
func mentions(node ast.Node, all, changes, addressed map[string]bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			all[n.Name] = true
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				changes[rootOf(left)] = true
			}
		case *ast.IncDecStmt:
			changes[rootOf(n.X)] = true
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					changes[rootOf(e)] = true
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				addressed[rootOf(n.X)] = true
			}
		case *ast.SliceExpr:
			addressed[rootOf(n.X)] = true
		case *ast.SelectorExpr: // a method call may take the address
			addressed[rootOf(n.X)] = true
		}
		return true
	})
}

// rootOf returns the variable at the root of an operand such as a.b[i], or "" if there is none.
func rootOf(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// isNumber reports whether an expression is a number or a string literal, possibly with a sign.
func isNumber(e ast.Expr) bool {
	if signed, is := e.(*ast.UnaryExpr); is {
		e = signed.X
	}
	_, is := e.(*ast.BasicLit)
	return is
}
