package castle_test

import (
	"github.com/siegebook/siegebook/analysis/castle"
	view "github.com/siegebook/siegebook/notebooks/show/castle"
)

func ExampleBattle() {
	b := castle.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}
	view.Battle(b, castle.CastleFirst).Show()
	// Output:
	// (10, 43, 8): the castle wins in wave 15
	// wave     shots at defenders  shots at the castle  soldiers left  defenders left  castle hits left
	// start                                                        10               0                43
	// 1                         0                   10             10               8                33
	// 2 to 13                   8                    2             10               8                 9
	// 14                        1                    9              3               7                 0
	// 15                        3                    0              0               4                 0
}

func ExamplePaths() {
	b := castle.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 15}
	paths, err := b.AllPaths()
	if err != nil {
		panic(err)
	}
	view.Paths(paths, 2).Show()
	// Output:
	// Paths
	// shots at defenders, wave by wave  winner    in wave
	// [0 9 4 2]                         soldiers        4
	// [0 10 4]                          castle          3
	// and so on
}
