package jupyter

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"maps"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// If only numbers and strings in a cell have changed, its program can be built without the compiler and the linker: the
// program's constants are in a static array, and our go writes the new values into a copy of the linked file.
//
// Lifting a constant means moving it to the array. A constant is lifted only if the program cannot notice that, see
// liftable. Our go type-checks each source first, so that Go's errors stay the same.

const (
	liftName   = "siegebookLift"
	liftFile   = "siegebook_lift.go"
	liftValues = liftName + "Values"
)

// lifting is a program whose constants are being lifted.
type lifting struct {
	set     *token.FileSet
	source  []byte
	pkg     *types.Package
	info    *types.Info
	imports map[string]string // the names that the file of constants uses for packages, by path
	helpers strings.Builder   // the functions that return constants
	uses    map[string]bool   // the declarations that use imports
	locals  map[int]string    // the declarations at the start of each function, by the offset of its body
	edits   []cellPart
	words   []uint64 // the content of the array
	count   int
}

// liftedProgram is a program whose constants are in an array.
type liftedProgram struct {
	main   []byte // main.go, with names in place of constants
	values []byte // the file that declares the array and the names
	words  []uint64
}

// markWords is the number of words at the beginning of the array by which the array is found in the linked file.
const markWords = 4

// liftTold matches packages with which a program can distinguish constants from variables: by their memory, their
// allocations or their code.
var liftTold = regexp.MustCompile(`^(unsafe|C|syscall|plugin|expvar|(runtime|testing|debug)(/.*)?)$`)

var errNotLifted = errors.New("no constant is lifted")

// lift lifts the constants of a program. look opens the export data of a package, and version is Go's version.
func lift(source []byte, version string, look importer.Lookup) (l liftedProgram, err error) {
	w := lifting{
		set: token.NewFileSet(), source: source,
		imports: map[string]string{}, uses: map[string]bool{}, locals: map[int]string{},
		info:  &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}},
		words: make([]uint64, markWords),
	}
	file, err := parser.ParseFile(w.set, "main.go", source, parser.SkipObjectResolution)
	if err != nil {
		return l, err
	}
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); liftTold.MatchString(path) {
			return l, errNotLifted
		}
	}
	config := types.Config{
		Importer: importer.ForCompiler(w.set, "gc", look), Sizes: types.SizesFor("gc", "amd64"), GoVersion: version,
	}
	if w.pkg, err = config.Check("main", w.set, []*ast.File{file}, w.info); err != nil {
		return l, err
	}
	if bytes.Contains(source, []byte(liftName)) {
		return l, errNotLifted
	}
	for _, decl := range file.Decls {
		w.functions(decl)
	}
	if w.count == 0 {
		return l, errNotLifted
	}
	return w.program()
}

// functions lifts the constants of all functions in a node.
func (w *lifting) functions(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch f := n.(type) {
		case *ast.FuncDecl:
			body = f.Body
		case *ast.FuncLit:
			body = f.Body
		}
		if body == nil {
			return true
		}
		w.function(body)
		return false
	})
}

// function lifts the constants of a function. Functions inside it have their own constants.
func (w *lifting) function(body *ast.BlockStmt) {
	var above []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return false
		}
		if f, is := n.(*ast.FuncLit); is {
			w.function(f.Body)
			return false
		}
		if d, is := n.(*ast.GenDecl); is && d.Tok != token.VAR {
			return false
		}
		if len(above) > 0 && isIndex(above[len(above)-1], n) {
			w.functions(n)
			return false
		}
		if e, is := n.(ast.Expr); is {
			switch of := w.info.Types[e]; {
			case of.IsType():
				return false // the type may contain an array length
			case of.Value != nil:
				if w.liftable(above[len(above)-1], e, of.Type) {
					w.constant(body, e, of)
				}
				return false
			}
		}
		above = append(above, n)
		return true
	})
}

// liftable reports whether an expression can be lifted because only its value matters, and not whether it is a
// constant. parent is the syntax node that contains it. An expression is not liftable where Go checks constants more
// strictly than variables, or compiles them to different operations.
func (w *lifting) liftable(parent ast.Node, e ast.Expr, of types.Type) bool {
	basic, is := of.Underlying().(*types.Basic)
	if !is || basic.Info()&(types.IsNumeric|types.IsString) == 0 || basic.Info()&types.IsUntyped != 0 {
		return false
	}
	whole := basic.Info()&types.IsInteger != 0
	switch p := parent.(type) {
	case *ast.IndexExpr, *ast.SliceExpr, *ast.SwitchStmt, *ast.CaseClause:
		return false
	case *ast.KeyValueExpr:
		return p.Key != e
	case *ast.BinaryExpr:
		return !shifts[p.Op] && (!divides[p.Op] || !whole || p.X == e)
	case *ast.AssignStmt:
		return !shifts[p.Tok] && (!divides[p.Tok] || !whole)
	case *ast.CallExpr:
		called := w.info.Types[p.Fun]
		if _, generic := types.Unalias(called.Type).(*types.TypeParam); called.IsType() && generic {
			return false // Go rounds a constant only once
		}
		name, is := ast.Unparen(p.Fun).(*ast.Ident)
		return !called.IsBuiltin() || !is || w.info.Uses[name].Name() != "make"
	}
	return true
}

// isIndex reports whether n is an index in the given expression. With a constant index, Go omits bounds checks.
func isIndex(of, n ast.Node) bool {
	switch p := of.(type) {
	case *ast.IndexExpr:
		return n == p.Index
	case *ast.SliceExpr:
		return n != p.X
	}
	return false
}

var (
	shifts  = map[token.Token]bool{token.SHL: true, token.SHR: true, token.SHL_ASSIGN: true, token.SHR_ASSIGN: true}
	divides = map[token.Token]bool{token.QUO: true, token.REM: true, token.QUO_ASSIGN: true, token.REM_ASSIGN: true}
)

// constant lifts a constant in a function if it contains a literal and its type has a name in the file of constants.
func (w *lifting) constant(body *ast.BlockStmt, e ast.Expr, of types.TypeAndValue) {
	literal := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, is := n.(*ast.BasicLit)
		literal = literal || is
		return true
	})
	if !literal {
		return
	}
	named, is := w.typeName(of.Type)
	if !is {
		return
	}
	name, at := fmt.Sprintf("%s%d", liftName, w.count), len(w.words)
	w.count++
	value := fmt.Sprintf("*(*%s)(%sUnsafe.Pointer(&%s[%d]))", named, liftName, liftValues, at)
	if of.Value.Kind() == constant.String {
		value = fmt.Sprintf("%s(%sUnsafe.String((*byte)(%[2]sUnsafe.Pointer(&%[3]s[%[4]d])), int(%[3]s[%[5]d])))",
			named, liftName, liftValues, at+1, at)
	}
	w.words = append(w.words, wordsOf(of)...)
	w.keepImports(e)
	fmt.Fprintf(&w.helpers, "func %sOf%d() %s { return %s }\n", liftName, w.count-1, named, value)
	from, to := w.set.Position(e.Pos()).Offset, w.set.Position(e.End()).Offset
	if lines := bytes.Count(w.source[from:to], []byte("\n")); lines > 0 {
		name = "(" + strings.Repeat("\n", lines) + name + ")"
	}
	w.edits = append(w.edits, cellPart{from: from, to: to, text: name})
	w.locals[w.set.Position(body.Lbrace).Offset+1] += fmt.Sprintf(" %s%d := %[1]sOf%[2]d();", liftName, w.count-1)
}

// keepImports records how the program uses the imports that a lifted constant names, because otherwise Go would report
// them as unused.
func (w *lifting) keepImports(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		name, is := n.(*ast.Ident)
		if s, selects := n.(*ast.SelectorExpr); selects {
			name, is = s.Sel, true
		}
		if of := w.info.Uses[name]; is && of != nil && of.Pkg() != nil && of.Pkg() != w.pkg {
			use := "const _ = "
			if _, is := of.(*types.TypeName); is {
				use = "var _ "
			}
			w.uses[use+string(w.source[w.set.Position(n.Pos()).Offset:w.set.Position(n.End()).Offset])] = true
			return false
		}
		return true
	})
}

// wordsOf returns a constant as the words that it occupies in memory. A string is preceded by its length, and has room
// for a longer string.
func wordsOf(of types.TypeAndValue) []uint64 {
	basic, v := of.Type.Underlying().(*types.Basic), of.Value
	one := func(v constant.Value, single bool) uint64 {
		if single {
			f, _ := constant.Float32Val(constant.ToFloat(v))
			return uint64(math.Float32bits(f))
		}
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return math.Float64bits(f)
	}
	switch kind := basic.Kind(); {
	case basic.Info()&types.IsString != 0:
		text := constant.StringVal(v)
		room := make([]byte, 1<<bits.Len(uint(max(len(text), 64)-1)))
		copy(room, text)
		words := []uint64{uint64(len(text))}
		for at := 0; at < len(room); at += 8 {
			words = append(words, binary.LittleEndian.Uint64(room[at:]))
		}
		return words
	case kind == types.Complex64:
		return []uint64{one(constant.Real(v), true) | one(constant.Imag(v), true)<<32}
	case kind == types.Complex128:
		return []uint64{one(constant.Real(v), false), one(constant.Imag(v), false)}
	case basic.Info()&types.IsFloat != 0:
		return []uint64{one(v, kind == types.Float32)}
	}
	v = constant.ToInt(v)
	if n, exact := constant.Uint64Val(v); exact {
		return []uint64{n}
	}
	n, _ := constant.Int64Val(v)
	return []uint64{uint64(n)}
}

// typeName returns the name of a type in the file of constants, and whether it has a name there.
func (w *lifting) typeName(of types.Type) (string, bool) {
	switch t := types.Unalias(of).(type) {
	case *types.Basic:
		return t.Name(), w.pkg.Scope().Lookup(t.Name()) == nil
	case *types.Named:
		of := t.Obj()
		switch {
		case t.TypeArgs().Len() > 0 || of.Pkg() == nil || of.Parent() != of.Pkg().Scope():
		case of.Pkg() == w.pkg:
			return of.Name(), true
		case of.Exported() && !hidden.MatchString(of.Pkg().Path()):
			path := of.Pkg().Path()
			if w.imports[path] == "" {
				w.imports[path] = fmt.Sprintf("%sIn%d", liftName, len(w.imports))
			}
			return w.imports[path] + "." + of.Name(), true
		}
	}
	return "", false
}

// program returns the program with its constants in an array.
func (w *lifting) program() (l liftedProgram, err error) {
	for at, text := range w.locals {
		w.edits = append(w.edits, cellPart{from: at, to: at, text: text})
	}
	slices.SortFunc(w.edits, func(a, b cellPart) int { return a.from - b.from })
	here, err := filepath.Abs("main.go")
	var main, values bytes.Buffer
	fmt.Fprintf(&main, "//line %s:1:1\n", here)
	last := 0
	for _, e := range w.edits {
		main.Write(w.source[last:e.from])
		main.WriteString(e.text)
		last = e.to
	}
	main.Write(w.source[last:])
	for _, use := range slices.Sorted(maps.Keys(w.uses)) {
		main.WriteString("\n" + use)
	}
	fmt.Fprintf(&values, "package main\n\nimport %sUnsafe \"unsafe\"\n", liftName)
	for _, path := range slices.Sorted(maps.Keys(w.imports)) {
		fmt.Fprintf(&values, "import %s %q\n", w.imports[path], path)
	}
	values.WriteString(w.helpers.String())
	mark := sha256.Sum256(slices.Concat(main.Bytes(), values.Bytes()))
	for i := range markWords {
		w.words[i] = binary.LittleEndian.Uint64(mark[8*i:])
	}
	fmt.Fprintf(&values, "var %s = [%d]uint64{%#v", liftValues, len(w.words), w.words[0])
	for _, word := range w.words[1:markWords] {
		fmt.Fprintf(&values, ", %#v", word)
	}
	values.WriteString("}\n")
	return liftedProgram{main.Bytes(), values.Bytes(), w.words}, err
}

// patched returns a copy of a linked file in which the program's values replace the previous ones.
func (l liftedProgram) patched(linked []byte) ([]byte, error) {
	var mark, all []byte
	for i, word := range l.words {
		if all = binary.LittleEndian.AppendUint64(all, word); i < markWords {
			mark = all
		}
	}
	at := bytes.Index(linked, mark)
	if at < 0 || at != bytes.LastIndex(linked, mark) || at+len(all) > len(linked) {
		return nil, errNotLifted
	}
	copy(linked[at:], all)
	return linked, nil
}

// skeleton returns the tokens of a program, leaving out literals.
func skeleton(source []byte) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", -1, len(source)), source, func(token.Position, string) {}, 0)
	h := sha256.New()
	for {
		_, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return fmt.Sprintf("%x", h.Sum(nil))
		case kind.IsLiteral() && kind != token.IDENT:
			kind, text = token.STRING, ""
		}
		fmt.Fprintf(h, "%s %q ", kind, text)
	}
}

// lifts reports whether the constants of the plan's programs can be lifted. On some platforms, Go combines a product
// and a sum into one operation that rounds only once, perhaps differently if it knows a factor. On amd64 it does so
// only with GOAMD64=v3. Systems other than Linux may check that a program has not been changed.
func (t toolCall) lifts() bool {
	has := func(entry string) bool { return slices.Contains(t.Env, entry) }
	return has("GOOS=linux") && has("GOARCH=amd64") && (has("GOAMD64=v1") || has("GOAMD64=v2"))
}

// seen reports whether there was an earlier source with the same tokens except for literals. Constants are lifted only
// from the second such source on, so that the first one costs no extra time.
func (c cellProgram) seen(key cellKey) bool {
	file := filepath.Join(c.kept, "seen-"+digest(key.rest, skeleton(key.text)))
	if isFile(file) {
		return true
	}
	_ = os.WriteFile(file, nil, 0o600)
	return false
}

// followLifted builds the program from a cached program that differs only in the values of lifted constants. If there
// is none, it builds such a program in the folder work.
func (c cellProgram) followLifted(key cellKey, compile, link toolCall, work string) error {
	if !compile.lifts() {
		return errNotLifted
	}
	files := packageFiles(compile.Config)
	version := ""
	for _, arg := range compile.Argv {
		if v, is := strings.CutPrefix(arg, "-lang="); is {
			version = v
		}
	}
	l, err := lift(key.text, version, func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	if err != nil {
		return err
	}
	program := c.program(cellKey{program: digest("lifted", key.rest, l.main, l.values)})
	linked, err := os.ReadFile(program)
	if err != nil {
		main, values := filepath.Join(work, "main.go"), filepath.Join(work, liftFile)
		if err := errors.Join(os.WriteFile(main, l.main, 0o600), os.WriteFile(values, l.values, 0o600)); err != nil {
			return err
		}
		// The file of values comes first, because Go initialises variables file by file.
		compile.Argv = append(slices.Clone(compile.Argv[:len(compile.Argv)-1]), values, main)
		made, err := buildAgain(work, key.program, compile, link)
		if err != nil {
			return err
		}
		if linked, err = os.ReadFile(made); err != nil {
			return err
		}
		c.keep(made, program)
	}
	if linked, err = l.patched(linked); err != nil {
		return err
	}
	return os.WriteFile(c.out, linked, 0o700)
}
