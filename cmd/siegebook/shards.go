package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	sources "github.com/siegebook/siegebook"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// sharding holds the flags of a command whose work can be cut into shards.
type sharding struct {
	Out    string      `json:"-" placeholder:"FILE|DIR|-"`
	Shard  shardNumber `json:"-" placeholder:"I/N"`
	Shards positive    `json:"-" placeholder:"N"`
	DryRun bool        `json:"-"`
}

// shardNumber is the number of a shard and the number of all shards, I/N. The zero value means that the flag was not
// given.
type shardNumber shard.Shard

func (n *shardNumber) UnmarshalText(text []byte) error {
	p, err := shard.Parse(string(text))
	*n = shardNumber(p)
	return err
}

// given reports whether a flag asks for shards or for a dry run.
func (f *sharding) given() bool { return f.Shards != 0 || f.Shard != shardNumber{} || f.DryRun }

// shardFlags returns the flags. A command that embeds sharding inherits the method.
func (f *sharding) shardFlags() *sharding { return f }

// sharded is a command whose work can be cut into shards. Its methods refer to the whole work, even if its flags ask
// for only some of the shards.
type sharded interface {
	shardFlags() *sharding
	// work returns the work of the command. Errors are about the arguments.
	work() (work, error)
}

// tabular is a sharded command whose shards are files in its own format.
type tabular interface {
	sharded
	// writeShard computes a block of the work's items and writes the file of the shard, with its mark and
	// shard.NoSum. If the mark is empty, it writes no mark.
	writeShard(ctx context.Context, w io.Writer, block grid.Block, mark shard.Mark, progress *command.Progress) error
	// merge writes the result of an unsharded run to out, a file name or "-" for standard output. The caller has
	// checked that all shards are complete.
	merge(ctx context.Context, s streams, shards mergeable, out string) error
}

// summing is a sharded command whose answer is the sum of the answers of its shards. The shards are JSON.
type summing interface {
	sharded
	asJSON() bool
	// nothing returns the answer for zero items.
	nothing() sum
	// part computes the answer for a block of the work's items.
	part(ctx context.Context, block grid.Block, progress *command.Progress) (sum, error)
}

// sum is the answer of a summing command.
type sum interface {
	answer
	json.Marshaler
	// add reads a shard's answer about size items, and adds it.
	add(file io.Reader, size int64) error
}

func (f *jsonFlag) asJSON() bool { return f.JSON }

// work is a computation whose items are numbered 0..size-1.
type work struct {
	recipe    shard.Recipe
	flags     string     // additional flags of the command for the whole work, each after a space
	items     string     // the name of an item, such as "battle"
	size      int64      // the number of items
	cost      shard.Cost // the cost, which balances the shards
	ending    string     // the ending of the shards' file names, such as "json"
	mostItems int64      // the maximum number of items of a shard; 0 for no limit
	// memory returns the bytes that a process needs to compute the given number of items, and the bytes for each core
	// that it uses.
	memory func(items int64) (process, core int64)
	// output returns the approximate size of the output in bytes.
	output func(ctx context.Context) (int64, error)
}

// command returns the command line for the work.
func (w work) command() string { return w.recipe.String() + w.flags }

// folderOf returns the folder of a work's shards.
func (w work) folderOf(dir string, parts int64) shard.Folder {
	return shard.Folder{
		Dir: dir, Mark: shard.Mark{Recipe: w.recipe, Version: identity()}, Parts: parts,
		Ending: w.ending,
	}
}

// block returns the items of a shard. Errors are about the arguments.
func (w work) block(p shard.Shard) (grid.Block, error) {
	if err := p.Validate(); err != nil {
		return grid.Block{}, command.Usage(err)
	}
	cut := plural.Count(p.Of, "shard") + " of " + plural.Count(w.size, w.items)
	block, ok := p.Block(w.size, w.cost)
	if !ok {
		return block, usagef("%s: each shard needs at least one %s: use %d shards or fewer", cut, w.items, w.size)
	}
	if most := w.mostItems; most > 0 && block.Size > most {
		fix := "use a smaller grid, or give --out a name that does not end with .parquet"
		if least := (w.size-1)/most + 1; least <= shard.Most {
			fix = fmt.Sprintf("use %d shards or more", least)
		}
		return block, usagef("%s: a file can have at most %d %ss: %s", cut, most, w.items, fix)
	}
	return block, nil
}

// identity returns a string that differs between programs whose answers might differ. It contains the Go version and a
// digest of the sources. It does not depend on compiler flags or the processor.
func identity() string { return runtime.Version() + ", sources " + sources.Digest() }

// versionText returns the output of --version.
func versionText() string { return command.Version(program) + ", sources " + sources.Digest() }

// runSum shows the answer of a command, writes it to the file of --out, or computes the shards that the flags ask
// for.
func runSum(ctx context.Context, s streams, c summing) error {
	flags := c.shardFlags()
	if flags.given() {
		return runShards(ctx, s, c)
	}
	w, err := c.work()
	if err != nil {
		return err
	}
	progress := s.StartProgress(w.recipe.Command, w.size, false)
	a, err := c.part(ctx, grid.Block{Size: w.size}, progress)
	progress.Stop()
	if err != nil {
		return err
	}
	return writeAnswer(ctx, s, flags.Out, c.asJSON() || filepath.Ext(flags.Out) == ".json", a)
}

// writeAnswer writes an answer to a file or to the standard output.
func writeAnswer(ctx context.Context, s streams, out string, asJSON bool, a answer) error {
	if ending := filepath.Ext(out); slices.Contains([]string{".csv", ".tsv", ".parquet"}, ending) {
		return usagef("--out %s: the results are not a table: use a name that ends with .json, or with .txt for "+
			"people", out)
	}
	return writeOutput(s.Out, out, func(w io.Writer) error {
		s.Out = w
		return show(ctx, s, asJSON, a)
	})
}

// writeShard computes a block of a command's items and writes the file of the shard.
func writeShard(ctx context.Context, w io.Writer, c sharded, block grid.Block, mark shard.Mark,
	progress *command.Progress,
) error {
	if c, is := c.(tabular); is {
		return c.writeShard(ctx, w, block, mark, progress)
	}
	found, err := c.(summing).part(ctx, block, progress)
	if err != nil {
		return err
	}
	return shard.WriteJSON(w, found, mark)
}

// mergeInto writes the result of an unsharded run of a command. The caller has checked that all shards are complete.
func mergeInto(ctx context.Context, s streams, c sharded, shards mergeable, out string) error {
	if c, is := c.(tabular); is {
		return c.merge(ctx, s, shards, out)
	}
	all := c.(summing).nothing()
	err := shards.each(ctx, func(file *os.File, size int64) error { return all.add(file, size) })
	if err != nil {
		return err
	}
	return writeAnswer(ctx, s, out, true, all)
}

// runShards computes the shards that the flags of a command ask for.
func runShards(ctx context.Context, s streams, c sharded) error {
	flags := c.shardFlags()
	dir := flags.Out
	one := shard.Shard(flags.Shard)
	if flags.Shards != 0 && one != (shard.Shard{}) {
		return usagef("--shard %v and --shards %d: the first computes one shard, the second all of them: use only "+
			"one of the two", one, flags.Shards)
	}
	w, err := c.work()
	if err != nil {
		return err
	}
	if flags.DryRun {
		return dryRun(ctx, s, c, w)
	}
	toStdout := isStdout(dir)
	switch {
	case flags.Shards != 0 && toStdout:
		return usagef("--shards %d: the shards are files: name a folder for them with --out", flags.Shards)
	case toStdout:
		block, err := w.block(one)
		if err != nil {
			return err
		}
		mark := w.folderOf("", one.Of).MarkOf(one)
		progress := s.StartProgress(w.recipe.Command, block.Size, true)
		defer progress.Stop()
		return shard.Seal(s.Out, func(out io.Writer) error { return writeShard(ctx, out, c, block, mark, progress) })
	case flags.Shards != 0:
		first := shard.Shard{Number: 1, Of: int64(flags.Shards)}
		return shardError(dir, fillFolder(ctx, s, c, w, first, first.Of))
	default:
		return shardError(dir, fillFolder(ctx, s, c, w, one, one.Number))
	}
}

// fillFolder computes the shards in a range of numbers that are missing from the folder of c.
func fillFolder(ctx context.Context, s streams, c sharded, w work, from shard.Shard, to int64) error {
	if _, err := w.block(from); err != nil {
		return err
	}
	folder := w.folderOf(c.shardFlags().Out, from.Of)
	if err := folder.Check(ctx); err != nil {
		return err
	}
	// Another process may be killed while it writes a shard that this process then finds complete. So Clean runs again
	// at the end.
	folder.Clean()
	defer folder.Clean()
	found := int64(0)
	for p := from; p.Number <= to; p.Number++ {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		state, _, err := folder.Inspect(ctx, p)
		switch {
		case err != nil:
			return err
		case state == shard.Whole:
			found++
			continue
		}
		block, err := w.block(p)
		if err != nil {
			return err
		}
		progress := s.StartProgress(fmt.Sprintf("%s, shard %v", w.recipe.Command, p), block.Size, false)
		err = folder.Write(p, func(out io.Writer, mark shard.Mark) error {
			return writeShard(ctx, out, c, block, mark, progress)
		})
		progress.Stop()
		if err != nil {
			return err
		}
	}
	switch {
	case found == 0:
		return nil
	case from.Number == to:
		return s.Note(program+": %s: shard %v is already complete", folder.Path(from), from)
	}
	return s.Note(program+": %s: %d of %s %s already complete",
		folder.Dir, found, plural.Count(folder.Parts, "shard"), plural.Of(found, "was", "were"))
}

// shardError returns an error about the folder of shards, as outputError does about a file.
func shardError(dir string, err error) error { return outputError(dir, otherFolder("--out", err)) }

// dryRun estimates the cost of a work from a sample.
func dryRun(ctx context.Context, s streams, c sharded, w work) error {
	flags := c.shardFlags()
	e := estimate{work: w, tasks: int64(flags.Shards)}
	if flags.Shard != (shardNumber{}) {
		e.tasks = flags.Shard.Of
	}
	e.chosen = e.tasks != 0
	if e.chosen {
		if _, err := w.block(shard.Shard{Number: 1, Of: e.tasks}); err != nil {
			return err
		}
	}
	var err error
	if e.sample, err = takeSample(ctx, c, w); err != nil {
		return err
	}
	if !e.chosen {
		e.tasks = w.tasks(e.seconds())
		if _, err := w.block(shard.Shard{Number: 1, Of: e.tasks}); err != nil {
			return err
		}
	}
	if e.output, err = w.output(ctx); err != nil {
		return err
	}
	j, ok := c.(interface{ asJSON() bool })
	return show(ctx, s, ok && j.asJSON(), e)
}

// sample is a measurement of a work: the time of its first items on one core, without the time that other processes
// take.
type sample struct {
	items   int64
	seconds float64
}

// sampleSeconds is the minimum time of a sample, unless it covers the whole work. A shorter sample is too inaccurate.
const sampleSeconds = 0.1

// takeSample computes the first items of a work on one core, twice as many each time, until they take long enough.
func takeSample(ctx context.Context, c sharded, w work) (sample, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	progress := streams{Err: io.Discard}.StartProgress("", 0, false)
	defer progress.Stop()
	mark := w.folderOf("", 1).MarkOf(shard.Shard{Number: 1, Of: 1})
	for taken := (sample{items: 1}); ; taken.items *= 2 {
		taken.items = min(taken.items, w.size, cmp.Or(w.mostItems, w.size))
		begin := processorTime()
		if err := writeShard(ctx, io.Discard, c, grid.Block{Size: taken.items}, mark, progress); err != nil {
			return taken, err
		}
		taken.seconds = (processorTime() - begin).Seconds()
		if taken.seconds >= sampleSeconds || taken.items == w.size || taken.items == w.mostItems {
			return taken, nil
		}
	}
}

// secondsOf returns the time that a work takes on one core, extrapolated from a sample by the cost of the items.
func (w work) secondsOf(taken sample) float64 {
	whole, part := new(big.Float).SetInt(w.cost(w.size)), new(big.Float).SetInt(w.cost(taken.items))
	times, _ := whole.Quo(whole, part).Float64()
	return times * taken.seconds
}

// These are the target sizes of tasks, in seconds of a core. A few long tasks are better than many short tasks, as
// long as a scheduler accepts them and a failure does not lose too much.
const (
	taskSeconds     = 3600
	longTaskSeconds = 24 * 3600
	usualTasks      = 1000 // the number of tasks in an array that many schedulers accept
)

// tasks returns a reasonable number of shards for a work that takes the given total number of seconds.
func (w work) tasks(all float64) int64 {
	tasks := min(all/taskSeconds, usualTasks)
	tasks = min(max(tasks, all/longTaskSeconds), shard.Most)
	least := int64(1)
	if w.mostItems > 0 {
		least = min((w.size-1)/w.mostItems+1, shard.Most)
	}
	return max(least, min(int64(math.Ceil(tasks)), w.size))
}

// programMemory is the memory that a process needs for any work.
const programMemory = 16 << 20

// estimate holds what is known about a work before it starts.
type estimate struct {
	work
	sample sample
	output int64
	tasks  int64
	chosen bool // the user has chosen the number of tasks
}

// memory returns the memory for a task.
func (e estimate) memory() (process, perCore int64) { return e.work.memory((e.size-1)/e.tasks + 1) }

func (e estimate) seconds() float64 { return e.secondsOf(e.sample) }

func (e estimate) text(out *bufio.Writer) {
	all := e.seconds()
	fmt.Fprintf(out, "%s\n\n", e.command())
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line(e.items+"s", "%s", humanize.Comma(e.size))
	line("time", "%s on one core, %s each", duration(all), smallDuration(all/float64(e.size)))
	process, perCore := e.memory()
	line("memory", "%s, plus %s for each core used", humanize.IBytes(uint64(process)),
		humanize.IBytes(uint64(perCore)))
	line("output", "%s", humanize.Bytes(uint64(e.output)))
	switch {
	case e.tasks == 1:
		line("shards", "one is enough")
	case e.chosen:
		line("shards", "%s, each taking %s on one core", humanize.Comma(e.tasks), duration(all/float64(e.tasks)))
	default:
		line("shards", "%s is a good number, each taking %s on one core: --shards %d",
			humanize.Comma(e.tasks), duration(all/float64(e.tasks)), e.tasks)
	}
	fmt.Fprintf(out, "\nThese are estimates. The first %s took %s on one core of this machine.\n",
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

// rounded rounds to three decimals.
func rounded(seconds float64) float64 { return float64(int64(seconds*1000+0.5)) / 1000 }

// mostHours is the longest time that is written as a number: about a hundred thousand years.
const mostHours = 1_000_000_000

// duration returns a time in words, to two or three digits.
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

// smallDuration returns a time in words, like duration, for the time of one item.
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

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// mergeShards is "siegebook merge".
type mergeShards struct {
	Folder string `arg:""`
	Out    string `placeholder:"FILE|-"`
}

// Run merges the shards of a folder into the result of an unsharded run.
func (c *mergeShards) Run(ctx context.Context, s streams) error {
	folder, err := shard.OpenFolder(ctx, c.Folder)
	if err != nil {
		return command.Unreadable(otherFolder("merge", err))
	}
	whole, w, err := ofFolder(folder)
	if err != nil {
		return err
	}
	if isInFolder(c.Out, c.Folder) {
		return usagef("--out %s: the file would be in the folder of the shards, which must not contain other files: "+
			"name another place", c.Out)
	}
	lacking, err := lookAtAll(ctx, folder)
	if err != nil {
		return otherFolder("merge", err)
	}
	if len(lacking) > 0 {
		return lacks(s, folder, w, lacking)
	}
	return mergeInto(ctx, s, whole, mergeable{folder, w}, c.Out)
}

// isInFolder reports whether a file is in a folder, or would be there if it existed.
func isInFolder(file, folder string) bool {
	if isStdout(file) {
		return false
	}
	its, err1 := os.Stat(filepath.Dir(file))
	shards, err2 := os.Stat(folder)
	return err1 == nil && err2 == nil && os.SameFile(its, shards)
}

// otherFolder returns a user error if another folder would avoid err. place is where the user named the folder.
func otherFolder(place string, err error) error {
	if _, is := errors.AsType[*shard.OtherError](err); is {
		return usagef("%s %w", place, err)
	}
	return err
}

// ofFolder returns the command whose shards are in a folder, and its work.
func ofFolder(folder shard.Folder) (sharded, work, error) {
	mark := folder.Mark
	if mark.Version != identity() {
		return nil, work{}, usagef("merge %s: the shards were computed by siegebook %s, but this is siegebook %s, "+
			"whose results may differ: use that version, or compute the shards again",
			folder.Dir, mark.Version, identity())
	}
	refused := func(why error) error {
		return usagef("merge %s: the shards belong to %s, which cannot be merged: %w", folder.Dir, mark.Recipe, why)
	}
	named, err := grammar().Named(mark.Recipe.Command)
	if err != nil {
		return nil, work{}, err
	}
	c, ok := named.(sharded)
	if !ok {
		return nil, work{}, refused(fmt.Errorf("%q is not a command with shards", mark.Recipe.Command))
	}
	arguments := json.NewDecoder(strings.NewReader(string(mark.Recipe.Arguments)))
	arguments.DisallowUnknownFields()
	if err := arguments.Decode(c); err != nil {
		return nil, work{}, refused(err)
	}
	w, err := c.work()
	if err != nil {
		return nil, work{}, refused(err)
	}
	if w.recipe != mark.Recipe {
		return nil, work{}, refused(fmt.Errorf("its arguments would be written as %s", w.recipe.Arguments))
	}
	if _, err := w.block(shard.Shard{Number: 1, Of: folder.Parts}); err != nil {
		return nil, work{}, refused(err)
	}
	return c, w, nil
}

// lack is a shard that is missing or damaged.
type lack struct {
	shard.Shard
	reason string
}

// lookAtAll returns the shards that are missing or damaged.
func lookAtAll(ctx context.Context, folder shard.Folder) ([]lack, error) {
	var lacking []lack
	for p := (shard.Shard{Number: 1, Of: folder.Parts}); p.Number <= p.Of; p.Number++ {
		if err := canceled.Cause(ctx); err != nil {
			return nil, err
		}
		switch state, reason, err := folder.Inspect(ctx, p); {
		case err != nil:
			return nil, err
		case state == shard.Missing:
			lacking = append(lacking, lack{p, "missing"})
		case state == shard.Damaged:
			lacking = append(lacking, lack{p, fmt.Sprintf("damaged (%v)", reason)})
		}
	}
	return lacking, nil
}

// mostListed is the maximum number of shards that are listed on a line of their own.
const mostListed = 50

// lacks lists the shards that have not been computed yet, and returns an error about them.
func lacks(s streams, folder shard.Folder, w work, lacking []lack) error {
	for i, l := range lacking {
		if i == mostListed {
			if err := s.Note(program+": and shards %s", stretches(lacking[i:])); err != nil {
				return err
			}
			break
		}
		if err := s.Note(program+": shard %v is %s: %s", l.Shard, l.reason,
			commandOf(folder, w, fmt.Sprintf("--shard %v", l.Shard))); err != nil {
			return err
		}
	}
	all := commandOf(folder, w, fmt.Sprintf("--shards %d", folder.Parts))
	return usagef("merge %s: %d of %s %s missing or damaged: compute each with its command, or all of them here with "+
		"%s",
		folder.Dir, len(lacking), plural.Count(folder.Parts, "shard"), plural.Of(len(lacking), "is", "are"), all)
}

// commandOf returns the command that computes shards of a folder.
func commandOf(folder shard.Folder, w work, flag string) string {
	return fmt.Sprintf("%s %s --out %s", w.command(), flag, quoted(folder.Dir))
}

// quoted returns a string, quoted for the shell if necessary.
func quoted(text string) string {
	plain := func(r rune) bool {
		return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' ||
			strings.ContainsRune("_-./:,+=@%", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// stretches returns the numbers of shards in the form "4-7, 9".
func stretches(lacking []lack) string {
	var texts []string
	for i := 0; i < len(lacking); {
		first, last := lacking[i].Number, lacking[i].Number
		for i++; i < len(lacking) && lacking[i].Number == last+1; i++ {
			last++
		}
		texts = append(texts, waveNumbers(first, last))
	}
	return strings.Join(texts, ", ")
}

// mergeable is a work whose shards are all complete.
type mergeable struct {
	folder shard.Folder
	work
}

// each calls a function with the file of each shard and its number of items, in order.
func (m mergeable) each(ctx context.Context, use func(file *os.File, size int64) error) error {
	for p := (shard.Shard{Number: 1, Of: m.folder.Parts}); p.Number <= p.Of; p.Number++ {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		block, err := m.block(p)
		if err != nil {
			return err
		}
		file, err := m.folder.Open(p)
		if err != nil {
			return err
		}
		err = use(file, block.Size)
		_ = file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", m.folder.Path(p), err)
		}
	}
	return nil
}
