package program

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Code is a folder with the Go code of pages, for use with Go's tools.
type Code struct {
	// Dir is the folder. It is a module in a workspace with the library and the book's own module.
	Dir   string
	pages []Page
}

// Code writes the Go code of pages into a folder, for use with Go's tools. Each piece of code keeps its line and
// column, because many tools do not follow line directives to files that are not Go. Therefore a page becomes two
// files, one for declarations and one for statements. Tools report no problems in the code around the cells. Code
// removes the packages of other pages from the folder. faults contains the faults of each page. If there is a fault,
// Code writes nothing.
func (g Program) Code(ctx context.Context, pages []Page, dir string) (c Code, faults [][]Fault, err error) {
	b, err := g.open(ctx)
	if err != nil {
		return c, nil, err
	}
	c.Dir, c.pages, faults = dir, pages, make([][]Fault, len(pages))
	var all []*source
	for i, p := range pages {
		s := &source{page: p, locals: map[string]bool{}, address: "&", checked: true}
		s.read()
		s.file("page", b.known) // records the faults of imports
		all, faults[i] = append(all, s), s.faults
	}
	if slices.ContainsFunc(faults, func(f []Fault) bool { return len(f) > 0 }) {
		return c, faults, nil
	}
	old, _ := filepath.Glob(filepath.Join(dir, "p_*"))
	for _, name := range old {
		if !slices.ContainsFunc(pages, func(p Page) bool { return p.packageName() == filepath.Base(name) }) {
			err = errors.Join(err, os.RemoveAll(name))
		}
	}
	if err = errors.Join(err, b.workspace(dir)); err != nil {
		return c, nil, err
	}
	for _, s := range all {
		if err := s.writeCode(filepath.Join(dir, s.page.packageName()), b.known); err != nil {
			return c, nil, err
		}
	}
	return c, faults, nil
}

// Pages returns the number of pages with code.
func (c Code) Pages() int { return len(c.pages) }

// Named replaces the names of code files in the output of a tool with the names of pages.
func (c Code) Named(text string) string {
	for _, p := range c.pages {
		file := filepath.Join(p.Dir, path.Base(p.File))
		written := regexp.MustCompile(`[^\s()\[\]]*\b` + p.packageName() + `[/\\](page|declarations)\.go\b`)
		text = written.ReplaceAllLiteralString(text, file)
		if absolute, err := filepath.Abs(file); err == nil {
			if relative, err := filepath.Rel(c.Dir, absolute); err == nil {
				text = strings.ReplaceAll(text, relative+":", file+":")
			}
			text = strings.ReplaceAll(text, absolute+":", file+":")
		}
	}
	return text
}

// valueName is the name of the function that takes the value of an expression. "_v(" is shorter than "`go:", so the
// expression can keep its column.
const valueName = "_v"

const pageHead = "func Page() {"

// writeCode writes the package of a page. It also copies the page to the folder, where Go's coverage tool reads it.
func (s *source) writeCode(dir string, known packages) error {
	absolute, err := filepath.Abs(filepath.Join(s.page.Dir, path.Base(s.page.File)))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(absolute)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(s.page.Dir)
	if err != nil {
		return err
	}
	declarations := s.placed(s.top.String())
	statements := pageHead + s.placed(s.body.String()) + strings.Repeat("}", s.blocks+1)
	declared := map[string]bool{}
	if file, _ := parser.ParseFile(token.NewFileSet(), "", fileHead+declarations, 0); file != nil {
		for name := range file.Scope.Objects {
			declared[name] = true
		}
	}
	values := ""
	if strings.Contains(statements, valueName+"(") {
		values = fmt.Sprintf("// %s takes the value of an expression in the text.\nfunc %[1]s(...any) {}\n", valueName)
	}
	head := func(code string) string {
		return fmt.Sprintf("package page;/*line %s:1:1*/%s", absolute, s.importsFor(code, declared, known))
	}
	files := map[string]string{
		"declarations.go": head(declarations) + declarations + "\n",
		pageFile:          head(statements) + statements + "\n",
		"doc.go":          fmt.Sprintf("// Package page has the cells of %s.\npackage page\n\n%s", s.page.File, values),
		"page_test.go": fmt.Sprintf("package page\n\nimport \"testing\"\n\n// TestPage runs the page in its folder.\n"+
			"func TestPage(t *testing.T) {\n\tt.Chdir(%q)\n\tPage()\n}\n", folder),
		filepath.Base(absolute): string(text),
	}
	names := slices.Collect(maps.Keys(files))
	if err := errors.Join(os.MkdirAll(dir, 0o755), s.page.copyEmbedded(dir, names...)); err != nil {
		return err
	}
	for name, content := range files {
		if err := writeIfNew(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return nil
}

// placed returns the code of a page with each piece at its line and column in the page. The text between the pieces
// does not add lines.
func (s *source) placed(text string) string {
	mark := regexp.MustCompile(regexp.QuoteMeta(ownLine) + `|//line ` + regexp.QuoteMeta(s.page.shownFile()) +
		`:(\d+):(\d+)\n`)
	var out strings.Builder
	marks := mark.FindAllStringSubmatch(text, -1)
	for i, piece := range mark.Split(text, -1) {
		if i == 0 || marks[i-1][1] == "" {
			out.WriteString(between(piece))
			continue
		}
		line, _ := strconv.Atoi(marks[i-1][1])
		column, _ := strconv.Atoi(marks[i-1][2])
		out.WriteString(strings.Repeat("\n", max(0, line-1-strings.Count(out.String(), "\n"))))
		at := out.Len() - strings.LastIndexByte(out.String(), '\n')
		out.WriteString(strings.Repeat(" ", max(0, column-at)) + strings.TrimSuffix(piece, "\n"))
		if !strings.HasSuffix(piece, ",\n") { // only the expression of a value ends with a comma
			out.WriteString(";")
		}
	}
	return out.String()
}

var valueCall = regexp.MustCompile(`^` + sessionName + `\.Value\(\d+\)\($`)

// between returns the text between two pieces on one line, without the parts that are needed only for a run.
func between(text string) string {
	var out strings.Builder
	for code := range strings.SplitSeq(text, "\n") {
		switch {
		case valueCall.MatchString(code):
			out.WriteString(valueName + "(")
		case code == givenAway:
			out.WriteString(code)
		case code == "" || strings.HasPrefix(code, sessionName+"."):
		case code == "{":
			out.WriteString(code)
		default:
			out.WriteString(code + ";")
		}
	}
	return out.String()
}

// importsFor returns those imports of a page that one of its files needs. declared contains the names that the package
// declares.
func (s *source) importsFor(code string, declared map[string]bool, known packages) string {
	file, err1 := parser.ParseFile(token.NewFileSet(), "", s.file("page", known), parser.ImportsOnly)
	own, err2 := parser.ParseFile(token.NewFileSet(), "", fileHead+code, 0)
	if err1 != nil || err2 != nil {
		return "" // the tools report the fault
	}
	wanted := map[string]bool{}
	for _, name := range own.Unresolved {
		if !declared[name.Name] && name.Name != valueName && types.Universe.Lookup(name.Name) == nil {
			wanted[name.Name] = true
		}
	}
	var sure, unsure string
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name, written := known.names[path], ""
		if spec.Name != nil {
			name, written = spec.Name.Name, spec.Name.Name+" "
		}
		line := "import " + written + spec.Path.Value + ";"
		switch {
		case wanted[name], name == "_" && !strings.HasPrefix(code, pageHead):
			delete(wanted, name)
			sure += line
		case name == "", name == ".":
			unsure += line
		}
	}
	if len(wanted) == 0 {
		return sure
	}
	return sure + unsure
}
