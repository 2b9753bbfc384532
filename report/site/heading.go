package site

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
)

// heading is a section of a page.
type heading struct {
	node     *ast.Heading
	prose    *prose
	level    int    // 2 to 6
	number   string // "3.1.2"; "" below level 3 and on unnumbered pages
	title    string // plain text
	anchor   string
	place    content.Place
	answered bool // an answer follows before the next heading
	entry    bool // the title of an entry: without a node, a number and a place in the contents
}

// numberedLevels is the deepest level of headings that has numbers and stands in the table of contents.
const numberedLevels = 3

// collectTitle takes the first heading of level 1 out of a body, which stands in the page's frame as plain text.
func (c *chapter) collectTitle(n *ast.Heading, p *prose) bool {
	words := strings.Join(strings.Fields(c.plainText(n, p.text)), " ")
	if c.Body == nil || c.title != nil || p.inner || n.Level > 1 || n.Parent().Kind() != ast.KindDocument ||
		words == "" {
		return false
	}
	c.title, c.titleText = n, words
	c.jupyter[jupyterName(words)] = "top"
	return true
}

func (c *chapter) collectHeading(n *ast.Heading, p *prose) {
	h := &heading{node: n, prose: p, level: n.Level, title: c.plainText(n, p.text), place: p.at(n.Pos())}
	for _, a := range n.Attributes() {
		if string(a.Name) != "id" {
			c.errs.addf(h.place, "the heading %q has the attribute %q: only {#name} is known", h.title, a.Name)
		}
	}
	if id, ok := n.AttributeString("id"); ok {
		h.anchor = string(id.([]byte))
	}
	switch {
	case p.inner, c.Body != nil && n.Parent().Kind() != ast.KindDocument && inFolds(n):
		return // no section, see pageRenderer.heading
	case n.Parent().Kind() != ast.KindDocument:
		c.errs.addf(h.place, "the heading %q stands inside of another block: move it out", h.title)
	}
	c.headings = append(c.headings, h)
	c.byNode[n] = h
}

// inFolds says whether nothing but folds and lists is around a node.
func inFolds(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		switch p.Kind() {
		case ast.KindDocument, ast.KindList, ast.KindListItem, kindFold:
		default:
			return false
		}
	}
	return true
}

// outline checks the levels of a text's headings and names them. A body is not written for that: there it finds levels,
// and names that are not taken.
func (c *chapter) outline() {
	if c.Body == nil {
		c.checkLevels()
		for _, h := range c.headings {
			h.anchor = cmp.Or(h.anchor, Slug(h.title))
			c.nameHeading(h)
		}
		return
	}
	c.liftHeadings()
	for _, h := range c.headings {
		if h.anchor != "" {
			c.nameHeading(h)
		}
	}
	for _, h := range c.headings {
		if h.anchor == "" {
			h.anchor = c.unused(cmp.Or(Slug(h.title), "section"), "-")
			c.anchor(h.anchor, h.place)
		}
		if name := jupyterName(h.title); c.jupyter[name] == "" {
			c.jupyter[name] = h.anchor
		}
	}
}

func (c *chapter) nameHeading(h *heading) {
	if !content.ValidID(h.anchor) {
		c.errs.addf(
			h.place,
			"the heading %q has the anchor %q: give it a name of lower-case letters, digits and single hyphens, as "+
				"in ## Title "+"{#name}",
			h.title, h.anchor,
		)
		return
	}
	c.anchor(h.anchor, h.place)
}

// checkLevels refuses headings that leave out a level.
func (c *chapter) checkLevels() {
	before := 1
	for _, h := range c.headings {
		switch {
		case h.level == 1:
			c.errs.addf(h.place, "the heading %q has level 1, which is Page.Title: start with ##", h.title)
		case h.level > before+1:
			c.errs.addf(
				h.place, "the heading %q jumps from level %d to %d: leave out no level", h.title, before, h.level,
			)
		}
		before = h.level
	}
}

// liftHeadings gives the headings of a body the levels from 2 on, in their order and without gaps.
func (c *chapter) liftHeadings() {
	top := 6
	for _, h := range c.headings {
		top = min(top, h.level)
	}
	before := 1
	for _, h := range c.headings {
		h.level = min(h.level-top+2, before+1, 6)
		before = h.level
	}
}

// numberHeadings counts sections within the chapter and subsections within the section.
func (c *chapter) numberHeadings() {
	if c.number == "" {
		return
	}
	section, sub := 0, 0
	for _, h := range c.headings {
		switch {
		case h.entry:
		case h.level == 2:
			section, sub = section+1, 0
			h.number = fmt.Sprintf("%s.%d", c.number, section)
		case h.level == 3:
			sub++
			h.number = fmt.Sprintf("%s.%d.%d", c.number, section, sub)
		}
	}
}
