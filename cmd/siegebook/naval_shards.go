package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/shard"
)

func (c *measureNaval) folder() string { return c.Out }

func (c *measureNaval) work() (work, error) {
	wanted := c.wanted()
	size, err := wanted.Size()
	if err != nil {
		return work{}, command.Usage(err)
	}
	line := fmt.Sprintf("%s measure naval --placements %s --strategies %s --fleets %d --seed %d --json",
		program, strings.ReplaceAll(names(wanted.Placements), ", ", ","), strings.ReplaceAll(names(wanted.Strategies), ", ", ","), wanted.Fleets, wanted.Seed)
	cost := func(games int64) *big.Int {
		microseconds := wanted.Cost(games)
		return microseconds.Mul(microseconds, big.NewInt(1_000_000))
	}
	return work{name: "measure naval", command: line, items: "game", size: size, cost: cost, ending: "json", needs: c.needs()}, nil
}

func (c *measureNaval) asJSON() bool { return c.JSON }

// Memory and bytes of JSON of a measurement, for each tally. Most strategies need one of sixty numbers of shots or so.
const (
	measuredMemory       = 1 << 10
	measuredBytes        = 230
	measuredShots        = 60
	measuredBytesOfShots = 6 // without the number of fleets
)

func (c *measureNaval) needs() needs {
	tallies, fleets := int64(len(c.Placements)*len(c.Strategies)), int64(c.Fleets)
	shots := min(fleets, measuredShots)
	digits := int64(len(fmt.Sprint(fleets / shots)))
	return needs{
		memory: func(int64) (int64, int64) {
			return programMemory + tallies*measuredMemory, blocksPerWorker * tallies * measuredMemory
		},
		output: func(context.Context) (int64, error) {
			return tallies * (measuredBytes + shots*(measuredBytesOfShots+digits)), nil
		},
	}
}

// writeShard writes the totals of some of the games.
func (c *measureNaval) writeShard(ctx context.Context, w io.Writer, block grid.Block, mark shard.Mark, progress *command.Progress) error {
	m, err := c.part(ctx, block, progress)
	if err != nil {
		return err
	}
	return shard.WriteJSON(w, m.Measurement, mark)
}

// merge adds the totals of the shards.
func (c *measureNaval) merge(ctx context.Context, s streams, shards mergeable, out string) error {
	sum := c.wanted()
	err := shards.each(ctx, func(_ shard.Part, file *os.File, size int64) error {
		part := c.wanted()
		if err := shard.ReadJSON(file, &part); err != nil {
			return err
		}
		if part.Games() != size || part.Fleets != sum.Fleets || part.Seed != sum.Seed || !slices.Equal(part.Placements, sum.Placements) || !slices.Equal(part.Strategies, sum.Strategies) {
			return errors.New("it is a measurement of other games")
		}
		return sum.Add(part.Totals)
	})
	if err != nil {
		return err
	}
	return writeAnswer(ctx, s, out, measured{sum})
}
