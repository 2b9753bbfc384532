package show

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/figure"
)

// Table collects rows and shows them as a table.
type Table struct {
	title  string
	header []string
	rows   [][]string
}

// NewTable returns an empty table with a title, which may be empty, and the names of its columns.
func NewTable(title string, columns ...string) *Table {
	return &Table{title: title, header: columns}
}

// Row adds a row: integers of any size get thousands separators, floating-point numbers are written as by
// [figure.Decimal], all else as by [fmt.Sprint]. It ends the cell if there are not as many cells as columns.
func (t *Table) Row(cells ...any) *Table {
	if len(cells) != len(t.header) {
		Fail("show: a row of %d cells in a table of %d columns: give one cell per column", len(cells), len(t.header))
	}
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = written(cell)
	}
	t.rows = append(t.rows, row)
	return t
}

// Show shows the table. Columns of numbers are aligned at the right.
func (t *Table) Show() { send(t.html(), t.plain()) }

func written(cell any) string {
	switch v := cell.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, *big.Int:
		return figure.Thousands(fmt.Sprint(v))
	case float64:
		return figure.Decimal(v)
	default:
		return fmt.Sprint(v)
	}
}

var number = regexp.MustCompile(`^[-−+]?[0-9][0-9,.]*(e[-+]?[0-9]+)?( ?%)?$`)

// numeric says of each column whether it holds numbers, or nothing, in every row.
func (t *Table) numeric() []bool {
	numeric := make([]bool, len(t.header))
	for i := range numeric {
		numeric[i] = len(t.rows) > 0
		for _, row := range t.rows {
			numeric[i] = numeric[i] && (row[i] == "" || number.MatchString(row[i]))
		}
	}
	return numeric
}

// html aligns by attribute and by style: some sanitisers drop the one, some the other.
func (t *Table) html() string {
	var out strings.Builder
	numeric := t.numeric()
	write := func(tag, attributes string, cells []string) {
		out.WriteString("<tr>")
		for i, cell := range cells {
			side := "left"
			if numeric[i] {
				side = "right"
			}
			fmt.Fprintf(&out, `<%s%s align="%s" style="text-align:%s">%s</%s>`, tag, attributes, side, side, escape(cell), tag)
		}
		out.WriteString("</tr>\n")
	}
	if t.title != "" {
		fmt.Fprintf(&out, "<p><b>%s</b></p>\n", escape(t.title))
	}
	out.WriteString("<table>\n")
	out.WriteString("<thead>")
	write("th", ` scope="col"`, t.header)
	out.WriteString("</thead>\n<tbody>\n")
	for _, row := range t.rows {
		write("td", "", row)
	}
	out.WriteString("</tbody>\n</table>\n")
	return out.String()
}

// plain writes the columns as wide as their widest cell.
func (t *Table) plain() string {
	width := make([]int, len(t.header))
	for _, row := range append([][]string{t.header}, t.rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	lines := []string{}
	if t.title != "" {
		lines = append(lines, t.title)
	}
	numeric := t.numeric()
	for _, row := range append([][]string{t.header}, t.rows...) {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			gap := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if numeric[i] {
				line.WriteString(gap + cell)
			} else {
				line.WriteString(cell + gap)
			}
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return strings.Join(lines, "\n")
}
