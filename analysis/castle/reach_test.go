package castle

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestReach: what the soldiers can reach comes first and alone, also where the castle could win faster with their help.
func TestReach(t *testing.T) {
	const most = math.MaxInt64
	for b, want := range map[Battle]struct{ reach, helped string }{
		{19, 50, 15}:           {"soldiers in 8 waves", "the castle could win in wave 3."},
		{8, 3, 20}:             {"soldiers in 1 wave", "the castle could not win."},
		{100, 211, 121}:        {"castle: the soldiers hold out until wave 4 at most", "the castle could win in wave 2."},
		{100, 162, 100}:        {"tie", "the castle could win in wave 3."},
		{most, most, 1}:        {"soldiers in 1 wave", "the castle could not win."},
		{most / 2, most, most}: {"castle: the soldiers hold out until wave 2 at most", "the castle could win in wave 2."},
	} {
		if reach, helped := b.Reach(), b.HelpedWin(); reach != want.reach || !strings.HasSuffix(helped, want.helped) {
			t.Errorf("%v: %q %q, want %+v", b, reach, helped, want)
		}
	}
}

// TestReachIsSolve: the words are those of the numbers, over a range.
func TestReachIsSolve(t *testing.T) {
	for n := int64(1); n <= 12; n++ {
		for s := int64(1); s <= 40; s++ {
			for d := int64(1); d <= 25; d++ {
				b, want := Battle{n, s, d}, "tie"
				switch solution := b.Solve(); solution.Winner {
				case Soldiers:
					want = fmt.Sprintf("soldiers in %d waves", solution.MinWaves)
					if solution.MinWaves == 1 {
						want = "soldiers in 1 wave"
					}
				case Castle:
					want = fmt.Sprintf("castle: the soldiers hold out until wave %d at most",
						b.Play(b.LongestResistance().Strategy()).Waves)
				}
				if got := b.Reach(); got != want {
					t.Fatalf("%v: %q, want %q", b, got, want)
				}
			}
		}
	}
}
