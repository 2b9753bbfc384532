package lesson

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/site"
)

// longestDescription is about as much as search results show, in characters.
const longestDescription = 200

// describe gives the page its title and its description, after what the notebook begins with.
func (b *builder) describe() {
	title, paragraph := site.Opening(b.page.Body[1:]) // without our own
	b.page.Title = titleOf(b.options.File)
	if title != "" {
		b.page.Title = unnumbered(title)
	}
	b.page.Description = sentence(paragraph)
	if utf8.RuneCountInString(b.page.Description) > longestDescription {
		words := string([]rune(b.page.Description)[:longestDescription])
		if i := strings.LastIndexByte(words, ' '); i > 0 {
			words = words[:i]
		}
		b.page.Description = words + " …"
	}
}

// shortSentence is a sentence that says too little alone, in bytes.
const shortSentence = 30

var sentenceEnd = regexp.MustCompile(`[.?!] `)

// sentence returns the first sentence of a text. A short one takes the next with it.
func sentence(text string) string {
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		if end[0] >= shortSentence {
			return text[:end[0]+1]
		}
	}
	return text
}

var leadingNumber = regexp.MustCompile(`^[0-9]+[.:)][ \t]+`)

// unnumbered takes the number of the notebook off a title: pages have numbers of their own.
func unnumbered(title string) string {
	return cmp.Or(leadingNumber.ReplaceAllString(title, ""), title)
}

// titleOf makes a title of the name of a file: "01-battle-by-hand.ipynb" is "Battle by hand".
func titleOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(clean(file)), ".ipynb")
	name = strings.TrimLeftFunc(name, func(r rune) bool {
		return unicode.IsDigit(r) || r == '-' || r == '_' ||
			r == ' '
	})
	name = strings.Join(
		strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) }), " ",
	)
	if name == "" {
		return "Notebook"
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

var (
	importsOnly  = regexp.MustCompile(`^\s*import\b`)
	functionName = regexp.MustCompile(`(?m)^func ([A-Za-z_][A-Za-z0-9_]*)\(`)
	commentMarks = map[bool]string{true: "//", false: "#"} // by whether the language is Go
)

// summary says in words what the code of a cell does, as plain text: in the first sentence of the comment that the
// cell begins with, or else by the names of its functions. It is empty for code that says neither.
func summary(source, language string, say site.Words) string {
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
		return say.Say("functions", strings.Join(names[:last], ", "), names[last])
	case last == 0:
		return say.Say("function", names[0])
	case importsOnly.MatchString(code):
		return say.Say("packages")
	}
	return ""
}
