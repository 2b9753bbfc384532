package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// The exercises of the page on the rules.
var (
	smallBattle  = game.Battle{Soldiers: 2, CastleHits: 10, DefendersPerWave: 1} // test 2 of the posts
	elevenBattle = game.Battle{Soldiers: 11, CastleHits: 43, DefendersPerWave: 8}
	tiesBox      = box{5, 20, 10}
)

// answerRules computes the answers of the exercises, and checks what they say.
func answerRules(values map[string]any) error {
	waves := smallBattle.MinWaves()
	bold := fallOf(smallBattle, game.CastleFirst)
	safe, rash := smallBattle.Play(game.DefendersFirst), smallBattle.Play(game.CastleFirst)
	holds := safe == (game.Result{Winner: game.Soldiers, Waves: waves, SoldiersLeft: 2}) && rash == (game.Result{Winner: game.Soldiers, Waves: waves, SoldiersLeft: 1})
	if err := chapter.Expect("both heuristics win the small battle in the fewest waves, with two and with one soldier left", holds, safe, rash); err != nil {
		return err
	}
	values["small battle"], values["small waves"], values["small bold"] = triple(smallBattle), waves, bold

	result, before, fewest := elevenBattle.Play(game.CastleFirst), example.Play(game.CastleFirst), elevenBattle.Solve()
	sooner := result.Winner == game.Castle && result.Waves < before.Waves && fewest.Winner == game.Soldiers
	if err := chapter.Expect("with one soldier more castle first loses sooner, though the soldiers can win", sooner, result, before, fewest); err != nil {
		return err
	}
	values["eleven battle"] = triple(elevenBattle)
	values["eleven waves"], values["eleven fewest"] = result.Waves, fewest.MinWaves
	values["eleven left"] = elevenBattle.Play(fewest.Strategy()).SoldiersLeft
	values["eleven saved"] = example.MinWaves() - fewest.MinWaves

	ties, first := 0, int64(0)
	tiesBox.each(func(b game.Battle) bool {
		if b.Soldiers == tiesBox.n && b.Play(game.DefendersFirst).Winner == game.Tie {
			if ties++; first == 0 {
				first = b.CastleHits
			}
		}
		return true
	})
	values["ties n"], values["ties s"], values["ties d"], values["ties"], values["ties first"] = tiesBox.n, tiesBox.s, tiesBox.d, ties, first
	return chapter.Expect("the ties have d = n and s from n + 1 on", ties == int(tiesBox.s-first+1) && first == tiesBox.n+1, ties, first)
}
