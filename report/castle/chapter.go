// Package castle is the report's chapter on the castle game: its texts, the data behind every number in them, its
// figures and tables, and the checks of everything that it claims about the posts.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package castle

import (
	"embed"

	"github.com/siegebook/siegebook/report/chapter"
)

//go:embed *.md
var texts embed.FS

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[*survey]{
	Name: "castle", Title: "Castle", Texts: texts,
	Parameters: []chapter.Parameter{gridParameter, surveyParameter},
	Data:       chapterData,
	Front:      frontOf,
	Pages: []chapter.Page[*survey]{
		{Name: "rules", Fixed: rulesPage},
		{Name: "play", Fixed: playPage},
		{Name: "compared", Build: comparedPage},
		{Name: "tests", Fixed: testsPage},
		{Name: "agreement", Build: agreementPage},
		{Name: "derivation", Fixed: derivationPage},
		{Name: "side", Build: castleSidePage},
		{Name: "counts", Fixed: countsPage},
		{Name: "cost", Fixed: costPage},
	},
	Claims: allClaims, Errata: errataPage, Post: "Castle Defense ",
	Questions: questions, Open: openQuestions,
}.Game()
