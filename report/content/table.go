package content

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Table is a table made from data. Its caption comes from the page's text, {{ table "id" "caption" }}. It is also
// offered as CSV: what a cell shows without its markup and marks, unless Data is set.
type Table struct {
	// ID names the table on its page, in the form of a Figure's. Its anchor is "tbl-" + ID.
	ID string
	// Title says in a few words what the table shows. Plain text.
	Title string
	// Groups is an optional row of headings above Header, each over Span columns; the spans add up to len(Header).
	Groups []Group
	// Header has one cell per column. Required.
	Header []Cell
	// Rows all have len(Header) cells.
	Rows [][]Cell
	// RowHeader makes the first cell of every row the heading of that row.
	RowHeader bool
	// Data replaces the download made from the cells.
	Data Records
}

// Group is a heading over Span columns, at least one. Its text may be empty.
type Group struct {
	Cell Cell
	Span int
}

// Cell is one cell of a table. Make it with Text, Int, Decimal or Rich; mark it with Marked.
type Cell struct {
	Kind CellKind
	Text string // Markdown in a rich cell, else plain
	Mark *Mark  // nil for none
}

// CellKind says how a cell's text is to be read.
type CellKind uint8

// The kinds of cells: plain text, a number, inline Markdown.
const (
	TextCell CellKind = iota
	NumberCell
	RichCell
)

// Text returns a cell of plain text, which is escaped everywhere.
func Text(s string) Cell { return Cell{Kind: TextCell, Text: s} }

// Int returns a cell with a whole number. From five digits on its digits are grouped by space that is not copied.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](v T) Cell {
	if v < 0 {
		return Cell{Kind: NumberCell, Text: strconv.FormatInt(int64(v), 10)}
	}
	return Cell{Kind: NumberCell, Text: strconv.FormatUint(uint64(v), 10)}
}

// BigInt returns a cell with a whole number of any size; v is not nil.
func BigInt(v *big.Int) Cell { return Cell{Kind: NumberCell, Text: v.String()} }

var decimalRule = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// Decimal returns a cell with a number that the caller has formatted, e.g. "0.25", "-1e-9"; s is shown digit by digit
// as it is. Where s is no decimal number ("n/a", "1/3"), the cell is one of text.
func Decimal(s string) Cell {
	if !decimalRule.MatchString(s) {
		return Text(s)
	}
	return Cell{Kind: NumberCell, Text: s}
}

// Rich returns a cell of inline Markdown, with math and with the output of a page's ref calls.
func Rich(m Markdown) Cell { return Cell{Kind: RichCell, Text: string(m)} }

// String returns what the cell holds, without its mark.
func (c Cell) String() string { return c.Text }

// Marked returns the cell with the mark m. Tables list the marks of their cells in a legend.
func (c Cell) Marked(m Mark) Cell {
	c.Mark = &m
	return c
}

// Mark sets a cell apart by colour, and by a sign and words for those who do not see the colour.
type Mark struct {
	Tone Tone
	// Sign is a character or two beside the cell's text, e.g. "✗". Required.
	Sign string
	// Meaning is read aloud after the cell's text and stands in the table's legend, e.g. "wrong side". Required.
	Meaning string
}

// Tone is a colour for marks. Each has a light and a dark form in which text keeps its contrast.
type Tone uint8

// The tones. Plain is the ground's own colour.
const (
	Plain Tone = iota
	Red
	Cyan
	Green
	Amber
	Violet
	Grey
)

var toneNames = [...]string{"plain", "red", "cyan", "green", "amber", "violet", "grey"}

// String returns the tone's name in lower-case letters.
func (t Tone) String() string { return toneNames[t] }

// Validate returns an error that says which rule the table breaks.
func (t *Table) Validate() error {
	switch {
	case !ValidID(t.ID):
		return errors.New("an id has lower-case letters, digits and single hyphens only")
	case len(t.Header) == 0:
		return errors.New("it has no header: set Header to one cell per column")
	}
	if len(t.Groups) > 0 {
		sum := 0
		for _, g := range t.Groups {
			if g.Span < 1 {
				return fmt.Errorf("group %q spans %d columns: a group spans at least one", g.Cell.Text, g.Span)
			}
			sum += g.Span
		}
		if sum != len(t.Header) {
			return fmt.Errorf("its groups span %d columns of %d", sum, len(t.Header))
		}
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Header) {
			return fmt.Errorf("row %d has %d cells, the header has %d", i+1, len(row), len(t.Header))
		}
		for j, c := range row {
			if err := c.validate(); err != nil {
				return fmt.Errorf("row %d, column %d: %w", i+1, j+1, err)
			}
		}
	}
	return nil
}

func (c *Cell) validate() error {
	m := c.Mark
	if m == nil {
		return nil
	}
	switch {
	case int(m.Tone) >= len(toneNames):
		return fmt.Errorf("the mark has the unknown tone %d", m.Tone)
	case strings.TrimSpace(m.Sign) == "":
		return errors.New("the mark has no sign: colour alone does not reach everybody")
	case strings.TrimSpace(m.Meaning) == "":
		return errors.New("the mark has no meaning: say in a word or two what it stands for")
	}
	return nil
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
