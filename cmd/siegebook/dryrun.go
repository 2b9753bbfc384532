package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// dryRun estimates the cost of a work from a sample of it.
func dryRun(ctx context.Context, s streams, c sharded, w work) error {
	flags := c.shardFlags()
	e := estimate{work: w, tasks: int64(flags.Shards)}
	if flags.Shard != (shardNumber{}) {
		e.tasks = flags.Shard.Of
	}
	e.chosen = e.tasks != 0
	if e.chosen {
		if err := (shard.Part{Number: 1, Of: e.tasks}).Validate(); err != nil {
			return usagef("%w", err)
		}
		if _, err := w.block(shard.Part{Number: 1, Of: e.tasks}); err != nil {
			return err
		}
	}
	var err error
	if e.sample, err = takeSample(ctx, c, w); err != nil {
		return err
	}
	if !e.chosen {
		e.tasks = w.tasks(e.seconds())
		if _, err := w.block(shard.Part{Number: 1, Of: e.tasks}); err != nil {
			return err
		}
	}
	if e.output, err = w.output(ctx); err != nil {
		return err
	}
	j, ok := c.(interface{ asJSON() bool })
	return show(ctx, s, ok && j.asJSON(), e)
}

// sample is a measured beginning of a work: how long its first items took one core.
type sample struct {
	items   int64
	seconds float64
}

// sampleSeconds is how long a sample takes at least, unless it is the whole work. A shorter one says little.
const sampleSeconds = 0.1

// takeSample computes the first items of a work on one core, twice as many each time, until that takes long enough.
func takeSample(ctx context.Context, c sharded, w work) (sample, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	progress := streams{Err: io.Discard}.StartProgress("", 0, false)
	defer progress.Stop()
	mark := w.folderOf("", 1).MarkOf(shard.Part{Number: 1, Of: 1})
	for taken := (sample{items: 1}); ; taken.items *= 2 {
		taken.items = min(taken.items, w.size, cmp.Or(w.mostItems, w.size))
		begin := time.Now()
		if err := writeShard(ctx, io.Discard, c, grid.Block{Size: taken.items}, mark, progress); err != nil {
			return taken, err
		}
		taken.seconds = time.Since(begin).Seconds()
		if taken.seconds >= sampleSeconds || taken.items == w.size || taken.items == w.mostItems {
			return taken, nil
		}
	}
}

// secondsOf returns how long a work takes one core, told from a sample by what its items cost.
func (w work) secondsOf(taken sample) float64 {
	whole, part := new(big.Float).SetInt(w.cost(w.size)), new(big.Float).SetInt(w.cost(taken.items))
	times, _ := whole.Quo(whole, part).Float64()
	return times * taken.seconds
}

// How large tasks should be, in seconds of a core: few long ones are better than many short ones, as long as a
// scheduler takes them and not too much is lost with one.
const (
	taskSeconds     = 3600
	longTaskSeconds = 24 * 3600
	usualTasks      = 1000 // of an array, to many a scheduler
)

// tasks returns into how many shards it is sensible to cut a work that takes so many seconds.
func (w work) tasks(all float64) int64 {
	tasks := min(all/taskSeconds, usualTasks)
	tasks = min(max(tasks, all/longTaskSeconds), shard.MostParts)
	least := int64(1)
	if w.mostItems > 0 {
		least = min((w.size-1)/w.mostItems+1, shard.MostParts)
	}
	return max(least, min(int64(math.Ceil(tasks)), w.size))
}

// programMemory is what a process takes, whatever it does.
const programMemory = 16 << 20

// estimate is what is known of a work before it begins.
type estimate struct {
	work
	sample sample
	output int64
	tasks  int64
	chosen bool // by the user
}

// memory returns what a task takes.
func (e estimate) memory() (process, perCore int64) { return e.work.memory((e.size-1)/e.tasks + 1) }

func (e estimate) seconds() float64 { return e.secondsOf(e.sample) }

func (e estimate) text(out *bufio.Writer) {
	all := e.seconds()
	fmt.Fprintf(out, "%s\n\n", e.command())
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line(e.items+"s", "%s", humanize.Comma(e.size))
	line("time", "%s of a core, %s each", duration(all), smallDuration(all/float64(e.size)))
	process, perCore := e.memory()
	line("memory", "%s, and %s for each core that is used", humanize.IBytes(uint64(process)),
		humanize.IBytes(uint64(perCore)))
	line("output", "%s", humanize.Bytes(uint64(e.output)))
	switch {
	case e.tasks == 1:
		line("shards", "one is enough")
	case e.chosen:
		line("shards", "%s, each of them %s of a core", humanize.Comma(e.tasks), duration(all/float64(e.tasks)))
	default:
		line("shards", "%s are sensible, each of them %s of a core: --shards %d",
			humanize.Comma(e.tasks), duration(all/float64(e.tasks)), e.tasks)
	}
	fmt.Fprintf(out, "\nThese are estimates. The first %s took a core of this machine %s.\n",
		plural.Count(e.sample.items, e.items), smallDuration(e.sample.seconds))
}

func (e estimate) json(o *jsonObject) {
	o.member("command", e.command())
	o.member("items", e.items)
	o.member("size", e.size)
	o.member("core_seconds", rounded(e.seconds()))
	o.member("sample_items", e.sample.items)
	o.member("sample_seconds", rounded(e.sample.seconds))
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

// counter counts what is written.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
