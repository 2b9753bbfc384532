package site

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Footnotes are numbered in the order of their references. Their anchors contain the authors' names for them, so that
// links survive edits. A colon distinguishes these anchors from other names.

// note is a footnote in one of the page's texts.
type note struct {
	prose *prose
	node  *extast.Footnote
	name  string // unique on the page: the author's name if it is valid in an anchor, or else the note's number
}

// takeNotes moves the footnotes of a text to the footnotes of the page, and continues their numbering.
func (c *chapter) takeNotes(p *prose) {
	list := p.doc.LastChild()
	if list == nil || list.Kind() != extast.KindFootnoteList {
		return
	}
	before := len(c.notes)
	walk(p.doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *extast.FootnoteLink:
			n.Index += before
		case *extast.FootnoteBacklink:
			n.Index += before
		case *extast.Footnote:
			n.Index += before
		}
		return true
	})
	for child := list.FirstChild(); child != nil; child = child.NextSibling() {
		n := child.(*extast.Footnote)
		name := string(n.Ref)
		if !content.ValidID(name) {
			name = strconv.Itoa(n.Index)
		}
		name = c.unused("fn:"+name, "-")
		c.anchors[name] = p.placeAt(n.Pos())
		c.notes = append(c.notes, &note{p, n, strings.TrimPrefix(name, "fn:")})
	}
	p.doc.RemoveChild(p.doc, list)
}

func (r *pageRenderer) footnoteName(index int) string { return r.chapter.notes[index-1].name }

func (r *pageRenderer) noteAnchor(index int) string { return r.id("fn:" + r.footnoteName(index)) }

// refAnchor returns the anchor of a reference to a footnote. Further references to the same footnote are numbered from
// 2.
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
	id, to := html.EscapeString(r.refAnchor(link.Index, link.RefIndex)), html.EscapeString(r.noteAnchor(link.Index))
	return wholeElement(`<sup><a class="footnote-ref" id="` + id + `" href="#` + to + `" role="doc-noteref">` +
		r.noteNumber(link.Index) + "</a></sup>")
}

func (r *pageRenderer) footnoteBacklink(n ast.Node, _ []byte) element {
	link := n.(*extast.FootnoteBacklink)
	place := r.words().Say("back-to-note", link.Index)
	if link.RefCount > 1 {
		place = r.words().Say("back-to-place", link.Index, link.RefIndex+1)
	}
	address := html.EscapeString(r.refAnchor(link.Index, link.RefIndex))
	return wholeElement(` <a class="footnote-backref" href="#` + address +
		`" role="doc-backlink"><span class="hidden">` + html.EscapeString(place) +
		`</span><span aria-hidden="true">↩</span></a>`)
}

// Notes are shown in the margin next to their sentence, or after it if there is no margin. Footnotes have a number;
// notes written as ^[...] do not. In the page's markup, a note follows the block that refers to it, so that a screen
// reader does not interrupt the sentence.

// inlineNote is a note ^[...] in the text.
type inlineNote struct {
	ast.BaseInline
	markdown content.Markdown
}

// noted is a block together with its notes. Its children are the block and, if the block ends within a sentence, the
// blocks that continue the sentence.
type noted struct {
	ast.BaseBlock
	notes []marginNote
	third int // which third of the block refers to the first note, numbered from 0
}

// marginNote is one of the notes of a block: a footnote, or the text of an inlineNote.
type marginNote struct {
	footnote *note
	text     *prose
}

var (
	kindInlineNote = ast.NewNodeKind("SiteInlineNote")
	kindNoted      = ast.NewNodeKind("SiteNoted")
)

func (n *inlineNote) Kind() ast.NodeKind         { return kindInlineNote }
func (n *inlineNote) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }
func (n *noted) Kind() ast.NodeKind              { return kindNoted }
func (n *noted) Dump(src []byte, level int)      { ast.DumpHelper(n, src, level, nil, nil) }

// inlineNoteParser parses ^[...]. The brackets inside must match.
type inlineNoteParser struct{}

func (inlineNoteParser) Trigger() []byte { return []byte{'^'} }

func (inlineNoteParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !strings.HasPrefix(string(line), "^[") {
		return nil
	}
	block.Advance(len("^["))
	inner, ok := block.FindClosure(
		'[', ']', text.FindClosureOptions{CodeSpan: true, Nesting: true, Newline: true, Advance: true},
	)
	if !ok {
		return nil
	}
	words := strings.TrimSpace(string(inner.Value(block.Source())))
	if words == "" {
		return nil
	}
	n := &inlineNote{markdown: content.Markdown(words)}
	n.SetPos(segment.Start)
	return n
}

// eachNote calls do for each reference to a note below a node, in the order of the text.
func eachNote(below ast.Node, do func(call ast.Node)) {
	walk(below, func(n ast.Node) bool {
		if n.Kind() == kindInlineNote || n.Kind() == extast.KindFootnoteLink {
			do(n)
		}
		return true
	})
}

// refuseNotes reports notes in a text that has no margin as faults.
func (c *chapter) refuseNotes(what string, p *prose, below ast.Node) {
	eachNote(below, func(call ast.Node) {
		c.errs.addf(p.placeAt(call.Pos()), "%s cannot have a note: put the note after a sentence of the text", what)
	})
}

// placeNotes places each note of a text next to the block that refers to it.
func (c *chapter) placeNotes(p *prose) {
	var blocks []ast.Node
	calls := map[ast.Node][]ast.Node{}
	eachNote(p.doc, func(call ast.Node) {
		block := blockOf(call)
		if block.Kind() == kindCalloutTitle {
			c.refuseNotes("a title", p, block)
			return
		}
		if calls[block] == nil {
			blocks = append(blocks, block)
		}
		calls[block] = append(calls[block], call)
	})
	placed := map[*note]bool{}
	for _, block := range blocks {
		n := &noted{third: third(block, calls[block][0], p.text)}
		for _, call := range calls[block] {
			n.notes = append(n.notes, c.notesOf(call, placed)...)
		}
		if len(n.notes) == 0 {
			continue
		}
		n.SetPos(block.Pos())
		block.Parent().ReplaceChild(block.Parent(), block, n)
		n.AppendChild(n, block)
		for next := n.NextSibling(); next != nil && endsOpen(c.plainText(block, p.text)) &&
			continues(next); next = n.NextSibling() {
			n.AppendChild(n, next)
		}
	}
}

// blockOf returns the block around a node, directly in the text or in a container such as a list item.
func blockOf(n ast.Node) ast.Node {
	flows := []ast.NodeKind{
		ast.KindDocument, ast.KindBlockquote, ast.KindListItem, extast.KindDefinitionDescription, kindFold, kindNoted,
		kindOnly,
	}
	for n.Parent() != nil && !slices.Contains(flows, n.Parent().Kind()) {
		n = n.Parent()
	}
	return n
}

// endsOpen reports whether a text ends within a sentence.
func endsOpen(text string) bool {
	text = strings.TrimRight(text, " \n\"'”’)")
	last, _ := utf8.DecodeLastRuneInString(text)
	return !strings.ContainsRune(".!?…", last)
}

// continues reports whether a block can continue the sentence before it.
func continues(n ast.Node) bool {
	return slices.Contains([]ast.NodeKind{kindPassthroughBlock, kindEnvironment, ast.KindList}, n.Kind())
}

// third returns which third of a block's text contains a node: 0, 1 or 2.
func third(block, call ast.Node, src []byte) int {
	before, all := 0, 0
	walk(block, func(n ast.Node) bool {
		if n == call {
			before = all
		}
		switch n := n.(type) {
		case *ast.Text:
			all += n.Segment.Len()
		case *ast.String:
			all += len(n.Value)
		}
		return true
	})
	return 3 * before / (all + 1)
}

// notesOf returns the note that a node refers to, and the notes that this note refers to. It leaves out footnotes that
// already have a place.
func (c *chapter) notesOf(call ast.Node, placed map[*note]bool) []marginNote {
	if inline, ok := call.(*inlineNote); ok {
		return []marginNote{{text: c.inlineNotes[inline]}}
	}
	footnote := c.notes[call.(*extast.FootnoteLink).Index-1]
	if placed[footnote] {
		return nil
	}
	placed[footnote] = true
	notes := []marginNote{{footnote: footnote}}
	eachNote(footnote.node, func(call ast.Node) { notes = append(notes, c.notesOf(call, placed)...) })
	return notes
}

// noteClasses contains the classes that place notes in the margin, by the third of the block that refers to the first
// note.
var noteClasses = [3]string{"notes notes-top", "notes notes-middle", "notes notes-bottom"}

// withNotes returns the markup that encloses a text and places its notes next to it.
func withNotes(third int, notes string) element {
	return element{
		start: `<div class="noted"><div class="noted-text">` + "\n",
		end:   `</div>` + "\n" + `<div class="` + noteClasses[third] + `">` + "\n" + notes + "</div></div>\n",
	}
}

// unnumbered returns the markup of a note without a number.
func unnumbered(markup string) string {
	return `<aside class="note" role="note">` + markup + "</aside>\n"
}

func (r *pageRenderer) noted(n ast.Node, _ []byte) element {
	group := n.(*noted)
	var notes strings.Builder
	for _, note := range group.notes {
		if note.footnote != nil {
			notes.WriteString(r.footnote(note.footnote))
		} else {
			notes.WriteString(unnumbered(string(r.inline(note.text))))
		}
	}
	return withNotes(group.third, notes.String())
}

// noteNumber returns the markup of a note's number, with words for screen readers.
func (r *pageRenderer) noteNumber(index int) string {
	before, behind, _ := strings.Cut(r.words().Say("footnote"), "{}")
	heard := func(words string) string {
		if words == "" {
			return ""
		}
		return `<span class="hidden">` + html.EscapeString(words) + `</span>`
	}
	return heard(before) + strconv.Itoa(index) + heard(behind)
}

// footnote renders a note with its number.
func (r *pageRenderer) footnote(n *note) string {
	var out strings.Builder
	for child := n.node.FirstChild(); child != nil; child = child.NextSibling() {
		out.WriteString(r.html(n.prose.text, child))
	}
	label := ""
	if n.node.Index > 1 { // the landmarks of a page must have different names
		label = r.label("footnote", n.node.Index)
	}
	return `<aside class="note" id="` + html.EscapeString(r.noteAnchor(n.node.Index)) + `" role="doc-footnote"` +
		label + `><span class="note-number">` + r.noteNumber(n.node.Index) + "</span>\n" + out.String() +
		"</aside>\n"
}
