package naval

import (
	"context"
	"math"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/naval"
	"github.com/siegebook/siegebook/report/site"
)

// classicFleets is how many fleets of the classic kind each strategy shoots at.
const classicFleets = 20_000

// publishedDensity is the mean of a density shooter for the classic fleet with its 95 % interval, over 20,000 games:
// github.com/Canon-Regularis/mayflower, README at commit 074fc6fd, "Self-play". There a shooter is told the length of a
// ship that he sinks, and all fleets are equally likely.
const (
	publishedDensity       = 44.369
	publishedDensityMargin = 0.122
	publishedDensityGames  = 20_000
)

// addClassic measures strategies against the classic fleet, beside a public mean.
func addClassic(ctx context.Context, _ *survey, page *site.Page) error {
	m := game.Measurement{
		Placements: []game.Placement{game.Anywhere, game.Uniform}, Fleets: classicFleets, Seed: Seed,
		Totals: game.Totals{Rules: game.Classic},
		Strategies: []game.Strategy{
			{Moves: game.Random, Targeting: game.Proper, Halo: true},
			{Moves: game.Diagonal, Targeting: game.Proper, Halo: true},
			{Moves: game.Random, Targeting: game.Density, Halo: true},
		},
	}
	size := chapter.Get(m.Size())
	totals := chapter.Get(m.Part(ctx, grid.Block{Size: size}, game.Options{}))
	table := chapter.Table("classic", "strategy", "placed ship by ship", "±", "all fleets equally likely", "±")
	blind := places(game.Classic.BlindMean(), 2)
	table.Rows = append(table.Rows, chapter.Row("blind, computed", content.Decimal(blind), "", content.Decimal(blind),
		""))
	density := 0.0
	lasts := make([]float64, len(m.Placements))
	for i, s := range m.Strategies {
		row := chapter.Row(pictures.Label(s))
		for k, p := range m.Placements {
			t, _ := totals.Of(p, s)
			sample := t.Sample()
			row = append(row, content.Decimal(sample.MeanText(2)), content.Decimal(sample.MarginText(2)))
			chapter.Do(chapter.Expect("each strategy needs fewer shots of the classic fleet than the one before",
				i == 0 || sample.Mean()+sample.Margin() < lasts[k], p, s, sample.Mean(), lasts[k]))
			density, lasts[k] = sample.Mean(), sample.Mean()-sample.Margin()
		}
		table.Rows = append(table.Rows, row)
	}
	table.Rows = append(table.Rows, chapter.Row("a density shooter of others, published", "", "",
		content.Decimal(places(publishedDensity, 2)), content.Decimal(places(publishedDensityMargin, 2))))
	page.Tables = append(page.Tables, table)
	page.Values["classic fleets"] = chapter.Thousands(classicFleets)
	page.Values["classic published"] = plusMinus(publishedDensity, publishedDensityMargin, 2)
	page.Values["classic published games"] = chapter.Thousands(publishedDensityGames)
	return chapter.Expect("density is near the published mean", math.Abs(density-publishedDensity) < 0.5, density)
}
