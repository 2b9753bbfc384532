package main

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// output is the output of a run of go test.
const output = `goos: linux
pkg: example.org/a-b
BenchmarkCountSizes/(20,_54,_16)-2          1108    422501 ns/op    40.00 ns/cell
BenchmarkMap/fill-2                           72   4000000 ns/op  7090.67 MB/s
PASS
`

func TestRead(t *testing.T) {
	s := series{}
	must.Do(t, s.read(output), s.read(output))
	for name, want := range map[string]float64{
		"CountSizes/(20,_54,_16) sec/cell": 40e-9, "CountSizes/(20,_54,_16) sec/op": 422501e-9, "Map/fill sec/op": 4e-3,
	} {
		if got := s[name]; len(got) != 2 || math.Abs(got[0]-want) > 1e-15 || got[1] != got[0] {
			t.Errorf("%s: %v, want twice %v", name, got, want)
		}
	}
}

// atBars returns three rounds of measurements. In each round, all claims except the claim near exceed their bars. The
// claim near barely reaches its bar; if missed is true, it misses its bar in two of the rounds.
func atBars(near int, missed bool) series {
	s := series{}
	for range 3 {
		for i, c := range claims {
			ours, other := 1e-9, c.bar*1e-9
			if c.atMost {
				ours, other = other, ours
			}
			switch {
			case i != near:
				other *= 2
			case missed && len(s[c.ours]) < 2:
				ours *= 1.001
			default:
				ours *= 0.999
			}
			s.add(c.ours, ours)
			s.add(c.other, other)
		}
	}
	return s
}

// TestJudge checks that judge compares the median over each claim's rounds with that claim's own bar.
func TestJudge(t *testing.T) {
	for i, c := range claims {
		var table strings.Builder
		if missed := must.Get(judge(&table, atBars(i, false))); missed != 0 {
			t.Errorf("%s: %d missed\n%s", c.what, missed, table.String())
		}
		table.Reset()
		missed := must.Get(judge(&table, atBars(i, true)))
		row := strings.Split(table.String(), "\n")[i]
		if missed != 1 || !strings.HasPrefix(row, c.what) || !strings.Contains(row, "MISSED") ||
			!strings.Contains(row, " "+c.ours[strings.LastIndexByte(c.ours, ' ')+1:]+", other ") {
			t.Errorf("%s: %d missed\n%s", c.what, missed, table.String())
		}
	}
}

func TestJudgeMissing(t *testing.T) {
	s := atBars(0, false)
	delete(s, "Map/clear sec/op")
	_, err := judge(io.Discard, s)
	must.ErrorContains(t, err, "Map/clear")
	if _, err := judge(io.Discard, series{}); err == nil {
		t.Error("no rounds, no error")
	}
}
