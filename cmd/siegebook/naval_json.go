package main

import (
	"encoding/json"
	"io"
	"iter"

	"github.com/siegebook/siegebook/analysis/naval"
)

// navalRecords marshals as an object with the names in their order, which a map would not keep.
type navalRecords []navalRecord

// navalRecord is one row of the table of who won and lost.
type navalRecord struct {
	name   string
	record naval.Record
}

func (r navalRecords) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, row := range r {
		if i > 0 {
			text = append(text, ',')
		}
		name, err := json.Marshal(row.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(struct {
			Wins   int64 `json:"wins"`
			Losses int64 `json:"losses"`
		}(row.record))
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}

func recordsByPlacement(t naval.Tournament, s naval.Statistics) navalRecords {
	var list navalRecords
	for _, p := range t.Placements {
		list = append(list, navalRecord{p.String(), s.ByPlacement(p)})
	}
	return list
}

func recordsByMoves(t naval.Tournament, s naval.Statistics) navalRecords {
	var list navalRecords
	for _, m := range t.Moves {
		list = append(list, navalRecord{m.String(), s.ByMoves(m)})
	}
	return list
}

func tournamentJSON(w io.Writer, t naval.Tournament, s naval.Statistics) error {
	o := newJSONObject(w)
	o.member("players", t.Players)
	o.member("games", s.Games)
	o.member("seed", t.Seed)
	o.member("mean_moves", s.MeanMoves())
	o.member("mean_moves_winners", s.MeanMovesWinners())
	o.member("mean_moves_losers", s.MeanMovesLosers())
	o.member("mean_losers_score", s.MeanLosersScore())
	o.member("by_placement", recordsByPlacement(t, s))
	o.member("by_moves", recordsByMoves(t, s))
	return o.close()
}

// playerJSON is one side of a game. Cells are [column,row], as in the post.
type playerJSON struct {
	Placement string     `json:"placement"`
	Moves     string     `json:"moves"`
	Targeting string     `json:"targeting"`
	Halo      bool       `json:"halo"`
	Shots     int        `json:"shots"`
	Score     int        `json:"score"`
	Fleet     [][][2]int `json:"fleet"`
}

func newPlayerJSON(g naval.Game, i int) playerJSON {
	p := g.Players[i]
	shots, score := g.Count(i)
	side := playerJSON{
		Placement: p.Placement.String(), Moves: p.Strategy.Moves.String(), Targeting: p.Strategy.Targeting.String(), Halo: p.Strategy.Halo,
		Shots: shots, Score: score,
	}
	for _, ship := range g.Fleets[i] {
		var cells [][2]int
		for c := range ship.Cells().All() {
			cells = append(cells, [2]int{c.X(), c.Y()})
		}
		side.Fleet = append(side.Fleet, cells)
	}
	return side
}

func elements[T any](list []T, convert func(int, T) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for i, element := range list {
			if !yield(convert(i, element)) {
				return
			}
		}
	}
}

// gameJSON prints a game; players are numbered 1 and 2.
func gameJSON(w io.Writer, g naval.Game, seed int64) error {
	o := newJSONObject(w)
	o.member("seed", seed)
	o.member("winner", g.Winner+1)
	o.list("players", elements(g.Players[:], func(i int, _ naval.Player) any { return newPlayerJSON(g, i) }))
	o.list("shots", elements(g.Shots, func(_ int, s naval.Shot) any {
		return struct {
			Player  int    `json:"player"`
			Cell    [2]int `json:"cell"`
			Outcome string `json:"outcome"`
		}{s.Player + 1, [2]int{s.At.X(), s.At.Y()}, s.Outcome.String()}
	}))
	return o.close()
}
