// Package tower is the report's chapter on the tower game: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package tower

import (
	"context"
	"embed"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/listings"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

//go:embed *.md
var texts embed.FS

// Seed is where the simulated battles of the chapter begin.
const Seed = 1

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[chapter.Nothing]{
	Name: "tower", Title: "Towers", Seed: Seed, Texts: texts,
	Pages: []chapter.Page[chapter.Nothing]{
		{Name: "random", Fixed: randomPage},
		{Name: "own", Fixed: ownPage},
	},
	Claims: func() chapter.Claims { return claimTable().Claims() }, Post: "Tower Defense, ",
}.Game()

// ownPlane is where the page for readers' aims begins.
var ownPlane = pictures.Plane{
	HitsPerTower: 6, KillsPerTower: 2, Soldiers: grid.Range{First: 1, Last: 80}, Towers: grid.Range{First: 1, Last: 20},
}

// ownPage lets readers write an aim. Its figure begins with a battle that the program at the start loses.
func ownPage(context.Context) site.Page {
	page := site.Page{Values: map[string]any{}}
	start := listings.TowerExamples[0]
	program := chapter.Get(listing.Read("even.star", []byte(start.Text), games.TowerSignature, listing.Limits{}))
	p := ownPlane
	var lost *game.Battle
	var end, best game.Result
	battles := 0
	for b := range p.Battles() {
		battles++
		if lost != nil {
			continue
		}
		var last game.Round
		for round, err := range games.Tower(program, b) {
			chapter.Do(err)
			last = round
		}
		if best = Play(b, game.Greedy); best.Winner == game.Soldiers && last.Winner == game.Towers {
			lost = &b
			end = game.Result{Winner: last.Winner, Rounds: last.Number, TowersLeft: last.State.Towers()}
		}
	}
	chapter.Expect("the program at the start loses a battle that can be won", lost != nil, p)
	best = Play(*lost, game.Greedy)
	chapter.Set(page.Values, "program", content.Markdown(start.Text), "language", content.Markdown(listings.Language()),
		"battles", chapter.Thousands(battles), "h", p.HitsPerTower, "k", p.KillsPerTower,
		"lost", chapter.MD("%v: by the program %s, by the best aim %s", *lost, pictures.End(end), pictures.End(best)))
	chapter.Explore(&page, "own", listings.Tower, content.Settings("h", p.HitsPerTower, "k", p.KillsPerTower,
		"na", p.Soldiers.First, "nz", p.Soldiers.Last, "ta", p.Towers.First, "tz", p.Towers.Last,
		"n", lost.Soldiers, "t", lost.Towers)...)
	return page
}
