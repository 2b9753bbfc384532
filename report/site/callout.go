package site

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// calloutNames are the kinds of callouts with the words they open with. A block quote that starts with "[!KIND]",
// optionally followed by a title, is a callout; with "[!KIND]-" it is folded, and its title opens it.
var calloutNames = map[string]string{
	"note": "Note", "tip": "Tip", "warning": "Warning", "result": "Result", "definition": "Definition",
	"theorem": "Theorem", "lemma": "Lemma", "proof": "Proof", "example": "Example", "correction": "Correction",
	"question": "Question", "details": "Details", "checked": "Checked by Coq",
}

var calloutRule = regexp.MustCompile(`^\[!([A-Za-z]+)\](-?)[ \t]*`)

// titleOnly is the kind whose word gives way to a title.
const titleOnly = "details"

// answersAnchor is the part of a page's frame that leads to its answer sheet: while it is the target of the address,
// the page shows its answers alone. Answers are the folded details and questions; they stay folded on paper. See ADR
// 41.
const answersAnchor = "answer-sheet"

// addAnswer takes note of an answer, and of the heading that it stands below.
func (c *chapter) addAnswer() {
	c.answers = true
	if last := len(c.headings) - 1; last >= 0 {
		c.headings[last].answered = true
	}
}

// calloutTitle is the title of a callout; its presence as first child makes a block quote one.
type calloutTitle struct {
	ast.BaseBlock
	kind   string
	folded bool
	open   bool          // a summary whose end has not come
	rest   *text.Segment // what stands behind a summary on its line
}

var kindCalloutTitle = ast.NewNodeKind("SiteCalloutTitle")

func (n *calloutTitle) Kind() ast.NodeKind         { return kindCalloutTitle }
func (n *calloutTitle) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// calloutTransformer takes the first line off the first paragraph of a callout, before inline markup is parsed.
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
	if rest := first.WithStart(first.Start + m[1]); strings.TrimSpace(string(rest.Value(reader.Source()))) != "" {
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
	if _, ok := calloutNames[n.kind]; !ok {
		c.errs.addf(p.at(n.Pos()), "there is no callout [!%s]; there are %s",
			strings.ToUpper(n.kind), strings.ToUpper(strings.Join(slices.Sorted(maps.Keys(calloutNames)), ", ")))
	}
}
