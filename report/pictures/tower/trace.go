package tower

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/figure"
)

// End says in a few words how a battle ends, such as "the soldiers win in round 2 with 7 left".
func End(r game.Result) string {
	left := r.SoldiersLeft
	if r.Winner == game.Towers {
		left = r.TowersLeft
	}
	return fmt.Sprintf("the %v win in round %d with %d left", r.Winner, r.Rounds, left)
}

// Trace returns the drawing of soldiers and towers after each round of a battle, the first 10,000 at most, with a panel
// for each strategy, of which there are four at most.
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
