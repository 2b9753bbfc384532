package main

import (
	"encoding/json"
	"strconv"

	"github.com/siegebook/siegebook/analysis/tower"
)

// towerState is one element of a trace: the state at the end of a round, or for round 0 the start. Its members are those of
// towerSums, then hits_per_tower, then those of towerGroups.
type towerState struct {
	sums   towerSums
	groups []tower.Group
	listed int64 // towers to list one by one
	rest   towerGroups
}

// towerSums come before the towers. Sums are numbers of any size.
type towerSums struct {
	Round    int64       `json:"round"`
	Soldiers int64       `json:"soldiers"`
	Towers   int64       `json:"towers"`
	HitsLeft json.Number `json:"hits_left"`
}

// towerGroups come after the towers. Towers are listed strongest first; where there are too many, hits_per_tower has the first of
// them and Groups all, as pairs of hits and towers.
type towerGroups struct {
	KillsLeft json.Number `json:"kills_left"`
	Truncated bool        `json:"hits_per_tower_truncated,omitempty"`
	Groups    [][2]int64  `json:"hits_per_tower_groups,omitempty"`
}

func towerStateOf(round tower.Round, towerLimit int64) towerState {
	towers := round.State.Towers()
	state := towerState{
		sums:   towerSums{round.Number, round.State.Soldiers, towers, json.Number(round.State.HitsLeft().String())},
		groups: round.State.Groups, listed: min(towers, towerLimit),
		rest: towerGroups{KillsLeft: json.Number(round.KillsLeft.String()), Truncated: towers > towerLimit},
	}
	if state.rest.Truncated {
		for _, group := range round.State.Groups {
			state.rest.Groups = append(state.rest.Groups, [2]int64{group.Hits, group.Towers})
		}
	}
	return state
}

// writeTo writes the state as one object on the current line.
func (s towerState) writeTo(o *jsonObject) {
	o.open(s.sums)
	o.text(`,"hits_per_tower":[`)
	left := s.listed
	for _, group := range s.groups {
		element := strconv.FormatInt(group.Hits, 10)
		for range min(group.Towers, left) {
			if left != s.listed {
				o.text(",")
			}
			if o.text(element); o.stopped(left) {
				return // a list of towers can be long
			}
			left--
		}
	}
	o.text("],")
	o.shut(s.rest)
}

// json prints the battle as one object.
func (l towerLine) json(o *jsonObject) {
	o.member("winner", l.last.Winner)
	o.member("rounds", l.last.Last)
	rounds := elements(l.battle.Rounds(l.strategy), func(round tower.Round) any { return towerStateOf(round, l.listed) })
	if o.trace(l.states, rounds) <= l.last.Last {
		o.member("trace_truncated", true)
	}
}
