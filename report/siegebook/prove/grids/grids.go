// Package grids provides checksums over grids of battles. They are computed by the library and by Coq, or by the
// program that Coq extracts, with functions that are proved correct.
package grids

import (
	"context"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

// Grid is a grid of battles. For each battle, the library and Coq compute a number of waves.
type Grid struct {
	What      string   // "the soldiers' fewest waves"
	N, S, D   int64    // all battles up to these numbers
	Functions []string // Coq functions that return a number of waves for n, s and d
	Extracted bool     // the fast extracted program computes the grid; otherwise, Coq itself does
	sum       func(context.Context, Grid) (castle.Checksum, error)
}

// All returns the grids of both sides' fewest waves. Coq itself computes a part of what the extracted program computes.
func All() []Grid {
	soldiers, castles := []string{"min_waves", "waves_by_root"}, []string{"castle_waves"}
	return []Grid{
		{"the soldiers' fewest waves", 10, 30, 15, soldiers, false, surveyed},
		{"the soldiers' fewest waves", 20, 60, 30, soldiers, true, surveyed},
		{"the castle's fewest waves", 6, 18, 12, castles, false, castleSide},
		{"the castle's fewest waves", 12, 36, 24, castles, true, castleSide},
	}
}

// By returns the name of the program that computes the grid in addition to the library.
func (g Grid) By() string {
	if g.Extracted {
		return "the extracted program"
	}
	return "Coq"
}

// Battles returns the number of battles in the grid.
func (g Grid) Battles() int64 { return g.N * g.S * g.D }

// Checksum returns the library's checksum over the grid. Any error comes from the context.
func (g Grid) Checksum(ctx context.Context) (castle.Checksum, error) { return g.sum(ctx, g) }

// surveyed returns the checksum of a survey.
func surveyed(ctx context.Context, g Grid) (castle.Checksum, error) {
	upTo := func(last int64) grid.Range { return grid.Range{First: 1, Last: last} }
	survey, err := castle.NewSurvey(ctx, upTo(g.N), upTo(g.S), upTo(g.D),
		castle.SurveyOptions{Algorithms: []castle.Algorithm{}})
	return survey.Checksum, err
}

// castleSide returns the checksum of the castle's fewest waves.
func castleSide(_ context.Context, g Grid) (sum castle.Checksum, _ error) {
	for n := range g.N {
		for s := range g.S {
			for d := range g.D {
				b := castle.Battle{Soldiers: n + 1, CastleHits: s + 1, DefendersPerWave: d + 1}
				sum.Add(b, b.CastleMinWaves())
			}
		}
	}
	return sum, nil
}
