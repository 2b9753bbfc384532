package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// result is one line of the table: a ratio with its bar, or a figure alone if there is no bar.
type result struct {
	what   string
	ratio  float64
	bar    float64
	atMost bool // the ratio must not exceed the bar, rather than reach it
	detail string
}

func (r result) ok() bool {
	switch {
	case r.bar == 0:
		return true
	case r.atMost:
		return r.ratio <= r.bar
	}
	return r.ratio >= r.bar
}

const (
	exactTime     = "ClosedForm/exact ns/op"
	publishedTime = "ClosedForm/published ns/op"
	fillTime      = "Map/fill ns/op"
	clearTime     = "Map/clear ns/op"
	countTime     = "Histogram/diagonals ns/op"
	recursionTime = "Histogram/recursion ns/op"
	singleCost    = "CountSizes/(20,_54,_16) ns/cell"
	doubleCost    = "CountSizes/(40,_108,_32) ns/cell"
	stridesTime   = "Play/(853699,_8090,_1,_9543)/strides ns/op"
	roundsTime    = "Play/(853699,_8090,_1,_9543)/rounds ns/op"
	smallMapAnt   = "MapSizes/side=50 ns/ant"
	largeMapAnt   = "MapSizes/side=400 ns/ant"
	fastGame      = "NavalGame/fast ns/op"
	slowGame      = "NavalGame/slow ns/op"
)

// judge compares what was measured with the bars.
func judge(benchmarks []sample, sweep rate, b builds) ([]result, error) {
	var failed error
	get := func(value float64, err error) float64 {
		if failed == nil {
			failed = err
		}
		return value
	}
	exact := get(median(benchmarks, exactTime))
	results := []result{
		{
			what:  "exact closed form, times as fast as the published formula",
			ratio: get(ratio(benchmarks, publishedTime, exactTime)), bar: 3,
			detail: fmt.Sprintf("%.1f ns a battle at n = 1000, %.0f million a second on one core", exact, 1000/exact),
		},
		{
			what:  "a map of 2048 x 2048 battles, of the speed of clearing its memory",
			ratio: get(ratio(benchmarks, clearTime, fillTime)), bar: 0.1,
			detail: fmt.Sprintf("%.1f ms a map", get(median(benchmarks, fillTime))/1e6),
		},
		{
			what:  "counting the wins of test 12, times as fast as plain recursion",
			ratio: get(ratio(benchmarks, recursionTime, countTime)), bar: 20,
			detail: fmt.Sprintf("%.2f ms", get(median(benchmarks, countTime))/1e6),
		},
		{
			what:  "counting, cost of a state at double n, s, d against single",
			ratio: get(ratio(benchmarks, doubleCost, singleCost)), bar: 1.5, atMost: true,
			detail: fmt.Sprintf("%.0f ns a state", get(median(benchmarks, doubleCost))),
		},
		{
			what:  "a tower battle of 451 rounds in strides, times as fast as round by round",
			ratio: get(ratio(benchmarks, roundsTime, stridesTime)), bar: 5,
			detail: fmt.Sprintf("%.0f µs", get(median(benchmarks, stridesTime))/1e3),
		},
		{
			what:  "ant battle, cost of an ant among 64 times as many",
			ratio: get(ratio(benchmarks, largeMapAnt, smallMapAnt)), bar: 2, atMost: true,
			detail: fmt.Sprintf("%.0f ns an ant on 400 x 400 cells", get(median(benchmarks, largeMapAnt))),
		},
		{
			what:  "a naval game of the post's strategies, times as fast as on grids and lists",
			ratio: get(ratio(benchmarks, slowGame, fastGame)), bar: 20,
			detail: fmt.Sprintf("%.1f µs", get(median(benchmarks, fastGame))/1e3),
		},
		{
			what: "sweep of 36 x 110 x 55 battles, all columns", ratio: 0,
			detail: fmt.Sprintf("%.0f rows a second, %v", float64(sweep.rows)/sweep.took.Seconds(), sweep.took.Round(time.Millisecond)),
		},
		{
			what:  "report again without a change, times as fast as with empty caches",
			ratio: b.cold.Seconds() / b.again.Seconds(), bar: 10,
			detail: fmt.Sprintf("%v, at first %v", b.again.Round(time.Millisecond), b.cold.Round(time.Millisecond)),
		},
	}
	return results, failed
}

// printTable prints a line for each result and returns how many miss their bar.
func printTable(w io.Writer, results []result) (missed int) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range results {
		verdict, bar := "", ""
		if r.bar != 0 {
			verdict, bar = "ok", fmt.Sprintf("at least %.4g", r.bar)
			if r.atMost {
				bar = fmt.Sprintf("at most %.4g", r.bar)
			}
			if !r.ok() {
				verdict = "MISSED"
				missed++
			}
			fmt.Fprintf(out, "%s\t%.2f\t%s\t%s\t%s\n", r.what, r.ratio, bar, verdict, r.detail)
			continue
		}
		fmt.Fprintf(out, "%s\t\t\t\t%s\n", r.what, r.detail)
	}
	_ = out.Flush() // a table that cannot be printed is not worth an exit code of its own
	return missed
}
