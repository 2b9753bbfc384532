package tower

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/notebooks/show"
	pictures "github.com/siegebook/siegebook/report/pictures/tower"
)

// maxRows is the number of rounds of a battle that a table lists.
const maxRows = 200

// Battle returns the table of a battle that is played by a strategy, round by round. After 200 rows it breaks off, and
// says so. It ends the cell if the battle or the strategy is not valid.
func Battle(b game.Battle, strategy game.Strategy) *show.Table {
	if err := b.Validate(); err != nil {
		show.Fail("%v", err)
	}
	if _, err := strategy.MarshalText(); err != nil {
		show.Fail("%v", err)
	}
	result, err := b.Play(strategy, 0)
	if err != nil { // it would take too long
		show.Fail("%v", err)
	}
	table := show.NewTable(fmt.Sprintf("%v, %v: %s", b, strategy, pictures.End(result)),
		"round", "soldiers left", "towers left", "towers × hits of each", "hits left", "kills left")
	rows := 0
	for round := range b.Rounds(strategy) {
		if rows++; rows > maxRows {
			return table.Row("and so on", "", "", "", "", "")
		}
		name := fmt.Sprint(round.Number)
		if round.Number == 0 {
			name = "start"
		}
		table.Row(
			name,
			round.State.Soldiers,
			round.State.Towers(),
			standing(round.State.Groups),
			round.State.HitsLeft().Big(),
			round.KillsLeft.Big(),
		)
	}
	return table
}

// standing writes towers by the hits that they can take, such as "1 × 2, 3 × 1".
func standing(groups []game.Group) string {
	var parts []string
	for _, g := range groups {
		parts = append(parts, fmt.Sprintf("%d × %d", g.Towers, g.Hits))
	}
	return strings.Join(parts, ", ")
}
