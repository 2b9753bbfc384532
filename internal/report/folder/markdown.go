package folder

import (
	"cmp"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"html"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/citations"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// cell is a ```go run block of a page.
type cell struct {
	line int // the first line of its code
	code string
	// written is the code in the file. In the field code, parameters have the values that were set.
	written string
	name    string // the name of its outputs; "" if they have none
	how     string // howShow, howFold, howHide or howAnswer
	// parameters means that the cell declares parameters, whose values can be set from outside.
	parameters bool
}

// value is `go: expression` in text, or \go{expression} in a formula.
type value struct {
	line, column int // where the expression begins
	expression   string
	after        int // number of cells before it
	formula      bool
}

// One of these words after "run" specifies how to show the code of a cell.
const (
	howShow   = "show"
	howFold   = "fold"
	howHide   = "hide"
	howAnswer = "answer"
)

// These are the limits of a page.
const (
	mostHeadings = 2000
	mostCells    = 500 // cells and values together
	mostNested   = 100
	mostFormulas = 5000
	mostExplored = 100 // explorables and exercises together
)

// reader translates the author's Markdown into the dialect of package site, line by line, so that lines keep their
// numbers.
type reader struct {
	f          *Folder
	p          *page
	rel        string   // the file being read: the page's own, or an included file
	around     []string // this file, and the files that include it
	line       int
	math       bool // inside a displayed formula
	bracket    bool // after \[, which may begin a formula
	comment    bool // inside a comment
	commentEnd int  // the last line with the end of a comment
	headings   int
	formulas   int
	explored   int
	notes      [][2]string // names and texts of the citations' footnotes, in the order of first use
	apart      bool        // the text is a heading or a caption, which has no margin
	out        []string
}

// fence is the beginning of a fenced block.
var fence = regexp.MustCompile("^((?:[ \t>]|(?:[-*+]|[0-9]{1,9}[.)])[ \t])*)(`{3,}|~{3,})[ \t]*([^`]*)$")

// readMarkdown reads the text of a page.
func (f *Folder) readMarkdown(p *page, text string) {
	made, err := site.ReadLoose(p.made.Slug, p.made.File, text)
	var faults site.Errors
	if errors.As(err, &faults) { // ReadText returned the text in spite of the faults
		f.faults = append(f.faults, faults...)
	}
	made.Title, made.Part = strings.TrimSpace(made.Title), strings.TrimSpace(made.Part)
	if made.Title == "" {
		made.Title = p.made.Title
	}
	if made.Part == "" || made.Part == p.part {
		made.Part, made.Group = p.part, p.group
	}
	made.Values, made.Assets, made.Blocks = map[string]any{}, map[string][]byte{}, map[string][]content.Block{}
	if p.made = made; err != nil && made.Source == "" {
		p.made.Unavailable = []string{site.Anything} // any name may be defined in the text, which is unknown
	}
	r := &reader{f: f, p: p, rel: p.rel, around: []string{p.rel}}
	r.read(strings.ReplaceAll(made.Source, "\r\n", "\n"))
	p.made.Source = p.withIncluded(f, r.out)
	if len(p.cells) == 0 {
		for _, l := range p.linked { // no cell can offer the file
			f.fault(p.rel, l.line, l.column, noFile, l.name)
		}
	}
}

func (r *reader) fault(column int, format string, args ...any) {
	r.f.fault(r.rel, r.line, column, format, args...)
}

// require panics with a fault in the current line unless a condition holds.
func (r *reader) require(holds bool, column int, format string, args ...any) {
	r.f.require(holds, place{r.rel, r.line, column}, format, args...)
}

// shown returns the result of piece. If piece panics with a fault, shown records the fault and returns otherwise.
func (r *reader) shown(piece func() string, otherwise string) string {
	r.f.succeeds(func() { otherwise = piece() })
	return otherwise
}

func (r *reader) read(source string) {
	r.lines(strings.Split(source, "\n"))
	for _, note := range r.notes {
		r.out = append(r.out, "", "[^"+note[0]+"]: "+escaped(note[1]))
	}
}

func (r *reader) lines(lines []string) {
	for i, line := range lines {
		if strings.Contains(line, "-->") {
			r.commentEnd = i + 1
		}
	}
	for i := 0; i < len(lines); i++ {
		r.line = i + 1
		indent, mark, words, end := fenceAt(lines, i)
		if mark == "" || r.math || r.comment {
			r.out = append(r.out, r.text(lines[i]))
			continue
		}
		if isCell(words) {
			if end == len(lines) {
				r.fault(len(indent)+1, "the cell is not closed: add a line %s after it", mark)
			}
			if r.f.succeeds(func() { r.noGo(1) }) {
				r.cell(indent, words[2:], lines[i+1:end])
			} else {
				r.out = append(r.out, "")
			}
			r.out = append(r.out, make([]string, min(end+1, len(lines))-i-1)...)
		} else {
			isFormula := len(words) == 1 && words[0] == "math"
			for k, inside := range lines[i:min(end+1, len(lines))] {
				if r.line = i + 1 + k; isFormula {
					r.out = append(r.out, r.formula(inside, 0))
				} else {
					r.out = append(r.out, escaped(inside))
				}
			}
		}
		i = end
	}
}

// noGo panics with a fault if the reader reads an included file, because Go is only allowed in the page itself.
func (r *reader) noGo(column int) {
	r.require(r.rel == r.p.rel, column, "an included file cannot contain Go: move the Go to the page %s", r.p.rel)
}

// fenceAt reads the fenced block that begins in a line. It returns the text before the opening mark, the mark, the
// words after it, and the index of the line that closes the block, or len(lines) if no line does. If no block begins
// there, the mark is empty.
func fenceAt(lines []string, i int) (indent, mark string, words []string, end int) {
	if !strings.Contains(lines[i], "```") && !strings.Contains(lines[i], "~~~") {
		return "", "", nil, i
	}
	m := fence.FindStringSubmatch(strings.TrimRight(lines[i], "\r\n"))
	if m == nil {
		return "", "", nil, i
	}
	for end = i + 1; end < len(lines) && !Closes(lines[end], m[2]); {
		end++
	}
	return m[1], m[2], strings.Fields(m[3]), end
}

// isCell reports whether the words after the mark of a fenced block make it a cell.
func isCell(words []string) bool { return len(words) > 1 && words[0] == "go" && words[1] == "run" }

// Closes reports whether a line closes a fenced block that began with a mark.
func Closes(line, mark string) bool {
	text := strings.TrimSpace(strings.TrimLeft(line, "> \t"))
	return len(text) >= len(mark) && strings.Trim(text, mark[:1]) == ""
}

// escaped escapes each {{ in a text, so that it does not call a function.
func escaped(text string) string { return strings.ReplaceAll(text, "{{", `{{"{{"}}`) }

// cell records a cell, and writes the call that places its outputs.
func (r *reader) cell(indent string, words, code []string) {
	c := cell{line: r.line + 1, code: strings.Join(code, "\n"), how: howFold}
	c.written = c.code
	for _, word := range words {
		name, named := strings.CutPrefix(word, "{#")
		name, closed := strings.CutSuffix(name, "}")
		switch {
		case slices.Contains([]string{howShow, howFold, howHide, howAnswer}, word):
			c.how = word
		case word == jupyter.TagParameters:
			c.parameters = true
		case named && closed && content.ValidID(name):
			c.name = name
		default:
			r.fault(len(indent)+1, "%q after \"go run\": use show, fold, hide, answer, parameters, or a name of "+
				"lower-case letters, digits and hyphens as in {#name}", word)
		}
	}
	if indent != "" {
		r.fault(len(indent)+1, "a cell cannot be in a list or a quotation: move it to the beginning of the line")
	}
	if len(r.p.cells) == mostCells {
		r.fault(len(indent)+1, "the page has more than %d cells: split it", mostCells)
	}
	if len(r.p.cells) < mostCells {
		r.p.cells = append(r.p.cells, c)
		r.out = append(r.out, fmt.Sprintf("{{ blocks %q }}", cellName(len(r.p.cells))))
	} else {
		r.out = append(r.out, "")
	}
}

func cellName(number int) string   { return "cell-" + strconv.Itoa(number) }
func valuesName(number int) string { return "values-" + strconv.Itoa(number) }

// quoted matches a quoted argument of a call.
const quoted = "\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`"

var (
	heading = regexp.MustCompile(`^ {0,3}(#{1,6}([ \t]|$)|=+[ \t]*$|-+[ \t]*$)`)
	call    = regexp.MustCompile(`^\{\{-?[ \t]*([A-Za-z.]+)((?:[ \t]+(?:` + quoted + `))*)[ \t]*-?\}\}(?:\{([^{}]*)\})?`)
	word    = regexp.MustCompile(quoted)
	target  = regexp.MustCompile(`^\]\((<[^<>]*>|[^ ()]*(?:\([^ ()]*\)[^ ()]*)*)`)
	cite    = regexp.MustCompile(`^\[([^\[\]]*@[^\[\]]*)\]`)
	named   = regexp.MustCompile(`^@([\pL\pN_](?:[\pL\pN_:.#$%&+?<>~/-]*[\pL\pN_])?)`)
	source  = regexp.MustCompile(`^<img\s[^<>]*?src=("[^"<>]*"|'[^'<>]*')`)
	// ownFigure matches an image on a line of its own, with a caption or a name.
	ownFigure = regexp.MustCompile(`^!\[([^\]]*)\]\(([^ ()]+)(?:[ \t]+"([^"]*)")?\)` +
		`(?:\{(?:#([^}\s]*))?[ \t]*(?:width="?([^}"\s]*)"?)?\})?[ \t]*$`)
)

// isHeading reports whether a line is a heading, or marks the line before it as a heading.
func isHeading(line string) bool {
	start := strings.TrimLeft(line, " ")
	return start != "" && strings.IndexByte("#=-", start[0]) >= 0 && heading.MatchString(line)
}

// text translates a line into the dialect of package site.
func (r *reader) text(line string) string {
	if strings.TrimSpace(line) == "" {
		r.bracket = false
	}
	titled := isHeading(line) && !r.comment
	if titled {
		if r.headings++; r.headings == mostHeadings+1 {
			r.fault(1, "the page has more than %d headings: split it", mostHeadings)
		}
		if r.headings > mostHeadings {
			return ""
		}
		line = r.word(line)
	}
	nested := len(line) - len(strings.TrimLeft(line, "> \t*+-"))
	if nested > mostNested && strings.Trim(line, "-* \t") != "" {
		r.fault(1, "the line begins with %d blanks and marks of lists or quotations: remove some", nested)
		return ""
	}
	if strings.HasPrefix(line, "![") && !r.math && !r.comment {
		if m := ownFigure.FindStringSubmatch(line); m != nil && m[3]+m[4] != "" {
			return r.shown(func() string { return r.figure(m[1], m[2], m[3], m[4], m[5]) }, "")
		}
	}
	captioned := strings.HasPrefix(line, "Table: ") || strings.HasPrefix(line, "Figure: ")
	r.apart = titled || captioned && !r.comment
	var out strings.Builder
	for at := 0; at < len(line); {
		rest := line[at:]
		shown, length := r.piece(line, rest, at)
		if length == 0 {
			shown, length = rest[:1], 1
		}
		out.WriteString(shown)
		at += length
	}
	return out.String()
}

// piece translates the markup at the start of rest, which is line[at:]. length is 0 if no markup begins there.
func (r *reader) piece(line, rest string, at int) (shown string, length int) {
	if plain := strings.IndexAny(rest, "<$\\`{!][@"); plain != 0 && !r.comment && !r.math {
		if plain < 0 {
			plain = len(rest)
		}
		return rest[:plain], plain
	}
	switch {
	case r.comment:
		before, _, ends := strings.Cut(rest, "-->")
		if r.comment = !ends; ends {
			before += "-->"
		}
		return escaped(before), len(before)
	case strings.HasPrefix(rest, "<!--") && (strings.Contains(rest, "-->") || r.line < r.commentEnd):
		r.comment = true
		return "<!--", len("<!--")
	case strings.HasPrefix(rest, "$$"):
		if r.math = !r.math; r.math {
			r.countFormula(at)
		}
		return "$$", 2
	case r.math:
		end := strings.Index(rest, "$$")
		if end < 0 {
			end = len(rest)
		}
		return r.formula(rest[:end], at), end
	case strings.HasPrefix(rest, `\(`) && strings.Contains(rest, `\)`):
		end := strings.Index(rest, `\)`)
		return `\(` + r.formula(rest[2:end], at+2) + `\)`, end + 2
	case strings.HasPrefix(rest, `\[`), strings.HasPrefix(rest, `\]`):
		r.bracket = rest[1] == '['
		return rest[:2], 2
	case strings.HasPrefix(rest, goCommand):
		inside, closed := upToBrace(rest[len(goCommand):])
		if !r.bracket && closed {
			r.fault(at+1, "%s%s} is outside a formula: write `go: %s`", goCommand, inside, inside)
		}
		length = min(len(goCommand)+len(inside)+len("}"), len(rest))
		return r.formula(rest[:length], at), length
	case rest[0] == '\\' && len(rest) > 1:
		return rest[:2], 2
	case rest[0] == '`':
		mark := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
		inside, closed := CodeSpan(rest[len(mark):], mark)
		if !closed {
			return mark, len(mark)
		}
		length = len(inside) + 2*len(mark)
		if expression, ok := strings.CutPrefix(strings.TrimSpace(inside), "go:"); ok {
			bare := strings.TrimLeft(expression, " \t")
			column := at + len(mark) + strings.Index(inside, "go:") + len("go:") + 1 + len(expression) - len(bare)
			return r.shown(func() string { return r.value(strings.TrimSpace(bare), column, false) }, ""), length
		}
		return escaped(rest[:length]), length
	case rest[0] == '$':
		if end := strings.IndexByte(rest[1:], '$'); end > 0 && rest[1] != ' ' {
			if r.countFormula(at); r.formulas > mostFormulas {
				return "", end + 2
			}
			return "$" + r.formula(rest[1:end+1], at+1) + "$", end + 2
		}
	case strings.HasPrefix(rest, "{{"):
		m := call.FindStringSubmatch(rest)
		if m == nil {
			r.fault(at+1, "\"{{\" must begin a call, such as {{ ref \"fig:map\" }}: correct the call, or write the "+
				"braces in backquotes")
			return "", 2
		}
		alone := strings.TrimSpace(strings.TrimLeft(line, "> \t")) == m[0]
		return r.shown(func() string { return r.call(m, alone, at+1) }, ""), len(m[0])
	case strings.HasPrefix(rest, "![]("):
		dest, _, _ := strings.Cut(rest[len("![]("):], ")")
		r.fault(at+1, "the picture has no alternative text: write ![what it shows](%s)", dest)
		return "![picture", len("![")
	case strings.HasPrefix(rest, "<img"):
		if m := source.FindStringSubmatchIndex(rest); m != nil {
			src := html.UnescapeString(rest[m[2]+1 : m[3]-1])
			return rest[:m[2]+1] + r.inlined(src, at+m[2]+2) + rest[m[3]-1:m[3]], m[3]
		}
	case strings.HasPrefix(rest, "]("):
		if m := target.FindStringSubmatch(rest); m != nil {
			dest := strings.Trim(m[1], "<>")
			if isImage(line[:at]) {
				return "](" + r.inlined(dest, at+3), len(m[0])
			}
			return "](" + r.shown(func() string { return r.link(dest, at+3) }, "#top"), len(m[0])
		}
	case rest[0] == '[':
		if m := cite.FindStringSubmatch(rest); m != nil && !strings.HasPrefix(rest[len(m[0]):], "(") {
			cites := citations.Parse(m[1])
			r.p.outside = r.p.outside || cites != nil
			if cites != nil && !r.foreign(cites) {
				return r.shown(func() string { return r.cite(cites, at+2) }, ""), len(m[0])
			}
		}
	case rest[0] == '@' && (at == 0 || strings.ContainsRune(" \t(\"", rune(line[at-1]))):
		m := named.FindStringSubmatch(rest)
		r.p.outside = r.p.outside || m != nil
		if m != nil && r.f.works.Has(m[1]) {
			return r.name(m[1]), len(m[0])
		}
	}
	return "", 0
}

// goCommand introduces a Go expression in a formula.
const goCommand = `\go{`

// formula translates a piece of a formula. It replaces each \go{expression} by the expression's value.
func (r *reader) formula(text string, at int) string {
	var out strings.Builder
	for from := 0; ; {
		next := strings.IndexByte(text[from:], '\\')
		if next < 0 {
			return out.String() + escaped(text[from:])
		}
		out.WriteString(escaped(text[from : from+next]))
		from += next
		if !strings.HasPrefix(text[from:], goCommand) {
			length := min(2, len(text)-from) // also skips \\
			out.WriteString(text[from : from+length])
			from += length
			continue
		}
		begin := from + len(goCommand)
		inside, closed := upToBrace(text[begin:])
		if !closed {
			r.fault(at+from+1, "\\go{ is not closed on the same line: close it with }")
			return out.String()
		}
		bare := strings.TrimLeft(inside, " \t")
		column := at + begin + len(inside) - len(bare) + 1
		if before, is := strings.CutSuffix(out.String(), "{"); is { // {{{ would not begin a call
			out.Reset()
			out.WriteString(before + `{{"{"}}`)
		}
		out.WriteString(r.shown(func() string { return r.value(strings.TrimSpace(bare), column, true) }, ""))
		from = begin + len(inside) + len("}")
	}
}

// upToBrace returns the Go code in text up to the brace that closes the \go{ before text.
func upToBrace(text string) (inside string, closed bool) {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	for depth := 0; ; {
		switch pos, what, _ := s.Scan(); what {
		case token.EOF:
			return "", false
		case token.LBRACE:
			depth++
		case token.RBRACE:
			if depth--; depth < 0 {
				return text[:file.Offset(pos)], true
			}
		}
	}
}

func (r *reader) countFormula(at int) {
	if r.formulas++; r.formulas == mostFormulas+1 {
		r.fault(at+1, "the page has more than %d formulas: split it", mostFormulas)
	}
}

// CodeSpan returns the part of text before the mark that closes a code span: a run of backquotes as long as the opening
// mark.
func CodeSpan(text, mark string) (inside string, closed bool) {
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return "", false
		}
		at += next
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if run == len(mark) {
			return text[:at], true
		}
		at += run
	}
}

// isImage reports whether the closing bracket at the end of text belongs to an image.
func isImage(text string) bool {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch {
		case text[i] == ']':
			depth++
		case text[i] == '[' && depth > 0:
			depth--
		case text[i] == '[':
			return i > 0 && text[i-1] == '!'
		}
	}
	return false
}

// value records an expression.
func (r *reader) value(expression string, column int, formula bool) string {
	r.noGo(column)
	if _, err := parser.ParseExpr(expression); err != nil {
		_, why, _ := strings.Cut(err.Error(), ": ")
		r.require(false, column, "%q is not a Go expression: %s: correct it", expression, why)
	}
	r.require(len(r.p.values) < mostCells, column, "the page has more than %d values: split it", mostCells)
	r.p.values = append(r.p.values, value{r.line, column, expression, len(r.p.cells), formula})
	return fmt.Sprintf("{{ .Value %q }}", valuesName(len(r.p.values)))
}

// call translates the call of a function. alone reports whether the call is the only text on its line.
func (r *reader) call(m []string, alone bool, column int) string {
	var args []string
	for _, quoted := range word.FindAllString(m[2], -1) {
		text, err := strconv.Unquote(quoted)
		r.require(err == nil, column, "%s contains an invalid escape: write \\\\ for a backslash", quoted)
		args = append(args, text)
	}
	r.p.outside = r.p.outside || !slices.Contains([]string{"ref", "picture", "only", "end"}, m[1])
	switch name := m[1]; {
	case name == "ref" && (len(args) == 1 || len(args) == 2), name == "picture" && len(args) == 2:
		return m[0]
	case name == "contents" && len(args) == 0:
		r.require(alone, column, "{{ contents }} shares a line with other text: put it on a line of its own")
		return m[0]
	case name == "part" && len(args) == 2:
		return fmt.Sprintf("{{ part %q %q }}", args[0], args[1])
	case name == "link" && len(args) > 0:
		for i, file := range args {
			args[i] = strconv.Quote(cmp.Or(r.f.slugOf(path.Join(path.Dir(r.p.rel), file)), file))
		}
		return "{{ link " + strings.Join(args, " ") + " }}"
	case name == "var" && len(args) == 1:
		text, known := r.f.variables[args[0]]
		r.require(known || r.f.unsettled, column, "there is no variable %q; %s: define it in %s, or correct its name",
			args[0], site.Among("closest names:", args[0], slices.Sorted(maps.Keys(r.f.variables))), configFile)
		return escaped(text)
	case name == "only" && len(args) == 1, name == "end" && len(args) == 0:
		r.require(alone, column, "{{ %s }} shares a line with other text: put it on a line of its own", name)
		return fmt.Sprintf("{{ only %q }}", strings.Join(args, ""))
	case name == "explore" && (len(args) == 2 || len(args) == 3):
		r.require(alone, column, "{{ explore }} shares a line with other text: put it on a line of its own")
		return r.explore(column, r.attributes(m[3], column).name, append(args, ""))
	case name == "table" && len(args) == 2 && isData(args[0]):
		r.require(alone, column, "{{ table }} shares a line with other text: put it on a line of its own")
		caption := r.caption(args[1], column+strings.LastIndex(m[0], args[1]))
		return r.dataTable(args[0], caption, r.attributes(m[3], column, "columns", "text", "digits", "rows"), column)
	case name == "include" && len(args) == 1:
		r.require(alone, column, "{{ include }} shares a line with other text: put it on a line of its own")
		return r.include(args[0], r.attributes(m[3], column, "lines"), column)
	case (name == "figure" || name == "table" || name == "entries") && (len(args) == 1 || len(args) == 2):
		r.require(alone, column, "{{ %s }} shares a line with other text: put it on a line of its own", name)
		r.require(m[3] == "", column, "{%s}: the cell that shows the %s must have the name: leave the braces out", m[3],
			name)
		caption := ""
		if len(args) == 2 {
			caption = r.caption(args[1], column+strings.LastIndex(m[0], args[1]))
		}
		return r.placeOutput(name, args[0], caption, column)
	}
	r.require(false, column, "{{ %s }} with %d arguments is not a call that a page can contain: use {{ ref "+
		"\"fig:name\" }}, {{ picture \"fig:name\" \"text\" }}, {{ figure \"name\" \"caption\" }}, {{ table \"name\" "+
		"\"caption\" }}, {{ entries \"name\" \"caption\" }}, {{ table \"data.csv\" \"caption\" }}, {{ var \"name\" "+
		"}}, {{ only \"paper\" }}, {{ include \"file\" }}, {{ contents }}, {{ link \"page\" }}, {{ part \"title\" "+
		"\"text\" }} and {{ explore \"name\" \"n=40&x=24\" \"caption\" }}", m[1], len(args))
	return ""
}

// placed is the place in the text of a cell's figure, table or list of entries.
type placed struct {
	kind, name   string
	caption      string // an argument of a call; "" means the title
	line, column int
}

// linked describes a link to a file that a cell may offer.
type linked struct {
	name         string
	line, column int
}

// fileLink returns the provisional address of the link to a cell's file with the given number.
func fileLink(number int) string { return "#offered-file-" + strconv.Itoa(number) }

// inCall matches a call in package site's dialect.
var inCall = regexp.MustCompile(`\{\{ *(.*?) *\}\}`)

// caption translates a caption that begins at the given column into an argument of a call.
func (r *reader) caption(text string, column int) string {
	r.apart = true // a caption has no margin for notes
	defer func() { r.apart = false }()
	begin := max(column-1, 0)
	line := strings.Repeat(" ", begin) + text // so that columns are counted from the start of the page's line
	var out strings.Builder
	for at := begin; at < len(line); {
		shown, length := r.piece(line, line[at:], at)
		if length == 0 {
			shown, length = line[at:at+1], 1
		}
		out.WriteString(shown)
		at += length
	}
	read, argument := out.String(), "(print"
	from := 0
	for _, m := range inCall.FindAllStringSubmatchIndex(read, -1) {
		argument += fmt.Sprintf(" %q (%s)", read[from:m[0]], read[m[2]:m[3]])
		from = m[1]
	}
	return argument + fmt.Sprintf(" %q)", read[from:])
}

// placeOutput records the place of a figure, table or list that a cell shows under the given name.
func (r *reader) placeOutput(kind, name, caption string, column int) string {
	r.noGo(column)
	for _, other := range r.p.placed {
		r.require(other.kind != kind || other.name != name, column, "the %s %q is already placed in line %d: refer "+
			"to it with {{ ref %q }}", kind, name, other.line,
			map[string]string{"figure": "fig:", "table": "tbl:", "entries": "entries:"}[kind]+name)
	}
	r.require(content.ValidID(name), column, "%q: a name may contain only lower-case letters, digits and single "+
		"hyphens", name)
	r.p.placed = append(r.p.placed, placed{kind, name, caption, r.line, column})
	return placeCall(len(r.p.placed))
}

func placeName(number int) string { return site.PlacedBlocks + strconv.Itoa(number) }
func placeCall(number int) string { return fmt.Sprintf("{{ blocks %q }}", placeName(number)) }

// explore places an explorable or an exercise of the library on the page.
func (r *reader) explore(column int, id string, args []string) string {
	name, settings, caption := args[0], args[1], args[2]
	if r.explored++; r.explored > mostExplored {
		if r.explored == mostExplored+1 {
			r.fault(column, "the page has more than %d explorables: split it", mostExplored)
		}
		return ""
	}
	all := r.f.explorables.Pictures()
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	at := slices.Index(names, name)
	r.require(len(names) > 0, column, "there is no explorable %q: this book has none", name)
	r.require(at >= 0, column, "there is no explorable %q: choose one of %s", name, strings.Join(names, ", "))
	start, err := pictures.ParseSettings(settings)
	if e := all[at].Exercise; e != nil {
		r.require(err == nil, column, "the exercise %q: %v", e.Name, err)
		return r.pose(column, *e, start, id, caption)
	}
	r.require(err == nil, column, "the explorable %q: %v", name, err)
	figure, err := all[at].Figure(start...)
	r.require(err == nil, column, "the explorable %q: %v", name, err)
	return r.place(figure, cmp.Or(id, r.free(name)), r.captioned(caption, column))
}

// pose places an exercise of the library on the page, with the given number or, if it is empty, the next number.
func (r *reader) pose(column int, e pictures.Exercise, start []content.Setting, id, number string) string {
	posed, err := e.Content(start...)
	r.require(err == nil, column, "the exercise %q: %v", e.Name, err)
	count := len(r.p.made.Exercises) + 1
	if posed.ID = cmp.Or(id, e.Name+"-"+strconv.Itoa(count)); number == "" {
		number = strconv.Itoa(count)
	}
	r.p.made.Exercises = append(r.p.made.Exercises, *posed)
	return fmt.Sprintf("{{ exercise %q %q }}", posed.ID, number)
}

// free returns an unused name for a figure: the given name, with a number appended if it is taken.
func (r *reader) free(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(r.p.made.Figures, func(f content.Figure) bool { return f.ID == name })
	}
	free := name
	for i := 2; taken(free); i++ {
		free = name + "-" + strconv.Itoa(i)
	}
	return free
}

// place adds a figure to the page. Without a caption, the title serves as the caption.
func (r *reader) place(f content.Figure, name, caption string) string {
	f.ID = name
	r.p.made.Figures = append(r.p.made.Figures, f)
	if strings.TrimSpace(caption) == "" {
		caption = site.Escape(f.Title)
	}
	return fmt.Sprintf("{{ figure %q %q }}", name, caption)
}

// figure places a picture that the author provides as a file.
func (r *reader) figure(alt, dest, caption, name, width string) string {
	column := strings.Index("!["+alt+"]("+dest, dest) + 1
	worded := strings.TrimSpace(alt) != ""
	r.require(worded, 1, "the picture %q has no alternative text: write ![what it shows](%s)", dest, dest)
	valid := name == "" || content.ValidID(name)
	r.require(valid, column, "{#%s}: a name may contain only lower-case letters, digits and single hyphens", name)
	picture := r.image(dest, column)
	if dest = r.named(dest); name == "" {
		name = r.free(cmp.Or(site.Slug(strings.TrimSuffix(path.Base(dest), path.Ext(dest))), "figure"))
	}
	if caption = r.captioned(caption, 1); caption == "" {
		caption = site.Escape(alt)
	}
	figure := *picture.Figure(alt, alt)
	if width != "" {
		figure.Width, figure.Height, figure.Sized = site.Size(width, figure.Width, figure.Height)
		r.require(figure.Sized, column,
			"width=%s: write a number of pixels, or a percentage of the text's width such as 50%%",
			width)
	}
	return r.place(figure, name, caption)
}

// media maps the endings of picture files to media types.
var media = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml",
}

// image reads a picture in the folder. dest is its path from the page.
func (r *reader) image(dest string, column int) *sanitize.Picture {
	r.p.outside = true
	inside := !strings.Contains(dest, ":")
	dest = r.named(dest)
	r.require(inside, column, "the picture %q is not in the folder: copy it there, because a book must work without "+
		"a network", dest)
	kind, ok := media[strings.ToLower(path.Ext(dest))]
	r.require(ok, column, "the picture %q: a page can only show .png, .jpg, .gif and .svg files: convert it", dest)
	picture, err := sanitize.NewPicture(kind, r.readBeside(dest, column))
	r.require(err == nil, column, "the picture %q: %v", dest, err)
	return picture
}

// named returns the file name that an address stands for. The address may contain escapes such as %20.
func (r *reader) named(address string) string {
	name, err := url.PathUnescape(address)
	if name == address {
		return name
	}
	r.p.outside = true
	if _, there := fs.Stat(r.f.files, path.Join(path.Dir(r.p.rel), address)); there == nil || err != nil {
		return address
	}
	return name
}

// readBeside reads a file in the folder. file is its path from the page.
func (r *reader) readBeside(file string, column int) []byte {
	return r.f.read(path.Join(path.Dir(r.p.rel), file), mostFile, place{r.rel, r.line, column})
}

// picture adds a picture in the folder to the files of the page, and returns its name there.
func (r *reader) picture(dest string, column int) string {
	picture := r.image(dest, column)
	return r.asset(r.named(dest), "."+picture.Kind, picture.Data)
}

// offered lists the endings of the files, apart from pictures, that a page may offer for download.
var offered = []string{".csv", ".tsv", ".json", ".txt", ".pdf", ".zip", ".go"}

// inlined returns the address of an image. If the image has a fault, it is replaced by an empty picture.
func (r *reader) inlined(dest string, column int) string {
	const empty = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`
	if name := r.shown(func() string { return r.picture(dest, column) }, ""); name != "" {
		return name
	}
	return r.asset("missing.svg", ".svg", []byte(empty))
}

// link returns the address of the target of a link.
func (r *reader) link(dest string, column int) string {
	file, anchor, anchored := strings.Cut(dest, "#")
	if file == "" || strings.Contains(dest, ":") || path.Ext(file) == ".html" {
		return dest // the site resolves it
	}
	file = r.named(file)
	rel := path.Join(path.Dir(r.p.rel), file)
	if slug := r.f.slugOf(rel); slug != "" {
		if anchored {
			anchor = "#" + anchor
		}
		return slug + ".html" + anchor
	}
	r.p.outside = true
	ext := strings.ToLower(path.Ext(file))
	if _, picture := media[ext]; picture {
		return r.picture(file, column)
	}
	if _, err := fs.Stat(r.f.files, rel); errors.Is(err, fs.ErrNotExist) && site.ValidAsset(file) &&
		slices.Contains(offered, ext) {
		r.p.linked = append(r.p.linked, linked{file, r.line, column})
		return fileLink(len(r.p.linked))
	}
	r.require(slices.Contains(offered, ext), column, "the link to %q leads nowhere: link to a page in the folder, a "+
		"picture, or a file that ends in %s", dest, strings.Join(offered, ", "))
	return r.asset(file, ext, r.readBeside(file, column))
}

var assetOther = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// asset adds a file to the page, and returns the file's name on the page.
func (r *reader) asset(file, ext string, data []byte) string {
	stem := strings.Trim(assetOther.ReplaceAllString(strings.TrimSuffix(file, path.Ext(file)), "-"), "-_")
	if stem == "" {
		stem = "file"
	}
	name := stem + ext
	for i := 2; ; i++ {
		if old, taken := r.p.made.Assets[name]; !taken || string(old) == string(data) {
			break
		}
		name = stem + "-" + strconv.Itoa(i) + ext
	}
	r.p.made.Assets[name] = data
	return name
}

// foreign reports whether an apparent citation is a reference to a figure or the like in Quarto's syntax, such as
// @fig-name.
func (r *reader) foreign(cites []citations.Cite) bool {
	return slices.ContainsFunc(cites, func(c citations.Cite) bool {
		kind, _, _ := strings.Cut(c.Key, "-")
		return !r.f.works.Has(c.Key) && slices.Contains([]string{"fig", "tbl", "eq", "sec", "lst", "thm"}, kind)
	})
}

// cite cites entries of the bibliography: in notes, or in brackets.
func (r *reader) cite(cites []citations.Cite, column int) string {
	for _, c := range cites {
		why := "the bibliography has no entry with this id"
		if near := r.f.works.Keys(); len(near) > 0 {
			why += ", " + site.Among("closest names:", c.Key, near)
		}
		if r.f.config.Bibliography == "" {
			why = "name a BibTeX or CSL JSON file in book.yaml, as in bibliography: FILE.bib"
		}
		r.require(r.f.works.Has(c.Key) || r.f.unsettled, column+c.At, "[@%s]: there is no such reference: %s", c.Key,
			why)
	}
	if r.f.unsettled {
		return "" // readBibliography has reported the fault
	}
	if r.apart || r.f.works.Style() != citations.Notes {
		return r.f.works.Inline(cites, bibliographySlug+".html")
	}
	var out strings.Builder
	for _, c := range cites {
		name, text := r.f.works.Note(c)
		if !slices.ContainsFunc(r.notes, func(n [2]string) bool { return n[0] == name }) {
			r.notes = append(r.notes, [2]string{name, text})
		}
		out.WriteString("[^" + name + "]")
	}
	return out.String()
}

// name cites an entry within a sentence, such as "as @key shows".
func (r *reader) name(key string) string {
	if r.apart || r.f.works.Style() != citations.Notes {
		return r.f.works.Narrative(key, bibliographySlug+".html")
	}
	return site.Escape(r.f.works.Short(key)) + r.cite([]citations.Cite{{Key: key}}, 0)
}

// captioned translates the citations in a caption, which has no margin for notes.
func (r *reader) captioned(caption string, column int) string {
	r.apart = true
	defer func() { r.apart = false }()
	return citedIn.ReplaceAllStringFunc(caption, func(bracket string) string {
		cites := citations.Parse(bracket[1 : len(bracket)-1])
		if cites == nil || r.foreign(cites) {
			return bracket
		}
		return r.cite(cites, column)
	})
}

var citedIn = regexp.MustCompile(`\[[^\[\]]*@[^\[\]]*\]`)
