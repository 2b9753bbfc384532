package naval

import (
	"math"
	"testing"
)

// seven are the placements of the post's third update, where for the first time there are several in one tournament.
var seven = []Placement{Left, Right, Top, Bottom, Square36, CenterVertical, CenterHorizontal}

// TestRedraw: players are drawn in proportion to the share of attempts that give a fleet, and all alike without Redraw.
func TestRedraw(t *testing.T) {
	const n = 20_000
	all := 0.0
	for _, p := range seven {
		all += p.FleetRate(n, 5)
	}
	for _, redraw := range []bool{false, true} {
		count := map[Placement]float64{}
		for _, p := range (Tournament{Placements: seven, Redraw: redraw, Seed: 3}).draw(n) {
			count[p]++
		}
		for _, p := range seven {
			want := 1 / float64(len(seven))
			if redraw {
				want = p.FleetRate(n, 5) / all
			}
			if got := count[p] / n; math.Abs(got-want) > 5*math.Sqrt(want/n) {
				t.Errorf("redraw %v: %v %.4f, want %.4f", redraw, p, got, want)
			}
		}
	}
	if rate := Left.FleetRate(n, 5); math.Abs(rate-1/attempts[Left]) > 0.02 {
		t.Errorf("left: %v", rate)
	}
}

// TestAsDescribed: shooting as the text says needs fewer moves than the program: 52.5 against 58.9 in the square of 36.
func TestAsDescribed(t *testing.T) {
	s, err := Tournament{
		Players: 1 << 14, Placements: []Placement{Square36}, Moves: []Moves{Random},
		Targeting: AsDescribed, Halo: true,
	}.Play(t.Context(), Options{Workers: 2})
	if err != nil || math.Abs(s.MeanMoves()-52.5) > 0.3 {
		t.Errorf("%.2f moves, %v", s.MeanMoves(), err)
	}
}
