package main

import (
	"context"
	"io"
	"runtime"

	"github.com/dustin/go-humanize"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
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
	written rows.Block
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

// pieceSize is the number of battles that are read at a time.
const pieceSize = grid.DefaultBlockSize

// write writes a table of one row for each of size battles, in order. The function read appends the battles of a block
// to a slice; it is called from several goroutines at a time.
func (r castleRows) write(
	ctx context.Context, w io.Writer, format rows.Format, size int64, limit byteSize, progress *command.Progress,
	read func(list []castle.Battle, block grid.Block) ([]castle.Battle, error),
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
			free = &rowBlock{batch: rows.NewBatch(r.table), written: table.NewBlock()}
		}
		for end := block.First + block.Size; block.First < end; block.First += block.Size {
			block.Size = min(pieceSize, end-block.First)
			if err := r.append(ctx, free, block, read); err != nil {
				return nil, err
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

// append appends the rows of a piece of a block.
func (r castleRows) append(
	ctx context.Context, to *rowBlock, piece grid.Block, read func([]castle.Battle, grid.Block) ([]castle.Battle, error),
) error {
	if err := canceled.Cause(ctx); err != nil {
		return err
	}
	var err error
	if to.battles, err = read(to.battles[:0], piece); err != nil {
		return err
	}
	for rest := to.battles; len(rest) > 0; {
		battles := rest[:min(batchSize, len(rest))]
		if err := r.fill(ctx, to.batch, battles); err != nil {
			return err
		}
		if err := to.written.Append(to.batch); err != nil {
			return err
		}
		rest = rest[len(battles):]
	}
	return nil
}

// What a sweep keeps in memory besides the rows as they are written.
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
		return grid.Options{}, usagef("rows in this format need %s of memory, the limit is %s: allow that much, or write CSV (--limit)",
			humanize.IBytes(whole), humanize.IBytes(uint64(limit)))
	}
	affordable := (int64(limit) - needs.TableBytes) / (blocksPerWorker * blockBytes)
	return grid.Options{BlockSize: needs.BlockRows, Workers: int(max(1, min(workers, affordable)))}, nil
}
