// Package castle is the report's chapter on the castle game: its texts, the data behind every number in them, its
// figures and tables, and the checks of everything that it claims about the posts.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package castle

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"text/template"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/listings"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

//go:embed *.md
var texts embed.FS

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[*survey]{
	Name: "castle", Title: "Castle", Texts: texts,
	Parameters: []chapter.Parameter{gridParameter, surveyParameter, algorithmParameter},
	Data:       chapterData,
	Front:      frontOf,
	Pages: []chapter.Page[*survey]{
		{Name: "compared", Build: comparedPage},
		{Name: "own", Fixed: ownPage},
		{Name: "agreement", Build: agreementPage},
		{Name: "side", Build: castleSidePage},
		{Name: "counts", Fixed: countsPage},
		{Name: "lesson", Fixed: lessonPage},
		{Name: "sheet", Fixed: sheetPage},
	},
	Claims: allClaims, Post: "Castle Defense ",
	Errata: func(page *site.Page) { page.Values["box"] = Wide.String() },
}.Game()

// say writes sentences that depend on numbers.
var say = chapter.Sentences(texts, template.FuncMap{
	"thousands": func(n any) string { return figure.Thousands(fmt.Sprint(n)) }, "share": figure.Share, "waves": waves,
	"triple": Triple, "mean": meanText, "titled": titled, "from": rangeText, "shards": shardsText,
	"checked": checkedText, "searched": func(v game.Survey) int64 { t, _ := v.Of("search"); return t.Battles },
})

// outcome writes the end of a line of play for a narrow column: "soldiers in 4".
func outcome(w game.Winner, waves int64) string {
	switch w {
	case game.Soldiers:
		return "soldiers in\u00a0" + strconv.FormatInt(waves, 10)
	case game.Castle:
		return "castle in\u00a0" + strconv.FormatInt(waves, 10)
	default:
		return "tie"
	}
}

// waves writes a number of waves.
func waves(n int64) string { return content.Counted(n, "wave", "waves") }

// Triple writes a battle for prose and tables, unbroken: (10, 43, 8).
func Triple(b game.Battle) string { return chapter.NoBreak(b.String()) }

// ownPage lets readers write an algorithm. Its figure begins with a battle that the program at the start loses.
func ownPage(ctx context.Context) site.Page {
	page := site.Page{Values: map[string]any{}}
	start := listings.CastleExamples[0]
	program := chapter.Get(listing.Read("castle-first.star", []byte(start.Text), games.CastleSignature,
		listing.Limits{}))
	own := games.Castle(program)
	own.Name = "own"
	p := sideBySide
	survey := chapter.Get(game.NewSurvey(ctx, grid.Range{First: p.Soldiers, Last: p.Soldiers}, p.Castle, p.Defenders,
		game.SurveyOptions{Algorithms: []game.Algorithm{own}}))
	tally, _ := survey.Of(own.Name)
	lost := tally.First.WrongSide
	chapter.HoldsAt(lost != nil, "the program at the start loses a battle of %v that can be won", p)
	line := lost.Play(own.Strategy(*lost))
	chapter.Set(page.Values, "program", content.Markdown(start.Text), "battles", chapter.Thousands(tally.Battles),
		"n", p.Soldiers,
		"lost", chapter.MD("%v: it loses in %s, and best play wins in %s", *lost, waves(line.Waves),
			waves(lost.MinWaves())), "language", content.Markdown(listings.Language()))
	chapter.Explore(&page, "own", listings.Castle, content.Settings("n", p.Soldiers, "sa", p.Castle.First,
		"sz", p.Castle.Last, "da", p.Defenders.First, "dz", p.Defenders.Last, "s", lost.CastleHits,
		"d", lost.DefendersPerWave)...)
	return page
}

// postsJSON holds what the posts print of their tests 0 to 26, and the same numbers as two independent programs compute
// them.
//
//go:embed data/castle_27_tests.json
var postsJSON []byte

// PostTest is one of the posts' tests.
type PostTest struct {
	Number  int
	Battle  game.Battle
	Printed printedTest
}

// printedTest is what the report reads of what the posts print. Numbers that a post leaves out are absent.
type printedTest struct {
	CastleTotal *int64           `json:"castle_wins_total"`
	SoldierWins map[string]int64 `json:"soldier_wins_by_wave"`
	CastleWins  map[string]int64 `json:"castle_wins_by_wave"`
}

// PostTests returns the posts' tests in order. Their file is part of the program, so a fault in it is one of the
// program.
var PostTests = sync.OnceValue(func() []PostTest {
	var rows []struct {
		Test    int         `json:"test"`
		N       int64       `json:"soldiers"`
		S       int64       `json:"castle_hits"`
		D       int64       `json:"defenders_per_wave"`
		Printed printedTest `json:"printed"`
	}
	if err := json.Unmarshal(postsJSON, &rows); err != nil {
		panic(fmt.Sprintf("castle_27_tests.json: %v", err))
	}
	tests := make([]PostTest, len(rows))
	for i, row := range rows {
		b := Battle(row.N, row.S, row.D)
		if err := b.Validate(); err != nil || row.Test != i {
			panic(fmt.Sprintf("castle_27_tests.json: row %d is test %d, %v: %v", i, row.Test, b, err))
		}
		tests[i] = PostTest{row.Test, b, row.Printed}
	}
	return tests
})

// The battles of the lesson: a pair in which one soldier decides, small enough to play by hand.
var (
	taughtWon  = Battle(13, 17, 17)
	taughtLost = Battle(12, 17, 17)
)

// The armies of the worksheet's quotients, and the one of its last question.
var taughtArmies = []int64{5, 8, 13, 21, 34, 55}

const triedArmy = 100

// taughtNumbers are the numbers of the lesson and of its sheet.
func taughtNumbers() map[string]any {
	won, lost := taughtHunts()
	values := map[string]any{
		"n": taughtWon.Soldiers, "n lost": taughtLost.Soldiers, "s": taughtWon.CastleHits,
		"d": taughtWon.DefendersPerWave, "s+d": taughtWon.CastleHits + taughtWon.DefendersPerWave,
		"hits 2":       taughtWon.CastleHits - taughtWon.Soldiers,
		"at defenders": 2*taughtWon.Soldiers - taughtWon.CastleHits, "x": LeftAt(taughtWon, 1),
		"border": Widest(taughtWon.Soldiers), "border lost": Widest(taughtLost.Soldiers),
	}
	orders, _ := WinningOrders(taughtWon)
	holds := taughtWon.MinWaves() > 0 && taughtLost.MinWaves() == 0 && len(orders) == 1 &&
		taughtWon.Soldiers == taughtLost.Soldiers+1 && won[len(won)-1].Left <= 0 &&
		lost[len(lost)-1].Left >= lost[len(lost)-1].Soldiers
	chapter.Expect("one soldier and one order decide the battle of the lesson", holds, won, lost, orders)
	return values
}

func lessonPage(context.Context) site.Page {
	values := taughtNumbers()
	plan := chapter.Table("plan", "minutes", "what the class does", "what you say or ask")
	for _, row := range chapter.Rows(say("plan", values)) {
		plan.Add(row[0], row[1], row[2])
	}
	tree := PostTests()[0].Battle
	counts := WaysOf(tree)
	values["tree battle"], values["tree paths"] = Triple(tree), AllPaths(counts)
	page := site.Page{Values: values, Tables: []content.Table{plan}}
	chapter.Draw(&page, "hunt", pictures.Successors(taughtWon.Soldiers, LeftAt(taughtWon, 1)))
	return page
}

// taughtHunts are the hunts of the lesson's two battles.
func taughtHunts() (won, lost []pictures.HuntWave) {
	return pictures.Hunt(taughtWon.Soldiers, LeftAt(taughtWon, 1)),
		pictures.Hunt(taughtLost.Soldiers, LeftAt(taughtLost, 1))
}

func sheetPage(context.Context) site.Page {
	all := taughtNumbers()
	values := map[string]any{}
	for _, name := range []string{"n", "n lost", "s", "d", "hits 2", "at defenders", "x"} {
		values[name] = all[name]
	}
	won, lost := taughtHunts()
	chapter.Set(values, "alive", won[len(won)-1].Soldiers)
	var line []string
	for _, w := range won {
		line = append(line, fmt.Sprint(w.Soldiers), fmt.Sprint(max(0, w.Left)))
	}
	values["line"] = strings.Join(line, ", ")
	chapter.Set(values, "try n", triedArmy, "try border", Widest(triedArmy),
		"try product", big.NewRat(2618*triedArmy, 1000).FloatString(1))
	var tables []content.Table
	for _, filled := range []bool{false, true} {
		tables = append(tables, sheetHunts(won, lost, filled), sheetQuotients(filled))
	}
	return site.Page{Values: values, Tables: tables}
}

// forAnswers is what the id of a filled table of the sheet ends in.
const forAnswers = "-filled"

// sheetHunts is the table of the sheet for both hunts, with the first wave alone unless it is filled.
func sheetHunts(won, lost []pictures.HuntWave, filled bool) content.Table {
	table := chapter.Table("hunts", "wave", "soldiers", "defenders left", "soldiers", "defenders left")
	table.Groups = chapter.Groups("", 1, fmt.Sprintf("%d soldiers", taughtWon.Soldiers), 2,
		fmt.Sprintf("%d soldiers", taughtLost.Soldiers), 2)
	if filled {
		table.ID += forAnswers
	}
	for i := range won {
		row := []any{i + 2, "", "", "", ""}
		for side, waves := range [][]pictures.HuntWave{won, lost} {
			if i == 0 || filled && i < len(waves) {
				row[2*side+1], row[2*side+2] = waves[i].Soldiers, max(0, waves[i].Left)
			}
		}
		table.Add(row...)
	}
	return table
}

// sheetQuotients is the table of the sheet in which pupils divide.
func sheetQuotients(filled bool) content.Table {
	table := chapter.Table("quotients", "soldiers", chapter.MD("largest $s + d$"), "quotient")
	if filled {
		table.ID += forAnswers
	}
	for _, n := range taughtArmies {
		quotient := ""
		if filled {
			quotient = big.NewRat(Widest(n), n).FloatString(3)
		}
		table.Add(n, Widest(n), quotient)
	}
	return table
}
