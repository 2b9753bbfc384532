// Package naval is the report's chapter on the naval battle: its texts, the data behind every number in them, its
// figures and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package naval

import (
	"context"
	"embed"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/listings"
	"github.com/siegebook/siegebook/report/siegebook/naval/recorded"
)

//go:embed *.md
var texts embed.FS

// Seed is where all begins that chance decides in this chapter, save the recorded measurements, which have their own.
const Seed = 1

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[*survey]{
	Name: "naval", Title: "Naval battle", Seed: Seed, Texts: texts,
	Data: func(ctx context.Context, _ chapter.Settings) (*survey, error) { return surveyed(ctx) },
	Pages: []chapter.Page[*survey]{
		{Name: "rules", Fixed: rulesPage},
		{Name: "play", Build: playPage},
		{Name: "placement", Build: placementPage},
		{Name: "shooting", Build: shootingPage},
		{Name: "own", Fixed: ownPage},
	},
	Claims: func() chapter.Claims { return claimTable().Claims() },
	Errata: func(page *site.Page) { page.Values["seed"] = Seed }, Post: "25 ms naval battle, ",
	Open: openQuestions,
}.Game()

// ownFleets are how many fleets of each placement the page for readers' players begins with.
const ownFleets = 10

// ownPage lets readers write a player who shoots.
func ownPage(context.Context) site.Page {
	page := site.Page{Values: map[string]any{
		"program":  content.Markdown(listings.NavalExamples[0].Text),
		"language": content.Markdown(listings.Language()),
		"fleets":   chapter.Thousands(ownFleets * len(game.PostPlacements())), "last cell": game.Side - 1,
	}}
	chapter.Explore(&page, "own", listings.Naval, content.Settings("fa", 1, "fz", ownFleets, "f", 1, "p", 1)...)
	return page
}

// openQuestions computes what is known of those that the post and our pages leave open.
func openQuestions(ctx context.Context) map[string]chapter.Known {
	s := chapter.Get(surveyed(ctx))
	least, worst := s.least()
	even := sampleOf(s.even, game.Random, game.Informed, game.Uniform)
	off := recordErrors(s.printed[thirdUpdate])
	chapter.Expect("what is known of the open questions",
		least < even.Mean()-even.Margin() && off < 3, least, even, off)
	return map[string]chapter.Known{
		"naval-best-shooter": {Values: map[string]any{
			"least": places(least, 1), "worst": worst, "even": plusMinus(even.Mean(), even.Margin(), 1),
			"fleets": chapter.Thousands(recorded.Fleets),
		}},
		"naval-third-draw": {Values: map[string]any{"off": places(off, 1), "repeats": repeats}},
	}
}
