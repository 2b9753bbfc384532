package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// fiveBattle is an exercise: a battle that the castle wins in three waves with s < 2n.
var fiveBattle = game.Battle{Soldiers: 5, CastleHits: 9, DefendersPerWave: 4}

// answerCastleSide computes the answers of the exercises.
func answerCastleSide(values map[string]any) error {
	win := fiveBattle.FastestCastleWin()
	var lines []game.Wave
	for wave := range fiveBattle.Waves(win.Strategy()) {
		lines = append(lines, wave)
	}
	if err := chapter.Expect("the castle wins in three waves", win.Waves == 3 && len(lines) == 4, fiveBattle, win.Waves); err != nil {
		return err
	}
	second, third := lines[2], lines[3]
	left := int64(second.State.Defenders) - fiveBattle.DefendersPerWave
	holds := second.State.CastleHits == 1 && third.State.Defenders == uint64(second.State.Soldiers) && third.AtCastle == 0 && lines[1].State.CastleHits <= lines[1].State.Soldiers
	if err := chapter.Expect("thrift in wave 2, and as many defenders left as soldiers in wave 3", holds, second, third); err != nil {
		return err
	}
	values["five battle"], values["five waves"], values["five hits"] = triple(fiveBattle), win.Waves, lines[1].State.CastleHits
	values["five order"], values["five left"] = second.AtDefenders, left
	values["five soldiers"], values["five defenders"] = second.State.Soldiers, second.State.Defenders

	two, safe := int64(0), int64(0)
	for s := int64(100); s >= 1; s-- {
		if (game.Battle{Soldiers: 10, CastleHits: s, DefendersPerWave: 12}).CastleMinWaves() == 2 {
			two = s
		}
		if safe == 0 && (game.Battle{Soldiers: 10, CastleHits: s, DefendersPerWave: 10}).CastleMinWaves() == 0 {
			safe = s
		}
	}
	values["two hits"], values["safe hits"] = two, safe
	return chapter.Expect("the castle's two waves, and where it is harmless", two+12 == 30 && safe == 11, two, safe)
}
