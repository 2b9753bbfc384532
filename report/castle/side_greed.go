package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// greedBattle is one that the castle loses if it spares one soldier in greedWave.
var greedBattle = game.Battle{Soldiers: 8, CastleHits: 14, DefendersPerWave: 5}

const greedWave = 2

// thriftWave is a wave of a castle that leaves as many defenders as it has room for, but for those that it spares.
type thriftWave struct {
	room, left, dead int64
	winner           game.Winner
}

// spared plays a battle in which the castle takes all its room, but spares some soldiers in greedWave. It ends when a
// side wins; when there is no room left, the soldiers bring the castle down.
func spared(b game.Battle, spare int64) []thriftWave {
	var waves []thriftWave
	state, dead, sum := b.Start(), int64(0), int64(0)
	for t := int64(1); ; t++ {
		w := thriftWave{room: b.CastleHits - 1 - t*b.Soldiers + (t-1)*b.DefendersPerWave + sum}
		low, high := state.Moves()
		order := low
		if w.room >= 0 {
			order = max(low, int64(state.Defenders)-w.room)
		}
		if t == greedWave {
			order = min(high, order+spare)
		}
		w.left = int64(state.Defenders) - order
		state, w.winner = b.Step(state, order)
		dead += w.left
		w.dead, sum = dead, sum+dead
		waves = append(waves, w)
		if w.winner != game.Undecided {
			return waves
		}
	}
}

// greedTable sets the greedy castle beside one that spares a soldier, and checks what the page says of both.
func greedTable(values map[string]any) (content.Table, error) {
	greedy, kind := spared(greedBattle, 0), spared(greedBattle, 1)
	last, end := greedy[len(greedy)-1], kind[len(kind)-1]
	holds := last.winner == game.Castle && int64(len(greedy)) == greedBattle.CastleMinWaves() && end.winner == game.Soldiers && end.room < 0
	for i, w := range greedy {
		holds = holds && (i == 0 || w.left == w.room)
	}
	for _, w := range kind[greedWave : len(kind)-1] {
		holds = holds && w.left == w.room
	}
	// The soldier who is spared costs the castle the battle, whatever it does afterwards.
	state, _ := greedBattle.Step(greedBattle.Start(), 0)
	state, _ = greedBattle.Step(state, int64(state.Defenders)-kind[greedWave-1].left)
	holds = holds && greedBattle.CastleFrom(state) == 0
	values["greed battle"], values["greed wave"] = triple(greedBattle), greedWave
	values["greed end"], values["spare end"] = len(greedy), len(kind)
	table := chapter.Table("greed", "wave", "room", chapter.MD("left, $x_t$"), chapter.MD("dead, $y_t$"), "room", chapter.MD("left, $x_t$"), chapter.MD("dead, $y_t$"))
	table.Groups = []content.Group{{Cell: content.Text(""), Span: 1}, {Cell: content.Text("greedy"), Span: 3}, {Cell: content.Text("sparing one"), Span: 3}}
	for i := range max(len(greedy), len(kind)) {
		row := chapter.Row(i + 1)
		for _, waves := range [][]thriftWave{greedy, kind} {
			if i < len(waves) {
				row = append(row, chapter.Row(waves[i].room, waves[i].left, waves[i].dead)...)
			} else {
				row = append(row, chapter.Row("", "", "")...)
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table, chapter.Expect("sparing one soldier costs the castle the battle", holds, greedy, kind)
}
