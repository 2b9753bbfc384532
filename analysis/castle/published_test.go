package castle

import (
	"math"
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
