package site

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// chapter is a page that is being turned into HTML: the parts of its body, and everything that has been found in them.
type chapter struct {
	*Page
	number string // "3", or "" on unnumbered pages
	words  Words
	calls  []*call
	parser parser.Parser
	parts  []part
	notes  []*note
	errs   errorList
	unread bool     // the text has not been read, because its template failed or the page is left out
	known  bool     // the page was read for an earlier rendering; see Memo
	source *source  // the source of a page with functions
	sum    []byte   // a hash of its data
	inert  sync.Map // for each name, whether the drawing is harmless as a file

	here     content.Place  // the place of the last block that has a place, for blocks without one
	cells    map[string]int // the numbers of the body's cells, in order
	listEnds map[int]bool   // the last numbers of the lists so far
	unclosed []content.Place
	answers  bool // the page has folded blocks that the answer sheet shows

	headings  []*heading
	title     *prose   // the title with its markup; nil if it has none
	titleNode ast.Node // the heading in title
	framed    ast.Node // the heading of the text that the page's frame shows
	titleText string   // the text of framed; "" if there is none
	titleID   string   // the author's anchor for framed
	// Title is the title of the page, with its formulas as text.
	Title    string
	byNode   map[ast.Node]*heading
	jupyter  map[string]string // maps Jupyter's anchors to the page's
	math     []*formula        // the formulas in the order of the text
	formulas map[ast.Node]*formula
	refs     map[*inlineCall]*reference
	links    []*link
	placed   map[*call]*block
	inserted map[*call][]part // the parts that calls of the function blocks place
	blocks   []*block
	claims   []claim // the claims with a name
	// statements are the theorems and the like with a name.
	statements []*calloutTitle
	captioned  []*captioned // the captioned blocks with a name
	group      *captioned   // the group of the figure that is being read; nil if it has none
	byName     map[blockName]*block
	count      map[callKind]int // the number of blocks of each kind placed so far
	images     map[*ast.Image]*picture
	diagrams   map[ast.Node]*block
	// inlineNotes maps notes inside sentences to their texts.
	inlineNotes map[*inlineNote]*prose
	anchors     map[string]content.Place // the place of each anchor; the frame's anchors have no file
	repeated    map[string]int           // for each name, the next number to append to it
}

// readChapter reads a page. The chapter's errs holds the faults. If the template of a text fails, there are no parts.
func readChapter(p *Page, number string, words Words) *chapter {
	c := newChapter(p, number, words)
	for _, id := range pageAnchors {
		c.anchors[id] = content.Place{}
	}
	if c.Omit {
		c.unread = true
		return c
	}
	c.readHeading()
	if c.Body == nil {
		c.readSource()
	} else {
		c.settle(content.Place{})
		c.readBlocks(c.Body)
	}
	c.outline()
	c.errs.sort(c.cells)
	c.sum, c.parser = c.dataSum(), nil // drop the parser, because parsers are large
	return c
}

// readHeading reads the markup of the page's heading.
func (c *chapter) readHeading() {
	if c.Heading == "" {
		return
	}
	p := &prose{text: []byte("# " + oneLine(string(c.Heading)) + "\n"), place: c.start()}
	p.doc = c.parse(p.text)
	c.refuseNotes("a title", p, p.doc)
	c.collect(p)
	c.titleText = "" // the text may repeat the title
}

func newChapter(p *Page, number string, words Words) *chapter {
	return &chapter{
		Page: p, number: number, words: words, Title: p.Title,
		byNode: map[ast.Node]*heading{}, jupyter: map[string]string{}, formulas: map[ast.Node]*formula{},
		refs:  map[*inlineCall]*reference{},
		cells: map[string]int{}, placed: map[*call]*block{}, byName: map[blockName]*block{}, count: map[callKind]int{},
		images: map[*ast.Image]*picture{}, diagrams: map[ast.Node]*block{},
		anchors: map[string]content.Place{}, repeated: map[string]int{}, inlineNotes: map[*inlineNote]*prose{},
	}
}

// readSource runs the template of a text and reads the Markdown that it produces.
func (c *chapter) readSource() {
	src, err := execute(c.Page)
	if err != nil {
		c.errs.join(err)
		c.unread = true
		return
	}
	c.parser = nil // the parser that read the title does not support calls
	if c.calls = src.calls; c.Funcs != nil {
		c.source = src
	}
	text := &prose{place: content.Place{File: c.file(), Line: 1}, marks: src.marks, included: c.Included}
	c.addProse(text, src.text)
	src.unseen(text, &c.errs)
	end := content.Place{File: c.file(), Line: lineOf(c.Source, len(c.Source))}
	if len(c.Included) > 0 {
		end.Line = c.Included[0].Line - 1
	}
	c.unusedBlocks(end)
	for _, name := range src.dead {
		c.errs.addf(end, "value %q is never shown: add {{ .Value %q }} or leave it out", name, name)
	}
}

func plainLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// anchor reserves the name of an anchor on the page.
func (c *chapter) anchor(name string, at content.Place) {
	if before, taken := c.anchors[name]; taken {
		where := "the page's frame"
		switch {
		case before.Cell != "" || before.Line > 0:
			where = inCell(before)
		case before.File != "":
			where = "another block"
		}
		c.errs.addf(at, "the anchor #%s is already used by %s: choose another name", name, where)
		return
	}
	c.anchors[name] = at
}

// pageAnchors lists the ids that the page's frame uses.
var pageAnchors = []string{answersAnchor, "content", projectorAnchor, "top"}

// settle records the file and the cell that contain the next blocks of a body.
func (c *chapter) settle(at content.Place) {
	if at.File == "" {
		at.File = c.file()
	}
	c.here = content.Place{File: at.File, Cell: at.Cell}
	if c.cells[at.Cell] == 0 {
		c.cells[at.Cell] = len(c.cells) + 1
	}
}

// collect walks a tree and records everything that needs a number, a check or another page before it can be rendered.
func (c *chapter) collect(p *prose) {
	walk(p.doc, func(n ast.Node) bool {
		if first := n.FirstChild(); first != nil && n.Type() == ast.TypeBlock && first.Type() == ast.TypeInline {
			c.checkLoanwords(n, p)
		}
		switch n := n.(type) {
		case *ast.Heading:
			if !c.collectTitle(n, p) {
				c.collectHeading(n, p)
			}
		case *passthrough.PassthroughInline, *passthrough.PassthroughBlock, *environment:
			c.collectMath(n, p)
		case *ast.List:
			c.checkList(n, p)
		case *blockCall:
			c.collectBlock(n, p)
		case *inlineCall:
			c.collectCall(n, p)
		case *calloutTitle:
			c.collectCallout(n, p)
		case *only:
			c.collectOnly(n, p)
		case *captioned:
			c.collectCaptioned(n, p)
		case *fold:
			c.collectFold(n, p)
		case *ast.Link:
			c.checkLink(n, p)
			dest := unmarked(string(resolved(n.Destination)))
			c.links = append(c.links, &link{node: n, dest: dest, place: p.placeAt(n.Pos())})
		case *ast.AutoLink:
			c.checkAutoLink(n, p)
		case *inlineNote:
			c.inlineNotes[n] = c.parseInline("a note", n.markdown, p.placeAt(n.Pos()))
		case *ast.Image:
			c.collectImage(n, p)
		case *ast.HTMLBlock:
			c.checkHTML(htmlBlock(n, p.text), p.placeAt(n.Pos()))
		case *ast.RawHTML:
			// HTML in the title of a fold is ignored.
			if _, ok := n.Parent().(*calloutTitle); !ok || n.Parent().Parent().Kind() != kindFold {
				c.checkHTML(string(n.Segments.Value(p.text)), p.placeAt(n.Pos()))
			}
		case *ast.Text:
			c.checkDollar(n, p)
			c.checkFootnote(n, p)
		case *ast.FencedCodeBlock:
			c.checkFence(n, p)
			switch {
			case string(n.Language(p.text)) == mathLanguage:
				c.collectMath(n, p)
			case isDiagram(n, p.text):
				c.collectDiagram(n, p)
			}
		case *ast.CodeSpan:
			return false
		}
		return true
	})
}

// walk calls enter for a node and the nodes below it, in the order of the text. It skips the nodes below a node for
// which enter returns false.
func walk(n ast.Node, enter func(ast.Node) bool) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // cannot fail: no error is returned
		if entering && !enter(n) {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
}

func htmlBlock(n *ast.HTMLBlock, src []byte) string {
	text := string(n.Lines().Value(src))
	if n.HasClosure() {
		text += string(n.ClosureLine.Value(src))
	}
	return text
}

// instead maps HTML elements to advice on what authors should write instead.
var instead = map[string]string{
	"br": "leave its attributes out", "sub": closeTag, "sup": closeTag, "kbd": closeTag, "abbr": closeTag,
	"mark": closeTag, "ins": closeTag, "samp": closeTag, "var": closeTag, "small": closeTag,
	"img": "leave src, alt, width and height, or write ![what it shows](file.png)", "a": "write [words](address)",
	"b": "write **words**", "strong": "write **words**", "i": "write *words*", "em": "write *words*",
	"code": "write `code`", "hr": "write ---", "table": "write a table with lines such as | a | b |",
	"del": "write ~~words~~",
	"p":   "leave the tag out", "div": "leave the tag out", "center": "leave the tag out", "span": "leave the tag out",
}

const closeTag = "close it in the same text, and give it no attributes"

var tagName = regexp.MustCompile(`^</?([A-Za-z][A-Za-z0-9]*)`)

// checkHTML reports HTML in a source as a fault. Comments are allowed, and left out of the page.
func (c *chapter) checkHTML(markup string, at content.Place) {
	markup = strings.TrimSpace(markup)
	if strings.HasPrefix(markup, "<!--") && strings.HasSuffix(markup, "-->") && strings.Count(markup, "-->") == 1 {
		return
	}
	if c.checkFoldTag(markup, at) {
		return
	}
	cure := "use Markdown"
	if m := tagName.FindStringSubmatch(markup); m != nil {
		cure = cmp.Or(instead[strings.ToLower(m[1])], cure)
	}
	c.errs.addf(at, "HTML in the source (%.40s): %s, or put it in backquotes", oneLine(markup), cure)
}

// checkList reports a number that Markdown mistakes for the number of a list item, as in the lines "2. 15. One hit
// more" and "33. There are 33 cells". A list of several items may begin with any number.
func (c *chapter) checkList(n *ast.List, p *prose) {
	if !n.IsOrdered() {
		return
	}
	if _, ok := n.Parent().(*ast.ListItem); ok && n.PreviousSibling() == nil {
		c.errs.addf(p.placeAt(n.Pos()), "a list item begins with a numbered list: write words before the list; if the "+
			"item begins with a number, write a word before the number")
		return
	}
	if n.Start > 1 && n.ChildCount() == 1 && !c.listEnds[n.Start-1] {
		c.errs.addf(
			p.placeAt(n.Pos()),
			`"%d." starts a list here, but no list before it ends with %d: write a word before the number, or start `+
				"at 1", n.Start,
			n.Start-1,
		)
	}
	if c.listEnds == nil {
		c.listEnds = map[int]bool{}
	}
	c.listEnds[n.Start+n.ChildCount()-1] = true
}

// checkDollar reports a dollar sign that neither opens nor closes a formula. Without the check, a formula could be lost
// silently.
func (c *chapter) checkDollar(n *ast.Text, p *prose) {
	value := n.Segment.Value(p.text)
	i := bytes.IndexByte(value, '$')
	if i < 0 || escaped(p.text, n.Segment.Start+i) {
		return
	}
	cure := `close the formula in the same paragraph (display math cannot contain blank lines), or write \$`
	if inCellOfTable(n) {
		cure = `"|" ends a cell, so write \vert or \mid in a formula, and \$ for a dollar sign`
	}
	c.errs.addf(p.placeAt(n.Segment.Start+i), `a "$" has no matching "$": %s`, cure)
}

func inCellOfTable(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == extast.KindTableCell {
			return true
		}
	}
	return false
}

// checkFootnote reports a reference to a missing footnote, because Markdown would print the reference with its
// brackets.
func (c *chapter) checkFootnote(n *ast.Text, p *prose) {
	src := p.text
	start := max(n.Segment.Start-1, 0)
	value := src[start:n.Segment.Stop]
	i := bytes.Index(value, []byte("[^"))
	if i < 0 || escaped(src, start+i) {
		return
	}
	name, _, _ := bytes.Cut(src[start+i+2:], []byte("]"))
	c.errs.addf(p.placeAt(start+i), `there is no footnote %.20q: add a line "[^%.20s]: text", or write \[^`, name, name)
}

func escaped(src []byte, i int) bool {
	n := 0
	for i > n && src[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// plainText returns a node's text without markup. Formulas are in TeX.
func (c *chapter) plainText(n ast.Node, src []byte) string {
	return unmarked(c.textOf(n, src, false, false))
}

// reading returns a node's text as readers see it on the page. The page's formulas must have been converted. If refs is
// true, the result includes the texts of references, which must have been resolved.
func (c *chapter) reading(n ast.Node, src []byte, refs bool) string {
	return strings.Join(strings.Fields(c.words.grouped(c.textOf(n, src, true, refs))), " ")
}

func (c *chapter) textOf(n ast.Node, src []byte, formulas, refs bool) string {
	var b strings.Builder
	walk(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Text:
			value := n.Segment.Value(src)
			if !n.IsRaw() && n.Parent().Kind() != ast.KindCodeSpan {
				value = resolved(value)
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *passthrough.PassthroughInline:
			tex := strings.TrimSpace(bareFormula(string(n.Segment.Value(src))))
			if f := c.formulas[n]; f != nil {
				if formulas && f.result != nil {
					tex = f.text()
				}
				tex = f.before + tex + f.after
			}
			b.WriteString(tex)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		case *tagged:
			if n.name == "br" {
				b.WriteByte(' ')
			}
		case *inlineCall:
			if ref := c.refs[n]; refs && ref != nil && ref.to != nil {
				b.WriteString(cmp.Or(ref.text, ref.to.text))
			}
		}
		return true
	})
	return b.String()
}

// resolved returns Markdown text in which backslashes before signs are removed, and entities are replaced with
// characters.
func resolved(text []byte) []byte {
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(text)))
}

// prose is a Markdown text and its tree.
type prose struct {
	text   []byte // the text that the tree refers to
	doc    ast.Node
	place  content.Place // the place of the first line, or of the whole text
	marks  []lineMark    // the beginnings of lines; nil if the whole text has the same place
	source string        // the source, if the text is a part of a body
	inner  bool
	images map[string]string
	// included lists the included files that some lines come from.
	included []Included
}

// lineMark records that the text from offset on comes from a certain line of the source.
type lineMark struct{ offset, line int }

// placeAt returns the place of the byte at offset.
func (p *prose) placeAt(offset int) content.Place {
	at := p.place
	if i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].offset > offset }); i > 0 {
		at.Line = p.marks[i-1].line
	}
	at.File, at.Line = comesFrom(p.included, at.File, at.Line)
	return at
}

// comesFrom returns the file and the line that a line of a source comes from, which may be in an included file.
func comesFrom(all []Included, file string, line int) (string, int) {
	for _, inc := range slices.Backward(all) {
		if line >= inc.Line {
			return inc.File, line - inc.Line + 1
		}
	}
	return file, line
}

// markLines records where the lines of the source begin, if the text is the source itself. It does nothing if the first
// line's number is unknown.
func (p *prose) markLines() {
	if p.place.Line == 0 {
		return
	}
	offset, line := 0, p.place.Line
	for l := range strings.Lines(p.source) {
		p.marks = append(p.marks, lineMark{offset, line})
		offset, line = offset+len(l), line+1
	}
}

// column returns the 1-based source column of the formula byte at offset. It returns 0 if the source line does not
// contain the formula's line, because a template call wrote it, or contains it more than once.
func (c *chapter) column(p *prose, line int, formula string, offset int) int {
	source, first := p.source, p.place.Line
	if c.Body == nil {
		source, first = plainLines(c.Source), 1
	}
	lines := strings.Split(source, "\n")
	if line < first || line-first >= len(lines) || offset > len(formula) {
		return 0
	}
	start := strings.LastIndexByte(formula[:offset], '\n') + 1
	piece, _, _ := strings.Cut(formula[start:], "\n")
	if piece == "" || strings.Count(lines[line-first], piece) != 1 {
		return 0
	}
	return strings.Index(lines[line-first], piece) + offset - start + 1
}

// endMark is a paragraph that addProse appends to every text. If it does not become a child of the document, a block
// before it is still open.
const endMark = "\n\nend of the text\n"

// addProse parses Markdown and records its content.
func (c *chapter) addProse(p *prose, markdown []byte) {
	p.text = append(markdown[:len(markdown):len(markdown)], endMark...)
	p.doc = c.parse(p.text)
	closed := removeEnd(p.doc, len(markdown)+2)
	c.collect(p)
	if !c.checkFolds() && !closed {
		c.openAtEnd(p)
	}
	c.takeNotes(p)
	c.placeNotes(p)
	c.parts = append(c.parts, p)
}

// openAtEnd reports a block that is still open at the end of the text. In a cell, the block may have begun anywhere.
func (c *chapter) openAtEnd(p *prose) {
	at, end := p.place, "cell"
	if at.Line = 0; at.Cell == "" {
		at, end = p.placeAt(len(p.text)), "text"
	}
	c.errs.addf(at, "a block is still open at the end of the %s: close its code fence, comment or formula", end)
}

// removeEnd removes the end mark, which begins at offset start, from a tree. It returns false if the mark is inside a
// block.
func removeEnd(doc ast.Node, start int) bool {
	for n := doc.LastChild(); n != nil; n = n.PreviousSibling() {
		if n.Kind() == ast.KindParagraph && n.Lines().Len() > 0 && n.Lines().At(0).Start == start {
			doc.RemoveChild(doc, n)
			return true
		}
	}
	return false
}

// parse returns the tree of a Markdown text, which may contain placeholders of this page's calls.
func (c *chapter) parse(markdown []byte) ast.Node {
	refers := c.Blocks != nil && bytes.Contains(markdown, []byte(refStart))
	if len(c.calls) == 0 && !refers {
		return plainParser().Parse(text.NewReader(markdown))
	}
	if c.parser == nil {
		var more []util.PrioritizedValue
		if c.Blocks != nil {
			more = append(more, util.Prioritized(refParser{c}, 40))
		}
		c.parser = newParser(callParser{c.calls}, more...)
	}
	return c.parser.Parse(text.NewReader(markdown))
}

// parseInline parses a caption or a cell of a table. The whole text has the same place.
func (c *chapter) parseInline(what string, m content.Markdown, at content.Place) *prose {
	p := &prose{text: []byte(strings.TrimSpace(string(m))), place: at}
	p.doc = c.parse(p.text)
	first := p.doc.FirstChild()
	if first != nil && (first.Kind() != ast.KindParagraph || first.NextSibling() != nil) {
		c.errs.addf(at, "%s must be text for a single line, but it begins with a %s: remove blank lines and block "+
			"markup",
			what, strings.ToLower(first.Kind().String()))
		p.doc = ast.NewDocument()
		return p
	}
	if first != nil {
		// A text block is rendered like a paragraph, but without <p>.
		plain := ast.NewTextBlock()
		for n := first.FirstChild(); n != nil; n = first.FirstChild() {
			plain.AppendChild(plain, n)
		}
		p.doc.ReplaceChild(p.doc, first, plain)
	}
	c.refuseNotes(what, p, p.doc)
	c.collect(p)
	c.checkFolds()
	return p
}

// plainProse returns text without markup as prose.
func plainProse(plain string) *prose {
	words := ast.NewString([]byte(plain))
	words.SetRaw(true)
	p := &prose{doc: ast.NewTextBlock()}
	p.doc.AppendChild(p.doc, words)
	return p
}

func (p *prose) render(r *pageRenderer) string { return r.html(p.text, p.doc) }
