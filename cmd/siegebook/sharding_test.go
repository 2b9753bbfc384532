package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/shard"
)

// cutCommand is a command whose work can be cut, with small ranges, and what it gives on one machine.
type cutCommand struct {
	args   []string
	folder string   // a name for one of shards
	merged []string // the names of files that may be merged
}

// whole returns what the command gives on one machine, as a file of a name.
func (c cutCommand) whole(t *rapid.T, dir, name string) []byte {
	file := filepath.Join(dir, name)
	if filepath.Ext(name) == ".json" {
		return []byte(run0(t, append(slices.Clone(c.args), "--json")...))
	}
	run0(t, append(slices.Clone(c.args), "--out", file)...)
	return contents(t, file)
}

// run0 runs a command that must succeed and returns what it prints.
func run0(t *rapid.T, args ...string) string {
	code, stdout, stderr := siegebook(t.Context(), "", args...)
	if code != exitDone {
		t.Fatalf("siegebook %s: exit code %d, stderr %q", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

func contents(t *rapid.T, file string) []byte {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// drawCut draws a command and the number of its items.
func drawCut(t *rapid.T) (cutCommand, int) {
	span := func(name string, most int) (string, int) {
		first := rapid.IntRange(1, most).Draw(t, name)
		size := rapid.IntRange(1, 6).Draw(t, name+" size")
		return fmt.Sprintf("%d:%d", first, first+size-1), size
	}
	soldiers, a := span("soldiers", 15)
	castle, b := span("castle", 60)
	defenders, c := span("defenders", 30)
	ranges := []string{"--soldiers", soldiers, "--castle", castle, "--defenders", defenders}
	tables := []string{"merged.csv", "merged.parquet"}
	cut := rapid.SampledFrom([]cutCommand{
		{[]string{"sweep", "castle"}, "rows", tables},
		{[]string{"sweep", "castle"}, "rows.parquet", tables},
		{
			[]string{
				"sweep", "castle", "--max-steps", "3", "--columns", "published_waves,castle_first_winner,min_waves",
			},
			"few.parquet", tables,
		},
		{
			[]string{
				"sweep", "castle", "--max-steps", "3", "--columns",
				"castle_hits,defenders_first_waves,castle_min_waves",
			},
			"few", tables,
		},
		{[]string{"survey", "castle"}, "survey", []string{"merged.json"}},
		{
			[]string{"survey", "castle", "--algorithms", "counting,published,castle-first"},
			"survey",
			[]string{"merged.json"},
		},
	}).Draw(t, "command")
	cut.args = slices.Concat(cut.args, ranges)
	return cut, a * b * c
}

// drawMeasurement draws a measurement and the number of its games.
func drawMeasurement(t *rapid.T) (cutCommand, int) {
	fleets := rapid.IntRange(1, 8).Draw(t, "fleets")
	some := func(name string, from ...string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 1, len(from), rapid.ID).Draw(t, name)
	}
	placements, strategies := some("placements", "left", "36", "anywhere"), some("strategies", "random-proper",
		"linear-as_coded-no_halo", "diagonal-density")
	return cutCommand{
		args: []string{
			"measure", "naval", "--placements", strings.Join(placements, ","), "--strategies",
			strings.Join(strategies, ","), "--fleets", fmt.Sprint(fleets), "--seed",
			fmt.Sprint(rapid.Int64Min(0).Draw(t, "seed")),
		},
		folder: "measured", merged: []string{"merged.json"},
	}, fleets * len(placements) * len(strategies)
}

// TestAnyCut: cut into any number of shards, computed in any order, some of them twice and some anew, a work gives when
// merged what it gives on one machine, byte for byte.
func TestAnyCut(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) (cutCommand, int){"castle": drawCut, "naval": drawMeasurement} {
		t.Run(name, func(t *testing.T) { testAnyCut(t, draw) })
	}
}

func testAnyCut(t *testing.T, draw func(*rapid.T) (cutCommand, int)) {
	rapid.Check(t, func(t *rapid.T) {
		cut, size := draw(t)
		dir, err := os.MkdirTemp("", "cut")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		folder := filepath.Join(dir, cut.folder)
		n := rapid.IntRange(1, min(size, 9)).Draw(t, "shards")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		order := random.Perm(n)
		for _, i := range slices.Concat(order, order[:random.IntN(n+1)]) {
			if i%4 == 3 {
				continue // computed by --shards
			}
			run0(t, append(slices.Clone(cut.args), "--shard", fmt.Sprintf("%d/%d", i+1, n), "--out", folder)...)
		}
		run0(t, append(slices.Clone(cut.args), "--shards", fmt.Sprint(n), "--out", folder)...)
		for _, name := range cut.merged {
			merged := filepath.Join(dir, name)
			run0(t, "merge", folder, "--out", merged)
			got := contents(t, merged)
			if string(got) != string(cut.whole(t, dir, name)) {
				t.Fatalf("%v in %d shards: %s is not what one machine gives", cut.args, n, name)
			}
			if name == "merged.json" || name == "merged.csv" {
				if printed := run0(t, "merge", folder); printed != string(got) {
					t.Fatalf("%v in %d shards: what is printed is not what is written", cut.args, n)
				}
			}
		}
	})
}

// interrupted is a command beside which another process is killed while both compute shards: what that one has begun
// stays.
type interrupted struct {
	tabular
	leave func()
}

func (c interrupted) writeShard(ctx context.Context, w io.Writer, block grid.Block, mark shard.Mark,
	progress *command.Progress,
) error {
	c.leave()
	return c.tabular.writeShard(ctx, w, block, mark, progress)
}

// TestOrphans: when the shards are there, nothing is left in their folder of processes that were killed, whichever
// shard they were writing, and whenever that was.
func TestOrphans(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rows")
	c, w, err := cutWork([]string{
		"sweep", "castle", "--soldiers", "1:3", "--castle", "1:4", "--defenders", "1:2", "--shards", "3", "--out", dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	leave := func() {
		if err := os.WriteFile(filepath.Join(dir, ".part-1-of-3.csv.siegebook-part-1234567890123456"), nil,
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, moment := range []string{"while shards are written", "when all are there"} {
		s := streams{Out: io.Discard, Err: io.Discard}
		if err := fillFolder(t.Context(), s, interrupted{c.(tabular), leave}, w, shard.Part{Number: 1, Of: 3},
			3); err != nil {
			t.Fatal(err)
		}
		if left := faulttest.Entries(dir); !slices.Equal(left,
			[]string{"part-1-of-3.csv", "part-2-of-3.csv", "part-3-of-3.csv"}) {
			t.Errorf("killed %s: in the folder are %q", moment, left)
		}
		leave()
	}
}
