package site

import (
	"html"
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// Footnotes are numbered in the order of their references, and have anchors made of their names, so that links survive edits. A colon
// keeps the anchors apart from all that a text can name.

// footnoteName is the name of the footnote of a number: its own where it can be an anchor, else the number.
func (r *pageRenderer) footnoteName(index int) string {
	for n := r.chapter.doc.LastChild(); n != nil; n = n.PreviousSibling() {
		if n.Kind() != extast.KindFootnoteList {
			continue
		}
		for note := n.FirstChild(); note != nil; note = note.NextSibling() {
			if note, ok := note.(*extast.Footnote); ok && note.Index == index && content.ValidID(string(note.Ref)) {
				return string(note.Ref)
			}
		}
	}
	return strconv.Itoa(index)
}

func (r *pageRenderer) noteAnchor(index int) string { return r.id("fn:" + r.footnoteName(index)) }

// refAnchor is the anchor of a reference to a footnote; further references to the same one are counted from 2.
func (r *pageRenderer) refAnchor(index, refIndex int) string {
	name := "fnref:" + r.footnoteName(index)
	if refIndex > 0 {
		name += ":" + strconv.Itoa(refIndex+1)
	}
	return r.id(name)
}

func (r *pageRenderer) footnoteRef(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering || r.toc {
		return ast.WalkContinue, nil
	}
	link := n.(*extast.FootnoteLink)
	number := strconv.Itoa(link.Index)
	w.WriteString(`<sup><a class="footnote-ref" id="` + html.EscapeString(r.refAnchor(link.Index, link.RefIndex)) + `" href="#` + html.EscapeString(r.noteAnchor(link.Index)) +
		`" role="doc-noteref"><span class="hidden">Note </span>` + number + "</a></sup>")
	return ast.WalkContinue, nil
}

func (r *pageRenderer) footnoteBacklink(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := n.(*extast.FootnoteBacklink)
	place := "Back to the text of note " + strconv.Itoa(link.Index)
	if link.RefCount > 1 {
		place += ", place " + strconv.Itoa(link.RefIndex+1)
	}
	w.WriteString(` <a class="footnote-backref" href="#` + html.EscapeString(r.refAnchor(link.Index, link.RefIndex)) + `" role="doc-backlink"><span class="hidden">` + place +
		`</span><span aria-hidden="true">↩</span></a>`)
	return ast.WalkContinue, nil
}

func (r *pageRenderer) footnote(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(`<li id="` + html.EscapeString(r.noteAnchor(n.(*extast.Footnote).Index)) + "\">\n")
	} else {
		w.WriteString("</li>\n")
	}
	return ast.WalkContinue, nil
}

func (r *pageRenderer) footnoteList(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(`<div class="footnotes" role="doc-endnotes" aria-label="Notes` + r.ofChapter() + "\">\n<ol>\n")
	} else {
		w.WriteString("</ol>\n</div>\n")
	}
	return ast.WalkContinue, nil
}

// ofChapter tells the notes of chapters apart where all are on one page.
func (r *pageRenderer) ofChapter() string {
	if !r.book.single {
		return ""
	}
	return " of " + html.EscapeString(r.chapter.Title)
}
