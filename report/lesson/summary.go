package lesson

import (
	"regexp"
	"strings"
)

var (
	importsOnly  = regexp.MustCompile(`^\s*import\b`)
	functionName = regexp.MustCompile(`(?m)^func ([A-Za-z_][A-Za-z0-9_]*)\(`)
	commentMarks = map[bool]string{true: "//", false: "#"} // by whether the language is Go
)

// summary says in words what the code of a cell does, as plain text: in the first sentence of the comment that the
// cell begins with, or else by the names of its functions. It is empty for code that says neither.
func summary(source, language string) string {
	lines := strings.Split(strings.TrimSpace(clean(source)), "\n")
	for len(lines) > 0 && (strings.HasPrefix(lines[0], "%") || strings.TrimSpace(lines[0]) == "") {
		lines = lines[1:] // what is said to the kernel
	}
	var words []string
	mark := commentMarks[language == "go"]
	for _, line := range lines {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), mark)
		if !ok {
			break
		}
		words = append(words, strings.Fields(text)...)
	}
	if len(words) > 0 {
		said, _, _ := strings.Cut(strings.Join(words, " "), ". ")
		return strings.TrimRight(said, ".:")
	}
	code := strings.Join(lines, "\n")
	var names []string
	for _, match := range functionName.FindAllStringSubmatch(code, -1) {
		names = append(names, match[1])
	}
	switch last := len(names) - 1; {
	case last > 0:
		return "The functions " + strings.Join(names[:last], ", ") + " and " + names[last]
	case last == 0:
		return "The function " + names[0]
	case importsOnly.MatchString(code):
		return "The packages that the cells use"
	}
	return ""
}
