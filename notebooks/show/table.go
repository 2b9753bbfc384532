package show

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Table collects rows and shows them as a table.
type Table struct{ table content.Table }

// NewTable returns an empty table with a title, which may be empty, and the names of its columns.
func NewTable(title string, columns ...string) *Table {
	t := content.Table{Title: title}
	for _, name := range columns {
		t.Header = append(t.Header, content.Text(name))
	}
	return &Table{t}
}

// Row adds a row. Floating-point numbers are shown with six significant digits. Other values are formatted as by
// [fmt.Sprint], and are treated as numbers if all values in their column are numbers. Numbers are right-aligned and
// have thousands separators. Row ends the cell if there are more or fewer values than columns.
func (t *Table) Row(cells ...any) *Table {
	if columns := len(t.table.Header); len(cells) != columns {
		Fail("show: a row of %s in a table of %s: give one cell per column",
			content.Counted(len(cells), "cell", "cells"), content.Counted(columns, "column", "columns"))
	}
	row := make([]content.Cell, len(cells))
	for i, cell := range cells {
		switch v := cell.(type) {
		case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, *big.Int:
			row[i] = content.Decimal(fmt.Sprint(v))
		case float64:
			row[i] = content.Float(v, 6)
		default:
			row[i] = content.Text(fmt.Sprint(v))
		}
	}
	t.table.Rows = append(t.table.Rows, row)
	return t
}

// Show shows the table.
func (t *Table) Show() {
	for j := range t.table.Header {
		t.asNumbers(j)
	}
	send(&t.table, tableHTML(&t.table), tableText(&t.table))
}

// asNumbers converts the cells of a column to numbers if all of them are numbers or empty.
func (t *Table) asNumbers(column int) {
	numbers := make([]content.Cell, len(t.table.Rows))
	for i, row := range t.table.Rows {
		numbers[i] = content.Decimal(row[column].Text)
		if numbers[i].Kind == content.TextCell && numbers[i].Text != "" {
			return
		}
	}
	for i, row := range t.table.Rows {
		row[column] = numbers[i]
	}
}

// texts returns the cells of a table as text, beginning with the headings. Numbers have thousands separators.
func texts(t *content.Table) [][]string {
	var rows [][]string
	for _, cells := range append([][]content.Cell{t.Header}, t.Rows...) {
		row := make([]string, len(cells))
		for j, c := range cells {
			if row[j] = c.Text; c.Kind == content.NumberCell {
				row[j] = figure.Thousands(c.Text)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// tableHTML returns the table as HTML. It aligns cells both by attribute and by style, because some sanitisers remove
// attributes and others remove styles.
func tableHTML(t *content.Table) string {
	var out strings.Builder
	numeric := t.Numeric()
	write := func(tag, attributes string, row []string) {
		out.WriteString("<tr>")
		for j, text := range row {
			side := "left"
			if numeric[j] {
				side = "right"
			}
			fmt.Fprintf(&out, `<%s%s align="%s" style="text-align:%s">%s</%s>`, tag, attributes, side, side,
				escape(text), tag)
		}
		out.WriteString("</tr>\n")
	}
	if t.Title != "" {
		fmt.Fprintf(&out, "<p><b>%s</b></p>\n", escape(t.Title))
	}
	rows := texts(t)
	out.WriteString("<table>\n<thead>")
	write("th", ` scope="col"`, rows[0])
	out.WriteString("</thead>\n<tbody>\n")
	for _, row := range rows[1:] {
		write("td", "", row)
	}
	out.WriteString("</tbody>\n</table>\n")
	return out.String()
}

// tableText returns the table as text. Each column is as wide as its widest cell.
func tableText(t *content.Table) string {
	rows, numeric := texts(t), t.Numeric()
	width := make([]int, len(t.Header))
	for _, row := range rows {
		for j, text := range row {
			width[j] = max(width[j], utf8.RuneCountInString(text))
		}
	}
	var lines []string
	if t.Title != "" {
		lines = append(lines, t.Title)
	}
	for _, row := range rows {
		for j, text := range row {
			gap := strings.Repeat(" ", width[j]-utf8.RuneCountInString(text))
			if row[j] = text + gap; numeric[j] {
				row[j] = gap + text
			}
		}
		lines = append(lines, strings.TrimRight(strings.Join(row, "  "), " "))
	}
	return strings.Join(lines, "\n")
}
