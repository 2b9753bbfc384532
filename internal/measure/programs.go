package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
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
