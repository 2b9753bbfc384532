package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// waitTable compares the waves in which the castle may fall.
func waitTable(id string, b game.Battle, first, last int64) content.Table {
	n, d := b.Soldiers, b.DefendersPerWave
	table := chapter.Table(id, chapter.MD("$q$"), chapter.MD("$x_q$"), chapter.MD("$x_q^2 + d x_q$"),
		chapter.MD("$> %d$?", n*d), chapter.MD("$k(x_q)$"), "waves")
	for q := first; q <= last; q++ {
		x := leftAt(b, q)
		square, more, hunt, waves := content.Text(""), content.Text("nobody left"), content.Text("lost"), content.Text("")
		if x > 0 {
			square, more = content.Int(x*x+d*x), content.Text("no, strike")
			if x*x+d*x > n*d {
				more = content.Text("yes, wait")
			}
		}
		if k, ok := huntWaves(n, x); ok {
			hunt, waves = content.Int(k), content.Int(1+q+k)
			if 1+q+k == soldierWaves(b) {
				waves = pictures.MarkedFewest(waves)
			}
		}
		table.Rows = append(table.Rows, chapter.Row(q, x, square, more, hunt, waves))
	}
	return table
}

// huntTable plays the hunts of the pair of battles side by side.
func huntTable() content.Table {
	table := content.Table{
		ID: "hunts", RowHeader: true,
		Groups: []content.Group{{Cell: content.Text(""), Span: 1}}, Header: chapter.Row("wave"),
	}
	var hunts [2][]huntWave
	rows := 0
	for i, b := range []game.Battle{barelyWon, barelyLost} {
		table.Groups = append(table.Groups, content.Group{Cell: content.Rich(chapter.MD("$n = %d$", b.Soldiers)), Span: 3})
		table.Header = append(table.Header, content.Rich("$S$ at the start"), content.Rich("$x$ left"), content.Rich("$S^2 - Sx - x^2$"))
		hunts[i] = huntPairs(b)
		rows = max(rows, len(hunts[i]))
	}
	for row := range rows {
		cells := chapter.Row(row + 2)
		for _, hunt := range hunts {
			if row >= len(hunt) {
				cells = append(cells, content.Text(""), content.Text(""), content.Text(""))
				continue
			}
			cells = append(cells, content.Int(hunt[row].n), content.Int(hunt[row].x), content.Int(form(hunt[row].n, hunt[row].x)))
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// huntWave is a wave from the fall on: the soldiers at its start and the defenders whom it leaves.
type huntWave struct{ n, x int64 }

// huntPairs follows the hunt after a fall in wave 2 up to the wave that decides it, by the rules.
func huntPairs(b game.Battle) []huntWave {
	pairs := []huntWave{{b.Soldiers, leftAt(b, 1)}}
	playHunt(b.Soldiers, leftAt(b, 1), func(_ int, s game.State) {
		pairs = append(pairs, huntWave{s.Soldiers + int64(s.Defenders), int64(s.Defenders)})
	})
	end := pairs[len(pairs)-1]
	return append(pairs, huntWave{end.n - end.x, 2*end.x - end.n})
}

// convergentTable lists the fractions that close in on 1/φ, and T(k) for the wait example's soldiers.
func convergentTable() content.Table {
	n := waitBattle.Soldiers
	table := chapter.Table("convergents", chapter.MD("$k$"), chapter.MD("$F(2k)$"), chapter.MD("$F(2k+1)$"), "quotient", chapter.MD("$T(k)$"))
	for k := range 6 {
		low, _ := phi.Convergents(k)
		table.Rows = append(table.Rows, chapter.Row(k, fib(2*k), fib(2*k+1), content.Decimal(low.FloatString(5)), mostLeft(n, k)))
	}
	return table
}
