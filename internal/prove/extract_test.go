package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
)

// TestDrawn: the battles are valid and the same again, both sides win some and not others, and some are at the end of
// int64.
func TestDrawn(t *testing.T) {
	for i, f := range functions {
		first, again := rand.New(rand.NewPCG(1, uint64(i))), rand.New(rand.NewPCG(1, uint64(i)))
		answers, cases, edge := map[string]int{}, map[castle.Case]int{}, 0
		for range 3000 {
			b := f.draw(first)
			if err := b.Validate(); err != nil || b != f.draw(again) {
				t.Fatalf("%s: %v, %v", f.name, b, err)
			}
			answers[f.ours(b)]++
			cases[b.Case()]++
			if b.CastleHits > math.MaxInt64-5 || b.Soldiers > math.MaxInt64-5 {
				edge++
			}
		}
		if len(answers) < 10 || f.name != "counted" && (answers["0"] < 100 || len(cases) < 3) {
			t.Errorf("%s: answers %v, cases %v", f.name, answers, cases)
		}
		if f.name == "min_waves" && (edge < 300 || len(cases) < 5) {
			t.Errorf("%d battles at the end of int64, cases %v", edge, cases)
		}
	}
}

// TestDiffer: an answer that is not the library's is named, and so is one that is missing.
func TestDiffer(t *testing.T) {
	f, battles := functions[0], []castle.Battle{
		{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}, {Soldiers: 2, CastleHits: 1, DefendersPerWave: 1},
	}
	if err := f.differ(battles, "16\n1\n"); err != nil {
		t.Error(err)
	}
	wantError(t, f.differ(battles, "16\n2\n"), "min_waves of (2, 1, 1) is 2, of the program 1")
	wantError(t, f.differ(battles, "16\n"), "answers 1 lines about 2 battles")
}
