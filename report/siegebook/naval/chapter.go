// Package naval is the report's chapter on the naval battle: its texts, the data for every number in them, its figures
// and tables, and the checks of its claims about the post.
//
// All numbers in the prose are computed, and a false claim fails the build.
package naval

import (
	"context"
	"embed"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/siegebook/naval/recorded"
)

//go:embed *.md
var texts embed.FS

// Seed is the seed of all random choices in this chapter, except in the recorded measurements, which have their own
// seeds.
const Seed = 1

// Game is the chapter's entry in the list of the book's games.
var Game = chapter.Game{
	Name: "naval", Title: "Naval battle", Seed: Seed, Texts: texts,
	Claims: func() chapter.Claims { return claimTable().Claims() },
	Post:   "25 ms naval battle, ",
	Open:   openQuestions,
}

// openQuestions computes the known facts about the questions that the post and our pages leave open.
func openQuestions(ctx context.Context) (map[string]chapter.Known, error) {
	least, err := LeastShots(ctx)
	if err != nil {
		return nil, err
	}
	sample := Even().Of(game.Random, game.Informed, game.Uniform)
	played, err := PlayTournaments(ctx)
	if err != nil {
		return nil, err
	}
	off := played.RecordsOff()
	holds := least.Mean < sample.Mean()-sample.Margin() && off < 3
	if err := chapter.Expect("what is known about the open questions", holds, least, sample, off); err != nil {
		return nil, err
	}
	return map[string]chapter.Known{
		"naval-best-shooter": {Values: map[string]any{
			"least": places(least.Mean, 1), "worst": least.Worst, "even": PlusMinus(sample.Mean(), sample.Margin(), 1),
			"fleets": chapter.Thousands(recorded.Fleets),
		}},
		"naval-third-draw": {Values: map[string]any{"off": places(off, 1), "repeats": Repeats}},
	}, nil
}
