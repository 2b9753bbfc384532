package naval

import (
	"context"
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/naval/recorded"
	pictures "github.com/siegebook/siegebook/report/pictures/naval"
	"github.com/siegebook/siegebook/report/site"
)

// informedBeats checks that Informed needs fewer shots than Density on all placements, with disjoint 95 % intervals,
// and returns the least and the greatest difference of the means.
func informedBeats(list []recorded.Measurement) (least, most float64, err error) {
	least = math.Inf(1)
	for _, p := range game.PostPlacements() {
		informed, density := sampleOf(list, game.Random, game.Informed, p), sampleOf(list, game.Random, game.Density, p)
		gap := density.Mean() - informed.Mean()
		least, most = min(least, gap), max(most, gap)
		if err := chapter.Expect("informed beats density with disjoint intervals", gap > density.Margin()+informed.Margin(),
			p, density, informed); err != nil {
			return 0, 0, err
		}
	}
	return least, most, nil
}

// addBest shows Informed and Density against the same fleet, and how far they are apart.
func addBest(ctx context.Context, s *survey, page *site.Page) error {
	for _, run := range []struct {
		name string
		list []recorded.Measurement
	}{{"gap", s.measured}, {"confirmed", s.confirmed}} {
		least, most, err := informedBeats(run.list)
		if err != nil {
			return fmt.Errorf("%s: %w", run.name, err)
		}
		page.Values[run.name+" least"], page.Values[run.name+" most"] = places(least, 1), places(most, 1)
	}
	page.Values["confirmed seed"] = recorded.ConfirmedSeed
	informed, _ := s.overall(game.Random, game.Informed)
	coded, _ := s.overall(game.Random, game.AsCoded)
	page.Values["saved"] = places(coded-informed, 1)
	shooters := []game.Targeting{game.Density, game.Informed}
	games, seed, err := firstWins(ctx, shooters)
	if err != nil {
		return err
	}
	if err := chapter.Expect("both meet the same fleet", games[0].Fleets[1] == games[1].Fleets[1], seed); err != nil {
		return err
	}
	var fleets []figure.Grid
	for i, g := range games {
		name := shooters[i].String()
		fleets = append(fleets, pictures.Fleet(name, g, 1))
		page.Values["board "+name] = len(pictures.ShotsAt(g, 1))
	}
	page.Values["board seed"] = seed
	return chapter.Draw(page, "informed", pictures.Board("Density and informed against the same fleet", fleets...))
}

// firstWins plays a game by each targeting, with the first seed with which player 1 sinks the other's fleet in all of
// them.
func firstWins(ctx context.Context, shooters []game.Targeting) (games []game.Game, seed uint64, err error) {
	for seed = Seed; ctx.Err() == nil; seed++ {
		games = games[:0]
		for _, targeting := range shooters {
			g, err := game.Tournament{
				Players: 2, Placements: []game.Placement{game.Square36}, Moves: []game.Moves{game.Random}, Targeting: targeting,
				Halo: true, Seed: seed,
			}.FirstGame()
			if err != nil {
				return nil, 0, err
			}
			if g.Winner != 0 {
				break
			}
			games = append(games, g)
		}
		if len(games) == len(shooters) {
			return games, seed, nil
		}
	}
	return nil, 0, canceled.Cause(ctx)
}
