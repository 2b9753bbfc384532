package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// recapRow is a case of the posts' table with what both sides can do in it.
type recapRow struct {
	number            game.Case
	condition, fewest content.Markdown
}

var recapRows = []recapRow{
	{game.Case1, `$s \le n$`, `$1$`},
	{game.Case2a, `$s > n$, $d < n$`, `$1 + q + k$`},
	{game.Case2b, `$n < s < 2n$, $d \ge n$, $s + d < (\varphi + 1)\,n$`, `$2 + k$`},
	{game.Case2c, `$n < s < 2n$, $d \ge n$, $s + d > (\varphi + 1)\,n$`, `never`},
	{game.Case2d, `$s \ge 2n$, $d \ge n$`, `never`},
}

// reach is the range of the waves in which a side wins at the earliest, and how often it cannot win.
type reach struct {
	low, high int64
	never     int
}

func (r *reach) add(waves int64) {
	switch {
	case waves == 0:
		r.never++
	case r.high == 0:
		r.low, r.high = waves, waves
	default:
		r.low, r.high = min(r.low, waves), max(r.high, waves)
	}
}

func (r reach) String() string {
	switch {
	case r.high == 0:
		return "never"
	case r.low == r.high:
		return fmt.Sprint(r.low)
	}
	return chapter.NoBreak(span(r.low, r.high))
}

// numbers are the waves, empty if there are none.
func (r reach) numbers() string {
	if r.high == 0 {
		return ""
	}
	return r.String()
}

// recapTable lists the cases with the waves that occur in them.
func recapTable(values map[string]any) (content.Table, error) {
	soldiers, castle, total := map[game.Case]*reach{}, map[game.Case]*reach{}, map[game.Case]int{}
	for _, row := range recapRows {
		soldiers[row.number], castle[row.number] = &reach{}, &reach{}
	}
	var exception game.Battle
	wide.each(func(b game.Battle) bool {
		c, n := b.Case(), b.Soldiers
		waves := castleWaves(b)
		total[c]++
		soldiers[c].add(soldierWaves(b))
		castle[c].add(waves)
		unsafe := b != game.Battle{Soldiers: n, CastleHits: n + 1, DefendersPerWave: n}
		three := int64(3)
		if b.CastleHits+b.DefendersPerWave >= 3*n {
			three = 2
		}
		holds := true
		switch c {
		case game.Case2a:
			holds = waves != 2
		case game.Case2b:
			holds = waves >= 3 || waves == 0 && !unsafe
		case game.Case2c, game.Case2d:
			holds = waves == three && (c == game.Case2c || waves == 2)
		}
		if !holds {
			exception = b
		}
		return holds
	})
	table := chapter.Table("recap", "case", "condition", "soldiers win in", "that is", "castle wins in", "and cannot win in")
	for _, row := range recapRows {
		c := row.number
		never := chapter.NoBreak(chapter.Thousands(castle[c].never) + " of " + chapter.Thousands(total[c]))
		table.Rows = append(table.Rows, chapter.Row(c.String(), row.condition, row.fewest, soldiers[c].numbers(), castle[c].String(), never))
	}
	values["recap box"] = wide.String()
	holds := exception == game.Battle{} && soldiers[game.Case1].high == 1 && castle[game.Case1].high == 0 && soldiers[game.Case2a].never == 0 && soldiers[game.Case2b].never == 0 &&
		soldiers[game.Case2c].high == 0 && soldiers[game.Case2d].high == 0
	return table, chapter.Expect("the cases, for both sides", holds, exception, soldiers, castle)
}
