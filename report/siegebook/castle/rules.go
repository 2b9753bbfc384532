package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// Example is the battle that the posts play by hand; it is their test 26.
var Example = Battle(10, 43, 8)

// StateText writes a state with the letters of the pages.
func StateText(s game.State) content.Markdown {
	return chapter.MD("$N = %d$, $S = %d$, $D = %d$", s.Soldiers, s.CastleHits, s.Defenders)
}

// LossBefore says whether a soldier is lost before a wave.
func LossBefore(b game.Battle, strategy game.Strategy, fall int64) bool {
	for wave := range b.Waves(strategy) {
		if wave.Number < fall && wave.State.Soldiers < b.Soldiers {
			return true
		}
	}
	return false
}

// AllIfEqual is castle first for those who shoot all defenders also if they are just as many.
func AllIfEqual(wave int64, s game.State) game.Orders {
	if s.CastleHits > s.Soldiers && uint64(s.Soldiers) == s.Defenders {
		return game.Orders{AtDefenders: s.Soldiers}
	}
	return game.CastleFirst(wave, s)
}

// StateAfter returns the state at the end of a wave of a line.
func StateAfter(b game.Battle, strategy game.Strategy, number int64) game.State {
	for wave := range b.Waves(strategy) {
		if wave.Number == number {
			return wave.State
		}
	}
	return game.State{}
}

// FallOf returns the wave in which the castle falls, 0 if it does not.
func FallOf(b game.Battle, strategy game.Strategy) int64 {
	for wave := range b.Waves(strategy) {
		if wave.State.CastleHits == 0 {
			return wave.Number
		}
	}
	return 0
}

// LineTable lists a line of play, equal waves folded into one row.
func LineTable(id string, b game.Battle, strategy game.Strategy) content.Table {
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
	orders, _ := winningOrders(BarelyWon)
	chapter.Expect("the pair is offered", pictures.Offers[2].Battle == BarelyWon &&
		pictures.Offers[3].Battle == BarelyLost, pictures.Offers)
	chapter.Expect("with one soldier more one order wins in wave 2, with one fewer none", len(orders) == 1 &&
		BarelyLost.MinWaves() == 0, orders)
	patient, longest := lostBattle.Play(game.DefendersFirst), lostBattle.LongestResistance()
	holds := longest.Winner == game.Castle && patient.Winner == game.Castle && patient.Waves < longest.Waves
	chapter.Expect("a lost battle lasts longer than by defenders first", holds, patient, longest)
}

// checkComrade checks that one soldier more never hurts best play.
func checkComrade() {
	b, hurts := Wide.First(func(b game.Battle) bool {
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
		patient.SoldiersLeft == b.Soldiers && !LossBefore(b, b.SafestStrategy(), fall) && fall == best-1 &&
		strike.State.Defenders > 0
	chapter.Expect("castle first loses, defenders first is a wave slower and loses nobody, and best play "+
		"strikes in the last wave but one", holds, patient, rash, fall)
	chapter.Set(values, "n", b.Soldiers, "s", b.CastleHits, "d", b.DefendersPerWave, "battle", Triple(b), "best", best,
		"survivors", survivors, "fall", fall, "before fall", fall-1, "strike defenders", strike.AtDefenders,
		"strike castle", strike.AtCastle, "left", strike.State.Defenders, "patient", patient.Waves, "rash", rash.Waves)
}

// challengePair is the pair of battles of which one soldier decides.
func challengePair(values map[string]any) {
	orders, legal := winningOrders(BarelyWon)
	s, _ := BarelyWon.Step(BarelyWon.Start(), 0)
	low, _ := s.Moves()
	survivors, fall := BarelyWon.MostSurvivors()
	holds := len(orders) == 1 && orders[0] == low && s.Soldiers-low == s.CastleHits && fall == 2
	chapter.Expect("the one order that wins brings the castle down in wave 2", holds, orders, s)
	chapter.Set(values, "won", Triple(BarelyWon), "lost", Triple(BarelyLost), "won waves", BarelyWon.MinWaves(),
		"won left", survivors, "won order", orders[0], "won legal", chapter.Thousands(legal),
		"won castle", s.CastleHits, "lost waves", BarelyLost.LongestResistance().Waves)
}

// challengeLost is a battle that cannot be won, and how to hold out in it.
func challengeLost(values map[string]any) {
	patient, longest := lostBattle.Play(game.DefendersFirst), lostBattle.LongestResistance()
	fall := FallOf(lostBattle, longest.Strategy())
	chapter.Expect("who holds out longest brings the castle down in wave 2", fall == 2, lostBattle, fall)
	chapter.Set(values, "hopeless", Triple(lostBattle), "hopeless patient", patient.Waves,
		"hopeless waves", longest.Waves, "hopeless left", StateAfter(lostBattle, longest.Strategy(), fall).Defenders)
}
