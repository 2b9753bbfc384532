package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// benchmarked are the games with the benchmarks that are measured.
var benchmarked = []struct{ game, pattern string }{
	{"castle", "^Benchmark(ClosedForm|Map|Histogram|CountSizes|Survey)$"},
	{"tower", "^BenchmarkPlay$"},
	{"ants", "^BenchmarkMapSizes$/^side=(50|400)$"},
	{"naval", "^BenchmarkNavalGame$"},
}

// benchmark runs each benchmark once.
func (p programs) benchmark(ctx context.Context) (string, error) {
	var all strings.Builder
	for _, b := range benchmarked {
		text, err := command(ctx, p.path(b.game+".test"), "-test.run", "^$", "-test.benchtime", "0.2s", "-test.bench", b.pattern)
		if err != nil {
			return "", err
		}
		all.WriteString(text)
	}
	return all.String(), nil
}

// rate is a number of rows and how long they took.
type rate struct {
	rows int
	took time.Duration
}

// sweep measures a sweep with the columns that it prints by default.
func (p programs) sweep(ctx context.Context) (rate, error) {
	file := p.path("sweep.csv")
	begin := time.Now()
	if _, err := command(ctx, p.path("siegebook"), "sweep", "castle", "--soldiers", "1:36", "--castle", "1:110", "--defenders", "1:55", "--out", file); err != nil {
		return rate{}, err
	}
	took := time.Since(begin)
	data, err := os.ReadFile(file)
	if err != nil {
		return rate{}, err
	}
	rows := bytes.Count(data, []byte("\n")) - 1
	if rows != 36*110*55 {
		return rate{}, fmt.Errorf("the sweep wrote %d rows instead of %d", rows, 36*110*55)
	}
	return rate{rows, took}, nil
}

// formats are what one sweep takes in each format: its time, and the bytes of its file.
type formats struct {
	rows                   int
	csv, parquet           time.Duration
	csvBytes, parquetBytes int64
}

// formats measures a sweep of some row groups in both formats by turns. Of each the fastest counts: a run may wait for
// the disk.
func (p programs) formats(ctx context.Context) (formats, error) {
	f := formats{rows: 100 * 400 * 50, csv: math.MaxInt64, parquet: math.MaxInt64}
	measure := func(name string, least *time.Duration, size *int64) error {
		file := p.path(name)
		begin := time.Now()
		if _, err := command(ctx, p.path("siegebook"), "sweep", "castle", "--soldiers", "1:100", "--castle", "1:400", "--defenders", "1:50", "--out", file); err != nil {
			return err
		}
		*least = min(*least, time.Since(begin))
		info, err := os.Stat(file)
		if err == nil {
			*size = info.Size()
		}
		return err
	}
	for range rounds {
		if err := measure("formats.csv", &f.csv, &f.csvBytes); err != nil {
			return formats{}, err
		}
		if err := measure("formats.parquet", &f.parquet, &f.parquetBytes); err != nil {
			return formats{}, err
		}
	}
	return f, nil
}

// cut is a work on one core, in one run and in ten shards, and what --dry-run says of a battle, in nanoseconds.
type cut struct {
	what          string
	whole, shards time.Duration
	estimated     float64
}

// cutBattles is how many battles a cut is about.
const cutBattles = 100 * 400 * 100

// each is how --dry-run says what an item takes.
var each = regexp.MustCompile(`, ([0-9]+) ns each`)

// cuts measures a survey and two sweeps. Of each the fastest counts: a run may wait for the disk.
func (p programs) cuts(ctx context.Context) ([]cut, error) {
	var all []cut
	for _, c := range []struct{ what, verb, whole, shards string }{
		{"a survey", "survey", "", "cut"},
		{"a sweep as CSV", "sweep", "cut.csv", "cut-csv"},
		{"a sweep as Parquet", "sweep", "cut.parquet", "cuts.parquet"},
	} {
		args := []string{c.verb, "castle", "--soldiers", "1:100", "--castle", "1:400", "--defenders", "1:100"}
		file := args
		if c.whole != "" {
			file = append(slices.Clone(args), "--out", p.path(c.whole))
		}
		text, err := command(ctx, p.path("siegebook"), append(slices.Clone(file), "--dry-run")...)
		if err != nil {
			return nil, err
		}
		found := each.FindStringSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("--dry-run does not say what a battle takes: %s", text)
		}
		one := cut{what: c.what, whole: math.MaxInt64, shards: math.MaxInt64}
		if one.estimated, err = strconv.ParseFloat(found[1], 64); err != nil {
			return nil, err
		}
		for range rounds {
			if err := os.RemoveAll(p.path(c.shards)); err != nil {
				return nil, err
			}
			if err := p.onOneCore(ctx, &one.whole, file...); err != nil {
				return nil, err
			}
			if err := p.onOneCore(ctx, &one.shards, append(slices.Clone(args), "--shards", "10", "--out", p.path(c.shards))...); err != nil {
				return nil, err
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// onOneCore measures siegebook on one core, and keeps the least time.
func (p programs) onOneCore(ctx context.Context, least *time.Duration, args ...string) error {
	cmd := exec.CommandContext(ctx, p.path("siegebook"), args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	begin := time.Now()
	out, err := cmd.Output()
	*least = min(*least, time.Since(begin))
	_, err = told(cmd.Path, args, out, err)
	return err
}

// builds are the times of building the castle's chapters: with empty caches, and again without a change.
type builds struct{ cold, again time.Duration }

// report measures the report in a folder without caches. Of the second builds the fastest counts: the first of them may
// wait for the disk that the cold one has filled.
func (p programs) report(ctx context.Context) (builds, error) {
	build := func() (time.Duration, error) {
		begin := time.Now()
		_, err := command(ctx, p.path("genreport"), "build", "--only", "castle", "--out", p.path("site"), "--cache", p.path("cache"))
		return time.Since(begin), err
	}
	cold, err := build()
	if err != nil {
		return builds{}, err
	}
	b := builds{cold: cold, again: cold}
	for range rounds {
		again, err := build()
		if err != nil {
			return builds{}, err
		}
		b.again = min(b.again, again)
	}
	return b, nil
}
