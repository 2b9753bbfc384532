package recorded

import (
	"flag"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/must"
)

var update = flag.Bool("update", false, "measure anew, for many minutes, and write data.txt")

func measure(t *testing.T, s naval.Strategy, p naval.Placement, fleets int, seed uint64) naval.Sample {
	t.Helper()
	return must.Get(naval.Measure(t.Context(), s, p, fleets, seed, naval.Options{}))
}

// TestMeasured recomputes the heads of all recorded measurements, and some measurements completely.
func TestMeasured(t *testing.T) {
	if *update {
		record(t)
		return
	}
	posts := len(naval.PostPlacements())
	checkMeasured(t, Measured(), posts*len(naval.Contenders()), MeasuredSeed)
	checkMeasured(t, Confirmed(), posts*len(finalists()), ConfirmedSeed)
	checkMeasured(t, Even(), len(finalists()), MeasuredSeed)
}

func checkMeasured(t *testing.T, list []Measurement, want int, seed uint64) {
	t.Helper()
	if len(list) != want {
		t.Fatalf("%d measurements", len(list))
	}
	for i, m := range list {
		if m.Strategy.Targeting == naval.Informed && m.Placement%3 != 0 && testing.Short() {
			continue
		}
		if head := measure(t, m.Strategy, m.Placement, Head, seed); head != m.Head {
			t.Errorf("%v against %v: head %+v, recorded %+v", m.Strategy, m.Placement, head, m.Head)
		}
		if m.Strategy.Targeting != naval.Informed && i%7 == 0 && !testing.Short() {
			if all := measure(t, m.Strategy, m.Placement, Fleets, seed); all != m.All {
				t.Errorf("%v against %v: %+v, recorded %+v", m.Strategy, m.Placement, all, m.All)
			}
		}
	}
}

func record(t *testing.T) {
	var text strings.Builder
	for _, list := range []struct {
		name       string
		strategies []naval.Strategy
		placements []naval.Placement
		seed       uint64
	}{
		{"measured", naval.Contenders(), naval.PostPlacements(), MeasuredSeed},
		{"confirmed", finalists(), naval.PostPlacements(), ConfirmedSeed},
		{"even", finalists(), []naval.Placement{naval.Uniform}, MeasuredSeed},
	} {
		fmt.Fprintf(&text, "# %s\n", list.name)
		for _, s := range list.strategies {
			for _, p := range list.placements {
				all, head := measure(t, s, p, Fleets, list.seed), measure(t, s, p, Head, list.seed)
				fmt.Fprintln(&text, all.Shots, all.Squares, head.Shots, head.Squares)
				t.Logf("%v %v: %.2f +- %.2f", s, p, all.Mean(), all.Margin())
			}
		}
	}
	fmt.Fprintf(&text, "# classic\n%v\n", classicBound(t))
	must.Write(t, "data.txt", []byte(text.String()))
}

func classicBound(t *testing.T) *big.Rat {
	t.Helper()
	return must.Get(naval.TouchingShotsBound(t.Context(), naval.Side, naval.Side, naval.Classic.Lengths()))
}

// TestClassicBound recomputes the recorded bound.
func TestClassicBound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes many seconds")
	}
	if got := classicBound(t); got.Cmp(ClassicBound()) != 0 {
		t.Errorf("%v, recorded %v", got, ClassicBound())
	}
}
