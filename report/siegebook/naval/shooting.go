package naval

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/naval/recorded"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

func shootingPage(ctx context.Context, s *survey) site.Page {
	page := site.Page{
		Values: map[string]any{
			"seed": Seed, "blind": places(game.BlindMean(), 2),
			"recorded": chapter.Thousands(recorded.Fleets), "recorded seed": recorded.MeasuredSeed,
			"head": recorded.Head, "placements": len(game.PostPlacements()),
		},
	}
	chapter.Do(checkHeads(ctx, s, &page))
	for _, add := range []func(context.Context, *survey, *site.Page){
		addTargets, addShotHeat, addSlip, addMatrix, addRaces, addBest, addClassic, addSmall,
		addBound, addShootingExercises,
	} {
		add(ctx, s, &page)
	}
	addLists(&page)
	return page
}

// checkHeads measures the first fleets of every recorded measurement again.
func checkHeads(ctx context.Context, s *survey, page *site.Page) error {
	want := len(game.Contenders()) * len(game.PostPlacements())
	page.Values["measurements"] = want
	chapter.Expect("all measurements are recorded", len(s.measured) == want, len(s.measured))
	list := slices.Concat(s.measured, s.even, s.confirmed)
	return chapter.Each(ctx, len(list), func(i int) error {
		number := len(list) - 1 - i // the last take longest
		m, seed := list[number], uint64(recorded.MeasuredSeed)
		if number >= want+len(s.even) {
			seed = recorded.ConfirmedSeed
		}
		found, err := game.Measure(ctx, m.Strategy, m.Placement, recorded.Head, seed, game.Options{Workers: 1})
		if err != nil {
			return err
		}
		chapter.Expect("the first fleets of a recorded measurement", found == m.Head && m.All.Fleets == recorded.Fleets,
			pictures.Label(m.Strategy), m.Placement, found, m.Head)
		return nil
	})
}

// The maps of shots: how many of the first shots of so many games' players are counted.
const (
	firstShots    = 20
	shotHeatGames = 2500
)

// addShotHeat maps the first shots of six strategies.
func addShotHeat(ctx context.Context, _ *survey, page *site.Page) {
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
		names = append(names, pictures.Label(s))
		settings = append(
			settings,
			game.Tournament{
				Players: 2, Placements: game.PostPlacements(), Moves: []game.Moves{s.Moves}, Targeting: s.Targeting,
				Halo: true,
			},
		)
	}
	counts := chapter.Get(countCells(ctx, settings, shotHeatGames, func(g game.Game, counts *pictures.Counts) {
		var shots [2]int
		for _, shot := range g.Shots {
			if shots[shot.Player]++; shots[shot.Player] <= firstShots {
				counts[shot.At]++
			}
		}
	}))
	besideDiagonal(page, counts[0])
	noun := fmt.Sprintf("players who shoot here within %d shots", firstShots)
	chapter.Set(page.Values, "first shots", firstShots, "shot players", chapter.Thousands(2*shotHeatGames))
	chapter.Draw(page, "shots",
		pictures.Heat(fmt.Sprintf("The first %d shots", firstShots), noun, 2*shotHeatGames, names, counts))
}

// besideDiagonal compares the cells beside the main diagonal, at which the slip aims, with all others.
func besideDiagonal(page *site.Page, counts pictures.Counts) {
	var sum, cells [2]int
	for c, n := range counts {
		beside := 0
		if d := c%game.Side - c/game.Side; d == 1 || d == -1 {
			beside = 1
		}
		sum[beside] += n
		cells[beside]++
		if most := float64(n) / (2 * shotHeatGames); beside == 0 && most > 0.27 {
			chapter.Expect("no other cell stands out", false, c, most)
		}
	}
	share := func(i int) float64 { return float64(sum[i]) / float64(cells[i]*2*shotHeatGames) }
	chapter.Set(page.Values, "beside diagonal", percent(share(1)), "off diagonal", percent(share(0)))
	chapter.Expect("the slip shoots beside the diagonal", share(1) > share(0)+0.03, share(1), share(0))
}

// addSlip says what the program's slip costs, from the recorded measurements.
func addSlip(_ context.Context, s *survey, page *site.Page) {
	low, high := math.Inf(1), 0.0
	for _, p := range game.PostPlacements() {
		coded, described := s.of(game.Random, game.AsCoded, p), s.of(game.Random, game.AsDescribed, p)
		low, high = min(low, coded.Mean()-described.Mean()), max(high, coded.Mean()-described.Mean())
		chapter.Expect("the slip costs shots", coded.Mean()-coded.Margin() > described.Mean()+described.Margin(), p)
	}
	chapter.Set(page.Values, "slip least", places(low, 1), "slip most", places(high, 1))
	left, bottom := s.of(game.Random, game.AsDescribed, game.Left), s.of(game.Random, game.AsDescribed, game.Bottom)
	chapter.Set(page.Values, "bias left", plusMinus(left.Mean(), left.Margin(), 1),
		"bias bottom", plusMinus(bottom.Mean(), bottom.Margin(), 1))
	chapter.Expect("as described finds left later than bottom",
		left.Mean()-left.Margin() > bottom.Mean()+bottom.Margin(), left, bottom)
}

// addMatrix tables all strategies against all placements. Margins in every cell would make it too wide for a page; its
// CSV has them.
func addMatrix(_ context.Context, s *survey, page *site.Page) {
	table := chapter.Table("matrix", "strategy", chapter.Names(game.PostPlacements()), "mean")
	widest, widestMean := 0.0, 0.0
	means := map[string]string{}
	records := content.Records{
		Header: []string{"moves", "targeting", "placement", "fleets", "mean_shots", "half_interval_95"},
	}
	for _, c := range game.Contenders() {
		row := content.Row(pictures.Label(c))
		for _, p := range game.PostPlacements() {
			sample := s.of(c.Moves, c.Targeting, p)
			row = append(row, content.Decimal(places(sample.Mean(), 1)))
			widest = max(widest, sample.Margin())
			records.Add(c.Moves, c.Targeting, p, sample.Fleets, places(sample.Mean(), 4), places(sample.Margin(), 4))
		}
		mean, margin := s.overall(c.Moves, c.Targeting)
		widestMean = max(widestMean, margin)
		table.Add(row, content.Decimal(places(mean, 1)))
		means[pictures.Label(c)] = places(mean, 1)
	}
	page.Lookups = map[string]map[string]string{"mean": means}
	page.Values["matrix margin"] = places(math.Ceil(100*widest)/100, 2)
	page.Values["matrix mean margin"] = places(math.Ceil(100*widestMean)/100, 2)
	table.Data = records
	page.Tables = append(page.Tables, table)
}

// informedBeats checks that Informed needs fewer shots than Density on all placements, with disjoint 95 % intervals,
// and returns the least and the greatest difference of the means.
func informedBeats(name string, list []recorded.Measurement) (least, most float64) {
	least = math.Inf(1)
	for _, p := range game.PostPlacements() {
		informed, density := sampleOf(list, game.Random, game.Informed, p), sampleOf(list, game.Random, game.Density, p)
		gap := density.Mean() - informed.Mean()
		least, most = min(least, gap), max(most, gap)
		chapter.Expect(name+": informed beats density with disjoint intervals", gap > density.Margin()+
			informed.Margin(), p, density, informed)
	}
	return least, most
}

// addBest shows Informed and Density against the same fleet, and how far they are apart.
func addBest(ctx context.Context, s *survey, page *site.Page) {
	for _, run := range []struct {
		name string
		list []recorded.Measurement
	}{{"gap", s.measured}, {"confirmed", s.confirmed}} {
		least, most := informedBeats(run.name, run.list)
		chapter.Set(page.Values, run.name+" least", places(least, 1), run.name+" most", places(most, 1))
	}
	page.Values["confirmed seed"] = recorded.ConfirmedSeed
	informed, _ := s.overall(game.Random, game.Informed)
	coded, _ := s.overall(game.Random, game.AsCoded)
	page.Values["saved"] = places(coded-informed, 1)
	shooters := []game.Targeting{game.Density, game.Informed}
	games, seed, err := firstWins(ctx, shooters)
	chapter.Do(err)
	chapter.Expect("both meet the same fleet", games[0].Fleets[1] == games[1].Fleets[1], seed)
	var fleets []figure.Grid
	for i, g := range games {
		name := shooters[i].String()
		fleets = append(fleets, pictures.Fleet(name, g, 1))
		page.Values["board "+name] = len(pictures.ShotsAt(g, 1))
	}
	page.Values["board seed"] = seed
	chapter.Draw(page, "informed", pictures.Board("Density and informed against the same fleet", fleets...))
}

// firstWins plays a game by each targeting, with the first seed with which player 1 sinks the other's fleet in all of
// them.
func firstWins(ctx context.Context, shooters []game.Targeting) (games []game.Game, seed uint64, err error) {
	for seed = Seed; ctx.Err() == nil; seed++ {
		games = games[:0]
		for _, targeting := range shooters {
			g := chapter.Get(game.Tournament{
				Players: 2, Placements: []game.Placement{game.Square36}, Moves: []game.Moves{game.Random},
				Targeting: targeting, Halo: true, Seed: seed,
			}.FirstGame())
			if g.Winner != 0 {
				break
			}
			games = append(games, g)
		}
		if len(games) == len(shooters) {
			return games, seed, nil
		}
	}
	return nil, 0, canceled.Cause(ctx)
}

// Small waters on which the best shooter is known: the strip of the count, and others in which it pays to shoot where a
// deck is not the likeliest, or does not.
var (
	smallStrip  = game.Waters{Rows: 1, Cols: stripCells, Ships: []int{2, 1}}
	smallWaters = []game.Waters{
		{Rows: 1, Cols: 5, Ships: []int{2, 1}},
		smallStrip,
		{Rows: 1, Cols: 8, Ships: []int{2, 1}},
		{Rows: 1, Cols: 8, Ships: []int{3, 1}},
		{Rows: 1, Cols: 9, Ships: []int{3, 2}},
		{Rows: 3, Cols: 3, Ships: []int{2, 1}},
		{Rows: 4, Cols: 4, Ships: []int{2}},
		{Rows: 4, Cols: 4, Ships: []int{3}},
	}
)

// addSmall compares the best shooter of small waters with one who always takes the likeliest cell, and with the bound
// for all shooters.
func addSmall(ctx context.Context, _ *survey, page *site.Page) {
	table := chapter.Table("small", "cells", "ships", "fleets", "bound", "best shooter", "likeliest cell", "difference")
	apart, exact := 0, 0
	for _, w := range smallWaters {
		best := chapter.Get(w.Mean(game.Optimal))
		likeliest := chapter.Get(w.Mean(game.Likeliest))
		gap := new(big.Rat).Sub(likeliest.Shots, best.Shots)
		if gap.Sign() > 0 {
			apart++
		}
		bound := chapter.Get(game.ShotsBound(ctx, w.Cols, w.Rows, w.Ships))
		if bound.Cmp(best.Shots) == 0 {
			exact++
		}
		chapter.Expect("nobody beats the best shooter, and he not the bound",
			gap.Sign() >= 0 && bound.Cmp(best.Shots) <= 0, w, gap, bound)
		table.Add(fmt.Sprintf("%d\u00a0×\u00a0%d", w.Rows, w.Cols), chapter.Joined(w.Ships), best.Fleets,
			bound.RatString(), best.Shots.RatString(), likeliest.Shots.RatString(), gap.RatString())
	}
	page.Tables = append(page.Tables, table)
	chapter.Expect("the likeliest cell is not always the best", apart > 0 && apart < len(smallWaters), apart)
	chapter.Set(page.Values, "small boards", len(smallWaters), "small exact", exact)
	addSmallStrip(page)
}

// addBound says what no shooter can do better on the post's board if all fleets are equally likely, and what ours need
// then.
func addBound(_ context.Context, s *survey, page *site.Page) {
	least, worst := s.least()
	chapter.Set(page.Values, "bound mean", places(least, 1), "bound worst", worst,
		"bound shapes", places(least-fleetDecks, 1))
	last := math.Inf(1)
	for _, targeting := range []game.Targeting{game.Density, game.Informed} {
		sample := sampleOf(s.even, game.Random, targeting, game.Uniform)
		page.Values["even "+targeting.String()] = plusMinus(sample.Mean(), sample.Margin(), 1)
		chapter.Expect("no shooter is below the bound, and informed beats density on even fleets",
			least < sample.Mean()-sample.Margin() && sample.Mean()+sample.Margin() < last, least, sample)
		last = sample.Mean() - sample.Margin()
	}
}

// least returns the bound on the mean shots of all shooters, rounded down to a tenth, and the shots that each of them
// needs against some fleet.
func (s *survey) least() (mean float64, worst int) {
	bound, _ := s.bound.Float64()
	return math.Floor(10*bound) / 10, int(math.Ceil(bound))
}

// addSmallStrip tells the first shots on the strip.
func addSmallStrip(page *site.Page) {
	best := chapter.Get(smallStrip.Mean(game.Optimal))
	likeliest := chapter.Get(smallStrip.Mean(game.Likeliest))
	table := chapter.Table("first", "first shot at cell", "fleets with a deck there", "shots for all fleets",
		"on average")
	all := big.NewRat(int64(best.Fleets), 1)
	total := func(mean *big.Rat) string { return new(big.Rat).Mul(mean, all).RatString() }
	end, most := best.First[0], best.First[0]
	for _, first := range best.First {
		table.Add(first.Col+1, first.Fleets, total(first.Shots), first.Shots.RatString())
		if first.Fleets > most.Fleets {
			most = first
		}
	}
	page.Tables = append(page.Tables, table)
	chapter.Set(page.Values, "strip n", stripCells, "strip all", best.Fleets, "strip best", total(best.Shots),
		"strip likeliest", total(likeliest.Shots), "strip end", end.Fleets, "strip most", most.Fleets)
	chapter.Expect("on the strip it is best to begin at an end, where a deck is not the likeliest",
		end.Shots.Cmp(best.Shots) == 0 && end.Fleets < most.Fleets && 2*end.Fleets == best.Fleets && most.Col == 1 &&
			most.Shots.Cmp(likeliest.Shots) == 0 && likeliest.Shots.Cmp(best.Shots) > 0, best, likeliest)
}

// lastDeck is the mean place of the last of some decks in a row of cells, over all ways to lie there.
func lastDeck(cells, decks int64) *big.Rat {
	mean, _ := pictures.MeanLast(cells, decks)
	return mean
}

// The board.
const (
	boardCells = game.Side * game.Side
	fleetDecks = 20
)

// addBlind sets the values of blind shooting, and checks the formula k(m + 1)/(k + 1) on all small boards.
func addBlind(values map[string]any) {
	blind := lastDeck(boardCells, fleetDecks)
	chapter.Set(values, "blind exact", blind.RatString(), "blind", places(game.BlindMean(), 2), "blind places",
		boardCells+1, "blind arcs", fleetDecks+1, "blind arc",
		figure.Ratio(int64(boardCells+1), int64(fleetDecks+1), 2), "blind cells", boardCells, "blind decks", fleetDecks)
	for cells := int64(1); cells <= 30; cells++ {
		for decks := int64(1); decks <= cells; decks++ {
			chapter.Expect("the last of k decks on N cells",
				lastDeck(cells, decks).Cmp(big.NewRat(decks*(cells+1), decks+1)) == 0, cells, decks)
		}
	}
	float, _ := blind.Float64()
	values["ex single"], _ = lastDeck(boardCells, 1).Float64()
	chapter.Expect("the mean of blind shooting", math.Abs(float-game.BlindMean()) < 1e-12, blind)
}

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
func addClassic(ctx context.Context, _ *survey, page *site.Page) {
	m := game.Measurement{
		Placements: []game.Placement{game.Anywhere, game.Uniform}, Fleets: classicFleets, Seed: Seed,
		Totals: game.Totals{Rules: game.Classic},
		Strategies: []game.Strategy{
			{Moves: game.Random, Targeting: game.Proper, Halo: true},
			{Moves: game.Diagonal, Targeting: game.Proper, Halo: true},
			{Moves: game.Random, Targeting: game.Density, Halo: true},
		},
	}
	totals := chapter.Get(m.Part(ctx, grid.Block{Size: chapter.Get(m.Size())}, game.Options{}))
	table := chapter.Table("classic", "strategy", "placed ship by ship", "±", "all fleets equally likely", "±")
	blind := places(game.Classic.BlindMean(), 2)
	table.Add("blind, computed", content.Decimal(blind), "", content.Decimal(blind), "")
	density := 0.0
	lasts := make([]float64, len(m.Placements))
	for i, s := range m.Strategies {
		row := content.Row(pictures.Label(s))
		for k, p := range m.Placements {
			t, _ := totals.Of(p, s)
			sample := t.Sample()
			row = append(row, content.Decimal(sample.MeanText(2)), content.Decimal(sample.MarginText(2)))
			chapter.Expect("each strategy needs fewer shots of the classic fleet than the one before",
				i == 0 || sample.Mean()+sample.Margin() < lasts[k], p, s, sample.Mean(), lasts[k])
			density, lasts[k] = sample.Mean(), sample.Mean()-sample.Margin()
		}
		table.Add(row)
	}
	table.Add("a density shooter of others, published", "", "", content.Decimal(places(publishedDensity, 2)),
		content.Decimal(places(publishedDensityMargin, 2)))
	page.Tables = append(page.Tables, table)
	page.Values["classic fleets"] = chapter.Thousands(classicFleets)
	page.Values["classic published"] = plusMinus(publishedDensity, publishedDensityMargin, 2)
	page.Values["classic published games"] = chapter.Thousands(publishedDensityGames)
	chapter.Expect("density is near the published mean", math.Abs(density-publishedDensity) < 0.5, density)
}
