package castle

import (
	"cmp"
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// Compare judges a strategy of the reader's own on all battles of a plane, beside the algorithms of the library:
//
//	view.Compare(view.Plane(24, "1:96", "1:60"), "mine", func(wave int64, s castle.State) castle.Orders { ... })
//
// It shows a table with a row for each, a map of the waves that the strategy loses, and the first battle that it plays
// worse than it could, beside best play. It ends the cell if the plane is not one that [Plane] makes, if the library
// has an algorithm of that name, or if the strategy gives an order that is not legal.
func Compare(p pictures.Plane, name string, strategy game.Strategy) {
	validPlane(p)
	if strategy == nil {
		show.Fail("%s: the strategy is nil, give a function that returns the soldiers' orders", name)
	}
	if _, taken := game.AlgorithmNamed(name); taken || name == "" {
		show.Fail("name %q: choose another one, it is empty or that of an algorithm of the library", name)
	}
	mine := ownAlgorithm(name, strategy)
	army := grid.Range{First: p.Soldiers, Last: p.Soldiers}
	survey, err := game.NewSurvey(context.Background(), army, p.CastleHits, p.Defenders, game.SurveyOptions{
		Algorithms: append(game.DefaultSurveyed(), mine), Effort: game.Effort{Steps: game.SurveySteps},
	})
	if err != nil {
		show.Fail("%v", err)
	}
	comparison(survey, mine).Show()
	lost := pictures.WavesLost(p, []game.Algorithm{mine}, func(_ game.Algorithm, b game.Battle) (game.Answer, bool) {
		answer, err := mine.Answer(context.Background(), b, game.Effort{Steps: game.SurveySteps})
		return answer, err == nil
	})
	lost.Title = fmt.Sprintf("Waves lost by %s, n = %d", name, p.Soldiers)
	show.Figure(lost)
	tally, _ := survey.Of(name)
	first := cmp.Or(tally.First.WrongSide, tally.First.TooMany)
	if first == nil {
		show.Text("%s plays every battle of this map as well as best play.", name)
		return
	}
	show.Text("This is the first battle that %s plays worse than it could. Below it is best play:", name)
	Battle(*first, strategy).Show()
	Battle(*first, first.Solve().Strategy()).Show()
}

// ownAlgorithm is a strategy as an algorithm that a survey can ask.
func ownAlgorithm(name string, strategy game.Strategy) game.Algorithm {
	return game.Algorithm{
		Name: name, Title: name, Kind: game.Heuristic, Question: game.PlaysLine,
		Answer: func(_ context.Context, b game.Battle, effort game.Effort) (answer game.Answer, err error) {
			checked := func(wave int64, s game.State) game.Orders {
				orders := strategy(wave, s)
				if low, high := s.Moves(); err == nil && (orders.AtDefenders < low || orders.AtDefenders > high) {
					err = fmt.Errorf("%s in battle %v, wave %d, state %v: %d soldiers at defenders, order %d to %d",
						name, b, wave, s, orders.AtDefenders, low, high)
					orders = game.Orders{AtDefenders: low}
				}
				return orders
			}
			steps := int64(0)
			for run := range b.Runs(checked) {
				if steps++; err != nil || run.Winner == game.Undecided && steps == effort.Steps {
					return game.Answer{}, cmp.Or[error](err, &game.LimitError{Battle: b, Limit: effort.Steps})
				}
				answer = game.Answer{Winner: run.Winner, Waves: run.Last, SoldiersLeft: run.End.Soldiers}
			}
			return answer, nil
		},
	}
}

// comparison has a row for each algorithm of a survey, the reader's own first.
func comparison(survey game.Survey, mine game.Algorithm) *show.Table {
	title := fmt.Sprintf(
		"%d soldiers: %d battles, of which %d can be won",
		survey.Soldiers.First,
		survey.Battles,
		survey.Winnable,
	)
	t := show.NewTable(title, "algorithm", "right", "right where it can be won", "wrong side",
		"too few waves", "too many waves", "mean extra waves", "most")
	row := func(a game.Algorithm) {
		tally, _ := survey.Of(a.Name)
		won, mean, most := "–", "–", "0"
		if survey.Winnable > 0 {
			won = figure.Share(tally.RightWinnable, survey.Winnable)
		}
		if m := tally.MeanExtraWaves(); m != nil {
			mean = m.FloatString(3)
		}
		if at := tally.ExtraWavesMaxAt; at != nil {
			most = fmt.Sprintf("%d at %v", tally.ExtraWavesMax, *at)
		}
		right := "not asked"
		switch {
		case tally.Battles == survey.Battles:
			right = figure.Share(tally.Right, tally.Battles)
		case tally.Battles > 0:
			right = fmt.Sprintf("%s of %d", figure.Share(tally.Right, tally.Battles), tally.Battles)
			won = "–"
		}
		t.Row(a.Title, right, won, tally.WrongSide, tally.TooFew, tally.TooMany, mean, most)
	}
	row(mine)
	for _, a := range game.DefaultSurveyed() {
		row(a)
	}
	return t
}
