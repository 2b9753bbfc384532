// Package ants is the report's chapter on the ant battles: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package ants

import (
	"embed"

	"github.com/siegebook/siegebook/report/chapter"
)

//go:embed *.md
var texts embed.FS

// Seed begins the random positions of the comparison: the year of the contest.
const Seed = 2011

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[chapter.Nothing]{
	Name: "ants", Title: "Ants", Seed: Seed, Texts: texts,
	Pages: []chapter.Page[chapter.Nothing]{
		{Name: "rules", Fixed: rulesPage},
		{Name: "battles", Fixed: battlesPage},
		{Name: "compared", Fixed: comparedPage},
	},
	Claims: func() chapter.Claims { return claimTable().Claims() },
	Errata: errataPage, Post: "Rules of ant battles, ",
	Questions: questions, Open: openQuestions,
}.Game()
