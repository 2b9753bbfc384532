package site

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/siegebook/siegebook/report/content"
)

// captioned is a Markdown table, a diagram, or a group of figures, with a caption. In the text, the caption is the
// paragraph after it: "Table: The caption {#name}", as in Pandoc, or "Figure: The caption". In the tree, the caption is
// the first child.
type captioned struct {
	ast.BaseBlock
	kind          callKind // callTable or callFigure
	name          string   // "" if it has none
	anchor, label string
	number        string
	parts         int // the number of figures with a letter so far
}

// caption is the caption of a captioned block.
type caption struct{ ast.BaseBlock }

var (
	kindCaptioned = ast.NewNodeKind("SiteCaptioned")
	kindCaption   = ast.NewNodeKind("SiteCaption")
	captionStart  = regexp.MustCompile(`^(Table|Figure):[ \t]+`)
)

func (n *captioned) Kind() ast.NodeKind         { return kindCaptioned }
func (n *captioned) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }
func (n *caption) Kind() ast.NodeKind           { return kindCaption }
func (n *caption) Dump(src []byte, level int)   { ast.DumpHelper(n, src, level, nil, nil) }

// PlacedBlocks is the prefix of the names of blocks that replace figures of cells without results.
const PlacedBlocks = "place-"

// captionTransformer finds captions before inline markup is parsed.
type captionTransformer struct{ calls []*call }

func (t captionTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	if p.Lines().Len() == 0 {
		return
	}
	first := p.Lines().At(0)
	starts := captionStart.FindSubmatch(first.Value(reader.Source()))
	if starts == nil {
		return
	}
	n, words := &captioned{kind: callTable}, &caption{}
	var blocks []ast.Node
	if before := p.PreviousSibling(); before != nil && before.Kind() == extast.KindTable {
		blocks = append(blocks, before)
	}
	if string(starts[1]) == "Figure" {
		n.kind, blocks = callFigure, t.figures(p)
		if before := p.PreviousSibling(); isDiagram(before, reader.Source()) {
			blocks = []ast.Node{before}
		}
	}
	if len(blocks) == 0 {
		return
	}
	n.SetPos(first.Start)
	words.SetPos(first.Start)
	lines := p.Lines()
	lines.Set(0, first.WithStart(first.Start+len(starts[0])))
	last := lines.At(lines.Len() - 1)
	if m := statementName.FindSubmatchIndex(last.Value(reader.Source())); m != nil {
		n.name = string(last.Value(reader.Source())[m[2]:m[3]])
		last = last.WithStop(last.Start + m[0])
	}
	lines.Set(lines.Len()-1, last.TrimRightSpace(reader.Source()))
	words.SetLines(lines)
	p.Parent().ReplaceChild(p.Parent(), p, n)
	n.AppendChild(n, words)
	for _, block := range blocks {
		n.AppendChild(n, block)
	}
}

// figures returns the consecutive figures just before a paragraph.
func (t captionTransformer) figures(p *ast.Paragraph) (found []ast.Node) {
	for before := p.PreviousSibling(); before != nil; before = before.PreviousSibling() {
		b, ok := before.(*blockCall)
		if !ok || t.calls[b.index].kind != callFigure && !strings.HasPrefix(t.calls[b.index].id, PlacedBlocks) {
			break
		}
		found = append(found, before)
	}
	slices.Reverse(found)
	return found
}

func (c *chapter) collectCaptioned(n *captioned, p *prose) {
	at := p.placeAt(n.Pos())
	c.refuseNotes("a caption", p, n.FirstChild())
	c.count[n.kind]++
	n.number = c.numbered(c.count[n.kind])
	n.label = c.words.Say(n.kind.String(), n.number)
	prefix := n.kind.prefix() + "-"
	switch {
	case n.kind == callFigure && n.ChildCount() == 2 && !isDiagram(n.LastChild(), p.text):
		c.errs.addf(at, "\"Figure:\" groups several figures, but there is only one here: write the caption into that "+
			"figure")
	case !n.FirstChild().HasChildren():
		c.errs.addf(at, "the caption is empty: describe what is shown")
	case n.name == "":
		n.anchor = c.unused(prefix+Slug(n.number), "-")
		c.anchor(n.anchor, at)
	case !content.ValidID(n.name):
		c.errs.addf(at, "{#%s}: a name may contain only lower-case letters, digits and single hyphens", n.name)
	default:
		n.anchor = prefix + n.name
		c.captioned = append(c.captioned, n)
		c.anchor(n.anchor, at)
	}
}

// next returns the number, such as 2.1a, and the letter of the next figure in a group.
func (n *captioned) next() (number, letter string) {
	n.parts++
	letter = string(rune('a' + (n.parts-1)%26))
	return n.number + letter, "(" + letter + ")"
}

func (r *pageRenderer) captioned(node ast.Node, src []byte) element {
	n := node.(*captioned)
	if isDiagram(n.LastChild(), src) {
		return wholeElement(r.chapter.diagrams[n.LastChild()].render(r))
	}
	more := ` id="` + r.id(n.anchor) + `" aria-labelledby="` + r.captionID(n) + `">` + "\n"
	if n.kind == callTable {
		return element{start: `<figure class="table-block"` + more, end: "</figure>\n"}
	}
	return element{start: `<div class="figure-block figure-group" role="group"` + more, end: "</div>\n"}
}

func (r *pageRenderer) captionID(n *captioned) string { return r.id(n.anchor + captionSuffix) }

func (r *pageRenderer) caption(node ast.Node, src []byte) element {
	n, tag := node.Parent().(*captioned), "figcaption"
	if isDiagram(n.LastChild(), src) {
		return element{}
	}
	if n.kind == callFigure {
		tag = "p"
	}
	return element{
		start: "<" + tag + ` class="caption" id="` + r.captionID(n) + `"><a class="caption-number" href="#` +
			r.id(n.anchor) + `">` + html.EscapeString(n.label) + "</a> ",
		end: "</" + tag + ">\n",
	}
}
