package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// Agreement returns the map of how an algorithm's answers compare with the exact ones: whether the soldiers can win,
// and in how few waves. It ends the cell if it has none for a battle.
func Agreement(p pictures.Plane, a game.Algorithm) figure.AgreementMap {
	validPlane(p)
	if a.Answer == nil {
		show.Fail("algorithm %q answers nothing: take one of castle.Algorithms()", a.Name)
	}
	return pictures.Agreement(p, a, func(b game.Battle) game.Verdict {
		answer, err := a.Answer(context.Background(), b, game.Effort{})
		if err != nil {
			show.Fail("%s: %v", a.Title, err)
		}
		return answer.SoldiersVerdict(b.MinWaves())
	})
}
