package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/plural"
)

// castleHeader is the first row of a file of castle games.
var castleHeader = [3]string{"soldiers", "castle_hits", "defenders_per_wave"}

// longestRow is the most bytes of a row of CSV, with all empty lines before it: what is longer is no table of numbers,
// and must not fill the memory, whether it ever ends or not.
const longestRow = 64 << 10

// castleReader reads castle games from CSV. Its errors name the input, the line and the column.
type castleReader struct {
	name string
	text *rationed
	rows *csv.Reader
}

// newCastleReader reads the header.
func newCastleReader(name string, r io.Reader) (*castleReader, error) {
	text := &rationed{r: r, left: longestRow}
	input := bufio.NewReader(text)
	if mark, err := input.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = input.Discard(3) // the byte order mark that spreadsheets write
	}
	c := &castleReader{name: name, text: text, rows: csv.NewReader(input)}
	c.rows.ReuseRecord = true
	c.rows.FieldsPerRecord = -1 // checked below, with a clearer message
	header, err := c.row()
	switch {
	case err == io.EOF:
		return nil, usagef("%s: empty, begin with the header %s", name, strings.Join(castleHeader[:], ","))
	case err != nil:
		return nil, err
	case !slices.Equal(header, castleHeader[:]):
		return nil, usagef("%s: line 1: header %q, must be %s", name, strings.Join(header, ","), strings.Join(castleHeader[:], ","))
	}
	return c, nil
}

// row returns the fields of the next row, or io.EOF after the last. Text that is no CSV is the user's to mend.
func (c *castleReader) row() ([]string, error) {
	fields, err := c.rows.Read()
	c.text.left = longestRow
	var syntax *csv.ParseError
	switch {
	case err == nil, err == io.EOF:
		return fields, err
	case errors.Is(err, errTooLong):
		return nil, usagef("%s: line %d: %w", c.name, c.text.line(), errTooLong)
	case errors.As(err, &syntax):
		return nil, usagef("%s: line %d, column %d: %w, write three numbers with commas between them", c.name, syntax.Line, syntax.Column, syntax.Err)
	}
	return nil, fmt.Errorf("%s: %w", c.name, err)
}

// next returns the next battle, or io.EOF after the last.
func (c *castleReader) next() (castle.Battle, error) {
	fields, err := c.row()
	if err != nil {
		return castle.Battle{}, err
	}
	if len(fields) != len(castleHeader) {
		line, _ := c.rows.FieldPos(0)
		return castle.Battle{}, usagef("%s: line %d: %s, must have %d: %s",
			c.name, line, plural.Count(len(fields), "column"), len(castleHeader), strings.Join(castleHeader[:], ","))
	}
	var numbers [len(castleHeader)]int64
	for i, field := range fields {
		if numbers[i], err = grid.ParseNumber(field, 1); err != nil {
			line, _ := c.rows.FieldPos(i)
			return castle.Battle{}, usagef("%s: line %d, column %d (%s): %w", c.name, line, i+1, castleHeader[i], err)
		}
	}
	return castle.Battle{Soldiers: numbers[0], CastleHits: numbers[1], DefendersPerWave: numbers[2]}, nil
}
