package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// claim is what is claimed of a measurement: a ratio to another one of the same round. It is how many times ours is as
// good as the other and has to reach the bar; or, at most, how many times as large as the other ours may be. Without a
// bar it is shown only, and without another measurement it has no ratio.
type claim struct {
	what        string
	ours, other string // names in series
	bar         float64
	atMost      bool
}

// claims are the rows of the table.
var claims = []claim{
	{
		"exact closed form, times as fast as the published formula",
		"ClosedForm/exact sec/op", "ClosedForm/published sec/op", 3, false,
	},
	{
		"a map of 2048 x 2048 battles, of the speed of clearing its memory",
		"Map/fill sec/op", "Map/clear sec/op", 0.1, false,
	},
	{
		"a survey by all algorithms but search, times as fast as one answer after the other",
		"Survey/rows sec/battle", "Survey/plain sec/battle", 3, false,
	},
	{
		"counting the wins of test 12, times as fast as plain recursion",
		"Histogram/diagonals sec/op", "Histogram/recursion sec/op", 20, false,
	},
	{
		"counting, cost of a state at double n, s, d against single",
		"CountSizes/(40,_108,_32) sec/cell", "CountSizes/(20,_54,_16) sec/cell", 1.5, true,
	},
	{
		"a tower battle of 451 rounds in strides, times as fast as round by round",
		"Play/(853699,_8090,_1,_9543)/strides sec/op", "Play/(853699,_8090,_1,_9543)/rounds sec/op", 5, false,
	},
	{
		"ant battle, cost of an ant among 64 times as many",
		"MapSizes/side=400 sec/ant", "MapSizes/side=50 sec/ant", 2, true,
	},
	{
		"a naval game of the post's strategies, times as fast as on grids and lists",
		"NavalGame/fast sec/op", "NavalGame/slow sec/op", 20, false,
	},
	{"sweep of 36 x 110 x 55 battles, all columns", "Sweep sec/row", "", 0, false},
	{"a sweep as Parquet, bytes of its file against CSV", "Sweep/parquet B/row", "Sweep/csv B/row", 0.05, true},
	{"a sweep as Parquet, its time against CSV", "Sweep/parquet sec/row", "Sweep/csv sec/row", 2.5, true},
	{
		"a survey in ten shards, its time against one run", "Shards/survey/ten sec/battle", "Shards/survey/whole sec/battle",
		1.6, true,
	},
	{"a sweep as CSV in ten shards", "Shards/csv/ten sec/battle", "Shards/csv/whole sec/battle", 1.6, true},
	{"a sweep as Parquet in ten shards", "Shards/parquet/ten sec/battle", "Shards/parquet/whole sec/battle", 1.6, true},
	{
		"a survey, what --dry-run says of its time", "Shards/survey/estimated sec/battle", "Shards/survey/whole sec/battle",
		0, true,
	},
	{"a sweep as CSV, what --dry-run says", "Shards/csv/estimated sec/battle", "Shards/csv/whole sec/battle", 0, true},
	{
		"a sweep as Parquet, what --dry-run says", "Shards/parquet/estimated sec/battle", "Shards/parquet/whole sec/battle",
		0, true,
	},
	{
		"report again without a change, times as fast as with empty caches", "Report/again sec", "Report/cold sec", 10,
		false,
	},
	{
		"a cell that draws a figure, after a change, its time against gonb alone", "Cell/changed/ours sec",
		"Cell/changed/gonb sec", 0.55, true,
	},
	{
		"the same cell again without a change, its time against gonb alone", "Cell/again/ours sec", "Cell/again/gonb sec",
		0.25, true,
	},
}

// confidence is that of the intervals.
const confidence = 0.95

// summary returns the median of some values, with its interval, which assumes nothing about their distribution.
func summary(values []float64) benchmath.Summary {
	thresholds := benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(append([]float64{}, values...), &thresholds), confidence)
}

// judge prints a line for each claim and returns how many miss their bar.
func judge(w io.Writer, s series) (missed int, err error) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range claims {
		ours := s[c.ours]
		if len(ours) == 0 || c.other != "" && len(s[c.other]) != len(ours) {
			return 0, fmt.Errorf("%q: measured %d times, and %q %d times", c.ours, len(ours), c.other, len(s[c.other]))
		}
		if c.other == "" {
			fmt.Fprintf(out, "%s\t\t\t\t%s\n", c.what, shown(c.ours, ours))
			continue
		}
		var ratios []float64
		for i, other := range s[c.other] {
			if ours[i] <= 0 || other <= 0 {
				return 0, fmt.Errorf("%q is %v, and %q %v", c.ours, ours[i], c.other, other)
			}
			if ratio := other / ours[i]; c.atMost {
				ratios = append(ratios, 1/ratio)
			} else {
				ratios = append(ratios, ratio)
			}
		}
		ratio := summary(ratios)
		verdict, rule, reached := "ok", "at least", ratio.Center >= c.bar
		if c.atMost {
			rule, reached = "at most", ratio.Center <= c.bar
		}
		switch {
		case c.bar == 0:
			rule, verdict = "", ""
		case !reached:
			verdict = "MISSED"
			missed++
		}
		bar := ""
		if c.bar != 0 {
			bar = fmt.Sprintf("%s %.4g", rule, c.bar)
		}
		fmt.Fprintf(out, "%s\t%.2f (%.2f to %.2f)\t%s\t%s\t%s, other %s\n", c.what, ratio.Center, ratio.Lo, ratio.Hi, bar,
			verdict,
			shown(c.ours, ours), shown(c.other, s[c.other]))
	}
	return missed, out.Flush()
}

// shown returns the median of some values with the unit in their name.
func shown(name string, values []float64) string {
	unit := name[strings.LastIndexByte(name, ' ')+1:]
	return benchunit.Scale(summary(values).Center, benchunit.ClassOf(unit)) + " " + unit
}
