package lesson

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// Runs runs notebooks that are not in a folder of their own, such as the cells of a page.
type Runs struct{ course *course }

// Begin reads the modules whose packages cells import. It does not use the Dir of the course.
func (c Course) Begin() (*Runs, error) {
	b := &course{Course: c}
	return &Runs{b}, b.openModules()
}

// Cells runs a notebook in the folder dir. It returns the cells with their outputs, and whether they were run now. The
// error reports a package that cannot be read, or a fault in a cell. It wraps ErrMissing if the notebook cannot be run
// on this machine.
func (r *Runs) Cells(ctx context.Context, n *jupyter.Notebook, name, dir string) ([]jupyter.Cell, bool, error) {
	run, err := r.course.prepare(ctx, file{file: name, path: name, dir: dir, notebook: n})
	if err != nil {
		return nil, false, err
	}
	did, err := run()
	switch {
	case err != nil || did.executed == nil && did.missing == nil:
		return nil, did.now, err
	case did.missing != nil:
		return nil, false, missing{did.missing}
	}
	cells, err := withOutputs(n, did.executed)
	return cells, did.now, err
}

// Shown is a code cell and specifies how a page shows it.
type Shown struct {
	Cell  jupyter.Cell
	Place content.Place // the place of the first line of its code
	Name  string        // the name of its outputs in references; "" if they have none
	Hide  bool          // the code is left out
}

// Blocks returns the blocks of each cell: its code, unless it is hidden, and its outputs. It numbers the cells from 1.
// words is the field Words of site.Site.
func Blocks(language string, cells []Shown, words site.Words) [][]content.Block {
	b := &builder{language: languageName(language), options: Options{Words: words}, ids: true}
	var all [][]content.Block
	for _, s := range cells {
		b.page.Body, b.place, b.name = nil, s.Place, s.Name
		b.sections = !s.Cell.HasTag(TagHideOutput)
		if s.Hide {
			b.number++
			b.parts, b.figures, b.tables, b.claims = 0, 0, 0, 0
			b.results(s.Cell)
		} else {
			b.code(s.Cell)
		}
		all = append(all, b.page.Body)
	}
	return all
}

// clean returns text in the form that a page requires. Lines end in "\n". Characters that are invalid in text, or that
// package site reserves, become U+FFFD.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case r < ' ', r == 0x7f, r >= 0xE000 && r <= 0xE004, r == 0xFFFE, r == 0xFFFF:
			return '\uFFFD'
		}
		return r
	}, text)
}

// These tags of code cells specify how the page shows the cells. They have no effect in Jupyter, where the reader works
// with the code, and a result appears only when its cell runs.
const (
	// TagShowInput leaves the code of a cell open; the code of other cells is folded.
	TagShowInput = "show-input"
	// TagHideOutput folds the outputs of a cell, because they answer a question that readers should answer first. Other
	// outputs are open.
	TagHideOutput = "hide-output"
)

// foldWords lists the first words of tags that are probably meant to fold or unfold something.
var foldWords = []string{"show", "hide", "open", "close", "fold", "remove", "collapse"}

// Check lists the problems with a notebook's tags for folding: tags that are misspelt or belong to another program,
// tags on cells that are not code, and tags that contradict what is hidden in Jupyter.
func Check(n *jupyter.Notebook) []string {
	var problems []string
	for i, c := range n.Cells() {
		add := func(format string, args ...any) {
			problems = append(problems, c.Name(i)+": "+fmt.Sprintf(format, args...))
		}
		for _, tag := range c.Tags {
			known := tag == TagShowInput || tag == TagHideOutput
			switch {
			case known && c.Kind != jupyter.Code:
				add("the tag %s is only for code cells: remove it", tag)
			case !known && aboutFolding(tag):
				add(
					"the tag %q does nothing: %s unfolds the code on the page, and %s folds the outputs; without "+
						"them, the code is folded and the outputs are not",
					tag, TagShowInput, TagHideOutput,
				)
			}
		}
		if c.HasTag(TagShowInput) && hiddenInJupyter(c) {
			add("the tag %s unfolds the code, but jupyter.source_hidden hides it: remove one of them",
				TagShowInput)
		}
	}
	return problems
}

func aboutFolding(tag string) bool {
	return slices.ContainsFunc(foldWords, func(word string) bool {
		return strings.HasPrefix(strings.ToLower(tag), word)
	})
}

// hiddenInJupyter reports whether somebody has collapsed the code of a cell in JupyterLab.
func hiddenInJupyter(c jupyter.Cell) bool {
	var m struct {
		Jupyter struct {
			SourceHidden bool `json:"source_hidden"`
		} `json:"jupyter"`
	}
	return json.Unmarshal(c.Metadata, &m) == nil && m.Jupyter.SourceHidden
}

// hideFrom folds the blocks of the page from index begin on, if there are any. Readers should guess these results
// before they see them. The text after the blocks may give the fold its title.
func (b *builder) hideFrom(begin int) {
	if hidden := b.page.Body[begin:]; len(hidden) > 0 {
		fold := content.Fold{Title: b.options.Words.Say("see-answer"), Body: slices.Clone(hidden)}
		b.page.Body = append(b.page.Body[:begin:begin], fold)
	}
}

// prose adds text. If the text begins with a folded answer, and the block before it is a fold with results, prose joins
// them into one fold with the title of the answer.
func (b *builder) prose(p content.Prose) {
	if last := len(b.page.Body) - 1; last >= 0 {
		results, folded := b.page.Body[last].(content.Fold)
		title, answer, rest := cutAnswer(p)
		if folded && title != "" {
			results.Title, results.Body = title, append(results.Body, answer)
			b.page.Body[last] = results
			p = rest
		}
	}
	if strings.TrimSpace(string(p.Text)) != "" {
		b.add(p)
	}
}

// answerStart matches the start of a fold whose title is plain text on one line.
var answerStart = regexp.MustCompile(`^<details><summary[^<>]*>([^<>&*_$` + "`" + `\[\]\\]+)</summary>\n`)

const answerEnd = "\n</details>\n"

// cutAnswer cuts a text that begins with a fold into the title of the fold, the text inside it, and the text after it.
// The title is empty if there is no such fold, or if the fold contains another one.
func cutAnswer(p content.Prose) (title string, answer, rest content.Prose) {
	text := string(p.Text) + "\n"
	start := answerStart.FindStringSubmatchIndex(text)
	if start == nil {
		return "", answer, rest
	}
	inside, behind, closed := strings.Cut(text[start[1]:], answerEnd)
	if !closed || strings.Contains(inside, "<details") {
		return "", answer, rest
	}
	part := func(text string, from int) content.Prose {
		q := p
		q.Text = content.Markdown(text)
		q.Place.Line += strings.Count(string(p.Text)[:min(from, len(p.Text))], "\n")
		return q
	}
	return text[start[2]:start[3]], part(inside, start[1]), part(strings.TrimSuffix(behind, "\n"), start[1]+len(inside)+
		len(answerEnd))
}

// longestDescription is roughly the number of characters that search engines show.
const longestDescription = 200

// describe sets the page's title and description, from the beginning of the notebook.
func (b *builder) describe() {
	title, paragraph := site.Opening(b.page.Body[1:]) // skip the opening text, which is not part of the notebook
	b.page.Title = TitleOf(b.options.File)
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

// shortSentence is the length in bytes below which a sentence is too short for a description.
const shortSentence = 30

var sentenceEnd = regexp.MustCompile(`[.?!] `)

// sentence returns the first sentence of a text, and also the next sentence if the first is short.
func sentence(text string) string {
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		if end[0] >= shortSentence {
			return text[:end[0]+1]
		}
	}
	return text
}

var leadingNumber = regexp.MustCompile(`^[0-9]+[.:)][ \t]+`)

// unnumbered removes the notebook's number from a title, because pages have their own numbers.
func unnumbered(title string) string {
	return cmp.Or(leadingNumber.ReplaceAllString(title, ""), title)
}

// Stem returns the name of a page's file without its ending.
func Stem(file string) string {
	switch ending := filepath.Ext(file); strings.ToLower(ending) {
	case ".ipynb", ".md", ".markdown":
		return strings.TrimSuffix(file, ending)
	}
	return file
}

// ByName compares file names in the order that people expect: numbers in names are compared by value, so 2 comes before
// 10.
func ByName(a, b string) int {
	whole := strings.Compare(a, b)
	for a != "" && b != "" {
		x, y := leadingPiece(a), leadingPiece(b)
		a, b = a[len(x):], b[len(y):]
		if isDigit(x[0]) && isDigit(y[0]) {
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Compare(len(x), len(y)); c != 0 {
				return c
			}
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}

// leadingPiece returns the digits at the beginning of text, or its first byte if that is not a digit.
func leadingPiece(text string) string {
	end := 1
	for isDigit(text[0]) && end < len(text) && isDigit(text[end]) {
		end++
	}
	return text[:end]
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// TitleOf returns a title made from a file name: "01-battle-by-hand.ipynb" becomes "Battle by hand".
func TitleOf(file string) string {
	words := strings.FieldsFunc(Stem(filepath.Base(clean(file))), func(r rune) bool {
		return r == '-' || r == '_' || unicode.IsSpace(r)
	})
	for len(words) > 1 && strings.Trim(words[0], "0123456789.") == "" {
		words = words[1:]
	}
	if len(words) == 0 {
		return "Notebook"
	}
	title := strings.Join(words, " ")
	first, size := utf8.DecodeRuneInString(title)
	return string(unicode.ToUpper(first)) + title[size:]
}

var (
	functionName = regexp.MustCompile(`(?m)^func ([A-Za-z_][A-Za-z0-9_]*)\(`)
	directive    = regexp.MustCompile(`^[a-z]+:[a-z]`)     // such as go:embed
	commentMarks = map[bool]string{true: "//", false: "#"} // the comment mark of Go (true) and of other languages
)

// summary returns a plain-text description of a cell's code. This is the first sentence of the comment at the beginning
// of the cell, before or after its imports, and without directives such as //go:embed. If there is no comment, the
// description names the cell's functions, and it is "" if there are none.
func summary(source, language string, say site.Words) string {
	lines := fromCode(strings.Split(strings.TrimSpace(clean(source)), "\n"))
	imports := 0
	if language == "go" {
		imports = importLines(lines)
		lines = fromCode(lines[imports:])
	}
	var words []string
	mark := commentMarks[language == "go"]
	for _, line := range lines {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), mark)
		if !ok {
			break
		}
		if directive.MatchString(text) {
			continue
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
	case len(lines) < imports/2 || imports > 0 && len(lines) == 0:
		return say.Say("packages")
	}
	return ""
}

// fromCode returns the lines of a cell, starting with the first line that is neither empty nor a kernel command.
func fromCode(lines []string) []string {
	for len(lines) > 0 && (strings.HasPrefix(lines[0], "%") || strings.TrimSpace(lines[0]) == "") {
		lines = lines[1:]
	}
	return lines
}

// importLines returns the number of leading lines that import packages.
func importLines(lines []string) int {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", "package p\n"+strings.Join(lines, "\n"), parser.ImportsOnly)
	if err != nil || len(file.Decls) == 0 {
		return 0
	}
	return set.Position(file.Decls[len(file.Decls)-1].End()).Line - 1
}
