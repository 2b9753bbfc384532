package site

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// codeLook describes how a block of code looks, as specified by the words after its language: title="main.go" numbers
// mark="2,4-6".
type codeLook struct {
	title   string
	numbers bool
	marked  map[int]bool // the marked lines, numbered from 1
	notes   map[int]int  // for each line, the number of the list item that explains it
}

var (
	lookRule = regexp.MustCompile(`^(?:(?:title="[^"]*"|numbers|mark="[^"]*")(?:[ \t]+|$))+$`)
	lookPart = regexp.MustCompile(`(title|numbers|mark)(?:="([^"]*)")?`)
	spanRule = regexp.MustCompile(`^([0-9]{1,5})(?:-([0-9]{1,5}))?$`)
)

// readLook parses the words after the language of a block of code. lines is the number of lines in the block. known is
// false if the words are not part of the dialect.
func readLook(words string, lines int) (look codeLook, known bool, fault string) {
	words = strings.TrimSpace(words)
	if !lookRule.MatchString(words) {
		return look, words == "", ""
	}
	look.marked = map[int]bool{}
	for _, m := range lookPart.FindAllStringSubmatch(words, -1) {
		switch m[1] {
		case "title":
			look.title = strings.TrimSpace(html.UnescapeString(m[2]))
		case "numbers":
			look.numbers = true
		case "mark":
			for span := range strings.SplitSeq(m[2], ",") {
				ends := spanRule.FindStringSubmatch(strings.TrimSpace(span))
				if ends == nil {
					return look, true, fmt.Sprintf("%q marks no lines: write line numbers, such as mark=\"2,4-6\"",
						m[2])
				}
				from, _ := strconv.Atoi(ends[1])
				to := from
				if ends[2] != "" {
					to, _ = strconv.Atoi(ends[2])
				}
				if from < 1 || to < from || to > lines {
					return look, true, fmt.Sprintf("mark=%q: the code has lines 1 to %d: mark some of them", m[2],
						lines)
				}
				for n := from; n <= to; n++ {
					look.marked[n] = true
				}
			}
		}
	}
	return look, true, ""
}

// annotation matches a comment at the end of a line of code, such as // <1>.
var annotation = regexp.MustCompile(`[ \t]*(?://|#|--|%|;|/\*|<!--)[ \t]*<([0-9]{1,2})>[ \t]*(?:\*/|-->)?[ \t]*$`)

// annotated removes the marks of annotations, which the numbered list after the code explains, from code. Without such
// a list, there are no annotations. missing is the number of a mark that has no item in the list, or 0.
func annotated(code string, next ast.Node) (bare string, notes map[int]int, missing int) {
	if next != nil && next.Kind() == kindNoted {
		next = next.FirstChild()
	}
	list, ok := next.(*ast.List)
	if !ok || !list.IsOrdered() || list.Start != 1 {
		return code, nil, 0
	}
	notes = map[int]int{}
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		if m := annotation.FindStringSubmatch(line); m != nil {
			notes[i+1], _ = strconv.Atoi(m[1])
			lines[i] = strings.TrimSuffix(line, m[0])
			if notes[i+1] < 1 || notes[i+1] > list.ChildCount() {
				missing = notes[i+1]
			}
		}
	}
	return strings.Join(lines, "\n"), notes, missing
}

// lined wraps each line of code in an element, if the code has line numbers, marked lines or annotations.
func (l codeLook) lined(code string) string {
	if !l.numbers && len(l.marked) == 0 && len(l.notes) == 0 {
		return code
	}
	var out strings.Builder
	n := 0
	for text := range strings.Lines(code) {
		n++
		text, ended := strings.CutSuffix(text, "\n")
		tag := "span"
		if l.marked[n] {
			tag = "mark"
		}
		if note := l.notes[n]; note > 0 {
			text += ` <span class="annotation">` + strconv.Itoa(note) + "</span>"
		}
		out.WriteString("<" + tag + ` class="line">` + text + "</" + tag + ">")
		if ended {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// titled adds the title, if there is one, above a block of code.
func (l codeLook) titled(block string) string {
	if l.title == "" {
		return block
	}
	return `<div class="code-titled">` + "\n" + `<p class="code-title">` + html.EscapeString(l.title) + "</p>\n" + block +
		"</div>\n"
}
