package naval

import (
	"context"
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// confirmedFacts are statements of the post that hold.
func confirmedFacts() []chapter.Claim {
	facts := []chapter.Claim{
		{ID: "naval-powers", Where: "update 1", Printed: `The number of players must be a power of two, such as 1024, 512, 256 … 2`, Check: confirmPowers},
		{ID: "naval-halos", Where: "update 2", Printed: `Halos improve the number of moves significantly`, Check: with(confirmHalos)},
		{ID: "naval-winners", Where: "update 1", Printed: `Winners and losers make about the same number of moves`, Check: with(confirmWinners)},
		{ID: "naval-blind", Where: "update 1", Printed: `Both play about the same, and equally inefficiently`, Check: with(confirmBlind)},
		{ID: "naval-least", Where: "update 4", Printed: `random_12 and 36 are clearly the least effective placements`, Check: with(func(s *survey) (chapter.Finding, error) {
			return chapter.Finding{Checked: fmt.Sprintf("%d tournaments: both win fewer games than each of the others, though random_12 only just", repeats)}, leastEffective(s)
		})},
	}
	for i, t := range printedTrials() {
		facts = append(facts, chapter.Claim{
			ID: fmt.Sprintf("naval-trial-%d", i), Where: t.name,
			Printed: chapter.MD("%s: a game takes %.2f moves, winners make %.2f, losers %.2f, and losers score %.2f", site.Escape(t.setting), t.printed[0], t.printed[1], t.printed[2], t.printed[3]),
			Check: with(func(s *survey) (chapter.Finding, error) {
				z := s.worst(i)
				return chapter.Finding{Checked: fmt.Sprintf("%d tournaments; %s standard errors at most", repeats, places(math.Abs(z), 1))}, chapter.Expect("the printed means", math.Abs(z) <= 3, z)
			}),
		})
	}
	return facts
}

func confirmPowers(context.Context) (chapter.Finding, error) {
	const most = 4096
	for n := 2; n <= most; n++ {
		left := n
		for left > 1 && left%2 == 0 {
			left /= 2
		}
		t := game.Tournament{Players: n, Placements: game.PostPlacements(), Moves: game.PostMoves()}
		if (t.Validate() == nil) != (left == 1) {
			return chapter.Finding{}, chapter.Expect("powers of two", false, n)
		}
	}
	return chapter.Finding{Checked: fmt.Sprintf("all numbers up to %s", chapter.Thousands(most)), Recompute: knockoutOf()}, nil
}

func confirmHalos(s *survey) (chapter.Finding, error) {
	without, _ := meanOf(collect(s.printed[0], game.Statistics.MeanMoves))
	with, _ := meanOf(collect(s.printed[secondUpdate], game.Statistics.MeanMoves))
	return chapter.Finding{Checked: fmt.Sprintf("%d tournaments each: from %s to %s moves", repeats, places(without, 1), places(with, 1))},
		chapter.Expect("halos save moves", without-with > 20, without, with)
}

// confirmWinners checks the reason, too: both sides have missed as often, or the loser once more, so the moves differ
// by what the scores differ by, 20 less the loser's, or by one less.
func confirmWinners(s *survey) (chapter.Finding, error) {
	least, most := math.Inf(1), 0.0
	for i, t := range printedTrials() {
		rows := [][4]float64{t.printed}
		for _, g := range s.printed[i] {
			rows = append(rows, figures(g))
		}
		for _, f := range rows {
			more := f[1] - f[2]
			least, most = min(least, more), max(most, more)
			if more > 20-f[3]+0.01 || more < 20-f[3]-1.01 {
				return chapter.Finding{}, chapter.Expect("moves differ as scores do", false, t.setting, f)
			}
		}
	}
	return chapter.Finding{Checked: fmt.Sprintf("winners make %s to %s more, in every tournament 20 less the losers' score, or up to one fewer", places(least, 1), places(most, 1))}, nil
}

func confirmBlind(s *survey) (chapter.Finding, error) {
	winners, _ := meanOf(collect(s.printed[0], game.Statistics.MeanMovesWinners))
	return chapter.Finding{Checked: fmt.Sprintf("a player who learns nothing needs %s shots for a fleet, exactly; without halos the winners make %s", places(game.BlindMean(), 2), places(winners, 1)), Recompute: blindOf()},
		chapter.Expect("little better than blind", winners > 0.85*game.BlindMean() && winners < game.BlindMean(), winners)
}
