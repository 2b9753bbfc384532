package tower

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/site"
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
	n, err := game.MinSoldiers(strategy, h, k, t, 0)
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
func roundTable(id string, b game.Battle, strategy game.Strategy) site.Table {
	table := site.Table{
		ID: id, RowHeader: true,
		Groups: []site.Group{{Cell: site.Text(""), Span: 2}, {Cell: site.Text("left at the end of the round"), Span: 5}},
		Header: []site.Cell{
			site.Text("round"), site.Text("shots"),
			site.Text("soldiers"), site.Text("towers"), site.Text("hits of each"), site.Text("hits"), site.Text("kills"),
		},
	}
	before := b.Start()
	for round := range b.Rounds(strategy) {
		name, fired := site.Int(round.Number), ""
		if round.Number == 0 {
			name = site.Text("start")
		} else {
			fired = shots(strategy.Aims(before))
		}
		table.Rows = append(table.Rows, []site.Cell{
			name, site.Text(fired),
			site.Int(round.State.Soldiers), site.Int(round.State.Towers()), site.Text(standing(round.State.Groups)),
			site.BigInt(round.State.HitsLeft().Big()), site.BigInt(round.KillsLeft.Big()),
		})
		before = round.State
	}
	return table
}
