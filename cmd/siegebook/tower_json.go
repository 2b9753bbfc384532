package main

import (
	"context"
	"encoding/json"
	"io"

	"github.com/siegebook/siegebook/analysis/tower"
)

// towerState is one element of a trace: the state at the end of a round, or for round 0 the start. Towers are listed strongest first; where there are too many,
// HitsPerTower has the first of them and Groups all, as pairs of hits and towers. Sums are numbers of any size.
type towerState struct {
	Round        int64       `json:"round"`
	Soldiers     int64       `json:"soldiers"`
	Towers       int64       `json:"towers"`
	HitsLeft     json.Number `json:"hits_left"`
	HitsPerTower []int64     `json:"hits_per_tower"`
	KillsLeft    json.Number `json:"kills_left"`
	Truncated    bool        `json:"hits_per_tower_truncated,omitempty"`
	Groups       [][2]int64  `json:"hits_per_tower_groups,omitempty"`
}

func towerStateOf(round tower.Round, towerLimit int64) towerState {
	state := towerState{
		Round: round.Number, Soldiers: round.State.Soldiers, Towers: round.State.Towers(),
		HitsLeft: json.Number(round.State.HitsLeft().String()), HitsPerTower: []int64{}, KillsLeft: json.Number(round.KillsLeft.String()),
	}
	for _, group := range round.State.Groups {
		for range min(group.Towers, towerLimit-int64(len(state.HitsPerTower))) {
			state.HitsPerTower = append(state.HitsPerTower, group.Hits)
		}
		state.Groups = append(state.Groups, [2]int64{group.Hits, group.Towers})
	}
	if state.Truncated = state.Towers > int64(len(state.HitsPerTower)); !state.Truncated {
		state.Groups = nil
	}
	return state
}

// json prints the battle as one object.
func (l towerLine) json(ctx context.Context, w io.Writer, traceLimit, towerLimit int64) error {
	o := newJSONObject(w)
	o.member("winner", l.last.Winner.String())
	o.member("rounds", l.last.Last)
	listed := int64(0)
	o.list("trace", func(yield func(any) bool) {
		for round := range l.battle.Rounds(l.strategy) {
			if listed == traceLimit || listed%1024 == 0 && ctx.Err() != nil {
				return
			}
			listed++
			if !yield(towerStateOf(round, towerLimit)) {
				return
			}
		}
	})
	// The start is listed too: a whole trace has one element more than rounds.
	if listed <= l.last.Last {
		o.member("trace_truncated", true)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return o.close()
}
