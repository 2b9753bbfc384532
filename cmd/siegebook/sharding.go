package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// sharding are the flags of a command whose work can be cut into shards.
type sharding struct {
	Shard  shardNumber `placeholder:"I/N" help:"Compute shard I of N, the shards together being all: into the folder that --out names, unless it is there, or else to standard output."`
	Shards positive    `placeholder:"N" help:"Compute all of N shards that are not there, one after the other, into the folder that --out names; see siegebook merge."`
	DryRun bool        `help:"Say how much work it is, how long it takes and how much memory and disk, and compute nothing."`
}

// shardsHelp is what --help says of shards.
const shardsHelp = `A shard is a stretch of the work, for one of many machines. Its file is complete or not there, and says which command and which shard it is of: one that is there, and whole, is not computed again, and a folder of another command is refused. siegebook merge puts the shards together, to the same bytes that one machine gives. docs/scale.md says more.`

// shardNumber is a shard's number among all, I/N. The zero value stands for a flag that was not given.
type shardNumber shard.Part

func (n *shardNumber) UnmarshalText(text []byte) error {
	p, err := shard.ParsePart(string(text))
	*n = shardNumber(p)
	return err
}

// given reports whether the work is to be cut, or not to be done at all.
func (f *sharding) given() bool { return f.Shards != 0 || f.Shard != shardNumber{} || f.DryRun }

// shardFlags returns the flags; so a command that embeds them has this method.
func (f *sharding) shardFlags() *sharding { return f }

// sharded is a command whose work can be cut into shards. Its methods are about the whole, whatever its shardFlags are.
type sharded interface {
	shardFlags() *sharding
	// folder returns what --out says, "" or "-" where it was not given.
	folder() string
	// work returns what there is to do. The error is one of the arguments.
	work() (work, error)
	// writeShard computes a block of the work's items and writes the file of the shard, with its mark and shard.NoSum.
	writeShard(ctx context.Context, w io.Writer, block grid.Block, mark shard.Mark, progress *command.Progress) error
	// merge writes to out, a file's name or - for standard output, what the command gives on one machine. All shards
	// are whole.
	merge(ctx context.Context, s streams, shards mergeable, out string) error
}

// work is a computation whose items are numbered 0..size-1.
type work struct {
	name    string     // of the command, such as "survey castle"
	command string     // that gives the whole on one machine: flags in a fixed order, with every value that it depends on
	items   string     // what one of them is, such as "battle"
	size    int64      // how many they are
	cost    shard.Cost // in picoseconds of a core, see speed.go
	ending  string     // of the names of shards, such as "json"
	needs   needs
}

// needs is what a work takes besides time, about.
type needs struct {
	mostItems int64 // of a shard, 0 for any number
	// memory returns the bytes of a process that does so many items, and those for each core that it uses.
	memory func(items int64) (process, core int64)
	// output returns the bytes that it writes.
	output func(ctx context.Context) (int64, error)
}

// folderOf returns the folder of the shards of a work.
func (w work) folderOf(dir string, parts int64) shard.Folder {
	return shard.Folder{Dir: dir, Mark: shard.Mark{Command: w.command, Version: ownVersion()}, Parts: parts, Ending: w.ending}
}

// block returns the items of a part. The error is one of the arguments.
func (w work) block(p shard.Part) (grid.Block, error) {
	block, err := p.Block(w.size, w.cost)
	if err != nil {
		err = fmt.Errorf("%s of %s: no shard can have less than one %s, use %d or fewer", plural.Count(p.Of, "shard"), plural.Count(w.size, w.items), w.items, w.size)
	}
	if most := w.needs.mostItems; err == nil && most > 0 && block.Size > most {
		fix := "take a smaller grid, or let the name of --out not end with .parquet"
		if least := (w.size-1)/most + 1; least <= shard.MostParts {
			fix = fmt.Sprintf("use %d shards or more", least)
		}
		err = fmt.Errorf("%s of %s: a file has at most %d %ss, %s", plural.Count(p.Of, "shard"), plural.Count(w.size, w.items), most, w.items, fix)
	}
	return block, command.Usage(err)
}

// ownVersion is the program's version without its name.
func ownVersion() string { return strings.TrimPrefix(command.Version(program), program+" ") }

// wholeOrShards is a command that gives one answer, which can be computed in shards too.
type wholeOrShards[A answer] interface {
	sharded
	asJSON() bool
	// part computes a block of the work's items.
	part(ctx context.Context, block grid.Block, progress *command.Progress) (A, error)
}

// runWhole shows the answer of a command, or computes the shards that its flags want.
func runWhole[A answer](ctx context.Context, s streams, c wholeOrShards[A]) error {
	switch {
	case c.shardFlags().given():
		return runShards(ctx, s, c)
	case c.folder() != "":
		return usagef("--out %s: is for shards, add --shards N or --shard I/N, or leave it out and send the output to a file", c.folder())
	}
	w, err := c.work()
	if err != nil {
		return err
	}
	progress := s.StartProgress(w.name, w.size, false)
	a, err := c.part(ctx, grid.Block{Size: w.size}, progress)
	progress.Stop()
	if err != nil {
		return err
	}
	return show(ctx, s, c.asJSON(), a)
}

// runShards computes the shards that the flags of a command want.
func runShards(ctx context.Context, s streams, c sharded) error {
	flags, dir := c.shardFlags(), c.folder()
	one := shard.Part(flags.Shard)
	if flags.Shards != 0 && one != (shard.Part{}) {
		return usagef("--shard %v and --shards %d: the first computes one shard, the second all of them, use one of the two", one, flags.Shards)
	}
	w, err := c.work()
	if err != nil {
		return err
	}
	if flags.DryRun {
		return dryRun(ctx, s, c, w)
	}
	toStdout := dir == "" || atomicfile.Target{Name: dir}.IsStdout()
	switch {
	case flags.Shards != 0 && toStdout:
		return usagef("--shards %d: the shards are files, name a folder for them with --out", flags.Shards)
	case toStdout:
		block, err := w.block(one)
		if err != nil {
			return err
		}
		mark := w.folderOf("", one.Of).MarkOf(one)
		progress := s.StartProgress(w.name, block.Size, true)
		defer progress.Stop()
		return shard.Seal(s.Out, func(out io.Writer) error { return c.writeShard(ctx, out, block, mark, progress) })
	case flags.Shards != 0:
		return shardError(dir, fillFolder(ctx, s, c, w, shard.Part{Number: 1, Of: int64(flags.Shards)}, int64(flags.Shards)))
	default:
		return shardError(dir, fillFolder(ctx, s, c, w, one, one.Number))
	}
}

// fillFolder computes the shards from one to another that are not in the folder of c.
func fillFolder(ctx context.Context, s streams, c sharded, w work, from shard.Part, to int64) error {
	if err := from.Validate(); err != nil {
		return command.Usage(err)
	}
	if _, err := w.block(from); err != nil {
		return err
	}
	folder := w.folderOf(c.folder(), from.Of)
	if err := folder.Check(ctx); err != nil {
		return err
	}
	// Another process may be killed while it writes a shard that this one then finds whole, so this is done last, too.
	folder.Sweep()
	defer folder.Sweep()
	found := int64(0)
	for p := from; p.Number <= to; p.Number++ {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		state, _, err := folder.Look(ctx, p)
		switch {
		case err != nil:
			return err
		case state == shard.Whole:
			found++
			continue
		}
		if err := writePart(ctx, s, c, w, folder, p); err != nil {
			return err
		}
	}
	switch {
	case found == 0:
		return nil
	case from.Number == to:
		return note(s, "%s: shard %v is there, and whole", folder.Path(from), from)
	}
	return note(s, "%s: %d of %s %s there, and whole", folder.Dir, found, plural.Count(folder.Parts, "shard"), plural.Of(found, "was", "were"))
}

// writePart computes one shard.
func writePart(ctx context.Context, s streams, c sharded, w work, folder shard.Folder, p shard.Part) error {
	block, err := w.block(p)
	if err != nil {
		return err
	}
	progress := s.StartProgress(fmt.Sprintf("%s, shard %v", w.name, p), block.Size, false)
	defer progress.Stop()
	return folder.Write(p, func(out io.Writer, mark shard.Mark) error {
		return c.writeShard(ctx, out, block, mark, progress)
	})
}

// shardError is outputError for the folder of shards.
func shardError(dir string, err error) error {
	var wrong *shard.OtherError
	if errors.As(err, &wrong) {
		return usagef("--out %w", err)
	}
	return outputError(dir, err)
}

// note prints a line that is no error.
func note(s streams, format string, args ...any) error {
	_, err := fmt.Fprintf(s.Err, program+": "+format+"\n", args...)
	return err
}
