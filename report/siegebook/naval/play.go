package naval

import (
	"context"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// The fleet with which readers begin, and who shoots at it.
const (
	playPlacement = game.Anywhere
	playTargeting = game.Density
)

// playGames is in how many games the fleet's mean is measured, as the explorable does.
const playGames = 200

func playPage(_ context.Context, s *survey) site.Page {
	fleet, _, err := game.PlaceFleet([]game.Placement{playPlacement}, Seed, 0)
	chapter.Do(err)
	page := site.Page{
		Values: map[string]any{
			"games": playGames, "placements": len(game.PostPlacements()), "ways": len(game.Contenders()),
			"blind": places(game.BlindMean(), 1),
		},
	}
	mean, _ := s.overall(game.Random, playTargeting)
	page.Values["density"] = places(mean, 1)
	g, shots := playedOut(fleet)
	chapter.Set(page.Values, "first needs", shots[0], "fleet mean", places(meanShots(shots), 1),
		"first cell", cellName(g.Shots[0].At))
	chapter.Expect("the fleet is sunk by a hit", g.Shots[len(g.Shots)-1].Outcome == game.Sunk &&
		len(g.Shots) == shots[0], shots[0])
	start := chapter.Get(pictures.Playing().Figure(playStart(s, fleet)...))
	page.Figures = append(page.Figures, start.Named("play"))
	chapter.Draw(&page, "played", pictures.Board("Density against this fleet", pictures.Fleet("", g, 0)))
	return page
}

// playedOut lets a strategy sink the fleet of player 0, and returns the first game and the shots of each.
func playedOut(fleet game.Fleet) (g game.Game, shots []int) {
	strategy := game.Strategy{Moves: game.Random, Targeting: playTargeting, Halo: true}
	g.Players = [2]game.Player{{Placement: playPlacement}, {Strategy: strategy}}
	g.Fleets[0], g.Winner = fleet, 1
	for number := range uint64(playGames) {
		s := chapter.Get(game.NewShooter(strategy, fleet, Seed, number))
		for !s.Done() {
			at, outcome := s.Shoot()
			if number == 0 {
				g.Shots = append(g.Shots, game.Shot{Player: 1, At: at, Outcome: outcome})
			}
		}
		shots = append(shots, s.Shots())
	}
	return g, shots
}

func meanShots(shots []int) float64 {
	sum := 0
	for _, n := range shots {
		sum += n
	}
	return float64(sum) / float64(len(shots))
}

// playStart is the state of the explorable at its start, with the means of the strategies, in their order.
func playStart(s *survey, fleet game.Fleet) []content.Setting {
	var means []string
	for _, c := range game.Contenders() {
		mean, _ := s.overall(c.Moves, c.Targeting)
		means = append(means, places(mean, 1))
	}
	way := pictures.Way(game.Strategy{Moves: game.Random, Targeting: playTargeting})
	return content.Settings("way", way, "mine", playPlacement, "game", Seed, "draws", Seed,
		"fleet", pictures.Ships(fleet[:]), "means", strings.Join(means, ","))
}
