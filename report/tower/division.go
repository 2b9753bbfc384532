package tower

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
)

// published plays as the post's algorithm does. Towers are divided as told: in whole numbers, or, as the operator /
// does in Python since its version 3, in floating point.
func published(b game.Battle, divide func(float64) float64) (winner game.Winner, rounds int64) {
	h, k := float64(b.HitsPerTower), float64(b.KillsPerTower)
	hits, soldiers := h*float64(b.Towers), float64(b.Soldiers)
	for {
		rounds++
		if hits -= soldiers; hits <= 0 {
			return game.Soldiers, rounds
		}
		towers := divide((hits + h - 1) / h)
		if soldiers -= k * towers; soldiers <= 0 {
			return game.Towers, rounds
		}
	}
}

// whole is the division of Python 2: the numbers of the box are small enough that a float holds the quotient's floor.
func whole(x float64) float64 { return float64(int64(x)) }

// fractional is that of Python 3.
func fractional(x float64) float64 { return x }

// publishedDiffers reports whether the post's algorithm ends a battle otherwise than greedy does.
func publishedDiffers(b game.Battle, divide func(float64) float64) bool {
	result := play(b, game.Greedy)
	winner, rounds := published(b, divide)
	return winner != result.Winner || rounds != result.Rounds
}

func checkDivision(_ context.Context) (chapter.Finding, error) {
	differs := func(b game.Battle) bool { return publishedDiffers(b, fractional) }
	otherSide := func(b game.Battle) bool {
		winner, _ := published(b, fractional)
		return winner != play(b, game.Greedy).Winner
	}
	first, ok := wide.first(otherSide)
	inWhole, bad := wide.first(func(b game.Battle) bool { return publishedDiffers(b, whole) })
	winner, rounds := published(first, fractional)
	result := play(first, game.Greedy)
	f := chapter.Finding{
		Truth: "In Python 2 the quotient is rounded down, and the code is right. In Python 3 the same line leaves " +
			"fractions of towers, which kill fractions of soldiers; there it must be written with //",
		Example: chapter.MD("%v: the %v win in round %d, the code run by Python 3 says the %v in round %d",
			first, result.Winner, result.Rounds, winner, rounds),
		Checked: fmt.Sprintf("%s: a wrong round or side in %s battles, the wrong side in %s; with // all are right",
			wide, chapter.Thousands(wide.count(differs)), chapter.Thousands(wide.count(otherSide))),
		Recompute: recomputed(first, weakestFirst).best(),
	}
	return f, chapter.Expect("the division decides a battle", ok && !bad, first, inWhole)
}
