package naval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/naval/recorded"
	pictures "github.com/siegebook/siegebook/report/pictures/naval"
	"github.com/siegebook/siegebook/report/site"
)

func shootingPage(ctx context.Context, s *survey) (site.Page, error) {
	page := site.Page{
		Values: map[string]any{
			"seed": Seed, "blind": places(game.BlindMean(), 2),
			"recorded": chapter.Thousands(recorded.Fleets), "recorded seed": recorded.MeasuredSeed, "head": recorded.Head,
			"placements": len(game.PostPlacements()),
		},
	}
	for _, add := range []func(context.Context, *survey, *site.Page) error{
		checkHeads, addTargets, addShotHeat, addSlip, addMatrix, addRaces, addBest, addSmall, addShootingExercises,
	} {
		if err := add(ctx, s, &page); err != nil {
			return site.Page{}, err
		}
	}
	return page, addLists(&page)
}

// checkHeads measures the first fleets of every recorded measurement again.
func checkHeads(ctx context.Context, s *survey, page *site.Page) error {
	want := len(recorded.Contenders()) * len(game.PostPlacements())
	page.Values["measurements"] = want
	if err := chapter.Expect("all measurements are recorded", len(s.measured) == want, len(s.measured)); err != nil {
		return err
	}
	list := slices.Concat(s.measured, s.confirmed)
	return chapter.Each(ctx, len(list), func(i int) error {
		number := len(list) - 1 - i // the last take longest
		m, seed := list[number], uint64(recorded.MeasuredSeed)
		if number >= want {
			seed = recorded.ConfirmedSeed
		}
		found, err := game.Measure(ctx, m.Strategy, m.Placement, recorded.Head, seed, game.Options{Workers: 1})
		if err != nil {
			return err
		}
		return chapter.Expect(
			"the first fleets of a recorded measurement", found == m.Head && m.All.Fleets == recorded.Fleets,
			label(m.Strategy), m.Placement, found, m.Head,
		)
	})
}

// The maps of shots: how many of the first shots of so many games' players are counted.
const (
	firstShots    = 20
	shotHeatGames = 2500
)

// addShotHeat maps the first shots of six strategies.
func addShotHeat(ctx context.Context, _ *survey, page *site.Page) error {
	list := []game.Strategy{
		{Moves: game.Random, Targeting: game.AsCoded},
		{Moves: game.Cross, Targeting: game.AsCoded},
		{Moves: game.Linear, Targeting: game.AsCoded},
		{Moves: game.Random, Targeting: game.Proper},
		{Moves: game.Diagonal, Targeting: game.Proper},
		{Moves: game.Random, Targeting: game.Density},
	}
	var names []string
	var settings []game.Tournament
	for _, s := range list {
		names = append(names, label(s))
		settings = append(
			settings,
			game.Tournament{
				Players: 2, Placements: game.PostPlacements(), Moves: []game.Moves{s.Moves}, Targeting: s.Targeting, Halo: true,
			},
		)
	}
	counts, err := countCells(ctx, settings, shotHeatGames, func(g game.Game, counts *pictures.Counts) {
		var shots [2]int
		for _, shot := range g.Shots {
			if shots[shot.Player]++; shots[shot.Player] <= firstShots {
				counts[shot.At]++
			}
		}
	})
	if err != nil {
		return err
	}
	if err := besideDiagonal(page, counts[0]); err != nil {
		return err
	}
	noun := fmt.Sprintf("players who shoot here within %d shots", firstShots)
	page.Values["first shots"], page.Values["shot players"] = firstShots, chapter.Thousands(2*shotHeatGames)
	return chapter.Draw(
		page, "shots", pictures.Heat(fmt.Sprintf("The first %d shots", firstShots), noun, 2*shotHeatGames, names, counts),
	)
}

// besideDiagonal compares the cells beside the main diagonal, at which the slip aims, with all others.
func besideDiagonal(page *site.Page, counts pictures.Counts) error {
	var sum, cells [2]int
	for c, n := range counts {
		beside := 0
		if d := c%game.Side - c/game.Side; d == 1 || d == -1 {
			beside = 1
		}
		sum[beside] += n
		cells[beside]++
		if most := float64(n) / (2 * shotHeatGames); beside == 0 && most > 0.27 {
			return chapter.Expect("no other cell stands out", false, c, most)
		}
	}
	share := func(i int) float64 { return float64(sum[i]) / float64(cells[i]*2*shotHeatGames) }
	page.Values["beside diagonal"], page.Values["off diagonal"] = percent(share(1)), percent(share(0))
	return chapter.Expect("the slip shoots beside the diagonal", share(1) > share(0)+0.03, share(1), share(0))
}

// addSlip says what the program's slip costs, from the recorded measurements.
func addSlip(_ context.Context, s *survey, page *site.Page) error {
	low, high := math.Inf(1), 0.0
	for _, p := range game.PostPlacements() {
		coded, described := s.of(game.Random, game.AsCoded, p), s.of(game.Random, game.AsDescribed, p)
		low, high = min(low, coded.Mean()-described.Mean()), max(high, coded.Mean()-described.Mean())
		if err := chapter.Expect("the slip costs shots", coded.Mean()-coded.Margin() > described.Mean()+described.Margin(),
			p); err != nil {
			return err
		}
	}
	page.Values["slip least"], page.Values["slip most"] = places(low, 1), places(high, 1)
	left, bottom := s.of(game.Random, game.AsDescribed, game.Left), s.of(game.Random, game.AsDescribed, game.Bottom)
	page.Values["bias left"], page.Values["bias bottom"] = plusMinus(left.Mean(), left.Margin(), 1), plusMinus(
		bottom.Mean(), bottom.Margin(), 1,
	)
	return chapter.Expect(
		"as described finds left later than bottom", left.Mean()-left.Margin() > bottom.Mean()+bottom.Margin(), left,
		bottom,
	)
}

// addMatrix tables all strategies against all placements. Margins in every cell would make it too wide for a page; its
// CSV has them.
func addMatrix(_ context.Context, s *survey, page *site.Page) error {
	table := chapter.Table("matrix", "strategy")
	for _, p := range game.PostPlacements() {
		table.Header = append(table.Header, content.Text(p.String()))
	}
	table.Header = append(table.Header, content.Text("mean"))
	widest, widestMean := 0.0, 0.0
	means := map[string]string{}
	records := content.Records{
		Header: []string{"moves", "targeting", "placement", "fleets", "mean_shots", "half_interval_95"},
	}
	for _, c := range recorded.Contenders() {
		row := chapter.Row(label(c))
		for _, p := range game.PostPlacements() {
			sample := s.of(c.Moves, c.Targeting, p)
			row = append(row, content.Decimal(places(sample.Mean(), 1)))
			widest = max(widest, sample.Margin())
			records.Rows = append(records.Rows, []string{
				c.Moves.String(), c.Targeting.String(), p.String(), strconv.FormatInt(sample.Fleets, 10), places(sample.Mean(), 4),
				places(sample.Margin(), 4),
			})
		}
		mean, margin := s.overall(c.Moves, c.Targeting)
		widestMean = max(widestMean, margin)
		table.Rows = append(table.Rows, append(row, content.Decimal(places(mean, 1))))
		means[label(c)] = places(mean, 1)
	}
	page.Lookups = map[string]map[string]string{"mean": means}
	page.Values["matrix margin"] = places(math.Ceil(100*widest)/100, 2)
	page.Values["matrix mean margin"] = places(math.Ceil(100*widestMean)/100, 2)
	table.Data = records
	page.Tables = append(page.Tables, table)
	return nil
}
