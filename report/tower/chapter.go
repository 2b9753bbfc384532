// Package tower is the report's chapter on the tower game: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package tower

import (
	"context"
	"embed"
	"fmt"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore/listings"
	pictures "github.com/siegebook/siegebook/report/pictures/tower"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed *.md
var texts embed.FS

// Seed is where the simulated battles of the chapter begin.
const Seed = 1

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[chapter.Nothing]{
	Name: "tower", Title: "Towers", Seed: Seed, Texts: texts,
	Pages: []chapter.Page[chapter.Nothing]{
		{Name: "rules", Fixed: rulesPage},
		{Name: "strategies", Fixed: strategiesPage},
		{Name: "random", Fixed: randomPage},
		{Name: "own", Fixed: ownPage},
	},
	Claims: allClaims, Errata: errataPage, Post: "Tower Defense, ",
	Questions: questions,
}.Game()

// ownPlane is where the page for readers' aims begins.
var ownPlane = pictures.Plane{
	HitsPerTower: 6, KillsPerTower: 2, Soldiers: grid.Range{First: 1, Last: 80}, Towers: grid.Range{First: 1, Last: 20},
}

// ownPage lets readers write an aim. Its figure begins with a battle that the program at the start loses.
func ownPage(context.Context) (site.Page, error) {
	page := site.Page{Values: map[string]any{}}
	start := listings.TowerExamples[0]
	program := chapter.Get(listing.Read("even.star", []byte(start.Text), listing.TowerSignature, listing.Limits{}))
	p := ownPlane
	var lost *game.Battle
	var end, best game.Result
	battles := 0
	for b := range p.Battles() {
		battles++
		if lost != nil {
			continue
		}
		var last game.Round
		for round, err := range listing.Tower(program, b) {
			chapter.Do(err)
			last = round
		}
		if best = play(b, game.Greedy); best.Winner == game.Soldiers && last.Winner == game.Towers {
			lost = &b
			end = game.Result{Winner: last.Winner, Rounds: last.Number, TowersLeft: last.State.Towers()}
		}
	}
	chapter.Do(chapter.Expect("the program at the start loses a battle that can be won", lost != nil, p))
	best = play(*lost, game.Greedy)
	page.Values["program"] = content.Markdown(start.Text)
	page.Values["language"] = content.Markdown(listings.Language())
	page.Values["battles"] = chapter.Thousands(battles)
	page.Values["h"], page.Values["k"] = p.HitsPerTower, p.KillsPerTower
	page.Values["lost"] = chapter.MD("%v: by the program %s, by the best aim %s", *lost, pictures.End(end),
		pictures.End(best))
	settings := fmt.Sprintf("h=%d&k=%d&na=%d&nz=%d&ta=%d&tz=%d&n=%d&t=%d", p.HitsPerTower, p.KillsPerTower,
		p.Soldiers.First, p.Soldiers.Last, p.Towers.First, p.Towers.Last, lost.Soldiers, lost.Towers)
	return page, chapter.Explore(&page, "own", listings.Tower, settings)
}

// questions are what the post left open. The pages that they refer to compute and check what the answers state.
func questions() []chapter.Question {
	return []chapter.Question{
		{
			ID: "tower-ratio", Title: "Soldiers and towers in no whole ratio?", Where: "Tower Defense, case (c)",
			Asked: "Who wins if the soldiers destroy as few towers as possible, and $n/t$ is not whole? Left to the " +
				"reader.", Answer: "With $r$ the least whole number for which $r + (r - k) + (r - 2k) + \\dots$ " +
				"reaches $h$, bad aim wins from $rt$ soldiers on and loses up to $(r - 1)\\,t$. " +
				"In between, the play that destroys the fewest towers in each round is the worst of all without " +
				"waste. Its exact border is 1 more than the integer part of $t\\rho$, for a number $\\rho$ that " +
				"depends on $h$ and $k$ alone.",
			Ref: "sec:tower-strategies/ratios",
		}, {
			ID: "tower-greedy", Title: "Is greed best?", Where: "Tower Defense, the algorithm",
			Asked: "Do soldiers who destroy as many towers as possible in each round win fastest? The post asks its " +
				"readers to convince themselves.",
			Answer: "Yes. After every round they have the most soldiers, and face the fewest towers and hits, of all " +
				"plays.", Ref: "sec:tower-strategies/greedy",
		}, {
			ID: "tower-price", Title: "When can the soldiers win at all?", Where: "Tower Defense, the introduction",
			Asked: "For which numbers can the soldiers destroy all towers?",
			Answer: "The algorithm tells for each battle. There is also a simple condition, which is necessary, and " +
				"for many towers all but sufficient: $n\\,(n + kt) > kh\\,t^2$. " +
				"For towers of one hit and one kill it says $n > t/\\varphi$, with the golden ratio.",
			Ref: "sec:tower-strategies/price",
		}, {
			ID: "tower-chance", Title: "And if they shoot at random?", Where: "Tower Defense, the rules",
			Asked: "Each soldier hits a random tower, say the rules. How often do the soldiers win then?",
			Answer: "With a probability that is computed exactly. Between the borders of the best and the worst aim " +
				"it climbs from 0 to nearly 1 within a few soldiers.",
			Ref: "page:tower-random",
		}, {
			ID: "tower-nearest", Title: "And if they shoot at the nearest tower?",
			Where: "Tower Defense, on its graphical game",
			Asked: "In the graphical game the same battle ends sometimes one way and sometimes the other, because " +
				"several towers may be equally near. How often?",
			Answer: "Only the number of towers in each range matters, so the probability is counted exactly. With " +
				"just enough soldiers for the best aim, they win in few of the random fields.",
			Ref: "sec:tower-random/nearest",
		}, {
			ID: "tower-worst", Title: "What is the worst play of all?", Where: "our page on aim, until lately",
			Asked: "If shots may be wasted: does a play that destroys the fewest towers in every round always do the " +
				"most harm? A search of small battles found no exception.",
			Answer: "No. Sometimes it does more harm to sacrifice a tower that could be spared, and to spare more " +
				"often later. The worst play of all needs two orders, to spare or to sacrifice, " +
				"and trying both in each round finds it.",
			Ref: "sec:tower-strategies/worst",
		}, {
			ID: "tower-any-aim", Title: "Is there a formula for the soldiers who win however they aim at few towers?",
			Where: "our page on aim, until lately",
			Asked: "Two orders are enough for the worst play, and against many towers the number is " +
				"$\\tfrac12 k\\,t(t - 1)$ plus a constant. Which of the two orders is the worse in a round, and " +
				"what is the number against few towers?",
			Answer: "$N > k(T^2 - 1)$ soldiers do the most harm if they spare the towers, fewer if they sacrifice " +
				"one, as long as that can still lose. If the rule spares in round 1, there is a formula. Otherwise " +
				"the number comes out of one table with a line for each $k$ soldiers above $\\tfrac12 k\\,t(t - 1)$.",
			Ref: "sec:tower-strategies/worst-rule",
		}, {
			ID: "tower-price-exact", Title: "How far is the price from the truth?",
			Where: "our page on aim, until lately",
			Asked: "$n\\,(n + kt) > kh\\,t^2$ is necessary. How many more soldiers may it take than that?",
			Answer: "A number that depends on $h$ and $k$ alone, however many towers there are. For towers of one " +
				"hit it is none: the condition is exact.", Ref: "sec:tower-strategies/price",
		},
	}
}
