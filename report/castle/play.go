package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// The battles that the page lets readers play, beside the pair in which one soldier decides. checkStories checks what
// is told of them.
var easyBattle, playedFirst, lostBattle = pictures.Offers[0].Battle, pictures.Offers[1].Battle,
	pictures.Offers[4].Battle

func playPage(context.Context) (site.Page, error) {
	page := site.Page{
		Values: map[string]any{},
	}
	if err := checkStories(); err != nil {
		return page, err
	}
	if err := checkComrade(); err != nil {
		return page, err
	}
	for _, challenge := range []func(map[string]any) error{challengePatience, challengePair, challengeLost} {
		if err := challenge(page.Values); err != nil {
			return page, err
		}
	}
	drawing, err := pictures.Playing().Figure(pictures.Settings(playedFirst))
	if err != nil {
		return page, err
	}
	page.Figures = append(page.Figures, drawing.Named("battle"))
	return page, chapter.Draw(&page, "best", pictures.Trace(playedFirst, playedFirst.SafestStrategy()))
}

// checkStories checks what the explorable tells of the battles that it offers.
func checkStories() error {
	survivors, _ := easyBattle.MostSurvivors()
	if err := chapter.Expect("in the easy battle everybody can come home from a fastest win",
		survivors == easyBattle.Soldiers, survivors); err != nil {
		return err
	}
	orders, _ := winningOrders(barelyWon)
	if err := chapter.Expect("the pair is offered", pictures.Offers[2].Battle == barelyWon &&
		pictures.Offers[3].Battle == barelyLost, pictures.Offers); err != nil {
		return err
	}
	if err := chapter.Expect("with one soldier more one order wins in wave 2, with one fewer none", len(orders) == 1 &&
		barelyLost.MinWaves() == 0, orders); err != nil {
		return err
	}
	patient, longest := lostBattle.Play(game.DefendersFirst), lostBattle.LongestResistance()
	holds := longest.Winner == game.Castle && patient.Winner == game.Castle && patient.Waves < longest.Waves
	return chapter.Expect("a lost battle lasts longer than by defenders first", holds, patient, longest)
}

// checkComrade checks that one soldier more never hurts best play.
func checkComrade() error {
	b, hurts := wide.first(func(b game.Battle) bool {
		more := b
		more.Soldiers++
		fewest, with := b.MinWaves(), more.MinWaves()
		return fewest > 0 && (with == 0 || with > fewest)
	})
	return chapter.HoldsAt(!hurts, "%v: one soldier more is too many", b)
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
func challengePatience(values map[string]any) error {
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
	if err := chapter.Expect("castle first loses, defenders first is a wave slower and loses nobody, and best play "+
		"strikes in the last wave but one", holds, patient, rash, fall); err != nil {
		return err
	}
	values["n"], values["s"], values["d"], values["battle"] = b.Soldiers, b.CastleHits, b.DefendersPerWave, triple(b)
	values["best"], values["survivors"], values["fall"], values["before fall"] = best, survivors, fall, fall-1
	values["strike defenders"], values["strike castle"] = strike.AtDefenders, strike.AtCastle
	values["left"], values["patient"], values["rash"] = strike.State.Defenders, patient.Waves, rash.Waves
	return nil
}

// challengePair is the pair of battles of which one soldier decides.
func challengePair(values map[string]any) error {
	orders, legal := winningOrders(barelyWon)
	s, _ := barelyWon.Step(barelyWon.Start(), 0)
	low, _ := s.Moves()
	survivors, fall := barelyWon.MostSurvivors()
	holds := len(orders) == 1 && orders[0] == low && s.Soldiers-low == s.CastleHits && fall == 2
	if err := chapter.Expect("the one order that wins brings the castle down in wave 2", holds, orders, s); err != nil {
		return err
	}
	values["won"], values["lost"] = triple(barelyWon), triple(barelyLost)
	values["won waves"], values["won left"], values["won order"] = barelyWon.MinWaves(), survivors, orders[0]
	values["won legal"], values["won castle"] = chapter.Thousands(legal), s.CastleHits
	values["lost waves"] = barelyLost.LongestResistance().Waves
	return nil
}

// challengeLost is a battle that cannot be won, and how to hold out in it.
func challengeLost(values map[string]any) error {
	patient, longest := lostBattle.Play(game.DefendersFirst), lostBattle.LongestResistance()
	fall := fallOf(lostBattle, longest.Strategy())
	if err := chapter.Expect("who holds out longest brings the castle down in wave 2", fall == 2, lostBattle,
		fall); err != nil {
		return err
	}
	values["hopeless"], values["hopeless patient"], values["hopeless waves"] = triple(lostBattle), patient.Waves,
		longest.Waves
	values["hopeless left"] = stateAfter(lostBattle, longest.Strategy(), fall).Defenders
	return nil
}
