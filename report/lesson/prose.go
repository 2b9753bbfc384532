package lesson

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// cellText is a Markdown cell that has been read.
type cellText struct {
	*prose
	name     string // of the cell, in messages
	headings []*heading
}

// readCell reads a Markdown cell.
func readCell(name, text string) (*cellText, error) {
	p, err := parse(strings.Trim(clean(text), "\n"))
	if err != nil {
		return nil, err
	}
	return &cellText{p, name, p.headings()}, nil
}

// markdown returns the cell as the page's source has it.
func (c *cellText) markdown(title *heading, l links) ([]line, error) {
	// The new addresses stand on the same lines, so that the headings keep their places.
	relinked, err := parse(c.relink(l))
	if err != nil {
		return nil, err
	}
	rows := make([][]line, 0, len(relinked.starts))
	for _, l := range relinked.lines() {
		rows = append(rows, []line{l})
	}
	for i, h := range relinked.headings() {
		h.level, h.anchor, h.folded = c.headings[i].level, c.headings[i].anchor, c.headings[i].folded
		for k := h.first; k <= h.last; k++ {
			rows[k] = nil
		}
		rows[h.first] = []line{{h.markup(c.headings[i] == title), h.first + 1}, {"", h.first + 1}}
	}
	relinked.displayMath(rows)
	events, err := relinked.folds(rows)
	if err != nil {
		return nil, err
	}
	return trimBlank(quoted(events)), nil
}

// environment is a paragraph that is one TeX environment; Jupyter takes it for a formula.
var environment = regexp.MustCompile(`(?s)^\\begin\{([a-z]+\*?)\}.*\\end\{([a-z]+\*?)\}$`)

// displayMath puts TeX environments between dollar signs.
func (p *prose) displayMath(rows [][]line) {
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindParagraph || n.Lines().Len() == 0 {
			continue
		}
		var raw strings.Builder
		for i := range n.Lines().Len() {
			raw.WriteString(p.segment(n.Lines().At(i)))
		}
		m := environment.FindStringSubmatch(strings.TrimSpace(raw.String()))
		if m == nil || m[1] != m[2] {
			continue
		}
		first := p.lineAt(n.Lines().At(0).Start)
		last := p.lineAt(n.Lines().At(n.Lines().Len() - 1).Start)
		rows[first] = append([]line{{"$$", first + 1}}, rows[first]...)
		rows[last] = append(rows[last], line{"$$", last + 1})
	}
}

// trimBlank takes blank lines off both ends.
func trimBlank(lines []line) []line {
	isBlank := func(l line) bool { return strings.TrimSpace(l.text) == "" }
	for len(lines) > 0 && isBlank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// shortSentence is a sentence that says too little alone, in bytes.
const shortSentence = 30

var sentenceEnd = regexp.MustCompile(`[.?!] `)

// sentence returns the first sentence of the first paragraph of a cell, for the page's description. A short one takes the
// next with it.
func (c *cellText) sentence() string {
	text := c.firstParagraph(c.doc)
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		if end[0] >= shortSentence {
			return text[:end[0]+1]
		}
	}
	return text
}

// firstParagraph returns the text of the first paragraph below a node, "" if there is none.
func (c *cellText) firstParagraph(n ast.Node) string {
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		text := ""
		switch n.Kind() {
		case ast.KindParagraph:
			text = c.plain(n)
		case ast.KindBlockquote:
			text = c.firstParagraph(n)
		}
		if text != "" && text != strings.TrimSpace(endMark) {
			return text
		}
	}
	return ""
}
