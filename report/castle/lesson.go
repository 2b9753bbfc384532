package castle

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// The battles of the lesson: a pair in which one soldier decides, small enough to play by hand.
var (
	taughtWon  = game.Battle{Soldiers: 13, CastleHits: 17, DefendersPerWave: 17}
	taughtLost = game.Battle{Soldiers: 12, CastleHits: 17, DefendersPerWave: 17}
)

// The armies of the worksheet's quotients, and the one of its last question.
var taughtArmies = []int64{5, 8, 13, 21, 34, 55}

const triedArmy = 100

// taughtNumbers are the numbers of the lesson and of its sheet.
func taughtNumbers() (map[string]any, error) {
	won, lost := huntPairs(taughtWon), huntPairs(taughtLost)
	values := map[string]any{
		"n": taughtWon.Soldiers, "n lost": taughtLost.Soldiers, "s": taughtWon.CastleHits,
		"d": taughtWon.DefendersPerWave, "s+d": taughtWon.CastleHits + taughtWon.DefendersPerWave,
		"hits 2":       taughtWon.CastleHits - taughtWon.Soldiers,
		"at defenders": 2*taughtWon.Soldiers - taughtWon.CastleHits, "x": leftAt(taughtWon, 1),
		"border": widest(taughtWon.Soldiers), "border lost": widest(taughtLost.Soldiers),
	}
	orders, _ := winningOrders(taughtWon)
	holds := soldierWaves(taughtWon) > 0 && soldierWaves(taughtLost) == 0 && len(orders) == 1 &&
		taughtWon.Soldiers == taughtLost.Soldiers+1 && won[len(won)-1].x <= 0 &&
		lost[len(lost)-1].x >= lost[len(lost)-1].n
	return values, chapter.Expect("one soldier and one order decide the battle of the lesson", holds, won, lost, orders)
}

func lessonPage(context.Context) (site.Page, error) {
	values, err := taughtNumbers()
	if err != nil {
		return site.Page{}, err
	}
	plan := chapter.Table("plan", "minutes", "what the class does", "what you say or ask")
	for _, row := range [][3]content.Markdown{
		{"10", "Play", chapter.MD("“Can %d soldiers win?” Pairs share a device, or play on "+
			"paper.", taughtWon.Soldiers)},
		{"15", "Hunt: questions 1 to 3 of the sheet", chapter.MD("“And with %d?” Which numbers do you see?",
			taughtLost.Soldiers)},
		{"15", "Divide: questions 4 to 6", "“Does the quotient settle? At what?” Collect the quotients on the board."},
		{"5", "Reveal", "The golden ratio, and the map of all battles. Show the border with the projector view."},
	} {
		plan.Rows = append(plan.Rows, chapter.Row(row[0], row[1], row[2]))
	}
	tree := posts()[treeTests[0]].Battle
	counts, err := waysOf(tree)
	if err != nil {
		return site.Page{}, err
	}
	values["tree battle"], values["tree paths"] = triple(tree), allPaths(counts)
	page := site.Page{Values: values, Tables: []content.Table{plan}}
	return page, chapter.Draw(&page, "hunt", pictures.Successors(taughtWon.Soldiers, leftAt(taughtWon, 1)))
}

func sheetPage(context.Context) (site.Page, error) {
	all, err := taughtNumbers()
	if err != nil {
		return site.Page{}, err
	}
	values := map[string]any{}
	for _, name := range []string{"n", "n lost", "s", "d", "hits 2", "at defenders", "x"} {
		values[name] = all[name]
	}
	won, lost := huntPairs(taughtWon), huntPairs(taughtLost)
	values["pairs"], values["pairs lost"] = pairsOf(won), pairsOf(lost)
	values["alive"] = won[len(won)-1].n
	var line, quotients []string
	for _, w := range won {
		line = append(line, fmt.Sprint(w.n), fmt.Sprint(max(0, w.x)))
	}
	values["line"] = strings.Join(line, ", ")
	blank := chapter.Table("blank", "wave", "soldiers", "defenders left", "soldiers", "defenders left")
	blank.Groups = []content.Group{
		{Cell: content.Text(""), Span: 1},
		{Cell: content.Text(fmt.Sprintf("%d soldiers", taughtWon.Soldiers)), Span: 2},
		{Cell: content.Text(fmt.Sprintf("%d soldiers", taughtLost.Soldiers)), Span: 2},
	}
	for i := range won {
		row := chapter.Row(i+2, "", "", "", "")
		if i == 0 {
			row = chapter.Row(i+2, won[0].n, won[0].x, lost[0].n, lost[0].x)
		}
		blank.Rows = append(blank.Rows, row)
	}
	ratios := chapter.Table("quotients", "soldiers", chapter.MD("largest $s + d$"), "quotient")
	for _, n := range taughtArmies {
		ratios.Rows = append(ratios.Rows, chapter.Row(n, widest(n), ""))
		quotients = append(quotients, big.NewRat(widest(n), n).FloatString(3))
	}
	values["quotients"] = strings.Join(quotients, ", ")
	values["try n"], values["try border"] = triedArmy, widest(triedArmy)
	values["try product"] = big.NewRat(2618*triedArmy, 1000).FloatString(1)
	return site.Page{Values: values, Tables: []content.Table{blank, ratios}}, nil
}

// pairsOf writes the waves of a hunt for a line of text.
func pairsOf(waves []huntWave) string {
	var all []string
	for _, w := range waves {
		all = append(all, fmt.Sprintf("%d and %d", w.n, max(0, w.x)))
	}
	return strings.Join(all, "; ")
}
