package jupyter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// literalIn is a literal in a program, and the name of the top-level function that contains it.
type literalIn struct {
	kind     token.Token
	from, to int
	text     string
	within   string
}

// reaches reports whether a cell may call a function. source is the program of all cells.
func reaches(source string, cell int, function string) bool {
	file := must.Get(parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution))
	var begin []ast.Node
	for _, decl := range file.Decls {
		if slices.Contains(gosource.Declared(decl), CellFunction(cell)) {
			begin = append(begin, decl)
		}
	}
	used := gosource.Reached(file, begin, func(ast.Spec) bool { return false })
	return function == CellFunction(cell) || used[function]
}

// literalsIn returns the literals that follow a program's imports.
func literalsIn(source string) (all []literalIn) {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(source))
	s.Init(file, []byte(source), nil, 0)
	decls := declarationsIn([]byte(source))
	begin := 0
	for _, d := range decls {
		if d.kind == "import" {
			begin = d.to
		}
	}
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return all
		}
		at := file.Offset(pos)
		if !kind.IsLiteral() || kind == token.IDENT || at < begin {
			continue
		}
		within := ""
		for _, d := range decls {
			if d.from <= at && at < d.to {
				within = d.keys[0][strings.Index(d.keys[0], "~")+1:]
			}
		}
		all = append(all, literalIn{kind, at, at + len(text), text, within})
	}
}

// other returns another literal of the same kind.
func (l literalIn) other() string {
	switch l.kind {
	case token.INT:
		if n, err := strconv.ParseInt(l.text, 0, 64); err == nil && n < 1<<62 {
			return strconv.FormatInt(n+1+n/7, 10)
		}
	case token.FLOAT:
		if f, err := strconv.ParseFloat(l.text, 64); err == nil {
			return strconv.FormatFloat(f*1.25+0.125, 'e', -1, 64)
		}
	case token.STRING:
		return l.text[:len(l.text)-1] + "!" + l.text[len(l.text)-1:]
	case token.CHAR:
		if l.text != "'z'" {
			return "'z'"
		}
	}
	return l.text
}

// replaced returns a source in which with replaces each literal.
func replaced(source string, literals []literalIn, with func(literalIn) string) string {
	for _, l := range slices.Backward(literals) {
		source = source[:l.from] + with(l) + source[l.to:]
	}
	return source
}

// roads builds a program in two ways: with lifted constants, and by compiling it.
type roads struct {
	cellFolder
	byGo     string // a folder with the same modules, where Go builds the program
	compiled int    // the number of programs that the first way compiled
}

func newRoads(t *testing.T) *roads {
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		t.Skip("here each program is compiled")
	}
	f := newCellFolder(t)
	return &roads{cellFolder: f, byGo: t.TempDir()}
}

// kept returns the paths of the cached programs.
func (r *roads) kept() []string { return must.Get(filepath.Glob(filepath.Join(r.built, "program-*"))) }

// outcome is what a program prints: its stdout and its stderr.
type outcome struct{ said, warned string }

// builds builds a program in both ways, and checks that the messages are the same. It returns the messages, or "" if
// the build succeeded.
func (r *roads) builds(source string) (said string) {
	r.t.Helper()
	r.write("main.go", source)
	// Go builds first, because a plan needs packages that Go has compiled. It has its own folder, because in the same
	// folder main.go would be compiled only once.
	for _, name := range []string{"go.mod", "go.work", "main.go"} {
		r.write(filepath.Join(r.byGo, name), string(must.Get(os.ReadFile(name))))
	}
	cmd := exec.Command("go", "build", "-o", "program")
	cmd.Dir = r.byGo
	text, err := cmd.CombinedOutput()
	text = bytes.TrimSpace(packageLine.ReplaceAll(text, nil))
	before, failed := r.kept(), false
	said = r.stderr(func() { failed = RunGo([]string{"build", "-o", r.out()}) != 0 })
	if slices.ContainsFunc(r.kept(), func(name string) bool { return !slices.Contains(before, name) }) {
		r.compiled++
	}
	if (err != nil) != failed || failed && said != string(text) {
		r.t.Fatalf("one road says %q, and Go %q of\n%s", said, text, source)
	}
	if failed {
		return cmp.Or(said, "failed")
	}
	return ""
}

// compare runs both programs in an environment, and reports differences between their outcomes.
func (r *roads) compare(source string, env ...string) (did outcome) {
	r.t.Helper()
	run := func(program string) outcome {
		ctx, stop := context.WithTimeout(r.t.Context(), waittest.Patience)
		defer stop()
		cmd := exec.CommandContext(ctx, program)
		cmd.Env = append(os.Environ(), env...)
		var said, warned bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &warned
		err := cmd.Run()
		if ctx.Err() != nil {
			return outcome{"it takes too long", ""}
		}
		trace := place.ReplaceAllString(strings.ReplaceAll(warned.String(), r.byGo, r.dir), "")
		return outcome{said.String(), fmt.Sprint(trace, err)}
	}
	did, anew := run(r.out()+cellSuffix), run(filepath.Join(r.byGo, "program"))
	if did != anew {
		r.t.Errorf("%v: lifted: %q\nanew: %q\nof %s", env, did, anew, source)
	}
	return did
}

// place matches addresses and arguments in stack traces, which may differ.
var place = regexp.MustCompile(`0x[0-9a-f]+\??|\+0x[0-9a-f]+|\{?\.\.\.\}?|goroutine \d+`)

// everyLiteral makes TestLiftedCourse change every literal instead of two in each function; this takes half an hour.
var everyLiteral = flag.Bool("every-literal", false, "change every literal of the course, which takes half an hour")

// TestLiftedCourse changes literals in each cell of the course, and checks that programs with lifted constants behave
// like compiled programs.
func TestLiftedCourse(t *testing.T) {
	repo := must.Get(filepath.Abs("../.."))
	r := newRoads(t)
	t.Setenv("GOFLAGS", cellFlags)
	r.write("go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+repo+"\n)\n")
	old := settleTime
	settleTime = 0
	defer func() { settleTime = old }()
	course := must.Get(filepath.Glob(filepath.Join(repo, "notebooks", "*.ipynb")))
	if len(course) == 0 {
		t.Fatal("no notebooks")
	}
	all, lifted := 0, 0
	for at, path := range course {
		programs, _, err := must.Get(Read(path)).Merged()
		must.Do(t, err)
		for _, p := range programs {
			source := strings.Replace(string(p.Source), "\nfunc main() {\n", "\nfunc siegebookMain() {\n", 1)
			source = string(leaveUsed([]byte(source)))
			source = strings.Replace(source, "package main", "package main; import siegebookPage "+
				`"github.com/siegebook/siegebook/notebooks/show/page"`, 1) +
				"\nfunc main() { siegebookPage.Notebook(siegebookMain) }\n"
			literals := literalsIn(source)
			all += len(literals)
			if testing.Short() && at != 2 {
				continue
			}
			if said := r.builds(source); said != "" {
				t.Fatal(said)
			}
			// Each round changes one literal in each function.
			var rounds [][]literalIn
			in := map[string]int{}
			for _, l := range r.lifted(source, literals) {
				if in[l.within] == len(rounds) {
					rounds = append(rounds, nil)
				}
				rounds[in[l.within]] = append(rounds[in[l.within]], l)
				in[l.within]++
				lifted++
			}
			if middle := rounds[len(rounds)/2:]; testing.Short() {
				rounds = middle[:1]
			} else if !*everyLiteral {
				rounds = slices.Concat(rounds[:1], middle[:1])
			}
			compiled := r.compiled
			for n, round := range rounds {
				program := replaced(source, round, literalIn.other)
				if said := r.builds(program); said != "" {
					t.Fatal(said)
				}
				for cell := p.First; cell < p.First+p.Count; cell++ {
					if !slices.ContainsFunc(round, func(l literalIn) bool { return reaches(source, cell, l.within) }) {
						continue
					}
					what := fmt.Sprintf("round %d of %s", n, filepath.Base(path))
					r.compare(what, CellVariable+"="+fmt.Sprint(cell), "SIEGEBOOK_MARK=mark")
				}
			}
			if r.compiled > compiled+1 {
				t.Errorf("%s: %d programs were compiled", path, r.compiled-compiled)
			}
		}
	}
	t.Logf("%d of %d literals are lifted", lifted, all)
}

// lifted returns the literals that can change without compilation.
func (r *roads) lifted(source string, literals []literalIn) (some []literalIn) {
	r.t.Helper()
	plans := must.Get(filepath.Glob(filepath.Join(r.built, "plan-*")))
	var compile toolCall
	for _, plan := range plans {
		must.Do(r.t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join(plan, "compile"))), &compile))
		var link toolCall
		must.Do(r.t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join(plan, "link"))), &link))
		files := packageFiles(compile.Config + link.Config)
		look := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
		before, err := lift([]byte(source), "go1.26", look)
		if err != nil {
			continue // the plan is for another program
		}
		for _, l := range literals {
			with := replaced(source, []literalIn{l}, literalIn.other)
			after, err := lift([]byte(with), "go1.26", look)
			if with != source && err == nil && bytes.Equal(before.main, after.main) &&
				bytes.Equal(before.values, after.values) {
				some = append(some, l)
			}
		}
		return some
	}
	r.t.Fatal("no plan")
	return nil
}

// edited lists replacements for literals: the limits of types, and literals that need another type.
var edited = strings.Fields("0 1 2 3 7 -1 127 128 255 256 65536 2147483648 9223372036854775807 18446744073709551615 " +
	"010 0b11 0x1F 1_0 0.5 2.0 0.1 1e100 1e308 5e-324 0x1p-2 1i 'a' '\\n' \"\" \"z\" `z` \"\\x80\" " +
	strconv.Quote(strings.Repeat("long", 40)))

// TestLiftedEdits replaces literals in programs with literals of all kinds. Both ways of building must give programs
// that behave alike, or the same messages.
func TestLiftedEdits(t *testing.T) {
	programs := must.Get(txtar.ParseFile("testdata/lift.txtar")).Files
	r := newRoads(t)
	settleTime = 0
	edits := 40
	if testing.Short() {
		edits, programs = 2, programs[:2]
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, file := range programs {
		source := string(file.Data)
		literals := literalsIn(source)
		if said := r.builds(source); said != "" {
			t.Fatalf("%s: %s", file.Name, said)
		}
		r.compare(source)
		some := r.lifted(source, literals)
		for _, l := range some[:2] {
			r.compiled = 0
			changed := replaced(source, []literalIn{l}, literalIn.other)
			if said := r.builds(changed); said != "" {
				t.Fatal(said)
			}
			r.compare(changed)
		}
		if r.compiled > 0 {
			t.Errorf("%s: a text with another constant was compiled", file.Name)
		}
		compiled, fine := r.compiled, 0 // sources with other kinds of literals are compiled
		for range edits {
			edit := literals[random.IntN(len(literals))]
			other := edited[random.IntN(len(edited))]
			if random.IntN(2) == 0 {
				other = edit.other()
			}
			changed := replaced(source, []literalIn{edit}, func(literalIn) string { return other })
			if r.builds(changed) == "" {
				fine++
				r.compare(changed)
			}
		}
		t.Logf("%s: %d of %d edits are Go, %d of them were compiled", file.Name, fine, edits, r.compiled-compiled)
	}
}
