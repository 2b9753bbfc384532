package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// pageClaims are what our pages say of every battle, beside the derivation.
func pageClaims() []chapter.Claim {
	winnable := func(b game.Battle) bool { return soldierWaves(b) > 0 }
	return []chapter.Claim{
		{
			ID: "any-shots", Where: "the claims", Ours: true, Ref: "sec:castle-rules/rules", Convention: chapter.AnyShots, Check: checkAnyShots,
			Printed: `The castle can win exactly if $s > n$, and in two waves exactly if $s > n$ and $d \ge n$`,
		},
		{
			ID: "first-outnumbered", Where: "the algorithms on a grid", Ours: true, Ref: "sec:castle-agreement/castle-first",
			Printed: `For $d \ge n$ castle first wins every battle that the soldiers can win`,
			Check: everywhere("d >= n and soldiers > 0", func(b game.Battle) bool { return outnumbered(b) && winnable(b) },
				"castle_first > 0", func(b game.Battle) bool { return b.Play(game.CastleFirst).Winner == game.Soldiers }),
		},
		{
			ID: "defenders-first-sides", Where: "the algorithms on a grid", Ours: true, Ref: "sec:castle-agreement/defenders-first",
			Printed: `Of the battles that the soldiers can win, defenders first fails to win just those with $d \ge n$ and $s > n$`,
			Check: everywhere("soldiers > 0", winnable, "(defenders_first == 0) == (d >= n and s > n)", func(b game.Battle) bool {
				return (b.Play(game.DefendersFirst).Winner != game.Soldiers) == (outnumbered(b) && b.CastleHits > b.Soldiers)
			}),
		},
		{
			ID: "two-waves-enough", Where: "the exercises on the tests", Ours: true, Ref: "sec:castle-tests/exercises",
			Printed: `For $s > n$ two waves are enough exactly if $s + d \le 2n$`,
			Check: everywhere("s > n", func(b game.Battle) bool { return b.CastleHits > b.Soldiers },
				"(soldiers == 2) == (s + d <= 2 * n)", func(b game.Battle) bool {
					return (soldierWaves(b) == 2) == (b.CastleHits+b.DefendersPerWave <= 2*b.Soldiers)
				}),
		},
	}
}
