package content

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
)

// Table is a table made from data. Its caption comes from the page's text, {{ table "id" "caption" }}. It is also
// offered as CSV: the text of its cells without markup and marks, unless Data is set.
type Table struct {
	// ID names the table on its page, in the form of a Figure's ID. Its anchor is "tbl-" + ID.
	ID string `json:"id,omitempty"`
	// Title says in a few words what the table shows. Plain text.
	Title string `json:"title,omitempty"`
	// Groups is an optional row of headings above Header, each over Span columns. The spans must add up to len(Header).
	Groups []Group `json:"groups,omitempty"`
	// Header has one cell per column. Required.
	Header []Cell `json:"header"`
	// All rows have len(Header) cells.
	Rows [][]Cell `json:"rows,omitempty"`
	// RowHeader makes the first cell of every row the heading of that row.
	RowHeader bool `json:"rowHeader,omitempty"`
	// Anchors, if not empty, has an anchor for each row, in the form of an ID, or "" for a row without one.
	Anchors []string `json:"anchors,omitempty"`
	// Short lists columns, counted from 0, with texts so short that they never wrap to make room for other columns.
	Short []int `json:"short,omitempty"`
	// Data is the download in place of the cells.
	Data Records `json:"data,omitzero"`
}

// Group is a heading over Span columns, at least one. Its text may be empty.
type Group struct {
	Cell Cell `json:"cell"`
	Span int  `json:"span"`
}

// Cell is a cell of a table. Make it with Text, Int, Decimal or Rich; mark it with Marked.
type Cell struct {
	Kind CellKind `json:"kind,omitzero"` // empty for text
	Text string   `json:"text"`          // Markdown in a rich cell, otherwise plain
	Mark *Mark    `json:"mark,omitempty"`
}

// CellKind says how a cell's text is to be read.
type CellKind string

// These are the kinds of cells: plain text, a number, inline Markdown.
const (
	TextCell   CellKind = ""
	NumberCell CellKind = "number"
	RichCell   CellKind = "rich"
)

// Add appends the row that Row returns.
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, Row(values...)) }

// Row returns a row of cells for values: a string becomes plain text, Markdown rich text, and a whole number of any
// kind a number. A cell, or a slice of cells, is used as it is. It panics if a value has another type.
func Row(values ...any) []Cell {
	row := make([]Cell, 0, len(values))
	for _, value := range values {
		switch v := value.(type) {
		case Cell:
			row = append(row, v)
		case []Cell:
			row = append(row, v...)
		case string:
			row = append(row, Text(v))
		case Markdown:
			row = append(row, Rich(v))
		case *big.Int:
			row = append(row, BigInt(v))
		default:
			switch v := reflect.ValueOf(value); {
			case v.CanInt():
				row = append(row, Int(v.Int()))
			case v.CanUint():
				row = append(row, Int(v.Uint()))
			default:
				panic(fmt.Sprintf("content: a table has no cell for the type %T", value))
			}
		}
	}
	return row
}

// Text returns a cell of plain text, which every output escapes.
func Text(s string) Cell { return Cell{Kind: TextCell, Text: s} }

// Int returns a cell with a whole number. Pages show it with commas, as Thousands does; readers who copy it get no
// commas.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](v T) Cell {
	if v < 0 {
		return Cell{Kind: NumberCell, Text: strconv.FormatInt(int64(v), 10)}
	}
	return Cell{Kind: NumberCell, Text: strconv.FormatUint(uint64(v), 10)}
}

// BigInt returns a cell with a whole number of any size. v must not be nil.
func BigInt(v *big.Int) Cell { return Cell{Kind: NumberCell, Text: v.String()} }

const digits = "0123456789"

// isDecimal reports whether a text is a decimal number, such as -0.25, .5 or 1e-9.
func isDecimal(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return (err == nil || errors.Is(err, strconv.ErrRange)) && strings.Trim(s, digits+"+-.eE") == "" &&
		!strings.Contains(strings.ToLower(s)+"e", ".e") // ParseFloat accepts "1.", which is not a decimal here
}

// Decimal returns a cell with a number that the caller has formatted, e.g. "0.25", "-1e-9"; s is shown digit by digit
// as it is. If s is not a decimal number ("n/a", "1/3", "007"), it is a cell of text.
func Decimal(s string) Cell {
	if whole := strings.TrimPrefix(s, "-"); !isDecimal(s) || len(whole) > 1 && whole[0] == '0' && isDigit(whole[1]) {
		return Text(s)
	}
	return Cell{Kind: NumberCell, Text: s}
}

// Float returns a cell with v rounded to the given number of significant digits. It never rounds the whole part, unless
// the whole part has more than 15 digits.
func Float(v float64, digits int) Cell {
	format, precision := byte('g'), digits
	if a := math.Abs(v); a >= math.Pow10(digits)-0.5 && a < 1e15 {
		format, precision = 'f', 0
	}
	return Decimal(strconv.FormatFloat(v, format, precision, 64))
}

// Rich returns a cell of inline Markdown, which may have math and the output of ref calls.
func Rich(m Markdown) Cell { return Cell{Kind: RichCell, Text: string(m)} }

// String returns the text of the cell, without its mark.
func (c Cell) String() string { return c.Text }

// Marked returns the cell with the mark m. Tables list the marks of their cells in a legend.
func (c Cell) Marked(m Mark) Cell {
	m.Tone = cmp.Or(m.Tone, Plain)
	c.Mark = &m
	return c
}

// Mark highlights a cell by a colour, and by a sign and words for readers who do not see the colour.
type Mark struct {
	Tone Tone `json:"tone"`
	// Sign is one or two characters next to the cell's text, e.g. "✗". Required.
	Sign string `json:"sign"`
	// Meaning is read aloud after the cell's text and listed in the table's legend, e.g. "wrong side". Required.
	Meaning string `json:"meaning"`
}

// Tone is a colour for marks. Each has a light and a dark form on which text has enough contrast.
type Tone string

// These are the tones. Plain is the background's own colour.
const (
	Plain  Tone = "plain"
	Red    Tone = "red"
	Cyan   Tone = "cyan"
	Green  Tone = "green"
	Amber  Tone = "amber"
	Violet Tone = "violet"
	Grey   Tone = "grey"
)

// Validate returns an error that says which rule the table breaks.
func (t *Table) Validate() error { return identified(t.ID, t.check) }

// check validates a table that need not have an id yet.
func (t *Table) check() error {
	var r rules
	r.need(t.ID == "" || ValidID(t.ID), "%w", errBadID)
	columns := len(t.Header)
	r.need(columns > 0, "there is no header: give one cell per column")
	if len(t.Groups) > 0 {
		sum := 0
		for _, g := range t.Groups {
			r.need(g.Span >= 1, "group %q spans %d columns: a group must span at least one", g.Cell.Text, g.Span)
			r.recordIn(g.Cell.validate(), "group %q", g.Cell.Text)
			if sum += g.Span; sum > columns || sum < 0 { // the sum may overflow
				break
			}
		}
		r.need(sum == columns, "the groups span %s, but the header has %d", plural.Count(sum, "column"), columns)
	}
	for i, c := range t.Header {
		r.recordIn(c.validate(), "the heading of column %d", i+1)
	}
	for _, column := range t.Short {
		r.need(column >= 0 && column < columns, "there is no short column %d: columns are numbered from 0 to "+
			"%d", column, columns-1)
	}
	n := len(t.Anchors)
	r.need(n == 0 || n == len(t.Rows), "there are %s and %s: give each row an anchor, or an empty string",
		plural.Count(len(t.Rows), "row"), plural.Count(n, "anchor"))
	for _, anchor := range t.Anchors {
		r.need(anchor == "" || ValidID(anchor), "the anchor %q: %w", anchor, errBadID)
	}
	for i, row := range t.Rows {
		r.need(len(row) == columns, "row %d has %s, but the header has %d", i+1, plural.Count(len(row), "cell"),
			columns)
		for j, c := range row {
			r.recordIn(c.validate(), "row %d, column %d", i+1, j+1)
		}
	}
	r.recordIn(t.Data.Validate(), "the data")
	return r.broken
}

func (c *Cell) validate() error {
	if c.Kind != TextCell {
		if err := oneOf("the kind of a cell must be empty,", c.Kind, NumberCell, RichCell); err != nil {
			return err
		}
	}
	if c.Kind == NumberCell && !isDecimal(c.Text) {
		return fmt.Errorf("%.40q is not a decimal number: use a text cell", c.Text)
	}
	m := c.Mark
	if m == nil {
		return nil
	}
	var r rules
	r.follow(oneOf("a tone must be", m.Tone, Plain, Red, Cyan, Green, Amber, Violet, Grey))
	r.need(strings.TrimSpace(m.Sign) != "", "the mark has no sign: add one, because colour alone does not reach "+
		"everybody")
	r.need(strings.TrimSpace(m.Meaning) != "", "the mark has no meaning: describe it in a word or two")
	return r.broken
}

// isPercentage reports whether a text is a percentage, with or without a space before the sign.
func isPercentage(s string) bool {
	number, ok := strings.CutSuffix(s, "%")
	number = strings.TrimSuffix(number, " ")
	return ok && number != "" && strings.Trim(number, digits+".") == ""
}

// Numeric reports which columns are aligned at the right. These are the columns in which most cells that are not empty
// are numbers or percentages. Words in such columns are also aligned at the right.
func (t *Table) Numeric() []bool {
	numeric := make([]bool, len(t.Header))
	for j := range numeric {
		numbers, others := 0, 0
		for _, row := range t.Rows {
			switch {
			case row[j].Kind == NumberCell || isPercentage(row[j].Text):
				numbers++
			case row[j].Text != "":
				others++
			}
		}
		numeric[j] = numbers > 0 && numbers >= others
	}
	return numeric
}

// Each calls f for every cell, headings first, row by row.
func (t *Table) Each(f func(*Cell)) {
	for i := range t.Groups {
		f(&t.Groups[i].Cell)
	}
	for i := range t.Header {
		f(&t.Header[i])
	}
	for _, row := range t.Rows {
		for i := range row {
			f(&row[i])
		}
	}
}
