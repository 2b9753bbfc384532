// Package tower is the report's chapter on the tower game: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package tower

import (
	"embed"

	"github.com/siegebook/siegebook/report/chapter"
)

//go:embed *.md
var texts embed.FS

// Seed is where the simulated battles of the chapter begin.
const Seed = 1

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[chapter.Nothing]{
	Name: "tower", Title: "Towers", Seed: Seed, Texts: texts,
	Pages: []chapter.Page[chapter.Nothing]{
		{Name: "rules", Fixed: rulesPage},
		{Name: "strategies", Fixed: strategiesPage},
		{Name: "random", Fixed: randomPage},
		{Name: "own", Fixed: ownPage},
	},
	Claims: allClaims, Errata: errataPage, Post: "Tower Defense, ",
	Questions: questions,
}.Game()
