package castle

import (
	"slices"
	"testing"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
)

// benchmarkGrid takes the battles of the grid s <= 4096, d <= 2048 at n = 1000 in the order of a sweep, a row of 4096
// at a time: the loop of a benchmark takes as long as a battle does.
func benchmarkGrid(b *testing.B, f func(Battle) int64) {
	const n, row = 1000, 4096
	i, sum := int64(0), int64(0)
	for b.Loop() {
		for s := range int64(row) {
			sum += f(Battle{n, s + 1, i&2047 + 1})
		}
		i++
	}
	sink += sum
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/row, "ns/battle")
}

var sink int64

func BenchmarkClosedForm(b *testing.B) {
	b.Run("exact", func(b *testing.B) { benchmarkGrid(b, Battle.MinWaves) })
	b.Run("published", func(b *testing.B) {
		benchmarkGrid(b, func(battle Battle) int64 {
			waves, _, _ := battle.Published()
			return int64(waves)
		})
	})
	b.Run("castle", func(b *testing.B) { benchmarkGrid(b, Battle.CastleMinWaves) })
}

// BenchmarkCountSizes measures the cost per table cell as the battle doubles, in the 64-bit range.
func BenchmarkCountSizes(b *testing.B) {
	for _, battle := range []Battle{{10, 27, 8}, {20, 54, 16}, {40, 108, 32}} {
		b.Run(battle.String(), func(b *testing.B) {
			var counts Counts
			for b.Loop() {
				counts = mustCount(b, battle, Complete)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(counts.Cells), "ns/cell")
		})
	}
}

// BenchmarkSurvey compares a survey, which is made of rows, with asking all algorithms about one battle after the
// other, both on one core and without search.
func BenchmarkSurvey(b *testing.B) {
	soldiers, hits, defenders := grid.Range{First: 60, Last: 62}, to(240), to(120)
	asked := withoutSearch()
	perBattle := func(b *testing.B, battles int64) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(battles), "ns/battle")
	}
	b.Run("rows", func(b *testing.B) {
		var survey Survey
		for b.Loop() {
			survey = mustSurvey(b, soldiers, hits, defenders, SurveyOptions{Algorithms: asked, Workers: 1})
		}
		perBattle(b, survey.Battles)
	})
	b.Run("plain", func(b *testing.B) {
		var totals Totals
		for b.Loop() {
			totals = plainSurvey(b, Survey{Soldiers: soldiers, Castle: hits, Defenders: defenders}, asked)
		}
		perBattle(b, totals.Battles)
	})
}

// BenchmarkRows compares rows of battles with one battle after the other, by the algorithms that a sweep asks.
func BenchmarkRows(b *testing.B) {
	const n, hits, size = 100, 400, 200
	winners, waves, inFloat := make([]Winner, size), make([]int64, size), make([]float64, size)
	asked := AlgorithmsOf(Exact, Heuristic, Formula)
	for _, way := range []string{"rows", "plain"} {
		b.Run(way, func(b *testing.B) {
			for b.Loop() {
				for _, a := range asked {
					answer := a.Rows(Effort{})
					if way == "plain" {
						answer = a.oneByOne(Effort{})
					}
					for s := range int64(hits) {
						// Not by must.Do, whose Helper takes a tenth of the time of a row.
						if err := answer(b.Context(), Battle{n, s + 1, 1}, winners, waves, inFloat); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(hits*size), "ns/battle")
		})
	}
}

// withoutSearch returns the algorithms that are asked about every battle.
func withoutSearch() []Algorithm {
	return slices.DeleteFunc(DefaultSurveyed(), func(a Algorithm) bool { return a.Affordable != nil })
}

// plainSurvey asks about one battle after the other.
func plainSurvey(t tester, s Survey, algorithms []Algorithm) Totals {
	t.Helper()
	totals := Totals{MinWaves: map[int64]int64{}}
	for _, a := range algorithms {
		totals.Algorithms = append(totals.Algorithms, Tally{Name: a.Name})
	}
	for b := range battles(s.Soldiers, s.Castle, s.Defenders) {
		exact := b.MinWaves()
		totals.Battles++
		if exact > 0 {
			totals.Winnable++
			totals.MinWaves[exact]++
		}
		totals.Checksum.Add(b, exact)
		for i, a := range algorithms {
			if a.Affordable != nil && !a.Affordable(b) {
				continue
			}
			answer := must.Get(a.Answer(t.Context(), b, Effort{}))
			totals.Algorithms[i].count(b, answer, exact)
		}
	}
	return totals
}
