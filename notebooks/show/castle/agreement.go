package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// Agreement returns the map of how an algorithm's answers compare with the exact ones. It ends the cell if it has none
// for a battle.
func Agreement(p pictures.Plane, a game.Algorithm) figure.AgreementMap {
	answer := func(a game.Algorithm, b game.Battle) game.Answer {
		found, err := a.Answer(context.Background(), b, game.Effort{})
		if err != nil {
			show.Fail("%s: %v", a.Title, err)
		}
		return found
	}
	soldiers, _ := game.AlgorithmNamed("exact")
	castle, _ := game.AlgorithmNamed("castle-side")
	return pictures.Agreement(p, a, func(b game.Battle) game.Verdict { return answer(a, b).Verdict(answer(soldiers, b), answer(castle, b)) })
}
