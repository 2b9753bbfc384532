package ants

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Map is a map as text: . or ? for land, % for water, a letter for an ant of that owner. Water plays no part in
// battles.
type Map struct {
	Rows, Cols int
	cells      []rune
}

// MapError is a text that is no map. Line and Column count from 1, as editors do.
type MapError struct {
	Line, Column int
	Problem      string // what is wrong and how to mend it
}

func (e *MapError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// ParseMap is [ReadMap] for a string.
func ParseMap(text string) (Map, error) { return ReadMap(strings.NewReader(text)) }

// ReadMap reads a map, one line for each row, all of one length. Lines end with a line feed, with or without a
// carriage return before it; empty lines after the last row and a byte order mark before the first are ignored.
//
// A text that is no map, or one with more than MaxCells cells, is a *[MapError]; no more is read and kept than such a
// map takes. Errors of the reader are returned as they are.
func ReadMap(r io.Reader) (Map, error) {
	p := mapParser{in: bufio.NewReader(r), line: 1}
	if mark, _, err := p.in.ReadRune(); err == nil && mark != '\ufeff' {
		_ = p.in.UnreadRune()
	}
	for {
		c, size, err := p.in.ReadRune()
		switch {
		case err == io.EOF:
			return p.finish()
		case err != nil:
			return Map{}, err
		case c == '\n':
			err = p.endRow()
		case c == '\r' && p.beforeLineFeed():
		case c == utf8.RuneError && size == 1:
			err = p.fails("a byte that is not UTF-8, save the map as UTF-8")
		default:
			err = p.cell(c)
		}
		if err != nil {
			return Map{}, err
		}
	}
}

// mapParser is a map in the making.
type mapParser struct {
	in     *bufio.Reader
	m      Map
	line   int // of the text
	column int // cells of this line so far
}

// beforeLineFeed reports whether the line ends here, or the text does.
func (p *mapParser) beforeLineFeed() bool {
	next, err := p.in.Peek(1)
	return err != nil || next[0] == '\n'
}

// fails is an error at the next cell.
func (p *mapParser) fails(format string, args ...any) error {
	return &MapError{p.line, p.column + 1, fmt.Sprintf(format, args...)}
}

func (p *mapParser) cell(c rune) error {
	switch {
	case c != '.' && c != '?' && c != '%' && !unicode.IsLetter(c):
		return p.fails("%q: unknown, use . or ? for land, %% for water and a letter for an ant", c)
	case p.column == 0 && p.line != p.m.Rows+1:
		return &MapError{p.m.Rows + 1, 1, "an empty row with more rows below it, remove it"}
	case p.m.Rows > 0 && p.column == p.m.Cols:
		return p.fails("the row is longer than the first, whose length is %d, make all rows equally long", p.m.Cols)
	case len(p.m.cells) == MaxCells:
		return p.fails("the map is too large, use one of at most %d cells", MaxCells)
	}
	p.m.cells = append(p.m.cells, c)
	p.column++
	return nil
}

func (p *mapParser) endRow() error {
	if p.column > 0 {
		if p.m.Rows == 0 {
			p.m.Cols = p.column
		}
		if p.column < p.m.Cols {
			return p.fails("the row ends here, the length of the first is %d, make all rows equally long", p.m.Cols)
		}
		p.m.Rows++
	}
	p.line++
	p.column = 0
	return nil
}

func (p *mapParser) finish() (Map, error) {
	if err := p.endRow(); err != nil {
		return Map{}, err
	}
	if p.m.Rows == 0 {
		return Map{}, &MapError{1, 1, "no map, write one line for each row, of . for land, % for water and letters " +
			"for ants"}
	}
	return p.m, nil
}

// At returns the sign in a cell.
func (m Map) At(row, col int) rune {
	m.must()
	if row < 0 || row >= m.Rows || col < 0 || col >= m.Cols {
		refuse(fmt.Errorf("cell (%d, %d): off the map of %d x %d cells", row, col, m.Rows, m.Cols))
	}
	return m.cells[row*m.Cols+col]
}

// World returns the map's world, a torus or not.
func (m Map) World(radius2 int64, bounded bool) World {
	m.must()
	return World{Rows: m.Rows, Cols: m.Cols, Bounded: bounded, Radius2: radius2}
}

// Ants returns the ants in the order of their rows and, within a row, columns.
func (m Map) Ants() []Ant {
	m.must()
	var ants []Ant
	for cell, c := range m.cells {
		if unicode.IsLetter(c) {
			ants = append(ants, Ant{cell / m.Cols, cell % m.Cols, c})
		}
	}
	return ants
}

// String returns the map as text that ReadMap reads, without a line feed at the end.
func (m Map) String() string { return m.redrawn(nil) }

// MarshalText returns the map as String does.
func (m Map) MarshalText() ([]byte, error) { return []byte(m.String()), m.validate() }

// UnmarshalText reads a map as ParseMap does. An empty text is the map of no cells.
func (m *Map) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*m = Map{}
		return nil
	}
	read, err := ReadMap(bytes.NewReader(text))
	if err == nil {
		*m = read
	}
	return err
}

// Redrawn returns the map as text with another sign for each ant, by its number in m.Ants(); nil leaves them as they
// are.
func (m Map) Redrawn(sign func(ant int) rune) string {
	m.must()
	return m.redrawn(sign)
}

func (m Map) redrawn(sign func(ant int) rune) string {
	var text strings.Builder
	ants := 0
	for cell, c := range m.cells {
		if cell > 0 && cell%m.Cols == 0 {
			text.WriteByte('\n')
		}
		if sign != nil && unicode.IsLetter(c) {
			c = sign(ants)
			ants++
		}
		text.WriteRune(c)
	}
	return text.String()
}
