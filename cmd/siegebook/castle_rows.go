package main

import (
	"context"
	"io"
	"runtime"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
)

// rowBlock is a stretch of battles and their rows. Sweeps use them again and again.
type rowBlock struct {
	battles []castle.Battle
	text    []byte
}

// writeCastleRows writes the header and one row for each of size battles, in order. The function read appends the battles
// of a block to a slice; it is called from several goroutines at a time.
func writeCastleRows(
	ctx context.Context, w io.Writer, rows castleRows, size int64, limit byteSize, progress *command.Progress,
	read func(list []castle.Battle, block grid.Block) ([]castle.Battle, error),
) error {
	if _, err := io.WriteString(w, rows.header()); err != nil {
		return err
	}
	compute := func(_ context.Context, block grid.Block, free *rowBlock) (*rowBlock, error) {
		if free == nil {
			free = new(rowBlock)
		}
		var err error
		if free.battles, err = read(free.battles[:0], block); err != nil {
			return nil, err
		}
		free.text = free.text[:0]
		for _, battle := range free.battles {
			free.text = rows.append(free.text, battle)
		}
		return free, nil
	}
	write := func(_ grid.Block, done *rowBlock) error {
		_, err := w.Write(done.text)
		return err
	}
	return grid.Sweep(ctx, size, grid.Options{BlockSize: blockSize(limit), Progress: progress.Set}, compute, write)
}

// blockSize returns how many rows a block may have if all the blocks of a sweep together must not take more memory than
// the limit: a sweep keeps four blocks for each worker.
func blockSize(limit byteSize) int64 {
	const rowMemory = 24 + 256 // a battle and the longest row, ten columns of at most 20 characters
	rows := int64(limit) / (rowMemory * 4 * int64(runtime.GOMAXPROCS(0)))
	return max(1, min(rows, grid.DefaultBlockSize))
}
