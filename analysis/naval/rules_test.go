package naval

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/totalstest"
)

// mustPart returns the measurement with the totals of all its games.
func mustPart(t *testing.T, m Measurement) Measurement {
	t.Helper()
	size, err := m.Size()
	if err == nil {
		m.Totals, err = m.Part(t.Context(), grid.Block{Size: size}, Options{Workers: 2})
	}
	must.Do(t, err)
	return m
}

// TestClassicShotForShot compares games of the classic fleet with games that are played one by one, slowly. The
// checksum reveals how many shots each fleet took.
func TestClassicShotForShot(t *testing.T) {
	const fleets, seed = 12, 3
	strategies := slices.DeleteFunc(Classic.Strategies(), func(s Strategy) bool { return s.Targeting == Informed })
	strategies = append(strategies, Strategy{Random, Density, false})
	slices.SortFunc(strategies, Strategy.compare)
	want := naiveMeasurement(Classic, Classic.Placements(), strategies, fleets, seed)
	got := mustPart(t, Measurement{
		Placements: want.Placements, Strategies: strategies, Fleets: fleets, Seed: seed, Totals: Totals{Rules: Classic},
	})
	totalstest.Same(t, want, got)
	totalstest.RoundTrip(t, got)
	if text := totalstest.Text(got); !strings.HasPrefix(text, `{"fleet":"classic","placements":["any`) {
		t.Error(text)
	}
}

// TestRulesRefuse checks that an error has one line, both for settings that the classic rules do not have and for
// totals that cannot be added.
func TestRulesRefuse(t *testing.T) {
	density := Strategy{Random, Density, true}
	measurement := func(r Rules, p Placement, s Strategy) error {
		_, err := Measurement{
			Placements: []Placement{p}, Strategies: []Strategy{s}, Fleets: 1, Totals: Totals{Rules: r},
		}.Size()
		return err
	}
	played := mustMeasure([]Placement{Anywhere}, []Strategy{density}, 1, 1, Options{}).Totals
	other := mustPart(t, Measurement{
		Placements: []Placement{Anywhere}, Strategies: []Strategy{density}, Fleets: 1, Totals: Totals{Rules: Classic},
	}).Totals
	for _, test := range []struct {
		err  error
		want string
	}{
		{measurement(Classic, Left, density), "placement left: regions are for ships of one deck, which the classic " +
			"fleet lacks: use anywhere"},
		{measurement(Classic, Anywhere, Strategy{Linear, AsDescribed, true}), "strategy linear-as_described: this " +
			"strategy needs ships that do not touch: for the classic fleet, use linear-proper"},
		{measurement(9, Anywhere, density), "Rules(9): unknown fleet, use one of post, classic"},
		{played.Add(other), "games with the post fleet and games with the classic fleet cannot be added up: keep " +
			"them apart"},
	} {
		must.ErrorContains(t, test.err, test.want)
	}
	if sum := (Totals{}); sum.Add(other) != nil || sum.Rules != Classic || sum.Add(Totals{}) != nil ||
		!cmp.Equal(sum, other) {
		t.Errorf("%+v, want %+v", sum, other)
	}
}

// TestRules checks the numbers of each fleet, and compares the mean of blind shooting with a sum over the
// probabilities of all numbers of shots.
func TestRules(t *testing.T) {
	for _, r := range AllRules() {
		want, decks := naiveLengths(r), 0
		for _, d := range want {
			decks += d
		}
		if got := r.Lengths(); !slices.Equal(got, want) || int(r.row().ships) != len(want) || r.row().decks != decks {
			t.Errorf("%v: ships %v, %+v", r, got, r.row())
		}
		// The probability that all decks are among the first shots cells is the product of (shots-i)/(100-i).
		mean := 0.0
		for shots := range boardCells {
			all := 1.0
			for i := range decks {
				all *= max(0, float64(shots-i)) / float64(boardCells-i)
			}
			mean += 1 - all
		}
		if got := r.BlindMean(); got < mean-1e-9 || got > mean+1e-9 {
			t.Errorf("%v: blind shooting takes %v shots, want %v", r, got, mean)
		}
	}
}

// TestNoShip checks that an invalid ship has no cells, and that a fleet of such ships has no cells either.
func TestNoShip(t *testing.T) {
	for _, s := range must.Table[Ship](t, tables, "TestNoShip") {
		if s.Cells() != (Cells{}) || s.Zone() != (Cells{}) {
			t.Errorf("%+v: cells %v, zone %v", s, s.Cells().Count(), s.Zone().Count())
		}
	}
	if n := new(Fleet).Cells().Count(); n != 0 {
		t.Errorf("an empty fleet has %d cells", n)
	}
}

// TestStreams checks that streams of neighbouring numbers, seeds and purposes differ.
func TestStreams(t *testing.T) {
	seen := map[uint64]bool{}
	var c chance
	for seed := range uint64(20) {
		for purpose := range uint64(20) {
			for number := range uint64(20) {
				c.restart(seed, purpose, number)
				first := c.Uint64()
				if seen[first] {
					t.Fatalf("the stream of %d, %d, %d begins like another", seed, purpose, number)
				}
				seen[first] = true
			}
		}
	}
	// Neighbouring streams differ in about half of their bits.
	differ := 0
	for number := range uint64(1000) {
		var d chance
		c.restart(1, 1, number)
		d.restart(1, 1, number+1)
		differ += Cells{lo: c.Uint64() ^ d.Uint64()}.Count()
	}
	if differ < 31_000 || differ > 33_000 {
		t.Errorf("%d of 64000 bits differ", differ)
	}
}

// FuzzNthBit compares the n-th set bit with a loop over the bits.
func FuzzNthBit(f *testing.F) {
	f.Add(uint64(1), uint64(0))
	f.Add(uint64(1)<<63, uint64(0))
	f.Add(^uint64(0), ^uint64(0))
	f.Add(uint64(0x8000000080000001), uint64(5))
	f.Fuzz(func(t *testing.T, lo, hi uint64) {
		s := Cells{lo, hi}
		k := 0
		for bit := range Cell(128) {
			if word := [2]uint64{lo, hi}[bit/64]; word>>(bit%64)&1 == 0 {
				continue
			}
			if got := s.nth(k); got != bit {
				t.Fatalf("bit %d of %x is %d, want %d", k, s, got, bit)
			}
			k++
		}
		if s.Count() != k {
			t.Fatalf("%d bits, want %d", s.Count(), k)
		}
	})
}
