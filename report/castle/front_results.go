package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// addResults adds what the front page says of the chapter's results, beside the two battles that one soldier sets
// apart.
func addResults(values map[string]any) error {
	walked := posts()[countedTest].Battle // for five hours, by a browser
	counts, err := walked.Count(context.Background(), game.CountOptions{})
	if err != nil {
		return err
	}
	values["walked"], values["walked paths"] = triple(walked), chapter.BigThousands(allPaths(counts))
	values["walked cells"], values["walked steps"] = chapter.Thousands(counts.Cells), walked.Solve().Steps()
	values["walked waves"] = walked.MinWaves()

	total := wide.count(case2a)
	short := wide.count(func(b game.Battle) bool { return case2a(b) && exactPrinted(b) < soldierWaves(b) })
	values["short battles"], values["short box"] = chapter.Thousands(total), wide.String()
	if err := chapter.Expect("the printed formula is short on every battle of case 2a", total > 0 && short == total, short, total); err != nil {
		return err
	}
	n, s, d := barelyWon.Soldiers, barelyWon.CastleHits, barelyWon.DefendersPerWave
	return chapter.Expect("one soldier decides", n == barelyLost.Soldiers+1 && s == barelyLost.CastleHits && d == barelyLost.DefendersPerWave &&
		barelyWon.MinWaves() > 0 && barelyLost.MinWaves() == 0, barelyWon, barelyLost)
}
