package repotest

import (
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
)

// block is a piece of code in the documentation: a fenced block of a Markdown file or an indented one of a package
// comment.
type block struct {
	file string
	line int    // of the first line of text; 0 in a package comment
	lang string // what follows the fence
	text string
}

func (b block) place() string {
	if b.line == 0 {
		return b.file
	}
	return fmt.Sprintf("%s:%d", b.file, b.line)
}

// command is a line after a "$ " prompt and what it prints.
type command struct {
	line string
	want string
}

// commands returns the commands of a block, none if it does not begin with a prompt. A line that ends in a backslash
// goes on in the next.
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

// markdownBlocks returns the fenced blocks of a Markdown file; one in a list item loses the item's indent.
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

// allBlocks returns the blocks of all documentation.
func allBlocks(tree fs.FS) ([]block, error) {
	names, err := files(tree, func(name string) bool {
		return suffix(".md", ".go")(name) && !strings.HasSuffix(name, "_test.go") &&
			!strings.Contains("/"+name, "/testdata/")
	})
	if err != nil {
		return nil, err
	}
	var found []block
	for _, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		read := markdownBlocks
		if strings.HasSuffix(name, ".go") {
			read = commentBlocks
		}
		blocks, err := read(name, text)
		if err != nil {
			return nil, err
		}
		found = append(found, blocks...)
	}
	return found, nil
}

// matches compares what a command printed with what the documentation shows. Blanks at the ends of lines and empty
// lines at the end do not count; a line "..." stands for any number of lines.
func matches(want, got string) bool {
	return matchLines(cleanLines(want), cleanLines(got))
}

func matchLines(want, got []string) bool {
	for i, line := range want {
		if line == "..." {
			for skip := 0; i+skip <= len(got); skip++ {
				if matchLines(want[i+1:], got[i+skip:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) || line != got[i] {
			return false
		}
	}
	return len(want) == len(got)
}

func cleanLines(text string) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimRight(text, " \t\n") + "\n") {
		lines = append(lines, strings.TrimRight(line, " \t\r\n"))
	}
	return lines
}
