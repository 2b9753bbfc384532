package tower

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/tower"
	"github.com/siegebook/siegebook/report/site"
)

// aimed is the battle that readers aim in. Its towers, like those of the post's first test, fill what the soldiers
// leave of a field of three cells a side.
var aimed = chances

const aimedSide = 3

// addAiming draws the battle before its first round, and after it by each strategy. Readers can play it.
func addAiming(ctx context.Context, page *site.Page) error {
	b := aimed
	fields := []figure.Grid{aimedField("start: "+content.Counted(b.Soldiers, "soldier", "soldiers"), b, b.Start())}
	fall := map[game.Strategy]int64{}
	for _, strategy := range game.Strategies() {
		once, end := afterRound(b, strategy, 1), play(b, strategy)
		fall[strategy] = b.Towers - once.State.Towers()
		fields = append(fields, aimedField(fmt.Sprintf("%v: %d left", strategy, once.State.Soldiers), b, once.State))
		page.Values["aiming rounds "+strategy.String()] = end.Rounds
	}
	page.Values["aiming fall"], page.Values["aiming left"] = fall[game.Greedy], play(b, game.Greedy).SoldiersLeft
	for _, reading := range game.Readings() {
		found, err := b.Random(ctx, reading, game.RandomOptions{Method: game.Float})
		if err != nil {
			return err
		}
		page.Values["aiming "+reading.String()] = percent(found.Win.Float)
	}
	page.Values["aiming"] = quad(b)
	page.Values["aiming n"], page.Values["aiming h"], page.Values["aiming k"], page.Values["aiming t"] = b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers
	if err := drawAimed(page, "aiming", b, ", and the towers after a round by each strategy", fields...); err != nil {
		return err
	}
	return chapter.Expect(
		"only greedy aim wins the battle that is aimed by hand",
		wins(b, game.Greedy) && !wins(b, game.Fewest) && !wins(b, game.Even) &&
			fall[game.Greedy] > 0 && fall[game.Fewest] == 0 && fall[game.Even] == 0,
		b,
		fall,
	)
}

// drawAimed draws fields of a battle that readers can play by hand.
func drawAimed(page *site.Page, id string, b game.Battle, more string, fields ...figure.Grid) error {
	drawn, err := pictures.Fields(fmt.Sprintf("%s against %s of %s", content.Counted(b.Soldiers, "soldier", "soldiers"),
		content.Counted(b.Towers, "tower", "towers"), content.Counted(b.HitsPerTower, "hit", "hits"))+more, fields...).
		Figure()
	if err != nil {
		return err
	}
	page.Figures = append(page.Figures, drawn.Named(id).
		Explored("tower-aim", fmt.Sprintf("n=%d&h=%d&k=%d&t=%d", b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers)),
	)
	return nil
}

// aimedField draws the towers of a state, those that have fallen last.
func aimedField(name string, b game.Battle, s game.State) figure.Grid {
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
