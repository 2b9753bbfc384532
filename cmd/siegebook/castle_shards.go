package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/rows"
	"github.com/siegebook/siegebook/internal/shard"
)

func (c *sweepCastle) folder() string { return c.Out }

func (c *sweepCastle) work() (work, error) {
	if c.Out == "" {
		return work{}, errNoOutput
	}
	battles, err := c.grid()
	if err != nil {
		return work{}, command.Usage(err)
	}
	format, err := tableFormat(filepath.Clean(c.Out), c.recipe)
	if err != nil {
		return work{}, err
	}
	if err := c.enough(format, battles.Size()); err != nil {
		return work{}, err
	}
	ending := "csv"
	if _, is := format.(rows.Parquet); is {
		ending = "parquet"
	}
	return work{
		name: "sweep castle", command: c.recipe()[recipeCommand], items: "row", size: battles.Size(),
		cost: c.cost(format), ending: ending, needs: c.needs(format, battles.Size()),
	}, nil
}

// enough returns an error if the limit does not suffice for the largest shard, before anything is written.
func (c *sweepCastle) enough(format rows.Format, size int64) error {
	of := max(int64(c.Shards), c.Shard.Of)
	if of == 0 || c.DryRun {
		return nil
	}
	items := (size-1)/of + 1
	if _, is := format.(rows.Parquet); is {
		items = min(items, rows.MostParquetRows) // more are refused with the number of shards that there should be
	}
	_, err := newCastleRows(c.Columns, c.effort).options(format, items, c.Limit)
	return err
}

// writeShard writes a table that says at its end, or in its metadata, which shard it is.
func (c *sweepCastle) writeShard(ctx context.Context, w io.Writer, block grid.Block, mark shard.Mark, progress *command.Progress) error {
	format, err := tableFormat(filepath.Clean(c.Out), func() map[string]string {
		recipe := c.recipe()
		recipe[recipeCommand] += " --shard " + mark.Shard
		recipe[shard.MarkKey], recipe[shard.SumKey] = inJSON(mark), shard.NoSum
		return recipe
	})
	if err != nil {
		return err
	}
	if _, is := format.(rows.CSV); is {
		format = rows.CSV{Comment: inJSON(seal{mark, shard.NoSum})}
	}
	return c.writeRows(ctx, w, format, block, progress)
}

// seal is what a shard says of itself.
type seal struct {
	Mark shard.Mark `json:"siegebook.shard"`
	Sum  string     `json:"siegebook.sha256"`
}

// merge reads the rows of the shards and writes them as one table.
func (c *sweepCastle) merge(ctx context.Context, s streams, shards mergeable, out string) error {
	format, err := tableFormat(out, c.recipe)
	if err != nil {
		return err
	}
	table := newCastleRows(c.Columns, c.effort).table
	if _, err := format.Needs(table, shards.size); err != nil {
		return command.Usage(err)
	}
	return writeOutput(s.Out, out, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		progress := s.StartProgress("merge", shards.size, w == s.Out)
		defer progress.Stop()
		join := joinRows
		if _, is := format.(rows.CSV); is && shards.folder.Ending == "csv" {
			join = copyRows
		}
		if err := join(ctx, buffered, format, table, shards, progress); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// copyRows writes one table with the rows of all shards, which are in its format already: CSV.
func copyRows(ctx context.Context, w io.Writer, format rows.Format, columns []rows.Column, shards mergeable, progress *command.Progress) error {
	table, err := format.Begin(w, columns)
	if err != nil {
		return err
	}
	done := int64(0)
	err = shards.each(ctx, func(_ shard.Part, file *os.File, size int64) error {
		n, err := rows.CopyCSV(w, file, columns, func(n int64) error {
			progress.Set(done+n, 0)
			return canceled.Cause(ctx)
		})
		if err == nil && n != size {
			err = wrongRows(size)
		}
		done += n
		return err
	})
	if err != nil {
		return err
	}
	return table.Close()
}

// wrongRows says that a shard is not what it should be, although it is whole.
func wrongRows(size int64) error {
	return fmt.Errorf("it should have %s, and has not", plural.Count(size, "row"))
}

// joinRows writes one table with the rows of all shards.
func joinRows(ctx context.Context, w io.Writer, format rows.Format, columns []rows.Column, shards mergeable, progress *command.Progress) error {
	needs, err := format.Needs(columns, shards.size)
	if err != nil {
		return err
	}
	table, err := format.Begin(w, columns)
	if err != nil {
		return err
	}
	j := joiner{block: table.NewBlock(), batch: rows.NewBatch(columns), blockRows: needs.BlockRows, progress: progress}
	if j.blockRows == 0 {
		j.blockRows = grid.DefaultBlockSize
	}
	err = shards.each(ctx, func(_ shard.Part, file *os.File, size int64) error {
		reader, err := openRows(file, shards.folder.Ending, columns)
		if err != nil {
			return unread(err)
		}
		return errors.Join(j.join(ctx, reader, size), reader.Close())
	})
	if err != nil {
		return err
	}
	if j.filled > 0 {
		if err := j.block.Write(); err != nil {
			return err
		}
	}
	return table.Close()
}

// openRows returns what reads the rows of a shard.
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

// joiner puts rows into blocks.
type joiner struct {
	block     rows.Block
	batch     *rows.Batch
	blockRows int64
	filled    int64 // rows of the block
	done      int64 // of all
	progress  *command.Progress
}

// join appends the rows of a shard, of which there must be so many.
func (j *joiner) join(ctx context.Context, reader rows.Reader, size int64) error {
	left := size
	for {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		if err := reader.Read(j.batch, int(min(batchSize, j.blockRows-j.filled))); err != nil {
			return unread(err)
		}
		n := int64(j.batch.Size())
		if left -= n; left < 0 || n == 0 && left > 0 {
			return wrongRows(size)
		}
		if n == 0 {
			return nil
		}
		if err := j.block.Append(j.batch); err != nil {
			return err
		}
		j.done += n
		j.progress.Set(j.done, 0)
		if j.filled += n; j.filled < j.blockRows {
			continue
		}
		if err := j.block.Write(); err != nil {
			return err
		}
		j.filled = 0
	}
}

// unread is an error of reading a shard, which is none of the output's, whatever the system says.
func unread(err error) error { return fmt.Errorf("cannot be read: %v", err) }

func (c *surveyCastle) folder() string { return c.Out }

func (c *surveyCastle) asJSON() bool { return c.JSON }

func (c *surveyCastle) work() (work, error) {
	wanted, algorithms := c.wanted(), c.compared()
	size, err := wanted.Size()
	if err != nil {
		return work{}, command.Usage(err)
	}
	if size > math.MaxInt64/int64(len(algorithms)) { // no --max-steps is as large
		return work{}, usagef("%s and %s: more than %d answers, take a smaller grid or fewer algorithms",
			plural.Count(size, "battle"), plural.Count(len(algorithms), "algorithm"), int64(math.MaxInt64))
	}
	// Whoever asks how much it is learns what --max-steps it needs.
	if !c.DryRun && size > int64(c.MaxSteps)/int64(len(algorithms)) {
		return work{}, usagef("%s and %s: more than --max-steps %s, take a smaller grid or raise --max-steps",
			plural.Count(size, "battle"), plural.Count(len(algorithms), "algorithm"), plural.Count(int64(c.MaxSteps), "answer"))
	}
	line := fmt.Sprintf("%s survey castle --soldiers %v --castle %v --defenders %v --algorithms %s --json",
		program, wanted.Soldiers, wanted.Castle, wanted.Defenders, algorithmNames(algorithms))
	if size > surveySteps/int64(len(algorithms)) {
		line += fmt.Sprintf(" --max-steps %d", size*int64(len(algorithms))) // it would not begin without
	}
	return work{name: "survey castle", command: line, items: "battle", size: size, cost: c.cost(), ending: "json", needs: c.needs()}, nil
}

// writeShard writes the totals of some of the battles.
func (c *surveyCastle) writeShard(ctx context.Context, w io.Writer, block grid.Block, mark shard.Mark, progress *command.Progress) error {
	survey, err := c.part(ctx, block, progress)
	if err != nil {
		return err
	}
	return shard.WriteJSON(w, survey.Survey, mark)
}

// merge adds the totals of the shards.
func (c *surveyCastle) merge(ctx context.Context, s streams, shards mergeable, out string) error {
	sum := c.wanted()
	err := shards.each(ctx, func(_ shard.Part, file *os.File, size int64) error {
		part := c.wanted()
		if err := shard.ReadJSON(file, &part); err != nil {
			return err
		}
		if part.Battles != size || part.Soldiers != sum.Soldiers || part.Castle != sum.Castle || part.Defenders != sum.Defenders {
			return fmt.Errorf("it is a survey of other battles")
		}
		return sum.Add(part.Totals)
	})
	if err != nil {
		return err
	}
	return writeAnswer(ctx, s, out, surveyAnswer{sum})
}

// writeAnswer writes an answer as JSON to a file, or to standard output.
func writeAnswer(ctx context.Context, s streams, out string, a answer) error {
	if ending := filepath.Ext(out); slices.Contains([]string{".csv", ".tsv", ".parquet"}, ending) {
		return usagef("--out %s: this is JSON, end the name with .json", out)
	}
	return writeOutput(s.Out, out, func(w io.Writer) error {
		s.Out = w
		return show(ctx, s, true, a)
	})
}
