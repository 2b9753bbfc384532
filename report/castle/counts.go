package castle

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// Battles whose ways to win are counted: test 12 of the posts, and one whose counts are far beyond 64 bits.
const countedTest = 12

var manyWays = game.Battle{Soldiers: 150, CastleHits: 450, DefendersPerWave: 75}

func countsPage(ctx context.Context) (site.Page, error) {
	tests := posts()
	b := tests[countedTest].Battle
	complete, err := b.Count(ctx, game.CountOptions{})
	if err != nil {
		return site.Page{}, err
	}
	many, err := manyWays.Count(ctx, game.CountOptions{})
	if err != nil {
		return site.Page{}, err
	}
	pathShare := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(100), complete.Soldiers.Total()), allPaths(complete)).FloatString(1) + "\u00a0%"
	once := 1000 * math.Round(1/drawnWin(b)/1000)
	share, _ := new(big.Rat).SetFrac(complete.Soldiers.Total(), allPaths(complete)).Float64()
	if err := chapter.Expect("soldiers who draw their orders win far less often than their share of the paths", 100*drawnWin(b) < share, drawnWin(b), share); err != nil {
		return site.Page{}, err
	}
	page := site.Page{
		Values: map[string]any{
			"test": countedTest, "battle": triple(b),
			"soldiers": chapter.BigThousands(complete.Soldiers.Total()), "castle": chapter.BigThousands(complete.Castle.Total()),
			"paths":    chapter.BigThousands(allPaths(complete)),
			"prefixes": chapter.BigThousands(complete.Prefixes), "cells": chapter.Thousands(complete.Cells),
			"path share": pathShare, "drawn once": chapter.Thousands(int64(once)),
			"soldiers first": complete.Soldiers[0].Wave, "soldiers last": last(complete.Soldiers).Wave,
			"castle first": complete.Castle[0].Wave, "castle last": last(complete.Castle).Wave,
			"many": triple(manyWays), "many digits": len(many.Castle.Total().String()),
			"many soldiers": len(many.Soldiers.Total().String()),
			"many cells":    chapter.Thousands(many.Cells),
		},
	}
	if err := chapter.Explore(&page, "ways", pictures.Counts(b, complete), "castle-counts", address(b)+"&convention="+game.Complete.String()+fmt.Sprintf("&wave=%d", complete.Soldiers[0].Wave)); err != nil {
		return site.Page{}, err
	}
	if err := chapter.Draw(&page, "many-ways", pictures.Counts(manyWays, many)); err != nil {
		return site.Page{}, err
	}
	if err := chapter.Draw(&page, "handed-up", pictures.HandedUp{Battle: smallSearch, Title: fmt.Sprintf("The search in %v", smallSearch)}); err != nil {
		return site.Page{}, err
	}
	table, short, err := conventionTable(ctx, tests)
	if err != nil {
		return site.Page{}, err
	}
	hotel, err := hotelTables(page.Values)
	if err != nil {
		return site.Page{}, err
	}
	hours, err := hoursTable(ctx, tests)
	if err != nil {
		return site.Page{}, err
	}
	page.Tables = append(hotel, table, hours, walkTable(tests[walkedTest].Battle))
	page.Values["short"], page.Values["tests"] = short, len(tests)
	battles, err := checkListings("counts")
	if err != nil {
		return site.Page{}, err
	}
	page.Values["listing battles"] = chapter.Thousands(battles)
	if err := addWaves(ctx, &page, tests); err != nil {
		return site.Page{}, err
	}
	if err := searchValues(tests, page.Values); err != nil {
		return site.Page{}, err
	}
	return page, answerCounts(tests, page.Values)
}

func orZero(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// allPaths returns the number of legal paths.
func allPaths(c game.Counts) *big.Int {
	total := new(big.Int).Add(c.Soldiers.Total(), c.Castle.Total())
	return total.Add(total, c.Ties)
}

func last(h game.Histogram) game.WaveCount { return h[len(h)-1] }

// conventionTable sets the posts' totals of castle wins beside both conventions, and counts the tests in which they
// differ.
func conventionTable(ctx context.Context, tests []postTest) (content.Table, int, error) {
	table := chapter.Table("conventions", "test", chapter.MD("$(n, s, d)$"), "printed", "counted as printed", "complete", "left out")
	short := 0
	for _, test := range tests {
		var totals [2]*big.Int
		for i, convention := range []game.Convention{game.Printed, game.Complete} {
			counts, err := test.Battle.Count(ctx, game.CountOptions{Convention: convention})
			if err != nil {
				return table, 0, err
			}
			totals[i] = counts.Castle.Total()
		}
		difference := new(big.Int).Sub(totals[1], totals[0])
		if difference.Sign() == 0 {
			continue
		}
		short++
		table.Rows = append(table.Rows, chapter.Row(test.Number, triple(test.Battle), orZero(test.Printed.CastleTotal), totals[0], totals[1], difference))
	}
	return table, short, nil
}
