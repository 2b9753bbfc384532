package tower

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// duel is a battle that ends in three ways.
var duel = Battle(225, 20, 1, 40)

// The maps: towers of mapHits hits and one kill, for which the borders are whole numbers of soldiers for each tower.
const (
	mapHits     = 6
	mapKills    = 1
	mapSoldiers = 120
	mapTowers   = 40
)

var mapPlane = pictures.Plane{
	HitsPerTower: mapHits, KillsPerTower: mapKills,
	Soldiers: grid.Range{First: 1, Last: mapSoldiers}, Towers: grid.Range{First: 1, Last: mapTowers},
}

// Battles in which Even and Fewest differ: in the towers left at the end, and twice in the winner.
var (
	evenDiffers = Battle(3, 3, 1, 2)
	evenWins    = Battle(5, 5, 1, 2)
	evenLoses   = Battle(9, 6, 3, 2)
)

func strategiesPage(ctx context.Context) site.Page {
	page := site.Page{Values: map[string]any{}}
	for _, add := range []func(*site.Page){
		addDuel, addListings, addEven, addMaps, addNeeds, addFalling, addPrices, addRatios, addStrategyExercises,
	} {
		add(&page)
	}
	addAiming(ctx, &page)
	addWaste(ctx, &page)
	return page
}

// addDuel plays one battle in three ways.
func addDuel(page *site.Page) {
	for _, strategy := range game.Strategies() {
		result := Play(duel, strategy)
		page.Values["duel "+strategy.String()] = ending(result)
		page.Values["duel left "+strategy.String()] = max(result.SoldiersLeft, result.TowersLeft)
		page.Values["duel need "+strategy.String()] = Need(strategy, duel.HitsPerTower, duel.KillsPerTower, duel.Towers)
	}
	setBattle(page.Values, "duel", duel, "nhkt")
	once := AfterRound(duel, game.Greedy, 1).State
	chapter.Set(page.Values, "hits", duel.HitsPerTower*duel.Towers, "hits once", once.HitsLeft().Big(),
		"towers once", once.Towers())
	chapter.Draw(page, "duel", pictures.Trace(duel, game.Strategies()...))
	greedy, even, fewest := Play(duel, game.Greedy), Play(duel, game.Even), Play(duel, game.Fewest)
	chapter.Expect("the duel ends in three ways", even.Winner == game.Soldiers && greedy.Rounds < even.Rounds &&
		greedy.SoldiersLeft > even.SoldiersLeft &&
		fewest.Winner == game.Towers && fewest.TowersLeft == duel.Towers, greedy, even, fewest)
}

// addEven checks the examples of even spreading.
func addEven(page *site.Page) {
	chapter.Set(page.Values, "box", Wide.String(), "differs", Quad(evenDiffers), "even wins", Quad(evenWins),
		"even loses", Quad(evenLoses), "differs even", Play(evenDiffers, game.Even).TowersLeft,
		"differs fewest", Play(evenDiffers, game.Fewest).TowersLeft)
	only := func(one, other game.Strategy) string {
		return chapter.Thousands(Wide.Count(func(b game.Battle) bool { return Wins(b, one) && !Wins(b, other) }))
	}
	chapter.Set(page.Values, "even only", only(game.Even, game.Fewest), "fewest only", only(game.Fewest, game.Even))
	chapter.Expect("even spreading is not the fewest", Wins(evenWins, game.Even) &&
		!Wins(evenWins, game.Fewest) && !Wins(evenLoses, game.Even) && Wins(evenLoses, game.Fewest) &&
		page.Values["differs even"] != page.Values["differs fewest"])
}

// addMaps draws who wins, and how fast, over soldiers and towers.
func addMaps(page *site.Page) {
	count := map[string]int{}
	for b := range mapPlane.Battles() {
		aim := "map lost"
		switch {
		case b.Soldiers >= Need(game.Fewest, mapHits, mapKills, b.Towers):
			aim = "map safe"
		case Wins(b, game.Greedy):
			aim = "map depends"
		}
		count[aim]++
	}
	least := pictures.WinRatio(mapHits, mapKills)
	fast := pictures.Rounds(mapPlane, game.Greedy, Play)
	fast.Curves = []figure.Curve{mapPlane.Ratio(fmt.Sprintf("n = %gt", least), least)}
	chapter.Draw(page, "rounds", fast)
	chapter.Set(page.Values, "map h", mapHits, "map k", mapKills,
		"map battles", chapter.Thousands(mapSoldiers*mapTowers))
	for name, battles := range count {
		page.Values[name] = chapter.Thousands(battles)
		page.Values[name+" share"] = figure.Percent(battles, mapSoldiers*mapTowers, 1)
	}
	// Where readers begin to walk, the aim decides.
	const walk = mapTowers * 3 / 4
	n := (Need(game.Greedy, mapHits, mapKills, walk) + Need(game.Even, mapHits, mapKills, walk)) / 2
	chapter.Explore(page, "aim", pictures.Map(), content.Settings("n", n, "h", mapHits, "k", mapKills, "t", walk)...)
}

// aimed is the battle that readers aim in. Its towers, like those of the post's first test, fill what the soldiers
// leave of a field of three cells a side.
var aimed = chances

const aimedSide = 3

// addAiming draws the battle before its first round, and after it by each strategy. Readers can play it.
func addAiming(ctx context.Context, page *site.Page) {
	b := aimed
	fields := []figure.Grid{AimedField("start: "+content.Counted(b.Soldiers, "soldier", "soldiers"), b, b.Start())}
	fall := map[game.Strategy]int64{}
	for _, strategy := range game.Strategies() {
		once, end := AfterRound(b, strategy, 1), Play(b, strategy)
		fall[strategy] = b.Towers - once.State.Towers()
		fields = append(fields, AimedField(fmt.Sprintf("%v: %d left", strategy, once.State.Soldiers), b, once.State))
		page.Values["aiming rounds "+strategy.String()] = end.Rounds
	}
	chapter.Set(page.Values, "aiming fall", fall[game.Greedy], "aiming left", Play(b, game.Greedy).SoldiersLeft)
	for _, reading := range game.Readings() {
		found := chapter.Get(b.Random(ctx, reading, game.RandomOptions{Method: game.Float}))
		page.Values["aiming "+reading.String()] = percent(found.Win.Float)
	}
	setBattle(page.Values, "aiming", b, "nhkt")
	drawAimed(page, "aiming", b, ", and the towers after a round by each strategy", fields...)
	chapter.Expect("only greedy aim wins the battle that is aimed by hand", Wins(b, game.Greedy) &&
		!Wins(b, game.Fewest) && !Wins(b, game.Even) && fall[game.Greedy] > 0 && fall[game.Fewest] == 0 &&
		fall[game.Even] == 0, b, fall)
}

// drawAimed draws fields of a battle that readers can play by hand.
func drawAimed(page *site.Page, id string, b game.Battle, more string, fields ...figure.Grid) {
	page.Figures = append(page.Figures, Aimed(id, b, more, fields...))
}

// Aimed draws fields of a battle, where readers can aim.
func Aimed(id string, b game.Battle, more string, fields ...figure.Grid) content.Figure {
	title := fmt.Sprintf("%s against %s of %s", content.Counted(b.Soldiers, "soldier", "soldiers"),
		content.Counted(b.Towers, "tower", "towers"), content.Counted(b.HitsPerTower, "hit", "hits"))
	drawn := chapter.Get(pictures.Fields(title+more, fields...).Figure())
	start := content.Settings("n", b.Soldiers, "h", b.HitsPerTower, "k", b.KillsPerTower, "t", b.Towers)
	return drawn.Named(id).Explored("tower-aim", start)
}

// AimedField draws the towers of a state, those that have fallen last.
func AimedField(name string, b game.Battle, s game.State) figure.Grid {
	hits := make([]int64, 0, b.Towers)
	for _, group := range s.Groups {
		for range group.Towers {
			hits = append(hits, group.Hits)
		}
	}
	cells := make([]int, b.Towers)
	for i := range cells {
		cells[i] = aimedSide*aimedSide - len(cells) + i
	}
	return pictures.Field(name, aimedSide, cells, b.HitsPerTower, append(hits, make([]int64, len(cells)-len(hits))...))
}
