package tower

import (
	_ "embed"
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed strategies.md
var strategiesSource string

// duel is a battle that ends in three ways.
var duel = game.Battle{Soldiers: 225, HitsPerTower: 20, KillsPerTower: 1, Towers: 40}

// The maps: towers of mapHits hits and one kill, for which the borders are whole numbers of soldiers for each tower.
const (
	mapHits     = 6
	mapKills    = 1
	mapSoldiers = 120
	mapTowers   = 40
)

// Battles in which Even and Fewest differ: in the towers left at the end, and twice in the winner.
var (
	evenDiffers = game.Battle{Soldiers: 3, HitsPerTower: 3, KillsPerTower: 1, Towers: 2}
	evenWins    = game.Battle{Soldiers: 5, HitsPerTower: 5, KillsPerTower: 1, Towers: 2}
	evenLoses   = game.Battle{Soldiers: 9, HitsPerTower: 6, KillsPerTower: 3, Towers: 2}
)

func strategiesPage() (site.Page, error) {
	page := site.Page{
		Slug: "tower-strategies", Title: "The best aim and the worst", Nav: "Best and worst aim",
		Description: "Greedy, fewest and even spreading compared: who wins, how fast, and how many soldiers it takes.",
		Source:      strategiesSource, File: "report/tower/strategies.md", Values: map[string]any{},
	}
	for _, add := range []func(*site.Page) error{addDuel, addTheorems, addMaps, addNeeds, addPrices, addRatios} {
		if err := add(&page); err != nil {
			return site.Page{}, err
		}
	}
	return page, nil
}

// addDuel plays one battle in three ways.
func addDuel(page *site.Page) error {
	trace := figure.Trace{Title: fmt.Sprintf("%v, round by round", duel), XLabel: "round", YLabel: "number left", Steps: true}
	for _, strategy := range game.Strategies() {
		var soldiers, towers []figure.Point
		for round := range duel.Rounds(strategy) {
			x := float64(round.Number)
			soldiers = append(soldiers, figure.Point{X: x, Y: float64(round.State.Soldiers)})
			towers = append(towers, figure.Point{X: x, Y: float64(round.State.Towers())})
		}
		trace.Panels = append(trace.Panels, figure.Panel{Title: strategy.String(), Series: []figure.Series{
			{Name: "soldiers", Points: soldiers}, {Name: "towers", Points: towers},
		}})
		result := play(duel, strategy)
		page.Values["duel "+strategy.String()] = ending(result)
		page.Values["duel left "+strategy.String()] = max(result.SoldiersLeft, result.TowersLeft)
		page.Values["duel need "+strategy.String()] = need(strategy, duel.HitsPerTower, duel.KillsPerTower, duel.Towers)
	}
	page.Values["duel"] = quad(duel)
	page.Values["duel n"], page.Values["duel h"], page.Values["duel k"], page.Values["duel t"] = duel.Soldiers, duel.HitsPerTower, duel.KillsPerTower, duel.Towers
	page.Values["hits"] = duel.HitsPerTower * duel.Towers
	once := afterRound(duel, game.Greedy, 1).State
	page.Values["hits once"], page.Values["towers once"] = once.HitsLeft().Big(), once.Towers()
	f, err := trace.Figure()
	if err != nil {
		return err
	}
	page.Figures = append(page.Figures, f.Named("duel"))
	greedy, even, fewest := play(duel, game.Greedy), play(duel, game.Even), play(duel, game.Fewest)
	return chapter.Expect("the duel ends in three ways", even.Winner == game.Soldiers && greedy.Rounds < even.Rounds && greedy.SoldiersLeft > even.SoldiersLeft &&
		fewest.Winner == game.Towers && fewest.TowersLeft == duel.Towers, greedy, even, fewest)
}

// addTheorems checks what the theorems say of strategies against each other, and the examples of even spreading.
func addTheorems(page *site.Page) error {
	better := func(a, b game.Result) bool { // a is no worse for the soldiers than b
		if a.Winner != b.Winner {
			return a.Winner == game.Soldiers
		}
		if a.Winner == game.Soldiers {
			return a.Rounds <= b.Rounds
		}
		return a.Rounds >= b.Rounds
	}
	broken, ok := wide.first(func(b game.Battle) bool {
		greedy := play(b, game.Greedy)
		return slices.ContainsFunc(game.Strategies(), func(s game.Strategy) bool { return !better(greedy, play(b, s)) })
	})
	page.Values["box"] = wide.String()
	page.Values["differs"], page.Values["even wins"], page.Values["even loses"] = quad(evenDiffers), quad(evenWins), quad(evenLoses)
	page.Values["differs even"], page.Values["differs fewest"] = play(evenDiffers, game.Even).TowersLeft, play(evenDiffers, game.Fewest).TowersLeft
	page.Values["even only"] = chapter.Thousands(wide.count(func(b game.Battle) bool { return wins(b, game.Even) && !wins(b, game.Fewest) }))
	page.Values["fewest only"] = chapter.Thousands(wide.count(func(b game.Battle) bool { return !wins(b, game.Even) && wins(b, game.Fewest) }))
	if err := chapter.Expect("greedy is no worse than the others", !ok, broken); err != nil {
		return err
	}
	return chapter.Expect("even spreading is not the fewest", wins(evenWins, game.Even) && !wins(evenWins, game.Fewest) &&
		!wins(evenLoses, game.Even) && wins(evenLoses, game.Fewest) && page.Values["differs even"] != page.Values["differs fewest"])
}

// addMaps draws who wins, and how fast, over soldiers and towers.
func addMaps(page *site.Page) error {
	const lost, depends, safe = -1, -2, -3
	var fast, side []int
	count := map[int]int{}
	for t := int64(1); t <= mapTowers; t++ {
		sure := need(game.Fewest, mapHits, mapKills, t)
		for n := int64(1); n <= mapSoldiers; n++ {
			rounds, kind := lost, lost
			if best := play(game.Battle{Soldiers: n, HitsPerTower: mapHits, KillsPerTower: mapKills, Towers: t}, game.Greedy); best.Winner == game.Soldiers {
				if rounds, kind = int(best.Rounds), depends; n >= sure {
					kind = safe
				}
			}
			fast, side = append(fast, rounds), append(side, kind)
			count[kind]++
		}
	}
	x, y := figure.Cells("soldiers n", 1, mapSoldiers, 1), figure.Cells("towers t", 1, mapTowers, 1)
	least, whole := winRatio(mapHits, mapKills), wholeRatio(mapHits, mapKills)
	line := func(label string, ratio float64, dashed bool) figure.Curve {
		return figure.Curve{Label: label, Points: []figure.Point{{X: 0, Y: 0}, {X: ratio * mapTowers * 2, Y: mapTowers * 2}}, Dashed: dashed}
	}
	curves := []figure.Curve{line(fmt.Sprintf("n = %gt", least), least, false), line(fmt.Sprintf("n = %dt", whole), float64(whole), true)}
	rounds, err := figure.PhaseMap{
		Title: fmt.Sprintf("Rounds in which greedy soldiers win against towers of %d hits and %d kill", mapHits, mapKills),
		X:     x, Y: y, W: mapSoldiers, H: mapTowers, Cells: fast, One: "round", Many: "rounds",
		Classes: []figure.Class{{Value: lost, Label: "cannot win", Sign: "✗", Swatch: figure.Blocked}}, Curves: curves[:1],
	}.Figure()
	if err != nil {
		return err
	}
	aim, err := figure.PhaseMap{
		Title: fmt.Sprintf("Where the aim decides, towers of %d hits and %d kill", mapHits, mapKills),
		X:     x, Y: y, W: mapSoldiers, H: mapTowers, Cells: side,
		Classes: []figure.Class{
			{Value: safe, Label: "every play without waste wins", Sign: "✓", Swatch: figure.Quiet},
			{Value: depends, Label: "the aim decides", Sign: "?", Swatch: figure.Orange},
			{Value: lost, Label: "cannot win", Sign: "✗", Swatch: figure.Blocked},
		}, Curves: curves,
	}.Figure()
	if err != nil {
		return err
	}
	page.Figures = append(page.Figures, rounds.Named("rounds"), aim.Named("aim"))
	page.Values["map h"], page.Values["map k"] = mapHits, mapKills
	page.Values["map battles"] = chapter.Thousands(len(side))
	for name, kind := range map[string]int{"map lost": lost, "map depends": depends, "map safe": safe} {
		page.Values[name] = chapter.Thousands(count[kind])
		page.Values[name+" share"] = figure.Percent(count[kind], len(side), 1)
	}
	return nil
}
