package naval

import (
	"flag"
	"fmt"
	"go/format"
	"os"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "measure anew, for many minutes, and write measured_data.go")

func measure(t *testing.T, s Strategy, p Placement, fleets int, seed uint64) Sample {
	t.Helper()
	sample, err := Measure(t.Context(), s, p, fleets, seed, runtime.GOMAXPROCS(0))
	if err != nil {
		t.Fatal(err)
	}
	return sample
}

// TestMeasured computes the heads of all recorded measurements again, and some in full.
func TestMeasured(t *testing.T) {
	if *update {
		record(t)
		return
	}
	checkMeasured(t, Measured(), Contenders(), MeasuredSeed)
	checkMeasured(t, Confirmed(), finalists(), ConfirmedSeed)
}

func checkMeasured(t *testing.T, list []Measurement, strategies []Strategy, seed uint64) {
	t.Helper()
	if len(list) != len(strategies)*len(Placements()) {
		t.Fatalf("%d measurements", len(list))
	}
	for i, m := range list {
		if m.Strategy != strategies[i/ofThePost] || m.Placement != Placements()[i%ofThePost] {
			t.Errorf("number %d is %v against %v", i, m.Strategy, m.Placement)
		}
		if m.All.Fleets != MeasuredFleets {
			t.Errorf("%v against %v: %d fleets", m.Strategy, m.Placement, m.All.Fleets)
		}
		if m.Strategy.Targeting == Informed && m.Placement%3 != 0 && testing.Short() {
			continue
		}
		if head := measure(t, m.Strategy, m.Placement, MeasuredHead, seed); head != m.Head {
			t.Errorf("%v against %v: head %+v, recorded %+v", m.Strategy, m.Placement, head, m.Head)
		}
		if m.Strategy.Targeting != Informed && i%7 == 0 && !testing.Short() {
			if all := measure(t, m.Strategy, m.Placement, MeasuredFleets, seed); all != m.All {
				t.Errorf("%v against %v: %+v, recorded %+v", m.Strategy, m.Placement, all, m.All)
			}
		}
	}
}

func record(t *testing.T) {
	var text strings.Builder
	text.WriteString("package naval\n\n// Written by go test -run TestMeasured -update, see measured.go.\n")
	for _, list := range []struct {
		name       string
		strategies []Strategy
		seed       uint64
	}{{"measured", Contenders(), MeasuredSeed}, {"confirmed", finalists(), ConfirmedSeed}} {
		fmt.Fprintf(&text, "var %s = []Measurement{\n", list.name)
		for _, s := range list.strategies {
			for _, p := range Placements() {
				all, head := measure(t, s, p, MeasuredFleets, list.seed), measure(t, s, p, MeasuredHead, list.seed)
				fmt.Fprintf(&text, "\t{Strategy{%d, %d, %t}, %d, Sample{%d, %d, %d}, Sample{%d, %d, %d}},\n", s.Moves, s.Targeting, s.Halo, p,
					all.Fleets, all.Shots, all.Squares, head.Fleets, head.Shots, head.Squares)
				t.Logf("%v %v: %.2f +- %.2f", s, p, all.Mean(), all.Margin())
			}
		}
		text.WriteString("}\n\n")
	}
	source, err := format.Source([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("measured_data.go", source, 0o644); err != nil {
		t.Fatal(err)
	}
}
