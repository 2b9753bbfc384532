package site

import (
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// calloutNames lists the kinds of callouts. A block quote that starts with "[!KIND]" and an optional title is a
// callout. If it starts with "[!KIND]-", the callout is folded, and a click on its title opens it.
var calloutNames = []string{
	"algorithm", "axiom", "caution", "checked", "conjecture", "corollary", "correction", "definition", "details",
	"example", "important", "lemma", "note", "proof", "proposition", "question", "remark", "result", "slide", "theorem",
	"tip", "warning",
}

// statements lists the kinds of callouts that get a number and an anchor if {#name} follows the title. A page numbers
// callouts of all these kinds together, so Lemma 3.2 follows Theorem 3.1.
var statements = []string{
	"algorithm", "axiom", "conjecture", "corollary", "definition", "example", "lemma", "proposition", "question",
	"remark", "result", "theorem",
}

var (
	calloutRule   = regexp.MustCompile(`^\[!([A-Za-z]+)\](-?)[ \t]*`)
	statementName = regexp.MustCompile(`(?:^|[ \t])\{#([^{}]*)\}[ \t\r\n]*$`)
)

// titleOnly is the kind of callout whose title is not preceded by the name of its kind.
const titleOnly = "details"

// answersAnchor is the anchor of the answer sheet. While it is the target of the address, the page shows only its
// answers, which are the folded details and questions. On paper, they stay folded. See ADR 17.
const answersAnchor = "answer-sheet"

// projectorAnchor is the anchor of the projector view. While it is the target of the address, each figure and table of
// the page fills the screen, and the scroll keys go from one to the next.
const projectorAnchor = "projector"

// addAnswer records that the page has an answer, and marks the heading above it.
func (c *chapter) addAnswer() {
	c.answers = true
	if last := len(c.headings) - 1; last >= 0 {
		c.headings[last].answered = true
	}
}

// calloutTitle is the title of a callout. A block quote whose first child is a calloutTitle is a callout.
type calloutTitle struct {
	ast.BaseBlock
	kind   string
	folded bool
	name   string        // the name of a statement; see [statements]
	label  string        // the label of a statement that has a name, such as "Theorem 3.1"
	open   bool          // the title is a summary whose end tag has not been read
	rest   *text.Segment // the text after the end of a summary on its line
}

var kindCalloutTitle = ast.NewNodeKind("SiteCalloutTitle")

func (n *calloutTitle) Kind() ast.NodeKind         { return kindCalloutTitle }
func (n *calloutTitle) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// calloutTransformer turns the first line of a callout into its title, before inline markup is parsed.
type calloutTransformer struct{}

func (calloutTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	quote := p.Parent()
	if quote == nil || quote.Kind() != ast.KindBlockquote || p.PreviousSibling() != nil || p.Lines().Len() == 0 {
		return
	}
	first := p.Lines().At(0)
	m := calloutRule.FindSubmatchIndex(first.Value(reader.Source()))
	if m == nil {
		return
	}
	value := first.Value(reader.Source())
	title := &calloutTitle{kind: strings.ToLower(string(value[m[2]:m[3]])), folded: m[4] < m[5]}
	title.SetPos(first.Start)
	rest := first.WithStart(first.Start + m[1])
	if named := statementName.FindSubmatchIndex(rest.Value(reader.Source())); named != nil {
		title.name = string(rest.Value(reader.Source())[named[2]:named[3]])
		rest = rest.WithStop(rest.Start + named[0])
	}
	if strings.TrimSpace(string(rest.Value(reader.Source()))) != "" {
		title.Lines().Append(rest.TrimRightSpace(reader.Source()))
	}
	quote.InsertBefore(quote, p, title)
	p.Lines().SetSliced(1, p.Lines().Len())
	if p.Lines().Len() == 0 {
		quote.RemoveChild(quote, p)
	}
}

func (c *chapter) collectCallout(n *calloutTitle, p *prose) {
	if n.folded && (n.kind == titleOnly || n.kind == "question") {
		c.addAnswer()
	}
	if !slices.Contains(calloutNames, n.kind) {
		c.errs.addf(p.placeAt(n.Pos()), "there is no callout [!%s]: use one of %s",
			strings.ToUpper(n.kind), strings.ToUpper(strings.Join(calloutNames, ", ")))
	}
	at := p.placeAt(n.Pos())
	switch {
	case n.name == "":
	case !slices.Contains(statements, n.kind):
		c.errs.addf(at, "[!%s] is not numbered, so {#%s} has no effect: leave it out; the numbered kinds are %s",
			strings.ToUpper(n.kind), n.name, strings.ToUpper(strings.Join(statements, ", ")))
	case !content.ValidID(n.name):
		c.errs.addf(at, "{#%s}: a name may contain only lower-case letters, digits and single hyphens", n.name)
	default:
		c.statements = append(c.statements, n)
		n.label = c.words.Say(n.kind) + " " + c.numbered(len(c.statements))
		c.anchor(n.anchor(), at)
	}
}

func (n *calloutTitle) anchor() string { return "thm-" + n.name }

// fold is a folded callout: the text between <details> and </details>, each at the start of a line. Its title is the
// text between <summary> and </summary>.
type fold struct {
	ast.BaseBlock
	closed bool
}

var kindFold = ast.NewNodeKind("SiteFold")

func (n *fold) Kind() ast.NodeKind         { return kindFold }
func (n *fold) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

var (
	foldStart  = regexp.MustCompile(`(?i)^<details(\s[^>]*)?>`)
	foldEnd    = regexp.MustCompile(`(?i)^ {0,3}</details\s*>[ \t]*\r?\n?$`)
	titleStart = regexp.MustCompile(`(?i)^<summary(\s[^>]*)?>`)
	titleEnd   = regexp.MustCompile(`(?i)</summary\s*>`)
	foldTag    = regexp.MustCompile(`(?i)^</?(details|summary)[\s>]`)
)

// mostFolds is the maximum depth of nested folds. There is a limit because the parser checks all open folds at each
// line.
const mostFolds = 20

// foldParser parses folds, which are blocks that contain other blocks.
type foldParser struct{}

func (foldParser) Trigger() []byte { return []byte{'<'} }

func (foldParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	indent := max(pc.BlockOffset(), 0)
	tag := foldStart.FindIndex(line[indent:])
	around := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == kindFold {
			around++
		}
	}
	if tag == nil || around == mostFolds {
		return nil, parser.NoChildren
	}
	reader.Advance(indent + tag[1])
	return &fold{}, parser.HasChildren
}

func (foldParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	n := node.(*fold)
	line, _ := reader.PeekLine()
	switch {
	case n.closed: // the end tag was on the previous line
		return parser.Close
	case foldEnd.Match(line) && endsHere(n, pc):
		n.closed = true
		advanceToEnd(reader)
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

// endsHere reports whether an end tag belongs to a fold: the fold must be the innermost open one, and the tag must not
// be inside a code block or a comment.
func endsHere(n *fold, pc parser.Context) bool {
	open := pc.OpenedBlocks()
	own := slices.IndexFunc(open, func(b parser.Block) bool { return b.Node == ast.Node(n) })
	for _, b := range open[own+1:] {
		if inner, ok := b.Node.(*fold); ok && !inner.closed {
			return false
		}
	}
	switch last := open[len(open)-1].Node.(type) {
	case *ast.FencedCodeBlock:
		return false
	case *ast.HTMLBlock:
		return last.HTMLBlockType >= ast.HTMLBlockType6
	}
	return true
}

func (foldParser) Close(ast.Node, text.Reader, parser.Context) {}
func (foldParser) CanInterruptParagraph() bool                 { return true }
func (foldParser) CanAcceptIndentedLine() bool                 { return false }

// summaryParser parses the title at the beginning of a fold.
type summaryParser struct{}

func (summaryParser) Trigger() []byte { return []byte{'<'} }

func (s summaryParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if parent.Kind() != kindFold || parent.HasChildren() {
		return nil, parser.NoChildren
	}
	line, _ := reader.PeekLine()
	indent := max(pc.BlockOffset(), 0)
	tag := titleStart.FindIndex(line[indent:])
	if tag == nil {
		return nil, parser.NoChildren
	}
	reader.Advance(indent + tag[1])
	n := &calloutTitle{kind: titleOnly, folded: true, open: true}
	s.line(n, parent.(*fold), reader)
	return n, parser.NoChildren
}

func (s summaryParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*calloutTitle)
	if !n.open {
		return parser.Close
	}
	s.line(n, node.Parent().(*fold), reader)
	return parser.Continue | parser.NoChildren
}

// advanceToEnd advances to the end of a line, before the line feed.
func advanceToEnd(reader text.Reader) {
	line, _ := reader.PeekLine()
	reader.Advance(len(strings.TrimRight(string(line), "\r\n")))
}

func trimmed(segment text.Segment, src []byte) text.Segment {
	segment = segment.TrimLeftSpace(src)
	return segment.TrimRightSpace(src)
}

// line reads a line of a title. Text after the end of the title, on the same line, becomes a paragraph of the fold. The
// fold may also end on this line.
func (summaryParser) line(n *calloutTitle, in *fold, reader text.Reader) {
	line, segment := reader.PeekLine()
	src := reader.Source()
	words, rest := text.NewSegment(segment.Start, segment.Stop), text.NewSegment(segment.Stop, segment.Stop)
	if end := titleEnd.FindIndex(line[segment.Padding:]); end != nil {
		words, rest = words.WithStop(segment.Start+end[0]), words.WithStart(segment.Start+end[1])
		n.open = false
	}
	if words = words.TrimLeftSpace(src); !words.IsEmpty() {
		n.Lines().Append(words)
	}
	rest = trimmed(rest, src)
	if before, ok := strings.CutSuffix(string(rest.Value(src)), "</details>"); ok {
		in.closed = true
		rest = trimmed(rest.WithStop(rest.Start+len(before)), src)
	}
	if !rest.IsEmpty() {
		n.rest = &rest
	}
	advanceToEnd(reader)
}

// Close adds the text after the title as a paragraph.
func (summaryParser) Close(node ast.Node, reader text.Reader, _ parser.Context) {
	n := node.(*calloutTitle)
	if last := n.Lines().Len() - 1; last >= 0 {
		n.Lines().Set(last, trimmed(n.Lines().At(last), reader.Source()))
	}
	if n.rest != nil {
		p := ast.NewParagraph()
		p.Lines().Append(*n.rest)
		p.SetPos(n.rest.Start)
		n.Parent().InsertAfter(n.Parent(), n, p)
	}
}
func (summaryParser) CanInterruptParagraph() bool { return true }
func (summaryParser) CanAcceptIndentedLine() bool { return false }

// collectFold records a fold. If the fold has no end tag, collectFold also records its place, because only later is it
// known whether the tag is missing or misplaced.
func (c *chapter) collectFold(n *fold, p *prose) {
	c.addAnswer()
	if !n.closed {
		c.unclosed = append(c.unclosed, p.placeAt(n.Pos()))
	}
	if title, ok := n.FirstChild().(*calloutTitle); ok && title.open {
		c.errs.addf(p.placeAt(title.Pos()), "<summary> without </summary>: close it before the text that is folded")
	}
}

// checkFoldTag records a fault for a misplaced tag of a fold. It returns false for other tags.
func (c *chapter) checkFoldTag(markup string, at content.Place) bool {
	if !foldTag.MatchString(markup) {
		return false
	}
	switch last := len(c.unclosed) - 1; {
	case strings.HasPrefix(strings.ToLower(markup), "<summary"):
		c.errs.addf(at, "<summary> outside <details>: put it inside, at the start")
	case strings.HasPrefix(strings.ToLower(markup), "</details") && last >= 0:
		c.errs.addf(
			at, "this </details> is not in the same list item as its <details> in line %d: indent both alike",
			c.unclosed[last].Line,
		)
		c.unclosed = c.unclosed[:last]
	case strings.HasPrefix(strings.ToLower(markup), "</details"):
		c.errs.addf(at, "</details> without <details>: open it in the same cell, at the start of a line")
	default:
		c.errs.addf(
			at, "<details> is in the middle of a line, or inside %d others: put it at the start of a line, and nest "+
				"fewer",
			mostFolds,
		)
	}
	return true
}

// checkFolds records a fault for each fold without an end tag, and reports whether there are any.
func (c *chapter) checkFolds() bool {
	found := len(c.unclosed) > 0
	for _, at := range c.unclosed {
		c.errs.addf(at, "<details> without </details>: close it in the same cell, at the start of a line")
	}
	c.unclosed = nil
	return found
}
