package main

import (
	"context"
	"fmt"
	"io"

	"github.com/siegebook/siegebook/internal/rows"
)

// spoolMemory is how much of a batch is kept in memory, if --limit allows it, before the rest goes to a temporary file.
const spoolMemory = 16 << 20

// solveBatch reads all battles before it prints the first row: of a file with a bad row nothing is printed.
func (c *solveCastle) solveBatch(ctx context.Context, s streams) error {
	store := &battleStore{capacity: int(min(int64(c.Limit), spoolMemory) / storedSize)}
	defer store.close()
	if err := c.readBatch(ctx, s, store); err != nil {
		return err
	}
	progress := s.StartProgress("solve castle", store.size, true)
	defer progress.Stop()
	return newCastleRows(c.Columns, c.effort).write(ctx, s.Out, rows.CSV{}, store.size, c.Limit, progress, store.read)
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
