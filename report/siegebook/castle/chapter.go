// Package castle is the report's chapter on the castle game: its texts, the data for every number in them, its figures
// and tables, and the checks of its claims about the posts.
//
// All numbers in the prose are computed, and a false claim fails the build.
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
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

//go:embed *.md
var texts embed.FS

// Game is the chapter's entry in the list of the book's games.
var Game = chapter.Game{
	Name: "castle", Title: "Castle", Texts: texts,
	Parameters: []chapter.Parameter{gridParameter, surveyParameter, algorithmParameter},
	Open:       openQuestions,
	Claims:     allClaims, Post: "Castle Defense ",
}

// say returns sentences that depend on numbers.
var say = chapter.Sentences(texts, template.FuncMap{
	"thousands": func(n any) string { return figure.Thousands(fmt.Sprint(n)) }, "share": figure.Share, "waves": waves,
	"triple": Triple, "mean": meanText, "titled": titled, "from": rangeText, "shards": shardsText,
	"checked": checkedText, "searched": func(v game.Survey) int64 { t, _ := v.Of("search"); return t.Battles },
})

// outcome returns the end of a line of play in a form for narrow columns: "soldiers in 4".
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

// waves returns a number of waves as text.
func waves(n int64) string { return content.Counted(n, "wave", "waves") }

// Triple returns a battle for prose and tables, without line breaks: (10, 43, 8).
func Triple(b game.Battle) string { return chapter.NoBreak(b.String()) }

// LostByProgram is the first winnable battle of a grid that a program loses.
type LostByProgram struct {
	game.Battle
	Waves int64 // the wave in which the program loses
	All   int64 // the number of battles in the grid
}

// FirstLost plays the battles of a grid with a program, until the program loses a winnable one. There must be such a
// battle.
func FirstLost(p Params, program string) LostByProgram {
	read := chapter.Must(listing.Read("own.star", []byte(program), games.CastleSignature, listing.Limits{}))
	own := games.Castle(read)
	survey := chapter.Must(game.NewSurvey(context.Background(), grid.Range{First: p.Soldiers, Last: p.Soldiers},
		p.Castle, p.Defenders, game.SurveyOptions{Algorithms: []game.Algorithm{own}}))
	tally, _ := survey.Of(own.Name)
	lost := tally.First.WrongSide
	chapter.Assert(chapter.HoldsAt(lost != nil, "the program at the start loses a winnable battle of %v", p))
	return LostByProgram{*lost, lost.Play(own.Strategy(*lost)).Waves, tally.Battles}
}

// postsJSON contains the numbers that the posts print for their tests 0 to 26, and the same numbers from two
// independent programs.
//
//go:embed data/castle_27_tests.json
var postsJSON []byte

// PostTest is one of the posts' tests.
type PostTest struct {
	Number  int
	Battle  game.Battle
	Printed printedTest
}

// printedTest holds the printed numbers that the report reads. A number that the post omits is missing.
type printedTest struct {
	CastleTotal *int64           `json:"castle_wins_total"`
	SoldierWins map[string]int64 `json:"soldier_wins_by_wave"`
	CastleWins  map[string]int64 `json:"castle_wins_by_wave"`
}

// PostTests returns the posts' tests in order. The file is part of the program, so an error in it is a bug.
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

// These are the battles of the lesson. The first two are small enough to play by hand, and differ by a single soldier
// who decides the battle.
var (
	TaughtWon  = Battle(13, 17, 17)
	TaughtLost = Battle(12, 17, 17)
	TaughtTiny = Battle(5, 6, 6)
	TaughtHome = Battle(21, 27, 27)
)

// taughtArmies lists the armies whose quotients are on the worksheet.
var taughtArmies = []int64{5, 8, 13, 21, 34, 55}

// OneDecides reports whether the lesson's statements are true: one soldier and one order decide the battle of the
// lesson, the soldiers win the tiny battle, and one soldier decides the homework battle.
func OneDecides() bool {
	won, lost := TaughtHunts()
	orders, _ := WinningOrders(TaughtWon)
	return TaughtWon.MinWaves() > 0 && TaughtLost.MinWaves() == 0 && len(orders) == 1 &&
		TaughtWon.Soldiers == TaughtLost.Soldiers+1 && won[len(won)-1].Left <= 0 &&
		lost[len(lost)-1].Left >= lost[len(lost)-1].Soldiers &&
		TaughtTiny.MinWaves() > 0 && TaughtHome.MinWaves() > 0 &&
		Battle(TaughtHome.Soldiers-1, TaughtHome.CastleHits, TaughtHome.DefendersPerWave).MinWaves() == 0
}

// TaughtHunts returns the hunts of the lesson's two battles.
func TaughtHunts() (won, lost []pictures.HuntWave) {
	return pictures.Hunt(TaughtWon.Soldiers, LeftAt(TaughtWon, 1)),
		pictures.Hunt(TaughtLost.Soldiers, LeftAt(TaughtLost, 1))
}

// LessonWords contains the words of the lesson's tables and drawing, in the language of its page.
type LessonWords struct {
	Wave, Soldiers, Left  string // heads of the table of hunts; Left means the defenders left
	Army                  string // has %d for the number of soldiers
	Largest, Quotient     string
	Line, Kept, Less, Ith string // words of the drawing; Ith names a wave, with %d for its number
	Decimal               string // the decimal point or comma
}

// Hunts returns the table of the hunts of the lesson. Its first rows are filled in.
func (w LessonWords) Hunts(id string, shown int) content.Table {
	won, lost := TaughtHunts()
	table := chapter.Table(id, w.Wave, w.Soldiers, w.Left, w.Soldiers, w.Left)
	table.Groups = chapter.Groups("", 1, fmt.Sprintf(w.Army, TaughtWon.Soldiers), 2,
		fmt.Sprintf(w.Army, TaughtLost.Soldiers), 2)
	for i := range won {
		row := []any{i + 2, "", "", "", ""}
		for side, waves := range [][]pictures.HuntWave{won, lost} {
			if i < min(shown, len(waves)) {
				row[2*side+1], row[2*side+2] = waves[i].Soldiers, max(0, waves[i].Left)
			}
		}
		table.Add(row...)
	}
	return table
}

// Quotients returns the table in which pupils divide. own is the number of armies, from the first on, whose sums pupils
// compute themselves. A filled table has all sums and quotients.
func (w LessonWords) Quotients(id string, own int, filled bool) content.Table {
	table := chapter.Table(id, w.Soldiers, chapter.MD("%s", w.Largest), w.Quotient)
	for i, n := range taughtArmies {
		var sum any = Widest(n)
		quotient := ""
		if filled {
			quotient = w.Number(big.NewRat(Widest(n), n), 3)
		} else if i < own {
			sum = ""
		}
		table.Add(n, sum, quotient)
	}
	return table
}

// Tables returns all tables of the lesson, for both levels of the worksheet and for the answers.
func (w LessonWords) Tables() []content.Table {
	return []content.Table{
		w.Hunts("hunts-1", 2), w.Hunts("hunts-2", 1), w.Hunts("hunts", 9),
		w.Quotients("quotients-1", 0, false), w.Quotients("quotients-2", 2, false), w.Quotients("quotients", 0, true),
	}
}

// Number returns a number with the given number of decimals.
func (w LessonWords) Number(x *big.Rat, decimals int) string {
	return strings.Replace(x.FloatString(decimals), ".", w.Decimal, 1)
}

// Border returns an army times 2.618. The army loses if s + d is at least the exact product.
func (w LessonWords) Border(army int64) string { return w.Number(big.NewRat(2618*army, 1000), 2) }

// Drawn draws the hunt that the soldiers win.
func (w LessonWords) Drawn(id string) content.Figure {
	l := pictures.Successors(TaughtWon.Soldiers, LeftAt(TaughtWon, 1))
	l.Title, l.Columns, l.Kept, l.Less = w.Line, [2]string{w.Soldiers, w.Left}, w.Kept, w.Less
	for i := range l.Rungs {
		if l.Rungs[i].Group != "" {
			l.Rungs[i].Group = fmt.Sprintf(w.Ith, i/2+2)
		}
	}
	return Drawn(id, l)
}

// Ratios divides each of the first Fibonacci numbers by the one before it.
func (w LessonWords) Ratios(numbers int) string {
	var quotients []string
	before, last := int64(1), int64(1)
	for range numbers - 1 {
		quotients = append(quotients, w.Number(big.NewRat(last, before), 3))
		before, last = last, before+last
	}
	return strings.Join(quotients, "; ")
}

// HuntLine returns the numbers of a hunt in one line: soldiers, defenders left, soldiers, and so on until one is 0.
func HuntLine(soldiers, left int64) string {
	line := []string{fmt.Sprint(soldiers)}
	for before, next := soldiers, left; before > 0; before, next = next, max(0, before-next) {
		line = append(line, fmt.Sprint(next))
	}
	return strings.Join(line, ", ")
}

// HuntWinner returns the winner of a hunt.
func HuntWinner(soldiers, left int64) string {
	waves := pictures.Hunt(soldiers, left)
	if waves[len(waves)-1].Left <= 0 {
		return "soldiers"
	}
	return "castle"
}
