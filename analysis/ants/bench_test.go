package ants

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// benchmarkArmy is a crowd in the order in which a map gives its ants.
func benchmarkArmy(world World, density float64) []Ant {
	army := crowd(rand.New(rand.NewPCG(7, 7)), world, 4, density)
	slices.SortFunc(army, func(a, b Ant) int { return cmp.Or(a.Row-b.Row, a.Col-b.Col) })
	return army
}

// benchmarkWorld solves the same battle again and again and reports the time an ant takes.
func benchmarkWorld(b *testing.B, solver *Solver, army []Ant, rule Rule) {
	for b.Loop() {
		must.Get(solver.Solve(b.Context(), army, rule))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(army)), "ns/ant")
}

// BenchmarkRules is a crowded map of the contest's largest size: 10,000 ants on 200 x 200 cells.
func BenchmarkRules(b *testing.B) {
	world := World{200, 200, false, ContestRadius2}
	army := benchmarkArmy(world, 0.25)
	for _, rule := range Rules() {
		b.Run(rule.String(), func(b *testing.B) { benchmarkWorld(b, must.Get(NewSolver(world)), army, rule) })
	}
	b.Run("pairs", func(b *testing.B) {
		n := naiveBattle{world.Rows, world.Cols, false, ContestRadius2, army}
		for b.Loop() {
			n.solve(Focus)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(army)), "ns/ant")
	})
}

// BenchmarkMapSizes has one ant in four cells on ever larger maps: the time an ant takes should not grow.
func BenchmarkMapSizes(b *testing.B) {
	for _, side := range []int{50, 100, 200, 400, 800} {
		world := World{side, side, false, ContestRadius2}
		army := benchmarkArmy(world, 0.25)
		b.Run(fmt.Sprintf("side=%d", side), func(b *testing.B) {
			benchmarkWorld(b, must.Get(NewSolver(world)), army, Focus)
		})
	}
}

// BenchmarkEmptyMaps has the same thousand ants, close together, on ever larger maps: nor should it here.
func BenchmarkEmptyMaps(b *testing.B) {
	army := benchmarkArmy(World{Rows: 64, Cols: 64}, 0.25)
	for _, side := range []int{64, 512, 2048} {
		world := World{side, side, true, ContestRadius2}
		b.Run(fmt.Sprintf("side=%d", side), func(b *testing.B) {
			benchmarkWorld(b, must.Get(NewSolver(world)), army, Focus)
		})
	}
}

// BenchmarkRadii has both ways to find enemies at growing radii, on a full and on a sparse map; "chosen" should be the
// cheaper one.
func BenchmarkRadii(b *testing.B) {
	for _, density := range []float64{0.25, 0.01} {
		for _, radius2 := range []int64{2, 5, 25, 100, 1000, math.MaxInt64} {
			world := World{100, 100, false, radius2}
			army := benchmarkArmy(world, density)
			for name, by := range map[string]*lookup{"chosen": nil, "cells": &lookups[0], "rows": &lookups[1]} {
				solver := must.Get(NewSolver(world))
				if name == "cells" && solver.steps == nil {
					continue
				}
				solver.forced = by
				b.Run(fmt.Sprintf("density=%v/radius2=%d/%s", density, radius2, name),
					func(b *testing.B) { benchmarkWorld(b, solver, army, Focus) })
			}
		}
	}
}
