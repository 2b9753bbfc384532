package castle

import (
	"fmt"
	"iter"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// maxRows is the number of runs of a battle, or of paths, that a table lists.
const maxRows = 200

// Battle returns the table of a battle that is played by a strategy. Equal waves are one row. After 200 rows it breaks
// off, and says so. It ends the cell if the battle is not valid or there is no strategy.
func Battle(b game.Battle, strategy game.Strategy) *show.Table {
	if strategy == nil {
		show.Fail("%v: the strategy is nil, give one such as castle.CastleFirst", valid(b))
	}
	result := valid(b).Play(strategy)
	table := show.NewTable(fmt.Sprintf("%v: %s", b, pictures.End(result)),
		"wave", "shots at defenders", "shots at the castle", "soldiers left", "defenders left", "castle hits left")
	table.Row("start", "", "", b.Soldiers, 0, b.CastleHits)
	rows := 0
	for run := range game.Folded(b.Runs(strategy)) {
		if rows++; rows > maxRows {
			return table.Row("and so on", "", "", "", "", "")
		}
		waves := fmt.Sprint(run.First)
		if run.Last > run.First {
			waves = fmt.Sprintf("%d to %d", run.First, run.Last)
		}
		table.Row(waves, run.AtDefenders, run.AtCastle, run.End.Soldiers, run.End.Defenders, run.End.CastleHits)
	}
	return table
}

// maxPaths is the most paths that a table may be asked for.
const maxPaths = 10_000

// Paths returns the table of the first paths, at most most of them (200 if most is 0): the soldiers that shoot at
// defenders in each wave, and who wins.
func Paths(paths iter.Seq[game.Path], most int) *show.Table {
	show.Between("most", most, 0, maxPaths)
	if most == 0 {
		most = maxRows
	}
	table := show.NewTable("Paths", "shots at defenders, wave by wave", "winner", "in wave")
	rows := 0
	for path := range paths {
		if rows++; rows > most {
			return table.Row("and so on", "", "")
		}
		table.Row(fmt.Sprint(path.Moves), path.Winner, path.Waves())
	}
	return table
}
