package main

import (
	"context"
	"io"
	"runtime"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/rows"
)

// castleRows turns battles into rows. It keeps nothing from row to row, so all cores may use the same one.
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
	if columns == nil {
		columns = castleTable()
	}
	of := map[string][]shown{}
	for i, column := range columns {
		r.table = append(r.table, column.Column)
		of[column.algorithm] = append(of[column.algorithm], shown{i, column})
	}
	r.numbers = of[""]
	for _, a := range castle.Algorithms() {
		if len(of[a.Name]) > 0 {
			r.asked = append(r.asked, asked{a, of[a.Name]})
		}
	}
	return r
}

// rowBlock is a stretch of battles and their rows. Sweeps use them again and again.
type rowBlock struct {
	battles []castle.Battle
	batch   *rows.Batch
	text    []byte
}

// fill computes the rows of some battles, column by column. The error is that of the context.
func (r castleRows) fill(ctx context.Context, batch *rows.Batch, battles []castle.Battle) error {
	batch.Resize(len(battles))
	for _, number := range r.numbers {
		cells := batch.Cells[number.column]
		for i := range battles {
			cells[i] = rows.Int(number.number(battles[i]))
		}
	}
	for _, a := range r.asked {
		for i, battle := range battles {
			answer, err := a.Answer(ctx, battle, r.effort)
			if err != nil && !castle.OutOfEffort(err) {
				return err
			}
			for s := range a.shown {
				cell := &batch.Cells[a.shown[s].column][i]
				if *cell = rows.Unknown; err == nil {
					*cell = a.shown[s].says(answer)
				}
			}
		}
	}
	return nil
}

// batchSize is the number of rows that are computed column by column, few enough to stay in the processor's cache.
const batchSize = 128

// write writes the header and one row for each of size battles, in order. The function read appends the battles of a
// block to a slice; it is called from several goroutines at a time.
func (r castleRows) write(
	ctx context.Context, w io.Writer, format rows.Format, size int64, limit byteSize, progress *command.Progress,
	read func(list []castle.Battle, block grid.Block) ([]castle.Battle, error),
) error {
	if _, err := w.Write(format.AppendHeader(nil, r.table)); err != nil {
		return err
	}
	compute := func(ctx context.Context, block grid.Block, free *rowBlock) (*rowBlock, error) {
		if free == nil {
			free = &rowBlock{batch: rows.NewBatch(r.table)}
		}
		var err error
		if free.battles, err = read(free.battles[:0], block); err != nil {
			return nil, err
		}
		free.text = free.text[:0]
		for rest := free.battles; len(rest) > 0; {
			battles := rest[:min(batchSize, len(rest))]
			if err := r.fill(ctx, free.batch, battles); err != nil {
				return nil, err
			}
			free.text, rest = format.AppendBatch(free.text, free.batch), rest[len(battles):]
		}
		return free, nil
	}
	emit := func(_ grid.Block, done *rowBlock) error {
		_, err := w.Write(done.text)
		return err
	}
	return grid.Sweep(ctx, size, grid.Options{BlockSize: r.blockSize(limit), Progress: progress.Set}, compute, emit)
}

// blockSize returns how many rows a block may have if all the blocks of a sweep together must not take more memory than
// the limit: a sweep keeps four blocks for each worker.
func (r castleRows) blockSize(limit byteSize) int64 {
	rowMemory := 24 + 26*len(r.table) // a battle, and columns of at most 20 characters
	size := int64(limit) / (int64(rowMemory) * 4 * int64(runtime.GOMAXPROCS(0)))
	return max(1, min(size, grid.DefaultBlockSize))
}
