package naval

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
)

// pageClaims are what our pages say of every game, and of every ship.
func pageClaims() []chapter.Claim {
	return []chapter.Claim{
		{
			ID: "naval-race", Where: "the game", Ours: true, Ref: "sec:naval-rules/race", Proof: "sec:naval-rules/race",
			Printed: `The player who needs fewer misses to sink the other's fleet wins, and of two who need as many, the one who moves first`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: fmt.Sprintf("proved; %s games, played to the end", chapter.Thousands(raceGames))}, checkRace(ctx)
			},
		},
		{
			ID: "naval-halo", Where: "the game", Ours: true, Ref: "sec:naval-rules/rules",
			Printed: `A ship of $d$ decks has up to $2d + 6$ cells around it that no other ship may take, and $d + 2$ in a corner`,
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
