package tower

import game "github.com/siegebook/siegebook/analysis/tower"

// aiming is a play: the aims in a state. It may waste shots, which a game.Strategy does not do on purpose.
type aiming func(game.State) []game.Aim

// allAtOne fires everything at one tower in each round, at the weakest.
func allAtOne(s game.State) []game.Aim {
	weakest := s.Groups[len(s.Groups)-1]
	return []game.Aim{{Towers: 1, Hits: weakest.Hits, Shots: s.Soldiers}}
}

// sparing spreads the shots so that no tower falls, and fires all at one where one must fall.
func sparing(s game.State) []game.Aim {
	if s.FewestDestroyed() == 0 {
		return game.Fewest.Aims(s)
	}
	return allAtOne(s)
}

// winsBy reports whether the soldiers win by a play.
func winsBy(b game.Battle, aims aiming) bool {
	winner := game.Undecided
	for s := b.Start(); winner == game.Undecided; {
		s, _, winner = b.Step(s, aims(s))
	}
	return winner == game.Soldiers
}

// needBy returns from how many soldiers on, up to most, the soldiers win by a play; most + 1 if they do not win with
// most.
func needBy(aims aiming, h, k, t, most int64) int64 {
	n := most
	for n > 0 && winsBy(game.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: k, Towers: t}, aims) {
		n--
	}
	return n + 1
}
