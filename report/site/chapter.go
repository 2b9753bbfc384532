package site

import (
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// chapter is a page on its way to HTML: the parts of its body, and what was found in them.
type chapter struct {
	*Page
	number string // "3", or "" on unnumbered pages
	calls  []*call
	parser parser.Parser
	parts  []part
	notes  []*note
	errs   errorList
	unread bool // as the template of its text failed, or the page is left out

	here     content.Place  // the newest place of a block, for those that have none
	cells    map[string]int // of the body, in its order
	listEnds map[int]bool   // the last numbers of the lists so far
	unclosed []content.Place
	answers  bool // something is folded that the answer sheet shows

	headings  []*heading
	title     *ast.Heading // of a body, which stands in the page's frame
	titleText string
	byNode    map[ast.Node]*heading
	jupyter   map[string]string // Jupyter's anchors -> the page's
	math      []*formula        // in the order of the text
	formulas  map[ast.Node]*formula
	refs      map[*inlineCall]*reference
	links     []*link
	placed    map[*call]*block
	blocks    []*block
	byName    map[blockName]*block
	count     map[callKind]int // of blocks that are placed so far
	figures   map[string]*content.Figure
	tables    map[string]*content.Table
	lists     map[string]*content.Entries
	images    map[*ast.Image]*picture
	// inlineNotes are the texts of notes that stand in the text themselves.
	inlineNotes map[*inlineNote]*prose
	anchors     map[string]content.Place // the page's frame has no file
	repeated    map[string]int           // the next number for anchors of one name
}

// readChapter reads a page. Faults are in errs; where the template of a text failed, there are no parts.
func readChapter(p *Page, number string) *chapter {
	c := &chapter{
		Page: p, number: number,
		byNode: map[ast.Node]*heading{}, jupyter: map[string]string{}, formulas: map[ast.Node]*formula{}, refs: map[*inlineCall]*reference{},
		cells: map[string]int{}, placed: map[*call]*block{}, byName: map[blockName]*block{}, count: map[callKind]int{}, figures: map[string]*content.Figure{},
		tables: map[string]*content.Table{}, lists: map[string]*content.Entries{}, images: map[*ast.Image]*picture{}, anchors: map[string]content.Place{}, repeated: map[string]int{}, inlineNotes: map[*inlineNote]*prose{},
	}
	for _, id := range pageAnchors {
		c.anchors[id] = content.Place{}
	}
	if c.Omit {
		c.unread = true
		return c
	}
	if c.Body == nil {
		c.readSource()
	} else {
		c.readBody()
	}
	c.outline()
	c.sortFaults()
	return c
}

// readSource runs the template of a text and reads the Markdown that it gives.
func (c *chapter) readSource() {
	for i := range c.Figures {
		c.figures[c.Figures[i].ID] = &c.Figures[i]
	}
	for i := range c.Tables {
		c.tables[c.Tables[i].ID] = &c.Tables[i]
	}
	for i := range c.Entries {
		c.lists[c.Entries[i].ID] = &c.Entries[i]
	}
	src, err := execute(c.Page)
	if err != nil {
		c.errs.join(err)
		c.unread = true
		return
	}
	c.calls = src.calls
	text := &prose{place: content.Place{File: c.file(), Line: 1}, marks: src.marks}
	c.addProse(text, src.text)
	src.unseen(text, &c.errs)
	end := content.Place{File: c.file(), Line: lineOf(c.Source, len(c.Source))}
	c.unusedBlocks(end)
	for _, name := range src.dead {
		c.errs.addf(end, "value %q is never shown: add {{ .Value %q }} or leave it out", name, name)
	}
}

// sortFaults orders what was found so far.
func (c *chapter) sortFaults() { c.errs.sort(c.cells) }

func plainLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// anchor reserves the name of an anchor on this page.
func (c *chapter) anchor(name string, at content.Place) {
	if before, taken := c.anchors[name]; taken {
		where := "the page's frame"
		if before.File != "" {
			where = inCell(before)
		}
		c.errs.addf(at, "the anchor #%s is taken by %s: give this one another name", name, where)
		return
	}
	c.anchors[name] = at
}

// pageAnchors are the ids that the page's frame uses.
var pageAnchors = []string{answersAnchor, "content", "top"}

// settle takes note of where the next blocks of a body stand.
func (c *chapter) settle(at content.Place) {
	if at.File == "" {
		at.File = c.file()
	}
	c.here = content.Place{File: at.File, Cell: at.Cell}
	if c.cells[at.Cell] == 0 {
		c.cells[at.Cell] = len(c.cells) + 1
	}
}
