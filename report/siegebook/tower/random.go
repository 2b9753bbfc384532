package tower

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
	drawing "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// byHand is a battle whose probabilities fit on a line.
var byHand = Battle(10, 6, 8, 2)

// The heat map: towers of heatHits hits and heatKills kills.
const (
	heatHits     = 4
	heatKills    = 2
	heatSoldiers = 40
	heatTowers   = 12
	heatExample  = 5 // towers of which the text tells from when on a win is certain
)

func randomPage(ctx context.Context) site.Page {
	page := site.Page{Values: map[string]any{}}
	for _, add := range []func(context.Context, *site.Page){
		addByHand, addCurve, addHeat, addOutcomes, addChain, addMethods, addRandomExercises,
	} {
		add(ctx, &page)
	}
	addNearest(&page)
	return page
}

// Random is the end of a battle whose soldiers shoot at random towers.
func Random(b game.Battle, reading game.Reading, method game.Method) game.Distribution {
	return chapter.Get(b.Random(context.Background(), reading, game.RandomOptions{Method: method}))
}

// addByHand compares the library with binomial coefficients, as the text counts them.
func addByHand(ctx context.Context, page *site.Page) {
	split := func(first int64) *big.Int { return new(big.Int).Binomial(byHand.Soldiers, first) }
	all := new(big.Int).Lsh(big.NewInt(1), uint(byHand.Soldiers))
	six := new(big.Int).Mul(big.NewInt(2), split(byHand.HitsPerTower))
	notFive := new(big.Int).Sub(all, split(byHand.Soldiers/2))
	want := []*big.Rat{new(big.Rat).SetFrac(six, all), new(big.Rat).SetFrac(notFive, all)}
	for i, reading := range game.Readings() {
		found := chapter.Get(byHand.Random(ctx, reading, game.RandomOptions{Method: game.Exact}))
		chapter.Expect("the probability by hand", found.Win.Exact.Cmp(want[i]) == 0, reading, found.Win, want[i])
		page.Values["hand "+reading.String()] = found.Win.String()
		page.Values["hand "+reading.String()+" share"] = Percent(found.Win.Float)
		first := chapter.Get(FirstTest.Random(ctx, reading, game.RandomOptions{}))
		page.Values["first "+reading.String()] = content.ForPeople(first.Win.String())
		if first.Win.Float < 1 {
			page.Values["first "+reading.String()+" share"] = Percent(first.Win.Float)
		}
	}
	left := byHand.Soldiers - byHand.KillsPerTower // after a round in which one of the two towers falls
	chapter.Set(page.Values, "hand left", left, "hand other", byHand.HitsPerTower-left,
		"hand half", byHand.Soldiers/2, "hand n", byHand.Soldiers, "hand h", byHand.HitsPerTower,
		"hand k", byHand.KillsPerTower, "hand t", byHand.Towers, "hand all", chapter.BigThousands(all),
		"hand six", split(byHand.HitsPerTower), "hand five", split(byHand.Soldiers/2), "first", Quad(FirstTest))
}

// addCurve draws the probabilities between the borders of the best and the worst aim.
func addCurve(ctx context.Context, page *site.Page) {
	b := Chances
	least, sure := Borders(b)
	lines := figure.Lines{
		Title: pictures.Text("Probability that the soldiers win against {tower} of {hit} and {kill}", b.Towers,
			b.HitsPerTower, b.KillsPerTower),
		X: figure.Axis{Label: "soldiers n"}, Y: figure.Axis{Label: "probability of a win"},
	}
	for _, play := range []fmt.Stringer{game.Greedy, game.Sequential, game.Simultaneous, game.Fewest} {
		lines.Series = append(lines.Series, figure.Series{Name: play.String()})
	}
	lines.Stairs = []string{game.Greedy.String(), game.Fewest.String()}
	certainFrom := func(soldiers int64) float64 {
		if b.Soldiers < soldiers {
			return 0
		}
		return 1
	}
	last := []float64{0, 0} // sim, seq
	for n := least - 2; n <= sure+4; n++ {
		b.Soldiers = n
		probabilities := map[string]float64{
			game.Greedy.String(): certainFrom(least),
			game.Fewest.String(): certainFrom(sure),
		}
		for i, reading := range game.Readings() {
			found := chapter.Get(b.Random(ctx, reading, game.RandomOptions{Method: game.Float}))
			p := found.Win.Float
			holds := p+found.Error >= last[i] && (n < least) == (p == 0) &&
				(reading == game.Simultaneous || n < sure || p > 1-1e-9)
			chapter.Expect("random soldiers between the borders", holds, b, reading, p)
			probabilities[reading.String()], last[i] = p, p
			if n == (least+sure)/2 {
				page.Values["middle "+reading.String()] = Percent(p)
			}
		}
		for i, series := range lines.Series {
			lines.Series[i].Points = append(series.Points, figure.Point{X: float64(n), Y: probabilities[series.Name]})
		}
	}
	chapter.Set(page.Values, "curve h", b.HitsPerTower, "curve k", b.KillsPerTower, "curve t", b.Towers,
		"curve least", least, "curve sure", sure, "curve middle", (least+sure)/2)
	chapter.Draw(page, "curve", lines)
}

// addHeat maps the probability over soldiers and towers.
func addHeat(ctx context.Context, page *site.Page) {
	plane := drawing.Plane{
		HitsPerTower: heatHits, KillsPerTower: heatKills,
		Soldiers: grid.Range{First: 1, Last: heatSoldiers}, Towers: grid.Range{First: 1, Last: heatTowers},
	}
	shares := map[game.Battle]float64{}
	open := 0            // battles with an open outcome
	nearBest := int64(0) // the last t where an even chance is nearer to the best aim
	for t := int64(1); t <= heatTowers; t++ {
		least, sure := Borders(Battle(0, heatHits, heatKills, t))
		half, always := int64(0), int64(0)
		for n := int64(1); n <= heatSoldiers; n++ {
			b := Battle(n, heatHits, heatKills, t)
			p := 0.0
			if n >= least {
				found := chapter.Get(b.Random(ctx, game.Simultaneous, game.RandomOptions{Method: game.Float}))
				if p = drawing.Share(found); p > 0.01 && p < 0.99 {
					open++
				}
				chapter.Expect("what is certain stays so, and Fewest wins it",
					(p == 1) == (always > 0 || p == 1) && (p < 1 || n >= sure), b, p)
				if p == 1 && always == 0 {
					always = n
				}
			}
			if p >= 0.5 && half == 0 {
				half = n
			}
			shares[b] = p
		}
		worst := NeedAnyPlay(heatHits, heatKills, t)
		chapter.Expect("a win is certain from where the worst play wins", always == worst ||
			always == 0 && worst > heatSoldiers, t, always, worst)
		if sure-half >= half-least {
			nearBest = t
		}
		if t == heatExample {
			square := heatKills * t * (t - 1) / 2
			one := NeedBy(AllAtOne, heatHits, heatKills, t, heatSoldiers)
			chapter.Set(page.Values, "heat square", square, "heat one", one, "heat t", t, "heat least", least,
				"heat sure", sure, "heat always", always)
			chapter.Expect("a win gets certain", always > sure && always > square && one < always &&
				one > square, always, one)
		}
	}
	chapter.Expect("the chance is even near the border of the worst aim", nearBest < heatTowers/2, nearBest)
	page.Values["near"] = nearBest
	m := drawing.Chances(plane, game.Simultaneous, func(b game.Battle) float64 { return shares[b] })
	m.Curves = plane.Borders(func(strategy game.Strategy, t int64) int64 {
		return Need(strategy, heatHits, heatKills, t)
	})
	chapter.Set(page.Values, "heat h", heatHits, "heat k", heatKills, "open", open,
		"heat battles", heatSoldiers*heatTowers)
	chapter.Draw(page, "heat", m)
}

// perTenThousand turns a probability into a number of battles to expect.
func perTenThousand(p float64) *big.Int { return big.NewInt(int64(math.Round(1e4 * p))) }

// addOutcomes draws when and for whom a battle with random targets ends.
func addOutcomes(ctx context.Context, page *site.Page) {
	found := chapter.Get(Chances.Random(ctx, game.Sequential, game.RandomOptions{Method: game.Float}))
	h := figure.Histogram{
		Title:  fmt.Sprintf("How %v ends if nobody aims (seq)", Chances),
		XLabel: "round in which the battle ends", YLabel: "battles to expect in 10,000",
		Series: []figure.BarSeries{{Name: "soldiers win"}, {Name: "towers win"}},
	}
	low, high := found.Outcomes[0].Rounds, found.Outcomes[len(found.Outcomes)-1].Rounds
	total := 0.0
	likeliest := found.Outcomes[0]
	for round := low; round <= high; round++ {
		sides := map[game.Winner]float64{}
		for _, o := range found.Outcomes {
			if o.Rounds == round {
				sides[o.Winner] = o.Probability.Float
				total += o.Probability.Float
			}
			if o.Probability.Float > likeliest.Probability.Float {
				likeliest = o
			}
		}
		h.Keys = append(h.Keys, int(round))
		h.Series[0].Counts = append(h.Series[0].Counts, perTenThousand(sides[game.Soldiers]))
		h.Series[1].Counts = append(h.Series[1].Counts, perTenThousand(sides[game.Towers]))
	}
	chapter.Set(page.Values, "open battle", Quad(Chances), "open win", Percent(found.Win.Float), "open low", low,
		"open high", high, "open winner", likeliest.Winner.String(), "open round", likeliest.Rounds,
		"open share", Percent(likeliest.Probability.Float), "open greedy", Play(Chances, game.Greedy).Rounds)
	chapter.Draw(page, "outcomes", h)
	chapter.Expect("the outcomes add up to 1", math.Abs(total-1) < 1e-9, total)
}
