package castle

import (
	"context"
	"errors"
	"math"
	"math/big"
	"testing"
)

// The counts of design are those of the float64 expression over n <= 30, s <= 100, d <= 60: how often its k is not the
// exact one, by case. q is off by nothing there.
func TestPublishedHazard(t *testing.T) {
	total, off := map[Case]int{}, map[Case]int{}
	for n := int64(1); n <= 30; n++ {
		for s := int64(1); s <= 100; s++ {
			for d := int64(1); d <= 60; d++ {
				b := Battle{n, s, d}
				solution := b.Solve()
				if solution.Case != Case2a && solution.Case != Case2b {
					continue
				}
				total[solution.Case]++
				k, _ := cleanup(n, solution.DefendersLeft)
				x := float64(s - n - (solution.FallWave-1)*(n-d))
				if math.Max(0, publishedK(float64(n), x)) != float64(k) {
					off[solution.Case]++
				}
			}
		}
	}
	if total[Case2a] != 34510 || total[Case2b] != 1797 {
		t.Errorf("%d triples of case 2a, %d of 2b, want 34510 and 1797", total[Case2a], total[Case2b])
	}
	if off[Case2a] != 626 || off[Case2b] != 113 {
		t.Errorf("k is off on %d triples of case 2a and %d of 2b, want 626 and 113", off[Case2a], off[Case2b])
	}
}

func TestPublishedCases(t *testing.T) {
	for _, c := range []struct {
		b     Battle
		waves float64
		c     Case
		ok    bool
	}{
		{Battle{10, 10, 99}, 1, Case1, true},
		{Battle{10, 43, 8}, 15, Case2a, true}, // one wave short of 16
		{Battle{10, 11, 15}, 5, Case2b, true}, // rounding: exact is 4
		{Battle{3820, 5000, 5000}, 7, Case2b, true},
		{Battle{3819, 5000, 5000}, 0, Case2c, false},
		{Battle{5, 10, 5}, 0, Case2d, false},
	} {
		waves, kind, ok := c.b.Published()
		if waves != c.waves || kind != c.c || ok != c.ok {
			t.Errorf("Published(%v) = %v, %v, %v, want %v, %v, %v", c.b, waves, kind, ok, c.waves, c.c, c.ok)
		}
	}
	// Never a panic, never an infinite number passed on.
	for _, b := range []Battle{
		{math.MaxInt64, math.MaxInt64, 1},
		{2, math.MaxInt64, 1},
		{1, 1, 1},
		{math.MaxInt64 - 1, math.MaxInt64, math.MaxInt64},
	} {
		if waves, _, ok := b.Published(); ok && (math.IsNaN(waves) || math.IsInf(waves, 0)) {
			t.Errorf("Published(%v) = %v", b, waves)
		}
	}
}

// TestOperations compares the counted operations of all algorithms together with those of each, and with a walk through
// all paths.
func TestOperations(t *testing.T) {
	for _, b := range []Battle{{1, 1, 1}, {3, 5, 2}, {5, 12, 4}, {6, 14, 9}, {4, 9, 4}, {10, 25, 8}} {
		together, err := b.Operations(t.Context(), Algorithms())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range Algorithms() {
			if a.Cost.Count == nil {
				if together[a.Name] != nil {
					t.Errorf("%v: %s has %v operations, but no count", b, a.Name, together[a.Name])
				}
				continue
			}
			alone, err := a.Cost.Count(t.Context(), b)
			if err != nil || together[a.Name] == nil || together[a.Name].Cmp(alone) != 0 {
				t.Errorf("%v: %s has %v operations, alone %v, %v", b, a.Name, together[a.Name], alone, err)
			}
		}
		if want := countStanding(b, b.Start()); b.CastleHits > b.Soldiers &&
			together["search"].Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%v: a search passes through %v moments, walking finds %d", b, together["search"], want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Battle{20, 50, 16}).Operations(ctx, Algorithms()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var memory *OutOfMemoryError
	if _, err := (Battle{1 << 40, 1 << 42, 5}).Operations(t.Context(), AlgorithmsOf(Check)); !errors.As(err, &memory) {
		t.Errorf("too large to count: %v", err)
	}
}

// countStanding walks all paths and counts the moments with a standing castle.
func countStanding(b Battle, s State) int64 {
	total := int64(1)
	low, high := s.Moves()
	for move := low; move <= high; move++ {
		if next, winner := b.Step(s, move); winner == Undecided && next.CastleHits > 0 {
			total += countStanding(b, next)
		}
	}
	return total
}

// TestExtraWaves: no answer but one that is TooMany has any.
func TestExtraWaves(t *testing.T) {
	for _, c := range []struct {
		answer       Answer
		fewest, want int64
	}{
		{Answer{Winner: Soldiers, Waves: 7}, 5, 2},
		{Answer{Winner: Soldiers, Waves: 5}, 5, 0},
		{Answer{Winner: Soldiers, Waves: 4}, 5, 0},
		{Answer{Winner: Soldiers, Waves: 4}, 0, 0},
		{Answer{Winner: Soldiers, InFloat: 6}, 5, 1},
		{Answer{Winner: Castle, Waves: 9}, 5, 0},
		{Answer{Winner: Tie, Waves: 9}, 0, 0},
		{Answer{}, 3, 0},
	} {
		if got := c.answer.ExtraWaves(c.fewest); got != c.want {
			t.Errorf("%+v where %d are the fewest: %d more, want %d", c.answer, c.fewest, got, c.want)
		}
	}
}
