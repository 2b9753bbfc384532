package site

import (
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// chapter is a page on its way to HTML: its Markdown tree and what was found in it.
type chapter struct {
	*Page
	number string // "3", or "" on unnumbered pages
	src    *source
	doc    ast.Node
	errs   errorList

	headings []*heading
	byNode   map[ast.Node]*heading
	math     []*formula // in the order of the text
	formulas map[ast.Node]*formula
	refs     map[*inlineCall]*reference
	links    []*link
	placed   map[*call]*block
	blocks   []*block
	byName   map[blockName]*block
	count    map[callKind]int // of blocks that are placed so far
	figures  map[string]*content.Figure
	tables   map[string]*content.Table
	images   map[*ast.Image]*picture
	anchors  map[string]int // name of every anchor -> line
}

// position tells the line of a node: by its offset in the page's text, or one line for all of a caption or cell.
type position struct {
	src   *source
	fixed int
}

func (p position) line(offset int) int {
	if p.fixed > 0 {
		return p.fixed
	}
	return p.src.line(offset)
}

// inline is a caption or cell: Markdown within a line.
type inline struct {
	text []byte
	doc  ast.Node
}

// readChapter runs a page's template and reads the Markdown that it gives. Faults are in errs; where the template failed,
// there is no tree.
func readChapter(p *Page, number string) *chapter {
	c := &chapter{
		Page: p, number: number,
		formulas: map[ast.Node]*formula{}, refs: map[*inlineCall]*reference{}, placed: map[*call]*block{}, anchors: map[string]int{}, images: map[*ast.Image]*picture{},
	}
	c.byNode, c.byName, c.count = map[ast.Node]*heading{}, map[blockName]*block{}, map[callKind]int{}
	c.figures, c.tables = map[string]*content.Figure{}, map[string]*content.Table{}
	for i := range c.Figures {
		c.figures[c.Figures[i].ID] = &c.Figures[i]
	}
	for i := range c.Tables {
		c.tables[c.Tables[i].ID] = &c.Tables[i]
	}
	for _, id := range pageAnchors {
		c.anchors[id] = 0
	}
	src, err := execute(p)
	if err != nil {
		c.errs.join(err)
		return c
	}
	c.src = src
	c.doc = c.parse(src.text)
	c.collect(c.doc, src.text, position{src: src})
	src.unseen(&c.errs)
	c.unusedBlocks()
	c.unusedValues()
	c.errs.sort()
	return c
}

// parse returns the tree of a Markdown text that holds placeholders of this page's calls.
func (c *chapter) parse(src []byte) ast.Node {
	md := newMarkdown(callParser{c.src.calls})
	return md.Parser().Parse(text.NewReader(src))
}

// newMarkdown sets up the parser. Raw HTML is parsed, so that it can be refused with its line.
func newMarkdown(calls callParser) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.Strikethrough,
			extension.DefinitionList,
			extension.NewFootnote(),
			passthrough.New(passthrough.Config{
				InlineDelimiters: []passthrough.Delimiters{{Open: "$", Close: "$"}},
				BlockDelimiters:  []passthrough.Delimiters{{Open: "$$", Close: "$$"}},
			}),
		),
		goldmark.WithParserOptions(
			parser.WithHeadingAttribute(),
			parser.WithParagraphTransformers(util.Prioritized(calloutTransformer{}, 50)),
			parser.WithInlineParsers(util.Prioritized(calls, 50)),
			parser.WithBlockParsers(util.Prioritized(blockCallParser{calls}, 50)),
		),
	)
}

// parseInline reads a caption or cell, all of which stands at one line of the page's file.
func (c *chapter) parseInline(what string, m content.Markdown, line int) *inline {
	in := &inline{text: []byte(strings.TrimSpace(string(m)))}
	in.doc = c.parse(in.text)
	first := in.doc.FirstChild()
	if first != nil && (first.Kind() != ast.KindParagraph || first.NextSibling() != nil) {
		c.errs.addf(c.file(), line, "%s is not text within a line but a %s or more: leave out blank lines and block markup",
			what, strings.ToLower(first.Kind().String()))
		in.doc = ast.NewDocument()
		return in
	}
	if first != nil {
		// A text block is a paragraph that brings no <p>.
		plain := ast.NewTextBlock()
		for n := first.FirstChild(); n != nil; n = first.FirstChild() {
			plain.AppendChild(plain, n)
		}
		in.doc.ReplaceChild(in.doc, first, plain)
	}
	c.collect(in.doc, in.text, position{fixed: line})
	return in
}

// anchor reserves the name of an anchor on this page.
func (c *chapter) anchor(name string, line int) {
	if before, taken := c.anchors[name]; taken {
		where := fmt.Sprintf("line %d", before)
		if before == 0 {
			where = "the page's frame"
		}
		c.errs.addf(c.file(), line, "the anchor #%s is taken by %s: give this one another name", name, where)
		return
	}
	c.anchors[name] = line
}

// pageAnchors are the ids that the page's frame uses.
var pageAnchors = []string{"content", "top"}
