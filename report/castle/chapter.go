// Package castle is the report's chapter on the castle game: its texts, the data behind every number in them, its
// figures and tables, and the checks of everything that it claims about the posts.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package castle

import (
	"github.com/siegebook/siegebook/report/chapter"
)

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[*survey]{
	Name: "castle", Title: "Castle",
	Parameters: []chapter.Parameter{gridParameter, surveyParameter},
	Data:       chapterData,
	Front:      frontOf,
	Pages: []chapter.Page[*survey]{
		{Name: "rules", Build: rulesPage},
		{Name: "play", Build: playPage},
		{Name: "compared", Build: comparedPage},
		{Name: "tests", Build: testsPage},
		{Name: "agreement", Build: agreementPage},
		{Name: "derivation", Build: derivationPage},
		{Name: "side", Build: castleSidePage},
		{Name: "counts", Build: countsPage},
		{Name: "cost", Build: costPage},
	},
	Claims: claims, Errata: errataPage, Post: "Castle Defense ",
	Questions: questions, Open: openQuestions,
}.Game()
