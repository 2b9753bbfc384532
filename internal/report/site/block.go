package site

import (
	"bytes"
	"fmt"
	"html/template"
	"image"
	_ "image/gif"  // images of notebooks may be GIF
	_ "image/jpeg" // images of notebooks may be JPEG
	_ "image/png"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
)

// block is a figure, a table, a list of entries or an exercise at its place on the page.
type block struct {
	chapter *chapter
	name    blockName
	place   content.Place
	number  string
	letter  string // such as "(a)", if the figure belongs to a group
	anchor  string
	caption *prose

	figure  *content.Figure
	links   []*link // the links of a figure
	table   *content.Table
	cells   map[*content.Cell]*prose // the texts of cells with markup
	entries *content.Entries
	parts   map[*content.Point]*prose
	titles  []*heading // the titles of the entries
	csv     []byte     // the download; nil if there is none

	exercise *content.Exercise
	posed    []part // the question of the exercise, and its folded solution
}

// blockName identifies a block of a page.
type blockName struct {
	kind callKind
	id   string
}

// collectBlock places the block that a call names.
func (c *chapter) collectBlock(n *blockCall, p *prose) {
	call := c.calls[n.index]
	call.seen = true
	at := p.placeAt(n.Pos())
	if call.kind == callOnly {
		c.errs.addf(at, "text for one form of the book must begin with {{ only \"paper\" }} and end with {{ end }}, "+
			"in the same list or quotation, and cannot contain other such text: add the missing line")
		return
	}
	c.group, _ = n.Parent().(*captioned)
	defer func() { c.group = nil }()
	if call.kind == callBlocks {
		c.insert(call, at)
		return
	}
	name := blockName{call.kind, call.id}
	if other := c.byName[name]; other != nil {
		c.errs.addf(at, "%s %q is already placed in line %d: give one of them another name, or refer to it with {{ "+
			"ref %q }}", call.kind, call.id,
			other.place.Line, name.target())
		return
	}
	own := c.placeables()
	i := slices.IndexFunc(own, func(p placeable) bool { return p.blockName == name })
	if i < 0 {
		c.errs.addf(at, "there is no %s %q; %s", call.kind, call.id,
			among("the page has", call.id, c.names(call.kind)))
		return
	}
	var b *block
	switch of := own[i].of.(type) {
	case *content.Figure:
		b = c.newFigure(of, nil, at)
	case *content.Table:
		b = c.newTable(of, nil, at)
	case *content.Entries:
		b = c.newEntries(of, at)
	case *content.Exercise:
		b = c.newExercise(of, call.text, at)
	}
	b.caption = c.parseInline(fmt.Sprintf("the caption of %s %q", call.kind, call.id), content.Markdown(call.text), at)
	c.blocks = append(c.blocks, b)
	c.placed[call] = b
}

// insert reads the blocks that a call of the function blocks places.
func (c *chapter) insert(placed *call, at content.Place) {
	blocks, ok := c.Blocks[placed.id]
	if !ok {
		c.errs.addf(at, "there are no blocks %q; %s", placed.id,
			among("the page has", placed.id, slices.Sorted(maps.Keys(c.Blocks))))
		return
	}
	if c.inserted == nil {
		c.inserted = map[*call][]part{}
	}
	c.inserted[placed] = c.apart(blocks, at)
}

// apart reads blocks for one place in a text, and returns their parts without adding them to the chapter.
func (c *chapter) apart(blocks []content.Block, at content.Place) []part {
	outer, unclosed := c.parts, c.unclosed
	c.parts, c.unclosed = nil, nil
	c.settle(at)
	c.here.Line = at.Line
	c.readBlocks(blocks)
	read := c.parts
	c.parts, c.unclosed = outer, unclosed
	return read
}

// newExercise returns the block for an exercise, with its anchor, and reads its texts.
func (c *chapter) newExercise(e *content.Exercise, number string, at content.Place) *block {
	b := c.newBlock(blockName{callExercise, e.ID}, nil, at)
	b.exercise = e
	b.posed = c.apart([]content.Block{
		content.Prose{Text: e.Question, Place: at, Inner: true},
		content.Fold{
			Title: c.words.Say("answer", number),
			Body:  []content.Block{content.Prose{Text: e.Solution, Place: at, Inner: true}},
		},
	}, at)
	return b
}

// explore returns the explorable of a figure or an exercise, or nil if it has none.
func (b *block) explore() *content.Explorable {
	switch {
	case b.exercise != nil:
		return &b.exercise.Explore
	case b.figure != nil:
		return b.figure.Explore
	}
	return nil
}

// placeable is an item that a call in the text can place.
type placeable struct {
	blockName
	of any
}

// placeables returns the items that calls can place on the page: its figures, tables, lists of entries and exercises.
func (p *Page) placeables() (all []placeable) {
	for i := range p.Figures {
		all = append(all, placeable{blockName{callFigure, p.Figures[i].ID}, &p.Figures[i]})
	}
	for i := range p.Tables {
		all = append(all, placeable{blockName{callTable, p.Tables[i].ID}, &p.Tables[i]})
	}
	for i := range p.Entries {
		all = append(all, placeable{blockName{callEntries, p.Entries[i].ID}, &p.Entries[i]})
	}
	for i := range p.Exercises {
		all = append(all, placeable{blockName{callExercise, p.Exercises[i].ID}, &p.Exercises[i]})
	}
	return all
}

// names returns the ids of the page's blocks of the given kind.
func (p *Page) names(kind callKind) (names []string) {
	for _, own := range p.placeables() {
		if own.kind == kind {
			names = append(names, own.id)
		}
	}
	return names
}

// target returns the name of the block in references, such as "fig:name".
func (n blockName) target() string { return n.kind.prefix() + ":" + n.id }

// label returns the text that refers to the block, such as "Figure 3.2".
func (b *block) label() string {
	words := b.chapter.words
	switch {
	case b.figure != nil && b.number == "":
		return words.Say("diagram")
	case b.figure != nil:
		return words.Say("figure", b.number)
	case b.entries != nil:
		return words.Say("the-list")
	case b.exercise != nil:
		return words.Say("the-exercise")
	}
	return words.Say("table", b.number)
}

// newFigure returns the block for a figure, with its number and anchor.
func (c *chapter) newFigure(f *content.Figure, caption *prose, at content.Place) *block {
	b := c.newBlock(blockName{callFigure, f.ID}, caption, at)
	b.figure, b.csv = f, f.Data.CSV()
	for _, l := range f.Links {
		b.links = append(b.links, &link{dest: l.Target, place: at})
	}
	c.links = append(c.links, b.links...)
	return b
}

// newTable returns the block for a table, with its number and anchor, and reads its cells.
func (c *chapter) newTable(t *content.Table, caption *prose, at content.Place) *block {
	b := c.newBlock(blockName{callTable, t.ID}, caption, at)
	b.table, b.cells = t, map[*content.Cell]*prose{}
	t.Each(func(cell *content.Cell) {
		if cell.Kind == content.RichCell {
			b.cells[cell] = c.parseInline("a cell of table "+strconv.Quote(t.ID), content.Markdown(cell.Text), at)
		}
	})
	for _, anchor := range t.Anchors {
		if anchor != "" {
			c.anchor(anchor, at)
		}
	}
	if b.csv = t.Data.CSV(); b.csv == nil {
		b.csv = b.plainRecords().CSV()
	}
	return b
}

func (c *chapter) newBlock(name blockName, caption *prose, at content.Place) *block {
	b := &block{
		chapter: c,
		name:    name,
		place:   at,
		anchor:  name.kind.prefix() + "-" + name.id,
		caption: caption,
	}
	if c.group != nil && name.kind == callFigure {
		b.number, b.letter = c.group.next()
	} else {
		c.count[name.kind]++
		b.number = c.numbered(c.count[name.kind])
	}
	c.anchor(b.anchor, at)
	c.byName[name] = b
	return b
}

// unusedBlocks reports blocks that the text does not place, and ids that occur twice.
func (c *chapter) unusedBlocks(end content.Place) {
	used := map[blockName]int{}
	for _, call := range c.calls {
		used[blockName{call.kind, call.id}]++
	}
	seen := map[blockName]bool{}
	for _, own := range c.placeables() {
		kind, id := own.kind, own.id
		switch {
		case seen[own.blockName] && used[own.blockName] < 2: // otherwise, the second place has the fault
			c.errs.addf(end, "%s %q occurs twice: ids must be unique on a page", kind, id)
		case used[own.blockName] == 0 && !seen[own.blockName]:
			c.errs.addf(end, "%s %q is never placed: add {{ %s %q \"caption\" }} or leave it out", kind, id, kind, id)
		}
		seen[own.blockName] = true
	}
}

// collectCall records a reference, a picture or an anchor. It reports other calls within a line as faults.
func (c *chapter) collectCall(n *inlineCall, p *prose) {
	call := c.calls[n.index]
	call.seen = true
	at := p.placeAt(n.Pos())
	if !call.kind.inline() {
		c.errs.addf(at, "{{ %s %q }} shares a line with other text: put it on a line of its own", call.kind, call.id)
		return
	}
	if call.kind == callAnchor {
		c.anchor(call.id, at)
		return
	}
	if insideLink(n) {
		c.errs.addf(at, "{{ %s %q }} is inside a link: move it out", call.kind, call.id)
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

// imageKind returns the file extension of a drawing: "svg", "png", "jpg" or "gif".
func imageKind(data []byte) string {
	if _, kind, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
		return strings.Replace(kind, "jpeg", "jpg", 1)
	}
	return "svg"
}

// blockView is the data of a block's template.
type blockView struct {
	ID, Number string
	Letter     string // the letter of a figure in a group, shown instead of its number
	CaptionID  string
	Caption    template.HTML
	CSV        template.URL
	CSVName    string
	CSVSize    string     // the size of a large download, such as "3.3 MB"
	Table      *tableView // the folded table with a figure's numbers

	Tones   []content.Mark // the marks in a table or in entries
	Entries []entryView
	Posed   template.HTML // the texts of an exercise; its caption is the number

	Figure *content.Figure
	Light  string // Light and Dark are addresses
	Dark   string // "" if the drawing has no dark form
	// Wide blocks extend into the margin. A wide figure also scrolls sideways on screens where it would be too small to
	// read.
	Wide      bool
	TableName string

	Links []linkView // the links of a figure

	Width, Height int // the size of a figure if the screen is large enough

	Explore *content.Explorable // nil if scripts may not run
	Words   string              // the explorable's phrases as JSON; see Words.phrases
}

// linkView is a link that covers a part of a figure.
type linkView struct {
	content.Link
	Href template.URL
}

// The link to a download of largeDownload bytes or more shows the size. An edition of one file leaves out downloads of
// largeInFile bytes or more, because every reader must load the whole file.
const (
	largeDownload = 1_000_000
	largeInFile   = 30_000 // the limit in an edition of one file
)

// block renders the block that a call has placed.
func (r *pageRenderer) block(n ast.Node, _ []byte) element {
	call := r.chapter.calls[n.(*blockCall).index]
	if parts, ok := r.chapter.inserted[call]; ok {
		return wholeElement(r.liveCell(call.id, r.render(parts)))
	}
	return wholeElement(r.chapter.placed[call].render(r))
}

// Blocks that are wider than this extend into the margin.
const (
	wideFigure = 800 // pixels
	wideTable  = 100 // letters
)

// A drawing is enlarged by at most mostScale, which makes its small letters as large as the text, and to a height of at
// most mostHeight pixels.
const (
	mostScale  = 1.4
	mostHeight = 720
)

// explores sets the explorable of a block if scripts may run.
func (v *blockView) explores(r *pageRenderer, b *block) {
	if r.book.explorable(b) {
		v.Explore = b.explore()
		v.Words = r.words().phrases(v.Explore.Words)
	}
}

// shownSize returns the size of a figure on a screen that is large enough. Bitmaps such as photographs keep their size.
func shownSize(f *content.Figure) (width, height int) {
	scale := 1.0
	if imageKind(f.Light) == "svg" && !f.Sized {
		scale = max(1, min(mostScale, mostHeight/float64(f.Height)))
	}
	return int(math.Round(scale * float64(f.Width))), int(math.Round(scale * float64(f.Height)))
}

func (b *block) render(r *pageRenderer) string {
	v := blockView{ID: r.id(b.anchor), Number: b.label(), Figure: b.figure, Letter: b.letter}
	if b.caption != nil {
		v.CaptionID, v.Caption = r.id(b.anchor+captionSuffix), r.inline(b.caption)
	}
	if b.csv != nil {
		v.CSVName = b.csvName()
		if len(b.csv) >= largeDownload || r.book.single && len(b.csv) >= largeInFile {
			v.CSVSize = fmt.Sprintf("%.1f MB", float64(len(b.csv))/1e6)
		}
		if v.CSVSize == "" || !r.book.single {
			v.CSV = template.URL(r.fileURL(b.csvName(), b.csv))
		}
	}
	if b.entries != nil {
		v.Entries, v.Tones = r.viewEntries(b)
		return r.book.fill("entries", v)
	}
	if b.exercise != nil {
		v.Posed = template.HTML(r.render(b.posed))
		v.explores(r, b)
		return r.book.fill("exercise", v)
	}
	if b.figure == nil {
		v.Table, v.Tones = r.viewTable(b), marks(b.table)
		v.Table.LabelledBy = v.CaptionID
		if all, shown := len(b.table.Data.Rows), len(b.table.Rows); shown < all {
			v.Table.Note = r.words().Say("rows", shown, all)
		}
		v.Wide = recordsWidth(b.plainRecords().All()) > wideTable
		return r.book.fill("table-block", v)
	}
	v.Light = r.fileURL(b.imageName(false), b.figure.Light)
	v.Width, v.Height = shownSize(b.figure)
	v.explores(r, b)
	v.Wide = v.Width > wideFigure && b.letter == ""
	for i, l := range b.links {
		if !l.omitted {
			v.Links = append(v.Links, linkView{b.figure.Links[i], template.URL(l.href)})
		}
	}
	if b.figure.Dark != nil {
		v.Dark = r.fileURL(b.imageName(true), b.figure.Dark)
	}
	if numbers := b.figure.Numbers(); len(numbers.Table.Rows) > 0 {
		v.Table, v.TableName = r.viewNumbers(b, numbers), r.words().Say(strings.ToLower(numbers.Name)+"-table")
	}
	return r.book.fill("figure", v)
}

// thumbnailView is a small picture of a figure that links to the figure.
type thumbnailView struct {
	Href  template.URL
	Text  string
	Light string // Light and Dark are addresses
	Dark  string // "" if the drawing has no dark form
}

// thumbnail renders a small picture of a figure for a reference. The picture uses the files of the figure's page.
func (r *pageRenderer) thumbnail(ref *reference) string {
	b := ref.to.block
	url := func(dark bool, data []byte) string { return r.book.assetURL(b.chapter, b.imageName(dark), data) }
	v := thumbnailView{
		Href:  template.URL(r.book.href(r.chapter, b.chapter, b.anchor)),
		Text:  ref.text,
		Light: url(false, b.figure.Light),
	}
	if b.figure.Dark != nil {
		v.Dark = url(true, b.figure.Dark)
	}
	return r.book.fill("thumbnail", v)
}

func (r *pageRenderer) fileURL(name string, data []byte) string {
	return r.book.assetURL(r.chapter, name, data)
}

// marks returns the distinct marks of a table's cells, in the order in which they first appear.
func marks(t *content.Table) (found []content.Mark) {
	t.Each(func(c *content.Cell) {
		if c.Mark != nil && !slices.Contains(found, *c.Mark) {
			found = append(found, *c.Mark)
		}
	})
	return found
}
