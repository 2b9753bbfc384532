package imports

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/site"
)

// page is a document that is being rewritten.
type page struct {
	c           *importer
	d           *document
	quarto      bool              // an image alone in its paragraph becomes a figure with a caption
	links       map[string]string // the addresses of link definitions, by label
	notes       map[string]bool   // the footnotes that the text defines
	labels      map[string]bool   // the names that headings already have
	waiting     string            // a label whose figure, table, formula or the like comes next
	depth       int
	titled      bool // the page has its title
	afterTable  bool // the last paragraph was a table
	table       bool // the table is a Markdown table that is not shown as written
	cell, heads bool // the current text is in a row of a table, or in a heading
}

func (p *page) note(number int, format string, args ...any) { p.c.note(p.d, number, format, args...) }

var (
	linkDefinition = regexp.MustCompile(`^ {0,3}\[([^\[\]^@][^\[\]]*)\]:[ \t]*<?([^\s<>]+)>?[ \t]*(?:["'(].*["')])?[ \t]*$`)
	noteDefinition = regexp.MustCompile(`^ {0,3}\[\^([^\[\]\s]+)\]:`)
)

// convert turns a document into a page.
func (c *importer) convert(d *document) {
	p := c.newPage(d)
	out, rest := p.front(d.lines)
	c.made[d.to] = tidy(append(out, p.blocks(rest)...))
}

// tidy removes empty lines at both ends, and keeps only one between blocks.
func tidy(lines []line) (out []line) {
	fence := ""
	for _, l := range lines {
		text := strings.TrimSpace(strings.TrimLeft(l.text[len(container.FindString(l.text)):], "> "))
		switch mark := fenceMark(text); {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]) == "":
			fence = ""
		case fence == "" && strings.TrimSpace(l.text) == "" && (len(out) == 0 || out[len(out)-1].text == ""):
			continue
		case fence == "" && strings.TrimSpace(l.text) == "":
			l.text = ""
		}
		out = append(out, l)
	}
	for len(out) > 0 && out[len(out)-1].text == "" {
		out = out[:len(out)-1]
	}
	return out
}

func (c *importer) newPage(d *document) *page {
	ext := strings.ToLower(path.Ext(d.from))
	p := &page{c: c, d: d, links: map[string]string{}, notes: map[string]bool{}, labels: map[string]bool{}}
	p.quarto = ext == ".qmd" || ext == ".rmd"
	p.define(d.lines)
	return p
}

// define records the link definitions and footnotes in lines.
func (p *page) define(lines []line) {
	for _, l := range lines {
		if m := linkDefinition.FindStringSubmatch(l.text); m != nil {
			if _, twice := p.links[labelOf(m[1])]; !twice {
				p.links[labelOf(m[1])] = m[2]
			}
		}
		if m := noteDefinition.FindStringSubmatch(l.text); m != nil {
			p.notes[m[1]] = true
		}
	}
}

func labelOf(words string) string { return strings.ToLower(strings.Join(strings.Fields(words), " ")) }

// shape describes how CommonMark parses lines.
type shape struct {
	code  []bool // the line is indented code
	html  []int  // the line after the HTML block that begins in this line
	table []bool
	terms []bool // the line begins the explanation of a term
}

var commonMark = goldmark.New(goldmark.WithExtensions(
	extension.NewTable(), extension.NewFootnote(), extension.DefinitionList, extension.Strikethrough,
)).Parser()

func shapeOf(in []line) shape {
	var src strings.Builder
	var begins []int
	for _, l := range in {
		begins = append(begins, src.Len())
		src.WriteString(l.text)
		src.WriteByte('\n')
	}
	s := shape{make([]bool, len(in)), make([]int, len(in)), make([]bool, len(in)), make([]bool, len(in))}
	index := func(offset int) int { return sort.SearchInts(begins, offset+1) - 1 }
	doc := commonMark.Parse(text.NewReader([]byte(src.String())))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeBlock:
			for i := range n.Lines().Len() {
				s.code[index(n.Lines().At(i).Start)] = true
			}
		case *ast.HTMLBlock:
			if n.Lines().Len() == 0 {
				break
			}
			end := index(n.Lines().At(n.Lines().Len()-1).Start) + 1
			if n.HasClosure() {
				end = index(n.ClosureLine.Start) + 1
			}
			s.html[index(n.Lines().At(0).Start)] = end
		case *extast.DefinitionDescription:
			if first := n.FirstChild(); first != nil && first.Type() == ast.TypeBlock && first.Lines().Len() > 0 {
				s.terms[index(first.Lines().At(0).Start)] = true
			}
		case *extast.TableRow, *extast.TableHeader:
			if at := n.Pos(); at >= 0 {
				s.table[index(at)] = true
			}
			if n.Kind() == extast.KindTableHeader {
				if at := n.Pos(); at >= 0 && index(at)+1 < len(in) {
					s.table[index(at)+1] = true
				}
			}
		}
		if n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return s
}

const mostDeep = 20

var (
	container   = regexp.MustCompile(`^(?:[ \t]*>[ \t]?)*[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*`)
	words3      = regexp.MustCompile("^(`{3,}|~{3,}|:{3,})[ \\t]*(.*?)[ \\t]*$")
	admonition  = regexp.MustCompile(`^([ \t]*)(!!!|\?\?\?\+?|===\+?|///)[ \t]+(.*)$`)
	rule        = regexp.MustCompile(`^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$`)
	columnsLine = regexp.MustCompile(`^ *-{2,}(?: +-{2,})+ *$`)
	gridLine    = regexp.MustCompile(`^ *\+(?:[-=:]+\+)+ *$`)
	captionLine = regexp.MustCompile(`^(?:Table|table)?:[ \t]+(.*)$`)
	itemMark    = regexp.MustCompile(`^[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)`)
	linePrefix  = regexp.MustCompile(`^[ \t]*(?:>[ \t]*|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|[0-9]{1,9}[.)][ \t]+|#{1,6}[ \t]+|` +
		`:[ \t]+|\[\^[^\[\]\s]+\]:[ \t]*)*`)
	dollarLabel = regexp.MustCompile(`^(.*?)\$\$[ \t]*(?:\(([^()]+)\)|\{#([^{}\s]+)\})?[ \t]*(.*)$`)
)

// blocks rewrites lines.
func (p *page) blocks(in []line) (out []line) {
	if p.depth++; p.depth > mostDeep {
		defer func() { p.depth-- }()
		return p.literal(in)
	}
	defer func() { p.depth-- }()
	shape := shapeOf(in)
	add := func(number int, texts ...string) {
		for _, t := range texts {
			out = append(out, line{t, number})
		}
	}
	asWritten := func(from, to int, what string) {
		p.note(in[from].number, "%s is shown as it is written", what)
		out = append(out, codeLines("text", in[from].number, in[from:to])...)
		add(in[to-1].number, "")
		p.afterTable, p.table = true, false
	}
	for i := 0; i < len(in); {
		l := in[i]
		trimmed := strings.TrimSpace(l.text)
		prefix := container.FindString(l.text)
		rest := l.text[len(prefix):]
		indented := shape.code[i]
		if end := columnsEnd(in, i); end > i && !indented {
			asWritten(i, end, "a table of aligned columns")
			i = end
			continue
		}
		switch m := words3.FindStringSubmatch(rest); {
		case indented:
			end := i
			for end < len(in) && (shape.code[end] || strings.TrimSpace(in[end].text) == "" && end+1 < len(in) &&
				shape.code[end+1]) {
				end++
			}
			out = append(out, p.indented(in[i:end])...)
			i = end
			continue
		case trimmed == "":
			add(l.number, "")
			i++
			continue
		case strings.HasPrefix(trimmed, "<!--"):
			end := i
			for end < len(in) && !strings.Contains(in[end].text, "-->") {
				end++
			}
			if end == len(in) {
				shape.html[i] = 0 // the block never ends, so it is text
				break
			}
			for _, c := range in[i:end] {
				add(c.number, c.text)
			}
			before, behind, _ := strings.Cut(in[end].text, "-->")
			add(in[end].number, before+"-->")
			if i = end + 1; strings.TrimSpace(behind) != "" {
				out = append(out, p.blocks([]line{{"", in[end].number}, {behind, in[end].number}})...)
			}
			continue
		case m != nil && m[1][0] != ':' && !(m[1][0] == '`' && strings.Contains(m[2], "`")):
			end := i + 1
			for end < len(in) && !folder.Closes(in[end].text, m[1]) {
				end++
			}
			inside := stripped(in[i+1:min(end, len(in))], len(prefix), strings.Contains(prefix, ">"))
			out = append(out, prefixed(p.fence(m[2], l.number, inside), prefix)...)
			i = min(end+1, len(in))
			continue
		case m != nil && m[1][0] == ':' && m[2] != "":
			end := closesDiv(in, i, len(m[1]))
			inside := stripped(in[i+1:min(end, len(in))], len(prefix), strings.Contains(prefix, ">"))
			out = append(out, prefixed(p.div(m[2], l.number, inside), prefix)...)
			i = min(end+1, len(in))
			continue
		case m != nil && m[1][0] == ':':
			p.note(l.number, "%s, which closes nothing, is left out", trimmed)
			add(l.number, "")
			i++
			continue
		case strings.HasPrefix(rest, "$$"):
			end, lines, ok := p.displayed(in, i, prefix, rest)
			if ok {
				out = append(out, lines...)
				i = end
				continue
			}
		}
		if m := labelLine.FindStringSubmatch(trimmed); m != nil {
			p.waiting = m[1]
			p.note(l.number, "%s names the block after it", trimmed)
			add(l.number, "")
			i++
			continue
		}
		if m := admonition.FindStringSubmatch(l.text); m != nil && (m[2] != "===" || strings.HasPrefix(m[3], `"`)) {
			end := i + 1
			for end < len(in) && (strings.TrimSpace(in[end].text) == "" || indentOf(in[end].text) >= len(m[1])+2) {
				end++
			}
			for end > i+1 && strings.TrimSpace(in[end-1].text) == "" {
				end--
			}
			out = append(out, prefixed(p.admonition(m[2], m[3], l.number, stripped(in[i+1:end], len(m[1])+4, false)),
				m[1])...)
			i = end
			continue
		}
		if trimmed == "+++" || strings.HasPrefix(l.text, "+++ {") {
			p.note(l.number, "the mark %s between blocks is left out", trimmed)
			add(l.number, "")
			i++
			continue
		}
		if strings.HasPrefix(l.text, "% ") && (i == 0 || strings.TrimSpace(in[i-1].text) == "") && i > 0 {
			p.note(l.number, "the comment after %% becomes an HTML comment")
			add(l.number, "<!-- "+strings.ReplaceAll(trimmed[2:], "-->", "- ->")+" -->")
			i++
			continue
		}
		if end := shape.html[i]; end > i && strings.HasPrefix(trimmed, "<") {
			end = wholeElement(in, i, end)
			if lines, ok := p.htmlBlock(in[i:end], prefix); ok {
				out = append(out, lines...)
				i = end
				continue
			}
		}
		if m := captionLine.FindStringSubmatch(l.text); m != nil && l.text[0] == ':' && !p.afterTable &&
			!shape.terms[i] &&
			(i == 0 || strings.TrimSpace(in[i-1].text) == "") {
			end := i + 1
			for end < len(in) && (strings.TrimSpace(in[end].text) == "" || indentOf(in[end].text) >= 2) {
				end++
			}
			p.note(l.number, "%q explains no term: it becomes text", trimmed)
			inside := append([]line{{m[1], l.number}}, stripped(in[i+1:end], 4, false)...)
			out = append(out, p.blocks(inside)...)
			i = end
			continue
		}
		if linkDefinition.MatchString(l.text) {
			if dest := linkDefinition.FindStringSubmatch(l.text)[2]; isExternal(dest) {
				add(l.number, l.text)
			} else {
				add(l.number, "")
			}
			i++
			continue
		}
		end := i + 1
		for end < len(in) && p.goesOn(in, end, shape) {
			end++
		}
		if gridLine.MatchString(l.text) {
			asWritten(i, end, "a table drawn with lines and spaces")
			i = end
			continue
		}
		out = append(out, p.paragraph(in[i:end], shape.table[i])...)
		i = end
	}
	return out
}

// goesOn reports whether line i continues the paragraph before it.
func (p *page) goesOn(in []line, i int, s shape) bool {
	text := in[i].text
	rest := text[len(container.FindString(text)):]
	switch {
	case strings.TrimSpace(text) == "", s.code[i], s.table[i], s.table[i-1], itemMark.MatchString(text),
		headingLine.MatchString(text), headingLine.MatchString(in[i-1].text), noteDefinition.MatchString(text),
		rule.MatchString(text), words3.MatchString(rest) && (rest[0] != '`' || fenceMark(rest) != ""),
		strings.HasPrefix(rest, "$$"), admonition.MatchString(text) && strings.TrimSpace(text)[0] != '=',
		s.html[i] > i, captionLine.MatchString(text), labelLine.MatchString(text),
		strings.Count(container.FindString(text), ">") != strings.Count(container.FindString(in[i-1].text), ">"):
		return false
	}
	return true
}

// columnsEnd returns the index of the line after the Pandoc table (columns below dashes) that begins in line i. It
// returns 0 if no table begins there.
func columnsEnd(in []line, i int) int {
	long := func(l line) bool { return strings.Trim(l.text, " -") == "" && strings.Contains(l.text, "----------") }
	empty := func(j int) bool { return strings.TrimSpace(in[j].text) == "" }
	if i > 0 && !empty(i-1) || empty(i) {
		return 0
	}
	if long(in[i]) || columnsLine.MatchString(in[i].text) { // the table extends to the next rule
		for j := i + 1; j < len(in) && j < i+200; j++ {
			ends := long(in[j]) || columnsLine.MatchString(in[j].text)
			if ends && (j+1 == len(in) || empty(j+1)) && (columnsLine.MatchString(in[i].text) ||
				slices.ContainsFunc(in[i+1:j],
					func(l line) bool { return columnsLine.MatchString(l.text) })) {
				return j + 1
			}
		}
		return 0
	}
	if i+2 >= len(in) || !columnsLine.MatchString(in[i+1].text) || empty(i+2) {
		return 0
	}
	end := i + 2
	for end < len(in) && !empty(end) {
		end++
	}
	return end
}

func indentOf(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

// closesDiv returns the index of the line that closes a ::: block.
func closesDiv(in []line, i, colons int) int {
	depth := 1
	var code fences
	for j := i + 1; j < len(in); j++ {
		text := strings.TrimSpace(strings.TrimLeft(in[j].text, "> \t"))
		if code.hold(text) {
			continue
		}
		m := words3.FindStringSubmatch(text)
		switch {
		case m == nil || m[1][0] != ':':
		case m[2] != "":
			depth++
		case len(m[1]) == colons && depth == 1 || depth == 1:
			return j
		default:
			depth--
		}
	}
	return len(in)
}

// stripped removes the marks of a block's container from its lines.
func stripped(lines []line, width int, quoted bool) []line {
	var out []line
	for _, l := range lines {
		t := l.text
		if quoted {
			if at := strings.LastIndex(t[:min(len(t), width)], ">"); at >= 0 {
				t = strings.TrimPrefix(t[at+1:], " ")
			}
		} else {
			t = t[min(width, indentOf(t)):]
		}
		out = append(out, line{t, l.number})
	}
	return out
}

// prefixed puts lines into a container: it puts the container's marks before the first line, and as many blanks before
// the others.
func prefixed(lines []line, prefix string) []line {
	if prefix == "" {
		return lines
	}
	below := strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, prefix)
	var out []line
	for i, l := range lines {
		switch {
		case i == 0:
			l.text = prefix + l.text
		case l.text == "":
			l.text = strings.TrimRight(below, " ")
		default:
			l.text = below + l.text
		}
		out = append(out, l)
	}
	return out
}

// quoted turns lines into a quotation.
func quoted(lines []line) (out []line) {
	for _, l := range lines {
		l.text = strings.TrimRight("> "+l.text, " ")
		out = append(out, l)
	}
	for len(out) > 0 && out[len(out)-1].text == ">" {
		out = out[:len(out)-1]
	}
	return out
}

// indented turns indented code into fenced code.
func (p *page) indented(in []line) (out []line) {
	least := 1 << 20
	for _, l := range in {
		if strings.TrimSpace(l.text) != "" {
			least = min(least, indentOf(strings.ReplaceAll(l.text, "\t", "    ")))
		}
	}
	prefix := strings.Repeat(" ", max(least-4, 0))
	quote := container.FindString(in[0].text)
	if strings.Contains(quote, ">") {
		prefix, least = quote[:strings.LastIndex(quote, ">")+1]+" ", 0
	}
	p.note(in[0].number, "indented code becomes code between ```")
	mark := fenceFor(in)
	out = append(out, line{prefix + mark, in[0].number})
	for _, l := range in {
		t := strings.ReplaceAll(l.text, "\t", "    ")
		if strings.Contains(quote, ">") {
			t = prefix + strings.TrimLeft(t, "> ")
		} else {
			t = prefix + t[min(least, indentOf(t)):]
		}
		out = append(out, line{t, l.number})
	}
	return append(out, line{prefix + mark, in[len(in)-1].number}, line{"", in[len(in)-1].number})
}

// literal returns lines as a block of code, so that the page shows them as written.
func (p *page) literal(in []line) (out []line) {
	if len(in) == 0 {
		return nil
	}
	return codeLines("text", in[0].number, in)
}

// fenceFor returns a fence that no line of a block of code contains.
func fenceFor(in []line) string {
	mark := "```"
	for _, l := range in {
		text := strings.TrimLeft(l.text, "> \t")
		if run := len(text) - len(strings.TrimLeft(text, "`")); run >= len(mark) {
			mark = strings.Repeat("`", run+1)
		}
	}
	return mark
}

// codeLines returns a block of code.
func codeLines(language string, number int, in []line) (out []line) {
	mark := fenceFor(in)
	out = append(out, line{mark + language, number})
	out = append(out, in...)
	last := number
	if len(in) > 0 {
		last = in[len(in)-1].number
	}
	return append(out, line{mark, last})
}

// displayed rewrites a displayed formula between $$ marks.
func (p *page) displayed(in []line, i int, prefix, rest string) (end int, out []line, ok bool) {
	number := in[i].number
	var tex []string
	after, label := "", ""
	body := rest[2:]
	for end = i; ; {
		if m := dollarLabel.FindStringSubmatch(body); m != nil {
			tex = append(tex, m[1])
			label, after = cmp.Or(m[2], m[3]), m[4]
			break
		}
		tex = append(tex, body)
		if end++; end >= len(in) {
			return i, nil, false
		}
		body = in[end].text
		if strings.Contains(prefix, ">") {
			body = strings.TrimLeft(body, "> ")
		}
	}
	if strings.TrimSpace(strings.Join(tex, "")) == "" || end == i && after != "" {
		return i, nil, false
	}
	lines := p.formula(tex, number, label)
	if after != "" {
		lines = append(lines, line{"", number}, line{p.inline(after, in[end].number), in[end].number})
	}
	return end + 1, prefixed(lines, prefix), true
}

// formula returns a displayed formula.
func (p *page) formula(tex []string, number int, label string) (out []line) {
	if label == "" {
		label, p.waiting = p.waiting, ""
	}
	var kept []string
	for _, t := range tex {
		if t = strings.TrimSpace(t); t != "" {
			kept = append(kept, t)
		}
	}
	for i, t := range kept {
		kept[i] = labelCommand.ReplaceAllStringFunc(t, func(all string) string {
			return `\label{eq:` + p.named("eq", labelCommand.FindStringSubmatch(all)[1], number+i) + "}"
		})
	}
	if label != "" && !strings.Contains(strings.Join(kept, " "), `\label{`) && len(kept) > 0 {
		if name := p.named("eq", label, number); name != "" {
			last := len(kept) - 1
			if end := strings.LastIndex(kept[last], `\end{`); end >= 0 && !strings.Contains(kept[last][end:], "ed}") &&
				!strings.Contains(kept[last][end:], "matrix") && !strings.Contains(kept[last][end:], "cases") {
				kept[last] = kept[last][:end] + ` \label{eq:` + name + `} ` + kept[last][end:]
			} else {
				kept[last] += ` \label{eq:` + name + `}`
			}
		}
	}
	out = append(out, line{"$$", number})
	for i, t := range kept {
		out = append(out, line{t, number + i})
	}
	return append(out, line{"$$", number + max(len(tex)-1, 0)})
}

var labelCommand = regexp.MustCompile(`\\label\{(?:eq[:_-])?([^{}]*)\}`)

// kinds maps prefixes of labels to the kinds of items that the labels name.
var kinds = map[string]string{
	"fig": "fig", "tbl": "tbl", "tab": "tbl", "table": "tbl", "eq": "eq", "sec": "sec", "thm": "thm", "lem": "thm",
	"cor": "thm", "prp": "thm", "cnj": "thm", "def": "thm", "exm": "thm", "exr": "thm", "rem": "thm", "alg": "thm",
	"figure": "fig", "equation": "eq",
}

var kindRule = regexp.MustCompile(`^([a-z]+)[-:_](.+)$`)

// named returns a unique name for an item with the given kind and label, and records it for references. It returns ""
// if the label has no letters or digits.
func (p *page) named(kind, label string, number int) string {
	name := label
	if m := kindRule.FindStringSubmatch(label); m != nil && kinds[m[1]] == kind {
		name = m[2]
	}
	if name = plainName(name); name == "" {
		return ""
	}
	free := name
	for i := 2; p.labels[kind+":"+free]; i++ {
		free = name + "-" + string(rune('0'+i%10))
	}
	p.labels[kind+":"+free] = true
	if _, twice := p.c.labels[label]; !twice {
		p.c.labels[label] = place{kind, free, p.d}
	}
	if free != label {
		p.note(number, "the label %s becomes %s:%s", label, kind, free)
	}
	return free
}

var notPlain = regexp.MustCompile(`[^a-z0-9]+`)

// plainName reduces a label to a name of ASCII letters, digits and hyphens.
func plainName(label string) string {
	return strings.Trim(notPlain.ReplaceAllString(site.Slug(label), "-"), "-")
}

// paragraph rewrites lines that form a paragraph.
func (p *page) paragraph(in []line, table bool) (out []line) {
	number := in[0].number
	if table && strings.Trim(in[0].text, " |:-+\t") == "" {
		return in
	}
	if rule.MatchString(in[0].text) && len(in) == 1 {
		return in
	}
	if m := headingLine.FindStringSubmatch(in[0].text); m != nil && len(in) == 1 {
		return []line{{p.heading(m[1], m[2], number), number}}
	}
	if len(in) == 1 {
		if lines, ok := p.alone(in[0]); ok {
			return lines
		}
	}
	if len(in) > 1 && lineBlock(in) {
		for i := range in {
			in[i].text = strings.TrimPrefix(in[i].text, "| ")
			if i < len(in)-1 {
				in[i].text += `\`
			}
		}
		p.note(number, "lines that begin with | now end with a backslash instead")
	}
	before := p.table
	defer func() { p.afterTable, p.table = table, table }()
	prefixes := make([]string, len(in))
	texts := make([]string, len(in))
	for i, l := range in {
		prefix := ""
		if !table {
			prefix = linePrefix.FindString(l.text)
		}
		prefixes[i], texts[i] = prefix, l.text[len(prefix):]
	}
	if m := captionLine.FindStringSubmatch(in[0].text); m != nil && !table && (p.afterTable || in[0].text[0] == 'T') {
		prefixes[0], texts[0] = "", m[1]
		name := ""
		if tail := headingTail.FindStringSubmatch(texts[len(texts)-1]); tail != nil {
			texts[len(texts)-1] = strings.TrimSuffix(texts[len(texts)-1], tail[0])
			name = attributesOf(tail[1]).id
		}
		if strings.TrimSpace(strings.Join(texts, "")) == "" {
			return []line{{"", number}}
		}
		if before && p.afterTable {
			p.note(number, "the caption of a table becomes a paragraph that begins with Table:")
			p.heads = true
			defer func() { p.heads = false }()
			return p.withCaption(strings.Join(texts, " "), name, number, nil)
		}
		p.note(number, "the caption of a table becomes a paragraph")
	}
	p.cell = table
	made := strings.Split(p.inline(strings.Join(texts, "\n"), number), "\n")
	p.cell = false
	for i, t := range made {
		at := min(i, len(in)-1)
		prefix := prefixes[at]
		if i >= len(in) {
			prefix = ""
		}
		out = append(out, line{prefix + t, in[at].number})
	}
	if len(prefixes[0]) > 0 && nestedNumber.MatchString(out[0].text) {
		m := nestedNumber.FindStringSubmatch(out[0].text)
		out[0].text = m[1] + m[2] + `\` + m[3] + m[4] + out[0].text[len(m[0]):]
		p.note(number, "a backslash keeps %s%s from beginning a list", m[2], m[3])
	}
	return out
}

var nestedNumber = regexp.MustCompile(`^([ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)([0-9]{1,9})([.)])([ \t]|$)`)

func lineBlock(in []line) bool {
	for _, l := range in {
		if !strings.HasPrefix(l.text, "| ") || strings.Count(l.text, "|") > 1 {
			return false
		}
	}
	return true
}

// heading rewrites a heading of level 1 to 6.
func (p *page) heading(marks, title string, number int) string {
	name := ""
	if tail := headingTail.FindStringSubmatch(title); tail != nil {
		title = strings.TrimSuffix(title, tail[0])
		for word := range strings.FieldsSeq(tail[1]) {
			if id, ok := strings.CutPrefix(word, "#"); ok {
				name = id
			}
		}
		if strings.TrimSpace(tail[1]) != "#"+site.Slug(name) {
			p.note(number, "{%s} after a heading is left out, except for a name", tail[1])
		}
	}
	title = closingMarks.ReplaceAllString(title, "")
	p.heads = true
	words := strings.ReplaceAll(p.inline(title, number), "\n", " ")
	p.heads = false
	label := cmp.Or(name, p.waiting)
	p.waiting = ""
	if marks == "#" && !p.titled && p.d.title == "" {
		p.d.title = cmp.Or(p.d.anchors[label], site.Slug(plainWords(title)))
	}
	p.titled = true
	if strings.TrimSpace(words) == "" {
		p.note(number, "a heading without words is left out")
		return ""
	}
	if anchor := p.d.anchors[label]; label != "" && anchor != "" {
		if _, twice := p.c.labels[label]; !twice {
			p.c.labels[label] = place{"sec", anchor, p.d}
		}
	}
	if slug := site.Slug(name); slug != "" && !p.labels["sec:"+slug] {
		p.labels["sec:"+slug] = true
		return marks + " " + words + " {#" + slug + "}"
	}
	return marks + " " + words
}

var closingMarks = regexp.MustCompile(`[ \t]+#+[ \t]*$`)

// includeLine matches a line that includes another file.
var includeLine = regexp.MustCompile(`^(?:\{\{<\s*include\s+(\S+)\s*>\}\}|\{\{#(?:rustdoc_)?include\s+([^\s:}]+)[^}]*\}\}|--8<--\s+"([^"]+)")$`)

// alone rewrites a line that forms a block by itself.
func (p *page) alone(l line) (out []line, ok bool) {
	trimmed := strings.TrimSpace(l.text)
	if m := includeLine.FindStringSubmatch(trimmed); m != nil {
		return p.include(cmp.Or(m[1], m[2], m[3]), l)
	}
	if m := imageAlone.FindStringSubmatch(trimmed); m != nil && trimmed == l.text {
		if text, ok := p.figure(m[1], m[2], cmp.Or(m[3], m[4]), m[5], l.number); ok {
			return []line{{text, l.number}}, true
		}
	}
	return nil, false
}

var imageAlone = regexp.MustCompile(`^!\[((?:[^\[\]]|\[[^\[\]]*\]|\[[^\[\]]*\]\([^()]*\))*)\]\(<?([^<>()\s]+)>?(?:[ \t]+(?:"([^"]*)"|'([^']*)'))?\)(?:\{([^{}]*)\})?$`)

// include returns the text of an included file.
func (p *page) include(file string, l line) ([]line, bool) {
	name := path.Join(path.Dir(p.d.from), file)
	if strings.HasPrefix(file, "/") {
		name = strings.TrimPrefix(file, "/")
	}
	data, err := limitedread.ReadFS(p.c.source, name, mostText)
	if err != nil || p.depth > 5 {
		return nil, false
	}
	p.note(l.number, "the text of %s is copied to this place", file)
	inside := linesOf(strings.ReplaceAll(string(data), "\r\n", "\n"), 1)
	for i := range inside {
		inside[i].number = l.number
	}
	p.define(inside)
	if !IsPage(name) {
		return codeLines(strings.TrimPrefix(path.Ext(name), "."), l.number, inside), true
	}
	if len(inside) > 0 && inside[0].text == "---" {
		if end := slices.IndexFunc(inside[1:], func(l line) bool { return l.text == "---" }); end >= 0 {
			inside = inside[end+2:]
		}
	}
	return p.blocks(inside), true
}
