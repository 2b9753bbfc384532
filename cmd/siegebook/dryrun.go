package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/dustin/go-humanize"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/shard"
)

// dryRun says what a work takes, and does nothing of it.
func dryRun(ctx context.Context, s streams, c sharded, w work) error {
	flags := c.shardFlags()
	e := estimate{work: w, tasks: w.tasks()}
	switch {
	case flags.Shards != 0:
		e.tasks = int64(flags.Shards)
	case flags.Shard != shardNumber{}:
		e.tasks = flags.Shard.Of
	}
	e.chosen = flags.Shards != 0 || flags.Shard != shardNumber{}
	if err := (shard.Part{Number: 1, Of: e.tasks}).Validate(); err != nil {
		return usagef("%w", err)
	}
	if _, err := w.block(shard.Part{Number: 1, Of: e.tasks}); err != nil {
		return err
	}
	var err error
	if e.output, err = w.needs.output(ctx); err != nil {
		return err
	}
	asJSON := false
	if j, ok := c.(interface{ asJSON() bool }); ok {
		asJSON = j.asJSON()
	}
	return show(ctx, s, asJSON, e)
}

// How large tasks should be, in seconds of a core: few long ones are better than many short ones, as long as a
// scheduler takes them and not too much is lost with one.
const (
	taskSeconds        = 3600
	longTaskSeconds    = 24 * 3600
	usualTasks         = 1000 // of an array, to many a scheduler
	picosecondsASecond = 1_000_000_000_000
)

// seconds returns how long some items take on one core.
func (w work) seconds(block grid.Block) float64 {
	cost := new(big.Float).SetInt(new(big.Int).Sub(w.cost(block.First+block.Size), w.cost(block.First)))
	seconds, _ := cost.Quo(cost, big.NewFloat(picosecondsASecond)).Float64()
	return seconds
}

// tasks returns into how many shards it is sensible to cut the work.
func (w work) tasks() int64 {
	all := w.seconds(grid.Block{Size: w.size})
	tasks := min(all/taskSeconds, usualTasks)
	tasks = min(max(tasks, all/longTaskSeconds), shard.MostParts)
	least := int64(1)
	if w.needs.mostItems > 0 {
		least = min((w.size-1)/w.needs.mostItems+1, shard.MostParts)
	}
	return max(least, min(int64(math.Ceil(tasks)), w.size))
}

// estimate is what is known of a work before it begins.
type estimate struct {
	work
	output int64
	tasks  int64
	chosen bool // by the user
}

// memory returns what a task takes.
func (e estimate) memory() (process, perCore int64) { return e.needs.memory((e.size-1)/e.tasks + 1) }

// core is what the times were measured on.
const core = "a core of an AMD EPYC of 2.6 GHz"

func (e estimate) text(out *bufio.Writer) {
	all := e.seconds(grid.Block{Size: e.size})
	fmt.Fprintf(out, "%s\n\n", e.command)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line(e.items+"s", "%s", humanize.Comma(e.size))
	line("time", "%s of a core, %s each", duration(all), smallDuration(all/float64(e.size)))
	process, perCore := e.memory()
	line("memory", "%s, and %s for each core that is used", humanize.IBytes(uint64(process)), humanize.IBytes(uint64(perCore)))
	line("output", "%s", humanize.Bytes(uint64(e.output)))
	switch {
	case e.tasks == 1:
		line("shards", "one is enough")
	case e.chosen:
		line("shards", "%s, each of them %s of a core", humanize.Comma(e.tasks), duration(all/float64(e.tasks)))
	default:
		line("shards", "%s are sensible, each of them %s of a core: --shards %d", humanize.Comma(e.tasks), duration(all/float64(e.tasks)), e.tasks)
	}
	fmt.Fprintf(out, "\nThese are estimates; the times are those of %s.\n", core)
}

func (e estimate) json(o *jsonObject) {
	o.member("command", e.command)
	o.member("items", e.items)
	o.member("size", e.size)
	o.member("core_seconds", rounded(e.seconds(grid.Block{Size: e.size})))
	process, perCore := e.memory()
	o.member("memory_bytes", process)
	o.member("core_memory_bytes", perCore)
	o.member("output_bytes", e.output)
	o.member("shards", e.tasks)
}

// rounded rounds to thousandths.
func rounded(seconds float64) float64 { return float64(int64(seconds*1000+0.5)) / 1000 }

// mostHours is the longest time that is written out: a hundred thousand years.
const mostHours = 1_000_000_000

// duration writes seconds as people say them, to two figures or three.
func duration(seconds float64) string {
	switch {
	case seconds < 0.95:
		return "less than a second"
	case seconds < 100:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	case seconds < 100*3600:
		return fmt.Sprintf("%.1f hours", seconds/3600)
	case seconds > mostHours*3600:
		return "more than " + humanize.Comma(mostHours) + " hours"
	}
	return humanize.Comma(int64(seconds/3600+0.5)) + " hours"
}

// smallDuration is duration for the time of one item.
func smallDuration(seconds float64) string {
	switch {
	case seconds < 1e-6:
		return fmt.Sprintf("%.0f ns", seconds*1e9)
	case seconds < 1e-3:
		return fmt.Sprintf("%.0f µs", seconds*1e6)
	case seconds < 1:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	}
	return duration(seconds)
}
