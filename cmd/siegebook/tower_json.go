package main

import (
	"encoding/json"
	"strconv"

	"github.com/siegebook/siegebook/analysis/tower"
)

// towerState is one element of a trace: the state at the end of a round, or for round 0 the start. Sums are numbers of
// any size. Where there are more towers than the limit, hits_per_tower has the first of them and hits_per_tower_groups
// all, as pairs of hits and towers.
func towerState(round tower.Round, limit int64) ordered {
	towers := round.State.Towers()
	state := ordered{
		{"round", round.Number},
		{"soldiers", round.State.Soldiers},
		{"towers", towers},
		{"hits_left", json.Number(round.State.HitsLeft().String())},
		{"hits_per_tower", towerList{round.State.Groups, limit}},
		{"kills_left", json.Number(round.KillsLeft.String())},
	}
	if towers <= limit {
		return state
	}
	var groups [][2]int64
	for _, group := range round.State.Groups {
		groups = append(groups, [2]int64{group.Hits, group.Towers})
	}
	return append(state, member{"hits_per_tower_truncated", true}, member{"hits_per_tower_groups", groups})
}

// towerList is the hits that each tower can take, the strongest first, up to a limit.
type towerList struct {
	groups []tower.Group
	limit  int64
}

func (l towerList) writeTo(o *jsonObject) {
	o.text("[")
	listed := int64(0)
	for _, group := range l.groups {
		element := strconv.FormatInt(group.Hits, 10)
		for range min(group.Towers, l.limit-listed) {
			if listed > 0 {
				o.text(",")
			}
			if o.text(element); o.stopped(listed) {
				return // a list of towers can be long
			}
			listed++
		}
	}
	o.text("]")
}

// json prints the battle as one object.
func (l towerLine) json(o *jsonObject) {
	o.member("winner", l.last.Winner)
	o.member("rounds", l.last.Last)
	rounds := elements(l.battle.Rounds(l.strategy), func(round tower.Round) any { return towerState(round, l.listed) })
	if o.trace(l.states, rounds) <= l.last.Last {
		o.member("trace_truncated", true)
	}
}
