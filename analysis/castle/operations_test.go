package castle

import (
	"context"
	"errors"
	"math/big"
	"testing"
)

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
		if want := countStanding(b, b.Start()); b.CastleHits > b.Soldiers && together["search"].Cmp(big.NewInt(want)) != 0 {
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
