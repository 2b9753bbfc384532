package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/shard"
)

// cutCommand is a command with small ranges that can be cut into shards, with the result of an unsharded run.
type cutCommand struct {
	args   []string
	folder string   // a name for a folder of shards
	merged []string // possible names of merged files
}

// onOneMachine returns the result of an unsharded run, as a file with a name in a folder.
func onOneMachine(t test, args []string, dir, name string) []byte {
	if filepath.Ext(name) == ".json" {
		return []byte(mustRun(t, "", append(slices.Clone(args), "--json")...))
	}
	file := filepath.Join(dir, name)
	mustRun(t, "", append(slices.Clone(args), "--out", file)...)
	return must.Get(os.ReadFile(file))
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
	row := rapid.SampledFrom(must.Rows(t, cases, "TestAnyCut")).Draw(t, "command")
	return cutCommand{append(strings.Fields(row[0]), ranges...), row[1], strings.Fields(row[2])}, a * b * c
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

// TestAnyCut cuts a work into any number of shards, and computes them in any order, some of them twice. The merged
// result must equal the result of an unsharded run, byte for byte.
func TestAnyCut(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) (cutCommand, int){"castle": drawCut, "naval": drawMeasurement} {
		t.Run(name, func(t *testing.T) { testAnyCut(t, draw) })
	}
}

func testAnyCut(t *testing.T, draw func(*rapid.T) (cutCommand, int)) {
	rapid.Check(t, func(t *rapid.T) {
		cut, size := draw(t)
		dir := must.Get(os.MkdirTemp("", "cut"))
		defer os.RemoveAll(dir)
		folder := filepath.Join(dir, cut.folder)
		n := rapid.IntRange(1, min(size, 9)).Draw(t, "shards")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		order := random.Perm(n)
		for _, i := range slices.Concat(order, order[:random.IntN(n+1)]) {
			if i%4 == 3 {
				continue // --shards computes it below
			}
			mustRun(t, "", append(slices.Clone(cut.args), "-q", "--shard", fmt.Sprintf("%d/%d", i+1, n), "--out",
				folder)...)
		}
		mustRun(t, "", append(slices.Clone(cut.args), "-q", "--shards", fmt.Sprint(n), "--out", folder)...)
		for _, name := range cut.merged {
			merged := filepath.Join(dir, name)
			mustRun(t, "", "merge", folder, "--out", merged)
			got := must.Get(os.ReadFile(merged))
			if string(got) != string(onOneMachine(t, cut.args, dir, name)) {
				t.Fatalf("%v in %d shards: %s is not what one machine gives", cut.args, n, name)
			}
			if name == "merged.json" || name == "merged.csv" {
				if printed := mustRun(t, "", "merge", folder); printed != string(got) {
					t.Fatalf("%v in %d shards: what is printed is not what is written", cut.args, n)
				}
			}
		}
	})
}

// interrupted acts as if another process that also computes shards were killed before each shard. leave writes the
// unfinished files of the killed process.
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

// TestOrphans checks that once all shards are complete, the folder has no files of killed processes, no matter which
// shard a process was writing when it was killed.
func TestOrphans(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rows")
	c := parsed(t, "sweep castle --soldiers 1:3 --castle 1:4 --defenders 1:2 --out "+dir).(tabular)
	w := must.Get(c.work())
	leave := func() {
		must.Write(t, filepath.Join(dir, ".part-1-of-3.csv.siegebook-part-1234567890123456"), "")
	}
	for _, moment := range []string{"while shards are written", "when all are there"} {
		s := streams{Out: io.Discard, Err: io.Discard}
		must.Do(t, fillFolder(t.Context(), s, interrupted{c, leave}, w, shard.Shard{Number: 1, Of: 3}, 3))
		if left := entries(dir); !slices.Equal(left,
			[]string{"part-1-of-3.csv", "part-2-of-3.csv", "part-3-of-3.csv"}) {
			t.Errorf("killed %s: in the folder are %q", moment, left)
		}
		leave()
	}
}

// TestEstimatedBytes checks the file sizes that --dry-run estimates. They must be within a tenth for a sweep as CSV,
// within a factor of two as Parquet, and within a third for a measurement. A survey must not be larger than estimated.
func TestEstimatedBytes(t *testing.T) {
	for _, row := range must.Rows(t, cases, "TestEstimatedBytes") {
		line, file := row[0], filepath.Join(t.TempDir(), row[1])
		c := parsed(t, line+" --out "+file).(sharded)
		estimated := must.Get(must.Get(c.work()).output(t.Context()))
		mustRun(t, "", append(strings.Fields(line), "--out", file)...)
		size := must.Get(os.Stat(file)).Size()
		least, most := must.Get(strconv.ParseFloat(row[2], 64)), must.Get(strconv.ParseFloat(row[3], 64))
		if got := float64(estimated) / float64(size); got < least || got > most {
			t.Errorf("%s, %s: %d bytes, estimated %d", line, file, size, estimated)
		}
	}
}

// parsed returns a command with its arguments, without running it.
func parsed(t *testing.T, line string) any {
	t.Helper()
	return must.Get(grammar().Selected(strings.Fields(line)))
}

// TestTasks checks that each task takes an hour as long as there are at most a thousand tasks, and that longer work is
// divided into tasks of up to a day. Each task has at least one item.
func TestTasks(t *testing.T) {
	must.Answers(t, cases, func(row struct{ Size, Hours, Most int64 }) []any {
		w := work{size: row.Size, mostItems: row.Most}
		return []any{w.tasks(float64(3600 * row.Hours))}
	})
	if got := (work{size: 1000}).tasks(3601); got != 2 {
		t.Errorf("more than an hour: %d tasks", got)
	}
}

// TestSample checks that the time of a work is extrapolated from its first items by their cost, and that the sample
// of a short work is the whole work.
func TestSample(t *testing.T) {
	double := func(items int64) *big.Int { return new(big.Int).Mul(big.NewInt(2), big.NewInt(items)) }
	w := work{size: 1 << 40, cost: double}
	if got := w.secondsOf(sample{items: 1 << 20, seconds: 0.5}); got != 1<<19 {
		t.Errorf("%v seconds", got)
	}
	for line, most := range map[string]int64{
		"sweep castle --soldiers 1:3 --castle-hits 1:4 --defenders-per-wave 1:2":                          24,
		"sweep castle --soldiers 1:300000 --castle-hits 1:400 --defenders-per-wave 1:200 --out x.parquet": 1 << 26,
		"survey castle --soldiers 1:300000 --castle-hits 1:400 --defenders-per-wave 1:200":                1 << 26,
		"measure naval --placements 36 --fleets 1000000000":                                               1 << 20,
	} {
		c := parsed(t, line).(sharded)
		w := must.Get(c.work())
		taken, err := takeSample(t.Context(), c, w)
		if err != nil || taken.items > most || taken.items < min(w.size, 8) || taken.seconds < sampleSeconds &&
			taken.items < w.size {
			t.Errorf("%s: %+v, %v", line, taken, err)
		}
	}
}

// idle is a command that waits for an hour and computes nothing.
type idle struct{ tabular }

func (idle) writeShard(context.Context, io.Writer, grid.Block, shard.Mark, *command.Progress) error {
	time.Sleep(time.Hour)
	return nil
}

// TestSampleOnABusyMachine checks that a sample does not count the time in which the process waits for a core.
func TestSampleOnABusyMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken, err := takeSample(t.Context(), idle{}, work{size: 16})
		if err != nil || taken.items != 16 || taken.seconds >= 3600 {
			t.Errorf("%+v, %v", taken, err)
		}
	})
}

func TestDuration(t *testing.T) {
	must.Answers(t, cases, func(row struct{ Seconds float64 }) []any { return []any{duration(row.Seconds)} })
	for seconds, want := range map[float64]string{5.8e-8: "58 ns", 1.2e-5: "12 µs", 0.25: "250 ms", 7: "7 s"} {
		if got := smallDuration(seconds); got != want {
			t.Errorf("%v seconds: %s, want %s", seconds, got, want)
		}
	}
}

// forged creates a folder with one shard. Its file is undamaged, but has the given content. A CSV shard has no mark
// inside.
func forged(t *testing.T, recipe shard.Recipe, version, ending, content string) string {
	t.Helper()
	mark := shard.Mark{Recipe: recipe, Version: version}
	folder := shard.Folder{Dir: filepath.Join(t.TempDir(), "forged"), Mark: mark, Parts: 1, Ending: ending}
	must.Do(t, folder.Write(shard.Shard{Number: 1, Of: 1}, func(w io.Writer, mark shard.Mark) error {
		if rows, _, _ := strings.Cut(content, "# {"); mark == (shard.Mark{}) {
			_, err := io.WriteString(w, rows)
			return err
		}
		_, err := fmt.Fprintf(w, content, inJSON(mark), shard.NoSum)
		return err
	}))
	return folder.Dir
}

// TestForeignShards checks that undamaged shards with an impossible mark, or with content that contradicts their mark,
// are refused in one line.
func TestForeignShards(t *testing.T) {
	places := strings.NewReplacer("RANGES", `"soldiers":"1:2","castle_hits":"1","defenders_per_wave":"1"`,
		"COLUMNS", `"columns":"soldiers,min_waves","max_steps":100000000`,
		"SEAL", "\"siegebook.shard\":%s,\"siegebook.sha256\":\"%s\"}\n",
		"SURVEY(1:2)", surveyOf(t, "1:2"), "SURVEY(1:3)", surveyOf(t, "1:3"))
	for _, row := range must.Rows(t, cases, "TestForeignShards") {
		for i := range row {
			row[i] = places.Replace(row[i])
		}
		recipe := shard.Recipe{Command: row[0], Arguments: shard.Object(row[1])}
		ending, content, want := row[3], row[4], row[6]
		folder := forged(t, recipe, cmp.Or(row[2], identity()), ending, content)
		code, stdout, stderr := siegebook(t.Context(), "", "merge", folder)
		quiet := (stderr == "") == (code == exitDone) && strings.Count(stderr, "\n") <= 1
		if fmt.Sprint(code) != row[5] || !strings.Contains(stderr, want) || !quiet {
			t.Errorf("%v, %q: exit code %d, %q, want %s, %q", recipe, content, code, stderr, row[5], want)
		}
		if code != exitDone && strings.Contains(stdout, "{") {
			t.Errorf("%v, %q: printed %q", recipe, content, stdout)
		}
	}
}

func surveyOf(t *testing.T, soldiers string) string {
	args := "survey castle --castle-hits 1 --defenders-per-wave 1 --algorithms exact --json --soldiers " + soldiers
	return strings.TrimSpace(mustRun(t, "", strings.Fields(args)...))
}

// compiled copies the sources into their own folder, changes one of them, and returns the program compiled there,
// without version control.
func compiled(t *testing.T, file, old, changed string) string {
	t.Helper()
	dir := t.TempDir()
	top := filepath.Join("..", "..")
	for _, name := range []string{"analysis", "internal", filepath.Join("cmd", "siegebook")} {
		must.Do(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(top, name))))
	}
	for _, name := range []string{"go.mod", "go.sum", "sources.go"} {
		must.Write(t, filepath.Join(dir, name), string(must.Get(os.ReadFile(filepath.Join(top, name)))))
	}
	text := string(must.Get(os.ReadFile(filepath.Join(dir, file))))
	if !strings.Contains(text, old) {
		t.Fatalf("%s: there is no %q", file, old)
	}
	must.Write(t, filepath.Join(dir, file), strings.Replace(text, old, changed, 1))
	program := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/siegebook")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// TestOtherPrograms checks that a program compiled from the same sources in another folder continues this program's
// shards, and that a program with another MinWaves neither continues nor merges them.
func TestOtherPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program twice; leave out -short")
	}
	const file, old = "analysis/castle/closedform.go", "package castle"
	folder := filepath.Join(t.TempDir(), "shards")
	survey := strings.Fields("survey castle --soldiers 1:9 --castle-hits 1:20 --defenders-per-wave 3:7 --out " + folder)
	shardOf := func(program, number string) error {
		out, err := exec.Command(program, append(slices.Clone(survey), "--shard", number)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	must.Do(t, shardOf("siegebook", "1/2"))
	other := compiled(t, file, "return 1\n", "return 2\n")
	if exec.Command(other, "solve", "castle", "5", "4", "3").Run() != nil {
		t.Fatal("the other program does not run")
	}
	for _, args := range [][]string{append(slices.Clone(survey), "--shard", "2/2"), {"merge", folder}} {
		out, err := exec.Command(other, args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), ", sources ") || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%q: %v, %s", args, err, out)
		}
	}
	must.Do(t, shardOf(compiled(t, file, old, old), "2/2"))
	mustRun(t, "", "merge", folder)
}
