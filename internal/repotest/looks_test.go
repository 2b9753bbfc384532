package repotest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// lookTypes are what a colour or a sign is made of: types of which only package pictures and those below it write
// values, and types whose constants only they name.
var lookTypes = []struct{ pkg, literal, constants string }{
	{"report/figure", "Class", "Swatch"},
	{"report/content", "Mark", "Tone"},
}

// mayLook are the packages that define looks, give them a meaning, or draw them.
func mayLook(pkg string) bool {
	return pkg == "report/pictures" || strings.HasPrefix(pkg, "report/pictures/") ||
		slices.Contains([]string{"report/figure", "report/content", "report/site"}, pkg)
}

// checkLooks finds colours and signs of outcomes that are written anywhere but in package pictures: in Go files outside
// of tests, and in the cells of the lessons.
func checkLooks(tree fs.FS) ([]string, error) {
	module, err := modulePath(tree)
	if err != nil {
		return nil, err
	}
	refused := map[string]map[string]bool{}
	for _, t := range lookTypes {
		if refused[module+"/"+t.pkg], err = constantsOf(tree, t.pkg, t.constants); err != nil {
			return nil, err
		}
	}
	bound := func(name string) bool {
		lesson := path.Dir(name) == "notebooks" && path.Ext(name) == ".ipynb"
		return lesson || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
			!mayLook(path.Dir(name))
	}
	return inEach(tree, bound, func(name string, data []byte) (problems []string, err error) {
		source, err := goSource(name, data)
		if err != nil {
			return nil, err
		}
		for _, found := range looksIn(source, module, refused) {
			problems = append(problems, fmt.Sprintf("%s: %s: looks of outcomes are in report/pictures alone, take "+
				"one of them or add it there", name, found))
		}
		return problems, nil
	})
}

// constantsOf returns the names of a package's constants of a type.
func constantsOf(tree fs.FS, pkg, typ string) (map[string]bool, error) {
	sources, err := fs.Glob(tree, pkg+"/*.go")
	found := map[string]bool{}
	for _, name := range sources {
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			return nil, err
		}
		for _, decl := range parsed.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
				addTyped(found, group, typ)
			}
		}
	}
	if len(found) == 0 && err == nil {
		return nil, fmt.Errorf("%s: no constants of type %s", pkg, typ)
	}
	return found, err
}

// addTyped adds the exported names of a group that have a type, which goes on to the lines without one.
func addTyped(found map[string]bool, group *ast.GenDecl, typ string) {
	current := ""
	for _, spec := range group.Specs {
		value := spec.(*ast.ValueSpec)
		if id, ok := value.Type.(*ast.Ident); ok {
			current = id.Name
		} else if value.Values != nil {
			current = ""
		}
		for _, name := range value.Names {
			if current == typ && name.IsExported() {
				found[name.Name] = true
			}
		}
	}
}

// goSource returns the text of a Go file, or all code of a notebook.
func goSource(name string, data []byte) (string, error) {
	if strings.HasSuffix(name, ".go") {
		return string(data), nil
	}
	var notebook struct {
		Cells []struct {
			CellType string `json:"cell_type"`
			Source   []string
		}
	}
	if err := json.Unmarshal(data, &notebook); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	var code strings.Builder
	for _, cell := range notebook.Cells {
		if cell.CellType == "code" {
			code.WriteString(strings.Join(cell.Source, "") + "\n")
		}
	}
	return code.String(), nil
}

// looksIn lists what a source writes of looks: it needs no more of Go than tokens, so that it reads cells too.
func looksIn(source, module string, refused map[string]map[string]bool) []string {
	type lexeme struct {
		token token.Token
		text  string
	}
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(source)), []byte(source), func(token.Position, string) {}, 0)
	var all []lexeme
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		all = append(all, lexeme{tok, text})
	}
	packages := map[string]string{} // by the name in this source
	for i, l := range all {
		imported, err := strconv.Unquote(l.text)
		if l.token != token.STRING || err != nil || refused[imported] == nil {
			continue
		}
		name := path.Base(imported)
		if i > 0 && all[i-1].token == token.IDENT {
			name = all[i-1].text
		}
		packages[name] = imported
	}
	var found []string
	for i := 0; i+3 < len(all); i++ {
		imported, ok := packages[all[i].text]
		if !ok || all[i].token != token.IDENT || all[i+1].token != token.PERIOD {
			continue
		}
		name, before := all[i+2].text, i-1
		for before >= 0 && slices.Contains([]token.Token{token.LBRACK, token.RBRACK, token.MUL}, all[before].token) {
			before--
		}
		result := before >= 0 && all[before].token == token.RPAREN // of a function, whose body begins
		literal := all[i+3].token == token.LBRACE && !result &&
			slices.ContainsFunc(lookTypes, func(t struct{ pkg, literal, constants string }) bool {
				return module+"/"+t.pkg == imported && t.literal == name
			})
		if text := path.Base(imported) + "." + name; (literal || refused[imported][name]) &&
			!slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return found
}

func TestLooks(t *testing.T) {
	problems, err := checkLooks(tree(t))
	report(t, problems, err)
}

// TestLooksCheckerFails shows that the checker finds colours and signs in chapters, views and cells.
func TestLooksCheckerFails(t *testing.T) {
	sound := []string{
		"go.mod", "module example.org/m\n",
		"report/figure/a.go", "package figure\ntype Swatch int\nconst (\n\tAuto Swatch = " +
			"iota\n\tBlue\n\tGreen\n\tother = 3\n)\n",
		"report/content/a.go", "package content\ntype Tone uint8\nconst Red Tone = 1\nconst Large = 2\n",
		"report/pictures/a.go",
		`package pictures; import ("example.org/m/report/figure"); var a = figure.Class{Swatch: ` + `figure.Blue}`,
		"report/pictures/chess/a.go", `package chess; import ("example.org/m/report/figure"); var a = figure.Class{}`,
		"report/site/a.go", `package site; import "example.org/m/report/content"; func f() []content.Mark { return nil }`,
		"report/chess/a.go", `package chess; import ("example.org/m/report/content"; "example.org/m/report/figure"); var a, ` +
			`b = figure.PhaseMap{}, content.Large`,
		"report/chess/a_test.go", `package chess; import "example.org/m/report/figure"; var a = figure.Blue`,
		"report/chess/c.go", `package chess; import "example.org/m/report/content"; func f() content.Mark { return g()[0] ` +
			`}; func g() []content.Mark { return nil }`,
		"report/go/a.go", `package gogame; var figure struct{ Blue int }; var b = figure.Blue`,
		"notebooks/a.ipynb", `{"cells": [{"cell_type": "code", "source": ["import \"example.org/m/report/figure\"\n", ` +
			`"!ls"]}, {"cell_type": "markdown", "source": ["figure.Blue"]}]}`,
	}
	for _, test := range []struct {
		name string
		add  []string
		want []string
	}{
		{"sound", nil, nil},
		{
			"a swatch",
			[]string{"report/chess/b.go", `package chess; import "example.org/m/report/figure"; var a = figure.Green`},
			[]string{"report/chess/b.go: figure.Green: "},
		},
		{
			"a class",
			[]string{
				"report/chess/b.go",
				`package chess; import "example.org/m/report/figure"; var a = []figure.Class{{Sign: "x"}}`,
			},
			[]string{"report/chess/b.go: figure.Class: "},
		},
		{
			"classes by value",
			[]string{
				"report/chess/b.go",
				`package chess; import "example.org/m/report/figure"; var a = map[int]figure.Class{1: {Sign: "x"}}`,
			},
			[]string{"report/chess/b.go: figure.Class: "},
		},
		{
			"under another name",
			[]string{
				"report/chess/b.go",
				`package chess; import f "example.org/m/report/figure"; var a = f.Class{Swatch: f.Blue}`,
			},
			[]string{"report/chess/b.go: figure.Class: ", "report/chess/b.go: figure.Blue: "},
		},
		{
			"a mark",
			[]string{
				"cmd/a/b.go",
				`package main; import "example.org/m/report/content"; var a = content.Mark{Tone: ` + `content.Red}`,
			},
			[]string{"cmd/a/b.go: content.Mark: ", "cmd/a/b.go: content.Red: "},
		},
		{
			"a view",
			[]string{
				"notebooks/show/chess/b.go", `package chess; import "example.org/m/report/figure"; var a = figure.Blue`,
			},
			[]string{"notebooks/show/chess/b.go: figure.Blue: "},
		},
		{"a cell", []string{
			"notebooks/a.ipynb", `{"cells": [{"cell_type": "code", "source": ["import (\n", ` +
				`"\t\"example.org/m/report/figure\"\n", ")"]}, {"cell_type": "code", "source": ["%%\n", "m.Classes = ` +
				`[]figure.Class{{Swatch: figure.Blue}}"]}]}`,
		}, []string{"notebooks/a.ipynb: figure.Class: ", "notebooks/a.ipynb: figure.Blue: "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems, err := checkLooks(mapFS(append(slices.Clone(sound), test.add...)...))
			wantProblems(t, problems, err, test.want...)
		})
	}
	if _, err := checkLooks(mapFS("go.mod", "module example.org/m\n", "report/figure/a.go",
		"package figure\n")); err == nil {
		t.Error("swatches that have gone are not missed")
	}
}

var update = flag.Bool("update", false, "rewrite the pictures of the README")

// pictures are the README's pictures, and the files of the report that they are.
var pictures = map[string]string{
	"phase-map.svg":      "assets/index/fig-phase.svg",
	"phase-map-dark.svg": "assets/index/fig-phase.dark.svg",
}

// TestReadmePicture builds the front page of the report and compares its first figure with the picture of the README.
func TestReadmePicture(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("builds the report, which takes seconds; leave out -short")
	}
	site := filepath.Join(t.TempDir(), "site")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/genreport", "build", "--only", "about", "--out", site,
		"--cache", "off")
	cmd.Dir = root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("genreport build: %v\n%s", err, out)
	}
	for name, source := range pictures {
		drawn, err := os.ReadFile(filepath.Join(site, filepath.FromSlash(source)))
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(root(t), "docs", "images", name)
		if *update {
			if err := os.WriteFile(name, drawn, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept, drawn) {
			t.Errorf("%s is not what the report draws (%d bytes, drawn %d): look at both, then run make golden", name,
				len(kept), len(drawn))
		}
	}
}

// tried are words of the statement on accessibility, and what the tests of pages have to do so that they are true.
var tried = map[string]string{
	"axe-core":                   `v.audit("`,
	"320 pixels wide":            "v.resize(320)",
	"1280 pixels wide":           "fileURL(v.page), 1280)",
	"gets the focus":             `"rings"`,
	"leads past the menu":        "v.keys()",
	"no page scrolls sideways":   `"inspect"`,
	"a sign at their edge":       `"scroll"`,
	"the spacing of WCAG 1.4.12": `"spaced"`,
	"no animation":               `"calm"`,
	"with forced colours":        `Name: "forced-colors"`,
	"on dark ones":               "v.dark(axeCore)",
}

// TestAccessibilityStatement holds the statement against the tests that it names: they exist, every row has one, the
// checkers have the versions that it says, and what the tests of pages are said to do is done there.
func TestAccessibilityStatement(t *testing.T) {
	read := func(name ...string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(append([]string{root(t)}, name...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	statement := read("report", "accessibility.md")
	files, err := filepath.Glob(filepath.Join(root(t), "internal", "browsertest", "*_test.go"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of tests, %v", len(files), err)
	}
	tests := ""
	for _, file := range files {
		tests += read("internal", "browsertest", filepath.Base(file))
	}
	test := regexp.MustCompile("`(Test[A-Za-z]+)`")
	rows := 0
	for line := range strings.Lines(statement) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| what") {
			continue
		}
		rows++
		if !test.MatchString(line) {
			t.Errorf("no test is named: %s", line)
		}
	}
	if rows < 10 {
		t.Errorf("the statement has only %d rows", rows)
	}
	for _, m := range test.FindAllStringSubmatch(statement, -1) {
		if !strings.Contains(tests, "\nfunc "+m[1]+"(t *testing.T) {") {
			t.Errorf("there is no test %s", m[1])
		}
	}
	var checkers struct{ Dependencies map[string]string }
	if err := json.Unmarshal([]byte(read("internal", "browsertest", "npm", "package.json")), &checkers); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"axe-core", "html-validate"} {
		if !strings.Contains(statement, name+" "+checkers.Dependencies[name]) {
			t.Errorf("the statement does not name %s %s", name, checkers.Dependencies[name])
		}
	}
	pages := read("internal", "browsertest", "visit_test.go")
	for words, done := range tried {
		if !strings.Contains(statement, words) {
			t.Errorf("the statement does not say %q any more", words)
		}
		if !strings.Contains(pages, done) {
			t.Errorf("the statement says %q, and the tests of pages have no %s", words, done)
		}
	}
}
