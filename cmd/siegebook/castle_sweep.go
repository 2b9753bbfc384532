package main

import (
	"context"
	"io"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/rows"
)

// sweepCastle is "siegebook sweep castle".
type sweepCastle struct {
	Soldiers  span          `required:"" placeholder:"A:B" help:"Soldiers that attack."`
	Castle    span          `required:"" placeholder:"A:B" help:"Hits that the castle can take."`
	Defenders span          `required:"" placeholder:"A:B" help:"Defenders that a standing castle sends out after each wave."`
	Columns   castleColumns `placeholder:"a,b,..." help:"The columns to print, and no others."`
	Out       string        `default:"-" placeholder:"FILE|DIR|-" help:"File to write, as Parquet if its name ends with .parquet, else as CSV; with --shard or --shards the folder of such files; - for standard output (default ${default})."`
	sharding  `embed:""`
	effort    `embed:""`
}

// Help is what --help says beyond the list of arguments.
func (*sweepCastle) Help() string {
	return `Examples:

    siegebook sweep castle --soldiers 10 --castle 40:45 --defenders 8
    siegebook sweep castle --soldiers 1:36 --castle 1:110 --defenders 1:55 --out castle.csv
    siegebook sweep castle --soldiers 100 --castle 1:400 --defenders 1:200 --columns castle_hits,defenders_per_wave,min_waves
    siegebook sweep castle --soldiers 1:36 --castle 1:110 --defenders 1:55 --out castle.parquet
    siegebook sweep castle --soldiers 1:1000 --castle 1:10000 --defenders 1:1000 --out castle.parquet --dry-run
    siegebook sweep castle --soldiers 1:36 --castle 1:110 --defenders 1:55 --shard 3/20 --out shards.parquet

A range A:B includes both ends; A alone is a range of one. The rows are in order of soldiers, castle hits and defenders. A file is put in place when it is complete, and not at all if the sweep fails or is interrupted. ` + columnsHelp() + `

In Parquet a null stands for both. In the columns of a battle that is played it means that --max-steps did not suffice, in the other columns that the side cannot win. The file's metadata say so for each column (siegebook.columns), and by which command the file is made (siegebook.command).

` + shardsHelp
}

// Run writes a row for each battle of the grid.
func (c *sweepCastle) Run(ctx context.Context, s streams) error {
	if c.sharding.given() {
		return runShards(ctx, s, c)
	}
	w, err := c.work()
	if err != nil {
		return err
	}
	format, err := tableFormat(c.Out, c.recipe)
	if err != nil {
		return err
	}
	return writeOutput(s.Out, c.Out, func(out io.Writer) error {
		progress := s.StartProgress(w.name, w.size, out == s.Out)
		defer progress.Stop()
		return c.writeRows(ctx, out, format, grid.Block{Size: w.size}, progress)
	})
}

// writeRows writes a table of some battles of the grid, by their numbers.
func (c *sweepCastle) writeRows(ctx context.Context, out io.Writer, format rows.Format, block grid.Block, progress *command.Progress) error {
	battles, err := c.grid()
	if err != nil {
		return err
	}
	read := func(list []castle.Battle, piece grid.Block) ([]castle.Battle, error) {
		piece.First += block.First
		return appendBattles(list, battles, piece), nil
	}
	return newCastleRows(c.Columns, c.effort).write(ctx, out, format, block.Size, c.Limit, progress, read)
}

// grid returns the battles in the order of their rows.
func (c *sweepCastle) grid() (grid.Grid, error) {
	return grid.Product(grid.Range(c.Soldiers), grid.Range(c.Castle), grid.Range(c.Defenders))
}

// appendBattles appends some battles of the grid.
func appendBattles(list []castle.Battle, battles grid.Grid, block grid.Block) []castle.Battle {
	for point := range battles.Points(block) {
		list = append(list, castle.Battle{Soldiers: point[0], CastleHits: point[1], DefendersPerWave: point[2]})
	}
	return list
}
