package site

import (
	"slices"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// forms lists the names of forms: the screen, paper, the edition of many files, and the edition of one file.
var forms = []string{"screen", "paper", "pages", "single"}

// only is a block that contains the blocks between {{ only "paper" }} and {{ end }}.
type only struct {
	ast.BaseBlock
	form string
}

var kindOnly = ast.NewNodeKind("SiteOnly")

func (n *only) Kind() ast.NodeKind         { return kindOnly }
func (n *only) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// onlyTransformer moves the blocks between two calls into one block.
type onlyTransformer struct{ calls []*call }

func (t onlyTransformer) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	var begins []ast.Node
	walk(doc, func(n ast.Node) bool {
		if b, ok := n.(*blockCall); ok && t.form(b) != "" {
			begins = append(begins, n)
		}
		return n.Type() == ast.TypeBlock || n.Kind() == ast.KindDocument
	})
	for _, begin := range begins {
		end := begin.NextSibling()
		for end != nil && (end.Kind() != kindBlockCall || t.calls[end.(*blockCall).index].kind != callOnly) {
			end = end.NextSibling()
		}
		if end == nil || t.form(end.(*blockCall)) != "" {
			continue // collectBlock reports the fault
		}
		made := &only{form: t.form(begin.(*blockCall))}
		made.SetPos(begin.Pos())
		t.calls[begin.(*blockCall).index].seen, t.calls[end.(*blockCall).index].seen = true, true
		for begin.NextSibling() != end {
			made.AppendChild(made, begin.NextSibling())
		}
		parent := begin.Parent()
		parent.RemoveChild(parent, end)
		parent.ReplaceChild(parent, begin, made)
	}
}

// form returns the form that an only call names, or "" for other calls.
func (t onlyTransformer) form(b *blockCall) string {
	if t.calls[b.index].kind == callOnly {
		return t.calls[b.index].id
	}
	return ""
}

// collectOnly reports parts with a number or an anchor as faults, because other forms would lack these parts.
func (c *chapter) collectOnly(n *only, p *prose) {
	if !slices.Contains(forms, n.form) {
		c.errs.addf(p.placeAt(n.Pos()), "{{ only %q }}: there is no such form; the forms are %s", n.form,
			strings.Join(forms, ", "))
	}
	walk(n, func(inner ast.Node) bool {
		numbered := inner.Kind() == ast.KindHeading || inner.Kind() == kindBlockCall || inner.Kind() == kindCaptioned
		switch b := inner.(type) {
		case *calloutTitle:
			numbered = b.name != ""
		case *extast.FootnoteLink:
			numbered = true
		case *passthrough.PassthroughBlock, *environment, *ast.FencedCodeBlock:
			numbered = strings.Contains(string(inner.Lines().Value(p.text)), `\label{`)
		}
		if numbered {
			c.errs.addf(p.placeAt(inner.Pos()), "text for one form of the book cannot contain anything with a number "+
				"or an address: move it out")
		}
		return !numbered
	})
}

func (r *pageRenderer) only(node ast.Node, _ []byte) element {
	n, one := node.(*only), r.book.single || r.book.epub
	switch {
	case n.form == "single" && !one, n.form == "pages" && one:
		return wholeElement("")
	case n.form == "screen", n.form == "paper":
		return element{start: `<div class="only-` + n.form + `">` + "\n", end: "</div>\n"}
	}
	return element{}
}
