package main

import (
	"fmt"
	"slices"

	"github.com/siegebook/siegebook/analysis/naval"
)

// navalRecord is how often players with a name in common won and lost.
type navalRecord struct {
	name   string
	record naval.Record
}

// navalRecords are the rows of a table, in the order of the list: the record of each value.
func navalRecords[T interface {
	~int8
	fmt.Stringer
}](list []T, records []naval.Record) []navalRecord {
	rows := make([]navalRecord, len(list))
	for i, value := range list {
		rows[i] = navalRecord{value.String(), records[value]}
	}
	return rows
}

func recordsJSON(rows []navalRecord) (members ordered) {
	for _, row := range rows {
		members = append(members, member{row.name, struct {
			Wins   int64 `json:"wins"`
			Losses int64 `json:"losses"`
		}(row.record)})
	}
	return members
}

// knockout is a tournament that has been played.
type knockout struct {
	naval.Tournament
	naval.Statistics
}

func (k knockout) json(o *jsonObject) {
	o.member("players", k.Players)
	o.member("games", k.Games)
	o.member("seed", k.Seed)
	o.member("mean_moves", k.MeanMoves())
	o.member("mean_moves_winners", k.MeanMovesWinners())
	o.member("mean_moves_losers", k.MeanMovesLosers())
	o.member("mean_losers_score", k.MeanLosersScore())
	o.member("by_placement", recordsJSON(navalRecords(k.Placements, k.ByPlacement[:])))
	o.member("by_moves", recordsJSON(navalRecords(k.Moves, k.ByMoves[:])))
}

// playerJSON is one side of a game. Cells are [column,row], as in the post.
type playerJSON struct {
	Placement naval.Placement `json:"placement"`
	Moves     naval.Moves     `json:"moves"`
	Targeting naval.Targeting `json:"targeting"`
	Halo      bool            `json:"halo"`
	Shots     int             `json:"shots"`
	Score     int             `json:"score"`
	Fleet     [][][2]int      `json:"fleet"`
}

func newPlayerJSON(g naval.Game, i int) playerJSON {
	p := g.Players[i]
	shots, score := g.Count(i)
	side := playerJSON{
		Placement: p.Placement, Moves: p.Strategy.Moves, Targeting: p.Strategy.Targeting, Halo: p.Strategy.Halo,
		Shots: shots, Score: score,
	}
	for _, ship := range g.Fleets[i] {
		var cells [][2]int
		for c := range ship.Cells().All() {
			cells = append(cells, cellJSON(c))
		}
		side.Fleet = append(side.Fleet, cells)
	}
	return side
}

func cellJSON(c naval.Cell) [2]int { return [2]int{c.X(), c.Y()} }

// navalGame is a game that has been played. Players are numbered 1 and 2.
type navalGame struct {
	naval.Game
	seed int64
}

func (g navalGame) json(o *jsonObject) {
	o.member("seed", g.seed)
	o.member("winner", g.Winner+1)
	o.list("players", slices.Values([]any{newPlayerJSON(g.Game, 0), newPlayerJSON(g.Game, 1)}))
	o.list("shots", elements(slices.Values(g.Shots), func(s naval.Shot) any {
		return struct {
			Player  int           `json:"player"`
			Cell    [2]int        `json:"cell"`
			Outcome naval.Outcome `json:"outcome"`
		}{s.Player + 1, cellJSON(s.At), s.Outcome}
	}))
}
