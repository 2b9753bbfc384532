package repotest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// commentWidth is the width of comments in columns; a tab has four.
const commentWidth = 120

// expectedOutput begins what an example prints: its lines are data.
var expectedOutput = regexp.MustCompile(`^// (?:Unordered output|Output):`)

// checkComments finds comments that have lines of their own and do not end at the width of all.
func checkComments(tree fs.FS) ([]string, error) {
	return inEach(tree, suffix(".go"), func(name string, source []byte) (problems []string, err error) {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(source), "\n")
		for _, group := range parsed.Comments {
			for _, number := range wideLines(set, group, lines) {
				problems = append(problems, fmt.Sprintf("%s:%d: the comment is wider than %d columns: wrap it", name,
					number, commentWidth))
			}
		}
		return problems, nil
	})
}

// wideLines returns the numbers of the lines of a comment that are too wide. Comments behind code, directives, blocks
// of code, and words that are as wide alone do not count.
func wideLines(set *token.FileSet, group *ast.CommentGroup, lines []string) []int {
	var wide []int
	for _, comment := range group.List {
		number := set.Position(comment.Pos()).Line
		line := lines[number-1]
		text := strings.TrimLeft(line, "\t")
		switch {
		case expectedOutput.MatchString(text):
			return wide
		case !strings.HasPrefix(text, "// "), strings.HasPrefix(text, "//      "), len(strings.Fields(text)) <= 2:
			continue
		}
		if columns := utf8.RuneCountInString(text) + 4*(len(line)-len(text)); columns > commentWidth {
			wide = append(wide, number)
		}
	}
	return wide
}

// checkCode finds lines of code that do not end at the width of all. Raw strings are data, and do not count.
func checkCode(tree fs.FS) ([]string, error) {
	return inEach(tree, suffix(".go"), func(name string, source []byte) (problems []string, err error) {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		data := map[int]bool{}
		between := func(from, to token.Pos) {
			for number := set.Position(from).Line; number <= set.Position(to).Line; number++ {
				data[number] = true
			}
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if text, ok := node.(*ast.BasicLit); ok && strings.HasPrefix(text.Value, "`") {
				between(text.Pos(), text.End())
			}
			return true
		})
		for _, group := range parsed.Comments {
			if set.Position(group.Pos()).Column == 1+strings.Count(strings.Split(string(source),
				"\n")[set.Position(group.Pos()).Line-1], "\t") {
				between(group.Pos(), group.End()) // TestCommentWidth looks at these
			}
		}
		for i, line := range strings.Split(string(source), "\n") {
			text := strings.TrimLeft(line, "\t")
			if columns := utf8.RuneCountInString(text) + 4*(len(line)-len(text)); columns > commentWidth && !data[i+1] {
				problems = append(problems, fmt.Sprintf("%s:%d: the line has %d columns, more than %d", name, i+1,
					columns, commentWidth))
			}
		}
		return problems, nil
	})
}

func TestCodeWidth(t *testing.T) {
	problems, err := checkCode(tree(t))
	report(t, problems, err)
}

func TestCodeCheckerFails(t *testing.T) {
	wide := "var a = " + strings.Repeat("1 + ", 30) + "1\n"
	problems, err := checkCode(mapFS("a.go", "package a\n\n"+wide, "b.go", "package a\n\nvar b = `\n"+wide+"`\n",
		"c.go", "package a\n\n// "+wide))
	wantProblems(t, problems, err, "a.go:3: ")
}

func TestCommentWidth(t *testing.T) {
	problems, err := checkComments(tree(t))
	report(t, problems, err)
}

// TestCommentCheckerFails shows which lines are found, and which are not.
func TestCommentCheckerFails(t *testing.T) {
	full := "// " + strings.Repeat("ab ", 39) // 120 columns with what a case adds
	problems, err := checkComments(fstest.MapFS{"a.go": {Data: []byte(strings.Join([]string{
		"package a", "",
		full + "c", // 121
		"func f() {",
		"\t" + full[:115] + " cd", // 4 + 118
		"\t" + full[:113] + " c",  // 4 + 115
		"}", "",
		"//go:generate " + full,
		"//\t" + full,
		"//     - " + full,
		"// " + strings.Repeat("x", 200),
		"var x = 1 " + full, "",
		"// Output:", full + full, "",
	}, "\n"))}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.go:3:", "a.go:5:", "a.go:11:"}
	if len(problems) != len(want) {
		t.Fatalf("found %q, want %q", problems, want)
	}
	for i, place := range want {
		if !strings.HasPrefix(problems[i], place) {
			t.Errorf("found %q, want one at %s", problems[i], place)
		}
	}
}
