package engine

import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/explore/module"
)

// castlePlayFunctions are about a battle that a reader plays.
var castlePlayFunctions = []module.Function{
	{Name: "castle.play", Args: []string{"n", "s", "d", "moves..."}, Call: castlePlay},
	{Name: "castle.best", Args: []string{"n", "s", "d"}, Call: castleBest},
	{Name: "castle.stories", Args: []string{"n", "s", "d"}, Call: castleStories},
}

// mostPlayed is how many waves of a game are played, and of a best line shown.
const mostPlayed = 200

// playRow is the length of a row of castlePlay.
const playRow = 13

// castlePlay plays a battle: a move is how many soldiers shoot at defenders in a wave. Ints are rows of 13 numbers. The
// first is about the game:
//
//	the wave whose order gave away the win, or the tie, 0 if none did; the best order there;
//	the waves that the other orders cost; the soldiers alive after the safest fastest win, 0 for none;
//	nine times 0
//
// Then comes a row for the start and each wave:
//
//	the order: soldiers who shot at defenders, and at the castle; defenders whom they left;
//	the state afterwards: soldiers, defenders (as uint64), castle hits; winner, as in castle.Winners;
//	the outlook: winner, further waves, an order of best play;
//	the legal orders: the least and the most; if the battle is decided, outlook and orders are 0;
//	what the order has cost: waves, or -1 if it gave the win or the tie away
//
// Text has the names of castle.Winners, a line for each, and then words: lines of a name, a tab and a sentence, see
// words. A move that is not legal is refused, as is one after the end
// and a game of more than 200 waves.
func castlePlay(args []int64, r *module.Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	moves := args[3:]
	if len(moves) > mostPlayed {
		return fmt.Errorf("a game of %d waves: at most %d are played here, leave out the others", len(moves), mostPlayed)
	}
	r.Ints = make([]int64, 0, (len(moves)+2)*playRow)
	r.Add(make([]int64, playRow)...)
	g := game{Battle: b, state: b.Start()}
	g.outlook = b.ValueFrom(g.state)
	r.Add(g.row(0, 0)...)
	for _, move := range moves {
		soldiers, defenders := g.state.Soldiers, g.state.Defenders
		if err := g.play(move); err != nil {
			return err
		}
		row := g.row(move, soldiers-move)
		row[2], row[12] = int64(defenders-uint64(move)), g.lastCost
		r.Add(row...)
	}
	words := g.words()
	survivors, _ := b.MostSurvivors()
	copy(r.Ints, []int64{g.given, g.better, g.cost, survivors})
	for _, winner := range castle.Winners() {
		r.Text += winner.String() + "\n"
	}
	r.Text += words
	return nil
}

// game is a battle that is played.
type game struct {
	castle.Battle
	state   castle.State
	winner  castle.Winner
	outlook castle.Value // of an undecided state
	wave    int64

	given, better, cost, lastCost int64 // see castlePlay

	before  []moment // of each wave
	remarks []string
}

// moment is a state before an order, and what can be made of it.
type moment struct {
	castle.State
	castle.Value
	order int64 // that was given
}

// row describes the state, reached by an order.
func (g *game) row(atDefenders, atCastle int64) []int64 {
	s, o := g.state, g.outlook
	row := []int64{atDefenders, atCastle, 0, s.Soldiers, int64(s.Defenders), s.CastleHits, int64(g.winner), 0, 0, 0, 0, 0, 0}
	if g.winner == castle.Undecided {
		low, high := s.Moves()
		copy(row[7:], []int64{int64(o.Winner), o.Waves, o.AtDefenders, low, high})
	}
	return row
}

// play plays a wave.
func (g *game) play(move int64) error {
	g.wave++
	if g.winner != castle.Undecided {
		return fmt.Errorf("wave %d: the battle is decided in wave %d (%v), leave out what follows", g.wave, g.wave-1, g.winner)
	}
	if low, high := g.state.Moves(); move < low || move > high {
		legal := fmt.Sprintf("%d to %d", low, high)
		if low == high {
			legal = fmt.Sprintf("exactly %d", low)
		}
		return fmt.Errorf("wave %d: %s cannot shoot at defenders in %v, where %s can; change the move", g.wave, plural.Count(move, "soldier"), g.state, legal)
	}
	before := g.outlook
	g.before = append(g.before, moment{g.state, before, move})
	g.state, g.winner = g.Step(g.state, move)
	if g.winner == castle.Undecided {
		g.outlook = g.ValueFrom(g.state)
	} else {
		g.outlook = castle.Value{Winner: g.winner}
	}
	g.judge(before)
	g.remarks = append(g.remarks, g.remark())
	return nil
}

// judge says what the last order has cost.
func (g *game) judge(before castle.Value) {
	switch after := g.outlook; {
	case after.Worse(before):
		g.lastCost = -1
		if g.given == 0 {
			g.given, g.better = g.wave, before.AtDefenders
		}
		return
	case after.Winner == castle.Soldiers:
		g.lastCost = 1 + after.Waves - before.Waves
	case after.Winner == castle.Castle:
		g.lastCost = before.Waves - 1 - after.Waves
	}
	g.cost += g.lastCost
}

// castleBest is the line of best play from the start: the fastest win that brings the most soldiers home, or the line
// that holds out longest. Ints are rows of 8 numbers, for runs of equal waves: the first and the last wave, soldiers
// who shot at defenders and at the castle in each of them, and after the last one soldiers, defenders (as uint64),
// castle hits, and the winner, as in castle.Winners. There are few runs, as every wave with a loss is worse than the
// one before.
func castleBest(args []int64, r *module.Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	for run := range b.Runs(b.SafestStrategy()) {
		r.Add(run.First, run.Last, run.AtDefenders, run.AtCastle, run.End.Soldiers, int64(run.End.Defenders), run.End.CastleHits, int64(run.Winner))
	}
	return nil
}
