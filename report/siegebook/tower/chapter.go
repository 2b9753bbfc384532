// Package tower is the report's chapter on the tower game: its texts, the data for every number in them, its figures
// and tables, and the checks of its claims about the post.
//
// All numbers in the prose are computed, and a false claim fails the build.
package tower

import (
	"embed"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

//go:embed *.md
var texts embed.FS

// Seed is the first seed of the chapter's simulated battles.
const Seed = 1

// Game is the chapter's entry in the list of the book's games.
var Game = chapter.Game{
	Name: "tower", Title: "Towers", Seed: Seed, Texts: texts,
	Claims: func() chapter.Claims { return claimTable().Claims() }, Post: "Tower Defense, ",
}

// FirstLost returns the first battle of a plane that the soldiers can win and a reader's program loses, and how the
// battle ends. Readers write programs as [listings.Tower] describes.
func FirstLost(p pictures.Plane, program string) (lost game.Battle, end game.Result, found bool) {
	aim := chapter.Must(listing.Read("program", []byte(program), games.TowerSignature, listing.Limits{}))
	for b := range p.Battles() {
		var last game.Round
		for round, err := range games.Tower(aim, b) {
			chapter.Assert(err)
			last = round
		}
		if last.Winner == game.Towers && Wins(b, game.Greedy) {
			return b, game.Result{Winner: game.Towers, Rounds: last.Number, TowersLeft: last.State.Towers()}, true
		}
	}
	return lost, end, false
}
