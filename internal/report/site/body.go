package site

import (
	"cmp"
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
)

// part is a part of a page's body that can be rendered as HTML.
type part interface {
	render(r *pageRenderer) string
}

// readBlocks reads the blocks of a body, or blocks for one place in a text.
func (c *chapter) readBlocks(blocks []content.Block) {
	for _, b := range blocks {
		switch b := b.(type) {
		case content.Prose:
			c.settle(b.Place)
			p := &prose{place: b.Place, source: string(b.Text), inner: b.Inner, images: b.Images}
			p.place.File = cmp.Or(b.Place.File, c.file())
			p.markLines()
			c.addProse(p, []byte(b.Text))
		case content.Code:
			c.settle(b.Place)
			c.parts = append(c.parts, c.listing(b))
		case content.Output:
			c.parts = append(c.parts, output(b))
		case content.Claim:
			c.parts = append(c.parts, c.newClaim(b))
		case content.Fold:
			c.addAnswer()
			c.parts = append(c.parts, foldOpens(b.Title))
			c.readBlocks(b.Body)
			c.parts = append(c.parts, foldEnds{})
		case *content.Figure:
			c.addBlock(c.newFigure(b, plainProse(b.Title), c.here))
		case *content.Table:
			c.addBlock(c.newTable(b, plainProse(b.Title), c.here))
		case *content.Entries:
			list := c.newEntries(b, c.here)
			list.caption = plainProse(b.Title)
			c.addBlock(list)
		case *sanitize.Markup:
			c.parts = append(c.parts, markup{b})
		case LiveMark:
			c.parts = append(c.parts, b)
		default:
			c.errs.addf(c.here, "a block of the type %T: a page can only show the types of package content", b)
		}
	}
}

func (c *chapter) addBlock(b *block) {
	c.blocks = append(c.blocks, b)
	c.parts = append(c.parts, b)
}

// body renders the parts of a page.
func (r *pageRenderer) body() string { return r.render(r.chapter.parts) }

func (r *pageRenderer) render(parts []part) string {
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(p.render(r))
	}
	return out.String()
}

// listing is a code cell.
type listing struct {
	content.Code
	anchor string // the anchor of its number; "" if it has none
}

var notInAnchors = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// listing returns the listing for a code cell, with its anchor. The anchor begins with the page's slug and a full stop,
// so that it differs from the anchors of headings.
func (c *chapter) listing(code content.Code) listing {
	if code.Number == 0 {
		return listing{code, ""}
	}
	name := notInAnchors.ReplaceAllString(c.Slug+"."+cmp.Or(code.ID, "cell-"+strconv.Itoa(code.Number)), "-")
	anchor := c.unused(name, ".")
	c.anchor(anchor, c.here)
	return listing{code, anchor}
}

// unused returns an unused name for an anchor: the given name, or else the name with a number appended, which is at
// least 2.
func (c *chapter) unused(name, gap string) string {
	if _, taken := c.anchors[name]; !taken {
		return name
	}
	i := max(c.repeated[name], 2)
	for ; ; i++ {
		numbered := name + gap + strconv.Itoa(i)
		if _, taken := c.anchors[numbered]; !taken {
			c.repeated[name] = i + 1
			return numbered
		}
	}
}

func (l listing) render(r *pageRenderer) string {
	label := ""
	if l.anchor != "" {
		number, id := strconv.Itoa(l.Number), r.id(l.anchor)
		label = `<p class="cell-label" id="` + id + `"><a href="#` + id + `"` + r.label("cell", number) + `>[` +
			number + `]</a></p>`
	}
	switch blank := strings.TrimSpace(l.Text) == ""; {
	case blank && label == "":
		return ""
	case blank:
		return inFragment(label)
	case l.Folded:
		return `<div class="folded-cell">` + label + `<details class="code-fold">` + "\n<summary>" +
			l.summary(r.words()) + "</summary>\n" +
			r.codeHTML(l.Language, l.Text) + "</details></div>\n"
	case label != "":
		label = inFragment(label)
	}
	return label + r.codeHTML(l.Language, l.Text)
}

// summary returns the line that represents folded code. If it begins with the name of a function, the name is set as
// code.
func (l listing) summary(say Words) string {
	words := html.EscapeString(l.Summary)
	switch name, rest, _ := strings.Cut(l.Summary, " "); {
	case words == "" && l.Number > 0:
		words = html.EscapeString(say.Say("of-cell", l.Number))
	case name != "" && strings.Contains(l.Text, "func "+name+"("):
		words = "<code>" + html.EscapeString(name) + "</code> " + html.EscapeString(rest)
	}
	return strings.TrimSpace(`<span class="callout-kind">` + html.EscapeString(say.Say("code")) + `</span> ` + words)
}

// foldOpens and foldEnds enclose the parts of a fold. These parts stay in the list of all parts, because other code
// counts and collects parts by going through that list.
type (
	foldOpens string // the fold's title
	foldEnds  struct{}
)

func (f foldOpens) render(*pageRenderer) string {
	return `<details class="callout callout-details answer">` + "\n" + `<summary class="callout-title">` +
		html.EscapeString(string(f)) + "</summary>\n"
}

func (foldEnds) render(*pageRenderer) string { return "</details>\n" }

// inFragment wraps markup that is neither prose nor a figure.
func inFragment(markup string) string { return `<div class="fragment">` + markup + "</div>\n" }

// output is text that a program printed.
type output content.Output

var outputClasses = map[content.OutputKind]string{
	content.Printed: "output", content.Diagnostic: "output output-stderr", content.Failure: "output output-error",
}

func (o output) render(*pageRenderer) string {
	text := html.EscapeString(o.Text)
	switch o.Kind {
	case content.Remark:
		return inFragment(`<p class="output-note">` + text + `</p>`)
	case content.Sentence:
		return inFragment(`<p>` + strings.ReplaceAll(text, "\n", "<br />") + `</p>`)
	}
	return inFragment(
		`<pre class="` + outputClasses[o.Kind] + `" tabindex="0" role="group" aria-label="` + html.EscapeString(
			o.Label,
		) + `"><samp>` + text + `</samp></pre>`,
	)
}

// claim is a claim that has been checked and is true.
type claim struct {
	content.Claim
	anchor, label string // set for a claim with a name
}

// newClaim returns the part for a claim. A claim with a name gets a number and an anchor.
func (c *chapter) newClaim(b content.Claim) claim {
	if b.ID == "" {
		return claim{Claim: b}
	}
	made := claim{b, "claim-" + b.ID, c.words.Say("claim", c.numbered(len(c.claims)+1))}
	c.anchor(made.anchor, c.here)
	c.claims = append(c.claims, made)
	return made
}

func (c claim) render(r *pageRenderer) string {
	text := `<p class="claim"><span class="claim-sign">✓</span> ` + html.EscapeString(c.Text) + "</p>\n"
	if c.ID != "" {
		id := r.id(c.anchor)
		text = `<p class="claim" id="` + id + `"><span class="claim-sign">✓</span> <a class="caption-number" href="#` +
			id + `">` + html.EscapeString(c.label) + `</a> ` + html.EscapeString(c.Text) + "</p>\n"
	}
	if c.Cases == 0 {
		return text
	}
	e := withNotes(0, unnumbered(html.EscapeString(r.words().Count(c.Cases, "case", "cases"))))
	return e.start + text + e.end
}

// markup is sanitized HTML from an untrusted source.
type markup struct{ *sanitize.Markup }

func (m markup) render(*pageRenderer) string { return inFragment(m.String()) }

// Opening returns the first heading of level 1 and the first paragraph of a body as plain text. Each is "" if there is
// none.
func Opening(body []content.Block) (title, paragraph string) {
	c := readChapter(&Page{Body: body}, "", nil)
	for _, part := range c.parts {
		if p, ok := part.(*prose); ok && paragraph == "" {
			paragraph = c.firstParagraph(p, p.doc)
		}
	}
	return c.titleText, paragraph
}

// firstParagraph returns the text of the first paragraph below a node, or "" if there is none.
func (c *chapter) firstParagraph(p *prose, n ast.Node) string {
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		text := ""
		switch n.Kind() {
		case ast.KindParagraph:
			text = strings.Join(strings.Fields(c.plainText(n, p.text)), " ")
		case ast.KindBlockquote, kindNoted:
			text = c.firstParagraph(p, n)
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// codeClasses maps the kinds of tokens that are coloured to CSS classes.
var codeClasses = map[chroma.TokenType]string{
	chroma.Comment:         "tok-comment",
	chroma.KeywordType:     "tok-type",
	chroma.Keyword:         "tok-keyword",
	chroma.OperatorWord:    "tok-keyword",
	chroma.LiteralString:   "tok-string",
	chroma.LiteralNumber:   "tok-number",
	chroma.NameFunction:    "tok-function",
	chroma.NameBuiltin:     "tok-function",
	chroma.NameClass:       "tok-type",
	chroma.NameTag:         "tok-keyword",
	chroma.NameAttribute:   "tok-function",
	chroma.GenericDeleted:  "tok-comment",
	chroma.GenericInserted: "tok-string",
}

// code renders a block of code with syntax highlighting. Code in an unknown language is plain.
func (r *pageRenderer) code(n ast.Node, src []byte) element {
	if f := r.chapter.formulas[n]; f != nil {
		return wholeElement(f.mathHTML(r))
	}
	if b := r.chapter.diagrams[n]; b != nil {
		return wholeElement(b.render(r))
	}
	language, look := "", codeLook{}
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language, _, _ = strings.Cut(string(fenced.Language(src)), ",") // mdBook adds attributes
		if fenced.Info != nil {
			_, words, _ := strings.Cut(string(fenced.Info.Segment.Value(src)), " ")
			look, _, _ = readLook(words, n.Lines().Len())
		}
	}
	text := unmarked(string(n.Lines().Value(src)))
	text, look.notes, _ = annotated(text, n.NextSibling())
	return wholeElement(look.titled(r.codeLooks(language, text, look)))
}

func (r *pageRenderer) codeHTML(language, text string) string {
	return r.codeLooks(language, text, codeLook{})
}

func (r *pageRenderer) codeLooks(language, text string, look codeLook) string {
	label := r.label("code")
	if language != "" {
		label = r.label("code-in", language)
	}
	class := ""
	if look.numbers {
		class = ` class="numbers"`
	}
	return `<pre` + class + ` tabindex="0" role="group"` + label + `><code>` + look.lined(highlight(language, text)) +
		"</code></pre>\n"
}

// chroma stops each match of a regular expression after 250 ms of wall-clock time, and continues as if nothing had
// matched. A busy machine needs more time. With this setting, regexp2 reads its clock only once a minute, so each match
// has about a minute.
func init() { regexp2.SetTimeoutCheckPeriod(time.Minute) }

// highlight returns code as HTML. If the lexer fails on unusual input, the code is plain, but complete.
func highlight(language, text string) string {
	var tokens []chroma.Token
	if language != "" {
		if lexer := lexers.Get(language); lexer != nil {
			tokens, _ = chroma.Tokenise(chroma.Coalesce(lexer), nil, text)
		}
	}
	var b, plain strings.Builder
	for _, t := range tokens {
		plain.WriteString(t.Value)
		// Use the class of the token's type or, if the type has no class, of its subcategory or category.
		class := cmp.Or(codeClasses[t.Type], codeClasses[t.Type.SubCategory()], codeClasses[t.Type.Category()])
		if class != "" {
			for line := range strings.Lines(t.Value) { // so that no element spans several lines
				line, ended := strings.CutSuffix(line, "\n")
				if line != "" {
					b.WriteString(`<span class="` + class + `">` + html.EscapeString(line) + `</span>`)
				}
				if ended {
					b.WriteByte('\n')
				}
			}
		} else {
			b.WriteString(html.EscapeString(t.Value))
		}
	}
	if strings.TrimRight(plain.String(), "\n") != strings.TrimRight(text, "\n") {
		return html.EscapeString(text)
	}
	return b.String()
}
