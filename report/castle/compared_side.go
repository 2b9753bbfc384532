package castle

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// sideBySide are the battles with which the comparison of two algorithms begins: so few that each cell can be seen.
var sideBySide = Params{Soldiers: 20, Castle: grid.Range{First: 1, Last: 80}, Defenders: grid.Range{First: 1, Last: 40}}

// sideAlgorithm is the algorithm that is measured there.
const sideAlgorithm = "defenders-first"

// addSideBySide draws where one algorithm differs from best play, for readers to choose two of their own.
func addSideBySide(ctx context.Context, _ *survey, page *site.Page) error {
	s := chapter.Get(newSurvey(ctx, sideBySide))
	a, _ := game.AlgorithmNamed(sideAlgorithm)
	measure := bestPlay()[0]
	total, _ := s.ofGrid.Of(a.Name)
	worst := total.ExtraWavesMaxAt
	chapter.Do(chapter.HoldsAt(worst != nil, "%s takes too many waves somewhere in %v", a.Title, sideBySide))
	page.Values["side n"], page.Values["side title"], page.Values["side measure"] = s.params.Soldiers, a.Title,
		measure.Title
	page.Values["side text"] = chapter.MD("%s The most waves too many are %s, in the battle %v: best play wins it in "+
		"%s, %s in %s.", s.sharesText(algorithmMap{Algorithm: a}), chapter.Thousands(total.ExtraWavesMax), *worst,
		waves(worst.MinWaves()), a.Title, waves(worst.MinWaves()+total.ExtraWavesMax))
	p := s.params
	start := fmt.Sprintf("measure=%s&algorithm=%s&n=%d&s=%d&d=%d&sa=%d&sz=%d&da=%d&dz=%d", measure.Name, a.Name,
		p.Soldiers, worst.CastleHits, worst.DefendersPerWave, p.Castle.First, p.Castle.Last, p.Defenders.First,
		p.Defenders.Last)
	return chapter.Explore(page, "side-by-side", pictures.SideBySide(), start)
}
