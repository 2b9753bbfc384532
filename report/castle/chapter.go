// Package castle is the report's chapter on the castle game: its texts, the data behind every number in them, its
// figures and tables, and the checks of everything that it claims about the posts.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package castle

import (
	"embed"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

//go:embed *.md
var texts embed.FS

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[*survey]{
	Name: "castle", Title: "Castle", Texts: texts,
	Parameters: []chapter.Parameter{gridParameter, surveyParameter, algorithmParameter},
	Data:       chapterData,
	Front:      frontOf,
	Pages: []chapter.Page[*survey]{
		{Name: "rules", Fixed: rulesPage},
		{Name: "play", Fixed: playPage},
		{Name: "compared", Build: comparedPage},
		{Name: "own", Fixed: ownPage},
		{Name: "tests", Fixed: testsPage},
		{Name: "agreement", Build: agreementPage},
		{Name: "hunt", Fixed: huntPage},
		{Name: "border", Fixed: borderPage},
		{Name: "derivation", Fixed: derivationPage},
		{Name: "side", Build: castleSidePage},
		{Name: "counts", Fixed: countsPage},
		{Name: "cost", Fixed: costPage},
		{Name: "lesson", Fixed: lessonPage},
		{Name: "sheet", Fixed: sheetPage},
	},
	Claims: allClaims, Errata: errataPage, Post: "Castle Defense ",
	Questions: questions,
}.Game()

// outcome writes the end of a line of play for a narrow column: "soldiers in 4".
func outcome(w game.Winner, waves int64) string {
	switch w {
	case game.Soldiers:
		return "soldiers in\u00a0" + strconv.FormatInt(waves, 10)
	case game.Castle:
		return "castle in\u00a0" + strconv.FormatInt(waves, 10)
	default:
		return "tie"
	}
}

// waves writes a number of waves.
func waves(n int64) string { return content.Counted(n, "wave", "waves") }

// triple writes a battle for prose and tables, unbroken: (10, 43, 8).
func triple(b game.Battle) string { return chapter.NoBreak(b.String()) }
