package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// mergeShards is "siegebook merge".
type mergeShards struct {
	Folder string `arg:""`
	Out    string `placeholder:"FILE|-"`
}

// Run sums up what the shards have found.
func (c *mergeShards) Run(ctx context.Context, s streams) error {
	folder, err := shard.OpenFolder(ctx, c.Folder)
	if err != nil {
		return otherFolder("merge", err)
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
		return otherFolder("merge", err)
	}
	if len(lacking) > 0 {
		return lacks(s, folder, w, lacking)
	}
	return mergeInto(ctx, s, whole, mergeable{folder, w}, c.Out)
}

// beside reports whether a file is, or would be, in a folder.
func beside(file, folder string) bool {
	if isStdout(file) {
		return false
	}
	its, err1 := os.Stat(filepath.Dir(file))
	shards, err2 := os.Stat(folder)
	return err1 == nil && err2 == nil && os.SameFile(its, shards)
}

// otherFolder marks the errors that the user mends by naming another folder, in the place where he has named it.
func otherFolder(place string, err error) error {
	var wrong *shard.OtherError
	if errors.As(err, &wrong) {
		return usagef("%s %w", place, err)
	}
	return err
}

// ofFolder returns the command whose shards are in a folder, and its work.
func ofFolder(folder shard.Folder) (sharded, work, error) {
	mark := folder.Mark
	if mark.Version != ownVersion() {
		return nil, work{}, usagef("merge %s: its shards are by siegebook %s, and this is %s, whose results may be "+
			"others: use that one, or compute them again", folder.Dir, mark.Version, ownVersion())
	}
	refused := func(why error) error {
		return usagef("merge %s: its shards are of %s, which cannot be merged: %w", folder.Dir, mark.Recipe, why)
	}
	named, err := grammar().Named(mark.Recipe.Command)
	if err != nil {
		return nil, work{}, err
	}
	c, ok := named.(sharded)
	if !ok {
		return nil, work{}, refused(fmt.Errorf("%q is no command that has shards", mark.Recipe.Command))
	}
	arguments := json.NewDecoder(strings.NewReader(mark.Recipe.Arguments))
	arguments.DisallowUnknownFields()
	if err := arguments.Decode(c); err != nil {
		return nil, work{}, refused(err)
	}
	w, err := c.work()
	if err != nil {
		return nil, work{}, refused(err)
	}
	if w.recipe != mark.Recipe {
		return nil, work{}, refused(fmt.Errorf("it would be written as %s", w.recipe.Arguments))
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
func lacks(s streams, folder shard.Folder, w work, lacking []lack) error {
	for i, l := range lacking {
		if i == mostListed {
			if err := s.Note(program+": and shards %s", stretches(lacking[i:])); err != nil {
				return err
			}
			break
		}
		if err := s.Note(program+": shard %v is %s: %s", l.Part, l.reason,
			commandOf(folder, w, fmt.Sprintf("--shard %v", l.Part))); err != nil {
			return err
		}
	}
	all := commandOf(folder, w, fmt.Sprintf("--shards %d", folder.Parts))
	return usagef("merge %s: %d of %s %s missing or damaged: compute each by its command, or all here by %s",
		folder.Dir, len(lacking), plural.Count(folder.Parts, "shard"), plural.Of(len(lacking), "is", "are"), all)
}

// commandOf returns the command that computes shards of a folder.
func commandOf(folder shard.Folder, w work, flag string) string {
	return fmt.Sprintf("%s %s --out %s", w.command(), flag, quoted(folder.Dir))
}

// quoted returns a text as a word of the shell.
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
func (m mergeable) each(ctx context.Context, use func(file *os.File, size int64) error) error {
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
		err = use(file, block.Size)
		_ = file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", m.folder.Path(p), err)
		}
	}
	return nil
}
