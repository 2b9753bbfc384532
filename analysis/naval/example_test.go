package naval_test

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/analysis/naval"
)

func ExampleTournament_Play() {
	tournament := naval.Tournament{
		Players:    1024,
		Placements: []naval.Placement{naval.Square36},
		Moves:      []naval.Moves{naval.Random},
		Targeting:  naval.AsCoded,
		Halo:       true,
		Seed:       1,
	}
	s, err := tournament.Play(context.Background(), naval.Options{Workers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	// The post prints 58.91 moves, 15.37 points.
	fmt.Printf("%d games, %.2f moves, the losers score %.2f\n", s.Games, s.MeanMoves(), s.MeanLosersScore())
	// Output: 1023 games, 59.00 moves, the losers score 15.41
}

func ExampleTournament_FirstGame() {
	game, err := naval.Tournament{
		Players: 2, Placements: naval.PostPlacements(), Moves: naval.PostMoves(), Targeting: naval.AsDescribed,
		Halo: true, Seed: 4,
	}.FirstGame()
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range game.Players {
		shots, score := game.Count(i)
		fmt.Printf("%v, %v: %d shots, %d hits\n", p.Placement, p.Strategy.Moves, shots, score)
	}
	last := game.Shots[len(game.Shots)-1]
	fmt.Printf("player %d wins at column %d, row %d: %v\n", game.Winner, last.At.X(), last.At.Y(), last.Outcome)
	// Output:
	// center_vertical, random: 50 shots, 20 hits
	// random_12, cross: 47 shots, 16 hits
	// player 0 wins at column 9, row 8: sunk
}

func ExampleMeasure() {
	for _, s := range []naval.Strategy{
		{Moves: naval.Random, Targeting: naval.AsCoded, Halo: true},
		{Moves: naval.Random, Targeting: naval.Density, Halo: true},
	} {
		sample, err := naval.Measure(context.Background(), s, naval.Square36, 1000, 1, naval.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: %.1f ± %.1f shots\n", s.Targeting, sample.Mean(), sample.Margin())
	}
	// Output:
	// as_coded: 65.1 ± 0.4 shots
	// density: 55.6 ± 0.5 shots
}

func ExampleCountFleets() {
	fmt.Println(naval.CountFleets(context.Background(), 10, 10, []int{4, 3, 3, 2, 2, 2, 1, 1, 1, 1}))
	// Output: 1855545978831780 <nil>
}

func ExampleNewMatch() {
	own, _, _ := naval.PlaceFleet([]naval.Placement{naval.Left}, 1, 0)
	hidden, _, _ := naval.PlaceFleet(naval.PostPlacements(), 2, 0)
	shooter, err := naval.NewShooter(naval.Strategy{Targeting: naval.Density, Halo: true}, own, 3, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	hand, _ := naval.NewHand(hidden)
	match, _ := naval.NewMatch(hand, shooter, 0)
	if err := match.Shoot(naval.At(5, 5)); err != nil {
		fmt.Println(err)
	}
	for _, shot := range match.Shots {
		fmt.Printf("player %d: column %d, row %d: %v\n", shot.Player, shot.At.X(), shot.At.Y(), shot.Outcome)
	}
	thoughts := shooter.Thoughts()
	fmt.Println(thoughts.Measure, "on the cell (2, 2):", thoughts.Cells[naval.At(2, 2)])
	// Output:
	// player 0: column 5, row 5: miss
	// player 1: column 3, row 4: miss
	// ways on the cell (2, 2): 34
}
