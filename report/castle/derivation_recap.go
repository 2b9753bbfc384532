package castle

import (
	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// recapStep is about the lines of play that the recap describes.
var recapStep = step{
	"recap", `the line of play of the recap is a fastest win`, searchedRange, "battles", onBattles(wonBySoldiers, verifyRecap),
}

func wonBySoldiers(_ game.Battle, a answer) bool { return a.soldiers > 0 }

// recapFall is the wave in which the recap's line of play brings the castle down. The soldiers must be able to win.
func recapFall(b game.Battle) int64 {
	switch {
	case b.CastleHits <= b.Soldiers:
		return 1
	case outnumbered(b):
		return 2
	}
	q := max(1, printedStrike(b))
	if leftAt(b, q) > b.DefendersPerWave {
		return q + 2 // out of reach in wave q + 1
	}
	return q + 1
}

// recapLine plays as the recap says: all at the castle in wave 1, then all defenders first up to the fall; in the wave
// of the fall as many at the castle as it takes; then defenders only.
func recapLine(b game.Battle) game.Strategy {
	fall := recapFall(b)
	return func(wave int64, s game.State) game.Orders {
		shooters := s.Soldiers
		if wave == fall {
			shooters = max(0, s.Soldiers-s.CastleHits)
		}
		return game.Orders{AtDefenders: min(shooters, int64(s.Defenders))}
	}
}

func verifyRecap(b game.Battle, a answer) error {
	r := b.Play(recapLine(b))
	holds := r.Winner == game.Soldiers && r.Waves == int64(a.soldiers) && fallOf(b, recapLine(b)) == recapFall(b)
	return chapter.HoldsAt(holds, "%v: the line of the recap ends in wave %d, search says %d", b, r.Waves, a.soldiers)
}

// The battles with which the recap shows the cases that no other example of the page is in.
var (
	atOnceBattle = game.Battle{Soldiers: 10, CastleHits: 9, DefendersPerWave: 8}
	hopeless     = game.Battle{Soldiers: 10, CastleHits: 20, DefendersPerWave: 11}
)

// casesTable is who wins by case, and in how many waves.
func casesTable() (content.Table, error) {
	table := chapter.Table("recap", "case", "condition", "fewest waves", "example")
	for _, r := range []struct {
		name              string
		condition, fewest content.Markdown
		example           game.Battle
		of                game.Case
	}{
		{"1", `$s \le n$`, `1`, atOnceBattle, game.Case1},
		{"2a", `$s > n$, $d < n$`, `$1 + q + k(x_q)$`, patientBattle, game.Case2a},
		{"2b", `$n < s < 2n$, $d \ge n$, $s + d < (\varphi + 1)\,n$`, `$2 + k(x_1)$`, barelyWon, game.Case2b},
		{"2c", `$n < s < 2n$, $d \ge n$, $s + d > (\varphi + 1)\,n$`, `never`, barelyLost, game.Case2c},
		{"2d", `$s \ge 2n$, $d \ge n$`, `never`, hopeless, game.Case2d},
	} {
		if r.example.Case() != r.of {
			return table, chapter.HoldsAt(false, "%v is an example of case %s, but its case is %v", r.example, r.name, r.example.Case())
		}
		example := triple(r.example) + ": "
		if w := soldierWaves(r.example); w > 0 {
			example += chapter.NoBreak(waves(w))
		} else {
			example += "lost, at the latest " + chapter.NoBreak("in wave ") + chapter.Thousands(r.example.LongestResistance().Waves)
		}
		table.Rows = append(table.Rows, chapter.Row(r.name, r.condition, r.fewest, example))
	}
	return table, nil
}
