package naval

import (
	"context"
	"fmt"
	"math"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
)

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
		{ID: "naval-25-ms", Where: "title, update 1", Ref: out, Stands: chapter.Open, Printed: `A game takes 25 ms, and a tournament 17 s`, Check: open(hisMachine)},
		{ID: "naval-50-s", Where: "update 4", Ref: out, Stands: chapter.Open, Printed: `With more ways to make moves a tournament takes 50 s instead of 25`, Check: open(hisMachine + "; update 1 has 17 s")},
		{ID: "naval-picture", Where: "update 4", Ref: out, Stands: chapter.Open, Printed: `A picture shows the wins by placement and moves`, Check: open("they are in a picture, whose numbers are not in the text")},
		{ID: "naval-two-more", Where: "the strategy", Ref: shooting, Printed: `After two hits at most two more cells of the ship are left`, Check: func(context.Context) (chapter.Finding, error) {
			most := 0
			for _, decks := range game.Lengths() {
				most = max(most, decks)
			}
			return chapter.Finding{Checked: "the longest ship has four decks"}, chapter.Expect("two more cells", most-2 == 2, most)
		}},
		{ID: "naval-square", Where: "the strategy", Ref: placement, Printed: `The square of 36 leaves a border of two cells, in which all other ships find room`, Check: checkSquare},
		{ID: "naval-win-at-ten", Where: "other", Ref: rules, Printed: `A fleet has ten ships, and 20 hits sink it`, Check: func(context.Context) (chapter.Finding, error) {
			decks := 0
			for _, d := range game.Lengths() {
				decks += d
			}
			f, _, err := game.PlaceFleet([]game.Placement{game.Anywhere}, Seed, 0)
			if err != nil {
				return chapter.Finding{}, err
			}
			return chapter.Finding{Checked: "the ships counted", Recompute: fleetOf(f)}, chapter.Expect("20 decks of ten ships", decks == fleetDecks && len(f) == 10, decks)
		}},
		{ID: "naval-last-moves", Where: "update 1", Ref: placement, Printed: `Losers are about two points short: the win is decided in the last moves`, Check: with(func(s *survey) (chapter.Finding, error) {
			score, _ := meanOf(collect(s.printed[0], game.Statistics.MeanLosersScore))
			return chapter.Finding{Checked: fmt.Sprintf("%d tournaments: %s points are missing on average", repeats, places(fleetDecks-score, 1))}, chapter.Expect("about two points", math.Abs(fleetDecks-score-2) < 0.6, score)
		})},
		{ID: "naval-products", Where: "update 1", Ref: "sec:naval-errata/naval-games", Printed: `1022 games of 25 ms are 25.55 s`, Check: func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{Checked: "the product, which is right; the number of games is not"}, chapter.Expect("a product", 1022*25 == 25550)
		}},
		{ID: "naval-more-losers", Where: "update 3", Ref: "sec:naval-placement/shares", Printed: `Where placements are mixed, more players with 36 lose than win`, Check: with(func(s *survey) (chapter.Finding, error) {
			worst := game.Record{}
			for i, r := range thirdRecords {
				if seven[i] == game.Square36 {
					worst = r
				}
			}
			share, _ := s.wonShare(game.Square36)
			return chapter.Finding{Checked: fmt.Sprintf("%d to %d in the post; a share of %s %% won in ours", worst.Wins, worst.Losses, places(100*share, 1)), Recompute: knockoutOf(flat(recordsOf(thirdRecords)))},
				chapter.Expect("36 loses more", worst.Wins < worst.Losses && share < 0.5, worst, share)
		})},
		{ID: "naval-chance", Where: "update 4", Ref: placement, Printed: `Among equals each win is a matter of chance`, Check: func(context.Context) (chapter.Finding, error) {
			worst := 0.0
			for _, r := range pairs {
				n := float64(r.Wins + r.Losses)
				worst = max(worst, math.Abs(float64(r.Wins)-n/2)/math.Sqrt(n/4))
			}
			return chapter.Finding{Checked: fmt.Sprintf("the picture that the post says this of is lost; in the tournaments of update 3, whose players are equals, the records are up to %s standard errors from even", places(worst, 1)), Recompute: knockoutOf(recordsOf(pairs)...)}, chapter.Expect("even records", worst < 3, worst)
		}},
		{ID: "naval-blind-mean", Where: "blind shooting", Ours: true, Ref: "sec:naval-rules/blind", Proof: "sec:proofs-naval/1-blind-shooting", Printed: `Who shoots at random and learns nothing needs 2020/21 shots for a fleet on average`, Check: func(context.Context) (chapter.Finding, error) {
			mean, _ := lastDeck(boardCells, fleetDecks).Float64()
			return chapter.Finding{Checked: "proved; the sum over all places of the last deck", Recompute: blindOf()}, chapter.Expect("the mean of blind shooting", lastDeck(boardCells, fleetDecks).RatString() == "2020/21", mean)
		}},
		{ID: "naval-fleet-count", Where: "counting", Ours: true, Ref: "sec:naval-placement/fleets", Printed: chapter.MD("There are %s legal fleets, if equal ships are not told apart", chapter.Thousands(int64(legalFleets))), Check: func(ctx context.Context) (chapter.Finding, error) {
			s, err := surveyed(ctx)
			if err != nil {
				return chapter.Finding{}, err
			}
			small, err := fleetsOf(ctx, game.Waters{Cols: 4, Rows: 5, Ships: []int{3, 2, 1}}, game.Waters{Cols: 5, Rows: 5, Ships: []int{2, 2, 1}}, game.Waters{Cols: 6, Rows: 4, Ships: []int{4, 1, 1}})
			if err != nil {
				return chapter.Finding{}, err
			}
			return chapter.Finding{Checked: "counted along a profile, a method that agrees with placing ship after ship on small boards", Recompute: small}, chapter.Expect("the number of fleets", s.fleets == uint64(legalFleets), s.fleets)
		}},
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
