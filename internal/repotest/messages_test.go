package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// authorsFolders lists the folders with code whose messages are for authors of books.
var authorsFolders = []string{
	"cmd/genreport/", "internal/report/press/", "internal/report/folder/", "internal/report/lesson/",
}

// programName matches names that only Go code uses: an exported name after the name of a type or package, or a type in
// an error from package json. Authors know package show, because their cells use it.
var programName = regexp.MustCompile(
	`\b(?:[A-Z]\w*|content|figure|folder|json|jupyter|lesson|report|site|yaml)\.[A-Z]\w*[a-z]|Go (?:value|struct field)`,
)

// checkMessages finds messages for authors that contain such names.
func checkMessages(tree fs.FS) []string {
	ours := func(name string) bool {
		for _, folder := range authorsFolders {
			if strings.HasPrefix(name, folder) {
				return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
			}
		}
		return false
	}
	return inEach(tree, ours, func(name string, source []byte) (problems []string) {
		set := token.NewFileSet()
		parsed := must.Get(parser.ParseFile(set, name, source, parser.SkipObjectResolution))
		ast.Inspect(parsed, func(node ast.Node) bool {
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if found := programName.FindString(text); err == nil && found != "" && strings.Contains(text, " ") {
				problems = append(problems, fmt.Sprintf("%s:%d: %q is no word of an author's: say what it is",
					name, set.Position(literal.Pos()).Line, found))
			}
			return true
		})
		return problems
	})
}

// TestMessages checks that messages for authors use words that authors know.
func TestMessages(t *testing.T) { report(t, checkMessages(tree(t))) }
