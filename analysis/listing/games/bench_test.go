//go:build unix

package games

import (
	"path"
	"testing"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
)

// BenchmarkPrograms plays harmless programs: the limits on calls must not make them slow.
func BenchmarkPrograms(b *testing.B) {
	cases := map[string][]grid.Range{
		"castle": {{First: 10, Last: 14}, {First: 20, Last: 29}, {First: 6, Last: 9}},
		"tower":  {{First: 20, Last: 24}, {First: 3, Last: 4}, {First: 1, Last: 2}, {First: 4, Last: 6}},
		"ants":   {{First: 2, Last: 2}, {First: 3, Last: 3}, {First: 2, Last: 2}, {First: 5, Last: 5}},
		"naval":  {{First: 1, Last: 1}},
	}
	for _, file := range []string{
		"ants/closest.star", "ants/damage.star", "ants/focus.star", "castle/castle-first.star", "castle/few-left.star",
		"naval/apart.star", "naval/chequer.star", "naval/density.star", "naval/proper.star", "tower/even.star",
		"tower/fewest.star", "tower/greedy.star", "tower/halves.star",
	} {
		b.Run(file, func(b *testing.B) {
			game := gameNamed(path.Dir(file))
			grid := product(cases[game.Name])
			start := must.CPU()
			for b.Loop() {
				judge, tally := game.Own(ofGame(file)), listing.Tally{}
				for _, at := range grid {
					if err := judge(b.Context(), at, &tally); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(must.CPU()-start)/float64(b.N), "cpu-ns/op")
		})
	}
}
