package ants

import (
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// The film of a march shows two armies of equal size. A comes from the left, abreast, and B comes in single file.
const (
	marchers           = 5
	marchRows, marchTo = 5, 12 // the size of the map
)

// March returns the film of two armies of equal size that walk towards each other, one abreast and one in single file.
// In each round, all ants take a step, and then the ants that die under the contest's rule fall.
func March() pictures.Picture {
	return pictures.Film{Name: "ants-march", Step: "round", Still: 4, Of: march}.Picture()
}

// marched is the end of a round: the ants after their step, and which of them die.
type marched struct {
	ants    []game.Ant
	outcome game.Outcome
}

// living returns the number of an army's ants that are alive after the round.
func (m marched) living(owner rune) (n int) {
	for i, ant := range m.ants {
		if ant.Owner == owner && !m.outcome.Dead[i] {
			n++
		}
	}
	return n
}

// marches returns the start and all rounds, until one army is gone, but at most as many rounds as the map has columns.
func marches() (all []marched, err error) {
	var ants []game.Ant
	first := (marchRows - marchers) / 2
	for i := range marchers {
		ants = append(ants, game.Ant{Row: first + i, Col: 1, Owner: 'A'},
			game.Ant{Row: marchRows / 2, Col: marchTo - marchers + i, Owner: 'B'})
	}
	world := game.World{Rows: marchRows, Cols: marchTo, Bounded: true, Radius2: game.ContestRadius2}
	for {
		outcome, err := game.Solve(world, ants, game.Focus)
		if err != nil {
			return nil, err
		}
		now := marched{slices.Clone(ants), outcome}
		all = append(all, now)
		if now.living('A') == 0 || now.living('B') == 0 || len(all) > marchTo {
			return all, nil
		}
		ants = step(now)
	}
}

// step returns the living ants after a step towards the enemy. Army A stops once the enemy is near.
func step(m marched) (next []game.Ant) {
	for i, ant := range m.ants {
		if !m.outcome.Dead[i] {
			next = append(next, ant)
		}
	}
	front := -1 // the front column of A
	for _, ant := range next {
		if ant.Owner == 'A' {
			front = max(front, ant.Col)
		}
	}
	near := slices.ContainsFunc(next, func(ant game.Ant) bool { return ant.Owner == 'B' && ant.Col <= front+3 })
	for i := range next {
		if ant := &next[i]; ant.Owner == 'B' {
			ant.Col--
		} else if !near {
			ant.Col++
		}
	}
	return next
}

func march(pictures.Values) (*pictures.Reel, error) {
	all, err := marches()
	if err != nil {
		return nil, err
	}
	reel := &pictures.Reel{
		Title: "Ants alive after each round", Head: "after round", Rows: []pictures.FilmRow{
			{Name: "A, abreast", Role: figure.Ours}, {Name: "B, in single file", Role: figure.Theirs},
		},
	}
	for n, m := range all {
		grid := figure.Grid{Rows: marchRows, Cols: marchTo}
		for i, ant := range m.ants {
			piece := figure.Piece{Row: ant.Row, Col: ant.Col, Class: int(ant.Owner), Marked: m.outcome.Dead[i]}
			if m.outcome.Enemies[i] > 0 {
				piece.Note = fmt.Sprint(m.outcome.Enemies[i])
			}
			grid.Pieces = append(grid.Pieces, piece)
		}
		board := Board("Two armies of ants, "+pictures.Plural(int64(n), "round")+" after the start", grid)
		board.Roomy = true
		for i, owner := range []rune{'A', 'B'} {
			reel.Rows[i].Cells = append(reel.Rows[i].Cells, fmt.Sprint(m.living(owner)))
		}
		reel.Frames = append(reel.Frames, pictures.Frame{
			Head: fmt.Sprint(n), Say: m.describeRound(n), Seconds: 1,
			Drawing: func(bool) pictures.MovingDrawing { return pictures.Still(board) },
		})
	}
	return reel, nil
}

// describeRound describes a round in words.
func (m marched) describeRound(n int) string {
	switch i := slices.Index(m.outcome.Dead, true); {
	case n == 0:
		return pictures.Text("Two armies of %v ants. A walks abreast, B in single file. Each round is a step.",
			marchers)
	case m.living('B') == 0:
		return pictures.Text("Round %v: the last B falls. All %v A live.", n, m.living('A'))
	case i < 0 && slices.Max(m.outcome.Enemies) == 0:
		return pictures.Text("Round %v: nobody is in range yet.", n)
	case i < 0:
		return pictures.Text("Round %v: nobody dies.", n)
	default:
		busiest := 0 // the number of enemies in range of its busiest killer
		for kill := range m.outcome.Kills() {
			if kill.Victim == i {
				busiest = max(busiest, m.outcome.Enemies[kill.Killer])
			}
		}
		return pictures.Text("Round %v: the first %v faces {enemy|enemies}, and its killers face at most "+
			"{enemy|enemies}. It falls.", n, string(m.ants[i].Owner), m.outcome.Enemies[i], busiest)
	}
}
