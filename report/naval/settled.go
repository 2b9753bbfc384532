package naval

import (
	"context"
	"fmt"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
)

// settledClaims are about the best shot and the shares of the placements, which the post or our page had left open.
func settledClaims() []chapter.Claim {
	return []chapter.Claim{
		{
			ID: "naval-super", Where: "update 3", Ref: "sec:naval-shooting/best",
			Printed: `There may be a way to make moves that is super-optimal, better than all that were tried`,
			Check: with(func(s *survey) (chapter.Finding, error) {
				informed, margin := s.overall(game.Random, game.Informed)
				least := 0.0 // of the post's three ways, as described and as coded
				for _, targeting := range []game.Targeting{game.AsCoded, game.AsDescribed} {
					for _, moves := range game.PostMoves() {
						if mean, off := s.overall(moves, targeting); least == 0 || mean-off < least {
							least = mean - off
						}
					}
				}
				return chapter.Finding{
					Truth:   chapter.MD("There is: informed needs %s shots on average, ± %s, and no strategy of the post fewer than %s. Whether there is a better one yet is an [open question](questions.html#naval-best-shooter)", places(informed, 1), places(margin, 1), places(least, 1)),
					Checked: "the recorded measurements, over the post's eight placements",
				}, chapter.Expect("informed is better than the post's strategies", informed+margin < least, informed, least)
			}),
		},
		{
			ID: "naval-likeliest-cell", Where: "the page on shooting, until lately", Ours: true, Ref: "sec:naval-shooting/likeliest", Stands: chapter.Refuted,
			Printed: `The best shot is at a cell where a ship most probably is`,
			Check:   checkLikeliest,
		},
		{
			ID: "naval-redraw", Where: "third update", Ours: true, Ref: "sec:naval-placement/shares",
			Printed: `If a player whose fleet finds no place draws another placement, tournaments have the wins and losses that the third update prints, within three standard errors`,
			Check: with(func(s *survey) (chapter.Finding, error) {
				off := recordErrors(s.printed[thirdUpdate])
				return chapter.Finding{
					Checked: fmt.Sprintf("%d tournaments: all numbers are within %s standard errors. Whether the program of that day did so, nobody can tell", repeats, places(off, 1)),
				}, chapter.Expect("the records of the third update", off < 3, off)
			}),
		},
	}
}

// checkLikeliest compares the best shooter of small waters with one who always takes a likeliest cell, the one with the
// best mean where several tie.
func checkLikeliest(context.Context) (chapter.Finding, error) {
	var checks []any
	var example string
	for _, w := range smallWaters {
		best, err := w.Mean(game.Optimal)
		if err != nil {
			return chapter.Finding{}, err
		}
		likeliest, err := w.Mean(game.Likeliest)
		if err != nil {
			return chapter.Finding{}, err
		}
		if best.Shots.Cmp(likeliest.Shots) == 0 {
			continue
		}
		all := big.NewRat(int64(best.Fleets), 1)
		total := func(mean *big.Rat) *big.Int { return new(big.Rat).Mul(mean, all).Num() } // whole: it counts shots
		checks = append(checks, map[string]any{
			"game": "naval", "kind": "waters", "rows": w.Rows, "columns": w.Cols, "ships": w.Ships, "fleets": best.Fleets,
			"best": total(best.Shots), "likeliest": total(likeliest.Shots),
		})
		if example == "" {
			example = fmt.Sprintf("%d × %d cells with ships of %s decks: %v shots for all %d fleets, and %v if each shot is at a likeliest cell", w.Rows, w.Cols, decksOf(w), total(best.Shots), best.Fleets, total(likeliest.Shots))
		}
	}
	return chapter.Finding{
		Truth:     "Not always: another cell may teach more",
		Example:   chapter.MD("%s", example),
		Checked:   "all shooters of small waters",
		Recompute: chapter.Together(checks...),
	}, chapter.Expect("the likeliest cell is not always the best", len(checks) > 0)
}
