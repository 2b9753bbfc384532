package site

import (
	"html"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Footnotes are numbered in the order of their references, and have anchors made of their names, so that links survive
// edits. A colon keeps the anchors apart from all that a text can name.

// note is a footnote of one of the page's texts.
type note struct {
	prose *prose
	node  *extast.Footnote
	name  string // its own where it can be an anchor, else the number; unique on the page
}

// takeNotes moves the footnotes of a text to those of the page, and counts them after those before.
func (c *chapter) takeNotes(p *prose) {
	list := p.doc.LastChild()
	if list == nil || list.Kind() != extast.KindFootnoteList {
		return
	}
	before := len(c.notes)
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // which never fails
		if entering {
			switch n := n.(type) {
			case *extast.FootnoteLink:
				n.Index += before
			case *extast.FootnoteBacklink:
				n.Index += before
			case *extast.Footnote:
				n.Index += before
			}
		}
		return ast.WalkContinue, nil
	})
	for child := list.FirstChild(); child != nil; child = child.NextSibling() {
		n := child.(*extast.Footnote)
		name := string(n.Ref)
		if !content.ValidID(name) {
			name = strconv.Itoa(n.Index)
		}
		name = c.unused("fn:"+name, "-")
		c.anchors[name] = p.at(n.Pos())
		c.notes = append(c.notes, &note{p, n, strings.TrimPrefix(name, "fn:")})
	}
	p.doc.RemoveChild(p.doc, list)
}

func (r *pageRenderer) footnoteName(index int) string { return r.chapter.notes[index-1].name }

func (r *pageRenderer) noteAnchor(index int) string { return r.id("fn:" + r.footnoteName(index)) }

// refAnchor is the anchor of a reference to a footnote; further references to the same one are counted from 2.
func (r *pageRenderer) refAnchor(index, refIndex int) string {
	name := "fnref:" + r.footnoteName(index)
	if refIndex > 0 {
		name += ":" + strconv.Itoa(refIndex+1)
	}
	return r.id(name)
}

func (r *pageRenderer) footnoteRef(n ast.Node, _ []byte) element {
	if r.toc {
		return element{}
	}
	link := n.(*extast.FootnoteLink)
	return whole(`<sup><a class="footnote-ref" id="` + html.EscapeString(r.refAnchor(link.Index, link.RefIndex)) + `" href="#` + html.EscapeString(r.noteAnchor(link.Index)) +
		`" role="doc-noteref"><span class="hidden">Note </span>` + strconv.Itoa(link.Index) + "</a></sup>")
}

func (r *pageRenderer) footnoteBacklink(n ast.Node, _ []byte) element {
	link := n.(*extast.FootnoteBacklink)
	place := "Back to the text of note " + strconv.Itoa(link.Index)
	if link.RefCount > 1 {
		place += ", place " + strconv.Itoa(link.RefIndex+1)
	}
	return whole(` <a class="footnote-backref" href="#` + html.EscapeString(r.refAnchor(link.Index, link.RefIndex)) + `" role="doc-backlink"><span class="hidden">` + place +
		`</span><span aria-hidden="true">↩</span></a>`)
}
