// Package tower is the report's chapter on the tower game: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
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

// Seed is where the simulated battles of the chapter begin.
const Seed = 1

// Game is the chapter's entry in the report's register.
var Game = chapter.Game{
	Name: "tower", Title: "Towers", Seed: Seed, Texts: texts,
	Claims: func() chapter.Claims { return claimTable().Claims() }, Post: "Tower Defense, ",
}

// FirstLost returns the first battle of a plane that the soldiers can win and lose by a program, which readers may have
// written as [listings.Tower] says, and how it ends then.
func FirstLost(p pictures.Plane, program string) (lost game.Battle, end game.Result, found bool) {
	aim := chapter.Get(listing.Read("program", []byte(program), games.TowerSignature, listing.Limits{}))
	for b := range p.Battles() {
		var last game.Round
		for round, err := range games.Tower(aim, b) {
			chapter.Do(err)
			last = round
		}
		if last.Winner == game.Towers && Wins(b, game.Greedy) {
			return b, game.Result{Winner: game.Towers, Rounds: last.Number, TowersLeft: last.State.Towers()}, true
		}
	}
	return lost, end, false
}
