package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/siegebook/siegebook/analysis/castle"
)

// countCastle is "siegebook count castle".
type countCastle struct {
	battleArguments `embed:""`

	Convention castle.Convention `default:"complete" placeholder:"\"${default}\"" help:"Which of the castle's wins to count: complete (all) or printed (those in the table of the posts)."`
	Limit      byteSize          `default:"2GiB" placeholder:"SIZE" help:"Most memory to spend, in bytes or with a unit (default ${default})."`
	JSON       bool              `name:"json" help:"Print one JSON object, the counts as decimal strings."`
}

// Help is what --help says beyond the list of arguments.
func (*countCastle) Help() string {
	return `Examples:

    siegebook count castle 10 11 15
    siegebook count castle 19 50 15 --json
    siegebook count castle 19 50 15 --convention printed
    siegebook count castle 100 300 50 --limit 500MB

Every legal way to play is counted: no shot is wasted on a castle that cannot take it while there is a defender to shoot. A tie is no win, and counted apart.`
}

// Run prints the number of ways by side and wave.
func (c *countCastle) Run(ctx context.Context, s streams) error {
	progress := s.StartProgress("count castle", 0, false)
	counts, err := c.battle().Count(ctx, castle.CountOptions{Convention: c.Convention, MemoryLimit: int64(c.Limit)})
	progress.Stop()
	var memory *castle.OutOfMemoryError
	if errors.As(err, &memory) {
		return fmt.Errorf("%w (--limit)", err)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return countJSON(s.Out, counts)
	}
	return countText(s.Out, c.battle(), counts)
}

// waysByWave is an object with the waves in numerical order.
func waysByWave(h castle.Histogram) ordered {
	return func(yield func(string, any) bool) {
		for _, count := range h {
			if !yield(strconv.FormatInt(count.Wave, 10), count.Ways.String()) {
				return
			}
		}
	}
}

func countJSON(w io.Writer, counts castle.Counts) error {
	o := newJSONObject(w)
	o.member("soldier_wins", waysByWave(counts.Soldiers))
	o.member("castle_wins", waysByWave(counts.Castle))
	o.member("soldier_total", counts.Soldiers.Total().String())
	o.member("castle_total", counts.Castle.Total().String())
	o.member("ties", counts.Ties.String())
	return o.close()
}

func countText(w io.Writer, battle castle.Battle, counts castle.Counts) error {
	var page strings.Builder
	fmt.Fprintf(&page, "%s\n\n", headline(battle.Solve()))
	out := tabwriter.NewWriter(&page, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "wave\tsoldiers win\tcastle wins\t")
	for _, row := range mergeWaves(counts.Soldiers, counts.Castle) {
		fmt.Fprintf(out, "%d\t%v\t%v\t\n", row.wave, row.soldiers, row.castle)
	}
	fmt.Fprintf(out, "total\t%v\t%v\t\n", counts.Soldiers.Total(), counts.Castle.Total())
	_ = out.Flush() // into memory
	if counts.Ties.Sign() > 0 {
		fmt.Fprintf(&page, "\nAnd %v tie.\n", counts.Ties)
	}
	_, err := io.WriteString(w, page.String())
	return err
}

// waveRow is the number of ways in which each side wins in a wave.
type waveRow struct {
	wave             int64
	soldiers, castle *big.Int
}

// mergeWaves joins two histograms, both in increasing order of waves, by wave.
func mergeWaves(soldiers, castle castle.Histogram) []waveRow {
	var rows []waveRow
	for len(soldiers) > 0 || len(castle) > 0 {
		row := waveRow{soldiers: new(big.Int), castle: new(big.Int)}
		switch {
		case len(castle) == 0:
			row.wave = soldiers[0].Wave
		case len(soldiers) == 0:
			row.wave = castle[0].Wave
		default:
			row.wave = min(soldiers[0].Wave, castle[0].Wave)
		}
		if len(soldiers) > 0 && soldiers[0].Wave == row.wave {
			row.soldiers, soldiers = soldiers[0].Ways, soldiers[1:]
		}
		if len(castle) > 0 && castle[0].Wave == row.wave {
			row.castle, castle = castle[0].Ways, castle[1:]
		}
		rows = append(rows, row)
	}
	return rows
}
