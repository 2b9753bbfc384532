package imports

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/diagram"
)

// attributes are the words in braces after a fence or an image: {#name .class key="value"}.
type attributes struct {
	id      string
	classes []string
	keys    map[string]string
	bare    []string
}

var attributeRule = regexp.MustCompile(`([A-Za-z_][\w:-]*)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))|(\S+)`)

func attributesOf(text string) attributes {
	a := attributes{keys: map[string]string{}}
	for _, m := range attributeRule.FindAllStringSubmatch(text, -1) {
		switch word := m[5]; {
		case m[1] != "":
			a.keys[m[1]] = cmp.Or(m[2], m[3], m[4])
		case strings.HasPrefix(word, "#"):
			a.id = word[1:]
		case strings.HasPrefix(word, "."):
			a.classes = append(a.classes, strings.Split(word[1:], ".")...)
		default:
			a.bare = append(a.bare, strings.Trim(word, "{},"))
		}
	}
	return a
}

var (
	directive = regexp.MustCompile(`^\{([A-Za-z][\w:.-]*)\}[ \t]*(.*)$`)
	options   = regexp.MustCompile(`^:([A-Za-z_][\w-]*):[ \t]*(.*)$`)
	language  = regexp.MustCompile(`^[A-Za-z0-9_+#.-]+$`)
)

// callouts maps the names of callouts in other formats to the callouts of a book.
var callouts = map[string]string{
	"note": "NOTE", "tip": "TIP", "warning": "WARNING", "important": "IMPORTANT", "caution": "CAUTION",
	"attention": "WARNING", "danger": "CAUTION", "error": "CAUTION", "hint": "TIP", "seealso": "NOTE",
	"admonition": "NOTE", "info": "NOTE", "abstract": "NOTE", "summary": "NOTE", "tldr": "NOTE", "todo": "NOTE",
	"success": "TIP", "check": "TIP", "done": "TIP", "question": "QUESTION", "help": "QUESTION", "faq": "QUESTION",
	"failure": "WARNING", "fail": "WARNING", "missing": "WARNING", "bug": "WARNING", "example": "EXAMPLE",
	"quote": "NOTE", "cite": "NOTE", "versionadded": "NOTE", "versionchanged": "NOTE", "deprecated": "WARNING",
	"topic": "NOTE", "sidebar": "NOTE", "margin": "NOTE", "aside": "NOTE", "dropdown": "DETAILS",
	"exercise": "QUESTION",
	"solution": "DETAILS", "card": "NOTE",
}

// proofs maps the names of theorems and the like to callouts. If the callout's name is not the same word, the second
// string is the word for the title.
var proofs = map[string][2]string{
	"theorem": {"THEOREM"}, "lemma": {"LEMMA"}, "definition": {"DEFINITION"}, "proof": {"PROOF"},
	"example": {"EXAMPLE"}, "corollary": {"COROLLARY"}, "proposition": {"PROPOSITION"}, "remark": {"REMARK"},
	"axiom": {"AXIOM"}, "conjecture": {"CONJECTURE"}, "algorithm": {"ALGORITHM"},
	"property": {"RESULT", "Property"}, "observation": {"REMARK", "Observation"}, "criterion": {"RESULT", "Criterion"},
	"assumption": {"AXIOM", "Assumption"}, "solution": {"DETAILS", "Solution"}, "exercise": {"QUESTION", "Exercise"},
}

// theorems maps Quarto's prefixes of labels to the names of theorems.
var theorems = map[string]string{
	"thm": "theorem", "lem": "lemma", "cor": "corollary", "prp": "proposition", "cnj": "conjecture",
	"def": "definition",
	"exm": "example", "exr": "exercise", "sol": "solution", "rem": "remark", "alg": "algorithm",
}

// diagrams lists languages of diagrams that a book can only show as text.
var diagrams = []string{"plantuml", "d2", "vega-lite", "tikz", "graphviz", "dot"}

// fence rewrites a fenced block.
func (p *page) fence(info string, number int, in []line) []line {
	if info == runMark && strings.EqualFold(path.Ext(p.d.from), ".ipynb") {
		return codeLines("go run show", number, in)
	}
	if slices.Contains(diagram.Languages, strings.Trim(info, "{}")) {
		return p.diagram(info, number, in)
	}
	if m := directive.FindStringSubmatch(info); m != nil {
		return p.directive(m[1], m[2], number, in, info)
	}
	kept, look, unknown := "", attributes{}, ""
	word, more, _ := strings.Cut(info, " ")
	switch {
	case strings.HasPrefix(info, "{"):
		inner, _, _ := strings.Cut(strings.Trim(info, "{"), "}")
		a := attributesOf(inner)
		if len(a.classes) > 0 {
			kept = a.classes[0]
		} else if len(a.bare) > 0 {
			kept = strings.TrimPrefix(a.bare[0], "=")
		}
		look = a
	case strings.Contains(word, "{"):
		kept, more, _ = strings.Cut(info, "{")
		look = attributesOf(strings.TrimSuffix(more, "}"))
	default:
		var behind string
		kept, behind, _ = strings.Cut(word, ",")
		look = attributesOf(behind + " " + more)
		unknown = look.unknown()
	}
	if !language.MatchString(kept) && kept != "" {
		kept = "text"
	}
	if slices.Contains(diagrams, kept) || kept == "math" && len(in) == 0 {
		kept = "text"
	}
	if kept == "math" {
		var tex []string
		for _, l := range in {
			tex = append(tex, l.text)
		}
		return p.formula(tex, number, "")
	}
	out := p.code(kept, look, number, in)
	if kept != info {
		p.note(number, "``` %s becomes %s", info, out[0].text)
	}
	if unknown != "" { // keep words that may be a title or marks for other programs, in a comment
		out = append(comment(unknown, number, nil), out...)
	}
	return out
}

var (
	diagramOption = regexp.MustCompile(`^%%\|[ \t]*([a-z-]+):[ \t]*(.*)$`)
	diagramLook   = regexp.MustCompile(`^(?:style|classDef|class|linkStyle|click)[ \t]`)
)

// diagram keeps a diagram that a book can draw, and shows any other as text. Lines that set colours become comments.
func (p *page) diagram(info string, number int, in []line) []line {
	set, body := splitOptions(in)
	var kept []line
	var source []string
	for _, l := range body {
		text := strings.TrimSpace(l.text)
		if m := diagramOption.FindStringSubmatch(text); m != nil {
			set[m[1]] = strings.Trim(m[2], `"'`)
			continue
		}
		if diagramLook.MatchString(text) {
			p.note(l.number, "%q becomes a comment: a book has its own colours", text)
			l.text = "%% " + text
		}
		kept, source = append(kept, l), append(source, l.text)
	}
	if _, err := diagram.Parse(strings.Join(source, "\n")); err != nil {
		p.note(number, "``` %s becomes text, because a book cannot draw it: %v", info, err)
		return codeLines("text", number, in)
	}
	out := codeLines("mermaid", number, kept)
	if info != "mermaid" {
		p.note(number, "``` %s becomes ```mermaid", info)
	}
	caption, label := cmp.Or(set["fig-cap"], set["caption"]), cmp.Or(set["label"], set["name"])
	if caption == "" && label == "" {
		return out
	}
	name := ""
	if label != "" {
		name = " {#" + p.named("fig", label, number) + "}"
	}
	last := out[len(out)-1].number
	return append(out, line{"", last}, line{"Figure: " + p.inline(cmp.Or(caption, "Diagram"), number) + name, last})
}

// unknown returns the words that neither highlight lines nor turn on line numbers.
func (a attributes) unknown() string {
	var words []string
	for _, word := range append(a.bare, a.classes...) {
		if !onlyLines.MatchString(word) && !numbersLines(word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// numbersLines reports whether a word of a fence turns on line numbers.
func numbersLines(word string) bool {
	return strings.EqualFold(word, "numberLines") || word == "number-lines" || word == "linenos" ||
		word == "showLineNumbers"
}

// code returns a block of code with the title, line numbers and highlighted lines that its attributes specify.
func (p *page) code(kept string, a attributes, number int, in []line) (out []line) {
	words := ""
	if title := cmp.Or(a.keys["title"], a.keys["filename"], a.keys["name"], a.keys["lineno-title"]); title != "" {
		words += ` title="` + strings.ReplaceAll(title, `"`, "&quot;") + `"`
	}
	on := func(value string) bool { return value != "" && value != "false" }
	if on(a.keys["linenums"]) || on(a.keys["code-line-numbers"]) || on(a.keys["linenos"]) ||
		slices.ContainsFunc(append(a.classes, a.bare...), numbersLines) {
		words += " numbers"
	}
	marks := cmp.Or(a.keys["hl_lines"], a.keys["emphasize-lines"], a.keys["highlight"])
	for _, word := range a.bare {
		if onlyLines.MatchString(word) && marks == "" {
			marks = word
		}
	}
	if marks = strings.Join(strings.FieldsFunc(marks, func(r rune) bool {
		return r == ' ' ||
			r == ','
	}), ","); marks != "" {
		good := onlyLines.MatchString(marks)
		for _, one := range lineNumber.FindAllString(marks, -1) {
			n, _ := strconv.Atoi(one)
			good = good && n >= 1 && n <= len(in)
		}
		if good {
			words += ` mark="` + marks + `"`
		}
	}
	if words != "" {
		kept = cmp.Or(kept, "text") + words
	}
	return codeLines(kept, number, in)
}

var (
	onlyLines  = regexp.MustCompile(`^[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*$`)
	lineNumber = regexp.MustCompile(`[0-9]+`)
)

// codeSpan returns text as inline code.
func codeSpan(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	mark := "`"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	switch {
	case strings.HasPrefix(text, "go:"):
		return "<samp>" + escaped(text) + "</samp>"
	case strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`"):
		text = " " + text + " "
	}
	return mark + text + mark
}

// splitOptions separates the options of a directive from its lines.
func splitOptions(in []line) (set map[string]string, rest []line) {
	set = map[string]string{}
	i := 0
	if len(in) > 0 && strings.TrimSpace(in[0].text) == "---" {
		for i = 1; i < len(in) && strings.TrimSpace(in[i].text) != "---"; i++ {
			name, value, _ := strings.Cut(in[i].text, ":")
			set[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
		return set, in[min(i+1, len(in)):]
	}
	for ; i < len(in); i++ {
		m := options.FindStringSubmatch(strings.TrimSpace(in[i].text))
		if m == nil {
			break
		}
		set[m[1]] = m[2]
	}
	for i > 0 && i < len(in) && strings.TrimSpace(in[i].text) == "" {
		i++
	}
	return set, in[i:]
}

// directive rewrites a MyST directive or a Quarto cell.
func (p *page) directive(name, argument string, number int, in []line, info string) []line {
	lower := strings.ToLower(name)
	base := lower[strings.LastIndex(lower, ":")+1:]
	set, body := splitOptions(in)
	label := cmp.Or(set["label"], set["name"])
	said := func(what string) { p.note(number, "{%s} %s", name, what) }
	switch {
	case slices.Contains([]string{"code-cell", "code", "code-block", "sourcecode", "prompt"}, lower):
		said("becomes a block of code")
		lang, _, _ := strings.Cut(argument, " ")
		if lang = strings.Trim(lang, "{}"); !language.MatchString(lang) {
			lang = ""
		}
		if slices.Contains([]string{"ipython3", "ipython", "python3"}, lang) {
			lang = "python"
		}
		out := p.code(lang, directiveLook(set), number, body)
		if set["caption"] != "" {
			out = append([]line{{p.inline(set["caption"], number), number}, {"", number}}, out...)
		}
		return out
	case lower == "literalinclude":
		file := path.Join(path.Dir(p.d.from), argument)
		if data, err := limitedread.ReadFS(p.c.source, file, mostText); err == nil {
			said("becomes the code of the file " + argument)
			return p.code(strings.TrimPrefix(path.Ext(file), "."),
				attributes{keys: map[string]string{"title": argument}}, number,
				linesAt(string(data), number))
		}
	case lower == "include" && argument != "":
		if lines, ok := p.include(argument, line{argument, number}); ok {
			return lines
		}
	case lower == "math":
		said("becomes a formula")
		var tex []string
		for _, l := range body {
			tex = append(tex, l.text)
		}
		if argument != "" {
			tex = append([]string{argument}, tex...)
		}
		return p.formula(tex, number, label)
	case lower == "figure" || lower == "image" || lower == "subfigure":
		return p.figureDirective(lower, argument, label, set, number, body)
	case lower == "csv-table" && set["file"] != "" && p.c.copied(p.c.pathOf(p.d, set["file"])):
		said("becomes a table of the file " + set["file"])
		caption := strings.ReplaceAll(cmp.Or(plainWords(argument), path.Base(set["file"])), "`", "'")
		call := fmt.Sprintf("{{ table %q %q }}", relative(p.d.to, p.c.pathOf(p.d, set["file"])), escaped(caption))
		if label != "" {
			call += "{#" + p.named("tbl", label, number) + "}"
		}
		return []line{{call, number}, {"", number}}
	case slices.Contains([]string{"list-table", "csv-table"}, lower):
		if rows := p.rows(lower, argument, set, body); rows != nil {
			said("becomes a table in Markdown")
			return p.tableOf(rows, argument, label, number)
		}
	case lower == "table":
		said("becomes a table with a caption")
		out := p.blocks(body)
		switch {
		case p.table:
			return p.withCaption(argument, label, number, out)
		case argument != "":
			return append([]line{{p.inline(argument, number), number}, {"", number}}, out...)
		}
		return out
	case slices.Contains([]string{"toctree", "contents", "tableofcontents", "bibliography", "index", "raw", "meta"},
		lower):
		said("becomes a comment: a book makes the contents and the bibliography itself")
		return comment("{"+name+"} "+argument, number, in)
	case slices.Contains([]string{
		"tab-set", "grid", "tabs", "card-carousel", "div", "container", "grid-item", "span",
		"exercise-start", "exercise-end", "solution-start", "solution-end", "epigraph", "pull-quote",
	}, lower):
		said("is replaced by its content")
		return p.blocks(body)
	case lower == "tab-item" || lower == "tab" || lower == "grid-item-card":
		said("becomes a line in bold, with its content below it")
		return append([]line{{"**" + p.inline(argument, number) + "**", number}, {"", number}}, p.blocks(body)...)
	case lower == "glossary":
		return p.blocks(body)
	}
	if strings.HasPrefix(lower, "prf:") || strings.HasPrefix(lower, "proof:") {
		if kind, ok := proofs[base]; ok {
			return p.theorem(kind, argument, label, number, body, "{"+name+"}")
		}
	}
	if kind, ok := callouts[lower]; ok {
		if set["class"] != "" && lower == "admonition" {
			for word := range strings.FieldsSeq(set["class"]) {
				kind = cmp.Or(callouts[word], kind)
			}
			if strings.Contains(set["class"], "dropdown") {
				kind += "-"
			}
		}
		if lower != "admonition" && lower != "dropdown" && lower != "exercise" && lower != "solution" &&
			lower != "card" && lower != "topic" && lower != "sidebar" && lower != "margin" && argument != "" &&
			!strings.HasPrefix(lower, "version") && lower != "deprecated" && !isTitle(argument, body) {
			body = append([]line{{argument, number}}, body...) // in MyST, the argument is the beginning of the text
			argument = ""
		}
		if lower == "dropdown" || lower == "solution" {
			kind = "DETAILS-"
		}
		return p.callout(kind, argument, number, body, "{"+name+"}")
	}
	if slices.Contains([]string{
		"python", "r", "julia", "ojs", "bash", "sql", "go", "node", "dot", "javascript",
		"js", "html", "css", "latex", "typst", "stan", "rust",
	}, lower) {
		p.note(number, "```{%s}, which another program would run, becomes code", name)
		if slices.Contains(diagrams, lower) {
			lower = "text"
		}
		return p.code(lower, attributes{}, number, in)
	}
	p.note(number, "{%s} has no equivalent in a book and is shown as it is written", name)
	return codeLines("text", number, append([]line{{info, number}}, in...))
}

// directiveLook returns the options of a directive for code as attributes.
func directiveLook(set map[string]string) attributes {
	a := attributes{keys: set}
	if _, ok := set["linenos"]; ok {
		a.bare = []string{"linenos"}
	}
	delete(set, "name")
	return a
}

// isTitle guesses whether the words after a directive are its title. In Sphinx they are the beginning of the text; in
// other programs they are the title.
func isTitle(argument string, body []line) bool {
	return len(argument) < 60 && slices.ContainsFunc(body,
		func(l line) bool { return strings.TrimSpace(l.text) != "" }) &&
		!strings.HasSuffix(argument, ",") && (len(body) == 0 || strings.TrimSpace(body[0].text) == "" ||
		body[0].text[0] < 'a' || body[0].text[0] > 'z')
}

func linesAt(text string, number int) []line {
	lines := linesOf(text, 1)
	for i := range lines {
		lines[i].number = number
	}
	return lines
}

// comment puts lines in a comment, so that readers do not see them.
func comment(head string, number int, in []line) []line {
	out := []line{{"<!-- " + strings.TrimSpace(head), number}}
	for _, l := range in {
		if t := strings.ReplaceAll(l.text, "--", "- -"); strings.TrimSpace(t) != "" {
			out = append(out, line{t, l.number})
		}
	}
	return append(out, line{"-->", number})
}

// callout returns a callout, which is a quotation that begins with its kind.
func (p *page) callout(kind, title string, number int, body []line, was string) []line {
	folded := ""
	if k, ok := strings.CutSuffix(kind, "-"); ok {
		kind, folded = k, "-"
	}
	p.note(number, "%s becomes a callout, > [!%s]%s", was, kind, folded)
	p.heads = true
	title = strings.ReplaceAll(p.inline(strings.TrimSpace(title), number), "\n", " ")
	p.heads = false
	first := line{strings.TrimSpace("[!" + kind + "]" + folded + " " + title), number}
	inside := p.blocks(body)
	for len(inside) > 0 && strings.TrimSpace(inside[0].text) == "" {
		inside = inside[1:]
	}
	return append(quoted(append([]line{first}, inside...)), line{"", number})
}

// theorem returns a callout for a theorem, a proof or the like, with a name made from its label.
func (p *page) theorem(kind [2]string, title, label string, number int, body []line, was string) []line {
	if kind[1] != "" {
		title = strings.TrimSpace(kind[1] + " " + title)
	}
	if label == "" {
		label, p.waiting = p.waiting, ""
	}
	k, name := kind[0], ""
	switch k {
	case "DETAILS":
		k += "-"
	case "PROOF":
	default:
		name = p.named("thm", label, number)
	}
	out := p.callout(k, title, number, body, was)
	if name != "" {
		out[0].text += " {#" + name + "}"
	}
	return out
}

// withCaption adds a caption, and a name made from a label, to a table.
func (p *page) withCaption(caption, label string, number int, table []line) []line {
	if strings.TrimSpace(caption) == "" {
		return table
	}
	text := "Table: " + strings.TrimSpace(strings.ReplaceAll(p.inline(caption, number), "\n", " "))
	if label != "" {
		text += " {#" + p.named("tbl", label, number) + "}"
	}
	return append(table, line{"", number}, line{text, number}, line{"", number})
}

// rows returns the rows of a table directive.
func (p *page) rows(kind, _ string, set map[string]string, body []line) (rows [][]string) {
	if kind == "csv-table" {
		var text strings.Builder
		if set["header"] != "" {
			text.WriteString(set["header"] + "\n")
		}
		for _, l := range body {
			text.WriteString(l.text + "\n")
		}
		return csvTable(text.String(), ',')
	}
	for _, l := range body {
		t := strings.TrimSpace(l.text)
		switch {
		case strings.HasPrefix(t, "* -"):
			rows = append(rows, []string{strings.TrimSpace(t[3:])})
		case strings.HasPrefix(t, "- ") || t == "-":
			if len(rows) == 0 {
				return nil
			}
			rows[len(rows)-1] = append(rows[len(rows)-1], strings.TrimSpace(t[1:]))
		case t != "":
			if len(rows) == 0 {
				return nil
			}
			last := rows[len(rows)-1]
			last[len(last)-1] += " " + t
		}
	}
	return rows
}

// tableOf returns a Markdown table.
func (p *page) tableOf(rows [][]string, caption, label string, number int) (out []line) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	for i, r := range rows {
		cells := make([]string, width)
		p.cell = true
		for j, c := range r {
			cells[j] = strings.ReplaceAll(p.inline(strings.ReplaceAll(c, "|", `\|`), number), "\n", " ")
		}
		p.cell = false
		out = append(out, line{"| " + strings.Join(cells, " | ") + " |", number})
		if i == 0 {
			out = append(out, line{"|" + strings.Repeat("---|", width), number})
		}
	}
	return p.withCaption(caption, label, number, out)
}

// div rewrites a block between lines of colons, as in Pandoc, Quarto and MyST.
func (p *page) div(head string, number int, in []line) []line {
	if m := directive.FindStringSubmatch(head); m != nil {
		return p.directive(m[1], m[2], number, in, head)
	}
	head = strings.TrimSpace(strings.TrimRight(head, ": "))
	var a attributes
	title := ""
	if inner, ok := strings.CutPrefix(head, "{"); ok {
		a = attributesOf(strings.TrimSuffix(inner, "}"))
	} else { // ::: callout-note, or ::: warning Title
		word, more, _ := strings.Cut(head, " ")
		a = attributesOf("." + word)
		if strings.HasPrefix(more, "{") {
			b := attributesOf(strings.Trim(more, "{}"))
			a.id, a.keys = b.id, b.keys
		} else {
			title = more
		}
	}
	title = cmp.Or(a.keys["title"], a.keys["name"], title)
	for _, class := range a.classes {
		kind, ok := callouts[strings.TrimPrefix(class, "callout-")]
		if !ok {
			continue
		}
		if i := slices.IndexFunc(in, func(l line) bool { return strings.TrimSpace(l.text) != "" }); i >= 0 &&
			title == "" {
			if m := headingLine.FindStringSubmatch(in[i].text); m != nil {
				title, in = headingTail.ReplaceAllString(m[2], ""), in[i+1:]
			}
		}
		if a.keys["collapse"] != "" {
			kind = strings.TrimSuffix(kind, "-") + "-"
		}
		if kind == "DETAILS" {
			kind = "DETAILS-"
		}
		return p.callout(kind, title, number, in, "::: "+head)
	}
	if form := formOf(a); form != "" && !slices.ContainsFunc(in, numbered) {
		p.note(number, "::: %s becomes text for one form of the book", head)
		out := append([]line{{"", number}, {fmt.Sprintf("{{ only %q }}", form), number}, {"", number}}, p.blocks(in)...)
		return append(out, line{"", number}, line{"{{ end }}", number}, line{"", number})
	}
	if m := kindRule.FindStringSubmatch(a.id); m != nil && kinds[m[1]] == "fig" {
		p.note(number, "::: %s is replaced by its figures and their caption", head)
		return p.figures(in, a.id, a.keys["fig-cap"], number)
	}
	if m := kindRule.FindStringSubmatch(a.id); m != nil && theorems[m[1]] != "" {
		if i := slices.IndexFunc(in, func(l line) bool { return strings.TrimSpace(l.text) != "" }); i >= 0 &&
			title == "" {
			if m := headingLine.FindStringSubmatch(in[i].text); m != nil {
				title, in = m[2], in[i+1:]
			}
		}
		return p.theorem(proofs[theorems[m[1]]], title, a.id, number, in, "::: "+head)
	}
	for _, class := range a.classes {
		if kind, ok := proofs[class]; ok {
			return p.theorem(kind, title, a.id, number, in, "::: "+head)
		}
	}
	p.note(number, "::: %s is replaced by its content", head)
	return append(p.blocks(in), line{"", number})
}

// formOf returns "screen" or "paper" for a Quarto block that is meant for only one of them, and "" for other blocks.
func formOf(a attributes) string {
	visible := slices.Contains(a.classes, "content-visible")
	if !visible && !slices.Contains(a.classes, "content-hidden") {
		return ""
	}
	format := a.keys["when-format"]
	if format == "" {
		format, visible = a.keys["unless-format"], !visible
	}
	switch on, is := map[string]bool{
		"html": true, "html:js": true, "pdf": false, "latex": false, "typst": false, "docx": false,
	}[format]; {
	case !is:
		return ""
	case on == visible:
		return "screen"
	}
	return "paper"
}

// numbered reports whether a line may contain a numbered item or an anchor.
func numbered(l line) bool {
	t := strings.TrimSpace(l.text)
	return strings.HasPrefix(t, "#") || strings.HasPrefix(t, "![") || strings.HasPrefix(t, ":") ||
		strings.HasPrefix(t, "```{") || strings.Contains(t, "[^") || strings.Contains(t, "{#") || strings.Contains(t, `\label`)
}

var quotedTitle = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)

// admonition rewrites a MkDocs callout or tab.
func (p *page) admonition(mark, rest string, number int, in []line) []line {
	title := ""
	if m := quotedTitle.FindStringSubmatch(rest); m != nil {
		title = strings.ReplaceAll(m[1], `\"`, `"`)
	}
	if strings.HasPrefix(mark, "=") {
		p.note(number, "the tab %q becomes a line in bold, with its content below it", title)
		return append([]line{{"**" + p.inline(title, number) + "**", number}, {"", number}}, p.blocks(in)...)
	}
	word, _, _ := strings.Cut(rest, " ")
	kind := cmp.Or(callouts[strings.ToLower(strings.Trim(word, `"|`))], "NOTE")
	if callouts[strings.ToLower(word)] == "" && title == "" {
		title = rest
	}
	if strings.HasPrefix(mark, "?") {
		kind += "-"
	}
	return p.callout(kind, title, number, in, mark+" "+word)
}
