package ants_test

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/analysis/ants"
)

func ExampleSolve() {
	m, err := ants.ParseMap("" +
		"AAAAAAAAA\n" +
		"...BBB...\n" +
		"...BBB...\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	const bounded = true // the map has edges; it is not a torus
	outcome, err := ants.Solve(m.World(ants.ContestRadius2, bounded), m.Ants(), ants.Focus)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Redrawn(func(ant int) rune { return '0' + rune(outcome.Enemies[ant]) }))
	fmt.Println(m.Redrawn(func(ant int) rune {
		if outcome.Dead[ant] {
			return 'x'
		}
		return m.Ants()[ant].Owner
	}))
	// Output:
	// 013565310
	// ...555...
	// ...333...
	// AAxxxxxAA
	// ...xxx...
	// ...xBx...
}

// This example applies the four rules to a battle of two ants against one.
func ExampleSolver() {
	solver, err := ants.NewSolver(ants.World{Rows: 10, Cols: 10, Radius2: ants.ContestRadius2})
	if err != nil {
		fmt.Println(err)
		return
	}
	army := []ants.Ant{{Row: 0, Col: 0, Owner: 'A'}, {Row: 0, Col: 2, Owner: 'B'}, {Row: 0, Col: 9, Owner: 'B'}}
	for _, rule := range ants.Rules() {
		outcome, err := solver.Solve(context.Background(), army, rule)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(rule, outcome.Enemies, outcome.Dead)
		for kill := range outcome.Kills() {
			fmt.Println("  ant", kill.Victim, "is killed by ant", kill.Killer)
		}
	}
	// Output:
	// focus [2 1 1] [true false false]
	//   ant 0 is killed by ant 1
	//   ant 0 is killed by ant 2
	// closest [2 1 1] [true false true]
	//   ant 0 is killed by ant 2
	//   ant 2 is killed by ant 0
	// damage [2 1 1] [true false false]
	//   ant 0 is killed by ant 1
	//   ant 0 is killed by ant 2
	// support [2 1 1] [true true true]
	//   ant 0 is killed by ant 1
	//   ant 0 is killed by ant 2
	//   ant 1 is killed by ant 0
	//   ant 2 is killed by ant 0
}

// How large an army can one ant outlive in a box of 3 x 3 cells, with or without friends who die?
func ExampleSearch() {
	box := ants.Box{Rows: 3, Cols: 3, Owners: 2, Radius2: ants.ContestRadius2}
	found, err := ants.Search(context.Background(), box, func(p *ants.Position) (int, bool) {
		switch {
		case p.Left[0] == 1 && p.Left[1] == 0:
			return p.Ants[1], true
		case p.Left[0] == 0 && p.Left[1] == 1:
			return p.Ants[0], true
		}
		return 0, false
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d ants, in %d of %d positions; one is\n%v\n", found.Value, found.Best, found.Positions, found.First)
	// Output:
	// 4 ants, in 60 of 9842 positions; one is
	// AAA
	// ABB
	// ABB
}
