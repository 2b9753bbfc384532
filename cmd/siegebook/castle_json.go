package main

import "github.com/siegebook/siegebook/analysis/castle"

// traceState is one element of a trace: the state at the end of a wave, or for wave 0 the start.
type traceState struct {
	Wave       int64  `json:"wave"`
	Soldiers   int64  `json:"soldiers"`
	CastleHits int64  `json:"castle_hits"`
	Defenders  uint64 `json:"defenders"`
}

func traceStateOf(wave int64, s castle.State) traceState {
	return traceState{wave, s.Soldiers, s.CastleHits, s.Defenders}
}

func battleMembers(o *jsonObject, b castle.Battle) {
	o.member("soldiers", b.Soldiers)
	o.member("castle_hits", b.CastleHits)
	o.member("defenders_per_wave", b.DefendersPerWave)
}

// json prints the answer as one object.
func (a castleAnswer) json(o *jsonObject) {
	battle := a.exact.Battle
	battleMembers(o, battle)
	if a.algorithm.exact() {
		o.member("winner", a.exact.Winner)
		o.member("min_waves", orNull(a.exact.MinWaves))
		o.member("castle_min_waves", orNull(battle.CastleMinWaves()))
		o.member("case", a.exact.Case)
	} else {
		o.member("algorithm", a.algorithm.Name)
		if result, over := a.line.result(); over { // of one that was broken off nothing is known
			o.member("winner", result.Winner)
			o.member("waves", result.Waves)
			o.member("soldiers_left", result.SoldiersLeft)
		}
	}
	a.traceMembers(o)
	o.notes(a.notes())
}

func (a castleAnswer) traceMembers(o *jsonObject) {
	listed := o.trace(a.limit, elements(a.line.waves(a.strategy), func(wave castle.Wave) any { return traceStateOf(wave.Number, wave.State) }))
	last := a.line.last()
	if last.Winner == castle.Tie {
		o.member("repeats_from", last.Last-1)
	}
	if last.Winner == castle.Undecided || listed <= last.Last {
		o.member("trace_truncated", true)
	}
}
