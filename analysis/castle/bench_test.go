package castle

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// benchmarkGrid measures the time for one battle of the grid s <= 4096, d <= 2048 at n = 1000. It takes the battles in
// the order of a sweep. One iteration is a row of 4096 battles, because the benchmark's own loop takes as long as one
// battle.
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

// BenchmarkSolve measures what the full solution of a battle costs in addition to its fewest waves.
func BenchmarkSolve(b *testing.B) {
	b.Run("all", func(b *testing.B) {
		benchmarkGrid(b, func(battle Battle) int64 {
			solution := battle.Solve()
			return solution.MinWaves
		})
	})
	b.Run("waves", func(b *testing.B) { benchmarkGrid(b, Battle.MinWaves) })
}

// BenchmarkCountSizes measures the cost per table cell as the battle doubles in size, for counts that fit in 64 bits.
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

// BenchmarkSurvey compares a survey, which is made of rows, with a loop that runs all algorithms on one battle after
// another. Both run on one core and without search.
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

// BenchmarkRows compares the time for rows of battles with the time for single battles, for the algorithms that a sweep
// uses.
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
						// This does not call must.Do, because its Helper takes a tenth of the time of a row.
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

// withoutSearch returns the algorithms that surveys use for every battle.
func withoutSearch() []Algorithm {
	return slices.DeleteFunc(DefaultSurveyed(), func(a Algorithm) bool { return a.Affordable != nil })
}

type rowsOfBattles = func(context.Context, Battle, []Winner, []int64, []float64) error

// checkRows compares the answers for a row with the answers for its single battles.
func checkRows(t tester, b Battle, size int, effort Effort) {
	t.Helper()
	for _, a := range AlgorithmsOf(Exact, Heuristic, Formula) {
		checkRowsOf(t, a, a.Rows(effort), b, size, effort)
	}
}

func checkRowsOf(t tester, a Algorithm, rows rowsOfBattles, b Battle, size int, effort Effort) {
	t.Helper()
	winners, waves, inFloat := make([]Winner, size), make([]int64, size), make([]float64, size)
	if err := rows(t.Context(), b, winners, waves, inFloat); err != nil {
		t.Fatalf("%s, %v: %v", a.Name, b, err)
	}
	for i := range size {
		answer, err := a.Answer(t.Context(), b, effort)
		if err != nil && !OutOfEffort(err) {
			t.Fatalf("%s, %v: %v", a.Name, b, err)
		}
		want := Answer{Winner: answer.Winner, Waves: answer.Waves, InFloat: answer.InFloat}
		if err != nil {
			want = Answer{Waves: -1}
		}
		if a.Kind != Formula {
			inFloat[i] = 0
		}
		if got := (Answer{Winner: winners[i], Waves: waves[i], InFloat: inFloat[i]}); got != want {
			t.Fatalf("%s, %v, %d of a row of %d: %v, but alone %v", a.Name, b, i, size, got, want)
		}
		b.DefendersPerWave++
	}
}

// TestRowsAreTheAnswers checks all rows of small battles against the answers, once with enough effort and once with too
// little.
func TestRowsAreTheAnswers(t *testing.T) {
	largest := int64(40)
	for _, effort := range []Effort{{}, {Steps: mostStrides}, {Steps: 2}} {
		for _, a := range AlgorithmsOf(Exact, Heuristic, Formula) {
			rows := a.Rows(effort) // all battles use one function, because it stores earlier results
			for n := int64(1); n <= largest; n++ {
				for s := int64(1); s <= 4*n+3; s++ {
					checkRowsOf(t, a, rows, Battle{n, s, 1}, int(3*n+2), effort)
				}
			}
		}
	}
}

// rowsAnywhere checks rows of battles of any size against single answers. Many of the battles are near the borders
// between the cases.
func rowsAnywhere(t *rapid.T) {
	b := Battle{Soldiers: drawPositive(t, "soldiers")}
	near := func(name string) int64 {
		around := rapid.SampledFrom([]uint64{1, uint64(b.Soldiers), 2 * uint64(b.Soldiers), 1<<63 - 50}).Draw(t, name)
		if rapid.Bool().Draw(t, name+" is near") {
			low := int64(min(max(around, 10)-9, 1<<63-60))
			return rapid.Int64Range(low, low+20).Draw(t, name)
		}
		return drawPositive(t, name)
	}
	b.CastleHits, b.DefendersPerWave = near("hits"), near("defenders")
	size := int(min(rapid.Int64Range(1, 60).Draw(t, "size"), math.MaxInt64-b.DefendersPerWave+1))
	checkRows(t, b, max(size, 1), Effort{Steps: rapid.SampledFrom([]int64{0, mostStrides}).Draw(t, "steps")})
}

func TestRowsAnywhere(t *testing.T) { rapid.Check(t, rowsAnywhere) }

func FuzzRows(f *testing.F) { f.Fuzz(rapid.MakeFuzz(rowsAnywhere)) }

// TestRowsOfAnotherAnswer replaces the Answer of an algorithm of the table, and checks that Rows calls the new one.
func TestRowsOfAnotherAnswer(t *testing.T) {
	a := slices.Clone(AlgorithmsOf(Heuristic))[0]
	other := must.Get(NewAlgorithm("other", DefendersFirst))
	a.Answer = other.Answer
	checkRowsOf(t, a, a.Rows(Effort{}), Battle{10, 43, 1}, 20, Effort{})
}
