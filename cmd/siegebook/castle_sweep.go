package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/rows"
	"github.com/siegebook/siegebook/internal/shard"
)

// castleGrid is a grid of castle games on the command line.
type castleGrid struct {
	Soldiers         numbers `json:"soldiers" required:"" placeholder:"A:B"`
	CastleHits       numbers `json:"castle_hits" required:"" aliases:"castle" placeholder:"A:B"`
	DefendersPerWave numbers `json:"defenders_per_wave" required:"" aliases:"defenders" placeholder:"A:B"`
}

// points returns the grid of the indices of the battles in the three ranges, in the order of the rows.
func (g castleGrid) points() (grid.Grid, error) {
	axes := make([]grid.Range, 3)
	for i, n := range []numbers{g.Soldiers, g.CastleHits, g.DefendersPerWave} {
		if len(n) == 1 && n[0].Step == 1 {
			axes[i] = n[0].Range // the error names the range
			continue
		}
		axes[i] = grid.Range{First: 1, Last: n.size()}
	}
	return grid.Product(axes...)
}

// appendTo appends the battles of a block of the grid to list.
func (g castleGrid) appendTo(list []castle.Battle, points grid.Grid, block grid.Block) []castle.Battle {
	number := func(n numbers, at int64) int64 {
		if len(n) == 1 && n[0].Step == 1 {
			return at
		}
		return n.numberAt(at - 1)
	}
	for first, size := range points.Runs(block) {
		b := castle.Battle{Soldiers: number(g.Soldiers, first[0]), CastleHits: number(g.CastleHits, first[1])}
		for i := range size {
			b.DefendersPerWave = number(g.DefendersPerWave, first[2]+i)
			list = append(list, b)
		}
	}
	return list
}

// sweepName is the command of a sweep.
const sweepName = "sweep castle"

// sweepCastle is "siegebook sweep castle".
type sweepCastle struct {
	castleGrid  `embed:""`
	Columns     castleColumns `json:"columns" placeholder:"a,b,..."`
	MaxSteps    positive      `json:"max_steps" default:"100000000" placeholder:"N"`
	jsonFlag    `embed:""`
	sharding    `embed:""`
	memoryLimit `embed:""`
}

// effort returns the limits on the work for a row.
func (c *sweepCastle) effort() effort { return effort{c.memoryLimit, c.MaxSteps} }

// rows returns the castleRows that compute the rows of battles.
func (c *sweepCastle) rows() castleRows { return newCastleRows(c.Columns, c.effort()) }

// Run writes a row for each battle of the grid.
func (c *sweepCastle) Run(ctx context.Context, s streams) error {
	if c.JSON && !c.DryRun {
		return usagef("--json: the rows of a sweep are CSV or Parquet: leave the flag out, or add --dry-run for the " +
			"estimate")
	}
	if c.sharding.given() {
		return runShards(ctx, s, c)
	}
	w, err := c.work()
	if err != nil {
		return err
	}
	format, err := tableFormat(c.Out, c.metadata)
	if err != nil {
		return err
	}
	return writeOutput(s.Out, c.Out, func(out io.Writer) error {
		progress := s.StartProgress(sweepName, w.size, out == s.Out)
		defer progress.Stop()
		return c.writeRows(ctx, out, format, grid.Block{Size: w.size}, progress)
	})
}

// writeRows writes a table of the battles in a block of the grid.
func (c *sweepCastle) writeRows(
	ctx context.Context, out io.Writer, format rows.Format, block grid.Block, progress *command.Progress,
) error {
	points, err := c.points()
	if err != nil {
		return err
	}
	read := func(list []castle.Battle, piece grid.Block) []castle.Battle {
		piece.First += block.First
		return c.appendTo(list, points, piece)
	}
	return c.rows().write(ctx, out, format, block.Size, c.Memory, progress, read)
}

// These are the keys of a recipe. Other programs read them, so they must not change.
const (
	recipeVersion = "siegebook.version" // the version of the program
	recipeCommand = "siegebook.command" // the command that computes the rows, with all arguments on which they depend
	recipeGrid    = "siegebook.grid"    // the ranges, as a JSON object
	recipeColumns = "siegebook.columns" // a JSON array of recipeColumn
)

// recipeColumn is a column in a recipe.
type recipeColumn struct {
	Name string `json:"name"`
	Null string `json:"null,omitempty"` // the meaning of a missing value: "absent" or "unknown"; "" if none is missing
}

// metadata returns the recipe of a sweep's rows. The rows do not depend on the file's name and the memory limit.
func (c *sweepCastle) metadata() map[string]string {
	described := make([]recipeColumn, 0, len(castleTable()))
	for _, column := range c.Columns.all() {
		null := map[rows.Gaps]string{rows.NoGaps: "", rows.Absences: "absent", rows.Unknowns: "unknown"}[column.Gaps]
		described = append(described, recipeColumn{column.Name, null})
	}
	return map[string]string{
		recipeVersion: versionText(),
		recipeCommand: recipeOf(sweepName, c).String(),
		recipeGrid:    inJSON(c.castleGrid),
		recipeColumns: inJSON(described),
	}
}

func (c *sweepCastle) work() (work, error) {
	points, err := c.points()
	if err != nil {
		return work{}, command.Usage(err)
	}
	w := work{recipe: recipeOf(sweepName, c), items: "row", size: points.Size(), cost: shard.Even, ending: "csv"}
	format, err := tableFormat(c.Out, c.metadata)
	if err != nil {
		return work{}, err
	}
	if _, is := format.(rows.Parquet); is {
		w.ending, w.mostItems = "parquet", rows.MostParquetRows
	}
	w.memory = func(items int64) (process, core int64) { return c.memory(format, items) }
	w.output = func(ctx context.Context) (int64, error) { return c.sampledBytes(ctx, format, points) }
	return w, c.enough(format, w)
}

// enough returns an error if the memory limit is too small for the largest shard. The caller calls it before it writes
// anything.
func (c *sweepCastle) enough(format rows.Format, w work) error {
	of := max(int64(c.Shards), c.Shard.Of)
	if of == 0 || c.DryRun {
		return nil
	}
	items := (w.size-1)/of + 1
	if w.mostItems > 0 {
		items = min(items, w.mostItems) // larger shards are refused anyway, with a suggestion for their number
	}
	_, err := c.rows().options(format, items, c.Memory)
	return err
}

// writeShard writes a table with its shard's mark at the end or in its metadata, unless the mark is empty.
func (c *sweepCastle) writeShard(
	ctx context.Context, w io.Writer, block grid.Block, mark shard.Mark, progress *command.Progress,
) error {
	format, err := tableFormat(c.Out, func() map[string]string {
		recipe := c.metadata()
		recipe[recipeCommand] += " --shard " + mark.Shard
		recipe[shard.MarkKey], recipe[shard.SumKey] = inJSON(mark), shard.NoSum
		return recipe
	})
	if err != nil {
		return err
	}
	if _, is := format.(rows.CSV); is && mark != (shard.Mark{}) {
		format = rows.CSV{Comment: inJSON(seal{mark, shard.NoSum})}
	}
	return c.writeRows(ctx, w, format, block, progress)
}

// seal is the metadata that a CSV shard contains about itself.
type seal struct {
	Mark shard.Mark `json:"siegebook.shard"`
	Sum  string     `json:"siegebook.sha256"`
}

// merge reads the rows of the shards and writes them as one table.
func (c *sweepCastle) merge(ctx context.Context, s streams, shards mergeable, out string) error {
	format, err := tableFormat(out, c.metadata)
	if err != nil {
		return err
	}
	columns := c.rows().table
	needs, err := format.Needs(columns, shards.size)
	if err != nil {
		return command.Usage(err)
	}
	return writeOutput(s.Out, out, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		progress := s.StartProgress("merge", shards.size, w == s.Out)
		defer progress.Stop()
		table, err := format.Begin(buffered, columns)
		if err != nil {
			return err
		}
		done := int64(0) // the rows of the previous shards
		joined := joiner{table.NewBlock(), rows.NewBatch(columns), cmp.Or(needs.BlockRows, grid.DefaultBlockSize), 0}
		_, isCSV := format.(rows.CSV)
		err = shards.each(ctx, func(file *os.File, size int64) error {
			n, err := int64(0), error(nil)
			more := func(n int64) error {
				progress.Set(done+n, 0)
				return canceled.Cause(ctx)
			}
			if isCSV && shards.folder.Ending == "csv" { // the lines of the shard are the lines of the table
				n, err = rows.CopyCSV(buffered, file, columns, more)
			} else {
				n, err = joined.read(file, shards.folder.Ending, more)
			}
			if err == nil && n != size { // the shard is undamaged, but has the wrong number of rows
				err = fmt.Errorf("the shard should have %s, but has %d", plural.Count(size, "row"), n)
			}
			done += n
			return err
		})
		if err != nil {
			return err
		}
		if err := joined.block.Write(); err != nil { // the block has no rows if the last block was full
			return err
		}
		if err := table.Close(); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// joiner collects the rows of shards into the blocks of a table.
type joiner struct {
	block     rows.Block
	batch     *rows.Batch
	blockRows int64 // the number of rows of a full block
	filled    int64
}

// read appends all rows of a shard and returns their number. It calls more with the number of rows so far.
func (j *joiner) read(file *os.File, ending string, more func(rows int64) error) (done int64, err error) {
	reader, err := openRows(file, ending, j.batch.Columns)
	if err != nil {
		return 0, unread(err)
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	for {
		if err := more(done); err != nil {
			return done, err
		}
		if err := reader.Read(j.batch, int(min(batchSize, j.blockRows-j.filled))); err != nil {
			return done, unread(err)
		}
		n := int64(j.batch.Size())
		if n == 0 {
			return done, nil
		}
		if err := j.block.Append(j.batch); err != nil {
			return done, err
		}
		done += n
		if j.filled += n; j.filled == j.blockRows {
			j.filled = 0
			if err := j.block.Write(); err != nil {
				return done, err
			}
		}
	}
}

// openRows returns a reader for the rows of a shard.
func openRows(file *os.File, ending string, columns []rows.Column) (rows.Reader, error) {
	if ending != "parquet" {
		return rows.ReadCSV(file, columns)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return rows.ReadParquet(file, info.Size(), columns)
}

// unread returns an error about reading a shard. It does not wrap err, so callers cannot take it for a system error of
// the output.
func unread(err error) error { return fmt.Errorf("cannot be read: %v", err) }

// memory returns the bytes of memory that a sweep of items rows takes for the process, and for each core.
func (c *sweepCastle) memory(format rows.Format, items int64) (process, core int64) {
	room, err := format.Needs(c.rows().table, min(items, rows.MostParquetRows))
	if err != nil {
		panic(err) // the error is about the number of rows
	}
	block := cmp.Or(room.BlockRows, grid.DefaultBlockSize)
	return programMemory + room.TableBytes, blocksPerWorker * (room.BlockBytes +
		min(items, block)*(room.RowBytes+battleBytes))
}

// To estimate the size of a sweep, a sample of sampleStretches stretches of battles is computed, evenly spaced over
// the grid.
const (
	sampleStretches = 16
	stretchSize     = 4096
)

// sampledBytes returns the estimated bytes of all rows. It measures a sample, or all rows if there are few.
func (c *sweepCastle) sampledBytes(ctx context.Context, format rows.Format, points grid.Grid) (int64, error) {
	size := points.Size()
	sampled, sample := size, []grid.Block{{Size: size}}
	if size > sampleStretches*stretchSize {
		sampled, sample = sampleStretches*stretchSize, nil
		for i := range int64(sampleStretches) {
			sample = append(sample, grid.Block{First: size / sampleStretches * i, Size: stretchSize})
		}
	}
	empty, err1 := c.bytesOf(ctx, format, points, nil)
	bytes, err2 := c.bytesOf(ctx, format, points, sample)
	if err := cmp.Or(err1, err2); err != nil {
		return 0, err
	}
	all := new(big.Int).Mul(big.NewInt(bytes-empty), big.NewInt(size))
	all.Quo(all, big.NewInt(sampled))
	if !all.IsInt64() {
		return 0, usagef("--out %s: the rows take 2^63 bytes or more: use a smaller grid", filepath.Clean(c.Out))
	}
	return empty + all.Int64(), nil
}

// bytesOf returns the size in bytes of a table of some stretches of the battles.
func (c *sweepCastle) bytesOf(ctx context.Context, format rows.Format, points grid.Grid,
	stretches []grid.Block,
) (int64, error) {
	var list []castle.Battle
	for _, stretch := range stretches {
		list = c.appendTo(list, points, stretch)
	}
	read := func(to []castle.Battle, block grid.Block) []castle.Battle {
		return append(to, list[block.First:block.First+block.Size]...)
	}
	var written counter
	progress := streams{Err: io.Discard}.StartProgress("", 0, false)
	defer progress.Stop()
	const room = 1 << 40 // a large limit: the sample is small
	err := c.rows().write(ctx, &written, format, int64(len(list)), room, progress, read)
	return int64(written), err
}

// castleColumn is a column of a sweep: one of the battle's three numbers, or an algorithm's answer about the battle.
type castleColumn struct {
	rows.Column
	number    func(castle.Battle) int64            // returns the number of the battle; nil if the column shows answers
	algorithm castle.Algorithm                     // the algorithm whose answers the column shows
	reference string                               // the reference to the algorithm's file, if it is the user's own
	says      func(rows.Cells, int, castleAnswers) // writes its part of the answers to the cells, starting at a row
}

func (c castleColumn) String() string { return c.Name }

// castleAnswers are an algorithm's answers about consecutive battles, as castle.Algorithm.Rows returns them.
type castleAnswers struct {
	winners []castle.Winner
	waves   []int64
	inFloat []float64
}

// resized returns castleAnswers for size battles, with reused memory.
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

// inWaves sets the cells to the numbers of waves. If the side cannot win, the cell stays empty.
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

// castleTable returns all columns, in the default order.
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

// sweptAlgorithms returns the algorithms for which a sweep has columns: all except the checks, which give the same
// answers but take longer.
func sweptAlgorithms() []castle.Algorithm {
	return castle.AlgorithmsOf(castle.Exact, castle.Heuristic, castle.Formula)
}

// columnsOf returns the columns of an algorithm. They depend on its question.
func columnsOf(a castle.Algorithm) []castleColumn {
	prefix := a.Column
	if prefix == "" {
		prefix = strings.ReplaceAll(a.Name, "-", "_")
	}
	waves := rows.Column{Name: prefix + "_waves", Gaps: rows.Absences}
	wavesColumn := castleColumn{Column: waves, algorithm: a, says: inWaves}
	switch a.Question {
	case castle.PlaysLine:
		// If a line is played to its end, it has a winner and waves. Otherwise both are unknown.
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

// columnsHelp returns the help about the columns.
func columnsHelp() string {
	var text strings.Builder
	line := func(columns []castleColumn, says string) {
		fmt.Fprintf(&text, "    %-52s %s\n", names(columns), says)
	}
	line(castleTable()[:3], "the battle")
	for _, a := range sweptAlgorithms() {
		says := map[castle.Question]string{
			castle.SoldiersFewest: "the fewest waves in which the soldiers can win",
			castle.CastleFewest:   "the same for the castle, if no shot is wasted",
			castle.PlaysLine:      "the battle as played by " + a.Title,
		}[a.Question]
		if a.Kind == castle.Formula {
			says = "the soldiers' fewest waves, by the " + a.Title
		}
		line(columnsOf(a), says)
	}
	return strings.TrimRight(text.String(), "\n")
}

// castleColumns are the columns to print, in order. nil means all columns.
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
				column.reference = own.reference
				if columns.indexOf(column.Name) >= 0 || table.indexOf(column.Name) >= 0 {
					return fmt.Errorf("column %q: another column has this name, rename the file %s", column.Name,
						name)
				}
				columns = append(columns, column)
			}
			continue
		}
		at := table.indexOf(name)
		if at < 0 {
			return fmt.Errorf("column %q: unknown, use one of %s, or a file that ends in %s",
				name, names(table), listingEnding)
		}
		if columns.indexOf(name) >= 0 {
			return fmt.Errorf("column %q: named twice, name it once", name)
		}
		columns = append(columns, table[at])
	}
	*c = columns
	return nil
}

// indexOf returns the index of the column with a name, or -1.
func (c castleColumns) indexOf(name string) int {
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

// all returns the columns. If no columns were named, it returns all columns of the table.
func (c castleColumns) all() castleColumns {
	if c == nil {
		return castleTable()
	}
	return c
}

// castleRows computes the rows of battles. It keeps no state between rows, so all cores may share it. A filler created
// from it is for one core only.
type castleRows struct {
	table   []rows.Column
	numbers []shown // the columns with a number of the battle
	asked   []asked
	effort  castle.Effort
}

// shown is a column with its index.
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

// rowBlock is a stretch of battles and their rows. Sweeps reuse it.
type rowBlock struct {
	battles []castle.Battle
	filler
	written rows.Block
}

// filler fills batches. Only one goroutine at a time may use it.
type filler struct {
	castleRows
	batch   *rows.Batch
	answer  []func(context.Context, castle.Battle, []castle.Winner, []int64, []float64) error // as many as asked has
	answers castleAnswers
}

func (r castleRows) filler() filler {
	f := filler{castleRows: r, batch: rows.NewBatch(r.table)}
	for _, a := range r.asked {
		f.answer = append(f.answer, a.Rows(r.effort))
	}
	return f
}

// fill computes the rows of some battles, column by column. The error is the context's error.
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

// alike returns the length of the longest run of battles, from the first, in which each battle has one defender more
// than the previous one.
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

// batchSize is the number of rows that are computed column by column. It is small enough for the processor's cache.
const batchSize = 512

// pieceSize is the number of battles that are read at a time.
const pieceSize = grid.DefaultBlockSize

// write writes a table with one row for each of size battles, in order. The function read appends the battles of a
// block to a slice. Several goroutines call it at the same time.
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

// This is the memory that a sweep uses in addition to the rows that are being written.
const (
	blocksPerWorker = 4  // blocks that are being computed or wait
	battleBytes     = 24 // the bytes of a battle
)

// options returns options with which all blocks of a sweep together stay within the memory limit.
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
	// The format determines the size of blocks, so the memory limit determines the number of workers.
	blocks := (max(size, 1)-1)/needs.BlockRows + 1
	blockBytes := needs.BlockBytes + min(size, needs.BlockRows)*needs.RowBytes + pieceSize*battleBytes
	if least := needs.TableBytes + min(blocks, blocksPerWorker)*blockBytes; int64(limit) < least {
		whole := (uint64(least) + 1<<20 - 1) >> 20 << 20 // rounded up, so that the suggested size suffices
		return grid.Options{}, usagef("rows in this format need %s of memory, the limit is %s: raise the limit "+
			"(--memory), or write CSV",
			humanize.IBytes(whole), humanize.IBytes(uint64(limit)))
	}
	affordable := (int64(limit) - needs.TableBytes) / (blocksPerWorker * blockBytes)
	return grid.Options{BlockSize: needs.BlockRows, Workers: int(max(1, min(workers, affordable)))}, nil
}
