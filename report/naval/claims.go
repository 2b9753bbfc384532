package naval

import (
	"context"
	"fmt"
	"math"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/naval/recorded"
)

// with is a check of what the tournaments of the survey tell.
func with(check func(*survey) (chapter.Finding, error)) func(context.Context) (chapter.Finding, error) {
	return func(ctx context.Context) (chapter.Finding, error) {
		s, err := surveyed(ctx)
		if err != nil {
			return chapter.Finding{}, err
		}
		return check(s)
	}
}

// claims are statements of the post that do not hold.
func claims() []chapter.Claim {
	return []chapter.Claim{
		{ID: "naval-slip", Title: "The ends of a line", Where: "the strategy, and the first listing", Printed: `After a second hit the next shots are at two cells from each end of the line`, Verdict: chapter.Wrong, Check: with(checkSlip)},
		{ID: "naval-second-hit", Title: "The hit after the first", Where: "the first listing", Printed: `If the list of targets is not empty at a hit, it is the second`, Verdict: chapter.Slip, Check: with(checkSecondHit)},
		{ID: "naval-seconds", Title: "Half a minute", Where: "list of improvements, update 1", Printed: `In theory a tournament of 1000 players takes about 30 seconds`, Verdict: chapter.Slip, Check: with(checkSeconds)},
		{ID: "naval-sixty", Title: "Sixty cells", Where: "update 3", Printed: `The other placements are all variations of 60 cells for the ships of one deck`, Verdict: chapter.Wrong, Check: with(checkSixty)},
		{ID: "naval-alike", Title: "Drawn at random", Where: "update 3, its last table", Printed: `Each player has a placement assigned randomly`, Verdict: chapter.Gap, Stands: chapter.Verified, Check: with(checkAlike)},
		{ID: "naval-games", Title: "The number of games", Where: "update 1", Printed: `1022 games of 25 ms would take 25.55 seconds; why it was 17 is unknown`, Verdict: chapter.Slip, Check: with(checkGames)},
		{ID: "naval-coin", Title: "No difference", Where: "update 3", Printed: `If all use the same placement, there is no difference between winners and losers`, Verdict: chapter.Slip, Stands: chapter.Verified, Check: with(checkCoin)},
		{ID: "naval-without-square", Title: "Without the square", Where: "update 3", Printed: `Without the square of 36 all placements would do about as well`, Verdict: chapter.Wrong, Check: checkWithoutSquare},
		{ID: "naval-lists", Title: "What lists are worth", Where: "update 4", Printed: `The number of moves has not decreased with additional ways to make moves`, Verdict: chapter.Gap, Stands: chapter.Verified, Check: with(checkLists)},
	}
}

func checkSlip(s *survey) (chapter.Finding, error) {
	moves := func(list []game.Statistics) (mean, margin float64) {
		mean, variance := meanOf(collect(list, game.Statistics.MeanMoves))
		return mean, 1.96 * math.Sqrt(variance/float64(len(list)))
	}
	_, added, next := slipped()
	coded, codedMargin := moves(s.printed[secondUpdate])
	described, describedMargin := moves(s.described)
	holds := coded-codedMargin > described+describedMargin
	for _, p := range game.PostPlacements() {
		one, other := s.of(game.Random, game.AsCoded, p), s.of(game.Random, game.AsDescribed, p)
		holds = holds && one.Mean()-one.Margin() > other.Mean()+other.Margin()
	}
	return chapter.Finding{
		Truth: "The program adds two values of one coordinate as if they were a column and a row, so the ends of the line are mostly not what it shoots at",
		Example: chapter.MD("First hit at %s, second at %s, next target %s: it adds %s, which lie on no line with them. In the square of 36 that makes %s moves a game instead of %s",
			cellName(firstHit), cellName(secondHit), cellName(next), cellNames(added), plusMinus(coded, codedMargin, 1), plusMinus(described, describedMargin, 1)),
		Checked: fmt.Sprintf("%d tournaments of each, and the recorded measurements of all %d placements: as coded takes longer on each, with disjoint 95 %% intervals", repeats, len(game.PostPlacements())),
	}, chapter.Expect("the slip costs moves", holds, coded, described)
}

// checkSecondHit takes the hits of a ship of four decks, the third at the next target after those that checkSlip has.
func checkSecondHit(*survey) (chapter.Finding, error) {
	before, added, next := slipped()
	longest := slices.Max(game.Lengths())
	inLine := next.Y() == firstHit.Y() && next.Y() == secondHit.Y() && next.X() == firstHit.X()+1 && secondHit.X() == firstHit.X()-1
	return chapter.Finding{
		Truth: "It can be the third as well: a ship of four decks is hit three times before it sinks",
		Example: chapter.MD("a ship on %s, %s, %s and one cell more: the hit at %s is the third, and the list still has %s",
			cellName(secondHit), cellName(firstHit), cellName(next), cellName(next), cellNames(slices.Concat(before[1:], added))),
		Checked: "the targets after two hits, as coded",
	}, chapter.Expect("a third hit with targets left", longest == 4 && inLine && len(before) > 1, next, before)
}

func checkSeconds(s *survey) (chapter.Finding, error) {
	const measured, expected = 17, 30 // seconds, as the post prints them
	games := s.printed[0][0].Games
	return chapter.Finding{
		Truth:   chapter.MD("%d s were measured, by the post itself, for %s players. Also at 25 ms a game it would be %s s", measured, chapter.Thousands(players), places(float64(games)*0.025, 1)),
		Example: chapter.MD("the %d s of update 1", measured),
		Checked: "the post's numbers compared; the times cannot be measured again",
	}, chapter.Expect("less than was expected", measured < expected && players > 1000 && games == players-1)
}

// checkWithoutSquare plays tournaments of the third update's other placements.
func checkWithoutSquare(ctx context.Context) (chapter.Finding, error) {
	others := slices.DeleteFunc(slices.Clone(seven), func(p game.Placement) bool { return p == game.Square36 })
	records := make([]game.Record, len(others))
	for i := range repeats {
		t := game.Tournament{Players: players, Placements: others, Moves: []game.Moves{game.Random}, Halo: true, Redraw: true, Seed: Seed + uint64(i)}
		played, err := t.Play(ctx, game.Options{Workers: 1})
		if err != nil {
			return chapter.Finding{}, err
		}
		for i, p := range others {
			r := played.ByPlacement[p]
			records[i].Wins += r.Wins
			records[i].Losses += r.Losses
		}
	}
	// The share of games won, and half its 95 % interval.
	share := func(p game.Placement) (mean, margin float64) {
		r := records[slices.Index(others, p)]
		n := float64(r.Wins + r.Losses)
		mean = float64(r.Wins) / n
		return mean, 1.96 * math.Sqrt(mean*(1-mean)/n)
	}
	worst, margin := share(game.CenterHorizontal)
	holds, low, high := worst+margin < 0.5, 1.0, 0.0
	for _, p := range []game.Placement{game.Left, game.Right, game.Top, game.Bottom} {
		won, off := share(p)
		holds = holds && won-off > 0.5
		low, high = min(low, won), max(high, won)
	}
	return chapter.Finding{
		Truth:   chapter.MD("The four at the sides would, with %s to %s %% of their games won. The two across the middle do less well", places(100*low, 1), places(100*high, 1)),
		Example: chapter.MD("`center_horizontal` wins %s %% of its games without the square", plusMinus(100*worst, 100*margin, 1)),
		Checked: fmt.Sprintf("%d tournaments of the other six placements", repeats),
	}, chapter.Expect("placements differ without the square", holds, worst, low, high)
}

func checkSixty(*survey) (chapter.Finding, error) {
	cells := game.CenterHorizontal.Region().Count()
	holds := cells == 48
	for _, p := range []game.Placement{game.Left, game.Right, game.Top, game.Bottom, game.CenterVertical} {
		holds = holds && p.Region().Count() == 60
	}
	return chapter.Finding{
		Truth:     chapter.MD("`center_horizontal` has %d in the program: six rows, but only columns 2 to 9", cells),
		Example:   "the cell (0, 4) is in its rows, and not in its region",
		Checked:   "the regions of all placements, cell by cell",
		Recompute: regionsOf(game.Left, game.Right, game.Top, game.Bottom, game.CenterVertical, game.CenterHorizontal),
	}, chapter.Expect("48 cells", holds && !game.CenterHorizontal.Region().Has(game.At(0, 4)), cells)
}

func checkAlike(s *survey) (chapter.Finding, error) {
	equal, shares := recordErrors(s.alike), recordErrors(s.printed[thirdUpdate])
	total, square := int64(0), int64(0)
	for i, r := range thirdRecords {
		total += r.Wins + r.Losses
		if seven[i] == game.Square36 {
			square = r.Wins + r.Losses
		}
	}
	return chapter.Finding{
		Truth:     "At random, but not each with the same probability. If they were drawn alike, then again where the fleet found no place",
		Example:   chapter.MD("%d of its %s records are of placement 36, where one in seven would be %d, and fewer since it loses more often", square, chapter.Thousands(total), total/int64(len(seven))),
		Recompute: knockoutOf(flat(recordsOf(thirdRecords))),
		Checked:   fmt.Sprintf("%d tournaments: the printed records are up to %s standard errors from ours if placements are drawn alike, and within %s if who finds no place draws again", repeats, places(equal, 0), places(shares, 1)),
	}, chapter.Expect("placements not drawn alike", equal > 5 && shares < 3.2 && total == players-1, equal, shares, total)
}

func checkGames(s *survey) (chapter.Finding, error) {
	games := s.printed[0][0].Games
	return chapter.Finding{
		Truth:     chapter.MD("A knockout of %s players has %s games, as each game puts one player out: %s s at 25 ms. And 17 s are %s ms a game, so the 25 ms were those of a single game", chapter.Thousands(players), chapter.Thousands(games), places(float64(games)*0.025, 3), places(17000/float64(games), 1)),
		Example:   chapter.MD("The post's own tables: 508 + 515 = %s", chapter.Thousands(pairs[0].Wins+pairs[0].Losses)),
		Checked:   "by counting the games of a tournament",
		Recompute: knockoutOf(recordsOf(pairs)...),
	}, chapter.Expect("1023 games", games == pairs[0].Wins+pairs[0].Losses, games)
}

// pairs are the wins and losses of tournaments with one placement, as printed.
var pairs = []game.Record{{Wins: 515, Losses: 508}, {Wins: 525, Losses: 498}, {Wins: 505, Losses: 518}, {Wins: 497, Losses: 526}, {Wins: 511, Losses: 512}}

func checkCoin(*survey) (chapter.Finding, error) {
	holds, worst := true, 0.0
	for _, r := range pairs {
		n := float64(r.Wins + r.Losses)
		worst = max(worst, math.Abs(float64(r.Wins)-n/2)/math.Sqrt(n/4))
		holds = holds && r.Wins+r.Losses == players-1
	}
	return chapter.Finding{
		Truth:     "True, but it could not be otherwise: each game has one winner and one loser of that placement, and of each game one player is recorded. The printed numbers are tosses of a coin",
		Example:   chapter.MD("For `left`: 508 + 515 = %s records of %s games", chapter.Thousands(players-1), chapter.Thousands(players-1)),
		Recompute: knockoutOf(recordsOf(pairs)...),
		Checked:   fmt.Sprintf("all %d pairs; the farthest from even is off by %s standard errors", len(pairs), places(worst, 1)),
	}, chapter.Expect("one record for each game", holds && worst < 3, worst)
}

func checkLists(s *survey) (chapter.Finding, error) {
	var coded, described, margins [3]float64
	for i, m := range game.PostMoves() {
		coded[i], _ = s.overall(m, game.AsCoded)
		described[i], margins[i] = s.overall(m, game.AsDescribed)
	}
	helps := described[0]-margins[0] > described[2]+margins[2] && described[0]-margins[0] > described[1]+margins[1]
	return chapter.Finding{
		Truth: "True of the program, but the lists are not to blame. With hits followed up as the text describes, both lists find fleets sooner than random shots",
		Example: chapter.MD("Mean shots for a fleet with random, cross, linear: %s, %s, %s as coded; %s, %s, %s as described", places(coded[0], 1), places(coded[1], 1), places(coded[2], 1),
			places(described[0], 1), places(described[1], 1), places(described[2], 1)),
		Checked: fmt.Sprintf("the recorded measurements, %s fleets of each placement; as described, with disjoint 95 %% intervals", chapter.Thousands(recorded.Fleets)),
	}, chapter.Expect("lists help", helps && coded[1] > coded[0]-0.5 && coded[2] > coded[0]-0.5, coded, described)
}
