package tower

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// Play returns the end of a battle. The chapter's battles are small, so a battle that is too large is a bug in the
// chapter.
func Play(b game.Battle, strategy game.Strategy) game.Result {
	result, err := b.Play(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/siegebook/tower: %v", err))
	}
	return result
}

// Wins reports whether the soldiers win.
func Wins(b game.Battle, strategy game.Strategy) bool {
	return Play(b, strategy).Winner == game.Soldiers
}

// Need returns the smallest number of soldiers that win with a strategy.
func Need(strategy game.Strategy, h, k, t int64) int64 {
	n, err := game.Battle{HitsPerTower: h, KillsPerTower: k, Towers: t}.MinSoldiers(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/siegebook/tower: %v", err))
	}
	return n
}

// Borders returns the smallest number of soldiers with which the best aim wins against the towers of a battle, and the
// smallest number with which every aim without waste wins.
func Borders(b game.Battle) (least, sure int64) {
	return Need(game.Greedy, b.HitsPerTower, b.KillsPerTower, b.Towers),
		Need(game.Fewest, b.HitsPerTower, b.KillsPerTower, b.Towers)
}

// AfterRound returns the end of a round of a battle, or of its last round if the battle is shorter.
func AfterRound(b game.Battle, strategy game.Strategy, number int64) (found game.Round) {
	for round := range b.Rounds(strategy) {
		if found = round; round.Number == number {
			break
		}
	}
	return found
}

// RoundTable lists a battle round by round, with all numbers that the post tracks.
func RoundTable(id string, b game.Battle, aims aiming) content.Table {
	table := chapter.Table(id, "round", "shots", "soldiers", "towers", "hits of each", "hits", "kills")
	table.Groups = chapter.Groups("", 2, "left at the end of the round", 5)
	var before game.State
	for _, round := range RoundsBy(b, aims) {
		name, fired := content.Int(round.Number), ""
		if round.Number == 0 {
			name = content.Text("start")
		} else {
			fired = shots(aims(before))
		}
		table.Add(name, fired, round.State.Soldiers, round.State.Towers(), standing(round.State.Groups),
			round.State.HitsLeft().Big(), round.KillsLeft.Big())
		before = round.State
	}
	return table
}
