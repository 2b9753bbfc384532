package browsertest

import (
	"fmt"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// The pictures of lessons, which move on the lesson's page of the report.
func init() {
	plays["castle-trace"] = playCastleTrace
	plays["castle-tree"] = playCastleTree
	plays["castle-side"] = playCastleSide
	plays["tower-trace"] = playTowerTrace
}

// image is the drawing that is shown.
func (p *player) image() string {
	p.Helper()
	return inHost[string](p, drawnNow+`return host.querySelector(".x-plate > img").src;`)
}

// moves slides a field, and wants another drawing and the answer of the library.
func (p *player) moves(name string, key input.Key, answer func() string) {
	p.Helper()
	before := p.image()
	p.slide(name, key)
	p.wantsAnswer(answer())
	if p.image() == before {
		p.Errorf("the drawing does not move with %s", name)
	}
}

func playCastleTrace(p *player) {
	answer := func() string {
		p.Helper()
		b := p.battle()
		r := b.Play(b.Solve().Strategy())
		switch r.Winner {
		case castle.Soldiers:
			return fmt.Sprintf("The soldiers win in wave %d with %d left", r.Waves, r.SoldiersLeft)
		case castle.Castle:
			return fmt.Sprintf("The castle wins in wave %d", r.Waves)
		}
		return fmt.Sprintf("A tie: wave %d changes nothing", r.Waves)
	}
	p.begin("")
	p.wantsAnswer(answer())
	for _, name := range []string{"n", "s", "d"} {
		p.moves(name, input.ArrowRight, answer)
	}
	p.moves("d", input.Home, answer)
}

func playCastleTree(p *player) {
	answer := func() string {
		p.Helper()
		counts := must.Get(p.battle().Count(p.Context(), castle.CountOptions{}))
		won, ties := counts.Soldiers.Total(), ""
		if counts.Ties.Sign() > 0 {
			ties = fmt.Sprintf(", and %v ends in a tie", counts.Ties)
		}
		paths := "paths"
		if won.String() == "1" {
			paths = "path"
		}
		return fmt.Sprintf("On %v %s the soldiers win, on %v the castle%s", won, paths, counts.Castle.Total(), ties)
	}
	p.begin("")
	p.wantsAnswer(answer())
	for _, key := range []input.Key{input.ArrowRight, input.ArrowLeft, input.ArrowLeft} {
		p.moves("d", key, answer)
	}
	p.begin("n=40&s=400&d=10")
	p.wants("the problem", "true",
		func() string { return fmt.Sprint(strings.Contains(p.state().Problem, "choose a weaker castle")) })
	p.begin("")
	p.wantsAnswer(answer())
}

func playCastleSide(p *player) {
	const plane = ".x-plane"
	answer := func() string {
		p.Helper()
		if waves := p.battle().CastleMinWaves(); waves > 0 {
			return content.ForPeople(fmt.Sprintf("If the soldiers helped it, without wasting a shot, the castle "+
				"could win in wave %d", waves))
		}
		return "Even if the soldiers helped it, without wasting a shot, the castle could not win"
	}
	p.begin("")
	p.wantsAnswer(answer())
	p.moves("n", input.ArrowRight, answer)
	for _, hand := range []pointer{mouse, touch} {
		for range p.rounds(4) {
			p.tap(hand, plane, p.random.Float64(), p.random.Float64())
			p.wantsAnswer(answer())
		}
	}
}

func playTowerTrace(p *player) {
	answer := func() string {
		p.Helper()
		b, words := p.battleOfTowers(), ""
		for i, strategy := range []tower.Strategy{tower.Greedy, tower.Fewest} {
			r := must.Get(b.Play(strategy, 0))
			words += []string{"By ", ", by "}[i] + fmt.Sprintf("%v the %v win in round %d with %d left", strategy,
				r.Winner, r.Rounds, max(r.SoldiersLeft, r.TowersLeft))
		}
		return content.ForPeople(words)
	}
	p.begin("")
	p.wantsAnswer(answer())
	p.moves("n", input.ArrowLeft, answer)
	p.moves("h", input.ArrowLeft, answer)
	p.moves("k", input.ArrowRight, answer)
}
