package site

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestMessagesNameNoGo checks that no string in this package or in package content names a part of their Go interface,
// because messages are for authors, who do not know the interface.
func TestMessagesNameNoGo(t *testing.T) {
	type literal struct {
		at   token.Position
		text string
	}
	names := map[string]bool{} // the names of packages and of their declarations
	var texts []literal
	set := token.NewFileSet()
	for _, pattern := range []string{"*.go", "../../../report/content/*.go"} {
		for _, name := range must.Get(filepath.Glob(pattern)) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file := must.Get(parser.ParseFile(set, name, nil, 0))
			names[file.Name.Name] = true
			for ident := range file.Scope.Objects {
				names[ident] = true
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ImportSpec:
					names[strings.Trim(n.Path.Value[strings.LastIndexByte(n.Path.Value, '/')+1:], `"`)] = true
					return false
				case *ast.Field:
					return n.Tag == nil
				case *ast.BasicLit:
					if n.Kind == token.STRING {
						texts = append(texts, literal{set.Position(n.Pos()), must.Get(strconv.Unquote(n.Value))})
					}
				}
				return true
			})
		}
	}
	if len(texts) < 500 {
		t.Fatalf("%d texts", len(texts))
	}
	for _, l := range texts {
		ends := func(r rune) bool { return strings.ContainsRune(" ,:;()\"'`", r) }
		for word := range strings.FieldsFuncSeq(l.text, ends) {
			before, after, dotted := strings.Cut(strings.TrimLeft(word, "*&"), ".")
			if dotted && names[before] && ast.IsExported(after) {
				t.Errorf("%s: %q names %s", l.at, l.text, word)
			}
		}
	}
}
