package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

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
	return show(ctx, s, c.JSON, waysAnswer{c.battle(), counts})
}

// waysByWave is an object with the waves in numerical order.
func waysByWave(h castle.Histogram) (members ordered) {
	for _, count := range h {
		members = append(members, member{strconv.FormatInt(count.Wave, 10), count.Ways.String()})
	}
	return members
}

// waysAnswer is the number of ways to win a battle.
type waysAnswer struct {
	battle castle.Battle
	counts castle.Counts
}

func (a waysAnswer) json(o *jsonObject) {
	o.member("soldier_wins", waysByWave(a.counts.Soldiers))
	o.member("castle_wins", waysByWave(a.counts.Castle))
	o.member("soldier_total", a.counts.Soldiers.Total().String())
	o.member("castle_total", a.counts.Castle.Total().String())
	o.member("ties", a.counts.Ties.String())
}

func (a waysAnswer) text(w *bufio.Writer) {
	fmt.Fprintf(w, "%s\n\n", headline(a.battle.Solve()))
	out := newTable(w)
	fmt.Fprintln(out, "wave\tsoldiers win\tcastle wins\t")
	ways := map[int64][2]string{} // of the soldiers and of the castle, by wave
	for side, histogram := range [2]castle.Histogram{a.counts.Soldiers, a.counts.Castle} {
		for _, count := range histogram {
			row := ways[count.Wave]
			row[side] = count.Ways.String()
			ways[count.Wave] = row
		}
	}
	for _, wave := range slices.Sorted(maps.Keys(ways)) {
		fmt.Fprintf(out, "%d\t%s\t%s\t\n", wave, cmp.Or(ways[wave][0], "0"), cmp.Or(ways[wave][1], "0"))
	}
	fmt.Fprintf(out, "total\t%v\t%v\t\n", a.counts.Soldiers.Total(), a.counts.Castle.Total())
	_ = out.Flush() // w keeps the error
	if a.counts.Ties.Sign() > 0 {
		fmt.Fprintf(w, "\nAnd %v tie.\n", a.counts.Ties)
	}
}
