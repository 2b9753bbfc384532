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
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/naval/recorded"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// CheckHeads recomputes the first fleets of every recorded measurement and compares the results. The caller passes the
// measurements against the placements.
func CheckHeads(ctx context.Context, measured Measurements) error {
	list := slices.Concat(measured, Even(), Confirmed())
	return chapter.Each(ctx, len(list), func(i int) error {
		number := len(list) - 1 - i // the last measurements take longest, so they begin first
		m, seed := list[number], uint64(recorded.MeasuredSeed)
		if number >= len(measured)+len(Even()) {
			seed = recorded.ConfirmedSeed
		}
		found, err := game.Measure(ctx, m.Strategy, m.Placement, recorded.Head, seed, game.Options{Workers: 1})
		if err != nil {
			return err
		}
		return chapter.Expect("the first fleets of a recorded measurement",
			found == m.Head && m.All.Fleets == recorded.Fleets, pictures.Label(m.Strategy), m.Placement, found, m.Head)
	})
}

// The maps of shots count FirstShots shots of each player in ShotGames games.
const (
	FirstShots = 20
	ShotGames  = 2500
)

// Beside has the average number of times that a cell is among the first shots: Diagonal for the cells next to the main
// diagonal, at which the post's program shoots by mistake, and Others for all other cells. Most is the highest
// such average of a single cell among the others.
type Beside struct{ Diagonal, Others, Most float64 }

// ShotFigure maps the first shots of six strategies, as the figure "shots". coded has the numbers of the first
// strategy, as the post's program plays it.
func ShotFigure(ctx context.Context) (f content.Figure, coded Beside, err error) {
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
	counts, err := countCells(ctx, settings, ShotGames, func(g game.Game, counts *pictures.Counts) {
		var shots [2]int
		for _, shot := range g.Shots {
			if shots[shot.Player]++; shots[shot.Player] <= FirstShots {
				counts[shot.At]++
			}
		}
	})
	if err != nil {
		return f, coded, err
	}
	noun := fmt.Sprintf("players who shoot here within %d shots", FirstShots)
	maps := pictures.Heat(fmt.Sprintf("The first %d shots", FirstShots), noun, 2*ShotGames, names, counts)
	return Drawn("shots", maps), besideDiagonal(counts[0]), nil
}

func besideDiagonal(counts pictures.Counts) (b Beside) {
	const beside = 2 * (game.Side - 1) // the number of cells next to the diagonal
	for c, n := range counts {
		share := float64(n) / (2 * ShotGames)
		if d := c%game.Side - c/game.Side; d == 1 || d == -1 {
			b.Diagonal += share / beside
			continue
		}
		b.Others, b.Most = b.Others+share/(BoardCells-beside), max(b.Most, share)
	}
	return b
}

// Fewer returns how many fewer shots one targeting needs than another with random moves: the least and the greatest
// difference over the placements. always reports whether better needs fewer shots against every placement, beyond the
// 95 % intervals.
func (list Measurements) Fewer(better, worse game.Targeting) (least, most float64, always bool) {
	least, always = math.Inf(1), true
	for _, p := range game.PostPlacements() {
		few, many := list.Of(game.Random, better, p), list.Of(game.Random, worse, p)
		gap := many.Mean() - few.Mean()
		least, most = min(least, gap), max(most, gap)
		always = always && gap > many.Margin()+few.Margin()
	}
	return least, most, always
}

// Matrix holds the mean number of shots of each strategy against each placement.
type Matrix struct {
	Table              content.Table // "matrix"
	Margin, MeanMargin string        // half the widest 95 % interval for a placement and for the mean of all
}

// AllMeans returns a table of all strategies against all placements. The table has no room for a margin in every cell,
// so only its CSV has the margins.
func AllMeans() Matrix {
	table := chapter.Table("matrix", "strategy", chapter.Names(game.PostPlacements()), "mean")
	widest, widestMean := 0.0, 0.0
	records := content.Records{
		Header: []string{"moves", "targeting", "placement", "fleets", "mean_shots", "half_interval_95"},
	}
	for _, c := range game.Contenders() {
		row := content.Row(pictures.Label(c))
		for _, p := range game.PostPlacements() {
			sample := Measured().Of(c.Moves, c.Targeting, p)
			row = append(row, content.Decimal(places(sample.Mean(), 1)))
			widest = max(widest, sample.Margin())
			records.Add(c.Moves, c.Targeting, p, sample.Fleets, places(sample.Mean(), 4), places(sample.Margin(), 4))
		}
		mean, margin := Measured().Overall(c.Moves, c.Targeting)
		widestMean = max(widestMean, margin)
		table.Add(row, content.Decimal(places(mean, 1)))
	}
	table.Data = records
	return Matrix{table, places(math.Ceil(100*widest)/100, 2), places(math.Ceil(100*widestMean)/100, 2)}
}

// Duel shows how density and informed shoot at the same fleet.
type Duel struct {
	Figure            content.Figure // "informed"
	Seed              uint64
	Density, Informed int // the shots that each needs
}

// FirstDuel returns the duel for the first fleet of the square of 36 against which both density and informed win their
// games.
func FirstDuel(ctx context.Context) (Duel, error) {
	for seed := uint64(Seed); ctx.Err() == nil; seed++ {
		var games []game.Game
		var fleets []figure.Grid
		for _, targeting := range []game.Targeting{game.Density, game.Informed} {
			g, err := game.Tournament{
				Players: 2, Placements: []game.Placement{game.Square36}, Moves: []game.Moves{game.Random},
				Targeting: targeting, Halo: true, Seed: seed,
			}.FirstGame()
			if err != nil {
				return Duel{}, err
			}
			if g.Winner == 0 {
				games, fleets = append(games, g), append(fleets, pictures.Fleet(targeting.String(), g, 1))
			}
		}
		if len(games) == 2 {
			same := games[0].Fleets[1] == games[1].Fleets[1]
			if err := chapter.Expect("both meet the same fleet", same, seed); err != nil {
				return Duel{}, err
			}
			board := Drawn("informed", pictures.Board("Density and informed against the same fleet", fleets...))
			return Duel{board, seed, len(pictures.ShotsAt(games[0], 1)), len(pictures.ShotsAt(games[1], 1))}, nil
		}
	}
	return Duel{}, canceled.Cause(ctx)
}

// For these small waters, the best shooter is known: the strip of the count, and other boards on which it is better, or
// not better, to shoot at a cell that is not the likeliest.
var (
	smallStrip  = game.Waters{Rows: 1, Cols: StripCells, Ships: []int{2, 1}}
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

// Small holds the results on small boards.
type Small struct {
	Table         content.Table // "small"
	Boards        int           // the number of boards in the table
	Apart, Bounds int           // boards where the likeliest cell is not the best, and where the bound is exact
}

// CompareSmall compares the best shooter of small waters with a shooter who always takes the likeliest cell, and with
// the bound for all shooters.
func CompareSmall(ctx context.Context) Small {
	table := chapter.Table("small", "cells", "ships", "fleets", "bound", "best shooter", "likeliest cell", "difference")
	small := Small{Boards: len(smallWaters)}
	for _, w := range smallWaters {
		best := chapter.Must(w.Mean(game.Optimal))
		likeliest := chapter.Must(w.Mean(game.Likeliest))
		gap := new(big.Rat).Sub(likeliest.Shots, best.Shots)
		if gap.Sign() > 0 {
			small.Apart++
		}
		bound := chapter.Must(game.ShotsBound(ctx, w.Cols, w.Rows, w.Ships))
		if bound.Cmp(best.Shots) == 0 {
			small.Bounds++
		}
		chapter.Assert(chapter.Expect("nobody beats the best shooter, who does not beat the bound",
			gap.Sign() >= 0 && bound.Cmp(best.Shots) <= 0, w, gap, bound))
		table.Add(fmt.Sprintf("%d\u00a0×\u00a0%d", w.Rows, w.Cols), chapter.Joined(w.Ships), best.Fleets,
			bound.RatString(), best.Shots.RatString(), likeliest.Shots.RatString(), gap.RatString())
	}
	small.Table = table
	return small
}

// StripShots holds the mean number of shots for each first shot on the strip, and the results for all fleets on the
// strip.
type StripShots struct {
	Table           content.Table // "first"
	Fleets          int
	Best, Likeliest string // the means of the best shooter, and of a shooter who always takes a likeliest cell
	End, Most       int    // the fleets with a deck at an end, and with a deck at the likeliest cell
}

// ShootStrip returns the results for the strip, on which it is best to begin at an end.
func ShootStrip() StripShots {
	best := chapter.Must(smallStrip.Mean(game.Optimal))
	likeliest := chapter.Must(smallStrip.Mean(game.Likeliest))
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
	chapter.Assert(chapter.Expect("on the strip it is best to begin at an end, where a deck is not the likeliest",
		end.Shots.Cmp(best.Shots) == 0 && end.Fleets < most.Fleets && 2*end.Fleets == best.Fleets && most.Col == 1 &&
			most.Shots.Cmp(likeliest.Shots) == 0 && likeliest.Shots.Cmp(best.Shots) > 0, best, likeliest))
	return StripShots{table, best.Fleets, total(best.Shots), total(likeliest.Shots), end.Fleets, most.Fleets}
}

// ClassicFleets is the number of classic fleets that each strategy shoots at.
const ClassicFleets = 20_000

// PublishedDensity is the mean of a density shooter for the classic fleet with its 95 % interval, over 20,000 games:
// github.com/Canon-Regularis/mayflower, README at commit 074fc6fd, "Self-play". In these games, the shooter learns the
// length of each sunk ship, and all fleets are equally likely.
const (
	PublishedDensity = 44.369
	PublishedMargin  = 0.122
	PublishedGames   = 20_000
)

// ClassicTable measures strategies against the classic fleet and compares them with a published mean, in the table
// "classic". It also returns the mean of density if all fleets are equally likely.
func ClassicTable(ctx context.Context) (table content.Table, density float64, err error) {
	m := game.Measurement{
		Placements: []game.Placement{game.Anywhere, game.Uniform}, Fleets: ClassicFleets, Seed: Seed,
		Totals: game.Totals{Rules: game.Classic},
		Strategies: []game.Strategy{
			{Moves: game.Random, Targeting: game.Proper, Halo: true},
			{Moves: game.Diagonal, Targeting: game.Proper, Halo: true},
			{Moves: game.Random, Targeting: game.Density, Halo: true},
		},
	}
	size, err := m.Size()
	if err != nil {
		return table, 0, err
	}
	totals, err := m.Part(ctx, grid.Block{Size: size}, game.Options{})
	if err != nil {
		return table, 0, err
	}
	table = chapter.Table("classic", "strategy", "placed ship by ship", "±", "all fleets equally likely", "±")
	blind := places(game.Classic.BlindMean(), 2)
	table.Add("blind, computed", content.Decimal(blind), "", content.Decimal(blind), "")
	lasts := make([]float64, len(m.Placements))
	for i, s := range m.Strategies {
		row := content.Row(pictures.Label(s))
		for k, p := range m.Placements {
			t, _ := totals.Of(p, s)
			sample := t.Sample()
			row = append(row, content.Decimal(sample.MeanText(2)), content.Decimal(sample.MarginText(2)))
			if err := chapter.Expect("each strategy needs fewer shots for the classic fleet than the one before",
				i == 0 || sample.Mean()+sample.Margin() < lasts[k], p, s, sample.Mean(), lasts[k]); err != nil {
				return table, 0, err
			}
			density, lasts[k] = sample.Mean(), sample.Mean()-sample.Margin()
		}
		table.Add(row)
	}
	table.Add("a published density shooter", "", "", content.Decimal(places(PublishedDensity, 2)),
		content.Decimal(places(PublishedMargin, 2)))
	return table, density, nil
}
