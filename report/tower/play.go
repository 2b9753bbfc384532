package tower

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
)

// play is the end of a battle. The chapter's battles are small; one that were not is a fault of the chapter.
func play(b game.Battle, strategy game.Strategy) game.Result {
	result, err := b.Play(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/tower: %v", err))
	}
	return result
}

func wins(b game.Battle, strategy game.Strategy) bool {
	return play(b, strategy).Winner == game.Soldiers
}

// need is how many soldiers it takes to win.
func need(strategy game.Strategy, h, k, t int64) int64 {
	n, err := game.Battle{HitsPerTower: h, KillsPerTower: k, Towers: t}.MinSoldiers(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/tower: %v", err))
	}
	return n
}

// afterRound is the end of a round of a battle, the last one if it is shorter.
func afterRound(b game.Battle, strategy game.Strategy, number int64) (found game.Round) {
	for round := range b.Rounds(strategy) {
		if found = round; round.Number == number {
			break
		}
	}
	return found
}

// roundTable lists a battle with everything that the post tracks.
func roundTable(id string, b game.Battle, aims aiming) content.Table {
	table := content.Table{
		ID: id, RowHeader: true,
		Groups: []content.Group{{Cell: content.Text(""), Span: 2}, {Cell: content.Text("left at the end of the round"), Span: 5}},
		Header: chapter.Row("round", "shots", "soldiers", "towers", "hits of each", "hits", "kills"),
	}
	var before game.State
	for _, round := range roundsBy(b, aims) {
		name, fired := content.Int(round.Number), ""
		if round.Number == 0 {
			name = content.Text("start")
		} else {
			fired = shots(aims(before))
		}
		table.Rows = append(table.Rows, chapter.Row(name, fired, round.State.Soldiers, round.State.Towers(), standing(round.State.Groups), round.State.HitsLeft().Big(), round.KillsLeft.Big()))
		before = round.State
	}
	return table
}
