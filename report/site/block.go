package site

import (
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	"github.com/yuin/goldmark/ast"
)

// block is a figure, table or fragment in its place on the page.
type block struct {
	chapter *chapter
	call    *call
	line    int
	number  string // of figures and tables
	anchor  string
	caption *inline

	figure   *content.Figure
	table    *content.Table
	cells    map[*content.Cell]*inline // of rich cells
	csv      []byte                    // the download, nil for none
	fragment string
}

// blockName names a figure, table or fragment of a page.
type blockName struct {
	kind callKind
	id   string
}

func (c *chapter) collectBlock(n *blockCall, at position) {
	call := c.src.calls[n.index]
	call.seen = true
	b := &block{chapter: c, call: call, line: at.line(n.Pos())}
	name := blockName{call.kind, call.id}
	if other := c.byName[name]; other != nil && call.kind != callFragment {
		c.errs.addf(c.file(), b.line, "%s %q was placed at line %d already: refer to it by {{ ref %q }}", call.kind, call.id, other.line, call.refTarget())
		return
	}
	var ok bool
	switch call.kind {
	case callFigure:
		ok = c.placeFigure(b)
	case callTable:
		ok = c.placeTable(b)
	case callFragment:
		ok = c.placeFragment(b)
	}
	if ok {
		c.blocks = append(c.blocks, b)
		c.placed[call] = b
		c.byName[name] = b
		c.count[call.kind]++
	}
}

func (c *call) refTarget() string {
	if c.kind == callTable {
		return "tbl:" + c.id
	}
	return "fig:" + c.id
}

func (c *chapter) placeFigure(b *block) bool {
	b.figure = c.figures[b.call.id]
	if b.figure == nil {
		names := make([]string, len(c.Figures))
		for i := range c.Figures {
			names[i] = c.Figures[i].ID
		}
		c.errs.addf(c.file(), b.line, "there is no figure %q; the page has %s", b.call.id, list(names))
		return false
	}
	b.csv = b.figure.Data.CSV()
	b.anchor = "fig-" + b.figure.ID
	b.number = c.numbered(c.count[callFigure] + 1)
	c.anchor(b.anchor, b.line)
	b.caption = c.parseInline("the caption of figure "+strconv.Quote(b.figure.ID), content.Markdown(b.call.text), b.line)
	return true
}

func (c *chapter) placeTable(b *block) bool {
	b.table = c.tables[b.call.id]
	if b.table == nil {
		names := make([]string, len(c.Tables))
		for i := range c.Tables {
			names[i] = c.Tables[i].ID
		}
		c.errs.addf(c.file(), b.line, "there is no table %q; the page has %s", b.call.id, list(names))
		return false
	}
	b.anchor = "tbl-" + b.table.ID
	b.number = c.numbered(c.count[callTable] + 1)
	c.anchor(b.anchor, b.line)
	what := "table " + strconv.Quote(b.table.ID)
	b.caption = c.parseInline("the caption of "+what, content.Markdown(b.call.text), b.line)
	b.cells = map[*content.Cell]*inline{}
	b.table.Each(func(cell *content.Cell) {
		if cell.Kind == content.RichCell {
			b.cells[cell] = c.parseInline("a cell of "+what, content.Markdown(cell.Text), b.line)
		}
	})
	if b.csv = b.table.Data.CSV(); b.csv == nil {
		b.csv = b.plainRecords().CSV()
	}
	return true
}

func (c *chapter) placeFragment(b *block) bool {
	fragment, ok := c.Fragments[b.call.id]
	if !ok {
		c.errs.addf(c.file(), b.line, "there is no fragment %q", b.call.id)
		return false
	}
	b.fragment = string(fragment)
	return true
}

// unusedBlocks reports the figures and tables that the text forgot.
func (c *chapter) unusedBlocks() {
	used := map[string]bool{}
	for _, call := range c.src.calls {
		used[call.kind.String()+call.id] = true
	}
	last := lineOf(c.Source, len(c.Source))
	for _, f := range c.Figures {
		if !used["figure"+f.ID] {
			c.errs.addf(c.file(), last, "figure %q is never placed: add {{ figure %q \"caption\" }} or leave it out", f.ID, f.ID)
		}
	}
	for _, t := range c.Tables {
		if !used["table"+t.ID] {
			c.errs.addf(c.file(), last, "table %q is never placed: add {{ table %q \"caption\" }} or leave it out", t.ID, t.ID)
		}
	}
}

// unusedValues reports the values that the text forgot.
func (c *chapter) unusedValues() {
	last := lineOf(c.Source, len(c.Source))
	for _, name := range c.src.dead {
		c.errs.addf(c.file(), last, "value %q is never shown: add {{ .Value %q }} or leave it out", name, name)
	}
}

// collectCall takes note of a reference; the other calls are out of place within a line.
func (c *chapter) collectCall(n *inlineCall, at position) {
	call := c.src.calls[n.index]
	call.seen = true
	line := at.line(n.Pos())
	if call.kind != callRef {
		c.errs.addf(c.file(), line, "{{ %s %q }} stands within a line: give it a line of its own", call.kind, call.id)
		return
	}
	if insideLink(n) {
		c.errs.addf(c.file(), line, "{{ ref %q }} stands inside of a link", call.id)
		return
	}
	c.refs[n] = &reference{target: call.id, text: call.text, line: line}
}

func insideLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}
