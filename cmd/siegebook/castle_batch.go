package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/rows"
)

// spoolMemory is how much of a batch is kept in memory, if --memory allows it. The rest goes to a temporary file.
const spoolMemory = 16 << 20

// solveBatch reads all battles before it prints the first row: of a file with a bad row nothing is printed.
func (c *solveCastle) solveBatch(ctx context.Context, s streams) error {
	store := &battleStore{capacity: int(min(int64(c.Memory), spoolMemory) / storedSize)}
	defer store.close()
	if err := c.readBatch(ctx, s, store); err != nil {
		return err
	}
	progress := s.StartProgress("solve castle", store.size, true)
	defer progress.Stop()
	format := rows.Format(rows.CSV{})
	if c.JSON {
		format = rows.JSONLines{}
	}
	return newCastleRows(c.Columns, c.effort).write(ctx, s.Out, format, store.size, c.Memory, progress, store.read)
}

func (c *solveCastle) readBatch(ctx context.Context, s streams, store *battleStore) error {
	progress := s.StartProgress("reading "+c.Batch, 0, false)
	defer progress.Stop()
	in, err := openInput(ctx, s, c.Batch)
	if err != nil {
		return fmt.Errorf("--batch: %w", err)
	}
	defer in.Close()
	battles, err := newCastleReader(in.name, in)
	if err != nil {
		return err
	}
	for {
		battle, err := battles.next()
		if err == io.EOF {
			return store.finish()
		}
		if err != nil {
			return err
		}
		if err := store.add(battle); err != nil {
			return err
		}
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

// storedSize is the size of a battle in memory and on disk.
const storedSize = 24

// battleStore keeps the battles of a batch until all of them have been read: as many as allowed in memory, the others
// in a temporary file. The zero value with a capacity is empty and ready.
type battleStore struct {
	capacity int // battles to keep in memory
	memory   []castle.Battle
	file     *os.File // nil while memory suffices
	out      *bufio.Writer
	size     int64
}

// add appends a battle. All must have been added before the first is read.
func (s *battleStore) add(b castle.Battle) error {
	s.size++
	if len(s.memory) < s.capacity {
		s.memory = append(s.memory, b)
		return nil
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "siegebook-batch-*")
		if err != nil {
			return noRoom(err)
		}
		// Without a name it goes away with the process, however that ends.
		_ = os.Remove(file.Name())
		s.file, s.out = file, bufio.NewWriterSize(file, 1<<16)
	}
	record := s.out.AvailableBuffer()
	for _, number := range [...]int64{b.Soldiers, b.CastleHits, b.DefendersPerWave} {
		record = binary.LittleEndian.AppendUint64(record, uint64(number))
	}
	_, err := s.out.Write(record)
	return noRoom(err)
}

// noRoom names the folder of temporary files, which is what can be mended about an error of one.
func noRoom(err error) error { return command.Unwritable("TMPDIR", os.TempDir(), err) }

// finish makes what was added readable.
func (s *battleStore) finish() error {
	if s.file == nil {
		return nil
	}
	return noRoom(s.out.Flush())
}

// read appends the battles of a block. It may be called from several goroutines.
func (s *battleStore) read(list []castle.Battle, block grid.Block) ([]castle.Battle, error) {
	inMemory := int64(len(s.memory))
	first, end := block.First, block.First+block.Size
	if first < inMemory {
		list = append(list, s.memory[first:min(end, inMemory)]...)
		first = min(end, inMemory)
	}
	if first == end {
		return list, nil
	}
	records := make([]byte, (end-first)*storedSize)
	if _, err := s.file.ReadAt(records, (first-inMemory)*storedSize); err != nil {
		return list, err
	}
	stored := len(list)
	list = append(list, make([]castle.Battle, end-first)...)
	_, err := binary.Decode(records, binary.LittleEndian, list[stored:])
	return list, err
}

// close gives the file back.
func (s *battleStore) close() {
	if s.file != nil {
		_ = s.file.Close()
	}
}
