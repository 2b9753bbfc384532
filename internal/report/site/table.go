package site

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	nethtml "golang.org/x/net/html"

	"github.com/siegebook/siegebook/report/content"
)

// tableView is the data for the template of a table.
type tableView struct {
	LabelledBy string // the id of the caption
	Label      string // the label of a table without a caption
	Wide, Tall bool
	Spans      []int // the spans of column groups
	Groups     []cellView
	Header     []cellView
	Rows       []rowView
	Note       string
}

type rowView struct {
	ID    string
	Cells []cellView
}

type cellView struct {
	HTML          template.HTML
	Class         string
	Span          int
	RowHeader     bool
	Sign, Meaning string
}

// A table that exceeds one of these sizes gets a scroll container that can be reached with the keyboard.
const (
	scrollingTable = 29 // letters
	tallTable      = 40 // rows
)

// viewTable returns the data for the template of a table, without its label.
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
	for n, row := range t.Rows {
		var views rowView
		if len(t.Anchors) > 0 && t.Anchors[n] != "" {
			views.ID = r.id(t.Anchors[n])
		}
		for i := range row {
			view := cell(&row[i], i)
			view.RowHeader = t.RowHeader && i == 0
			views.Cells = append(views.Cells, view)
		}
		v.Rows = append(v.Rows, views)
	}
	return v
}

// viewNumbers returns the data for the template of a figure's folded table.
func (r *pageRenderer) viewNumbers(figure *block, numbers content.Numbers) *tableView {
	v := r.viewTable(&block{chapter: figure.chapter, table: numbers.Table})
	v.Label, v.Note = r.words().Say(strings.ToLower(numbers.Name)+"-of", figure.label()), numbers.Note
	if shown := len(numbers.Table.Rows); shown < numbers.Rows {
		v.Note = r.words().Say("rows", shown, numbers.Rows)
	}
	return v
}

// captionSuffix is the suffix of the id of a block's caption. Slugs do not contain dots, so no anchor in the text can
// equal such an id.
const captionSuffix = ".caption"

func (r *pageRenderer) viewCell(b *block, c *content.Cell) cellView {
	var v cellView
	switch c.Kind {
	case content.TextCell:
		text := html.EscapeString(c.Text)
		if b.cells != nil { // not for the numbers of a figure
			text = strings.ReplaceAll(text, "_", "_<wbr/>") // so that long names can wrap
		}
		v.HTML = template.HTML(text)
	case content.NumberCell:
		v.HTML = template.HTML(r.words().numberCell(c.Text))
	case content.RichCell:
		v.HTML = r.inline(b.cells[c])
	}
	if c.Mark != nil {
		v.addClass("tone-" + string(c.Mark.Tone))
		v.Sign, v.Meaning = c.Mark.Sign, c.Mark.Meaning
	}
	return v
}

// nameFormula adds a name in plain text to a column heading that consists of a formula. Assistive technology announces
// headings by their text, and often cannot read formulas.
func nameFormula(heading template.HTML, name string) template.HTML {
	rest, ok := strings.CutPrefix(string(heading), "<math>")
	if !ok || !strings.HasSuffix(rest, "</math>") || strings.Contains(rest, "<math") {
		return heading
	}
	return template.HTML(`<span class="hidden">` + html.EscapeString(name) + `</span><math aria-hidden="true">` + rest)
}

func (v *cellView) addClass(class string) { v.Class = strings.TrimSpace(v.Class + " " + class) }

// plainRecords returns a table's cells as text, headings first.
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

// recordsWidth returns the approximate width of a table in letters.
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

// markdownTable puts a table written in Markdown into a scroll container.
func (r *pageRenderer) markdownTable(n ast.Node, src []byte) element {
	var records [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var record []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			record = append(record, r.chapter.plainText(cell, src))
		}
		records = append(records, record)
	}
	reachable, name, labelled := "", r.label("a-table"), ""
	if around, ok := n.Parent().(*captioned); ok {
		labelled = ` aria-labelledby="` + r.captionID(around) + `"`
		name = labelled
	}
	if recordsWidth(records) > scrollingTable {
		reachable = ` tabindex="0" role="group"` + name
	}
	return element{start: `<div class="scroll"` + reachable + "><table" + labelled + ">\n", end: "</table></div>\n"}
}

func (r *pageRenderer) markdownCell(n ast.Node, src []byte) element {
	cell := n.(*extast.TableCell)
	tag, scope, class := "td", "", ""
	if cell.Parent().Kind() == extast.KindTableHeader && cell.HasChildren() { // an empty corner is not a heading
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
		formula := template.HTML(r.chapter.formulas[first].mathHTML(r))
		e.start += string(nameFormula(formula, r.chapter.plainText(cell, src)))
		e.whole = true
	}
	return e
}

// A number that an author has written is not changed, because it may be a port, a year or the number of a book. A
// computed number is a quantity. If it is long, its digits are set in groups of three, as is usual in the page's
// language. Therefore numeric values carry a mark until the page is rendered. Only then is it known whether a number is
// in text, or in code or an address, where its digits are not grouped.

// computed matches a mark followed by a number.
var computed = regexp.MustCompile(numberMark + `(-?[0-9]+(?:\.[0-9]+)?)`)

// marked inserts marks before those numbers in a value whose format depends on the page.
func marked(value string) string {
	var out strings.Builder
	for i, part := range strings.Split(value, "/") { // the numerator and denominator of a fraction
		if i > 0 {
			out.WriteByte('/')
		}
		if content.Thousands(part) != part || decimal.MatchString(part) {
			out.WriteString(numberMark)
		}
		out.WriteString(part)
	}
	return out.String()
}

// decimal matches a number with decimals, as Go prints it.
var decimal = regexp.MustCompile(`^-?[0-9]+\.[0-9]`)

// unmarked removes the marks from a text, so that the digits of its numbers are not grouped.
func unmarked(text string) string { return strings.ReplaceAll(text, numberMark, "") }

// grouped groups the digits of the computed numbers in a text.
func (w Words) grouped(text string) string {
	if !strings.Contains(text, numberMark) {
		return text
	}
	return unmarked(computed.ReplaceAllStringFunc(text, func(number string) string {
		return w.thousands(unmarked(number))
	}))
}

// thousands formats a number in the language of the words.
func (w Words) thousands(number string) string { return w.localized(number, w.Say("thousands")) }

// localized formats a number in the language of the words, with between inserted between groups of digits.
func (w Words) localized(number, between string) string {
	whole, fraction, fractional := strings.Cut(number, ".")
	whole = strings.ReplaceAll(content.Thousands(whole), ",", between)
	if !fractional {
		return whole
	}
	return whole + w.Say("decimal") + fraction
}

// verbatim lists the elements whose text is not prose: code, and the input or output of programs.
var verbatim = []string{"code", "pre", "samp", "kbd", "script", "style", "annotation"}

// percentSign matches a percent sign that must stay on the same line as its number.
var percentSign = regexp.MustCompile(`([0-9]) %`)

// groupNumbers groups the digits of the computed numbers in the text of a page.
func (w Words) groupNumbers(markup string) string {
	if !strings.Contains(markup, numberMark) && !strings.Contains(markup, " %") {
		return markup
	}
	var out strings.Builder
	for p := range pieces(markup, func(t nethtml.Token) bool { return slices.Contains(verbatim, t.Data) }) {
		if p.Type == nethtml.TextToken && !p.hidden {
			p.raw = percentSign.ReplaceAllString(w.grouped(p.raw), "$1\u00a0%")
		}
		out.WriteString(unmarked(p.raw))
	}
	return out.String()
}

// numberCell returns the markup of a number in a table. Readers, screen readers and the browser's search see the
// separators between groups of digits. Copying leaves them out, so that other programs accept the copied number.
func (w Words) numberCell(number string) string {
	return w.localized(number, `<span class="comma">`+html.EscapeString(w.Say("thousands"))+`</span>`)
}

// entryView is the data for the template of an entry.
type entryView struct {
	ID, Title, Where string
	Section          bool // the heading has level 2, like sections; otherwise it has level 3
	Lead             template.HTML
	Verdict          cellView
	Parts            []partView
}

type partView struct {
	Name string
	HTML template.HTML
}

// newEntries returns the block for a list, and reads its texts. The title of each entry is a heading, so that the
// search and references can lead to it. It has no number, and is not in the table of contents.
func (c *chapter) newEntries(l *content.Entries, at content.Place) *block {
	b := c.newBlock(blockName{callEntries, l.ID}, nil, at)
	b.entries, b.parts = l, map[*content.Point]*prose{}
	records := content.Records{Header: []string{"where", "title", "verdict"}}
	for i := range l.Entries {
		e := &l.Entries[i]
		h := &heading{entry: true, title: e.Title, anchor: e.ID, place: at}
		c.headings, b.titles = append(c.headings, h), append(b.titles, h)
		row := []string{e.Where, e.Title, e.Verdict.Text}
		for _, part := range partsOf(e) {
			b.parts[part] = c.parseInline(fmt.Sprintf("the part %q of entry %q", part.Name, e.ID), part.Text, at)
			column := slices.Index(records.Header, part.Name)
			if column < 0 {
				column = len(records.Header)
				records.Header = append(records.Header, part.Name)
			}
			row = append(row, make([]string, max(0, column+1-len(row)))...)
			row[column] = strings.TrimSpace(c.plainText(b.parts[part].doc, b.parts[part].text) + " " + part.Code.Text)
		}
		records.Rows = append(records.Rows, row)
	}
	for i, row := range records.Rows {
		records.Rows[i] = append(row, make([]string, len(records.Header)-len(row))...)
	}
	b.csv = records.CSV()
	return b
}

// partsOf returns all texts of an entry.
func partsOf(e *content.Entry) (parts []*content.Point) {
	if e.Lead.Text != "" {
		parts = append(parts, &e.Lead)
	}
	for i := range e.Parts {
		parts = append(parts, &e.Parts[i])
	}
	return parts
}

// viewEntries returns the data for the template of a list.
func (r *pageRenderer) viewEntries(b *block) (views []entryView, tones []content.Mark) {
	for i := range b.entries.Entries {
		e := &b.entries.Entries[i]
		view := entryView{
			ID: r.id(e.ID), Title: e.Title, Section: b.titles[i].level == 2, Where: e.Where,
			Verdict: r.viewCell(b, &e.Verdict),
		}
		if e.Lead.Text != "" {
			view.Lead = r.inline(b.parts[&e.Lead])
		}
		for j := range e.Parts {
			shown := r.inline(b.parts[&e.Parts[j]])
			if code := e.Parts[j].Code; code.Text != "" {
				shown += template.HTML("\n" + r.codeHTML(code.Language, code.Text))
			}
			view.Parts = append(view.Parts, partView{e.Parts[j].Name, shown})
		}
		views = append(views, view)
		if mark := e.Verdict.Mark; mark != nil && !slices.Contains(tones, *mark) {
			tones = append(tones, *mark)
		}
	}
	return views, tones
}
