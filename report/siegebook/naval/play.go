package naval

import (
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// These constants define the fleet with which readers begin, and the strategy that shoots at it.
const (
	playPlacement = game.Anywhere
	playTargeting = game.Density
)

// PlayGames is the number of games from which the fleet's mean is computed, as in the explorable.
const PlayGames = 200

// PlayFleet returns the fleet with which readers begin.
func PlayFleet() game.Fleet {
	fleet, _, err := game.PlaceFleet([]game.Placement{playPlacement}, Seed, 0)
	chapter.Assert(err)
	return fleet
}

// PlayedOut plays games in which density sinks the fleet of player 0. It returns the first game, and the number of
// shots in each game.
func PlayedOut(fleet game.Fleet) (g game.Game, shots []int) {
	strategy := game.Strategy{Moves: game.Random, Targeting: playTargeting, Halo: true}
	g.Players = [2]game.Player{{Placement: playPlacement}, {Strategy: strategy}}
	g.Fleets[0], g.Winner = fleet, 1
	for number := range uint64(PlayGames) {
		s := chapter.Must(game.NewShooter(strategy, fleet, Seed, number))
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

// PlayStart returns the state of the explorable at its start, with the means of the strategies, in the order of the
// strategies.
func PlayStart(fleet game.Fleet) []content.Setting {
	var means []string
	for _, c := range game.Contenders() {
		mean, _ := Measured().Overall(c.Moves, c.Targeting)
		means = append(means, places(mean, 1))
	}
	way := pictures.Way(game.Strategy{Moves: game.Random, Targeting: playTargeting})
	return content.Settings("way", way, "mine", playPlacement, "game", Seed, "draws", Seed,
		"fleet", pictures.Ships(fleet[:]), "means", strings.Join(means, ","))
}
