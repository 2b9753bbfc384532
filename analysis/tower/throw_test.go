package tower

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRandomAims: battles that are thrown round by round are won as often as the chain says; at this seed the interval
// has the truth.
func TestRandomAims(t *testing.T) {
	const battles = 20_000
	for _, b := range []Battle{{10, 6, 8, 2}, {17, 6, 2, 5}, {13, 2, 3, 8}} {
		for _, reading := range Readings() {
			random := rand.New(rand.NewPCG(1, 2))
			wins := int64(0)
			for range battles {
				var last Round
				for last = range b.RoundsFrom(b.Start(), func(s State) []Aim { return reading.Aims(s, random) }) {
				}
				if last.Winner == Soldiers {
					wins++
				}
			}
			low, high := clopperPearson(wins, battles, 1e-6)
			if p := mustRandom(t, b, reading, RandomOptions{}).Win.Float; p < low || p > high {
				t.Errorf("%v %v: %d of %d battles are won, the probability is %v", b, reading, wins, battles, p)
			}
		}
	}
}

// TestRandomAimsWasteNothing: one after the other, nobody fires at a tower that has fallen while another stands.
func TestRandomAimsWasteNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	s := State{Soldiers: 12, Groups: []Group{{2, 5}, {3, 2}}}
	for range 1000 {
		aims := Sequential.Aims(s, random)
		if slices.ContainsFunc(aims, func(a Aim) bool { return a.Shots > a.Hits }) {
			t.Fatalf("a shot is wasted: %+v", aims)
		}
	}
}
