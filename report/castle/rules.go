package castle

import (
	"context"
	"errors"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// example is the battle that the posts play by hand; it is their test 26.
var example = game.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}

func rulesPage(context.Context) (site.Page, error) {
	tests := posts()
	equal := tests[equalTest].Battle
	lost, tied := equal.Play(game.CastleFirst), equal.Play(allIfEqual)
	holds := lost.Winner == game.Castle && tied.Winner == game.Tie && equal.Soldiers == equal.DefendersPerWave
	if err := chapter.Expect("castle first shoots at the castle if soldiers and defenders are as many", holds, equal,
		lost, tied); err != nil {
		return site.Page{}, err
	}
	battles, err := checkListings("rules")
	if err != nil {
		return site.Page{}, err
	}
	best, castleFirst, defendersFirst := example.Solve(), example.Play(game.CastleFirst),
		example.Play(game.DefendersFirst)
	page := site.Page{
		Values: map[string]any{
			"n": example.Soldiers, "s": example.CastleHits, "d": example.DefendersPerWave,
			"free": example.Soldiers - example.DefendersPerWave, "best waves": best.MinWaves, "fall": best.FallWave,
			"left": best.DefendersLeft, "castle-first winner": castleFirst.Winner.String(),
			"castle-first waves": castleFirst.Waves, "defenders-first waves": defendersFirst.Waves,
			"defenders-first left": defendersFirst.SoldiersLeft,
			"best left":            example.Play(best.Strategy()).SoldiersLeft,
			"after second wave":    stateText(stateAfter(example, game.DefendersFirst, 2)),
			"castle-first fall":    fallOf(example, game.CastleFirst), "defenders at fall": stateAfter(example,
				game.CastleFirst, fallOf(example, game.CastleFirst)).Defenders,
			"castle min waves":   example.CastleMinWaves(),
			"equal test":         equalTest,
			"equal battle":       triple(equal),
			"equal n":            equal.Soldiers,
			"equal waves":        lost.Waves,
			"listing battles":    chapter.Thousands(battles),
			"tie n":              tieExample.Soldiers,
			"tie battle":         triple(tieExample),
			"tie state":          stateText(stateAfter(tieExample, game.DefendersFirst, 1)),
			"wasteful battle":    triple(wasteful),
			"wasteful state":     stateText(stateAfter(wasteful, game.DefendersFirst, 1)),
			"wasteful low":       lowestMove(wasteful),
			"wasteful defenders": wasteful.DefendersPerWave,
		},
		Tables: []content.Table{
			lineTable("best", example, best.Strategy()),
			lineTable("castle-first", example, game.CastleFirst),
			lineTable("defenders-first", example, game.DefendersFirst),
		},
	}
	if left := example.Play(best.Strategy()).SoldiersLeft; left != int64(best.DefendersLeft) ||
		lossBefore(example, best.Strategy(), best.FallWave) {
		return page, chapter.Expect(
			"nobody is lost before the fall, and as many soldiers as defenders are left", false, best, left,
		)
	}
	return page, errors.Join(
		answerRules(page.Values), chapter.Pose(&page, "small", pictures.AskSmall, ""),
		chapter.Pose(&page, "ties", pictures.AskTies, ""),
	)
}

// stateText writes a state with the letters of the pages.
func stateText(s game.State) content.Markdown {
	return chapter.MD("$N = %d$, $S = %d$, $D = %d$", s.Soldiers, s.CastleHits, s.Defenders)
}

// lossBefore says whether a soldier is lost before a wave.
func lossBefore(b game.Battle, strategy game.Strategy, fall int64) bool {
	for wave := range b.Waves(strategy) {
		if wave.Number < fall && wave.State.Soldiers < b.Soldiers {
			return true
		}
	}
	return false
}

var (
	tieExample = game.Battle{Soldiers: 5, CastleHits: 8, DefendersPerWave: 5}
	// wasteful has a second wave in which some orders would waste shots at the castle.
	wasteful = game.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 15}
)

// equalTest is a test of the posts in which soldiers and defenders are as many in wave 2, and the castle stands.
const equalTest = 16

// allIfEqual is castle first for those who shoot all defenders also if they are just as many.
func allIfEqual(wave int64, s game.State) game.Orders {
	if s.CastleHits > s.Soldiers && uint64(s.Soldiers) == s.Defenders {
		return game.Orders{AtDefenders: s.Soldiers}
	}
	return game.CastleFirst(wave, s)
}

// lowestMove returns the fewest soldiers who have to shoot at defenders in the second wave, lest a shot be wasted.
func lowestMove(b game.Battle) int64 {
	low, _ := stateAfter(b, game.DefendersFirst, 1).Moves()
	return low
}

// stateAfter returns the state at the end of a wave of a line.
func stateAfter(b game.Battle, strategy game.Strategy, number int64) game.State {
	for wave := range b.Waves(strategy) {
		if wave.Number == number {
			return wave.State
		}
	}
	return game.State{}
}

// fallOf returns the wave in which the castle falls, 0 if it does not.
func fallOf(b game.Battle, strategy game.Strategy) int64 {
	for wave := range b.Waves(strategy) {
		if wave.State.CastleHits == 0 {
			return wave.Number
		}
	}
	return 0
}

// lineTable lists a line of play, equal waves folded into one row.
func lineTable(id string, b game.Battle, strategy game.Strategy) content.Table {
	table := content.Table{
		ID: id, RowHeader: true,
		Groups: []content.Group{
			{Cell: content.Text(""), Span: 1},
			{Cell: content.Text("soldiers shoot at"), Span: 2},
			{Cell: content.Text("left at the end"), Span: 3},
		},
		Header: chapter.Row("wave", "defenders", "castle", "soldiers", "defenders", "hits"),
		Rows: [][]content.Cell{
			{
				content.Text("start"), content.Text(""), content.Text(""), content.Int(b.Soldiers), content.Int(0),
				content.Int(b.CastleHits),
			},
		},
	}
	for run := range b.Runs(strategy) {
		waves := content.Int(run.First)
		if run.Last > run.First {
			waves = content.Text(span(run.First, run.Last))
		}
		table.Rows = append(
			table.Rows,
			chapter.Row(waves, run.AtDefenders, run.AtCastle, run.End.Soldiers, run.End.Defenders, run.End.CastleHits),
		)
	}
	return table
}

// The exercises of the page on the rules.
var (
	elevenBattle = game.Battle{Soldiers: 11, CastleHits: 43, DefendersPerWave: 8}
)

// answerRules computes the answers of the exercises, and checks what they say.
func answerRules(values map[string]any) error {
	result, before, fewest := elevenBattle.Play(game.CastleFirst), example.Play(game.CastleFirst), elevenBattle.Solve()
	sooner := result.Winner == game.Castle && result.Waves < before.Waves && fewest.Winner == game.Soldiers
	if err := chapter.Expect("with one soldier more castle first loses sooner, though the soldiers can win", sooner,
		result, before, fewest); err != nil {
		return err
	}
	values["eleven battle"] = triple(elevenBattle)
	values["eleven waves"], values["eleven fewest"] = result.Waves, fewest.MinWaves
	values["eleven left"] = elevenBattle.Play(fewest.Strategy()).SoldiersLeft
	values["eleven saved"] = example.MinWaves() - fewest.MinWaves
	return nil
}
