package site

import (
	"html"
	"regexp"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/siegebook/siegebook/report/content"
)

// captioned is a table of Markdown with its caption, which comes first in it. In the text the caption is a paragraph
// behind the table, "Table: The caption {#name}", as Pandoc has it.
type captioned struct {
	ast.BaseBlock
	name          string // "" for none
	anchor, label string
}

// caption is the caption of a table.
type caption struct{ ast.BaseBlock }

var (
	kindCaptioned = ast.NewNodeKind("SiteCaptioned")
	kindCaption   = ast.NewNodeKind("SiteCaption")
	captionStart  = regexp.MustCompile(`^Table:[ \t]+`)
)

func (n *captioned) Kind() ast.NodeKind         { return kindCaptioned }
func (n *captioned) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }
func (n *caption) Kind() ast.NodeKind           { return kindCaption }
func (n *caption) Dump(src []byte, level int)   { ast.DumpHelper(n, src, level, nil, nil) }

// captionTransformer finds the captions before inline markup is parsed.
type captionTransformer struct{}

func (captionTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	if p.Lines().Len() == 0 {
		return
	}
	table, first := p.PreviousSibling(), p.Lines().At(0)
	starts := captionStart.FindIndex(first.Value(reader.Source()))
	if table == nil || table.Kind() != extast.KindTable || starts == nil {
		return
	}
	n, words := &captioned{}, &caption{}
	n.SetPos(first.Start)
	words.SetPos(first.Start)
	lines := p.Lines()
	lines.Set(0, first.WithStart(first.Start+starts[1]))
	last := lines.At(lines.Len() - 1)
	if m := statementName.FindSubmatchIndex(last.Value(reader.Source())); m != nil {
		n.name = string(last.Value(reader.Source())[m[2]:m[3]])
		last = last.WithStop(last.Start + m[0])
	}
	lines.Set(lines.Len()-1, last.TrimRightSpace(reader.Source()))
	words.SetLines(lines)
	parent := p.Parent()
	parent.RemoveChild(parent, p)
	parent.ReplaceChild(parent, table, n)
	n.AppendChild(n, words)
	n.AppendChild(n, table)
}

func (c *chapter) collectCaptioned(n *captioned, p *prose) {
	at := p.at(n.Pos())
	c.refuseNotes("a caption", p, n.FirstChild())
	c.count[callTable]++
	number := c.numbered(c.count[callTable])
	n.label = c.words.Say("table", number)
	switch {
	case !n.FirstChild().HasChildren():
		c.errs.addf(at, "the table has no caption: say behind \"Table:\" what it shows")
	case n.name == "":
		n.anchor = c.unused("tbl-"+Slug(number), "-")
	case !content.ValidID(n.name):
		c.errs.addf(at, "{#%s}: a name has lower-case letters, digits and single hyphens", n.name)
	default:
		n.anchor = callTable.prefix() + "-" + n.name
		c.captioned = append(c.captioned, n)
	}
	c.anchor(n.anchor, at)
}

func (r *pageRenderer) captioned(node ast.Node, _ []byte) element {
	n := node.(*captioned)
	return element{
		start: `<figure class="table-block" id="` + r.id(n.anchor) + `" aria-labelledby="` + r.captionID(n) + `">` + "\n",
		end:   "</figure>\n",
	}
}

func (r *pageRenderer) captionID(n *captioned) string { return r.id(n.anchor + captionSuffix) }

func (r *pageRenderer) caption(node ast.Node, _ []byte) element {
	n := node.Parent().(*captioned)
	return element{
		start: `<figcaption id="` + r.captionID(n) + `"><a class="caption-number" href="#` + r.id(n.anchor) + `">` +
			html.EscapeString(n.label) + "</a> ",
		end: "</figcaption>\n",
	}
}
