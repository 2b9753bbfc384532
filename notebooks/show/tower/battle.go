package tower

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
)

// maxRows is the number of rounds of a battle that a table lists.
const maxRows = 200

// Battle returns the table of a battle that is played by a strategy, round by round. After 200 rows it breaks off, and says so.
func Battle(b game.Battle, strategy game.Strategy) *show.Table {
	table := show.NewTable(fmt.Sprintf("%v, %v: %s", b, strategy, End(play(b, strategy))),
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
		table.Row(name, round.State.Soldiers, round.State.Towers(), standing(round.State.Groups), round.State.HitsLeft().Big(), round.KillsLeft.Big())
	}
	return table
}

// play is the end of a battle; it ends the cell if the battle would take too long.
func play(b game.Battle, strategy game.Strategy) game.Result {
	result, err := b.Play(strategy, 0)
	if err != nil {
		show.Fail("%v", err)
	}
	return result
}

// standing writes towers by the hits that they can take, such as "1 × 2, 3 × 1".
func standing(groups []game.Group) string {
	var parts []string
	for _, g := range groups {
		parts = append(parts, fmt.Sprintf("%d × %d", g.Towers, g.Hits))
	}
	return strings.Join(parts, ", ")
}

// End says in a few words how a battle ends, such as "the soldiers win in round 2 with 7 left".
func End(r game.Result) string {
	left := r.SoldiersLeft
	if r.Winner == game.Towers {
		left = r.TowersLeft
	}
	return fmt.Sprintf("the %v win in round %d with %d left", r.Winner, r.Rounds, left)
}

// Trace returns the drawing of soldiers and towers after each round of a battle, a panel for each strategy, of which there are four at most.
// It shows the first 10,000 rounds at most.
func Trace(b game.Battle, strategies ...game.Strategy) figure.Trace {
	const maxPoints = 10_000
	trace := figure.Trace{Title: fmt.Sprintf("%v, round by round", b), XLabel: "round", YLabel: "number left", Steps: true}
	for _, strategy := range strategies {
		var soldiers, towers []figure.Point
		for round := range b.Rounds(strategy) {
			if len(soldiers) == maxPoints {
				break
			}
			x := float64(round.Number)
			soldiers = append(soldiers, figure.Point{X: x, Y: float64(round.State.Soldiers)})
			towers = append(towers, figure.Point{X: x, Y: float64(round.State.Towers())})
		}
		trace.Panels = append(trace.Panels, figure.Panel{Title: strategy.String(), Series: []figure.Series{
			{Name: "soldiers", Points: soldiers}, {Name: "towers", Points: towers},
		}})
	}
	return trace
}
