package main

import (
	"strings"
	"testing"
	"time"
)

const output = `goos: linux
pkg: example.org/a-b
BenchmarkClosedForm/exact-2             31278840    10.00 ns/op
BenchmarkClosedForm/published-2         11626992    36.00 ns/op
BenchmarkClosedForm/castle-2             8088624    39.33 ns/op
BenchmarkCountSizes/(20,_54,_16)-2          1108    422501 ns/op    40.00 ns/cell
BenchmarkCountSizes/(40,_108,_32)-2           70   4541194 ns/op    50.00 ns/cell
BenchmarkHistogram/diagonals-2              1132    300000 ns/op
BenchmarkHistogram/recursion-2                76   7500000 ns/op
BenchmarkMap/fill-2                           72   4000000 ns/op  7090.67 MB/s
BenchmarkMap/clear-2                         475    800000 ns/op  42921.07 MB/s
BenchmarkSurvey/rows-2                          54   7253511 ns/op    80.00 ns/battle
BenchmarkSurvey/plain-2                         20  17467976 ns/op    190.0 ns/battle
BenchmarkPlay/(853699,_8090,_1,_9543)/strides-2          10000     60000 ns/op
BenchmarkPlay/(853699,_8090,_1,_9543)/rounds-2             718   1200000 ns/op
BenchmarkMapSizes/side=50-2                 4473    140217 ns/op    200.0 ns/ant
BenchmarkMapSizes/side=400-2                  25   9021842 ns/op    300.0 ns/ant
BenchmarkNavalGame/fast-2                  40000      5120 ns/op
BenchmarkNavalGame/slow-2                    100   2400000 ns/op
PASS
`

func round(change ...string) sample { return parse(strings.NewReplacer(change...).Replace(output)) }

func TestJudge(t *testing.T) {
	sweep := rate{1000, 2 * time.Second}
	even := formats{rows: 10, csv: 2 * time.Second, parquet: 5 * time.Second, csvBytes: 100, parquetBytes: 5}
	large, slow := even, even
	large.parquetBytes, slow.parquet = 6, 5*time.Second+1
	fair := cut{"a sweep", 10 * time.Second, 16 * time.Second, 50}
	dear := fair
	dear.shards++
	quick := cellsOf(550, 50, 1000, 200)
	slowCell, slowAgain := cellsOf(551, 50, 1000, 200), cellsOf(550, 51, 1000, 200)
	good := builds{cold: 5 * time.Second, again: 500 * time.Millisecond}
	for _, test := range []struct {
		name    string
		samples []sample
		formats formats
		builds  builds
		cut     cut
		cells   cells
		missed  string
	}{
		{"sound", []sample{round()}, even, good, fair, quick, ""},
		{"one bad round of three", []sample{round(), round("36.00", "9.00"), round()}, even, good, fair, quick, ""},
		{"two bad rounds of three", []sample{round(), round("36.00", "9.00"), round("10.00", "12.01")}, even, good, fair, quick, "closed form"},
		{"map", []sample{round(" 4000000", " 8000001")}, even, good, fair, quick, "a map"},
		{"survey", []sample{round("190.0", "119.9")}, even, good, fair, quick, "a survey"},
		{"recursion", []sample{round("7500000", "5999999")}, even, good, fair, quick, "counting the wins"},
		{"growth", []sample{round("50.00", "60.01")}, even, good, fair, quick, "cost of a state"},
		{"strides", []sample{round("1200000", "299999")}, even, good, fair, quick, "in strides"},
		{"ants", []sample{round("300.0", "400.1")}, even, good, fair, quick, "cost of an ant"},
		{"naval", []sample{round("2400000", "102399")}, even, good, fair, quick, "a naval game"},
		{"bytes of Parquet", []sample{round()}, large, good, fair, quick, "bytes of its file"},
		{"time of Parquet", []sample{round()}, slow, good, fair, quick, "its time against CSV"},
		{"shards", []sample{round()}, even, good, dear, quick, "in ten shards"},
		{"rebuild", []sample{round()}, even, builds{cold: 5 * time.Second, again: 501 * time.Millisecond}, fair, quick, "report again"},
		{"a cell", []sample{round()}, even, good, fair, slowCell, "after a change"},
		{"a cell again", []sample{round()}, even, good, fair, slowAgain, "again without a change"},
	} {
		results, err := judge(test.samples, sweep, test.formats, test.builds, []cut{test.cut}, test.cells)
		if err != nil {
			t.Fatal(err)
		}
		var table strings.Builder
		missed := printTable(&table, results)
		bad := ""
		for line := range strings.Lines(table.String()) {
			if strings.Contains(line, "MISSED") {
				bad += line
			}
		}
		if (missed > 0) != (test.missed != "") || missed > 1 || !strings.Contains(bad, test.missed) {
			t.Errorf("%s: %d missed\n%s", test.name, missed, table.String())
		}
		if !strings.Contains(table.String(), "500 rows a second") {
			t.Errorf("%s: no rate of rows in\n%s", test.name, table.String())
		}
	}
}

// cellsOf are times in milliseconds, each twice as long in one round of three.
func cellsOf(changed, again, plainChanged, plainAgain int) cells {
	times := func(ms int) []time.Duration {
		d := time.Duration(ms) * time.Millisecond
		return []time.Duration{d, 2 * d, d}
	}
	return cells{cellTimes{times(changed), times(again)}, cellTimes{times(plainChanged), times(plainAgain)}}
}

func TestJudgeMissingBenchmark(t *testing.T) {
	quick := cellsOf(1, 1, 10, 10)
	_, err := judge([]sample{round(), round("Map/clear", "Map/erase")}, rate{1, 1}, formats{1, 1, 1, 1, 1}, builds{1, 1}, nil, quick)
	if err == nil || !strings.Contains(err.Error(), "Map/clear") {
		t.Errorf("error %v", err)
	}
	if _, err := judge(nil, rate{1, 1}, formats{1, 1, 1, 1, 1}, builds{1, 1}, nil, quick); err == nil {
		t.Error("no rounds, no error")
	}
}
