package ants

import (
	"context"
	"math/rand/v2"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

// Random positions: each crowd stands on a torus of this side, in cells drawn without bias, each ant of A or B by a
// coin.
const (
	crowdSide   = 20
	crowdRounds = 300
)

var crowdSizes = []int{10, 20, 40, 60, 80, 120, 160, 200}

// randomArmy draws so many ants of two armies on a torus.
func randomArmy(rng *rand.Rand, side, ants int) []game.Ant {
	army := make([]game.Ant, ants)
	for i, cell := range rng.Perm(side * side)[:ants] {
		army[i] = game.Ant{Row: cell / side, Col: cell % side, Owner: rune('A' + rng.IntN(2))}
	}
	return army
}

// addCrowds compares the rules on random positions.
func addCrowds(ctx context.Context, page *site.Page) error {
	solver, err := game.NewSolver(game.World{Rows: crowdSide, Cols: crowdSide, Radius2: game.ContestRadius2})
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(Seed, 0))
	died := content.Table{
		ID: "crowds", RowHeader: true,
		Groups: []content.Group{
			{Cell: content.Text(""), Span: 2},
			{Cell: content.Text("ants that die"), Span: len(game.Rules())},
			{Cell: content.Text("positions in which those die who die by focus"), Span: len(game.Rules()) - 1},
		},
		Header: chapter.Row("ants on the map", "ants in all"),
	}
	series := make([]figure.Series, len(game.Rules()))
	for i, rule := range game.Rules() {
		died.Header = append(died.Header, content.Text(rule.String()))
		series[i].Name = rule.String()
	}
	for _, rule := range game.Rules()[1:] {
		died.Header = append(died.Header, content.Text(rule.String()))
	}
	for _, ants := range crowdSizes {
		crowds, err := judgeCrowds(ctx, solver, rng, ants)
		if err != nil {
			return err
		}
		died.Rows = append(died.Rows, crowdRow(crowds, ants, series, page.Values))
		if err := chapter.Expect("damage within focus within support", within(crowds, game.Damage, game.Focus) &&
			within(crowds, game.Focus, game.Support)); err != nil {
			return err
		}
	}
	page.Tables = append(page.Tables, died)
	page.Values["crowd side"], page.Values["crowd rounds"] = crowdSide, crowdRounds
	return chapter.Draw(page, "crowds", figure.Lines{
		Title:  "The share of ants that die, by how many stand on the map",
		X:      figure.Axis{Label: "ants on 20 × 20 cells"},
		Y:      figure.Axis{Label: "deaths per 100 ants", Min: 0, Max: 100},
		Series: series,
	})
}

func judgeCrowds(ctx context.Context, solver *game.Solver, rng *rand.Rand, ants int) ([]judged, error) {
	crowds := make([]judged, crowdRounds)
	for i := range crowds {
		crowds[i].army = randomArmy(rng, crowdSide, ants)
		if err := crowds[i].judge(ctx, solver); err != nil {
			return nil, err
		}
	}
	return crowds, nil
}

// crowdRow counts the dead and the positions in which rules agree with focus, and adds a point to each series. The
// values are those of the smallest and the largest crowd.
func crowdRow(crowds []judged, ants int, series []figure.Series, values map[string]any) []content.Cell {
	row := chapter.Row(ants, ants*crowdRounds)
	for i, rule := range game.Rules() {
		n := 0
		for _, c := range crowds {
			n += c.deaths(i)
		}
		row = append(row, content.Int(n))
		share := 100 * float64(n) / float64(ants*crowdRounds)
		series[i].Points = append(series[i].Points, figure.Point{X: float64(ants), Y: share})
		values["many ants"], values["many "+rule.String()] = ants, figure.Percent(n, ants*crowdRounds, 1)
	}
	for i, rule := range game.Rules()[1:] {
		n := 0
		for _, c := range crowds {
			if c.same(0, i+1) {
				n++
			}
		}
		row = append(row, content.Int(n))
		if ants == crowdSizes[0] {
			values["few ants"], values["few "+rule.String()] = ants, n
		}
	}
	return row
}
