package castle

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// playedWave is a wave of a line of play: the state at its start, the shots at the castle, the defenders whom it leaves
// and the soldiers who are dead at its end.
type playedWave struct {
	start             game.State
	shots, left, dead int64
}

// playLeaving plays by the rules a line that says of every wave how many defenders it leaves. It ends with the battle,
// or where the line says a negative number.
func playLeaving(b game.Battle, leave func(wave int64, s game.State) int64) ([]playedWave, game.Winner) {
	var played []playedWave
	state, dead := b.Start(), int64(0)
	for wave := int64(1); ; wave++ {
		left := leave(wave, state)
		if left < 0 {
			return played, game.Undecided
		}
		order := int64(state.Defenders) - left
		dead += min(left, state.Soldiers)
		played = append(played, playedWave{state, state.Soldiers - order, left, dead})
		next, winner := b.Step(state, order)
		if winner != game.Undecided {
			return played, winner
		}
		state = next
	}
}

// leaving is a line that leaves the defenders of a list, wave by wave, and then ends.
func leaving(left ...int64) func(int64, game.State) int64 {
	return func(wave int64, _ game.State) int64 {
		if wave > int64(len(left)) {
			return -1
		}
		return left[wave-1]
	}
}

// most is greed: the most defenders who can be left while the castle stands. Where it cannot stand, all defenders are
// shot, or as many as there are soldiers.
func most(_ int64, s game.State) int64 {
	soldiers, defenders := s.Soldiers, int64(s.Defenders)
	return max(0, defenders-max(0, min(soldiers, soldiers-s.CastleHits+1)))
}

// cautious is greed that leaves one defender less in wave 2.
func cautious(wave int64, s game.State) int64 {
	if wave == 2 {
		return most(wave, s) - 1
	}
	return most(wave, s)
}

// booksLine leaves different numbers of defenders in three waves of the running example, so that each shows in the sum.
var booksLine = leaving(0, 1, 2)

// booksTable is the sum of the shots of three waves.
func booksTable() content.Table {
	table := chapter.Table("books", "wave", chapter.MD("$S_j$"), chapter.MD("$x_{j-1} + d$"), chapter.MD("$x_j$"), "shots at the castle")
	played, _ := playLeaving(patientBattle, booksLine)
	for i, w := range played {
		table.Rows = append(table.Rows, chapter.Row(i+1, w.start.Soldiers, w.start.Defenders, w.left, w.shots))
	}
	return table
}

// booksNumbers are the sum of the shots, and of its parts.
func booksNumbers() numbers {
	played, _ := playLeaving(patientBattle, booksLine)
	m := numbers{"d": patientBattle.DefendersPerWave, "waves": int64(len(played))}
	for i, w := range played {
		m["shots"] += w.shots
		m["soldiers"] += w.start.Soldiers
		m[fmt.Sprintf("S%d", i+1)], m[fmt.Sprintf("x%d", i+1)] = w.start.Soldiers, w.left
	}
	return m
}

// besides are two lines of play, with their names.
type besides struct {
	name   string
	played []playedWave
}

// besideTable shows lines of play side by side, from a wave on.
func besideTable(id string, first int, lines ...besides) content.Table {
	table := content.Table{
		ID: id, RowHeader: true,
		Groups: []content.Group{{Cell: content.Text(""), Span: 1}}, Header: chapter.Row("wave"),
	}
	last := 0
	for _, line := range lines {
		table.Groups = append(table.Groups, content.Group{Cell: content.Text(line.name), Span: 3})
		table.Header = append(table.Header, content.Rich("$(S, D, C)$"), content.Rich("$x$ left"), content.Text("dead so far"))
		last = max(last, len(line.played))
	}
	for wave := first; wave <= last; wave++ {
		row := chapter.Row(wave)
		for _, line := range lines {
			if wave > len(line.played) {
				row = append(row, content.Text(""), content.Text(""), content.Text(""))
				continue
			}
			w := line.played[wave-1]
			state := fmt.Sprintf("(%d, %d, %d)", w.start.Soldiers, w.start.Defenders, w.start.CastleHits)
			row = append(row, content.Text(chapter.NoBreak(state)), content.Int(w.left), content.Int(w.dead))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// detourTable compares the detour of one defender with the straight way, up to the wave after both.
func detourTable() content.Table {
	detour, _ := playLeaving(patientBattle, leaving(0, 1, 0, 0))
	straight, _ := playLeaving(patientBattle, leaving(0, 0, 0, 0))
	return besideTable("detour", 2, besides{"the detour", detour}, besides{"the straight way", straight})
}

// greedPlays compares greed with a line that spares the castle one hit more in wave 2.
func greedPlays() content.Table {
	greed, _ := playLeaving(thriftyBattle, most)
	caution, _ := playLeaving(thriftyBattle, cautious)
	return besideTable("greed", 1, besides{"greed", greed}, besides{"caution in wave 2", caution})
}

// cautionNumbers are the states of the cautious line, by the wave at whose start they are one later. The soldiers must
// win it, and the castle greed.
func cautionNumbers() (numbers, error) {
	m := numbers{}
	played, winner := playLeaving(thriftyBattle, cautious)
	for i, w := range played {
		m[fmt.Sprintf("S%d", i)], m[fmt.Sprintf("D%d", i)], m[fmt.Sprintf("C%d", i)] = w.start.Soldiers, int64(w.start.Defenders), w.start.CastleHits
	}
	_, greedy := playLeaving(thriftyBattle, most)
	holds := winner == game.Soldiers && greedy == game.Castle && len(played) == 4
	return m, chapter.Expect("caution in wave 2 loses what greed wins for the castle", holds, winner, greedy, len(played))
}
