package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/rows"
)

// castleColumn is a column of a sweep: a number of the battle, or what an algorithm says of it.
type castleColumn struct {
	rows.Column
	number    func(castle.Battle) int64            // of the battle; nil if it shows answers
	algorithm castle.Algorithm                     // whose answers it shows
	reference string                               // to the algorithm's file, if it is the user's
	says      func(rows.Cells, int, castleAnswers) // sets the cells from a row on to what it shows of the answers
}

// castleAnswers are those of an algorithm about battles that follow each other, as castle.Algorithm.Rows has them.
type castleAnswers struct {
	winners []castle.Winner
	waves   []int64
	inFloat []float64
}

// resized returns room for the answers about so many battles.
func (a castleAnswers) resized(size int) castleAnswers {
	return castleAnswers{
		slices.Grow(a.winners[:0], size)[:size], slices.Grow(a.waves[:0], size)[:size],
		slices.Grow(a.inFloat[:0], size)[:size],
	}
}

func whoWins(cells rows.Cells, first int, a castleAnswers) {
	for i, winner := range a.winners {
		if a.waves[i] < 0 {
			cells.Set(first+i, rows.Unknown)
		} else {
			cells.Set(first+i, rows.Choice(int(winner)))
		}
	}
}

// inWaves leaves those waves out in which that side cannot win.
func inWaves(cells rows.Cells, first int, a castleAnswers) { cells.SetPositive(first, a.waves) }

func inRoundedWaves(cells rows.Cells, first int, a castleAnswers) {
	for i, waves := range a.inFloat {
		if a.winners[i] == castle.Soldiers {
			cells.Set(first+i, rows.Real(waves))
		} else {
			cells.Set(first+i, rows.Absent)
		}
	}
}

// castleTable is all columns, in the order in which they are printed by default.
func castleTable() []castleColumn {
	table := []castleColumn{
		{Column: rows.Column{Name: "soldiers"}, number: func(b castle.Battle) int64 { return b.Soldiers }},
		{Column: rows.Column{Name: "castle_hits"}, number: func(b castle.Battle) int64 { return b.CastleHits }},
		{
			Column: rows.Column{Name: "defenders_per_wave"},
			number: func(b castle.Battle) int64 { return b.DefendersPerWave },
		},
	}
	for _, a := range sweptAlgorithms() {
		table = append(table, columnsOf(a)...)
	}
	return table
}

// sweptAlgorithms are those that a sweep has columns of: all but the checks, which take more time to say the same.
func sweptAlgorithms() []castle.Algorithm {
	return castle.AlgorithmsOf(castle.Exact, castle.Heuristic, castle.Formula)
}

// columnsOf returns the columns of an algorithm, as its question has it.
func columnsOf(a castle.Algorithm) []castleColumn {
	prefix := a.Column
	if prefix == "" {
		prefix = strings.ReplaceAll(a.Name, "-", "_")
	}
	waves := rows.Column{Name: prefix + "_waves", Gaps: rows.Absences}
	wavesColumn := castleColumn{Column: waves, algorithm: a, says: inWaves}
	switch a.Question {
	case castle.PlaysLine:
		// A line that is played to its end has a winner and waves, and who wins is not known of one that is not.
		who := rows.Column{Name: prefix + "_winner", Type: rows.Name, Gaps: rows.Unknowns}
		winner := castleColumn{Column: who, algorithm: a, says: whoWins}
		wavesColumn.Gaps = rows.Unknowns
		for _, w := range castle.Winners() {
			winner.Names = append(winner.Names, w.String())
		}
		return []castleColumn{winner, wavesColumn}
	case castle.SoldiersFewest, castle.CastleFewest:
		if a.Kind == castle.Formula {
			wavesColumn.Type, wavesColumn.says = rows.Float, inRoundedWaves
		}
		return []castleColumn{wavesColumn}
	}
	return nil
}

// columnsHelp lists the columns.
func columnsHelp() string {
	var text strings.Builder
	line := func(columns []castleColumn, says string) {
		fmt.Fprintf(&text, "    %-52s %s\n", strings.Join(columnNames(columns), ", "), says)
	}
	line(castleTable()[:3], "the battle")
	for _, a := range sweptAlgorithms() {
		says := map[castle.Question]string{
			castle.SoldiersFewest: "the soldiers' fewest waves",
			castle.CastleFewest:   "the castle's, if no shot is wasted",
			castle.PlaysLine:      "the battle of " + a.Title,
		}[a.Question]
		if a.Kind == castle.Formula {
			says += " by the " + a.Title
		}
		line(columnsOf(a), says)
	}
	return strings.TrimRight(text.String(), "\n")
}

func columnNames(columns []castleColumn) []string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Name
	}
	return names
}

// castleColumns are the columns to print, in order; nil means all.
type castleColumns []castleColumn

func (c *castleColumns) UnmarshalText(text []byte) error {
	table := castleColumns(castleTable())
	columns := castleColumns{}
	for name := range strings.SplitSeq(string(text), ",") {
		if isListing(name) {
			own, err := readAlgorithm(name)
			if err != nil {
				return err
			}
			for _, column := range columnsOf(own.Algorithm) {
				if column.reference = own.reference; columns.at(column.Name) >= 0 || table.at(column.Name) >= 0 {
					return fmt.Errorf("column %q: the name of another one, give the file %s another name", column.Name,
						name)
				}
				columns = append(columns, column)
			}
			continue
		}
		at := table.at(name)
		if at < 0 {
			return fmt.Errorf("column %q: unknown, use one of %s, or a file that ends in %s",
				name, strings.Join(columnNames(table), ", "), listingEnding)
		}
		if columns.at(name) >= 0 {
			return fmt.Errorf("column %q: named twice, name it once", name)
		}
		columns = append(columns, table[at])
	}
	*c = columns
	return nil
}

// at returns the place of a column of a name, -1 if there is none.
func (c castleColumns) at(name string) int {
	return slices.IndexFunc(c, func(column castleColumn) bool { return column.Name == name })
}

func (c castleColumns) MarshalText() ([]byte, error) {
	var names []string
	for _, column := range c.all() {
		name := cmp.Or(column.reference, column.Name)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return []byte(strings.Join(names, ",")), nil
}

// all returns the columns, which are all that there are if none was named.
func (c castleColumns) all() castleColumns {
	if c == nil {
		return castleTable()
	}
	return c
}

// castleRows turns battles into rows. It keeps nothing from row to row, so all cores may use the same one; a filler
// of it, one core.
type castleRows struct {
	table   []rows.Column
	numbers []shown // of the battle
	asked   []asked
	effort  castle.Effort
}

// shown is a number of a column, and what it shows.
type shown struct {
	column int
	castleColumn
}

// asked is an algorithm with the columns that show its answers.
type asked struct {
	castle.Algorithm
	shown []shown
}

func newCastleRows(columns castleColumns, e effort) castleRows {
	r := castleRows{effort: e.castle()}
	for i, column := range columns.all() {
		r.table = append(r.table, column.Column)
		if column.number != nil {
			r.numbers = append(r.numbers, shown{i, column})
			continue
		}
		at := slices.IndexFunc(r.asked, func(a asked) bool {
			return a.Name == column.algorithm.Name && a.shown[0].reference == column.reference
		})
		if at < 0 {
			at, r.asked = len(r.asked), append(r.asked, asked{Algorithm: column.algorithm})
		}
		r.asked[at].shown = append(r.asked[at].shown, shown{i, column})
	}
	return r
}

// rowBlock is a stretch of battles and their rows. Sweeps use them again and again.
type rowBlock struct {
	battles []castle.Battle
	filler
	written rows.Block
}

// filler fills batches. Only one goroutine at a time may use it.
type filler struct {
	castleRows
	batch   *rows.Batch
	answer  []func(context.Context, castle.Battle, []castle.Winner, []int64, []float64) error // of each that is asked
	answers castleAnswers
}

func (r castleRows) filler() filler {
	f := filler{castleRows: r, batch: rows.NewBatch(r.table)}
	for _, a := range r.asked {
		f.answer = append(f.answer, a.Rows(r.effort))
	}
	return f
}

// fill computes the rows of some battles, column by column. The error is that of the context.
func (f *filler) fill(ctx context.Context, battles []castle.Battle) error {
	f.batch.Resize(len(battles))
	for first := 0; first < len(battles); {
		end := first + alike(battles[first:])
		for _, n := range f.numbers {
			number := n.number(battles[first])
			f.batch.Cells[n.column].SetLine(first, end, number, n.number(battles[min(first+1, end-1)])-number)
		}
		f.answers = f.answers.resized(end - first)
		for i, a := range f.asked {
			if err := f.answer[i](ctx, battles[first], f.answers.winners, f.answers.waves,
				f.answers.inFloat); err != nil {
				return atFault(err)
			}
			for _, shown := range a.shown {
				shown.says(f.batch.Cells[shown.column], first, f.answers)
			}
		}
		first = end
	}
	return nil
}

// alike returns how many battles there are from the first on of which each has a defender more than the one before.
func alike(battles []castle.Battle) int {
	next := battles[0]
	for i, b := range battles {
		if b != next {
			return i
		}
		next.DefendersPerWave++
	}
	return len(battles)
}

// batchSize is the number of rows that are computed column by column, few enough to stay in the processor's cache.
const batchSize = 512

// pieceSize is the number of battles that are read at a time.
const pieceSize = grid.DefaultBlockSize

// write writes a table of one row for each of size battles, in order. The function read appends the battles of a block
// to a slice; it is called from several goroutines at a time.
func (r castleRows) write(
	ctx context.Context, w io.Writer, format rows.Format, size int64, limit byteSize, progress *command.Progress,
	read func(list []castle.Battle, block grid.Block) []castle.Battle,
) error {
	options, err := r.options(format, size, limit)
	if err != nil {
		return err
	}
	options.Progress = progress.Set
	table, err := format.Begin(w, r.table)
	if err != nil {
		return err
	}
	compute := func(ctx context.Context, block grid.Block, free *rowBlock) (*rowBlock, error) {
		if free == nil {
			free = &rowBlock{filler: r.filler(), written: table.NewBlock()}
		}
		for end := block.First + block.Size; block.First < end; block.First += block.Size {
			block.Size = min(pieceSize, end-block.First)
			if err := canceled.Cause(ctx); err != nil {
				return nil, err
			}
			free.battles = read(free.battles[:0], block)
			for battles := range slices.Chunk(free.battles, batchSize) {
				if err := free.fill(ctx, battles); err != nil {
					return nil, err
				}
				if err := free.written.Append(free.batch); err != nil {
					return nil, err
				}
			}
		}
		return free, nil
	}
	emit := func(_ grid.Block, done *rowBlock) error { return done.written.Write() }
	if err := grid.Sweep(ctx, size, options, compute, emit); err != nil {
		return err
	}
	return table.Close()
}

// The memory of a sweep besides the rows as they are written.
const (
	blocksPerWorker = 4  // computed, or in the making
	battleBytes     = 24 // a battle
)

// options returns how a sweep writes its rows, so that all its blocks together take no more memory than the limit.
func (r castleRows) options(format rows.Format, size int64, limit byteSize) (grid.Options, error) {
	needs, err := format.Needs(r.table, size)
	if err != nil {
		return grid.Options{}, command.Usage(err)
	}
	workers := int64(runtime.GOMAXPROCS(0))
	if needs.BlockRows == 0 {
		blockSize := int64(limit) / ((battleBytes + needs.RowBytes) * blocksPerWorker * workers)
		return grid.Options{BlockSize: max(1, min(blockSize, grid.DefaultBlockSize))}, nil
	}
	// The blocks are as large as the format wants them, so memory decides how many workers there are.
	blocks := (max(size, 1)-1)/needs.BlockRows + 1
	blockBytes := needs.BlockBytes + min(size, needs.BlockRows)*needs.RowBytes + pieceSize*battleBytes
	if least := needs.TableBytes + min(blocks, blocksPerWorker)*blockBytes; int64(limit) < least {
		whole := (uint64(least) + 1<<20 - 1) >> 20 << 20 // so that what is named suffices
		return grid.Options{}, usagef("rows in this format need %s of memory, the limit is %s: allow that much, or "+
			"write CSV (--memory)",
			humanize.IBytes(whole), humanize.IBytes(uint64(limit)))
	}
	affordable := (int64(limit) - needs.TableBytes) / (blocksPerWorker * blockBytes)
	return grid.Options{BlockSize: needs.BlockRows, Workers: int(max(1, min(workers, affordable)))}, nil
}
