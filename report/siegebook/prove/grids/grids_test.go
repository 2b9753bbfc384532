package grids

import (
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
)

// TestSums compares checksums with sums over a few battles, computed one by one and in a different order.
func TestSums(t *testing.T) {
	var soldiers, castles castle.Checksum
	for _, s := range []int64{3, 1, 2} {
		for _, n := range []int64{2, 1} {
			b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: 1}
			soldiers.Add(b, b.MinWaves())
			castles.Add(b, b.CastleMinWaves())
		}
	}
	g := Grid{N: 2, S: 3, D: 1}
	if got, err := surveyed(t.Context(), g); err != nil || got != soldiers {
		t.Errorf("the soldiers' checksum is %v, want %v; %v", got, soldiers, err)
	}
	if got, err := castleSide(t.Context(), g); err != nil || got != castles || castles == soldiers {
		t.Errorf("the castle's checksum is %v, want %v; %v", got, castles, err)
	}
}
