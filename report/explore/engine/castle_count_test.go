package engine_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/explore/engine"
)

// TestCount compares the text of counts with the library's, in both conventions.
func TestCount(t *testing.T) {
	battles := []castle.Battle{{Soldiers: 19, CastleHits: 50, DefendersPerWave: 15}, {Soldiers: 60, CastleHits: 150, DefendersPerWave: 50}, {Soldiers: 150, CastleHits: 450, DefendersPerWave: 75}}
	for n := int64(1); n <= 8; n++ {
		for s := int64(1); s <= 30; s++ {
			for d := int64(1); d <= 12; d++ {
				battles = append(battles, castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d})
			}
		}
	}
	for _, b := range battles {
		for i, convention := range castle.Conventions() {
			want, err := b.Count(t.Context(), castle.CountOptions{Convention: convention})
			if err != nil {
				t.Fatal(err)
			}
			r := mustCall(t, "castle.count", b.Soldiers, b.CastleHits, b.DefendersPerWave, int64(i))
			lines := strings.Split(r.Text, "\n")
			totals := fmt.Sprintf("%v\n%v\n%v", want.Soldiers.Total(), want.Castle.Total(), want.Ties)
			if strings.Join(lines[:3], "\n") != totals || r.Ints[0] != want.Cells {
				t.Fatalf("%v, %v: %q and %v, want %q", b, convention, lines[:3], r.Ints, totals)
			}
			soldiers, side, before := byWave(want.Soldiers), byWave(want.Castle), int64(0)
			for _, line := range lines[3:] {
				var wave int64
				var ways, sideWays string
				if _, err := fmt.Sscan(line, &wave, &ways, &sideWays); err != nil || wave <= before {
					t.Fatalf("%v: line %q after wave %d: %v", b, line, before, err)
				}
				if ways != text(soldiers[wave]) || sideWays != text(side[wave]) {
					t.Fatalf("%v, %v: %q, want %v and %v", b, convention, line, soldiers[wave], side[wave])
				}
				delete(soldiers, wave)
				delete(side, wave)
				before = wave
			}
			if len(soldiers)+len(side) > 0 {
				t.Fatalf("%v, %v: waves %v and %v are missing", b, convention, soldiers, side)
			}
		}
	}
}

func byWave(h castle.Histogram) map[int64]*big.Int {
	m := map[int64]*big.Int{}
	for _, count := range h {
		m[count.Wave] = count.Ways
	}
	return m
}

func text(ways *big.Int) string {
	if ways == nil {
		return "0"
	}
	return ways.String()
}

// TestCountRefuses: what takes too long, too much memory or too many waves is refused in words that name the battle and
// the bound, and the same for every reader.
func TestCountRefuses(t *testing.T) {
	for _, c := range []struct {
		args []int64
		want string
	}{
		{[]int64{1 << 40, 1 << 41, 5, 0}, "castle hits = 2199023255552"},
		{[]int64{40000, 41000, 50, 0}, "(40000, 41000, 50): counting it may take"},
		{[]int64{30, 2000, 20, 0}, "(30, 2000, 20): counting it takes more than 9000000 table cells"},
		{[]int64{10, 20, 5, 2}, "convention 2: there are 2, use 0 to 1"},
		{[]int64{10, 20, 5, -1}, "convention -1"},
		{[]int64{0, 20, 5, 0}, "soldiers = 0"},
	} {
		if _, err := engine.Call("castle.count", c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
}
