// Package ants is the report's chapter on the ant battles: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package ants

import "github.com/siegebook/siegebook/report/chapter"

// Seed begins the random positions of the comparison: the year of the contest.
const Seed = 2011

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[chapter.Nothing]{
	Name: "ants", Title: "Ants", Seed: Seed,
	Pages: []chapter.Page[chapter.Nothing]{
		{Name: "rules", Build: rulesPage},
		{Name: "battles", Build: battlesPage},
		{Name: "compared", Build: comparedPage},
	},
	Claims: func(chapter.Nothing) chapter.Claims {
		return chapter.Claims{Errata: claims(), Confirmed: confirmedFacts(), Noted: notedClaims()}
	},
	Errata: errataPage, Post: "Rules of ant battles, ",
	Questions: questions, Open: openQuestions,
}.Game()
