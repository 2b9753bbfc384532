package tower_test

import (
	"github.com/siegebook/siegebook/analysis/tower"
	view "github.com/siegebook/siegebook/notebooks/show/tower"
)

func ExampleBattle() {
	b := tower.Battle{Soldiers: 13, HitsPerTower: 2, KillsPerTower: 3, Towers: 8}
	view.Battle(b, tower.Greedy).Show()
	// Output:
	// (13, 2, 3, 8), greedy: the soldiers win in round 2 with 7 left
	// round  soldiers left  towers left  towers × hits of each  hits left  kills left
	// start             13            8  8 × 2                         16          24
	// 1                  7            2  1 × 2, 1 × 1                   3           0
	// 2                  7            0                                 0           0
}
