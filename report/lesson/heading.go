package lesson

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// heading is a heading of a cell.
type heading struct {
	first, last int // its lines, from 0
	level       int
	text        string // as it is written
	plain       string
	anchor      string
	indent      string // what stands before it
	folded      bool   // inside of <details> or a list: no section of the page
}

// headings returns the headings in the order of the text, those in quotes aside, which package site refuses.
func (p *prose) headings() []*heading {
	var list []*heading
	depth := 0
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || !inLists(n) && n != p.doc {
			return ast.WalkContinue, nil
		}
		top := n.Parent() == p.doc
		switch n := n.(type) {
		case *ast.HTMLBlock:
			if top {
				depth = max(depth+foldChange(p.raw(n)), 0)
			}
		case *ast.Heading:
			if n.Lines().Len() > 0 {
				h := p.heading(n)
				h.folded = depth > 0 || !top
				list = append(list, h)
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}

func (p *prose) heading(n *ast.Heading) *heading {
	segments := n.Lines()
	start := segments.At(0).Start
	h := &heading{level: n.Level, plain: p.plain(n), first: p.lineAt(start)}
	h.last = p.lineAt(segments.At(segments.Len() - 1).Start)
	h.indent = p.src[p.starts[h.first]:start]
	if marks := strings.TrimRight(h.indent, " \t"); strings.HasSuffix(marks, "#") {
		h.indent = strings.TrimRight(marks, "#")
	} else {
		h.last++ // the underline
	}
	var words []string
	for i := range segments.Len() {
		words = append(words, strings.TrimSpace(p.segment(segments.At(i))))
	}
	h.text = strings.Join(words, " ")
	if id, ok := n.AttributeString("id"); ok {
		if name, ok := id.([]byte); ok {
			h.anchor = string(name)
		}
	}
	return h
}

// reserved are the anchors that every page has.
var reserved = []string{"content", "top"}

// outline takes the title out of the headings of a notebook, and gives the others their levels and anchors.
func outline(headings []*heading) (title *heading) {
	var sections []*heading
	for _, h := range headings {
		switch {
		case h.folded:
		case title == nil && h.level == 1 && h.plain != "":
			title = h
		default:
			sections = append(sections, h)
		}
	}
	top := 6
	for _, h := range sections {
		top = min(top, h.level)
	}
	before := 1
	for _, h := range sections {
		h.level = min(h.level-top+2, before+1, 6)
		before = h.level
	}
	nameAnchors(sections)
	return title
}

// nameAnchors names the headings that have no anchor of their own after their text. Of those with one text, the second gets
// the number 2, and so on.
func nameAnchors(sections []*heading) {
	taken := map[string]bool{}
	for _, name := range reserved {
		taken[name] = true
	}
	for _, h := range sections {
		taken[h.anchor] = true
	}
	last := map[string]int{} // the number that was given last, by text
	for _, h := range sections {
		if h.anchor != "" {
			continue
		}
		base := cmp.Or(anchorOf(h.plain), "section")
		h.anchor = base
		for i := max(last[base]+1, 2); taken[h.anchor]; i++ {
			h.anchor = fmt.Sprintf("%s-%d", base, i)
			last[base] = i
		}
		taken[h.anchor] = true
	}
}

// markup returns the heading as the page's source has it; the title stands in the frame of the page.
func (h *heading) markup(title bool) string {
	switch {
	case title:
		return ""
	case h.folded:
		return h.indent + "**" + strings.Trim(h.text, "*") + "**"
	}
	return strings.Repeat("#", h.level) + " " + h.text + " {#" + h.anchor + "}"
}
