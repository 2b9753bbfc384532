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

// This strategy plays castle first, but never with fewer soldiers than defenders.
func ExampleCompare() {
	careful := func(wave int64, s castle.State) castle.Orders {
		orders := castle.CastleFirst(wave, s)
		if left := int64(s.Defenders) - orders.AtDefenders; 2*left > s.Soldiers {
			return castle.DefendersFirst(wave, s)
		}
		return orders
	}
	view.Compare(view.Plane(10, "1:30", "1:15"), "careful", careful)
	// Output:
	// 10 soldiers: 450 battles, of which 351 can be won
	// algorithm                 right  right on winnable battles  wrong side  too few waves  too many waves  mean extra waves  most
	// careful                  91.8 %                     89.5 %           6              0              31             0.229  4 at (10, 17, 9)
	// best play                 100 %                      100 %           0              0               0             0.000  0
	// castle first             93.6 %                     91.7 %          29              0               0             0.000  0
	// defenders first          84.9 %                     80.6 %          21              0              47             0.309  4 at (10, 16, 9)
	// published formula        62.0 %                     51.3 %           0            165               6             0.032  1 at (10, 11, 15)
	// closed form by its root   100 %                      100 %           0              0               0             0.000  0
	// search                    100 %                      100 %           0              0               0             0.000  0
	// Waves lost by careful, n = 10
	// 1 map of 30 by 15 cells; x is castle hits s, from 1 to 30; y is defenders per wave d, from 1 to 15. Careful: 1 wave lost 11 cells (2.4 %), 2 waves lost 6 cells (1.3 %), 4 waves lost 14 cells (3.1 %), right: none lost 314 cells (69.8 %), the wrong side 6 cells (1.3 %), right: a tie at best 14 cells (3.1 %) and right: cannot be won 85 cells (18.9 %). The minimum is 1 wave lost, first at x = 20, y = 7; the maximum is 4 waves lost, first at x = 17, y = 9. Lines drawn on top: d + s = (φ+1) n.
	// This is the first battle that careful plays worse than it could. Below it is best play:
	// (10, 11, 15): the castle wins in wave 3
	// wave   shots at defenders  shots at the castle  soldiers left  defenders left  castle hits left
	// start                                                      10               0                11
	// 1                       0                   10             10              15                 1
	// 2                      10                    0              5              20                 1
	// 3                       5                    0              0              15                 1
	// (10, 11, 15): the soldiers win in wave 4 with 2 left
	// wave   shots at defenders  shots at the castle  soldiers left  defenders left  castle hits left
	// start                                                      10               0                11
	// 1                       0                   10             10              15                 1
	// 2                       9                    1              4               6                 0
	// 3                       4                    0              2               2                 0
	// 4                       2                    0              2               0                 0
}

// This strategy is a listing in Python's syntax.
func ExampleCompareListing() {
	view.CompareListing(view.Plane(5, "1:9", "1:4"), `
def at_defenders(n, s, d, wave, N, S, D):
    """Half and half"""
    if S < N:
        return min(N - S, D)
    return min(N, D) // 2
`)
	// Output:
	// 5 soldiers: 36 battles, of which 36 can be won
	// algorithm                 right  right on winnable battles  wrong side  too few waves  too many waves  mean extra waves  most
	// Half and half             100 %                      100 %           0              0               0             0.000  0
	// best play                 100 %                      100 %           0              0               0             0.000  0
	// castle first              100 %                      100 %           0              0               0             0.000  0
	// defenders first          94.4 %                     94.4 %           0              0               2             0.056  1 at (5, 8, 4)
	// published formula        55.6 %                     55.6 %           0             16               0             0.000  0
	// closed form by its root   100 %                      100 %           0              0               0             0.000  0
	// search                    100 %                      100 %           0              0               0             0.000  0
	// Waves lost by Half and half, n = 5
	// 1 map of 9 by 4 cells; x is castle hits s, from 1 to 9; y is defenders per wave d, from 1 to 4. Half and half: right: none lost 36 cells (100 %). Lines drawn on top: d + s = (φ+1) n.
	// Half and half plays every battle of this map as well as best play.
}
