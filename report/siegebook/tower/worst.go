package tower

import (
	"context"
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// Battles that Waste wins and another play loses.
var (
	// levelled: Waste levels the towers, and so the one that must fall takes more than its last hit with it.
	levelled = Battle(8, 6, 2, 2)
	// tooSparing: no play loses that destroys the fewest towers in every round.
	tooSparing = Battle(25, 20, 2, 3)
)

// The table of the soldiers who win however they aim: towers of the first of these battles' hits and kills.
var anyPlayTowers = []int64{1, 2, 3, 5, 8, 13, 21, 34}

// needAnyPlay is how many soldiers win however they aim.
func needAnyPlay(h, k, t int64) int64 {
	n, err := game.Battle{HitsPerTower: h, KillsPerTower: k, Towers: t}.MinSoldiersAnyPlay(0)
	if err != nil {
		panic(fmt.Sprintf("report/siegebook/tower: %v", err))
	}
	return n
}

// anyPlayBounds are what is proved of needAnyPlay (docs/derivations/tower.md, Theorem 11).
func anyPlayBounds(h, k, t int64) (least, most int64) {
	least, spared := k*t*(t-1)/2+1, int64(0)
	for (spared+1)+k*(spared+1)*spared/2 <= t*(h-1) {
		spared++
	}
	return least, least + k*t*spared
}

// worstOrders are those of a play that loses a battle; there must be one.
func worstOrders(b game.Battle) []game.Order {
	winner, orders, err := b.Worst(0)
	if err != nil || winner != game.Towers {
		panic(fmt.Sprintf("report/siegebook/tower: no play loses %v: %v", b, err))
	}
	return orders
}

// byOrders is the play that gives these orders in a battle. No two of its rounds have the same number of soldiers.
func byOrders(b game.Battle, orders []game.Order) aiming {
	given := map[int64]game.Order{}
	return func(s game.State) []game.Aim {
		if _, ok := given[s.Soldiers]; !ok {
			given[s.Soldiers] = orders[len(given)]
		}
		return given[s.Soldiers].Aims(s)
	}
}

// winsHoweverSparing reports whether soldiers win a battle in which, for as long as no tower must fall, all spare the
// towers until each has its last hit. It is false where that is not how the battle goes, since then it matters which
// towers are worn down.
func winsHoweverSparing(b game.Battle) bool {
	spare, soldiers := b.Towers*(b.HitsPerTower-1), b.Soldiers
	for soldiers > 0 && soldiers <= spare {
		spare -= soldiers
		soldiers -= b.KillsPerTower * b.Towers
	}
	if soldiers <= 0 || spare > 0 {
		return false
	}
	for towers := b.Towers - 1; towers > 0; towers-- { // now every tower has one hit
		if soldiers -= b.KillsPerTower * towers; soldiers <= 0 {
			return false
		}
	}
	return true
}

// addWorst shows plays that are worse than Waste, and how many soldiers win by any play.
func addWorst(page *site.Page) {
	b, uneven := levelled, byOrders(levelled, worstOrders(levelled))
	setBattle(page.Values, "level", b, "nhk")
	page.Tables = append(page.Tables, RoundTable("level", b, wasting), RoundTable("uneven", b, uneven))
	chapter.Expect("Waste wins what another play loses", b.Towers == 2 && winsBy(b, wasting) && !winsBy(b, uneven))
	addEarly(page)
	chapter.Set(page.Values, "anyplay h", levelled.HitsPerTower, "anyplay k", levelled.KillsPerTower)
	table := chapter.Table("anyplay", "towers", "best aim", "worst without waste", "Waste", "any aim", "at least",
		"at most")
	for _, t := range anyPlayTowers {
		h, k := levelled.HitsPerTower, levelled.KillsPerTower
		need, greedy, fewest := needAnyPlay(h, k, t), Need(game.Greedy, h, k, t), Need(game.Fewest, h, k, t)
		least, most := anyPlayBounds(h, k, t)
		waste := needBy(wasting, h, k, t, most)
		table.Add(t, greedy, fewest, waste, need, least, most)
		chapter.Expect("the soldiers who win by any aim are between their bounds",
			least <= need && need <= most && greedy <= fewest && fewest <= need && waste <= need, t, need)
	}
	page.Tables = append(page.Tables, table)
	h, k := levelled.HitsPerTower, levelled.KillsPerTower
	from := 2*(h-1)/k + 1
	above := func(t int64) int64 {
		least, _ := anyPlayBounds(h, k, t)
		return needAnyPlay(h, k, t) - least
	}
	chapter.Set(page.Values, "anyplay from", from, "anyplay above", above(from))
	for t := from; t <= anyPlayTowers[len(anyPlayTowers)-1]; t++ {
		chapter.Expect("many towers add their pairs", above(t) == above(from), t)
	}
	addExcess(page)
}

// excessHits and excessTowers are those of the figure of the soldiers who can lose.
var excessHits = []int64{5, 10, 15, 20}

const excessTowers = 40

// addExcess draws how many soldiers more than kt(t - 1)/2 can lose by some play.
func addExcess(page *site.Page) {
	lines := figure.Lines{
		Title: "The most soldiers who can lose, above t(t - 1)/2 (one kill)",
		X:     figure.Axis{Label: "towers t"}, Y: figure.Axis{Label: "soldiers above t(t - 1)/2"},
	}
	for _, h := range excessHits {
		series := figure.Series{Name: fmt.Sprintf("h = %d", h)}
		for t := int64(1); t <= excessTowers; t++ {
			least, _ := anyPlayBounds(h, 1, t)
			series.Points = append(series.Points, figure.Point{X: float64(t), Y: float64(needAnyPlay(h, 1, t) - least)})
		}
		lines.Series = append(lines.Series, series)
	}
	chapter.Draw(page, "excess", lines)
}

// addEarly shows a battle in which it does more harm to let a tower fall before one must.
func addEarly(page *site.Page) {
	b, orders := tooSparing, worstOrders(tooSparing)
	early := byOrders(b, orders)
	rounds := roundsBy(b, early)
	at := 0 // the round before which a tower is sacrificed for nothing
	for i, order := range orders {
		if order == game.Sacrifice && rounds[i].State.FewestDestroyed() == 0 {
			at = i
			break
		}
	}
	before, after := rounds[at].State, rounds[at+1].State
	spare := before.HitsLeft().Big().Int64() - before.Towers()
	setBattle(page.Values, "early", b, "nhkt")
	chapter.Set(page.Values, "early round", rounds[at+1].Number, "early spare", spare, "early rest", after.Soldiers)
	page.Tables = append(page.Tables, RoundTable("early", b, early))
	chapter.Expect("it does more harm to sacrifice early", at > 0 && winsHoweverSparing(b) && !winsBy(b, early) &&
		spare == before.Soldiers && after.HitsLeft().Big().Int64()-after.Towers() == spare, at, orders)
}

// aiming is a play: the aims in a state. It may waste shots, which a game.Strategy does not do on purpose.
type aiming func(game.State) []game.Aim

// allAtOne fires everything at one tower in each round, at the weakest.
func allAtOne(s game.State) []game.Aim {
	weakest := s.Groups[len(s.Groups)-1]
	return []game.Aim{{Towers: 1, Hits: weakest.Hits, Shots: s.Soldiers}}
}

// wasting is the play that the pages call Waste: it spreads the shots so that no tower falls, and fires all of them at
// one tower where one must fall.
func wasting(s game.State) []game.Aim {
	if s.FewestDestroyed() == 0 {
		return game.Fewest.Aims(s)
	}
	return allAtOne(s)
}

// roundsBy plays a battle, the start first.
func roundsBy(b game.Battle, aims aiming) []game.Round {
	return slices.Collect(b.RoundsFrom(b.Start(), aims))
}

// endBy is the last round of a play.
func endBy(b game.Battle, aims aiming) game.Round {
	rounds := roundsBy(b, aims)
	return rounds[len(rounds)-1]
}

// winsBy reports whether the soldiers win by a play.
func winsBy(b game.Battle, aims aiming) bool { return endBy(b, aims).Winner == game.Soldiers }

// needBy returns from how many soldiers on, up to most, the soldiers win by a play; most + 1 if they do not win with
// most.
func needBy(aims aiming, h, k, t, most int64) int64 {
	n := most
	for n > 0 && winsBy(Battle(n, h, k, t), aims) {
		n--
	}
	return n + 1
}

// addWaste compares Waste with firing all at one tower. That no play against these towers is worse than Waste is
// checked where chance picks the targets: soldiers who win for certain win by every play.
func addWaste(ctx context.Context, page *site.Page) {
	b := game.Battle{HitsPerTower: heatHits, KillsPerTower: heatKills, Towers: heatExample}
	one := needBy(allAtOne, heatHits, heatKills, heatExample, heatSoldiers)
	least := needBy(wasting, heatHits, heatKills, heatExample, heatSoldiers)
	certain := int64(0)
	for b.Soldiers = 1; certain == 0; b.Soldiers++ {
		found := chapter.Get(b.Random(ctx, game.Simultaneous, game.RandomOptions{Method: game.Float}))
		if pictures.Share(found) == 1 {
			certain = b.Soldiers
		}
	}
	b.Soldiers = least - 1
	spared, focused := roundsBy(b, wasting), endBy(b, allAtOne)
	setBattle(page.Values, "waste", b, "nhkt")
	chapter.Set(page.Values, "waste one", one, "waste least", least,
		"waste greedy", Need(game.Greedy, heatHits, heatKills, heatExample),
		"waste fewest", Need(game.Fewest, heatHits, heatKills, heatExample), "focused round", focused.Number,
		"focused soldiers", focused.State.Soldiers)
	spread := firstSpread(spared)
	page.Values["spread round"] = spread
	page.Tables = append(page.Tables, RoundTable("waste", b, wasting))
	holds := certain == least && certain == needAnyPlay(heatHits, heatKills, heatExample) && one < least &&
		winsBy(b, allAtOne) && !winsBy(b, wasting) && spread > 1 && int(spread) < len(spared)
	chapter.Expect("Waste is worse than all shots at one tower, and no play against these towers is worse "+
		"than Waste", holds, certain, least, one, spread)
	addWorst(page)
}

// firstSpread returns the first round in which no tower falls, 0 if there is none.
func firstSpread(rounds []game.Round) int64 {
	for i, round := range rounds[1:] {
		if round.State.Towers() == rounds[i].State.Towers() {
			return round.Number
		}
	}
	return 0
}
