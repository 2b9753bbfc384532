package castle_test

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

func ExampleBattle_Solve() {
	solution := castle.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}.Solve()
	fmt.Println(solution.Winner, solution.MinWaves, solution.Case)
	for run := range solution.Battle.Runs(solution.Strategy()) {
		fmt.Printf("waves %d-%d: %d at defenders, %d at the castle, then %v\n", run.First, run.Last, run.AtDefenders,
			run.AtCastle, run.End)
	}
	// Output:
	// soldiers 16 2a
	// waves 1-1: 0 at defenders, 10 at the castle, then N=10 S=33 D=8
	// waves 2-14: 8 at defenders, 2 at the castle, then N=10 S=7 D=8
	// waves 15-15: 3 at defenders, 7 at the castle, then N=5 S=0 D=5
	// waves 16-16: 5 at defenders, 0 at the castle, then N=5 S=0 D=0
}

func ExampleGeneralBattle_Solve() {
	battle := castle.GeneralBattle{
		Soldiers: 10, CastleHits: 43, Shots: 1, Kills: 1, Reinforcements: []int64{8, 0, 3, 8},
	}
	solution := battle.Solve()
	fmt.Println(solution.Winner, solution.MinWaves)
	for run := range solution.Runs() {
		fmt.Printf("waves %d-%d: %d at defenders, %d at the castle, then %v\n", run.First, run.Last, run.AtDefenders,
			run.AtCastle, run.End)
	}
	// Output:
	// soldiers 10
	// waves 1-1: 0 at defenders, 10 at the castle, then N=10 S=33 D=8
	// waves 2-2: 8 at defenders, 2 at the castle, then N=10 S=31 D=0
	// waves 3-3: 0 at defenders, 10 at the castle, then N=10 S=21 D=3
	// waves 4-4: 3 at defenders, 7 at the castle, then N=10 S=14 D=8
	// waves 5-8: 8 at defenders, 2 at the castle, then N=10 S=6 D=8
	// waves 9-9: 4 at defenders, 6 at the castle, then N=6 S=0 D=4
	// waves 10-10: 4 at defenders, 0 at the castle, then N=6 S=0 D=0
}

func ExampleBattle_Count() {
	counts, err := castle.Battle{Soldiers: 19, CastleHits: 50, DefendersPerWave: 15}.Count(context.Background(),
		castle.CountOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(counts.Soldiers.Total(), counts.Castle.Total())
	// Output: 4408 211861
}

func ExampleBattle_MinimumPaths() {
	paths, err := castle.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 15}.MinimumPaths(castle.Soldiers)
	if err != nil {
		fmt.Println(err)
		return
	}
	for path := range paths {
		fmt.Println(path.Moves, path.States)
	}
	// Output: [0 9 4 2] [N=10 S=11 D=0 N=10 S=1 D=15 N=4 S=0 D=6 N=2 S=0 D=2 N=2 S=0 D=0]
}

func ExampleBattle_Staircase() {
	for stair := range (castle.Battle{Soldiers: 10, CastleHits: 1, DefendersPerWave: 8}).Staircase(22) {
		fmt.Println(stair)
	}
	// Output:
	// {1 10 1}
	// {11 12 2}
	// {13 17 3}
	// {18 19 4}
	// {20 21 5}
	// {22 22 6}
}

// How often are the posts' algorithms right, and on which battle is each of them wrong first?
func ExampleNewSurvey() {
	soldiers, hits, defenders := grid.Range{First: 1, Last: 20}, grid.Range{First: 1, Last: 80}, grid.Range{
		First: 1,
		Last:  40,
	}
	survey, err := castle.NewSurvey(context.Background(), soldiers, hits, defenders, castle.SurveyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(survey.Winnable, "of", survey.Battles, "battles can be won")
	for _, tally := range survey.Algorithms {
		if tally.First.WrongSide != nil {
			fmt.Println(tally.Name, "is right on", tally.RightWinnable, "of them; on the wrong side for the first "+
				"time at", tally.First.WrongSide)
		}
	}
	// Output:
	// 21489 of 64000 battles can be won
	// castle-first is right on 18480 of them; on the wrong side for the first time at (3, 6, 2)
	// defenders-first is right on 17344 of them; on the wrong side for the first time at (2, 3, 2)
}
