package ants

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestDamageIsExact compares integer sums with rational sums that are 1, just below 1, or just above 1.
func TestDamageIsExact(t *testing.T) {
	// The counts are the denominators of unit fractions with sum 1. The loop splits a unit fraction 1/e into 1/(e+1) +
	// 1/(e(e+1)), or into k equal parts.
	rng := rand.New(rand.NewPCG(11, 13))
	undecided := 0
	for range 3000 {
		counts := []int{1}
		for range rng.IntN(8) {
			i := rng.IntN(len(counts))
			e := counts[i]
			if e > 1 && e < 2000 && rng.IntN(2) == 0 {
				counts[i] = e + 1
				counts = append(counts, e*(e+1))
				continue
			}
			k := 2 + rng.IntN(50)
			if e*k >= MaxCells {
				continue
			}
			counts[i] = e * k
			for range k - 1 {
				counts = append(counts, e*k)
			}
		}
		counts[rng.IntN(len(counts))] += rng.IntN(3) / 2 // in one of three cases the sum is now slightly less than 1
		sum, broken := new(big.Rat), false
		for _, e := range counts {
			sum.Add(sum, big.NewRat(1, int64(e)))
			broken = broken || whole%int64(e) != 0
		}
		want := sum.Cmp(big.NewRat(1, 1)) >= 0
		if broken && want {
			undecided++
		}
		if got := exactlyReachesOne(slices.Clone(counts)); got != want {
			t.Fatalf("exactly: the sum over %v is %v, reaches 1: %v", counts, sum, got)
		}
		if got := reachesOne(slices.Clone(counts)); got != want {
			t.Fatalf("the sum over %v is %v, reaches 1: %v", counts, sum, got)
		}
	}
	if undecided < 100 {
		t.Errorf("only %d sums need more than 64 bits", undecided)
	}
}

// deadCells returns the rows and columns of the dead ants, in the order of the army.
func deadCells(army []Ant, outcome Outcome) [][2]int {
	dead := [][2]int{}
	for i, ant := range army {
		if outcome.Dead[i] {
			dead = append(dead, [2]int{ant.Row, ant.Col})
		}
	}
	return dead
}

// TestEngine checks all rules on battles that were run through the contest's original engine. The numbers of enemies
// do not depend on the rule, as TestAgainstAllPairs checks.
func TestEngine(t *testing.T) {
	type row struct {
		Name    string
		Radius2 int64
		Map     string
	}
	if rows := must.Rows(t, "testdata/contest.txt", t.Name()); len(rows) != 86 {
		t.Fatalf("%d battles, want 86", len(rows))
	}
	must.Answers(t, "testdata/contest.txt", func(row row) (answers []any) {
		m := must.Get(ParseMap(row.Map))
		solver := must.Get(NewSolver(m.World(row.Radius2, false)))
		var outcome Outcome
		for _, rule := range Rules() {
			outcome = must.Get(solver.Solve(t.Context(), m.Ants(), rule))
			answers = append(answers, deadCells(m.Ants(), outcome))
		}
		return append(answers, outcome.Enemies)
	})
}

// TestReplays checks the rule of the contest on turns of contest games.
func TestReplays(t *testing.T) {
	type row struct {
		Name  string
		World World
		Ants  []Ant
	}
	if rows := must.Rows(t, "testdata/contest.txt", t.Name()); len(rows) != 104 {
		t.Fatalf("%d turns, want 104", len(rows))
	}
	must.Answers(t, "testdata/contest.txt", func(row row) []any {
		return []any{deadCells(row.Ants, must.Get(Solve(row.World, row.Ants, Focus)))}
	})
}
