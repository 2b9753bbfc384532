package repotest

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/must"
)

// mostColumns is the maximum width of code and comments in columns. A tab counts as four columns.
const mostColumns = 120

// expectedOutput matches the beginning of an example's expected output, whose lines are data.
var expectedOutput = regexp.MustCompile(`^// (?:Unordered output|Output):`)

// checkWidth finds lines that are wider than mostColumns. It ignores raw strings, because they are data. It also
// ignores directives, code blocks in comments, and lines that consist of a single long word.
func checkWidth(tree fs.FS) []string {
	return inEach(tree, suffix(".go"), func(name string, source []byte) (problems []string) {
		set := token.NewFileSet()
		parsed := must.Get(parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution))
		lines, data := strings.Split(string(source), "\n"), map[int]bool{}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if text, ok := node.(*ast.BasicLit); ok && strings.HasPrefix(text.Value, "`") {
				for number := set.Position(text.Pos()).Line; number <= set.Position(text.End()).Line; number++ {
					data[number] = true
				}
			}
			return true
		})
		for _, group := range parsed.Comments {
			output := false
			for _, comment := range group.List {
				number := set.Position(comment.Pos()).Line
				text := strings.TrimLeft(lines[number-1], "\t")
				output = output || expectedOutput.MatchString(text)
				prose := strings.HasPrefix(text, "// ") && !strings.HasPrefix(text, "//      ") &&
					len(strings.Fields(text)) > 2
				data[number] = data[number] || strings.HasPrefix(text, "//") && (output || !prose)
			}
		}
		for i, line := range lines {
			text := strings.TrimLeft(line, "\t")
			if columns := utf8.RuneCountInString(text) + 4*(len(line)-len(text)); columns > mostColumns && !data[i+1] {
				problems = append(problems, fmt.Sprintf("%s:%d: the line has %d columns, more than %d: wrap it", name,
					i+1, columns, mostColumns))
			}
		}
		return problems
	})
}

func TestCodeWidth(t *testing.T) {
	report(t, checkWidth(tree(t)))
}

// arrows holds the rows of the block below the heading "Who imports whom" in ARCHITECTURE.md. A row consists of a
// package pattern, "->", and the packages that it may import. Names with a dot in their first element are modules;
// other names are packages of this module. <game> stands for one path element, which is the same on both sides. A
// trailing "..." stands for any packages below. Tests may import the packages that their package reaches through any
// number of arrows, and the packages in the row "tests". The document itself is the rule, so there is no second list
// that could differ from it.
type arrows struct {
	module string
	rows   []*arrow
	tests  *arrow
}

type arrow struct {
	from    string
	to      []string
	matched bool
	used    map[string]bool
}

// modulePath returns the path in the first line of go.mod.
func modulePath(tree fs.FS) string {
	first, _, _ := strings.Cut(string(must.Get(fs.ReadFile(tree, "go.mod"))), "\n")
	return strings.TrimSpace(strings.TrimPrefix(first, "module "))
}

const arrowsHeading = "## Who imports whom"

func readArrows(tree fs.FS) (*arrows, error) {
	doc := must.Get(fs.ReadFile(tree, "ARCHITECTURE.md"))
	_, rest, ok := strings.Cut(string(doc), arrowsHeading+"\n")
	_, rest, fence := strings.Cut(rest, "\n```text\n")
	block, _, end := strings.Cut(rest, "\n```")
	if !ok || !fence || !end {
		return nil, fmt.Errorf("ARCHITECTURE.md: no ```text block below %q", arrowsHeading)
	}
	a := &arrows{module: modulePath(tree)}
	for line := range strings.Lines(block) {
		from, to, ok := strings.Cut(line, "->")
		row := &arrow{from: strings.TrimSpace(from), used: map[string]bool{}}
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, " ") && !ok && len(a.rows) > 0: // the continuation of a long row
			row, to = a.rows[len(a.rows)-1], line
		case !ok:
			return nil, fmt.Errorf("ARCHITECTURE.md: row %q has no ->", strings.TrimSpace(line))
		default:
			a.rows = append(a.rows, row)
		}
		row.to = append(row.to, strings.FieldsFunc(to, func(r rune) bool { return strings.ContainsRune(", \n", r) })...)
	}
	return a, a.takeTests()
}

// takeTests moves the row of the tests to its own field.
func (a *arrows) takeTests() error {
	i := slices.IndexFunc(a.rows, func(row *arrow) bool { return row.from == "tests" })
	if i < 0 {
		return fmt.Errorf("ARCHITECTURE.md: no row \"tests ->\" below %q", arrowsHeading)
	}
	a.tests = a.rows[i]
	a.rows = slices.Delete(a.rows, i, i+1)
	return nil
}

const placeholder = "<game>"

// row returns the row of a package, and what <game> stands for. A row without <game> takes precedence.
func (a *arrows) row(pkg string) (row *arrow, game string) {
	for _, row := range a.rows {
		if row.from == pkg {
			return row, ""
		}
	}
	for _, row := range a.rows {
		before, after, has := strings.Cut(row.from, placeholder)
		game, begins := strings.CutPrefix(pkg, before)
		game, ends := strings.CutSuffix(game, after)
		if has && begins && ends && game != "" && !strings.Contains(game, "/") {
			return row, game
		}
	}
	return nil, ""
}

// allows reports whether the row allows an import, and records that the import's element was used. Paths in this module
// do not contain the module's path.
func (row *arrow) allows(imported, game string) bool {
	to := row.match(imported, game)
	if to != "" {
		row.used[to] = true
	}
	return to != ""
}

// match returns the element of the row that allows an import, or "".
func (row *arrow) match(imported, game string) string {
	for _, to := range row.to {
		want := strings.ReplaceAll(to, placeholder, game)
		below, open := strings.CutSuffix(want, "...")
		if imported == want || open && strings.HasPrefix(imported+"/", below) ||
			isModule(want) && strings.HasPrefix(imported, want+"/") {
			return to
		}
	}
	return ""
}

// reaches reports whether arrows lead from the row to a package, directly or through other packages. The package's
// tests may import such packages.
func (a *arrows) reaches(row *arrow, pkg, game string) bool {
	if row.match(pkg, game) != "" {
		return true
	}
	return slices.ContainsFunc(row.to, func(to string) bool {
		next, game := a.row(strings.ReplaceAll(to, placeholder, game))
		return next != nil && a.reaches(next, pkg, game)
	})
}

// isModule reports whether a path belongs to another module, not to this module or the standard library.
func isModule(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".")
}

// stale returns the rows that match no package, and the arrows that no import uses.
func (a *arrows) stale() []string {
	var problems []string
	for _, row := range append(slices.Clone(a.rows), a.tests) {
		if !row.matched && row != a.tests {
			problems = append(problems, fmt.Sprintf("ARCHITECTURE.md: there is no package %s: take the row out",
				row.from))
			continue
		}
		for _, to := range row.to {
			if !row.used[to] {
				problems = append(problems, fmt.Sprintf("ARCHITECTURE.md: %s does not import %s: take the arrow out",
					row.from, to))
			}
		}
	}
	return problems
}

// block is a piece of code in the documentation: a fenced block in a Markdown file, or an indented block in a package
// comment.
type block struct {
	file string
	line int    // the line number of the first line of text; 0 in a package comment
	lang string // the word after the fence
	text string
}

func (b block) place() string {
	if b.line == 0 {
		return b.file
	}
	return fmt.Sprintf("%s:%d", b.file, b.line)
}

// command is a command line after a "$ " prompt, and its output.
type command struct {
	line string
	want string
}

// commands returns the commands of a block, or nil if the block does not begin with a prompt. A line that ends in a
// backslash continues on the next line.
func (b block) commands() []command {
	if !strings.HasPrefix(b.text, "$ ") {
		return nil
	}
	var found []command
	open := false
	for line := range strings.Lines(b.text) {
		prompt, isPrompt := strings.CutPrefix(line, "$ ")
		last := len(found) - 1
		switch {
		case isPrompt:
			found = append(found, command{line: prompt})
			open = strings.HasSuffix(prompt, "\\\n")
		case open:
			found[last].line += line
			open = strings.HasSuffix(line, "\\\n")
		default:
			found[last].want += line
		}
	}
	return found
}

// markdownBlocks returns the fenced blocks of a Markdown file. The indentation of list items is removed from the blocks
// in them.
func markdownBlocks(file string, text []byte) ([]block, error) {
	var found []block
	inside, fence, indent := false, "", ""
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		trimmed := strings.TrimSpace(line)
		switch {
		case inside && trimmed == fence:
			inside = false
		case inside:
			found[len(found)-1].text += strings.TrimPrefix(line, indent)
		case strings.HasPrefix(trimmed, "```"):
			inside = true
			indent, _, _ = strings.Cut(line, "`")
			lang := strings.TrimLeft(trimmed, "`")
			fence = strings.TrimSuffix(trimmed, lang)
			found = append(found, block{file: file, line: number + 1, lang: lang})
		}
	}
	if inside {
		return nil, fmt.Errorf("%s: the block at line %d does not end", file, found[len(found)-1].line)
	}
	return found, nil
}

// commentBlocks returns the indented blocks of the package comment of a Go file.
func commentBlocks(file string, source []byte) ([]block, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil || parsed.Doc == nil {
		return nil, err
	}
	var found []block
	for _, part := range new(comment.Parser).Parse(parsed.Doc.Text()).Content {
		if code, ok := part.(*comment.Code); ok {
			found = append(found, block{file: file, text: code.Text})
		}
	}
	return found, nil
}

// allBlocks returns the blocks in all of the documentation.
func allBlocks(tree fs.FS) (found []block) {
	names := files(tree, func(name string) bool {
		return suffix(".md", ".go")(name) && !strings.HasSuffix(name, "_test.go") &&
			!strings.Contains("/"+name, "/testdata/")
	})
	for _, name := range names {
		text := must.Get(fs.ReadFile(tree, name))
		read := markdownBlocks
		if strings.HasSuffix(name, ".go") {
			read = commentBlocks
		}
		found = append(found, must.Get(read(name, text))...)
	}
	return found
}

// anyLines matches the line "..." in a quoted pattern; it stands for any number of lines in the documentation.
var anyLines = regexp.MustCompile(`(?m)^\\\.\\\.\\\.\n`)

// matches compares the output of a command with the documentation. It ignores trailing blanks and trailing empty lines.
// A line "..." stands for any number of lines.
func matches(want, got string) bool {
	pattern := anyLines.ReplaceAllLiteralString(regexp.QuoteMeta(clean(want)), `(?:.*\n)*`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(clean(got))
}

// blanksAtEnd matches trailing blanks in lines.
var blanksAtEnd = regexp.MustCompile(`(?m)[ \t\r]+$`)

func clean(text string) string {
	return strings.TrimRight(blanksAtEnd.ReplaceAllString(text, ""), "\n") + "\n"
}
