package castle

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

type rowsOfBattles = func(context.Context, Battle, []Winner, []int64, []float64) error

// checkRows compares the answers about a row with those about one battle after the other.
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

// TestRowsAreTheAnswers compares all rows of small battles, with an effort that suffices and with one that does not.
func TestRowsAreTheAnswers(t *testing.T) {
	largest := int64(40)
	for _, effort := range []Effort{{}, {Steps: mostStrides}, {Steps: 2}} {
		for _, a := range AlgorithmsOf(Exact, Heuristic, Formula) {
			rows := a.Rows(effort) // the same for all, so that it remembers
			for n := int64(1); n <= largest; n++ {
				for s := int64(1); s <= 4*n+3; s++ {
					checkRowsOf(t, a, rows, Battle{n, s, 1}, int(3*n+2), effort)
				}
			}
		}
	}
}

// rowsAnywhere compares the rows of a battle of any size, near the borders between the cases too.
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

// TestRowsOfAnotherAnswer: an algorithm of the table that was given another answer is asked for it.
func TestRowsOfAnotherAnswer(t *testing.T) {
	a := slices.Clone(AlgorithmsOf(Heuristic))[0]
	other := must.Get(NewAlgorithm("other", DefendersFirst))
	a.Answer = other.Answer
	checkRowsOf(t, a, a.Rows(Effort{}), Battle{10, 43, 1}, 20, Effort{})
}
