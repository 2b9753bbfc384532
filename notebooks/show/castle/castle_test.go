package castle

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// TestPlane: the ranges are those of the text.
func TestPlane(t *testing.T) {
	p, battles := Plane(7, "3:20", "2:15"), 0
	for b := range p.Battles() {
		if want := (game.Battle{Soldiers: 7, CastleHits: int64(3 + battles%18), DefendersPerWave: int64(2 + battles/18)}); b != want {
			t.Fatalf("battle %d: %v, want %v", battles, b, want)
		}
		battles++
	}
	if battles != 18*14 {
		t.Errorf("%d battles", battles)
	}
}

func TestBadRanges(t *testing.T) {
	for _, test := range []struct {
		n    int64
		s, d string
		want string
	}{
		{0, "1:5", "1:5", "soldiers = 0"},
		{5, "5:1", "1:5", "castle hits: "},
		{5, "1:5", "0:5", "defenders per wave: "},
		{5, "1:5000", "1:5", "at most 4096"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, test.want) {
					t.Errorf("%v panics with %q, want %q", test, got, test.want)
				}
			}()
			Plane(test.n, test.s, test.d)
		}()
	}
}
