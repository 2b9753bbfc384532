package main

import (
	"context"
	"io"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
)

// sweepCastle is "siegebook sweep castle".
type sweepCastle struct {
	Soldiers  span          `required:"" placeholder:"A:B" help:"Soldiers that attack."`
	Castle    span          `required:"" placeholder:"A:B" help:"Hits that the castle can take."`
	Defenders span          `required:"" placeholder:"A:B" help:"Defenders that a standing castle sends out after each wave."`
	Columns   castleColumns `placeholder:"a,b,..." help:"The columns to print, and no others."`
	Out       string        `default:"-" placeholder:"FILE|-" help:"File to write, as Parquet if its name ends with .parquet, else as CSV; - for standard output (default ${default})."`
	effort    `embed:""`
}

// Help is what --help says beyond the list of arguments.
func (*sweepCastle) Help() string {
	return `Examples:

    siegebook sweep castle --soldiers 10 --castle 40:45 --defenders 8
    siegebook sweep castle --soldiers 1:36 --castle 1:110 --defenders 1:55 --out castle.csv
    siegebook sweep castle --soldiers 100 --castle 1:400 --defenders 1:200 --columns castle_hits,defenders_per_wave,min_waves
    siegebook sweep castle --soldiers 1:36 --castle 1:110 --defenders 1:55 --out castle.parquet

A range A:B includes both ends; A alone is a range of one. The rows are in order of soldiers, castle hits and defenders. A file is put in place when it is complete, and not at all if the sweep fails or is interrupted. ` + columnsHelp() + `

In Parquet a null stands for both. In the columns of a battle that is played it means that --max-steps did not suffice, in the other columns that the side cannot win. The file's metadata say so for each column (siegebook.columns), and by which command the file is made (siegebook.command).`
}

// Run writes a row for each battle of the grid.
func (c *sweepCastle) Run(ctx context.Context, s streams) error {
	battles, err := grid.Product(grid.Range(c.Soldiers), grid.Range(c.Castle), grid.Range(c.Defenders))
	if err != nil {
		return command.Usage(err)
	}
	read := func(list []castle.Battle, block grid.Block) ([]castle.Battle, error) {
		for point := range battles.Points(block) {
			list = append(list, castle.Battle{Soldiers: point[0], CastleHits: point[1], DefendersPerWave: point[2]})
		}
		return list, nil
	}
	format, err := tableFormat(c.Out, c.recipe)
	if err != nil {
		return err
	}
	return writeOutput(s.Out, c.Out, func(w io.Writer) error {
		progress := s.StartProgress("sweep castle", battles.Size(), w == s.Out)
		defer progress.Stop()
		return newCastleRows(c.Columns, c.effort).write(ctx, w, format, battles.Size(), c.Limit, progress, read)
	})
}
