package main

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
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
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Fleets != 300 || m.Seed != 7 ||
			len(m.Placements) != len(naval.Placements()) {
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

// TestMeasuredBytes: what a dry run says of the output is right to a third.
func TestMeasuredBytes(t *testing.T) {
	for _, args := range []string{
		"--fleets 1", "--fleets 20 --placements left,36", "--fleets 2000",
		"--fleets 30000 --strategies random-as_described --placements top",
	} {
		call := append([]string{"measure", "naval", "--json"}, strings.Fields(args)...)
		var estimate struct {
			Size  int64
			Bytes int `json:"output_bytes"`
		}
		if err := json.Unmarshal([]byte(mustRun(t, "", append(call, "--dry-run")...)), &estimate); err != nil {
			t.Fatal(err)
		}
		text := mustRun(t, "", call...)
		var m naval.Measurement
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Games() != estimate.Size ||
			3*len(text) < 2*estimate.Bytes || 2*len(text) > 3*estimate.Bytes {
			t.Errorf("%s: %d bytes of %d games, estimated %+v; %v", args, len(text), m.Games(), estimate, err)
		}
	}
}

// TestMeasureInterrupted: a measurement of many hours ends at once, and leaves not even half of an answer.
func TestMeasureInterrupted(t *testing.T) {
	for _, asJSON := range []string{"--json=false", "--json"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		code, stdout, stderr := siegebook(ctx, "", "measure", "naval", "--strategies", "all", "--fleets", "1000000000",
			asJSON)
		if code != exitFailed || stdout != "" || stderr != interruptedLine {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", asJSON, code, stdout, stderr)
		}
	}
}
