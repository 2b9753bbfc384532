package main

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/siegebook/siegebook/analysis/naval"
)

// TestMeasureIsTheLibrarys: the JSON is what the library reads and writes, the same on any number of cores, and its
// sums are those of naval.Measure.
func TestMeasureIsTheLibrarys(t *testing.T) {
	seen := map[string]bool{}
	for _, procs := range []int{1, 2, 5} {
		previous := runtime.GOMAXPROCS(procs)
		seen[mustRun(t, "", "measure", "naval", "--fleets", "300", "--seed", "7", "--json")] = true
		runtime.GOMAXPROCS(previous)
	}
	if len(seen) != 1 {
		t.Fatalf("%d different outputs", len(seen))
	}
	for text := range seen {
		var m naval.Measurement
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Fleets != 300 || m.Seed != 7 || len(m.Placements) != len(naval.Placements()) {
			t.Fatalf("%v, %+v", err, m)
		}
		for _, tally := range m.Tallies {
			want, err := naval.Measure(t.Context(), tally.Strategy, tally.Placement, 300, 7, naval.Options{})
			if err != nil || tally.Sample() != want {
				t.Errorf("%v against %v: %+v, want %+v, %v", tally.Strategy, tally.Placement, tally.Sample(), want, err)
			}
		}
	}
}

// TestMeasureInterrupted: a measurement of many hours ends at once, and leaves not even half of an answer.
func TestMeasureInterrupted(t *testing.T) {
	for _, asJSON := range []string{"--json=false", "--json"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		code, stdout, stderr := siegebook(ctx, "", "measure", "naval", "--strategies", "all", "--fleets", "1000000000", asJSON)
		if code != exitFailed || stdout != "" || stderr != interruptedLine {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", asJSON, code, stdout, stderr)
		}
	}
}
