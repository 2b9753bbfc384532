package site

import (
	"fmt"
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	"github.com/yuin/goldmark/ast"
)

// block is a figure, a table or a list of entries in its place on the page.
type block struct {
	chapter *chapter
	name    blockName
	place   content.Place
	number  string
	anchor  string
	caption *prose

	figure  *content.Figure
	links   []*link // of a figure
	table   *content.Table
	cells   map[*content.Cell]*prose // of rich cells
	entries *content.Entries
	parts   map[*content.Part]*prose
	csv     []byte // the download, nil for none
}

// blockName names a figure or table of a page.
type blockName struct {
	kind callKind
	id   string
}

// collectBlock places the figure or table that a call names.
func (c *chapter) collectBlock(n *blockCall, p *prose) {
	call := c.calls[n.index]
	call.seen = true
	at := p.at(n.Pos())
	name := blockName{call.kind, call.id}
	if other := c.byName[name]; other != nil {
		c.errs.addf(at, "%s %q was placed at line %d already: refer to it by {{ ref %q }}", call.kind, call.id, other.place.Line, name.target())
		return
	}
	figure, table := c.figures[call.id], c.tables[call.id]
	var b *block
	switch {
	case call.kind == callFigure && figure != nil:
		b = c.newFigure(figure, nil, at)
	case call.kind == callTable && table != nil:
		b = c.newTable(table, nil, at)
	case call.kind == callEntries && c.lists[call.id] != nil:
		b = c.newEntries(c.lists[call.id], at)
	default:
		c.errs.addf(at, "there is no %s %q; the page has %s", call.kind, call.id, near(call.id, c.names(call.kind)))
		return
	}
	b.caption = c.parseInline(fmt.Sprintf("the caption of %s %q", call.kind, call.id), content.Markdown(call.text), at)
	c.blocks = append(c.blocks, b)
	c.placed[call] = b
}

// names are those of the page's figures or tables.
func (c *chapter) names(kind callKind) []string {
	var names []string
	for i := range c.Figures {
		if kind == callFigure {
			names = append(names, c.Figures[i].ID)
		}
	}
	for i := range c.Tables {
		if kind == callTable {
			names = append(names, c.Tables[i].ID)
		}
	}
	for i := range c.Entries {
		if kind == callEntries {
			names = append(names, c.Entries[i].ID)
		}
	}
	return names
}

// target is how references name the figure or table.
func (n blockName) target() string { return n.kind.prefix() + ":" + n.id }

// label is what references call the block.
func (b *block) label() string {
	if b.figure != nil {
		return "Figure " + b.number
	}
	if b.entries != nil {
		return "the list"
	}
	return "Table " + b.number
}

// newFigure gives a figure its number and its anchor.
func (c *chapter) newFigure(f *content.Figure, caption *prose, at content.Place) *block {
	b := c.newBlock(blockName{callFigure, f.ID}, caption, at)
	b.figure, b.csv = f, f.Data.CSV()
	for _, l := range f.Links {
		b.links = append(b.links, &link{dest: l.Target, place: at})
	}
	c.links = append(c.links, b.links...)
	return b
}

// newTable gives a table its number and its anchor, and reads its cells.
func (c *chapter) newTable(t *content.Table, caption *prose, at content.Place) *block {
	b := c.newBlock(blockName{callTable, t.ID}, caption, at)
	b.table, b.cells = t, map[*content.Cell]*prose{}
	t.Each(func(cell *content.Cell) {
		if cell.Kind == content.RichCell {
			b.cells[cell] = c.parseInline("a cell of table "+strconv.Quote(t.ID), content.Markdown(cell.Text), at)
		}
	})
	if b.csv = t.Data.CSV(); b.csv == nil {
		b.csv = b.plainRecords().CSV()
	}
	return b
}

func (c *chapter) newBlock(name blockName, caption *prose, at content.Place) *block {
	c.count[name.kind]++
	b := &block{chapter: c, name: name, place: at, number: c.numbered(c.count[name.kind]), anchor: name.kind.prefix() + "-" + name.id, caption: caption}
	c.anchor(b.anchor, at)
	c.byName[name] = b
	return b
}

// unusedBlocks reports the figures and tables that the text forgot.
func (c *chapter) unusedBlocks(end content.Place) {
	used := map[blockName]bool{}
	for _, call := range c.calls {
		used[blockName{call.kind, call.id}] = true
	}
	for _, kind := range []callKind{callFigure, callTable, callEntries} {
		for _, id := range c.names(kind) {
			if !used[blockName{kind, id}] {
				c.errs.addf(end, "%s %q is never placed: add {{ %s %q \"caption\" }} or leave it out", kind, id, kind, id)
			}
		}
	}
}

// collectCall takes note of a reference or picture; the other calls are out of place within a line.
func (c *chapter) collectCall(n *inlineCall, p *prose) {
	call := c.calls[n.index]
	call.seen = true
	at := p.at(n.Pos())
	if !call.kind.inline() {
		c.errs.addf(at, "{{ %s %q }} stands within a line: give it a line of its own", call.kind, call.id)
		return
	}
	if insideLink(n) {
		c.errs.addf(at, "{{ %s %q }} stands inside of a link", call.kind, call.id)
		return
	}
	c.refs[n] = &reference{kind: call.kind, target: call.id, text: call.text, place: at}
}

func insideLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}
