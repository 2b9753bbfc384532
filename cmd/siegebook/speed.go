package main

import (
	"cmp"
	"context"
	"io"
	"math/big"
	"path/filepath"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/rows"
	"github.com/siegebook/siegebook/internal/shard"
)

// What follows is how long things take, in picoseconds of one core of an AMD EPYC server. They were measured with
// GOMAXPROCS=1 on grids of two million battles, from the smallest to those of 10^12 castle hits, and are the middle of
// what was found: where the battles are, the time differs by a third, for CSV of the largest battles by two thirds.
// make bench compares them with the machine that it runs on. So they are good for a plan, and for nothing else.
const (
	surveyPS      = 2_000  // a battle of a survey
	surveyOtherPS = 20_000 // an algorithm of it that is in no table here

	sweepPS      = 9_000  // a row of a sweep
	sweepOtherPS = 30_000 // an algorithm of it that is in no table here
	csvPS        = 9_000  // a value as CSV
)

// surveyAlgorithmPS is what the verdict on an algorithm takes, and sweepAlgorithmPS its answer in a sweep. Algorithms
// that are asked about few battles only take nothing: all the battles together are a twentieth of a second.
var (
	surveyAlgorithmPS = map[string]int64{"exact": 2_000, "castle-first": 2_000, "defenders-first": 4_000, "published": 32_000, "exact-by-root": 16_000}
	sweepAlgorithmPS  = map[string]int64{"exact": 8_000, "castle-side": 26_000, "castle-first": 24_000, "defenders-first": 24_000, "published": 35_000}
)

// parquetPS is what a value takes as Parquet, by its type; a number of the battle, which follows from the one before,
// takes parquetNumberPS.
var parquetPS = map[rows.Type]int64{rows.Integer: 17_000, rows.Name: 22_000, rows.Float: 16_000}

const parquetNumberPS = 10_000

// evenly is the cost where each item takes the same.
func evenly(ps int64) shard.Cost {
	return func(items int64) *big.Int { return new(big.Int).Mul(big.NewInt(items), big.NewInt(ps)) }
}

// ofTable returns a time of a table, or another one for what is not in it.
func ofTable(table map[string]int64, name string, other int64) int64 {
	if ps, ok := table[name]; ok {
		return ps
	}
	return other
}

// Memory that programs take.
const (
	programMemory = 16 << 20 // whatever they do
	surveyMemory  = 1 << 20  // for each core
	waveMemory    = 48       // for each number of waves that a survey lists, in each totals that exist
)

// Bytes of a survey.
const (
	surveyBytes          = 250
	surveyAlgorithmBytes = 400
	waveBytes            = 24
)

func (c *surveyCastle) cost() shard.Cost {
	ps := int64(surveyPS)
	for _, a := range c.compared() {
		if a.Affordable != nil {
			continue
		}
		ps += ofTable(surveyAlgorithmPS, a.Name, surveyOtherPS)
	}
	return evenly(ps)
}

func (c *surveyCastle) needs() needs {
	waves := c.wanted().WaveNumbers()
	return needs{
		memory: func(int64) (int64, int64) {
			return programMemory + waves*waveMemory, surveyMemory + blocksPerWorker*waves*waveMemory
		},
		output: func(context.Context) (int64, error) {
			return surveyBytes + surveyAlgorithmBytes*int64(len(c.compared())) + waveBytes*waves, nil
		},
	}
}

func (c *sweepCastle) cost(format rows.Format) shard.Cost {
	_, isCSV := format.(rows.CSV)
	r := newCastleRows(c.Columns, c.effort)
	ps := int64(sweepPS)
	for _, a := range r.asked {
		ps += ofTable(sweepAlgorithmPS, a.Name, sweepOtherPS)
		for _, shown := range a.shown {
			if isCSV {
				ps += csvPS
			} else {
				ps += parquetPS[shown.Type]
			}
		}
	}
	for range r.numbers {
		if isCSV {
			ps += csvPS
		} else {
			ps += parquetNumberPS
		}
	}
	return evenly(ps)
}

func (c *sweepCastle) needs(format rows.Format, size int64) needs {
	table := newCastleRows(c.Columns, c.effort).table
	wanted := needs{
		memory: func(items int64) (int64, int64) {
			room, err := format.Needs(table, min(items, rows.MostParquetRows))
			if err != nil {
				panic(err) // of the number of rows
			}
			block := cmp.Or(room.BlockRows, grid.DefaultBlockSize)
			return programMemory + room.TableBytes, blocksPerWorker * (room.BlockBytes + min(items, block)*(room.RowBytes+battleBytes))
		},
		output: func(ctx context.Context) (int64, error) { return c.sampledBytes(ctx, format, size) },
	}
	if _, is := format.(rows.Parquet); is {
		wanted.mostItems = rows.MostParquetRows
	}
	return wanted
}

// The sample by which the bytes of a sweep are told: so many stretches of battles, evenly over the grid.
const (
	sampleStretches = 16
	stretchSize     = 4096
)

// sampledBytes returns how many bytes all rows take, told from a sample.
func (c *sweepCastle) sampledBytes(ctx context.Context, format rows.Format, size int64) (int64, error) {
	if size <= sampleStretches*stretchSize {
		return c.bytesOf(ctx, format, []grid.Block{{Size: size}})
	}
	empty, err := c.bytesOf(ctx, format, nil)
	if err != nil {
		return 0, err
	}
	var sample []grid.Block
	for i := range int64(sampleStretches) {
		sample = append(sample, grid.Block{First: size / sampleStretches * i, Size: stretchSize})
	}
	bytes, err := c.bytesOf(ctx, format, sample)
	if err != nil {
		return 0, err
	}
	all := new(big.Int).Mul(big.NewInt(bytes-empty), big.NewInt(size))
	all.Quo(all, big.NewInt(sampleStretches*stretchSize))
	if !all.IsInt64() {
		return 0, usagef("--out %s: the rows take 2^63 bytes or more, take a smaller grid", filepath.Clean(c.Out))
	}
	return empty + all.Int64(), nil
}

// bytesOf returns how many bytes a table of some stretches of the battles takes.
func (c *sweepCastle) bytesOf(ctx context.Context, format rows.Format, stretches []grid.Block) (int64, error) {
	battles, err := c.grid()
	if err != nil {
		return 0, err
	}
	var list []castle.Battle
	for _, stretch := range stretches {
		list = appendBattles(list, battles, stretch)
	}
	read := func(to []castle.Battle, block grid.Block) ([]castle.Battle, error) {
		return append(to, list[block.First:block.First+block.Size]...), nil
	}
	var written counter
	progress := streams{Err: io.Discard}.StartProgress("", 0, false)
	defer progress.Stop()
	const room = 1 << 40 // the sample is small
	err = newCastleRows(c.Columns, c.effort).write(ctx, &written, format, int64(len(list)), room, progress, read)
	return int64(written), err
}

// counter counts what is written.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
