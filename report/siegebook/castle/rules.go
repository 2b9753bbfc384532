package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// example is the battle that the posts play by hand; it is their test 26.
var example = battle(10, 43, 8)

func rulesPage(context.Context) site.Page {
	tests := postTests()
	equal := tests[equalTest].Battle
	lost, tied := equal.Play(game.CastleFirst), equal.Play(allIfEqual)
	holds := lost.Winner == game.Castle && tied.Winner == game.Tie && equal.Soldiers == equal.DefendersPerWave
	chapter.Expect("castle first shoots at the castle if soldiers and defenders are as many", holds, equal, lost, tied)
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
			"listing battles":    chapter.Thousands(chapter.Get(checkListings("rules"))),
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
	left := example.Play(best.Strategy()).SoldiersLeft
	chapter.Expect("nobody is lost before the fall, and as many soldiers as defenders are left",
		left == int64(best.DefendersLeft) && !lossBefore(example, best.Strategy(), best.FallWave), best, left)
	answerRules(page.Values)
	chapter.Pose(&page, "small", pictures.AskSmall)
	chapter.Pose(&page, "ties", pictures.AskTies)
	return page
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
	tieExample = battle(5, 8, 5)
	// wasteful has a second wave in which some orders would waste shots at the castle.
	wasteful = battle(10, 11, 15)
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
	table := chapter.Table(id, "wave", "defenders", "castle", "soldiers", "defenders", "hits")
	table.Groups = chapter.Groups("", 1, "soldiers shoot at", 2, "left at the end", 3)
	table.Add("start", "", "", b.Soldiers, 0, b.CastleHits)
	for run := range b.Runs(strategy) {
		waves := content.Int(run.First)
		if run.Last > run.First {
			waves = content.Text(span(run.First, run.Last))
		}
		table.Add(waves, run.AtDefenders, run.AtCastle, run.End.Soldiers, run.End.Defenders, run.End.CastleHits)
	}
	return table
}

// elevenBattle is an exercise of the page on the rules.
var elevenBattle = battle(11, 43, 8)

// answerRules computes the answers of the exercises, and checks what they say.
func answerRules(values map[string]any) {
	result, before, fewest := elevenBattle.Play(game.CastleFirst), example.Play(game.CastleFirst), elevenBattle.Solve()
	sooner := result.Winner == game.Castle && result.Waves < before.Waves && fewest.Winner == game.Soldiers
	chapter.Expect("with one soldier more castle first loses sooner, though the soldiers can win", sooner,
		result, before, fewest)
	chapter.Set(values, "eleven battle", triple(elevenBattle), "eleven waves", result.Waves,
		"eleven fewest", fewest.MinWaves, "eleven left", elevenBattle.Play(fewest.Strategy()).SoldiersLeft,
		"eleven saved", example.MinWaves()-fewest.MinWaves)
}

// The battles that the page lets readers play, beside the pair in which one soldier decides. checkStories checks what
// is told of them.
var easyBattle, playedFirst, lostBattle = pictures.Offers[0].Battle, pictures.Offers[1].Battle,
	pictures.Offers[4].Battle

func playPage(context.Context) site.Page {
	page := site.Page{Values: map[string]any{}}
	checkStories()
	checkComrade()
	challengePatience(page.Values)
	challengePair(page.Values)
	challengeLost(page.Values)
	drawing := chapter.Get(pictures.Playing().Figure(pictures.Settings(playedFirst)...))
	page.Figures = append(page.Figures, drawing.Named("battle"))
	chapter.Draw(&page, "best", pictures.Trace(playedFirst, playedFirst.SafestStrategy()))
	return page
}

// checkStories checks what the explorable tells of the battles that it offers.
func checkStories() {
	survivors, _ := easyBattle.MostSurvivors()
	chapter.Expect("in the easy battle everybody can come home from a fastest win",
		survivors == easyBattle.Soldiers, survivors)
	orders, _ := winningOrders(barelyWon)
	chapter.Expect("the pair is offered", pictures.Offers[2].Battle == barelyWon &&
		pictures.Offers[3].Battle == barelyLost, pictures.Offers)
	chapter.Expect("with one soldier more one order wins in wave 2, with one fewer none", len(orders) == 1 &&
		barelyLost.MinWaves() == 0, orders)
	patient, longest := lostBattle.Play(game.DefendersFirst), lostBattle.LongestResistance()
	holds := longest.Winner == game.Castle && patient.Winner == game.Castle && patient.Waves < longest.Waves
	chapter.Expect("a lost battle lasts longer than by defenders first", holds, patient, longest)
}

// checkComrade checks that one soldier more never hurts best play.
func checkComrade() {
	b, hurts := wide.First(func(b game.Battle) bool {
		more := b
		more.Soldiers++
		fewest, with := b.MinWaves(), more.MinWaves()
		return fewest > 0 && (with == 0 || with > fewest)
	})
	chapter.HoldsAt(!hurts, "%v: one soldier more is too many", b)
}

// winningOrders returns the orders of the second wave after which the battle can be won, and how many are legal.
func winningOrders(b game.Battle) (orders []int64, legal int64) {
	s, _ := b.Step(b.Start(), 0)
	low, high := s.Moves()
	for i := low; i <= high; i++ {
		next, winner := b.Step(s, i)
		if winner == game.Soldiers || winner == game.Undecided && b.ValueFrom(next).Winner == game.Soldiers {
			orders = append(orders, i)
		}
	}
	return orders, high - low + 1
}

// challengePatience is to find the best line of the battle with which the page begins.
func challengePatience(values map[string]any) {
	b := playedFirst
	patient, rash := b.Play(game.DefendersFirst), b.Play(game.CastleFirst)
	best := b.MinWaves()
	survivors, fall := b.MostSurvivors()
	strike := game.Wave{}
	for wave := range b.Waves(b.SafestStrategy()) {
		if wave.Number == fall {
			strike = wave
		}
	}
	holds := rash.Winner == game.Castle && patient.Winner == game.Soldiers && patient.Waves == best+1 &&
		patient.SoldiersLeft == b.Soldiers && !lossBefore(b, b.SafestStrategy(), fall) && fall == best-1 &&
		strike.State.Defenders > 0
	chapter.Expect("castle first loses, defenders first is a wave slower and loses nobody, and best play "+
		"strikes in the last wave but one", holds, patient, rash, fall)
	chapter.Set(values, "n", b.Soldiers, "s", b.CastleHits, "d", b.DefendersPerWave, "battle", triple(b), "best", best,
		"survivors", survivors, "fall", fall, "before fall", fall-1, "strike defenders", strike.AtDefenders,
		"strike castle", strike.AtCastle, "left", strike.State.Defenders, "patient", patient.Waves, "rash", rash.Waves)
}

// challengePair is the pair of battles of which one soldier decides.
func challengePair(values map[string]any) {
	orders, legal := winningOrders(barelyWon)
	s, _ := barelyWon.Step(barelyWon.Start(), 0)
	low, _ := s.Moves()
	survivors, fall := barelyWon.MostSurvivors()
	holds := len(orders) == 1 && orders[0] == low && s.Soldiers-low == s.CastleHits && fall == 2
	chapter.Expect("the one order that wins brings the castle down in wave 2", holds, orders, s)
	chapter.Set(values, "won", triple(barelyWon), "lost", triple(barelyLost), "won waves", barelyWon.MinWaves(),
		"won left", survivors, "won order", orders[0], "won legal", chapter.Thousands(legal),
		"won castle", s.CastleHits, "lost waves", barelyLost.LongestResistance().Waves)
}

// challengeLost is a battle that cannot be won, and how to hold out in it.
func challengeLost(values map[string]any) {
	patient, longest := lostBattle.Play(game.DefendersFirst), lostBattle.LongestResistance()
	fall := fallOf(lostBattle, longest.Strategy())
	chapter.Expect("who holds out longest brings the castle down in wave 2", fall == 2, lostBattle, fall)
	chapter.Set(values, "hopeless", triple(lostBattle), "hopeless patient", patient.Waves,
		"hopeless waves", longest.Waves, "hopeless left", stateAfter(lostBattle, longest.Strategy(), fall).Defenders)
}
