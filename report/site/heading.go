package site

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/siegebook/siegebook/report/content"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"
)

// heading is a section of a page.
type heading struct {
	node   *ast.Heading
	level  int    // 2 to 6
	number string // "3.1.2"; "" below level 3 and on unnumbered pages
	title  string // plain text
	anchor string
	line   int
}

// numberedLevels is the deepest level of headings that has numbers and stands in the table of contents.
const numberedLevels = 3

func (c *chapter) collectHeading(n *ast.Heading, src []byte, at position) {
	h := &heading{node: n, level: n.Level, title: c.plainText(n, src), line: at.line(n.Pos())}
	switch {
	case n.Parent().Kind() != ast.KindDocument:
		c.errs.addf(c.file(), h.line, "the heading %q stands inside of another block: move it out", h.title)
	case n.Level == 1:
		c.errs.addf(c.file(), h.line, "the heading %q has level 1, which is Page.Title: start with ##", h.title)
	case n.Level > c.lastLevel()+1:
		c.errs.addf(c.file(), h.line, "the heading %q jumps from level %d to %d: leave out no level", h.title, c.lastLevel(), n.Level)
	}
	for _, a := range n.Attributes() {
		if string(a.Name) != "id" {
			c.errs.addf(c.file(), h.line, "the heading %q has the attribute %q: only {#name} is known", h.title, a.Name)
		}
	}
	h.anchor = slugOf(h.title)
	if id, ok := n.AttributeString("id"); ok {
		h.anchor = string(id.([]byte))
	}
	if !content.ValidID(h.anchor) {
		c.errs.addf(c.file(), h.line, "the heading %q has the anchor %q: give it a name of lower-case letters, digits and single hyphens, as in ## Title {#name}", h.title, h.anchor)
		return
	}
	c.anchor(h.anchor, h.line)
	c.headings = append(c.headings, h)
	c.byNode[n] = h
}

func (c *chapter) lastLevel() int {
	if len(c.headings) == 0 {
		return 1
	}
	return c.headings[len(c.headings)-1].level
}

// numberHeadings counts sections within the chapter and subsections within the section.
func (c *chapter) numberHeadings() {
	if c.number == "" {
		return
	}
	section, sub := 0, 0
	for _, h := range c.headings {
		switch h.level {
		case 2:
			section, sub = section+1, 0
			h.number = fmt.Sprintf("%s.%d", c.number, section)
		case 3:
			sub++
			h.number = fmt.Sprintf("%s.%d.%d", c.number, section, sub)
		}
	}
}

// slugOf makes an anchor from a title: letters without their accents and digits, joined by hyphens.
func slugOf(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFD.String(strings.ToLower(title)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
		default:
			gap = true
		}
	}
	return b.String()
}
