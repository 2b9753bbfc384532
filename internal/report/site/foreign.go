package site

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/siegebook/siegebook/internal/report/diagram"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Authors may be used to other dialects of Markdown. A page therefore refuses constructs that have a meaning in another
// dialect, but would be dropped or printed literally here. The message advises what to write instead.

// loanword is a construct of another dialect: the pattern that finds it, and advice on what to write instead.
type loanword struct {
	signs   []string // only text that contains one of these can match, which is quick to check
	pattern *regexp.Regexp
	cure    string
}

// In the text that is searched for loanwords, these characters replace everything that is not plain text.
const (
	codeSign  = "`"      // a code span
	otherSign = "\uFFFC" // a formula, an image, the end of a link
)

// apart is the name of a group that only white space can precede. A pattern that begins with a fixed sign, instead of
// matching the white space, is much quicker.
const apart = "apart"

// loanwords lists the constructs that checkLoanwords looks for in running text. A backslash before a sign makes it an
// ordinary character. The message quotes the group that matches.
var loanwords = []loanword{
	{
		[]string{"@"},
		regexp.MustCompile(`(?:^|[^\\])(\[(?:see )?-?@[\pL\pN_][^\[\]]*\])`),
		`a citation such as [@key, p. 3] belongs in the text of a page, in a heading or in the caption of a picture: ` +
			`move it there, or write \[ for a bracket`,
	},
	{
		[]string{"@"},
		regexp.MustCompile(`(?:^|[\s(\[;])(@(?:fig|tbl|eq|sec|lst|thm|lem|cor|prp|cnj|def|exm|exr|rem|alg|sol)` +
			`-[\pL\pN_-]+)`),
		`write a reference as {{ ref "fig:name" }}, with tbl:, eq:, sec: or thm: for a table, an equation, ` +
			`a heading or a theorem`,
	},
	{
		[]string{"~"},
		regexp.MustCompile(`(?:^|[^\\~])(~[\pL\pN]+~)|(?:^|[\s(])(~[^~\s][^~\n]*[^~\s]~)(?:[\s.,;:!?)]|$)`),
		`write H<sub>2</sub>O or $x_2$ for a subscript, ~~words~~ to strike words out, and \~ for the sign`,
	},
	{
		[]string{"^"},
		regexp.MustCompile(`(?:^|[^\\^])(\^[\pL\pN+−-]+\^)`),
		`write x<sup>2</sup> or $x^2$ for a superscript, and \^ for the sign`,
	},
	{
		[]string{"=="},
		regexp.MustCompile(`(?:^|[^\\=])(==[^=\s](?:[^=\n]*[^=\s])?==)(?:[\s.,;:!?)]|$)`),
		`write <mark>words</mark> to highlight words, and \== for the signs`,
	},
	{
		[]string{`\[`},
		regexp.MustCompile(`(\\\[[^\]]*(?:\\[A-Za-z]|[\pL\pN)}][\^_]|=)[^\]]*\\\])`),
		`a displayed formula must be a paragraph of its own: begin and end the paragraph with $$`,
	},
	{
		[]string{":::", "!!!", "???", "==="},
		regexp.MustCompile(`(?m)^(:{3,}[^\S\n]*[^\s:][^\n]*|(?:!!!|\?\?\?\+?|===)[^\S\n]+[\pL"][^\n]*)$`),
		`write a callout as a quotation: each line begins with ">", and the first is "> [!NOTE]" or the like`,
	},
	{
		[]string{"}`"},
		regexp.MustCompile(`(\{[a-z][a-z0-9:+-]*\})` + codeSign),
		`write {{ ref "fig:name" }} for a reference, $x$ for a formula, or only the words`,
	},
	{
		[]string{":"},
		regexp.MustCompile(`^(:[^\S\n]+[^\n]+)`),
		`a line that begins with ":" must follow the term that it explains: write the term; or write the caption of ` +
			`a table after the table, as a paragraph "Table: words {#name}"`,
	},
	{
		[]string{"{"},
		regexp.MustCompile(`(\{(?:[#.][\pL\pN][\pL\pN_:.-]*(?:\s[^{}]*)?|-)\})|[` + codeSign + otherSign +
			`](\{[^{}]+\})`),
		`only a heading, a figure on its own line, a cell and the like can have braces with a name, {#name}` +
			`: leave the braces out`,
	},
	{
		[]string{"[["},
		regexp.MustCompile(`(?:^|[^\\\[])(\[\[\pL[^\[\]]*\]\])`),
		`write a link as [words](page.md), or leave this out, because a page shows its contents automatically`,
	},
	{
		[]string{"{%"},
		regexp.MustCompile(`(?:^|[^\\])(\{%[^\n]*?%\})`),
		`a page cannot have tags in {% %}: write the result of the tag`,
	},
	{
		[]string{`\`},
		regexp.MustCompile(`(?:^|[^\\])(\\(?:cite[tp]?|ref|eqref|autoref|cref|label|footnote|textbf|textit|emph|` +
			`sub|subsection|section|chapter|caption|item|url|href)\{[^{}]*\})`),
		`TeX is for formulas: write {{ ref "eq:name" }} for a reference, [@key] for a citation, and Markdown ` +
			`for the rest`,
	},
	{
		[]string{":"},
		regexp.MustCompile(`(?P<` + apart + `>:[a-z][a-z0-9_+-]*[a-z0-9]:)(?:[\s.,;!?)]|$)`),
		`write the sign itself, not its name`,
	},
}

// checkLoanwords reports the constructs of other dialects in the running text of a block.
func (c *chapter) checkLoanwords(block ast.Node, p *prose) {
	text := flat(block, p.text)
	words := text.words
	if !bytes.ContainsAny(words, "@~^=\\:!?{[") {
		return
	}
	for _, f := range loanwords {
		if !slices.ContainsFunc(f.signs, func(sign string) bool { return bytes.Contains(words, []byte(sign)) }) {
			continue
		}
		for _, m := range f.pattern.FindAllSubmatchIndex(words, -1) {
			for g := 2; g < len(m); g += 2 {
				attached := m[g] > 0 && !slices.Contains([]byte(" \t\n\f\r"), words[m[g]-1])
				if m[g] >= 0 && !(attached && f.pattern.SubexpNames()[g/2] == apart) {
					c.errs.addf(p.placeAt(text.offset(m[g])), "%q: %s", shortened(words[m[g]:m[g+1]]), f.cure)
				}
			}
		}
	}
}

// shortened returns a text in the form in which a message quotes it: only the beginning, if the text is long.
func shortened(quoted []byte) string {
	all := []rune(string(quoted))
	if len(all) > 40 {
		return string(all[:40]) + "…"
	}
	return string(all)
}

// flatText is the running text of a block as written in the source, with other parts replaced by codeSign or otherSign.
type flatText struct {
	words  []byte
	pieces []flatPiece
}

// flatPiece records where a piece of a flatText begins, and where the piece begins in the source. fixed means that all
// bytes of the piece stand for the same place of the source.
type flatPiece struct {
	at, from int
	fixed    bool
}

// offset returns the place in the source for a byte of the text.
func (t *flatText) offset(at int) int {
	for _, p := range slices.Backward(t.pieces) {
		switch {
		case p.at > at:
		case p.fixed:
			return p.from
		default:
			return p.from + at - p.at
		}
	}
	return 0
}

// flat returns the running text of a block.
func flat(block ast.Node, src []byte) (t flatText) {
	last := max(block.Pos(), 0)
	add := func(more []byte, from int) {
		t.pieces = append(t.pieces, flatPiece{len(t.words), from, false})
		t.words = append(t.words, more...)
		last = from + len(more)
	}
	sign := func(stand string) {
		t.pieces = append(t.pieces, flatPiece{len(t.words), last, true})
		t.words = append(t.words, stand...)
	}
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if !entering {
				break
			}
			add(n.Segment.Value(src), n.Segment.Start)
			if n.SoftLineBreak() || n.HardLineBreak() {
				add([]byte("\n"), n.Segment.Stop)
			}
		case *ast.Emphasis, *extast.Strikethrough, *tagged:
		case *ast.Link:
			if !entering {
				sign(otherSign)
			}
		case *ast.CodeSpan:
			if entering {
				sign(codeSign)
			}
			return ast.WalkSkipChildren, nil
		default:
			if n != block {
				sign(otherSign)
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return t
}

// struckParser parses only ~~words~~, because a single tilde means strikethrough in some dialects and a subscript in
// others.
type struckParser struct{ parser.InlineParser }

func newStruckParser() parser.InlineParser { return struckParser{extension.NewStrikethroughParser()} }

func (s struckParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); !bytes.HasPrefix(line, []byte("~~")) {
		return nil
	}
	return s.InlineParser.Parse(parent, block, pc)
}

// mathLanguage is the language of a fenced block that contains a displayed formula, as on GitHub.
const mathLanguage = "math"

// otherDiagrams lists diagram languages that pages do not support.
var otherDiagrams = []string{"plantuml", "d2", "vega-lite", "tikz", "graphviz", "dot"}

// checkFence reports constructs of other dialects in the opening fence of a code block. It also reports marks in the
// code that the list after the code does not explain.
func (c *chapter) checkFence(n *ast.FencedCodeBlock, p *prose) {
	if _, _, missing := annotated(string(n.Lines().Value(p.text)), n.NextSibling()); missing > 0 {
		c.errs.addf(p.placeAt(n.Pos()), "the code has the mark <%d>, but the list after the code has no item %d: add "+
			"one",
			missing, missing)
	}
	if n.Info == nil {
		return
	}
	info := strings.TrimSpace(string(n.Info.Segment.Value(p.text)))
	at := p.placeAt(n.Info.Segment.Start)
	language, more, _ := strings.Cut(info, " ")
	name := strings.Trim(language, "{}.")
	switch {
	case strings.HasPrefix(language, "{") && slices.Contains([]string{"python", "r", "julia", "ojs", "code-cell", "go"},
		strings.ToLower(name)):
		c.errs.addf(at, "%.40q: a page only runs cells in Go, which begin with ```go run: write that, or ```%s to "+
			"show code that is not run", info, strings.ToLower(name))
	case strings.HasPrefix(language, "{"):
		c.errs.addf(at, "%.40q: only the language of code can come after ```: write a callout as lines that begin "+
			"with >, "+
			`the first "> [!NOTE]" or the like, a figure as ![what it shows](file.png "Caption"), and code `+
			"as ```go", info)
	case slices.Contains(otherDiagrams, language):
		c.errs.addf(at, "%.40q: a page can only draw the flowcharts and trees of ```diagram: write that, put a "+
			"picture there, or write ```text to show the text", language)
	case slices.Contains(diagram.Languages, language) && strings.TrimSpace(more) != "":
		c.errs.addf(at, "%.40q: nothing can come after ```diagram: write the caption as a paragraph after the block, "+
			"\"Figure: words {#name}\"", info)
	case strings.TrimSpace(more) != "":
		if _, known, fault := readLook(more, n.Lines().Len()); fault != "" {
			c.errs.addf(at, "%s", fault)
		} else if !known {
			c.errs.addf(at, "%.40q: only the language of code can come after ```, and then title=\"main.go\", "+
				"numbers or mark=\"2,4-6\": leave %.40q out", info, strings.TrimSpace(more))
		}
	}
}

// bracketed matches a paragraph that is a formula between \[ and \], as in TeX. It also matches brackets that are
// merely escaped; isBracketed excludes them.
var bracketed = regexp.MustCompile(`(?s)^\\\[(.*)\\\]$`)

// isBracketed reports whether a paragraph is a formula between \[ and \].
func isBracketed(text string) bool {
	m := bracketed.FindStringSubmatch(text)
	return m != nil && strings.TrimSpace(m[1]) != "" && !strings.Contains(m[1], `\[`) &&
		!strings.Contains(m[1], `\]`) && (strings.ContainsAny(m[1], `\^_=`) || strings.ContainsAny(m[1][:1], " \n\t"))
}

// inlineMath lists the delimiters of inline formulas.
var inlineMath = []passthrough.Delimiters{{Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}}

// mathDelimiters lists the pairs of delimiters that may enclose a formula.
var mathDelimiters = [][2]string{{"$$", "$$"}, {"$", "$"}, {`\(`, `\)`}, {`\[`, `\]`}}

// bareFormula returns a formula without the delimiters around it.
func bareFormula(source string) string {
	for _, d := range mathDelimiters {
		if strings.HasPrefix(source, d[0]) && strings.HasSuffix(source, d[1]) && len(source) >= len(d[0])+len(d[1]) {
			return source[len(d[0]) : len(source)-len(d[1])]
		}
	}
	return source
}
