package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// mergeShards is "siegebook merge".
type mergeShards struct {
	Folder string `arg:"" help:"The folder of the shards, as --out of the command that computed them named it."`
	Out    string `default:"-" placeholder:"FILE|-" help:"File to write: the rows of a sweep as Parquet if its name ends with .parquet, else as CSV; a survey or a measurement as JSON; - for standard output (default ${default})."`
}

// Help is what --help says beyond the list of arguments.
func (*mergeShards) Help() string {
	return `Examples:

    siegebook sweep castle --soldiers 1:12 --castle 1:40 --defenders 1:20 --shards 3 --out sweep.parquet
    siegebook merge sweep.parquet --out castle.csv
    siegebook survey castle --soldiers 1:12 --castle 1:40 --defenders 1:20 --shards 4 --out survey
    siegebook merge survey --out survey.json

What is written is, byte for byte, what the command gives on one machine without --shards: the rows of sweep --out, or the JSON of survey --json and measure --json. Nothing is written unless all shards are there and whole. Those which are not are listed, each with the command that computes it.`
}

// Run sums up what the shards have found.
func (c *mergeShards) Run(ctx context.Context, s streams) error {
	folder, err := shard.OpenFolder(ctx, c.Folder)
	if err != nil {
		return mergeError(err)
	}
	whole, w, err := ofFolder(folder)
	if err != nil {
		return err
	}
	if beside(c.Out, c.Folder) {
		return usagef("--out %s: in the folder of the shards, which is for them alone, name another place", c.Out)
	}
	lacking, err := lookAtAll(ctx, folder)
	if err != nil {
		return mergeError(err)
	}
	if len(lacking) > 0 {
		return lacks(s, folder, lacking)
	}
	return whole.merge(ctx, s, mergeable{folder, w}, c.Out)
}

// beside reports whether a file is, or would be, in a folder.
func beside(file, folder string) bool {
	if (atomicfile.Target{Name: file}).IsStdout() {
		return false
	}
	its, err1 := os.Stat(filepath.Dir(file))
	shards, err2 := os.Stat(folder)
	return err1 == nil && err2 == nil && os.SameFile(its, shards)
}

// mergeError marks the errors that the user mends by naming another folder.
func mergeError(err error) error {
	var wrong *shard.OtherError
	if errors.As(err, &wrong) {
		return usagef("merge %w", err)
	}
	return err
}

// ofFolder returns the command whose shards are in a folder, and its work.
func ofFolder(folder shard.Folder) (sharded, work, error) {
	mark := folder.Mark
	if mark.Version != ownVersion() {
		return nil, work{}, usagef("merge %s: its shards are by siegebook %s, and this is %s, whose results may be others: use that one, or compute them again", folder.Dir, mark.Version, ownVersion())
	}
	refused := func(why error) error {
		return usagef("merge %s: its shards are of %s, which cannot be merged: %w", folder.Dir, mark.Command, why)
	}
	args := strings.Fields(mark.Command)
	if len(args) == 0 || args[0] != program {
		return nil, work{}, refused(fmt.Errorf("it is no command of %s", program))
	}
	selected, err := grammar().Selected(args[1:])
	if err != nil {
		return nil, work{}, refused(err)
	}
	c, ok := selected.(sharded)
	if !ok {
		return nil, work{}, refused(errors.New("it has no shards"))
	}
	w, err := c.work()
	if err != nil {
		return nil, work{}, refused(err)
	}
	if w.command != mark.Command {
		return nil, work{}, refused(fmt.Errorf("it would be written as %s", w.command))
	}
	if _, err := w.block(shard.Part{Number: 1, Of: folder.Parts}); err != nil {
		return nil, work{}, refused(err)
	}
	return c, w, nil
}

// lack is a shard that cannot be merged.
type lack struct {
	shard.Part
	reason string
}

// lookAtAll returns the shards that are missing or damaged.
func lookAtAll(ctx context.Context, folder shard.Folder) ([]lack, error) {
	var lacking []lack
	for p := (shard.Part{Number: 1, Of: folder.Parts}); p.Number <= p.Of; p.Number++ {
		if err := canceled.Cause(ctx); err != nil {
			return nil, err
		}
		switch state, reason, err := folder.Look(ctx, p); {
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

// mostListed is how many shards are listed with a line each.
const mostListed = 50

// lacks lists the shards that are to be computed, and returns the error that says so.
func lacks(s streams, folder shard.Folder, lacking []lack) error {
	for i, l := range lacking {
		if i == mostListed {
			if err := note(s, "and shards %s", stretches(lacking[i:])); err != nil {
				return err
			}
			break
		}
		if err := note(s, "shard %v is %s: %s", l.Part, l.reason, commandOf(folder, fmt.Sprintf("--shard %v", l.Part))); err != nil {
			return err
		}
	}
	return usagef("merge %s: %d of %s %s missing or damaged: compute each by its command, or all here by %s",
		folder.Dir, len(lacking), plural.Count(folder.Parts, "shard"), plural.Of(len(lacking), "is", "are"), commandOf(folder, fmt.Sprintf("--shards %d", folder.Parts)))
}

// commandOf returns the command that computes shards of a folder.
func commandOf(folder shard.Folder, flag string) string {
	return fmt.Sprintf("%s %s --out %s", folder.Mark.Command, flag, quoted(folder.Dir))
}

// quoted returns a text as a word of the shell.
func quoted(text string) string {
	plain := func(r rune) bool {
		return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || strings.ContainsRune("_-./:,+=@%", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// stretches returns the numbers of shards as "4-7, 9".
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

// mergeable are the shards of a work, all of them whole.
type mergeable struct {
	folder shard.Folder
	work
}

// each calls a function with the file of each shard, and how many items it is about, in their order.
func (m mergeable) each(ctx context.Context, use func(p shard.Part, file *os.File, size int64) error) error {
	for p := (shard.Part{Number: 1, Of: m.folder.Parts}); p.Number <= p.Of; p.Number++ {
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
		err = use(p, file, block.Size)
		_ = file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", m.folder.Path(p), err)
		}
	}
	return nil
}
