package naval

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/naval/recorded"
	"github.com/siegebook/siegebook/report/site"
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
		{
			ID: "naval-slip", Title: "The ends of a line", Where: "the strategy, and the first listing",
			Printed: `After a second hit the next shots are at two cells from each end of the line`, Verdict: chapter.Wrong,
			Check: with(checkSlip),
		},
		{
			ID: "naval-second-hit", Title: "The hit after the first", Where: "the first listing",
			Printed: `If the list of targets is not empty at a hit, it is the second`, Verdict: chapter.Slip,
			Check: with(checkSecondHit),
		},
		{
			ID: "naval-seconds", Title: "Half a minute", Where: "list of improvements, update 1",
			Printed: `In theory a tournament of 1000 players takes about 30 seconds`, Verdict: chapter.Slip,
			Check: with(checkSeconds),
		},
		{
			ID: "naval-sixty", Title: "Sixty cells", Where: "update 3",
			Printed: `The other placements are all variations of 60 cells for the ships of one deck`, Verdict: chapter.Wrong,
			Check: with(checkSixty),
		},
		{
			ID: "naval-alike", Title: "Drawn at random", Where: "update 3, its last table",
			Printed: `Each player has a placement assigned randomly`, Verdict: chapter.Gap, Stands: chapter.Verified,
			Check: with(checkAlike),
		},
		{
			ID: "naval-games", Title: "The number of games", Where: "update 1",
			Printed: `1022 games of 25 ms would take 25.55 seconds; why it was 17 is unknown`, Verdict: chapter.Slip,
			Check: with(checkGames),
		},
		{
			ID: "naval-coin", Title: "No difference", Where: "update 3",
			Printed: `If all use the same placement, there is no difference between winners and losers`, Verdict: chapter.Slip,
			Stands: chapter.Verified, Check: with(checkCoin),
		},
		{
			ID: "naval-without-square", Title: "Without the square", Where: "update 3",
			Printed: `Without the square of 36 all placements would do about as well`, Verdict: chapter.Wrong,
			Check: checkWithoutSquare,
		},
		{
			ID: "naval-lists", Title: "What lists are worth", Where: "update 4",
			Printed: `The number of moves has not decreased with additional ways to make moves`, Verdict: chapter.Gap,
			Stands: chapter.Verified, Check: with(checkLists),
		},
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
		Truth: "The program adds two values of one coordinate as if they were a column and a row, so the ends of the " +
			"line are mostly not what it shoots at",
		Example: chapter.MD(
			"First hit at %s, second at %s, next target %s: it adds %s, which lie on no line with them. In the square of "+
				"36 that makes %s moves a game instead of %s",
			cellName(firstHit),
			cellName(secondHit),
			cellName(next),
			cellNames(added),
			plusMinus(coded, codedMargin, 1),
			plusMinus(described, describedMargin, 1),
		),
		Checked: fmt.Sprintf(
			"%d tournaments of each, and the recorded measurements of all %d placements: as coded takes longer on each, "+
				"with disjoint 95 %% intervals",
			repeats, len(game.PostPlacements()),
		),
	}, chapter.Expect("the slip costs moves", holds, coded, described)
}

// checkSecondHit takes the hits of a ship of four decks, the third at the next target after those that checkSlip has.
func checkSecondHit(*survey) (chapter.Finding, error) {
	before, added, next := slipped()
	longest := slices.Max(game.Lengths())
	inLine := next.Y() == firstHit.Y() && next.Y() == secondHit.Y() && next.X() == firstHit.X()+1 &&
		secondHit.X() == firstHit.X()-1
	return chapter.Finding{
		Truth: "It can be the third as well: a ship of four decks is hit three times before it sinks",
		Example: chapter.MD(
			"a ship on %s, %s, %s and one cell more: the hit at %s is the third, and the list still has %s",
			cellName(secondHit),
			cellName(firstHit),
			cellName(next),
			cellName(next),
			cellNames(slices.Concat(before[1:], added)),
		),
		Checked: "the targets after two hits, as coded",
	}, chapter.Expect("a third hit with targets left", longest == 4 && inLine && len(before) > 1, next, before)
}

func checkSeconds(s *survey) (chapter.Finding, error) {
	const measured, expected = 17, 30 // seconds, as the post prints them
	games := s.printed[0][0].Games
	return chapter.Finding{
		Truth: chapter.MD(
			"%d s were measured, by the post itself, for %s players. Also at 25 ms a game it would be %s s", measured,
			chapter.Thousands(players), places(float64(games)*0.025, 1),
		),
		Example: chapter.MD("the %d s of update 1", measured),
		Checked: "the post's numbers compared; the times cannot be measured again",
	}, chapter.Expect("less than was expected", measured < expected && players > 1000 && games == players-1)
}

// checkWithoutSquare plays tournaments of the third update's other placements.
func checkWithoutSquare(ctx context.Context) (chapter.Finding, error) {
	others := slices.DeleteFunc(slices.Clone(seven), func(p game.Placement) bool { return p == game.Square36 })
	records := make([]game.Record, len(others))
	for i := range repeats {
		t := game.Tournament{
			Players: players, Placements: others, Moves: []game.Moves{game.Random}, Halo: true, Redraw: true,
			Seed: Seed + uint64(i),
		}
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
		Truth: chapter.MD(
			"The four at the sides would, with %s to %s %% of their games won. The two across the middle do less well",
			places(100*low, 1), places(100*high, 1),
		),
		Example: chapter.MD(
			"`center_horizontal` wins %s %% of its games without the square", plusMinus(100*worst, 100*margin, 1),
		),
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
		Truth: "At random, but not each with the same probability. If they were drawn alike, then again where the " +
			"fleet found no place",
		Example: chapter.MD(
			"%d of its %s records are of placement 36, where one in seven would be %d, and fewer since it loses more often",
			square, chapter.Thousands(total), total/int64(len(seven)),
		),
		Recompute: knockoutOf(flat(recordsOf(thirdRecords))),
		Checked: fmt.Sprintf(
			"%d tournaments: the printed records are up to %s standard errors from ours if placements are drawn alike, "+
				"and within %s if who finds no place draws again",
			repeats, places(equal, 0), places(shares, 1),
		),
	}, chapter.Expect("placements not drawn alike", equal > 5 && shares < 3.2 && total == players-1, equal, shares, total)
}

func checkGames(s *survey) (chapter.Finding, error) {
	games := s.printed[0][0].Games
	return chapter.Finding{
		Truth: chapter.MD(
			"A knockout of %s players has %s games, as each game puts one player out: %s s at 25 ms. And 17 s are %s ms a "+
				"game, so the 25 ms were those of a single game",
			chapter.Thousands(players), chapter.Thousands(games), places(float64(games)*0.025, 3),
			places(17000/float64(games), 1),
		),
		Example:   chapter.MD("The post's own tables: 508 + 515 = %s", chapter.Thousands(pairs[0].Wins+pairs[0].Losses)),
		Checked:   "by counting the games of a tournament",
		Recompute: knockoutOf(recordsOf(pairs)...),
	}, chapter.Expect("1023 games", games == pairs[0].Wins+pairs[0].Losses, games)
}

// pairs are the wins and losses of tournaments with one placement, as printed.
var pairs = []game.Record{
	{Wins: 515, Losses: 508},
	{Wins: 525, Losses: 498},
	{Wins: 505, Losses: 518},
	{Wins: 497, Losses: 526},
	{Wins: 511, Losses: 512},
}

func checkCoin(*survey) (chapter.Finding, error) {
	holds, worst := true, 0.0
	for _, r := range pairs {
		n := float64(r.Wins + r.Losses)
		worst = max(worst, math.Abs(float64(r.Wins)-n/2)/math.Sqrt(n/4))
		holds = holds && r.Wins+r.Losses == players-1
	}
	return chapter.Finding{
		Truth: "True, but it could not be otherwise: each game has one winner and one loser of that placement, and of " +
			"each game one player is recorded. The printed numbers are tosses of a coin",
		Example: chapter.MD(
			"For `left`: 508 + 515 = %s records of %s games", chapter.Thousands(players-1), chapter.Thousands(players-1),
		),
		Recompute: knockoutOf(recordsOf(pairs)...),
		Checked: fmt.Sprintf(
			"all %d pairs; the farthest from even is off by %s standard errors", len(pairs), places(worst, 1),
		),
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
		Truth: "True of the program, but the lists are not to blame. With hits followed up as the text describes, both " +
			"lists find fleets sooner than random shots",
		Example: chapter.MD(
			"Mean shots for a fleet with random, cross, linear: %s, %s, %s as coded; %s, %s, %s as described",
			places(coded[0], 1),
			places(coded[1], 1),
			places(coded[2], 1),
			places(described[0], 1),
			places(described[1], 1),
			places(described[2], 1),
		),
		Checked: fmt.Sprintf(
			"the recorded measurements, %s fleets of each placement; as described, with disjoint 95 %% intervals",
			chapter.Thousands(recorded.Fleets),
		),
	}, chapter.Expect("lists help", helps && coded[1] > coded[0]-0.5 && coded[2] > coded[0]-0.5, coded, described)
}

// confirmedFacts are statements of the post that hold.
func confirmedFacts() []chapter.Claim {
	facts := []chapter.Claim{
		{
			ID: "naval-powers", Where: "update 1",
			Printed: `The number of players must be a power of two, such as 1024, 512, 256 … 2`, Check: confirmPowers,
		},
		{
			ID: "naval-halos", Where: "update 2", Printed: `Halos improve the number of moves significantly`,
			Check: with(confirmHalos),
		},
		{
			ID: "naval-winners", Where: "update 1", Printed: `Winners and losers make about the same number of moves`,
			Check: with(confirmWinners),
		},
		{
			ID: "naval-blind", Where: "update 1", Printed: `Both play about the same, and equally inefficiently`,
			Check: with(confirmBlind),
		},
		{
			ID:      "naval-least",
			Where:   "update 4",
			Printed: `random_12 and 36 are clearly the least effective placements`,
			Check: with(func(s *survey) (chapter.Finding, error) {
				return chapter.Finding{
					Checked: fmt.Sprintf(
						"%d tournaments: both win fewer games than each of the others, though random_12 only just", repeats,
					),
				}, leastEffective(s)
			}),
		},
	}
	for i, t := range printedTrials() {
		facts = append(facts, chapter.Claim{
			ID: fmt.Sprintf("naval-trial-%d", i), Where: t.name,
			Printed: chapter.MD(
				"%s: a game takes %.2f moves, winners make %.2f, losers %.2f, and losers score %.2f", site.Escape(t.setting),
				t.printed[0], t.printed[1], t.printed[2], t.printed[3],
			),
			Check: with(func(s *survey) (chapter.Finding, error) {
				z := s.worst(i)
				return chapter.Finding{
					Checked: fmt.Sprintf("%d tournaments; %s standard errors at most", repeats, places(math.Abs(z), 1)),
				}, chapter.Expect("the printed means", math.Abs(z) <= 3, z)
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
	return chapter.Finding{
		Checked: fmt.Sprintf("all numbers up to %s", chapter.Thousands(most)), Recompute: knockoutOf(),
	}, nil
}

func confirmHalos(s *survey) (chapter.Finding, error) {
	without, _ := meanOf(collect(s.printed[0], game.Statistics.MeanMoves))
	with, _ := meanOf(collect(s.printed[secondUpdate], game.Statistics.MeanMoves))
	return chapter.Finding{
			Checked: fmt.Sprintf("%d tournaments each: from %s to %s moves", repeats, places(without, 1), places(with, 1)),
		},
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
	return chapter.Finding{
		Checked: fmt.Sprintf(
			"winners make %s to %s more, in every tournament 20 less the losers' score, or up to one fewer", places(least, 1),
			places(most, 1),
		),
	}, nil
}

func confirmBlind(s *survey) (chapter.Finding, error) {
	winners, _ := meanOf(collect(s.printed[0], game.Statistics.MeanMovesWinners))
	return chapter.Finding{
			Checked: fmt.Sprintf(
				"a player who learns nothing needs %s shots for a fleet, exactly; without halos the winners make %s",
				places(game.BlindMean(), 2), places(winners, 1),
			),
			Recompute: blindOf(),
		},
		chapter.Expect("little better than blind", winners > 0.85*game.BlindMean() && winners < game.BlindMean(), winners)
}

// legalFleets is the number of fleets that keep the rules, as the page says it; a check counts them.
const legalFleets = 1_855_545_978_831_780

// notedClaims are what the post says beside what the page of the errata lists, and what we say of the game.
func notedClaims() []chapter.Claim {
	const rules, placement, shooting, out = "page:naval-rules", "page:naval-placement", "page:naval-shooting", "sec:naval-errata/left-out"
	open := func(why string) func(context.Context) (chapter.Finding, error) {
		return func(context.Context) (chapter.Finding, error) { return chapter.Finding{Checked: why}, nil }
	}
	const hisMachine = "a time of the author's computer, which cannot be measured again"
	return slices.Concat(settledClaims(), pageClaims(), []chapter.Claim{
		{
			ID: "naval-25-ms", Where: "title, update 1", Ref: out, Stands: chapter.Open,
			Printed: `A game takes 25 ms, and a tournament 17 s`, Check: open(hisMachine),
		},
		{
			ID: "naval-50-s", Where: "update 4", Ref: out, Stands: chapter.Open,
			Printed: `With more ways to make moves a tournament takes 50 s instead of 25`,
			Check:   open(hisMachine + "; update 1 has 17 s"),
		},
		{
			ID: "naval-picture", Where: "update 4", Ref: out, Stands: chapter.Open,
			Printed: `A picture shows the wins by placement and moves`,
			Check:   open("they are in a picture, whose numbers are not in the text"),
		},
		{
			ID:      "naval-two-more",
			Where:   "the strategy",
			Ref:     shooting,
			Printed: `After two hits at most two more cells of the ship are left`,
			Check: func(context.Context) (chapter.Finding, error) {
				most := 0
				for _, decks := range game.Lengths() {
					most = max(most, decks)
				}
				return chapter.Finding{Checked: "the longest ship has four decks"}, chapter.Expect(
					"two more cells", most-2 == 2, most,
				)
			},
		},
		{
			ID: "naval-square", Where: "the strategy", Ref: placement,
			Printed: `The square of 36 leaves a border of two cells, in which all other ships find room`, Check: checkSquare,
		},
		{
			ID:      "naval-win-at-ten",
			Where:   "other",
			Ref:     rules,
			Printed: `A fleet has ten ships, and 20 hits sink it`,
			Check: func(context.Context) (chapter.Finding, error) {
				decks := 0
				for _, d := range game.Lengths() {
					decks += d
				}
				f, _, err := game.PlaceFleet([]game.Placement{game.Anywhere}, Seed, 0)
				if err != nil {
					return chapter.Finding{}, err
				}
				return chapter.Finding{Checked: "the ships counted", Recompute: fleetOf(f)}, chapter.Expect(
					"20 decks of ten ships", decks == fleetDecks && len(f) == 10, decks,
				)
			},
		},
		{
			ID:      "naval-last-moves",
			Where:   "update 1",
			Ref:     placement,
			Printed: `Losers are about two points short: the win is decided in the last moves`,
			Check: with(func(s *survey) (chapter.Finding, error) {
				score, _ := meanOf(collect(s.printed[0], game.Statistics.MeanLosersScore))
				return chapter.Finding{
					Checked: fmt.Sprintf("%d tournaments: %s points are missing on average", repeats, places(fleetDecks-score, 1)),
				}, chapter.Expect("about two points", math.Abs(fleetDecks-score-2) < 0.6, score)
			}),
		},
		{
			ID:      "naval-products",
			Where:   "update 1",
			Ref:     "sec:naval-errata/naval-games",
			Printed: `1022 games of 25 ms are 25.55 s`,
			Check: func(context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: "the product, which is right; the number of games is not"}, chapter.Expect(
					"a product", 1022*25 == 25550,
				)
			},
		},
		{
			ID:      "naval-more-losers",
			Where:   "update 3",
			Ref:     "sec:naval-placement/shares",
			Printed: `Where placements are mixed, more players with 36 lose than win`,
			Check: with(func(s *survey) (chapter.Finding, error) {
				worst := game.Record{}
				for i, r := range thirdRecords {
					if seven[i] == game.Square36 {
						worst = r
					}
				}
				share, _ := s.wonShare(game.Square36)
				return chapter.Finding{
						Checked: fmt.Sprintf(
							"%d to %d in the post; a share of %s %% won in ours", worst.Wins, worst.Losses, places(100*share, 1),
						),
						Recompute: knockoutOf(flat(recordsOf(thirdRecords))),
					},
					chapter.Expect("36 loses more", worst.Wins < worst.Losses && share < 0.5, worst, share)
			}),
		},
		{
			ID:      "naval-chance",
			Where:   "update 4",
			Ref:     placement,
			Printed: `Among equals each win is a matter of chance`,
			Check: func(context.Context) (chapter.Finding, error) {
				worst := 0.0
				for _, r := range pairs {
					n := float64(r.Wins + r.Losses)
					worst = max(worst, math.Abs(float64(r.Wins)-n/2)/math.Sqrt(n/4))
				}
				return chapter.Finding{
					Checked: fmt.Sprintf(
						"the picture that the post says this of is lost; in the tournaments of update 3, whose players are equals, "+
							"the records are up to %s standard errors from even",
						places(worst, 1),
					),
					Recompute: knockoutOf(recordsOf(pairs)...),
				}, chapter.Expect("even records", worst < 3, worst)
			},
		},
		{
			ID:      "naval-blind-mean",
			Where:   "blind shooting",
			Ours:    true,
			Ref:     "sec:naval-rules/blind",
			Proof:   "sec:proofs-naval/1-blind-shooting",
			Printed: `Who shoots at random and learns nothing needs 2020/21 shots for a fleet on average`,
			Check: func(context.Context) (chapter.Finding, error) {
				mean, _ := lastDeck(boardCells, fleetDecks).Float64()
				return chapter.Finding{
					Checked: "proved; the sum over all places of the last deck", Recompute: blindOf(),
				}, chapter.Expect("the mean of blind shooting", lastDeck(boardCells, fleetDecks).RatString() == "2020/21", mean)
			},
		},
		{
			ID:    "naval-fleet-count",
			Where: "counting",
			Ours:  true,
			Ref:   "sec:naval-placement/fleets",
			Printed: chapter.MD(
				"There are %s legal fleets, if equal ships are not told apart", chapter.Thousands(int64(legalFleets)),
			),
			Check: func(ctx context.Context) (chapter.Finding, error) {
				s, err := surveyed(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				small, err := fleetsOf(
					ctx, game.Waters{Cols: 4, Rows: 5, Ships: []int{3, 2, 1}}, game.Waters{Cols: 5, Rows: 5, Ships: []int{2, 2, 1}},
					game.Waters{Cols: 6, Rows: 4, Ships: []int{4, 1, 1}},
				)
				if err != nil {
					return chapter.Finding{}, err
				}
				return chapter.Finding{
					Checked:   "counted along a profile, a method that agrees with placing ship after ship on small boards",
					Recompute: small,
				}, chapter.Expect("the number of fleets", s.fleets == uint64(legalFleets), s.fleets)
			},
		},
	})
}

// checkSquare places a fleet with its single decks in the square: ships with more decks must fit around it.
func checkSquare(context.Context) (chapter.Finding, error) {
	region := game.Square36.Region()
	f, _, err := game.PlaceFleet([]game.Placement{game.Square36}, Seed, 0)
	if err != nil {
		return chapter.Finding{}, err
	}
	holds := region.Count() == 36
	for _, ship := range f {
		for c := range ship.Cells().All() {
			holds = holds && region.Has(c) == (ship.Decks == 1)
		}
	}
	return chapter.Finding{
		Checked:   "the region, and a fleet that is placed so",
		Recompute: chapter.Together(regionsOf(game.Square36), fleetOf(f)),
	}, chapter.Expect("a fleet around the square", holds)
}

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
					Truth: chapter.MD(
						"There is: informed needs %s shots on average, ± %s, and no strategy of the post fewer than %s. Whether "+
							"there is a better one yet is an [open question](questions.html#naval-best-shooter)",
						places(informed, 1), places(margin, 1), places(least, 1),
					),
					Checked: "the recorded measurements, over the post's eight placements",
				}, chapter.Expect("informed is better than the post's strategies", informed+margin < least, informed, least)
			}),
		},
		{
			ID: "naval-likeliest-cell", Where: "the page on shooting, until lately", Ours: true,
			Ref: "sec:naval-shooting/likeliest", Stands: chapter.Refuted,
			Printed: `The best shot is at a cell where a ship most probably is`,
			Check:   checkLikeliest,
		},
		{
			ID: "naval-redraw", Where: "third update", Ours: true, Ref: "sec:naval-placement/shares",
			Printed: `If a player whose fleet finds no place draws another placement, tournaments have the wins and ` +
				`losses that the third update prints, within three standard errors`,
			Check: with(func(s *survey) (chapter.Finding, error) {
				off := recordErrors(s.printed[thirdUpdate])
				return chapter.Finding{
					Checked: fmt.Sprintf(
						"%d tournaments: all numbers are within %s standard errors. Whether the program of that day did so, nobody "+
							"can tell",
						repeats, places(off, 1),
					),
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
			example = fmt.Sprintf(
				"%d × %d cells with ships of %s decks: %v shots for all %d fleets, and %v if each shot is at a likeliest cell",
				w.Rows, w.Cols, decksOf(w), total(best.Shots), best.Fleets, total(likeliest.Shots),
			)
		}
	}
	return chapter.Finding{
		Truth:     "Not always: another cell may teach more",
		Example:   chapter.MD("%s", example),
		Checked:   "all shooters of small waters",
		Recompute: chapter.Together(checks...),
	}, chapter.Expect("the likeliest cell is not always the best", len(checks) > 0)
}

// pageClaims are what our pages say of every game, and of every ship.
func pageClaims() []chapter.Claim {
	return []chapter.Claim{
		{
			ID: "naval-race", Where: "the game", Ours: true, Ref: "sec:naval-rules/race", Proof: "sec:naval-rules/race",
			Printed: `The player who needs fewer misses to sink the other's fleet wins, and of two who need as many, the ` +
				`one who moves first`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				return chapter.Finding{
					Checked: fmt.Sprintf("proved; %s games, played to the end", chapter.Thousands(raceGames)),
				}, checkRace(ctx)
			},
		},
		{
			ID: "naval-halo", Where: "the game", Ours: true, Ref: "sec:naval-rules/rules",
			Printed: `A ship of $d$ decks has up to $2d + 6$ cells around it that no other ship may take, and $d + 2$ in ` +
				`a corner`,
			Check: func(context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: "all places of all ships"}, checkHalos()
			},
		},
	}
}

// drawnGames are a tournament of two who draw where their fleets lie and how they shoot.
func drawnGames() game.Tournament {
	return game.Tournament{Players: 2, Placements: game.PostPlacements(), Moves: game.PostMoves(), Halo: true, Seed: Seed}
}

func errataPage(all chapter.Checked) (site.Page, error) {
	page := site.Page{
		Values: map[string]any{"seed": Seed},
	}
	return chapter.Errata(page, all), nil
}

// regionsOf gives the sizes of regions that are rectangles to the ledger's checker: first and last column, first and
// last row, cells.
func regionsOf(placements ...game.Placement) any {
	var rows [][5]int
	for _, p := range placements {
		left, right, top, bottom := game.Side, -1, game.Side, -1
		for c := range p.Region().All() {
			left, right = min(left, c.X()), max(right, c.X())
			top, bottom = min(top, c.Y()), max(bottom, c.Y())
		}
		rows = append(rows, [5]int{left, right, top, bottom, p.Region().Count()})
	}
	return map[string]any{"game": "naval", "kind": "regions", "regions": rows}
}

// knockoutOf gives the number of games to the checker, with records that add up to it.
func knockoutOf(records ...[]int64) any {
	if records == nil {
		records = [][]int64{}
	}
	return map[string]any{
		"game": "naval", "kind": "knockout", "players": players, "games": players - 1, "records": records,
	}
}

// recordsOf are wins and losses as the checker reads them: a list for each placement.
func recordsOf(records []game.Record) (lists [][]int64) {
	for _, r := range records {
		lists = append(lists, []int64{r.Wins, r.Losses})
	}
	return lists
}

// flat joins the records of placements that take turns: together they are those of one tournament.
func flat(records [][]int64) []int64 { return slices.Concat(records...) }

// fleetOf gives a fleet to the checker, cell by cell.
func fleetOf(f game.Fleet) any {
	var ships [][][2]int
	var sums []int
	for _, ship := range f {
		var cells [][2]int
		sum := 0
		for c := range ship.Cells().All() {
			cells = append(cells, [2]int{c.X(), c.Y()})
			sum += 10*c.Y() + c.X()
		}
		ships, sums = append(ships, cells), append(sums, sum)
	}
	return map[string]any{"game": "naval", "kind": "fleet", "ships": ships, "cells": sums}
}

// blindOf gives the mean of blind shooting to the checker.
func blindOf() any {
	mean := lastDeck(boardCells, fleetDecks)
	return map[string]any{
		"game": "naval", "kind": "blind", "cells": boardCells, "decks": fleetDecks,
		"mean": []any{mean.Num(), mean.Denom()},
	}
}

// fleetsOf gives the numbers of fleets on small boards to the checker, counted as those of the post's board are. The
// error is that of the count.
func fleetsOf(ctx context.Context, boards ...game.Waters) (any, error) {
	var checks []any
	for _, w := range boards {
		fleets, err := game.CountFleets(ctx, w.Cols, w.Rows, w.Ships)
		if err != nil {
			return nil, err
		}
		checks = append(
			checks,
			map[string]any{
				"game": "naval", "kind": "waters", "rows": w.Rows, "columns": w.Cols, "ships": w.Ships,
				"fleets": fleets,
			},
		)
	}
	return chapter.Together(checks...), nil
}
