package castle

import (
	"context"
	"fmt"
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// The battles that run through the derivation, by the names that the text calls them by. The pair with one soldier more
// and one less is the front page's.
var (
	patientBattle = game.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}
	waitBattle    = game.Battle{Soldiers: 100, CastleHits: 221, DefendersPerWave: 80}
	reachBattle   = game.Battle{Soldiers: 6, CastleHits: 13, DefendersPerWave: 1}
	roundBattle   = game.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 15}
	evenBattle    = game.Battle{Soldiers: 5, CastleHits: 10, DefendersPerWave: 5}
	thriftyBattle = game.Battle{Soldiers: 8, CastleHits: 14, DefendersPerWave: 5}
	postedBattle  = game.Battle{Soldiers: 19, CastleHits: 50, DefendersPerWave: 15}
	trialBattle   = game.Battle{Soldiers: 7, CastleHits: 12, DefendersPerWave: 5}
)

func derivationPage(ctx context.Context) (site.Page, error) {
	all := steps()
	checked, err := runSteps(ctx, all)
	if err != nil {
		return site.Page{}, err
	}
	notes := &stepNotes{steps: all, checked: checked}
	recap, err := casesTable()
	if err != nil {
		return site.Page{}, err
	}
	examples, err := derivationNumbers()
	if err != nil {
		return site.Page{}, err
	}
	page := site.Page{
		Values:  map[string]any{},
		Lookups: map[string]map[string]string{"checked": notes.notes(), "form": forms()},
		Tables: []content.Table{
			waitTable("patient", patientBattle, 11, 17), waitTable("waiting", waitBattle, 1, 6),
			booksTable(), detourTable(), huntTable(), convergentTable(), greedPlays(), recap, notes.table(),
		},
	}
	for name, numbers := range examples {
		page.Lookups[name] = numbers.texts()
	}
	for name, count := range printedNumbers() {
		page.Values["printed "+name] = chapter.Thousands(count)
	}
	for _, f := range []struct {
		id      string
		drawing chapter.Drawing
	}{
		{"successors", pictures.Successors(barelyWon.Soldiers, leftAt(barelyWon, 1))},
		{"ratio", pictures.Tolls(barelyWon, barelyLost)},
		{"strike", strikeFigure(waitBattle)},
	} {
		if err := chapter.Draw(&page, f.id, f.drawing); err != nil {
			return site.Page{}, err
		}
	}
	return page, derivationExplorables(&page)
}

// derivationExplorables are the figures that readers can play with.
func derivationExplorables(page *site.Page) error {
	near, b := firstHunted(nearBattle), waitBattle
	first, _ := b.Falls()
	for _, f := range []struct {
		id          string
		drawing     chapter.Drawing
		kind, start string
	}{
		{"hyperbola", pictures.Hyperbola(near, firstHunted(farBattle)), "castle-hunt", fmt.Sprintf("n=%d&x=%d", near.Soldiers, near.Left)},
		{"falls", pictures.Falls(b), "castle-wait", address(b) + fmt.Sprintf("&f=%d&bet=%d.%d.%d", first, patientBattle.Soldiers, patientBattle.CastleHits, patientBattle.DefendersPerWave)},
		{"staircase", pictures.Stairs(stairSoldiers, stairDefenders, stairWaves), "castle-stairs", address(game.Battle{Soldiers: stairSoldiers, CastleHits: stairHits, DefendersPerWave: stairDefenders})},
	} {
		if err := chapter.Explore(page, f.id, f.drawing, f.kind, f.start); err != nil {
			return err
		}
	}
	return nil
}

// address writes a battle as an explorable takes it.
func address(b game.Battle) string {
	return fmt.Sprintf("n=%d&s=%d&d=%d", b.Soldiers, b.CastleHits, b.DefendersPerWave)
}

// forms writes n² - nx - x² for two Fibonacci numbers that follow each other, under both of them.
func forms() map[string]string {
	texts := map[string]string{}
	for k := 2; k <= 10; k++ {
		n, x := int64(phi.Fib(k+1)), int64(phi.Fib(k))
		texts[fmt.Sprint(n, x)] = strconv.FormatInt(form(n, x), 10)
	}
	return texts
}
