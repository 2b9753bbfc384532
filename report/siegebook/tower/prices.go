package tower

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// exceeds says exactly whether n > xt for the x of [pictures.WinRatio]: n(n + kt) > kht².
func exceeds(n, h, k, t int64) bool { return n*(n+k*t) > k*h*t*t }

// addNeeds draws how many soldiers it takes, over the towers.
func addNeeds(page *site.Page) {
	needed := func(strategy game.Strategy, towers int64) int64 { return Need(strategy, mapHits, mapKills, towers) }
	strategies := game.Strategies() // the highest line first
	slices.SortStableFunc(
		strategies, func(a, b game.Strategy) int { return cmp.Compare(needed(b, mapTowers), needed(a, mapTowers)) },
	)
	for _, strategy := range strategies {
		page.Values["need "+strategy.String()] = needed(strategy, mapTowers)
	}
	page.Values["map t"] = mapTowers
	if greedy, fewest := needed(game.Greedy, mapTowers), needed(game.Fewest, mapTowers); 4*(fewest-greedy) <= fewest {
		chapter.Expect("good aim is worth more than one soldier in four", false, greedy, fewest)
	}
	chapter.Draw(page, "needs", pictures.Needs(mapPlane, needed, strategies...))
}

// priceTowers is the number of towers for which the table of prices is computed.
const priceTowers = 10_000

// addPrices compares the soldiers per tower with the bounds, and checks the bounds over a whole range.
func addPrices(page *site.Page) {
	table := chapter.Table("prices", "hits", "greedy", "a tower", "proved: above", "fewest", "a tower", "proved: up to",
		"fewest / greedy")
	for _, h := range []int64{1, 2, 3, 6, 10, 100, 10_000} {
		greedy, fewest := Need(game.Greedy, h, 1, priceTowers), Need(game.Fewest, h, 1, priceTowers)
		table.Add(h, greedy, content.Decimal(perTower(greedy, priceTowers)),
			content.Decimal(fixed(pictures.WinRatio(h, 1))), fewest,
			content.Decimal(perTower(fewest, priceTowers)), pictures.EvenRatio(h, 1),
			content.Decimal(fixed(float64(fewest)/float64(greedy))))
	}
	page.Tables = append(page.Tables, table)
	ends := []int64{30, 4, 25}
	for at := range chapter.Points(nil, ends) {
		h, k, t := at[0], at[1], at[2]
		greedy, fewest, even := Need(game.Greedy, h, k, t), Need(game.Fewest, h, k, t), Need(game.Even, h, k, t)
		r := pictures.EvenRatio(h, k)
		holds := exceeds(greedy, h, k, t) && (r-1)*t < min(fewest, even) && max(fewest, even) <= r*t
		chapter.Expect("the bounds of the soldiers needed", holds, h, k, t, greedy, fewest, even, r)
		rho, _ := worstRatio(h, k)
		b := Battle(fewest, h, k, t)
		won, border := Wins(b, game.Fewest), rho*float64(t)
		b.Soldiers--
		holds = won && (fewest == 1 || !Wins(b, game.Fewest)) && float64(fewest-1) < border && border < float64(fewest)
		chapter.Expect("the border of the worst aim without waste", holds, h, k, t, fewest, border)
	}
	page.Values["price box"] = chapter.Range(chapter.Side{Name: "h", To: ends[0]}, chapter.Side{Name: "k", To: ends[1]},
		chapter.Side{Name: "t", To: ends[2]})
	page.Values["rho box"] = page.Values["price box"]
	page.Values["price t"] = chapter.Thousands(int64(priceTowers))
	page.Values["golden"] = fixed(1 / math.Phi)
	page.Values["root"] = fixed(math.Sqrt2)
	chapter.Expect("one hit is the golden ratio", pictures.WinRatio(1, 1)*math.Phi > 1-1e-12 &&
		pictures.WinRatio(1, 1)*math.Phi < 1+1e-12)
}

func fixed(x float64) string { return figure.Fixed(x, 3) }

// ratioHits are towers that whole ratios up to 3 beat.
var ratioHits = []int64{6, 5, 4, 3}

// leftTowers is the number of towers in the example of a ratio that is not whole.
const leftTowers = 10

// addRatios draws what lies between whole ratios.
func addRatios(page *site.Page) {
	lines := figure.Lines{
		Title: "Soldiers for each tower, from which every play without waste wins (one kill)",
		X:     figure.Axis{Label: "towers t"}, Y: figure.Axis{Label: "soldiers for each tower", Min: 1.5, Max: 3.2},
	}
	for _, h := range ratioHits {
		series := figure.Series{Name: fmt.Sprintf("h = %d", h)}
		for t := int64(1); t <= mapTowers; t++ {
			series.Points = append(series.Points,
				figure.Point{X: float64(t), Y: float64(Need(game.Fewest, h, 1, t)) / float64(t)})
		}
		lines.Series = append(lines.Series, series)
	}
	for _, h := range ratioHits {
		rho, _ := worstRatio(h, 1)
		lines.References = append(lines.References, figure.Reference{Label: "ρ = " + fixed(rho), Y: rho})
	}
	rho, first := worstRatio(mapHits, mapKills)
	chapter.Set(page.Values, "rho", fixed(rho), "rho u", first, "rho t", fixed(rho*leftTowers))
	border, r := Need(game.Fewest, mapHits, mapKills, leftTowers), pictures.EvenRatio(mapHits, mapKills)
	chapter.Set(page.Values, "left t", leftTowers, "left border", border, "left low", (r-1)*leftTowers,
		"left high", r*leftTowers, "left below", border-1, "left ratio", figure.Ratio(border, leftTowers, 1))
	chapter.Draw(page, "ratios", lines)
}

// worstRatio returns the soldiers for each tower that the worst aim without waste needs, and the round whose bound
// is the least (docs/derivations/tower.md, Theorem 13).
func worstRatio(h, k int64) (rho float64, round int64) {
	root := math.Sqrt(float64(k*k + 4*k))
	c := (float64(k) + root) / 2
	u := 1.0
	for float64(k)*u*u+u*root <= 2*float64(h-1) {
		u++
	}
	return (float64(k)*(u-1) + c*(float64(h)+float64(k)*u*(u-1)/2)) / (1 + c*u), int64(u)
}
