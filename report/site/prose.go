package site

import (
	"sort"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// prose is Markdown with its tree.
type prose struct {
	text   []byte // what the tree refers to
	doc    ast.Node
	place  content.Place // of the first line, or of all of it
	marks  []lineMark    // where lines begin; none if all of it has one place
	source string        // of a part of a body, as it is written
	inner  bool
	images map[string]string
}

// lineMark tells that the text from offset on came from that line of the source.
type lineMark struct{ offset, line int }

// at returns the place of the byte at offset.
func (p *prose) at(offset int) content.Place {
	at := p.place
	if i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].offset > offset }); i > 0 {
		at.Line = p.marks[i-1].line
	}
	return at
}

// markLines notes where the lines of a text begin that is its own source. A text that has no line gets none.
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

// column returns where in a line of the source the byte of a formula at offset stands, counted from 1. It is 0 where
// that cannot be told: the formula's line is there not at all, because a template call wrote it, or more than once.
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

// endMark is a paragraph behind every text: it is the document's own unless something before it is still open.
const endMark = "\n\nend of the text\n"

// addProse reads Markdown and takes note of what is in it.
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

// openAtEnd reports a block that ends with the text. In a cell it may have begun anywhere.
func (c *chapter) openAtEnd(p *prose) {
	at, end := p.place, "cell"
	if at.Line = 0; at.Cell == "" {
		at, end = p.at(len(p.text)), "text"
	}
	c.errs.addf(at, "a block is open at the end of the %s: close its code fence, comment or formula there", end)
}

// removeEnd takes the end mark, which begins at start, off a tree. It is false where the mark is in a block.
func removeEnd(doc ast.Node, start int) bool {
	for n := doc.LastChild(); n != nil; n = n.PreviousSibling() {
		if n.Kind() == ast.KindParagraph && n.Lines().Len() > 0 && n.Lines().At(0).Start == start {
			doc.RemoveChild(doc, n)
			return true
		}
	}
	return false
}

// parse returns the tree of a Markdown text that may hold placeholders of this page's calls.
func (c *chapter) parse(markdown []byte) ast.Node {
	if c.parser == nil {
		c.parser = newParser(callParser{c.calls})
	}
	return c.parser.Parse(text.NewReader(markdown))
}

// parseInline reads a caption or cell, all of which stands at one place.
func (c *chapter) parseInline(what string, m content.Markdown, at content.Place) *prose {
	p := &prose{text: []byte(strings.TrimSpace(string(m))), place: at}
	p.doc = c.parse(p.text)
	first := p.doc.FirstChild()
	if first != nil && (first.Kind() != ast.KindParagraph || first.NextSibling() != nil) {
		c.errs.addf(at, "%s is not text within a line but a %s or more: leave out blank lines and block markup",
			what, strings.ToLower(first.Kind().String()))
		p.doc = ast.NewDocument()
		return p
	}
	if first != nil {
		// A text block is a paragraph that brings no <p>.
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

// plainProse is text without markup.
func plainProse(plain string) *prose {
	words := ast.NewString([]byte(plain))
	words.SetRaw(true)
	p := &prose{doc: ast.NewTextBlock()}
	p.doc.AppendChild(p.doc, words)
	return p
}

func (p *prose) render(r *pageRenderer) string { return r.html(p.text, p.doc) }
