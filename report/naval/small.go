package naval

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

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

// addSmall compares the best shooter of small waters with one who always takes the likeliest cell, and says what no
// shooter can do better on the post's board.
func addSmall(_ context.Context, s *survey, page *site.Page) error {
	table := chapter.Table("small", "cells", "ships", "fleets", "best shooter", "likeliest cell", "difference")
	table.RowHeader = true
	apart := 0
	for _, w := range smallWaters {
		best, err := w.Mean(game.Optimal)
		if err != nil {
			return err
		}
		likeliest, err := w.Mean(game.Likeliest)
		if err != nil {
			return err
		}
		gap := new(big.Rat).Sub(likeliest.Shots, best.Shots)
		if gap.Sign() > 0 {
			apart++
		}
		if err := chapter.Expect("nobody beats the best shooter", gap.Sign() >= 0, w, gap); err != nil {
			return err
		}
		table.Rows = append(
			table.Rows,
			chapter.Row(
				fmt.Sprintf("%d\u00a0×\u00a0%d", w.Rows, w.Cols), decksOf(w), best.Fleets, best.Shots.RatString(),
				likeliest.Shots.RatString(), gap.RatString(),
			),
		)
	}
	page.Tables = append(page.Tables, table)
	if err := chapter.Expect("the likeliest cell is not always the best", apart > 0 && apart < len(smallWaters),
		apart); err != nil {
		return err
	}
	if err := addSmallStrip(page); err != nil {
		return err
	}
	mean, worst := game.ShotsBound(s.fleets)
	least, _ := mean.Float64()
	page.Values["bound mean"], page.Values["bound worst"], page.Values["decks"] = places(
		math.Floor(10*least)/10, 1,
	), worst, fleetDecks
	best, _ := s.overall(game.Random, game.Informed)
	return chapter.Expect("no shooter is below the bound", least < best && worst <= game.Side*game.Side, least, best)
}

// decksOf writes the ships of small waters.
func decksOf(w game.Waters) string {
	var list []string
	for _, decks := range w.Ships {
		list = append(list, strconv.Itoa(decks))
	}
	return strings.Join(list, ", ")
}

// addSmallStrip tells the first shots on the strip.
func addSmallStrip(page *site.Page) error {
	best, err := smallStrip.Mean(game.Optimal)
	if err != nil {
		return err
	}
	likeliest, err := smallStrip.Mean(game.Likeliest)
	if err != nil {
		return err
	}
	table := chapter.Table("first", "first shot at cell", "fleets with a deck there", "shots for all fleets", "on average")
	table.RowHeader = true
	all := big.NewRat(int64(best.Fleets), 1)
	total := func(mean *big.Rat) string { return new(big.Rat).Mul(mean, all).RatString() }
	end, most := best.First[0], best.First[0]
	for _, first := range best.First {
		table.Rows = append(table.Rows, chapter.Row(first.Col+1, first.Fleets, total(first.Shots), first.Shots.RatString()))
		if first.Fleets > most.Fleets {
			most = first
		}
	}
	page.Tables = append(page.Tables, table)
	page.Values["strip n"], page.Values["strip all"] = stripCells, best.Fleets
	page.Values["strip best"], page.Values["strip likeliest"] = total(best.Shots), total(likeliest.Shots)
	page.Values["strip end"], page.Values["strip most"] = end.Fleets, most.Fleets
	return chapter.Expect(
		"on the strip it is best to begin at an end, where a deck is not the likeliest",
		end.Shots.Cmp(best.Shots) == 0 &&
			end.Fleets < most.Fleets && 2*end.Fleets == best.Fleets && most.Col == 1 && most.Shots.Cmp(likeliest.Shots) == 0 &&
			likeliest.Shots.Cmp(best.Shots) > 0,
		best,
		likeliest,
	)
}
