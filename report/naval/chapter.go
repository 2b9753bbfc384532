// Package naval is the report's chapter on the naval battle: its texts, the data behind every number in them, its
// figures and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package naval

import (
	"context"
	"embed"

	"github.com/siegebook/siegebook/report/chapter"
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
	Errata: errataPage, Post: "25 ms naval battle, ",
	Questions: questions, Open: openQuestions,
}.Game()
