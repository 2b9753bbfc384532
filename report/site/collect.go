package site

import (
	"bytes"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// collect walks a tree and notes all that needs numbers, checks or other pages before it can be rendered.
func (c *chapter) collect(p *prose) {
	// The callback never fails.
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if c.collectTitle(n, p) {
				return ast.WalkSkipChildren, nil
			}
			c.collectHeading(n, p)
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
		case *fold:
			c.collectFold(n, p)
		case *ast.Link:
			c.links = append(c.links, &link{node: n, dest: string(n.Destination), place: p.at(n.Pos())})
		case *ast.AutoLink:
			c.checkAutoLink(n, p)
		case *inlineNote:
			c.inlineNotes[n] = c.parseInline("a note", n.markdown, p.at(n.Pos()))
		case *ast.Image:
			c.collectImage(n, p)
		case *ast.HTMLBlock:
			c.checkHTML(htmlBlock(n, p.text), p.at(n.Pos()))
		case *ast.RawHTML:
			if _, ok := n.Parent().(*calloutTitle); !ok || n.Parent().Parent().Kind() != kindFold { // where it is left out
				c.checkHTML(string(n.Segments.Value(p.text)), p.at(n.Pos()))
			}
		case *ast.Text:
			c.checkDollar(n, p)
			c.checkFootnote(n, p)
		case *ast.CodeSpan:
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

// checkHTML refuses HTML in a source, except comments, which are left out of the page.
func (c *chapter) checkHTML(markup string, at content.Place) {
	markup = strings.TrimSpace(markup)
	if strings.HasPrefix(markup, "<!--") && strings.HasSuffix(markup, "-->") && strings.Count(markup, "-->") == 1 {
		return
	}
	if c.checkFoldTag(markup, at) {
		return
	}
	c.errs.addf(at, "HTML in the source (%.40s): use Markdown, or put it in backquotes", oneLine(markup))
}

// checkList reports a number that Markdown takes for the number of an item, as in the lines "2. 15. One hit more" and
// "33. There are 33 cells".
func (c *chapter) checkList(n *ast.List, p *prose) {
	if !n.IsOrdered() {
		return
	}
	if _, ok := n.Parent().(*ast.ListItem); ok && n.PreviousSibling() == nil {
		c.errs.addf(p.at(n.Pos()), `a list item begins with a numbered list: put words before it; if it begins with a number, put a word before that`)
		return
	}
	if n.Start > 1 && !c.listEnds[n.Start-1] {
		c.errs.addf(p.at(n.Pos()), `"%d." begins a list here, and no list ends at %d: put a word before the number, or begin at 1`, n.Start, n.Start-1)
	}
	if c.listEnds == nil {
		c.listEnds = map[int]bool{}
	}
	c.listEnds[n.Start+n.ChildCount()-1] = true
}

// checkDollar reports a dollar sign that neither opens nor closes math: a formula would have been lost silently.
func (c *chapter) checkDollar(n *ast.Text, p *prose) {
	value := n.Segment.Value(p.text)
	i := bytes.IndexByte(value, '$')
	if i < 0 || escaped(p.text, n.Segment.Start+i) {
		return
	}
	c.errs.addf(p.at(n.Segment.Start+i), `a "$" without its partner: close the formula in the same paragraph (display math has no blank lines), or write \$`)
}

// checkFootnote reports a reference to a footnote that does not exist: Markdown would show its brackets.
func (c *chapter) checkFootnote(n *ast.Text, p *prose) {
	src := p.text
	start := max(n.Segment.Start-1, 0)
	value := src[start:n.Segment.Stop]
	i := bytes.Index(value, []byte("[^"))
	if i < 0 || escaped(src, start+i) {
		return
	}
	name, _, _ := bytes.Cut(src[start+i+2:], []byte("]"))
	c.errs.addf(p.at(start+i), `there is no footnote %.20q: add a line "[^%.20s]: text", or write \[^`, name, name)
}

func escaped(src []byte, i int) bool {
	n := 0
	for i > n && src[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// plainText returns a node's text without markup; formulas are given as TeX.
func (c *chapter) plainText(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Segment.Value(src)
			if !n.IsRaw() && n.Parent().Kind() != ast.KindCodeSpan {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *passthrough.PassthroughInline:
			tex := strings.Trim(string(n.Segment.Value(src)), "$")
			if f := c.formulas[n]; f != nil {
				tex = f.before + tex + f.after
			}
			b.WriteString(tex)
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
