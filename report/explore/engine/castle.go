package engine

import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/castle"
)

// castleFunctions are about the castle. A battle is n soldiers, s castle hits, d defenders a wave; all three may be any
// positive int64 unless a function says otherwise.
var castleFunctions = []Function{
	{"castle.answer", []string{"n", "s", "d"}, castleAnswer},
	{"castle.map", []string{"n", "s0", "columns", "d0", "rows"}, castleMap},
}

func battle(n, s, d int64) (castle.Battle, error) {
	b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
	return b, b.Validate()
}

// castleAnswer says who wins, and how fast. Text is the verdict: "soldiers in 8 waves". Ints are the fewest waves of
// the soldiers, and of the castle under the no-waste rule; 0 for a side that cannot win.
func castleAnswer(args []int64, r *Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	soldiers, side := b.MinWaves(), b.CastleMinWaves()
	r.add(soldiers, side)
	switch {
	case soldiers > 0:
		r.Text = "soldiers in " + waves(soldiers)
	case side > 0:
		r.Text = "castle in " + waves(side)
	default:
		r.Text = "tie"
	}
	return nil
}

func waves(count int64) string {
	if count == 1 {
		return "1 wave"
	}
	return fmt.Sprintf("%d waves", count)
}

// mostCells bounds a map.
const mostCells = 1 << 20

// castleMap fills a map of n soldiers: rows of defenders from d0 on, columns of castle hits from s0 on. Bytes has a
// cell for each battle, row by row: the fewest waves of the soldiers, 255 if they are that many or more, 0 if the
// soldiers cannot win.
func castleMap(args []int64, r *Reply) error {
	n, s0, columns, d0, rows := args[0], args[1], args[2], args[3], args[4]
	if columns < 1 || rows < 1 || columns > mostCells || rows > mostCells/columns {
		return fmt.Errorf("a map of %d x %d battles: at most %d are drawn, choose a smaller one", columns, rows, mostCells)
	}
	if _, err := battle(n, s0, d0); err != nil {
		return err
	}
	if s0+columns-1 < s0 || d0+rows-1 < d0 {
		return fmt.Errorf("a map from (%d, %d) on: its numbers grow beyond the largest one, begin it earlier", s0, d0)
	}
	r.Bytes = make([]byte, columns*rows)
	row := make([]int64, columns)
	for y := range rows {
		castle.Battle{Soldiers: n, CastleHits: s0, DefendersPerWave: d0 + y}.FillMinWaves(row)
		for x, count := range row {
			r.Bytes[y*columns+int64(x)] = byte(min(count, 255))
		}
	}
	return nil
}
