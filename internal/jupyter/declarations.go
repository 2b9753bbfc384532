package jupyter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// gonb stores the declarations of all cells, and compiles all of them with each cell. If the parameters of a function
// changed, a caller in another cell would make every cell fail, even the cell that contains the caller. So our go
// program removes the declarations that the compiler complains about, unless the running cell declares them, and gonb
// forgets them.

// buildNews is a message from our go program to the proxy about the cell that it is building, and cellNews is the
// reply.
type (
	buildNews struct {
		Said   string   `json:"said"`
		Forget []string `json:"forget"` // gonb's keys of the declarations to forget
	}
	cellNews struct {
		Code  string         `json:"code"`
		Cells map[string]int `json:"cells"` // the number of the cell that declared each name, by kind and key
	}
)

// declaration is a declaration that gonb can forget.
type declaration struct {
	kind     string   // func, type, var, const, import
	keys     []string // gonb's keys
	from, to int      // offsets in the source
}

// names returns the declaration's keys, each after its kind.
func (d declaration) names() []string {
	names := slices.Clone(d.keys)
	for i := range names {
		names[i] = d.kind + " " + names[i]
	}
	return names
}

// declarationsIn returns the declarations in a program. If the program has syntax errors, some declarations may be
// missing.
func declarationsIn(source []byte) []declaration {
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	var all []declaration
	add := func(kind string, node ast.Node, keys ...string) {
		of := set.File(node.Pos())
		all = append(all, declaration{kind, keys, of.Offset(node.Pos()), of.Offset(node.End())})
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			key := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				key = strings.TrimLeft(types.ExprString(d.Recv.List[0].Type), "*") + "~" + key
			}
			add("func", d, key)
		case *ast.GenDecl:
			var constants []string
			for _, spec := range d.Specs {
				var node ast.Node = spec
				if !d.Lparen.IsValid() {
					node = d
				}
				switch s := spec.(type) {
				case *ast.ImportSpec:
					add("import", node)
				case *ast.TypeSpec:
					add("type", node, s.Name.Name)
				case *ast.ValueSpec:
					var keys []string
					for _, name := range s.Names {
						keys = append(keys, name.Name)
					}
					if constants = append(constants, keys...); d.Tok == token.VAR {
						add("var", node, keys...)
					}
				}
			}
			if d.Tok == token.CONST { // a constant may continue the constant before it
				add("const", d, constants...)
			}
		}
	}
	return all
}

// rank returns the position of a kind in the order in which gonb searches for a key to forget. A name may follow the
// kind.
func rank(kind string) int {
	kind, _, _ = strings.Cut(kind, " ")
	return slices.Index([]string{"const", "type", "var", "func"}, kind)
}

// declaredBy returns the names that a cell declares, each as its kind and key.
func declaredBy(code string) []string {
	_, body := goPart(code)
	names := []string{"func main", "func init"}
	for _, d := range declarationsIn([]byte("package main;" + withoutCommands(code)[:body])) {
		names = append(names, d.names()...)
	}
	return names
}

var (
	complaint  = regexp.MustCompile(`(?m)^(?:[^\s:]*/)?main(?:_test)?\.go:(\d+):\d+: (.*)$`)
	redeclared = regexp.MustCompile(`^(\w+) redeclared in this block`)
	undefined  = regexp.MustCompile(`(?m): undefined: ([a-z]+)$`)
	lackedName = regexp.MustCompile(`undefined: (\w+)`)
	unused     = regexp.MustCompile(`(?m)^.*(imported|declared) and not used.*$`)
)

// setAside builds a program without the declarations of other cells that the compiler complains about. It returns the
// compiler's output for the last attempt.
func setAside(file string, text []byte, build func() ([]byte, int)) ([]byte, int) {
	cell, err := tellProxy(buildNews{})
	source, readErr := os.ReadFile(file)
	if err != nil || readErr != nil {
		return text, 1
	}
	if named := importStandard(source, text); !bytes.Equal(named, source) && os.WriteFile(file, named, 0o600) == nil {
		source = named
		var code int
		if text, code = build(); code == 0 {
			return nil, 0
		}
	}
	original, own := slices.Clone(source), declaredBy(cell.Code)
	place := func(d declaration) string {
		name := strings.ReplaceAll(strings.Join(d.keys, ", "), "~", ".")
		if n := cell.Cells[d.names()[0]]; n > 0 {
			name += fmt.Sprintf(" of Cell [%d]", n)
		}
		return name
	}
	var gone []declaration
	var why []string
	var news buildNews
	var left []declaration // declarations of other cells
	for range 100 {
		left = slices.DeleteFunc(declarationsIn(source), func(d declaration) bool {
			return slices.ContainsFunc(d.names(), func(name string) bool { return slices.Contains(own, name) })
		})
		before := len(gone)
		changed := false
		for _, m := range complaint.FindAllSubmatch(text, -1) {
			line, _ := strconv.Atoi(string(m[1]))
			again := redeclared.FindSubmatch(m[2])
			for _, d := range left {
				first := bytes.Count(source[:d.from], []byte("\n")) + 1
				within := first <= line && line <= first+bytes.Count(source[d.from:d.to], []byte("\n"))
				twice := again != nil && slices.Contains(d.keys, string(again[1]))
				used := d.kind == "import" && !unused.Match(m[2])
				if !within && !twice || used || len(bytes.TrimSpace(source[d.from:d.to])) == 0 {
					continue
				}
				for i := d.from; i < d.to; i++ {
					if source[i] != '\n' { // keeps line numbers
						source[i] = ' '
					}
				}
				if changed = true; d.kind != "import" {
					gone, why = append(gone, d), append(why, string(m[2]))
				}
			}
		}
		if !changed || os.WriteFile(file, source, 0o600) != nil {
			break
		}
		for i, d := range gone[before:] {
			const said = "%s no longer compiles and was removed: %s. Run its cell again.\n"
			news.Said += fmt.Sprintf(said, place(d), why[before+i])
			for _, key := range d.keys { // gonb searches const, type, var and func for the key
				first := func(name string) bool { return strings.HasSuffix(name, " "+key) && rank(name) < rank(d.kind) }
				if key != "_" && !slices.ContainsFunc(own, first) {
					news.Forget = append(news.Forget, key)
				}
			}
		}
		var code int
		if text, code = build(); code == 0 {
			_, _ = tellProxy(news)
			return nil, 0
		}
	}
	_ = os.WriteFile(file, original, 0o600) // because gonb shows lines of the file
	named := unused.ReplaceAllString(string(text), "")
	mentions := func(d declaration) bool {
		return d.kind != "import" && slices.ContainsFunc(d.keys, func(key string) bool {
			return regexp.MustCompile(`\b` + regexp.QuoteMeta(key[strings.IndexByte(key, '~')+1:]) +
				`\b`).MatchString(named)
		})
	}
	text = append(bytes.TrimSpace(text), '\n')
	for i, d := range gone {
		if mentions(d) {
			const said = "%s conflicts with this cell: %s. Change both in one cell, run %%rm %s, or " +
				"Restart & Run All.\n"
			text = fmt.Appendf(text, said, place(d), why[i], strings.Join(d.keys, " "))
		}
	}
	for _, d := range left {
		if mentions(d) {
			text = fmt.Appendf(text, "The compiler still uses %s: if you have changed its definition, run its cell "+
				"first.\n", place(d))
		}
	}
	return sayNotKept(text), 1
}

// importStandard adds missing imports of Go's own packages. If any cell uses a name that a package does not have,
// goimports does not import the package, and all cells that use it would fail.
func importStandard(source, text []byte) []byte {
	program, err := filepath.EvalSymlinks(os.Getenv(realGoVariable))
	if err != nil {
		return source
	}
	library := filepath.Join(filepath.Dir(filepath.Dir(program)), "src")
	imports := "package main"
	for _, m := range undefined.FindAllSubmatch(text, -1) {
		name := string(m[1])
		line := "; import " + strconv.Quote(name)
		info, err := os.Stat(filepath.Join(library, name))
		if err == nil && info.IsDir() && !strings.Contains(imports, line) {
			imports += line
		}
	}
	return bytes.Replace(source, []byte("package main"), []byte(imports), 1) // keeps line numbers
}

// tellProxy sends information about a cell to the proxy, and returns the proxy's reply.
func tellProxy(news buildNews) (cell cellNews, err error) {
	conn, err := net.Dial("unix", os.Getenv(controlsVariable))
	if err != nil {
		return cell, err
	}
	defer conn.Close()
	if err := json.NewEncoder(conn).Encode(registration{Build: &news}); err != nil {
		return cell, err
	}
	return cell, json.NewDecoder(conn).Decode(&cell)
}

// building handles a message from our go program about the running cell, and returns the reply.
func (f *proxy) building(news buildNews) (cell cellNews) {
	f.mu.Lock()
	f.forget = append(f.forget, news.Forget...)
	running := f.running
	cell.Cells = maps.Clone(f.declared)
	f.mu.Unlock()
	if running == nil {
		return cell
	}
	cell.Code = running.code
	if news.Said != "" {
		f.publish(running.header, "stream", map[string]string{"name": "stderr", "text": news.Said})
	}
	return cell
}
