package tower_test

import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/tower"
)

func ExampleBattle_Rounds() {
	b := tower.Battle{Soldiers: 13, HitsPerTower: 2, KillsPerTower: 3, Towers: 8}
	for round := range b.Rounds(tower.Greedy) {
		fmt.Println(round.Number, round.State.Soldiers, round.State.Towers(), round.State.HitsLeft(), round.Winner)
	}
	// Output:
	// 0 13 8 16 undecided
	// 1 7 2 3 undecided
	// 2 7 0 0 soldiers
}

func ExampleBattle_Play() {
	b := tower.Battle{Soldiers: 4_000_000_000, HitsPerTower: 8_000_000_002_000_000_001, KillsPerTower: 1, Towers: 1}
	result, err := b.Play(tower.Greedy, 0)
	fmt.Println(result.Winner, result.Rounds, result.HitsLeft, err)
	// Output: towers 4000000000 1 <nil>
}

func ExampleBattle_MinSoldiers() {
	for _, strategy := range tower.Strategies() {
		soldiers, err := tower.Battle{HitsPerTower: 10_000, KillsPerTower: 1, Towers: 10_000}.MinSoldiers(strategy, 0)
		fmt.Println(strategy, soldiers, err)
	}
	// Output:
	// greedy 995064 <nil>
	// fewest 1409180 <nil>
	// even 1407201 <nil>
}

func ExampleBattle_Worst() {
	b := tower.Battle{Soldiers: 25, HitsPerTower: 20, KillsPerTower: 2, Towers: 3}
	fmt.Println(b.Worst(0))
	// Output: towers [spare spare sacrifice spare sacrifice spare spare] <nil>
}
