package tower

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// TwoPlans is a battle round by round, by the best strategy and by the one that spreads the shots.
func TwoPlans() pictures.Picture {
	return pictures.Picture{Name: "tower-trace", Fields: Map().Fields, See: seeTwoPlans}
}

func seeTwoPlans(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	plans := []game.Strategy{game.Greedy, game.Fewest}
	view := &pictures.View{Bounds: map[string]pictures.Bound{"n": {Least: 1, Most: mostSoldiers}}}
	var ends []string
	for _, plan := range plans {
		r, err := b.Play(plan, needSteps)
		if err != nil {
			return nil, fmt.Errorf("%v: it takes too long to play, choose fewer towers", b)
		}
		ends = append(ends, fmt.Sprintf("by %v %s", plan, End(r)))
	}
	view.Answer = content.ForPeople(strings.ToUpper(ends[0][:1]) + ends[0][1:] + ", " + ends[1])
	view.Say = view.Answer + "."
	view.Parts = []pictures.Part{
		{Plate: &pictures.Plate{
			Key: b.String(), Label: "Soldiers and towers after each round",
			Draw: func() (content.Figure, error) { return Trace(b, plans...).Figure() },
		}},
		pictures.Words(pictures.Drag("n", v), " soldiers against ", pictures.Drag("t", v),
			" towers, each of which stands ", pictures.Drag("h", v), " hits and kills ", pictures.Drag("k", v),
			" soldiers a round."),
	}
	return view, nil
}

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
	trace := figure.Trace{
		Title: fmt.Sprintf("%v, round by round", b), XLabel: "round", YLabel: "number left",
		Steps: true,
	}
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
