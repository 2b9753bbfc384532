// Package castle is the report's chapter on the castle game: its texts, the data for every number in them, its figures
// and tables, and the checks of its claims about the posts.
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
	"sync"
	"text/template"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

//go:embed *.md
var texts embed.FS

// Game is the chapter's entry in the report's register.
var Game = chapter.Game{
	Name: "castle", Title: "Castle", Texts: texts,
	Parameters: []chapter.Parameter{gridParameter, surveyParameter, algorithmParameter},
	Open:       openQuestions,
	Claims:     allClaims, Post: "Castle Defense ",
}

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

// LostByProgram is the first winnable battle of a grid that a program loses.
type LostByProgram struct {
	game.Battle
	Waves int64 // in which the program loses
	All   int64 // battles of the grid
}

// FirstLost plays the battles of a grid by a program, which has to lose a winnable one.
func FirstLost(p Params, program string) LostByProgram {
	own := games.Castle(chapter.Get(listing.Read("own.star", []byte(program), games.CastleSignature, listing.Limits{})))
	survey := chapter.Get(game.NewSurvey(context.Background(), grid.Range{First: p.Soldiers, Last: p.Soldiers},
		p.Castle, p.Defenders, game.SurveyOptions{Algorithms: []game.Algorithm{own}}))
	tally, _ := survey.Of(own.Name)
	lost := tally.First.WrongSide
	chapter.HoldsAt(lost != nil, "the program at the start loses a battle of %v that can be won", p)
	return LostByProgram{*lost, lost.Play(own.Strategy(*lost)).Waves, tally.Battles}
}

// postsJSON holds the numbers that the posts print for their tests 0 to 26, and the same numbers as two independent
// programs compute them.
//
//go:embed data/castle_27_tests.json
var postsJSON []byte

// PostTest is one of the posts' tests.
type PostTest struct {
	Number  int
	Battle  game.Battle
	Printed printedTest
}

// printedTest holds the printed numbers that the report reads. Numbers that a post leaves out are absent.
type printedTest struct {
	CastleTotal *int64           `json:"castle_wins_total"`
	SoldierWins map[string]int64 `json:"soldier_wins_by_wave"`
	CastleWins  map[string]int64 `json:"castle_wins_by_wave"`
}

// PostTests returns the posts' tests in order. Their file is part of the program, so an error in it is a bug.
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
	TaughtWon  = Battle(13, 17, 17)
	TaughtLost = Battle(12, 17, 17)
)

// taughtArmies lists the armies of the worksheet's quotients.
var taughtArmies = []int64{5, 8, 13, 21, 34, 55}

// OneDecides reports whether one soldier and one order decide the battle of the lesson.
func OneDecides() bool {
	won, lost := TaughtHunts()
	orders, _ := WinningOrders(TaughtWon)
	return TaughtWon.MinWaves() > 0 && TaughtLost.MinWaves() == 0 && len(orders) == 1 &&
		TaughtWon.Soldiers == TaughtLost.Soldiers+1 && won[len(won)-1].Left <= 0 &&
		lost[len(lost)-1].Left >= lost[len(lost)-1].Soldiers
}

// TaughtHunts returns the hunts of the lesson's two battles.
func TaughtHunts() (won, lost []pictures.HuntWave) {
	return pictures.Hunt(TaughtWon.Soldiers, LeftAt(TaughtWon, 1)),
		pictures.Hunt(TaughtLost.Soldiers, LeftAt(TaughtLost, 1))
}

// forAnswers is the ending of the id of a filled table of the sheet.
const forAnswers = "-filled"

// SheetHunts returns the table of the sheet for both hunts. Unless it is filled, it shows only the first wave.
func SheetHunts(filled bool) content.Table {
	won, lost := TaughtHunts()
	table := chapter.Table("hunts", "wave", "soldiers", "defenders left", "soldiers", "defenders left")
	table.Groups = chapter.Groups("", 1, fmt.Sprintf("%d soldiers", TaughtWon.Soldiers), 2,
		fmt.Sprintf("%d soldiers", TaughtLost.Soldiers), 2)
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

// SheetQuotients returns the table of the sheet in which pupils divide.
func SheetQuotients(filled bool) content.Table {
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
