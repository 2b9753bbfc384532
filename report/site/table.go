package site

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// tableView is a table as the templates see it.
type tableView struct {
	LabelledBy string // id of the caption
	Label      string // where there is no caption
	Wide, Tall bool
	Spans      []int // of column groups
	Groups     []cellView
	Header     []cellView
	Rows       [][]cellView
	Note       string
}

type cellView struct {
	HTML          template.HTML
	Class         string
	Span          int
	RowHeader     bool
	Sign, Meaning string
}

// The sizes from which on a table gets a scroll container that the keyboard can reach.
const (
	scrollingTable = 34 // letters
	tallTable      = 40 // rows
)

// viewTable prepares a table made from data, without its name.
func (r *pageRenderer) viewTable(b *block) *tableView {
	t := b.table
	v := &tableView{Tall: len(t.Rows) > tallTable, Wide: recordsWidth(b.plainRecords().All()) > scrollingTable}
	numeric := t.Numeric()
	cell := func(c *content.Cell, column int) cellView {
		view := r.viewCell(b, c)
		if numeric[column] {
			view.addClass("num")
		}
		if slices.Contains(t.Short, column) {
			view.addClass("short")
		}
		return view
	}
	for i := range t.Groups {
		g := &t.Groups[i]
		view := r.viewCell(b, &g.Cell)
		view.HTML, view.Span = nameFormula(view.HTML, b.plain(&g.Cell)), g.Span
		v.Groups = append(v.Groups, view)
		v.Spans = append(v.Spans, g.Span)
	}
	for i := range t.Header {
		view := cell(&t.Header[i], i)
		view.HTML = nameFormula(view.HTML, b.plain(&t.Header[i]))
		v.Header = append(v.Header, view)
	}
	for _, row := range t.Rows {
		var views []cellView
		for i := range row {
			view := cell(&row[i], i)
			view.RowHeader = t.RowHeader && i == 0
			views = append(views, view)
		}
		v.Rows = append(v.Rows, views)
	}
	return v
}

// viewNumbers prepares the folded table of a figure.
func (r *pageRenderer) viewNumbers(figure *block, numbers content.Numbers) *tableView {
	v := r.viewTable(&block{chapter: figure.chapter, table: numbers.Table})
	v.Label, v.Note = numbers.Name+" of "+figure.label(), numbers.Note
	if shown := len(numbers.Table.Rows); shown < numbers.Rows {
		v.Note = fmt.Sprintf("The first %d of %d rows; the CSV has them all.", shown, numbers.Rows)
	}
	return v
}

// captionSuffix makes the id of a block's caption; a slug holds no dot, so no anchor of the text can equal it.
const captionSuffix = ".caption"

func (r *pageRenderer) viewCell(b *block, c *content.Cell) cellView {
	var v cellView
	switch c.Kind {
	case content.TextCell:
		text := html.EscapeString(c.Text)
		if b.cells != nil { // the table is not one of a figure's numbers
			text = strings.ReplaceAll(text, "_", "_<wbr/>") // lets long names wrap
		}
		v.HTML = template.HTML(text)
	case content.NumberCell:
		v.HTML = template.HTML(numberCell(c.Text))
	case content.RichCell:
		v.HTML = r.inline(b.cells[c])
	}
	if c.Mark != nil {
		v.addClass("tone-" + c.Mark.Tone.String())
		v.Sign, v.Meaning = c.Mark.Sign, c.Mark.Meaning
	}
	return v
}

// nameFormula gives the heading of a column that is nothing but a formula a name in letters: assistive technology
// announces headings by their text, and many know none of a formula.
func nameFormula(heading template.HTML, name string) template.HTML {
	rest, ok := strings.CutPrefix(string(heading), "<math>")
	if !ok || !strings.HasSuffix(rest, "</math>") || strings.Contains(rest, "<math") {
		return heading
	}
	return template.HTML(`<span class="hidden">` + html.EscapeString(name) + `</span><math aria-hidden="true">` + rest)
}

func (v *cellView) addClass(class string) { v.Class = strings.TrimSpace(v.Class + " " + class) }

// plainRecords are a table's cells as text, headings first.
func (b *block) plainRecords() content.Records {
	t := b.table
	header := b.plainRow(t.Header)
	column := 0
	for _, g := range t.Groups {
		for range g.Span {
			if text := b.plain(&g.Cell); text != "" {
				header[column] = strings.TrimSpace(text + ": " + header[column])
			}
			column++
		}
	}
	records := content.Records{Header: header}
	for _, row := range t.Rows {
		records.Rows = append(records.Rows, b.plainRow(row))
	}
	return records
}

func (b *block) plainRow(cells []content.Cell) []string {
	row := make([]string, len(cells))
	for i := range cells {
		row[i] = b.plain(&cells[i])
	}
	return row
}

func (b *block) plain(c *content.Cell) string {
	if in := b.cells[c]; in != nil {
		return b.chapter.plainText(in.doc, in.text)
	}
	return c.Text
}

// recordsWidth estimates how many letters wide a table is set.
func recordsWidth(records [][]string) int {
	var columns []int
	for _, row := range records {
		for i, cell := range row {
			if i == len(columns) {
				columns = append(columns, 0)
			}
			columns[i] = max(columns[i], utf8.RuneCountInString(cell)+2)
		}
	}
	sum := 0
	for _, n := range columns {
		sum += n
	}
	return sum
}

// markdownTable wraps a table written in Markdown in its scroll container.
func (r *pageRenderer) markdownTable(n ast.Node, src []byte) element {
	var records [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var record []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			record = append(record, r.chapter.plainText(cell, src))
		}
		records = append(records, record)
	}
	reachable := ""
	if recordsWidth(records) > scrollingTable {
		reachable = ` tabindex="0" role="group" aria-label="Table"`
	}
	return element{start: `<div class="scroll"` + reachable + "><table>\n", end: "</table></div>\n"}
}

func (r *pageRenderer) markdownCell(n ast.Node, src []byte) element {
	cell := n.(*extast.TableCell)
	tag, scope, class := "td", "", ""
	if cell.Parent().Kind() == extast.KindTableHeader && cell.HasChildren() { // an empty corner heads nothing
		tag, scope = "th", ` scope="col"`
	}
	switch cell.Alignment {
	case extast.AlignRight:
		class = ` class="num"`
	case extast.AlignCenter:
		class = ` class="centre"`
	}
	e := element{start: "<" + tag + scope + class + ">", end: "</" + tag + ">\n"}
	if first := cell.FirstChild(); tag == "th" && first == cell.LastChild() && first.Kind() == kindPassthroughInline {
		formula := template.HTML(r.chapter.formulas[first].mathHTML(r.id))
		e.start += string(nameFormula(formula, r.chapter.plainText(cell, src)))
		e.whole = true
	}
	return e
}
