package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// claim is what is claimed of a benchmark's figure: a ratio to that of another one of the same round. It is how many
// times ours is as good as the other and has to reach the bar; or, at most, how many times as large as the other ours
// may be.
type claim struct {
	what        string
	ours, other string // benchmarks with their units, see sample
	bar         float64
	atMost      bool
	detail      func(ours float64) string
}

// claims are those of the benchmarks.
var claims = []claim{
	{
		"exact closed form, times as fast as the published formula",
		"ClosedForm/exact ns/op", "ClosedForm/published ns/op", 3, false, func(ns float64) string {
			return fmt.Sprintf("%.1f ns a battle at n = 1000, %.0f million a second on one core", ns, 1000/ns)
		},
	},
	{
		"a map of 2048 x 2048 battles, of the speed of clearing its memory",
		"Map/fill ns/op", "Map/clear ns/op", 0.1, false, in("%.1f ms a map", 1e6),
	},
	{
		"a survey by all algorithms but search, times as fast as one answer after the other",
		"Survey/rows ns/battle", "Survey/plain ns/battle", 1.5, false, func(ns float64) string {
			return fmt.Sprintf("%.0f ns a battle on one core, %.0f million a second on two", ns, 2*1000/ns)
		},
	},
	{
		"counting the wins of test 12, times as fast as plain recursion",
		"Histogram/diagonals ns/op", "Histogram/recursion ns/op", 20, false, in("%.2f ms", 1e6),
	},
	{
		"counting, cost of a state at double n, s, d against single",
		"CountSizes/(40,_108,_32) ns/cell", "CountSizes/(20,_54,_16) ns/cell", 1.5, true, in("%.0f ns a state", 1),
	},
	{
		"a tower battle of 451 rounds in strides, times as fast as round by round",
		"Play/(853699,_8090,_1,_9543)/strides ns/op", "Play/(853699,_8090,_1,_9543)/rounds ns/op", 5, false, in("%.0f µs", 1e3),
	},
	{
		"ant battle, cost of an ant among 64 times as many",
		"MapSizes/side=400 ns/ant", "MapSizes/side=50 ns/ant", 2, true, in("%.0f ns an ant on 400 x 400 cells", 1),
	},
	{
		"a naval game of the post's strategies, times as fast as on grids and lists",
		"NavalGame/fast ns/op", "NavalGame/slow ns/op", 20, false, in("%.1f µs", 1e3),
	},
}

// in prints a time in a unit of so many nanoseconds.
func in(format string, unit float64) func(float64) string {
	return func(ns float64) string { return fmt.Sprintf(format, ns/unit) }
}

// result is one line of the table: a ratio with its bar, or a figure alone if there is no bar.
type result struct {
	what   string
	ratio  float64
	bar    float64
	atMost bool // the ratio must not exceed the bar, rather than reach it
	detail string
}

// judge compares what was measured with the bars.
func judge(rounds []sample, sweep rate, f formats, b builds, cuts []cut, c cells) ([]result, error) {
	if len(rounds) == 0 {
		return nil, errors.New("no round was measured")
	}
	var results []result
	for _, c := range claims {
		var ours, ratios []float64
		for _, s := range rounds {
			for _, key := range []string{c.ours, c.other} {
				if s[key] <= 0 {
					return nil, fmt.Errorf("no benchmark has measured %q", key)
				}
			}
			ratio := s[c.other] / s[c.ours]
			if c.atMost {
				ratio = s[c.ours] / s[c.other]
			}
			ours, ratios = append(ours, s[c.ours]), append(ratios, ratio)
		}
		results = append(results, result{c.what, median(ratios), c.bar, c.atMost, c.detail(median(ours))})
	}
	for _, cut := range cuts {
		results = append(results,
			result{
				what:  cut.what + " in ten shards, its time on one core against one run",
				ratio: cut.shards.Seconds() / cut.whole.Seconds(), bar: 1.6, atMost: true,
				detail: fmt.Sprintf("%v, in one run %v", cut.shards.Round(time.Millisecond), cut.whole.Round(time.Millisecond)),
			},
			result{
				what:   cut.what + ", what --dry-run says of its time",
				detail: fmt.Sprintf("%.0f ns a battle on one core, measured %.0f", cut.estimated, float64(cut.whole.Nanoseconds())/cutBattles),
			})
	}
	changed, again := c.shares()
	results = append(results,
		result{
			what:  "a cell that draws a figure, after a change, its time against gonb alone",
			ratio: changed, bar: 0.55, atMost: true,
			detail: fmt.Sprintf("%v, in gonb alone %v", medianTime(c.ours.changed), medianTime(c.plain.changed)),
		},
		result{
			what:  "the same cell again without a change, its time against gonb alone",
			ratio: again, bar: 0.25, atMost: true,
			detail: fmt.Sprintf("%v, in gonb alone %v", medianTime(c.ours.again), medianTime(c.plain.again)),
		})
	return append(results,
		result{
			what:   "sweep of 36 x 110 x 55 battles, all columns",
			detail: fmt.Sprintf("%.0f rows a second, %v", float64(sweep.rows)/sweep.took.Seconds(), sweep.took.Round(time.Millisecond)),
		},
		result{
			what:  "a sweep as Parquet, bytes of its file against CSV",
			ratio: float64(f.parquetBytes) / float64(f.csvBytes), bar: 0.05, atMost: true,
			detail: fmt.Sprintf("%.2f bytes a row, %.1f as CSV", float64(f.parquetBytes)/float64(f.rows), float64(f.csvBytes)/float64(f.rows)),
		},
		result{
			what:  "a sweep as Parquet, its time against CSV",
			ratio: f.parquet.Seconds() / f.csv.Seconds(), bar: 2.5, atMost: true,
			detail: fmt.Sprintf("%.1f million rows a second, %.1f as CSV", float64(f.rows)/1e6/f.parquet.Seconds(), float64(f.rows)/1e6/f.csv.Seconds()),
		},
		result{
			what:  "report again without a change, times as fast as with empty caches",
			ratio: b.cold.Seconds() / b.again.Seconds(), bar: 10,
			detail: fmt.Sprintf("%v, at first %v", b.again.Round(time.Millisecond), b.cold.Round(time.Millisecond)),
		}), nil
}

// printTable prints a line for each result and returns how many miss their bar.
func printTable(w io.Writer, results []result) (missed int) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range results {
		if r.bar == 0 {
			fmt.Fprintf(out, "%s\t\t\t\t%s\n", r.what, r.detail)
			continue
		}
		verdict, rule, reached := "ok", "at least", r.ratio >= r.bar
		if r.atMost {
			rule, reached = "at most", r.ratio <= r.bar
		}
		if !reached {
			verdict = "MISSED"
			missed++
		}
		fmt.Fprintf(out, "%s\t%.2f\t%s %.4g\t%s\t%s\n", r.what, r.ratio, rule, r.bar, verdict, r.detail)
	}
	_ = out.Flush() // a table that cannot be printed is not worth an exit code of its own
	return missed
}
