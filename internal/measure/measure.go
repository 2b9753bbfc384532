package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// series are what was measured, round by round, by name and unit, such as "Map/fill sec/op". Times are in seconds.
type series map[string][]float64

func (s series) add(name string, value float64) { s[name] = append(s[name], value) }

// read adds the results in the output of go test.
func (s series) read(text string) error {
	results := benchfmt.NewReader(strings.NewReader(text), "benchmarks")
	for results.Scan() {
		switch r := results.Result().(type) {
		case *benchfmt.Result:
			base, parts := r.Name.Parts()
			name := string(base)
			for _, part := range parts {
				if part[0] == '/' { // not the number of cores
					name += string(part)
				}
			}
			for _, v := range r.Values {
				s.add(name+" "+v.Unit, v.Value)
			}
		case *benchfmt.SyntaxError:
			return r
		}
	}
	return results.Err()
}

// benchmarked are the games with the benchmarks that are measured.
var benchmarked = []struct{ game, pattern string }{
	{"castle", "^Benchmark(ClosedForm|Map|Histogram|CountSizes|Survey)$"},
	{"tower", "^BenchmarkPlay$"},
	{"ants", "^BenchmarkMapSizes$/^side=(50|400)$"},
	{"naval", "^BenchmarkNavalGame$"},
}

// benchmarks runs each benchmark once a round.
func (p programs) benchmarks(ctx context.Context) error {
	for range rounds {
		for _, b := range benchmarked {
			text, err := command(ctx, p.path(b.game+".test"), "-test.run", "^$", "-test.benchtime", "0.2s", "-test.bench",
				b.pattern)
			if err != nil {
				return err
			}
			if err := p.read(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// timed runs siegebook and adds the time that it takes for an item.
func (p programs) timed(ctx context.Context, name string, items int, args ...string) error {
	begin := time.Now()
	_, err := command(ctx, p.path("siegebook"), args...)
	p.add(name, time.Since(begin).Seconds()/float64(items))
	return err
}

// grid returns the flags of a grid.
func grid(soldiers, castle, defenders int) (args []string, battles int) {
	args = strings.Fields(fmt.Sprintf("castle --soldiers 1:%d --castle-hits 1:%d --defenders-per-wave 1:%d", soldiers,
		castle, defenders))
	return args, soldiers * castle * defenders
}

// formats measures a sweep with all columns, and one of some row groups, in both formats by turns.
func (p programs) formats(ctx context.Context) error {
	small, rows := grid(36, 110, 55)
	large, many := grid(100, 400, 50)
	for range rounds {
		file := p.path("sweep.csv")
		if err := p.timed(ctx, "Sweep sec/row", rows,
			slices.Concat([]string{"sweep"}, small, []string{"--out", file})...); err != nil {
			return err
		}
		for _, format := range []string{"csv", "parquet"} {
			file := p.path("formats." + format)
			if err := p.timed(ctx, "Sweep/"+format+" sec/row", many,
				slices.Concat([]string{"sweep"}, large, []string{"--out", file})...); err != nil {
				return err
			}
			info, err := os.Stat(file)
			if err != nil {
				return err
			}
			p.add("Sweep/"+format+" B/row", float64(info.Size())/float64(many))
		}
	}
	data, err := os.ReadFile(p.path("sweep.csv"))
	if got := bytes.Count(data, []byte("\n")) - 1; err == nil && got != rows {
		err = fmt.Errorf("the sweep wrote %d rows instead of %d", got, rows)
	}
	return err
}

// shards measures a survey and two sweeps on one core, in one run and in ten shards, and what --dry-run says of them.
func (p programs) shards(ctx context.Context) error {
	battles, size := grid(100, 400, 100)
	for _, work := range []struct{ name, verb, whole, shards string }{
		{"survey", "survey", "cut.json", "cut"},
		{"csv", "sweep", "cut.csv", "cut-csv"},
		{"parquet", "sweep", "cut.parquet", "cuts.parquet"},
	} {
		args := slices.Concat([]string{work.verb}, battles, []string{"--workers", "1"})
		for range rounds {
			text, err := command(ctx, p.path("siegebook"),
				slices.Concat(args, []string{"--out", p.path(work.whole), "--dry-run"})...)
			if err != nil {
				return err
			}
			_, each, _ := strings.Cut(text, " of a core, ")
			each, _, _ = strings.Cut(each, " each")
			took, err := time.ParseDuration(strings.ReplaceAll(each, " ", ""))
			if err != nil {
				return fmt.Errorf("--dry-run does not say what a battle takes: %w", err)
			}
			p.add("Shards/"+work.name+"/estimated sec/battle", took.Seconds())
			if err := p.timed(ctx, "Shards/"+work.name+"/whole sec/battle", size,
				slices.Concat(args, []string{"--out", p.path(work.whole)})...); err != nil {
				return err
			}
			if err := os.RemoveAll(p.path(work.shards)); err != nil {
				return err
			}
			cut := slices.Concat(args, []string{"--shards", "10", "--out", p.path(work.shards)})
			if err := p.timed(ctx, "Shards/"+work.name+"/ten sec/battle", size, cut...); err != nil {
				return err
			}
		}
	}
	return nil
}

// report measures the castle's chapters in a folder without caches, and again without a change.
func (p programs) report(ctx context.Context) error {
	build := func() (float64, error) {
		begin := time.Now()
		_, err := command(ctx, p.path("genreport"), "build", "--only", "castle", "--out", p.path("site"), "--cache",
			p.path("cache"))
		return time.Since(begin).Seconds(), err
	}
	cold, err := build()
	if err != nil {
		return err
	}
	for range rounds {
		again, err := build()
		if err != nil {
			return err
		}
		p.add("Report/cold sec", cold)
		p.add("Report/again sec", again)
	}
	return nil
}
