package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/rows"
)

// solveBatch reads all battles before it prints the first row: of a file with a bad row nothing is printed.
func (c *solveCastle) solveBatch(ctx context.Context, s streams) error {
	all, err := c.readBatch(ctx, s)
	if err != nil {
		return err
	}
	size := int64(len(all))
	progress := s.StartProgress("solve castle", size, true)
	defer progress.Stop()
	format := rows.Format(rows.CSV{})
	if c.JSON {
		format = rows.JSONLines{}
	}
	read := func(list []castle.Battle, block grid.Block) []castle.Battle {
		return append(list, all[block.First:block.First+block.Size]...)
	}
	return newCastleRows(c.Columns, c.effort).write(ctx, s.Out, format, size, c.Memory, progress, read)
}

// readBatch reads all battles, of which there are at most so many as may take memory.
func (c *solveCastle) readBatch(ctx context.Context, s streams) (all []castle.Battle, err error) {
	progress := s.StartProgress("reading "+c.Batch, 0, false)
	defer progress.Stop()
	in, err := openInput(ctx, s, c.Batch)
	if err != nil {
		return nil, fmt.Errorf("--batch: %w", err)
	}
	defer in.Close()
	battles, err := newCastleReader(in.name, in)
	if err != nil {
		return nil, err
	}
	for {
		battle, err := battles.next()
		switch {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		case int64(len(all)) == int64(c.Memory)/battleBytes:
			return nil, usagef("%s: more than %s, which is what the limit of memory holds: allow more, or cut the "+
				"file (--memory)", in.name, plural.Count(len(all), "battle"))
		}
		all = append(all, battle)
	}
}

// castleHeader is the first row of a file of castle games.
var castleHeader = [3]string{"soldiers", "castle_hits", "defenders_per_wave"}

// longestRow is the most bytes of a row of CSV, with all empty lines before it: what is longer is no table of numbers,
// and must not fill the memory, whether it ever ends or not.
const longestRow = 64 << 10

// castleReader reads castle games from CSV. Its errors name the input, the line and the column.
type castleReader struct {
	name  string
	text  *rationed
	rows  *csv.Reader
	width int    // how many columns the table has
	at    [3]int // where those of castleHeader are
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
	}
	c.width = len(header)
	for i, column := range castleHeader {
		c.at[i] = slices.Index(header, column)
		if c.at[i] < 0 || slices.Contains(header[c.at[i]+1:], column) {
			return nil, usagef("%s: line 1: header %q, must have each of %s once, in any order",
				name, strings.Join(header, ","), strings.Join(castleHeader[:], ","))
		}
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
		return nil, usagef("%s: line %d, column %d: %w, write numbers with commas between them", c.name, syntax.Line,
			syntax.Column, syntax.Err)
	}
	return nil, fmt.Errorf("%s: %w", c.name, err)
}

// next returns the next battle, or io.EOF after the last.
func (c *castleReader) next() (castle.Battle, error) {
	fields, err := c.row()
	if err != nil {
		return castle.Battle{}, err
	}
	if len(fields) != c.width {
		line, _ := c.rows.FieldPos(0)
		return castle.Battle{}, usagef("%s: line %d: %s, must have %d as the header", c.name, line,
			plural.Count(len(fields), "column"), c.width)
	}
	var numbers [len(castleHeader)]int64
	for i, column := range c.at {
		if numbers[i], err = grid.ParseNumber(fields[column], 1); err != nil {
			line, _ := c.rows.FieldPos(column)
			return castle.Battle{}, usagef("%s: line %d, column %d (%s): %w", c.name, line, column+1, castleHeader[i],
				err)
		}
	}
	return castle.Battle{Soldiers: numbers[0], CastleHits: numbers[1], DefendersPerWave: numbers[2]}, nil
}

var errTooLong = fmt.Errorf("no row ends within %d KiB, write numbers with commas between them, each row on a "+
	"line of its own", longestRow>>10)

// rationed is a reader that hands out no more bytes than it is allowed to: errTooLong comes instead. Its user renews
// the ration with every row, so a row is bounded even if quotes make it go on over many lines.
type rationed struct {
	r     io.Reader
	left  int
	ended int // lines that have ended, among the bytes that were handed out
}

func (r *rationed) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, errTooLong
	}
	n, err := r.r.Read(p[:min(len(p), r.left)])
	r.left -= n
	r.ended += bytes.Count(p[:n], []byte{'\n'})
	return n, err
}

// line is the number of the line that the last byte is in.
func (r *rationed) line() int { return r.ended + 1 }
