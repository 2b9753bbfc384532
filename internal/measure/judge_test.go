package main

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
)

const output = `goos: linux
pkg: example.org/a-b
BenchmarkClosedForm/exact-2                7636     40960 ns/op    10.00 ns/battle
BenchmarkClosedForm/published-2            1272    245760 ns/op    60.00 ns/battle
BenchmarkClosedForm/castle-2               1974    161095 ns/op    39.33 ns/battle
BenchmarkCountSizes/(20,_54,_16)-2          1108    422501 ns/op    40.00 ns/cell
BenchmarkCountSizes/(40,_108,_32)-2           70   4541194 ns/op    50.00 ns/cell
BenchmarkHistogram/diagonals-2              1132    300000 ns/op
BenchmarkHistogram/recursion-2                76   7500000 ns/op
BenchmarkMap/fill-2                           72   4000000 ns/op  7090.67 MB/s
BenchmarkMap/clear-2                         475    800000 ns/op  42921.07 MB/s
BenchmarkSurvey/rows-2                          54   7253511 ns/op    40.00 ns/battle
BenchmarkSurvey/plain-2                         20  17467976 ns/op    200.0 ns/battle
BenchmarkRows/rows-2                           120   1997169 ns/op    25.00 ns/battle
BenchmarkRows/plain-2                           10  21132312 ns/op    250.0 ns/battle
BenchmarkPlay/(853699,_8090,_1,_9543)/strides-2          10000     60000 ns/op
BenchmarkPlay/(853699,_8090,_1,_9543)/rounds-2             718   1200000 ns/op
BenchmarkMapSizes/side=50-2                 4473    140217 ns/op    200.0 ns/ant
BenchmarkMapSizes/side=400-2                  25   9021842 ns/op    300.0 ns/ant
BenchmarkNavalGame/fast-2                  40000      5120 ns/op
BenchmarkNavalGame/slow-2                    100   2400000 ns/op
BenchmarkSink/random_density-2             10000     14000 ns/op
BenchmarkSink/random_informed-2               30   7300000 ns/op
PASS
`

// measured returns three rounds. The benchmarks' output may be changed in the first two, and other measurements in all.
func measured(t *testing.T, change []string, other map[string]float64) series {
	t.Helper()
	s := series{}
	for round := range 3 {
		text := output
		if len(change) > 0 && round < 2 {
			text = strings.NewReplacer(change...).Replace(output)
		}
		must.Do(t, s.read(text))
		for name, value := range map[string]float64{
			"Sweep/csv sec/row": 2e-3, "Sweep/parquet sec/row": 3e-3, "Sweep/csv B/row": 100,
			"Sweep/parquet B/row": 5,
			"Report/cold sec":     5, "Report/again sec": 0.5, "Cell/changed/ours sec": 0.55,
			"Cell/changed/gonb sec": 1, "Cell/again/ours sec": 0.06, "Cell/again/gonb sec": 0.2,
		} {
			s.add(name, cmp.Or(other[name], value))
		}
		for _, work := range []string{"survey", "csv", "parquet"} {
			for kind, value := range map[string]float64{"whole": 10, "ten": 16} {
				name := "Shards/" + work + "/" + kind + " sec/battle"
				s.add(name, cmp.Or(other[name], value))
			}
		}
	}
	return s
}

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		name   string
		change []string
		other  map[string]float64
		missed string
	}{
		{"sound", nil, nil, ""},
		{"closed form", []string{"60.00", "49.00"}, nil, "closed form"},
		{"map", []string{" 4000000", " 5400000"}, nil, "a map"},
		{"survey", []string{"200.0", "179.0"}, nil, "a survey"},
		{"rows", []string{"250.0", "124.0"}, nil, "the answers of a sweep"},
		{"recursion", []string{"7500000", "5999999"}, nil, "counting the wins"},
		{"growth", []string{"50.00", "60.01"}, nil, "cost of a state"},
		{"strides", []string{"1200000", "299999"}, nil, "in strides"},
		{"ants", []string{"300.0", "400.1"}, nil, "cost of an ant"},
		{"naval", []string{"2400000", "511999"}, nil, "a naval game"},
		{"informed", []string{"7300000", "9800001"}, nil, "the informed shooter"},
		{"bytes of Parquet", nil, map[string]float64{"Sweep/parquet B/row": 5.01}, "bytes of its file"},
		{"time of Parquet", nil, map[string]float64{"Sweep/parquet sec/row": 5.01e-3}, "its time against CSV"},
		{"shards", nil, map[string]float64{"Shards/csv/ten sec/battle": 16.1}, "as CSV in ten shards"},
		{"rebuild", nil, map[string]float64{"Report/again sec": 0.501}, "report again"},
		{"a cell", nil, map[string]float64{"Cell/changed/ours sec": 0.551}, "after a change"},
		{"a cell again", nil, map[string]float64{"Cell/again/ours sec": 0.061}, "again without a change"},
	} {
		var table strings.Builder
		missed := must.Get(judge(&table, measured(t, test.change, test.other)))
		bad := ""
		for line := range strings.Lines(table.String()) {
			if strings.Contains(line, "MISSED") {
				bad += line
			}
		}
		if (missed > 0) != (test.missed != "") || missed > 1 || !strings.Contains(bad, test.missed) {
			t.Errorf("%s: %d missed\n%s", test.name, missed, table.String())
		}
		if !strings.Contains(table.String(), "2.000m sec/row") {
			t.Errorf("%s: no time of a row in\n%s", test.name, table.String())
		}
	}
}

// TestOneBadRound: the median over the rounds decides.
func TestOneBadRound(t *testing.T) {
	s := measured(t, nil, nil)
	s["ClosedForm/published sec/battle"][1] = 9e-9
	if missed, err := judge(io.Discard, s); missed != 0 || err != nil {
		t.Error(missed, err)
	}
}

func TestJudgeMissing(t *testing.T) {
	s := measured(t, nil, nil)
	delete(s, "Map/clear sec/op")
	if _, err := judge(io.Discard, s); err == nil || !strings.Contains(err.Error(), "Map/clear") {
		t.Errorf("error %v", err)
	}
	if _, err := judge(io.Discard, series{}); err == nil {
		t.Error("no rounds, no error")
	}
}

// TestSameOutputs: what makes cells fast changes no byte of what they show. Each notebook is run by the kernel as it is
// installed, and by gonb alone with Go as it is by default.
func TestSameOutputs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all notebooks twice; leave out -short")
	}
	spec := must.Get(jupyter.Setup(t.Context(), jupyter.SetupOptions{
		Repo: "../..", Dir: filepath.Join(t.TempDir(), "kernels", jupyter.ProjectKernel),
		Imports: []string{"./notebooks/..."},
	}))
	plain := must.Get(plainGonb(spec))
	files, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no notebooks, error %v", err)
	}
	for _, file := range files {
		n := must.Get(jupyter.Read(file))
		var executed [2][]byte
		for i, spec := range []jupyter.Kernelspec{spec, plain} {
			run, err := jupyter.Run(t.Context(), n, jupyter.RunOptions{Kernel: spec, Dir: "../../notebooks"})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			executed[i] = run.Bytes()
		}
		if !bytes.Equal(executed[0], executed[1]) {
			t.Errorf("%s: other outputs than those of gonb alone", file)
		}
	}
}
